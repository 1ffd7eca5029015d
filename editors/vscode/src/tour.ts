import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { program } from "./program";
import { possible } from "./contexts";

/** A line of a file of the copy, from 1. */
interface Place {
	path: string;
	line: number;
}

/** What `tandem demo --copy` has found to show. */
interface Plan {
	folder: string;
	name: string;
	renamed: string;
	declared: Place;
	madeUp: string;
	wrong: Place | null;
	question: string;
}

interface Finding extends Place {
	name: string;
	message: string;
}

/** What the tour asks of the extension. */
interface Host {
	/** Starts the server anew: without a model in that folder alone, or as it was. */
	serve(folder?: vscode.WorkspaceFolder): Promise<void>;
	/** Returns the view of the answer. */
	ask(question: string): Promise<vscode.Disposable>;
}

/**
 * The walkthrough's steps on the user's own code: in a temporary copy, by a server that knows
 * nothing else, so that neither an accepted edit nor auto-save reaches the project.
 */
export class Tour implements vscode.Disposable {
	private readonly diagnostics = vscode.languages.createDiagnosticCollection("tandem tour");
	/** What to do now, as long as the copy is there. */
	private readonly hint = vscode.window.createStatusBarItem("tandem.tour", vscode.StatusBarAlignment.Left);
	private answers: vscode.Disposable[] = [];
	private folder: string | undefined;
	private begun: Promise<Plan> | undefined;

	constructor(private readonly extension: vscode.Uri, private readonly host: Host) {}

	/** Renames a function at its declaration. What follows is the user's. */
	async rename(): Promise<void> {
		const plan = await this.begin();
		const editor = await open(plan, plan.declared);
		const at = find(editor.document, plan.declared, plan.name, plan.renamed);
		await editor.edit((e) => e.replace(at, plan.renamed));
		const start = at.start.with({ character: 0 }); // at a word Tab is for the ghost text there
		editor.selection = new vscode.Selection(start, start);
		const what = `Tab goes to the next place of ${plan.name}, and Tab again changes it.`;
		this.say(what);
		void vscode.window.showInformationMessage(`tandem: ${what}`);
	}

	/** Writes a name that nothing declares, as models do, and underlines what `tandem check` says of it. */
	async madeUpName(): Promise<void> {
		const plan = await this.begin();
		if (!plan.wrong) {
			throw new Error("No check of tandem's knows the names of this project well enough to show this.");
		}
		const editor = await open(plan, plan.wrong);
		const at = find(editor.document, plan.wrong, plan.madeUp, plan.renamed, plan.name);
		await editor.edit((e) => e.replace(at, plan.madeUp));
		await saved(editor.document);
		const found = (await this.check(plan, plan.wrong.path)).filter((f) => f.name === plan.madeUp);
		const list = found.map((f) => new vscode.Diagnostic(find(editor.document, f, f.name), f.message));
		list.forEach((d) => (d.source = "tandem check"));
		if (list.length === 0) {
			throw new Error("The check did not see the name in the copy. Choose the step again.");
		}
		this.diagnostics.set(editor.document.uri, list);
		editor.revealRange(new vscode.Range(at.start, at.start.translate(0, plan.madeUp.length)));
		this.say(`nothing declares ${plan.madeUp}: hover over it.`);
		possible("madeUp", true);
	}

	async question(): Promise<void> {
		const plan = await this.begin();
		const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path.join(plan.folder, plan.declared.path)));
		const name = document.getText(find(document, plan.declared, plan.renamed, plan.name));
		this.answers.push(await this.host.ask(plan.question.replace(plan.name, name)));
		this.say("remove the copy when you have seen enough.");
	}

	private say(what: string): void {
		this.hint.text = `$(mortar-board) tour: ${what}`;
		this.hint.show();
	}

	/** Removes the copy. */
	async end(): Promise<void> {
		const folder = this.folder;
		if (!folder) {
			throw new Error("There is no copy that could be removed.");
		}
		await this.begun?.catch(() => undefined);
		this.diagnostics.clear();
		const ours = (uri: vscode.Uri) => uri.scheme === "file" && uri.fsPath.startsWith(fs.realpathSync(folder) + path.sep);
		await Promise.all(vscode.workspace.textDocuments.filter((d) => d.isDirty && ours(d.uri)).map((d) => d.save()));
		const shown = ({ input }: vscode.Tab) => (input instanceof vscode.TabInputText ? input.uri : input instanceof vscode.TabInputTextDiff ? input.modified : undefined);
		const tabs = vscode.window.tabGroups.all.flatMap((g) => g.tabs);
		await vscode.window.tabGroups.close(tabs.filter((t) => ours(shown(t) ?? vscode.Uri.from({ scheme: "none" }))));
		this.remove();
		await this.host.serve();
		void vscode.window.showInformationMessage("tandem: the copy is removed; your project is as it was.");
	}

	dispose(): void {
		this.remove();
		this.diagnostics.dispose();
		this.hint.dispose();
	}

	private remove(): void {
		if (this.folder) {
			fs.rmSync(this.folder, { recursive: true, force: true });
		}
		this.folder = this.begun = undefined;
		this.hint.hide();
		this.answers.forEach((a) => a.dispose());
		this.answers = [];
		possible("touring", false);
	}

	/** The copy, made at the first step. */
	private begin(): Promise<Plan> {
		this.begun ??= this.copy().catch((e: unknown) => {
			this.remove();
			throw e;
		});
		return this.begun;
	}

	private async copy(): Promise<Plan> {
		const own = vscode.workspace.workspaceFolders?.find((f) => f.uri.scheme === "file");
		if (!own) {
			throw new Error("Open a folder with code first: this works on a copy of it.");
		}
		const folder = (this.folder = fs.mkdtempSync(path.join(os.tmpdir(), "tandem-tour-")));
		const options = { location: vscode.ProgressLocation.Notification, title: "tandem: copying this project to a temporary folder, and reading it there" };
		const plan = await vscode.window.withProgress(options, async () => {
			const printed = await this.run(["demo", "--workspace", own.uri.fsPath, "--copy", path.join(folder, own.name)], [0]);
			const made = JSON.parse(printed) as Plan;
			await this.host.serve({ uri: vscode.Uri.file(made.folder), name: own.name, index: 0 });
			return made;
		});
		possible("touring", true);
		return plan;
	}

	private async check(plan: Plan, file: string): Promise<Finding[]> {
		const printed = await this.run(["check", "--workspace", plan.folder, "--format", "json", path.join(plan.folder, file)], [0, 1]);
		return printed.split("\n").filter(Boolean).map((line) => JSON.parse(line) as Finding);
	}

	/** Runs a command of the program that asks no model, and returns what it prints. */
	private run([name = "", ...rest]: string[], good: number[]): Promise<string> {
		const { command, args } = program(this.extension, name, ...rest);
		return new Promise((done, fail) => {
			const child = execFile(command, args, { maxBuffer: 16 << 20 }, (error, stdout, stderr) => {
				if (good.includes(child.exitCode ?? -1)) {
					done(stdout);
				} else {
					fail(new Error(stderr.replace(/^tandem: /, "").trim() || error?.message));
				}
			});
		});
	}
}

/** Opens a line of the copy beside the walkthrough. */
async function open(plan: Plan, place: Place): Promise<vscode.TextEditor> {
	const start = new vscode.Position(place.line - 1, 0);
	const shown = vscode.window.tabGroups.all.length > 1 ? vscode.ViewColumn.Two : vscode.ViewColumn.Beside;
	return vscode.window.showTextDocument(vscode.Uri.file(path.join(plan.folder, place.path)), { viewColumn: shown, preview: false, selection: new vscode.Range(start, start) });
}

/** The first of some names that stands in a line. */
function find(document: vscode.TextDocument, place: Place, ...names: string[]): vscode.Range {
	const line = document.lineAt(place.line - 1);
	for (const name of names) {
		const at = new RegExp(`(?<![\\w$])${name.replace(/[$]/g, "\\$&")}(?![\\w$])`).exec(line.text);
		if (at) {
			return new vscode.Range(line.lineNumber, at.index, line.lineNumber, at.index + name.length);
		}
	}
	throw new Error(`The copy's ${place.path} has been changed; end the tour and begin it again.`);
}

/** Saves a document, and returns when its file has the text: an auto-save of an earlier one may be under way. */
async function saved(document: vscode.TextDocument): Promise<void> {
	for (let tries = 0; tries < 50; tries++) {
		await document.save();
		if (Buffer.from(await vscode.workspace.fs.readFile(document.uri)).toString() === document.getText()) {
			return;
		}
		await new Promise((done) => setTimeout(done, 100));
	}
	throw new Error("The file was not saved. Save it and choose the step again.");
}
