import { spawn } from "node:child_process";
import * as readline from "node:readline";
import * as vscode from "vscode";
import { possible } from "./contexts";
import { program } from "./program";

/** One line of `tandem setup --json`. A later tandem may have other kinds of step: what is in one says how to draw it. */
interface Step {
	step: "choose" | "ask" | "working" | "done" | string;
	id?: string;
	title: string;
	problem?: string;
	hint?: string;
	secret?: boolean;
	options?: { id: string; label: string; detail?: string }[];
	file?: string;
}

interface Choice extends vscode.QuickPickItem {
	id?: string;
}

/** The values of tandem.accept_key, as they are shown. */
export const acceptKeys = new Map([
	["tab", "Tab"],
	["ctrl+enter", process.platform === "darwin" ? "Cmd+Enter" : "Ctrl+Enter"],
	["right", "→"],
]);

/** The exit code of a configuration with a mistake. */
const configurationInvalid = 3;

/**
 * Draws what `tandem setup` asks: who answers, at which address, with which key and model.
 * It writes only what has been tested with a request. With the name of a provider, it asks
 * for that provider's key alone. It calls stored when it has ended well.
 */
export async function setUp(extension: vscode.Uri, stored: () => void, key?: string): Promise<void> {
	const { command, args } = program(extension, "setup", "--json", ...(key ? ["--key", key] : []));
	const child = spawn(command, args, { stdio: "pipe" });
	let problems = "";
	child.stderr.setEncoding("utf8").on("data", (text: string) => (problems += text));
	child.stdin.on("error", () => undefined); // it has ended, and says why
	const ended = new Promise<number | null>((done, fail) => child.on("close", done).on("error", fail));
	const working = new Working();
	let stopped = false;
	try {
		for await (const line of readline.createInterface({ input: child.stdout })) {
			const step = JSON.parse(line) as Step;
			const asks = step.step === "choose" || step.step === "ask" || step.id !== undefined;
			working.show(asks || step.step === "done" ? undefined : step.title);
			if (step.step === "done") {
				stored();
				possible("setUp", true);
				void done(step);
			} else if (asks) {
				const answer = await (step.options ? choose(step) : ask(step));
				stopped = answer === undefined;
				if (stopped) {
					child.stdin.end();
				} else {
					child.stdin.write(`${JSON.stringify({ answer })}\n`);
				}
			}
		}
	} finally {
		working.show(undefined);
		child.stdin.end();
	}
	const code = await ended;
	if (code !== 0 && !stopped) {
		await failed(problems, code);
	}
}

async function done(step: Step): Promise<void> {
	const [open, key] = ["Open config.toml", "Accept by Another Key"];
	const chosen = await vscode.window.showInformationMessage(step.title, ...(step.file ? [key, open] : []));
	if (chosen === open && step.file) {
		await vscode.window.showTextDocument(vscode.Uri.file(step.file));
	} else if (chosen === key) {
		await chooseAcceptKey();
	}
}

async function chooseAcceptKey(): Promise<void> {
	const rows = [...acceptKeys].map(([id, label]) => ({ id, label, detail: id === "tab" ? "as VS Code has it" : "Tab stays a plain Tab" }));
	const chosen = await vscode.window.showQuickPick(rows, { title: "tandem: Which key accepts what is suggested?" });
	if (chosen) {
		await vscode.workspace.getConfiguration("tandem").update("accept_key", chosen.id, vscode.ConfigurationTarget.Global);
	}
}

async function failed(problems: string, code: number | null): Promise<void> {
	const message = problems.replace(/^tandem: /, "").trim() || "tandem setup ended without a word.";
	const file = /^(.*?):\d+: /m.exec(message)?.[1];
	const open = code === configurationInvalid && file ? "Open config.toml" : undefined;
	if ((await vscode.window.showErrorMessage(message, ...(open ? [open] : []))) && file) {
		await vscode.window.showTextDocument(vscode.Uri.file(file));
	}
}

/** A problem is one sentence: what to do: what is wrong. */
function problemRow(problem: string): Choice {
	const [todo = "", ...wrong] = problem.split(": ");
	return { label: `$(warning) ${todo}`, detail: wrong.join(": "), alwaysShow: true };
}

async function choose(step: Step): Promise<string | undefined> {
	const rows: Choice[] = (step.options ?? []).map((o) => ({ id: o.id, label: o.label, detail: o.detail }));
	if (step.problem) {
		rows.push({ label: "", kind: vscode.QuickPickItemKind.Separator }, problemRow(step.problem));
	}
	for (;;) {
		const options = { title: `tandem: ${step.title}`, placeHolder: step.hint ?? whichMachine(step), ignoreFocusOut: true, matchOnDetail: true };
		const chosen = await vscode.window.showQuickPick(rows, options);
		if (!chosen || chosen.id !== undefined) {
			return chosen?.id;
		}
	}
}

/** In a remote window a model server is looked for where tandem runs, which is not where the person sits. */
function whichMachine(step: Step): string | undefined {
	const remote = vscode.env.remoteName;
	return remote && step.id === "who" ? `“This machine” is the remote host ${remote}, where tandem runs.` : undefined;
}

function ask(step: Step): Promise<string | undefined> {
	const box = vscode.window.createInputBox();
	box.title = `tandem: ${step.title}`;
	box.placeholder = step.secret ? undefined : step.hint;
	box.prompt = step.secret ? step.hint : undefined;
	box.password = step.secret ?? false;
	box.ignoreFocusOut = true;
	box.validationMessage = step.problem;
	return new Promise((answered) => {
		box.onDidChangeValue(() => (box.validationMessage = undefined));
		box.onDidAccept(() => {
			answered(box.value);
			box.hide();
		});
		box.onDidHide(() => {
			answered(undefined);
			box.dispose();
		});
		box.show();
	});
}

/** What is going on between two questions, in their place. */
class Working {
	private box: vscode.QuickPick<Choice> | undefined;

	show(title: string | undefined): void {
		this.box?.dispose();
		this.box = undefined;
		if (title) {
			this.box = vscode.window.createQuickPick();
			this.box.title = `tandem: ${title}`;
			this.box.busy = true;
			this.box.ignoreFocusOut = true;
			this.box.show();
		}
	}
}
