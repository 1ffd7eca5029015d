import * as vscode from "vscode";
import type { Range } from "vscode-languageclient/node";
import { ProposedTexts } from "./preview";
import type { Session } from "./session";
import { errorMessage, showError } from "./session";

interface Hunk {
	id: string;
	/** Whole lines as they are now. */
	range: Range;
	/** Where it begins in the base, from 0. */
	baseLine: number;
	title: string;
	removed: string;
	mark?: "reviewed" | "kept";
	findings: Finding[];
}

interface Finding {
	range: Range;
	severity: number;
	message: string;
}

interface ChangedFile {
	uri: string;
	path: string;
	created?: boolean;
	deleted?: boolean;
	hunks: Hunk[];
	/** On lines that are as in the base. */
	findings?: Finding[];
}

/** A row of the view, and what its commands get. */
export type ChangeNode = { file: ChangedFile; hunk?: Hunk };

const quietMs = 500;
const severityError = 1;
const waiting = "The review waits until the copy of the tour is removed, since tandem works there alone.";
/** Stands in the list of bases for marking one. */
const unmarked = "unmarked";

/**
 * Reviews the changes of the working tree from a base, whoever wrote them: a list of files and
 * hunks, a comparison to edit in, and marks that the server keeps. It asks no model.
 */
export class ChangesReview implements vscode.TreeDataProvider<ChangeNode>, vscode.Disposable {
	private readonly changed = new vscode.EventEmitter<void>();
	private readonly view: vscode.TreeView<ChangeNode>;
	private readonly texts = new ProposedTexts("tandem-base");
	private readonly diagnostics = vscode.languages.createDiagnosticCollection("tandem changes");
	private readonly reviewed = vscode.window.createTextEditorDecorationType({
		after: { contentText: "  ✓ reviewed", color: new vscode.ThemeColor("editorCodeLens.foreground") },
	});
	private readonly disposables: vscode.Disposable[];
	private session: Session | undefined;
	private base: string | undefined;
	private files: ChangedFile[] = [];
	private unjudged: string[] = []; // of the last check, as sentences
	private timer: NodeJS.Timeout | undefined;
	private loading: Promise<void> = Promise.resolve();

	readonly onDidChangeTreeData = this.changed.event;

	constructor() {
		this.view = vscode.window.createTreeView<ChangeNode>("tandem.changesView", { treeDataProvider: this, manageCheckboxStateManually: true });
		const watcher = vscode.workspace.createFileSystemWatcher("**/*");
		const later = () => this.later();
		this.disposables = [
			this.changed,
			this.view,
			this.texts,
			this.diagnostics,
			this.reviewed,
			watcher,
			watcher.onDidChange(later),
			watcher.onDidCreate(later),
			watcher.onDidDelete(later),
			vscode.workspace.onDidChangeTextDocument(later),
			vscode.workspace.onDidSaveTextDocument(() => this.base !== undefined && void this.load().catch(() => undefined)),
			vscode.window.onDidChangeVisibleTextEditors(() => this.decorate()),
			this.view.onDidChangeCheckboxState((e) => void this.checked(e.items)),
		];
	}

	/** A review needs a server of this project; without one it waits as it is. */
	attach(session: Session | undefined): void {
		this.session = session;
		session?.onDidChangePhase((phase) => phase === "running" && this.later());
	}

	dispose(): void {
		clearTimeout(this.timer);
		vscode.Disposable.from(...this.disposables).dispose();
	}

	/** Asks for a base and shows the changes from it. */
	async start(base?: string): Promise<void> {
		if (!this.session) {
			const end = "Remove the Copy";
			if ((await vscode.window.showWarningMessage(`tandem: ${waiting}`, end)) !== end) {
				return;
			}
			await vscode.commands.executeCommand("tandem.tour.end");
		}
		const chosen = base ?? (await vscode.window.showQuickPick(this.bases(), { title: "tandem: Review the changes since" }))?.base;
		if (!chosen) {
			return;
		}
		if (chosen === unmarked) {
			return this.moment();
		}
		const before = this.base;
		this.base = chosen;
		try {
			await this.load();
		} catch (e) {
			this.base = before; // what was open stays open
			this.changed.fire();
			throw e;
		}
		await vscode.commands.executeCommand("setContext", "tandem.reviewing", true);
		await vscode.commands.executeCommand("tandem.changesView.focus");
		const first = this.open()[0];
		if (first) {
			await this.show(first);
		}
	}

	/** What a review can start from. Only the server knows whether a moment is marked. */
	private async bases(): Promise<(vscode.QuickPickItem & { base: string })[]> {
		const marked = await this.run({ base: "moment", quick: true }).then(() => true, () => false);
		return [
			{ label: "The last commit", description: "HEAD", base: "HEAD" },
			{ label: "The branch that this one came from", description: "merge base", base: "merge-base" },
			marked ? { label: "The moment that I marked", base: "moment" } : { label: "Mark this Moment as the Base of a Review", description: "nothing is marked yet", base: unmarked },
		];
	}

	async moment(): Promise<void> {
		await this.run({ action: "moment" });
		void vscode.window.showInformationMessage("tandem: what changes from now on can be reviewed: Review Changes.", "Review Changes").then((chosen) => chosen && this.start("moment"));
	}

	async close(): Promise<void> {
		const { base } = this;
		const errors = this.found().filter((f) => f.severity === severityError).length;
		this.base = undefined;
		this.set([]);
		await vscode.commands.executeCommand("setContext", "tandem.reviewing", false);
		if (errors > 0) {
			const again = "Open It Again";
			void vscode.window.showInformationMessage(`tandem: the review is closed; ${counted(errors, "error")} ${errors === 1 ? "remains" : "remain"}.`, again).then((chosen) => chosen && this.start(base)).then(undefined, showError);
		}
	}

	/** Goes to the next hunk after the cursor that is not reviewed, or to the one before it; around the end. */
	async next(step: 1 | -1): Promise<void> {
		await this.loading;
		const list = this.open();
		const at = list.findIndex((n) => this.after(n));
		const target = step === 1 ? list[at] ?? list[0] : list.filter((n) => this.before(n)).at(-1) ?? list.at(-1);
		if (!target) {
			void vscode.window.showInformationMessage("tandem: every change is reviewed.");
			return;
		}
		await this.show(target);
	}

	/** Marks a hunk, or takes the mark away, and goes on. */
	async mark(mark: "reviewed" | "kept", node?: ChangeNode): Promise<void> {
		const { hunk } = await this.pick(node);
		await this.run({ action: hunk.mark === mark ? "unmark" : mark, id: hunk.id });
		await this.load(true);
		if (!node) {
			await this.next(1);
		}
	}

	/** Brings the base's lines of a hunk back. */
	async revert(node?: ChangeNode): Promise<void> {
		const { hunk } = await this.pick(node);
		await this.run({ action: "revert", id: hunk.id });
		await this.load(true);
	}

	getTreeItem(node: ChangeNode): vscode.TreeItem {
		return node.hunk ? this.hunkItem(node.file, node.hunk) : this.fileItem(node.file);
	}

	getChildren(node?: ChangeNode): ChangeNode[] {
		if (!node) {
			this.view.message = this.header(); // here, since VS Code waits before it draws the list anew
			return this.files.map((file) => ({ file }));
		}
		return node.hunk ? [] : rows(node.file);
	}

	async show(node: ChangeNode): Promise<void> {
		const { file } = node;
		const hunk = node.hunk ?? file.hunks[0];
		if (!hunk) {
			return;
		}
		const target = vscode.Uri.parse(file.uri);
		const { text } = await this.run<{ text: string }>({ action: "base", id: hunk.id });
		const shown = this.texts.original("before", target, text);
		const place = new vscode.Range(hunk.range.start.line, 0, hunk.range.start.line, 0);
		const title = `${file.path} (since ${this.base ?? ""})`;
		if (file.deleted) {
			await vscode.window.showTextDocument(shown.before);
		} else {
			await vscode.commands.executeCommand("vscode.diff", shown.before, target, title, { selection: place, preview: true });
		}
		this.decorate();
	}

	private fileItem(file: ChangedFile): vscode.TreeItem {
		const item = new vscode.TreeItem(vscode.Uri.parse(file.uri), rows(file).length ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.None);
		const left = file.hunks.filter((h) => !h.mark).length;
		const broken = file.findings?.[0];
		item.id = file.path;
		item.description = [file.created ? "new" : file.deleted ? "deleted" : "", left ? `${left} to review` : file.hunks.length ? "reviewed" : "", broken?.message].filter(Boolean).join(" · ");
		item.contextValue = "file";
		if (broken) {
			item.tooltip = file.findings?.map((f) => f.message).join("\n");
			item.iconPath = sign(file.findings ?? []);
			item.command = { command: "vscode.open", title: "Show", arguments: [vscode.Uri.parse(file.uri), { selection: rangeOf(broken.range) }] };
		}
		return item;
	}

	private hunkItem(file: ChangedFile, hunk: Hunk): vscode.TreeItem {
		const added = hunk.range.end.line - hunk.range.start.line;
		const item = new vscode.TreeItem(`${hunk.range.start.line + 1}: ${hunk.title}`);
		item.id = hunk.id;
		item.description = `+${added} −${removed(hunk)}${hunk.findings.length ? ` · ${hunk.findings[0]?.message}` : ""}`;
		item.tooltip = hunk.findings.map((f) => f.message).join("\n") || undefined;
		item.iconPath = sign(hunk.findings);
		item.checkboxState = hunk.mark ? vscode.TreeItemCheckboxState.Checked : vscode.TreeItemCheckboxState.Unchecked;
		item.contextValue = "hunk";
		item.command = { command: "tandem.changes.show", title: "Show", arguments: [{ file, hunk }] };
		return item;
	}

	/** The hunks that nobody has marked, in the order of the list. */
	private open(): ChangeNode[] {
		return this.files.flatMap((file) => file.hunks.filter((h) => !h.mark).map((hunk) => ({ file, hunk })));
	}

	private where(node: ChangeNode): number {
		const editor = vscode.window.activeTextEditor;
		const here = this.files.findIndex((f) => editor?.document.uri.toString() === vscode.Uri.parse(f.uri).toString());
		const files = this.files.indexOf(node.file) - here;
		return files || (node.hunk?.range.start.line ?? 0) - (editor?.selection.active.line ?? 0);
	}

	private after(node: ChangeNode): boolean {
		return this.where(node) > 0;
	}

	private before(node: ChangeNode): boolean {
		return this.where(node) < 0;
	}

	/** The row's hunk, else the one at the cursor. */
	private async pick(node?: ChangeNode): Promise<{ file: ChangedFile; hunk: Hunk }> {
		await this.loading;
		if (node?.hunk) {
			return { file: node.file, hunk: node.hunk };
		}
		const editor = vscode.window.activeTextEditor;
		const line = editor?.selection.active.line ?? -1;
		const file = this.files.find((f) => vscode.Uri.parse(f.uri).toString() === editor?.document.uri.toString());
		const hunk = file?.hunks.find((h) => h.range.start.line <= line && line < Math.max(h.range.end.line, h.range.start.line + 1));
		if (!file || !hunk) {
			throw new Error("There is no change at the cursor. Start with Review Changes, and go to one.");
		}
		return { file, hunk };
	}

	private async checked(items: readonly [ChangeNode, vscode.TreeItemCheckboxState][]): Promise<void> {
		for (const [node, state] of items) {
			if (node.hunk) {
				await this.run({ action: state === vscode.TreeItemCheckboxState.Checked ? "reviewed" : "unmark", id: node.hunk.id });
			}
		}
		await this.load(true);
	}

	private later(): void {
		if (this.base !== undefined) {
			clearTimeout(this.timer);
			this.timer = setTimeout(() => void this.load(true).catch(() => undefined), quietMs); // the next change asks again
		}
	}

	/** Quick is without checks: what they have found moves with its hunk. */
	private load(quick = false): Promise<void> {
		clearTimeout(this.timer);
		this.loading = this.run<{ files: ChangedFile[]; unjudged?: string[] }>({ quick }).then(
			({ files, unjudged }) => {
				this.unjudged = quick ? this.unjudged : unjudged ?? [];
				this.set(quick ? this.withFindings(files) : files);
			},
			(e: unknown) => {
				this.view.message = errorMessage(e);
				throw e;
			},
		);
		return this.loading;
	}

	private withFindings(files: ChangedFile[]): ChangedFile[] {
		const known = new Map(this.files.map((f) => [f.uri, f]));
		const listed = new Set(files.map((f) => f.uri));
		const others = this.files.filter((f) => !f.hunks.length && !listed.has(f.uri)); // that use what the changes take away
		return [...files.map((f) => withFindings(f, known.get(f.uri))), ...others];
	}

	private async run<T>(args: object): Promise<T> {
		if (!this.session) {
			throw new Error(waiting);
		}
		return this.session.execute<T>("tandem.changes", { base: this.base, ...args });
	}

	private set(files: ChangedFile[]): void {
		this.files = files;
		this.diagnostics.clear();
		for (const f of files) {
			const list = found(f).map((d) => new vscode.Diagnostic(rangeOf(d.range), d.message, d.severity - 1));
			list.forEach((d) => (d.source = "tandem check"));
			this.diagnostics.set(vscode.Uri.parse(f.uri), list);
		}
		this.changed.fire();
		this.decorate();
	}

	private header(): string | undefined {
		const all = this.files.flatMap((f) => f.hunks);
		const count = (mark: string) => all.filter((h) => h.mark === mark).length;
		const errors = this.found().filter((f) => f.severity === severityError).length;
		const found = [counted(errors, "error"), counted(this.found().length - errors, "warning")].filter((text) => !text.startsWith("0 ")).join(", ");
		return this.base && [`${all.length - count("reviewed") - count("kept")} to review, ${count("reviewed")} reviewed, ${count("kept")} kept`, found, `since ${this.base}`, this.unjudged.length ? `${this.unjudged.length} not judged: ${this.unjudged[0]}` : ""].filter(Boolean).join(" · ");
	}

	private found(): Finding[] {
		return this.files.flatMap(found);
	}

	private decorate(): void {
		for (const editor of vscode.window.visibleTextEditors) {
			const file = this.files.find((f) => vscode.Uri.parse(f.uri).toString() === editor.document.uri.toString());
			const lines = (file?.hunks ?? []).filter((h) => h.mark).map((h) => editor.document.lineAt(Math.min(h.range.start.line, editor.document.lineCount - 1)));
			editor.setDecorations(this.reviewed, lines.map((l) => new vscode.Range(l.range.end, l.range.end)));
		}
	}
}

/** The hunks of a file that have a row. */
function rows(file: ChangedFile): ChangeNode[] {
	return file.hunks.filter((h) => h.mark !== "kept").map((hunk) => ({ file, hunk }));
}

function found(file: ChangedFile): Finding[] {
	return [...file.hunks.flatMap((h) => h.findings), ...(file.findings ?? [])];
}

/** The sign of the worst finding, as the list of problems has it. */
function sign(findings: Finding[]): vscode.ThemeIcon | undefined {
	const kind = findings.some((f) => f.severity === severityError) ? "error" : "warning";
	return findings.length ? new vscode.ThemeIcon(kind, new vscode.ThemeColor(`list.${kind}Foreground`)) : undefined;
}

function counted(n: number, what: string): string {
	return `${n} ${what}${n === 1 ? "" : "s"}`;
}

/** A file with what was found in it before: it moves with its hunk, or with the lines above it. */
function withFindings(file: ChangedFile, before: ChangedFile | undefined): ChangedFile {
	const moved = (f: Finding, by: number): Finding => ({ ...f, range: { start: { ...f.range.start, line: f.range.start.line + by }, end: { ...f.range.end, line: f.range.end.line + by } } });
	const known = new Map(before?.hunks.map((h) => [h.id, h]));
	const hunks = file.hunks.map((h) => {
		const was = known.get(h.id);
		return was ? { ...h, findings: was.findings.map((f) => moved(f, h.range.start.line - was.range.start.line)) } : h;
	});
	const findings = before?.findings?.map((f) => {
		const { line } = f.range.start;
		const inBase = line - grown(before.hunks.filter((h) => h.range.end.line <= line));
		return moved(f, inBase + grown(file.hunks.filter((h) => h.baseLine + removed(h) <= inBase)) - line);
	});
	return { ...file, hunks, findings };
}

/** How many lines more there are than in the base. */
function grown(hunks: Hunk[]): number {
	return hunks.reduce((n, h) => n + h.range.end.line - h.range.start.line - removed(h), 0);
}

/** How many lines of the base are gone. */
function removed(hunk: Hunk): number {
	return hunk.removed.split("\n").length - 1;
}

function rangeOf(r: Range): vscode.Range {
	return new vscode.Range(r.start.line, r.start.character, r.end.line, r.end.character);
}
