import * as vscode from "vscode";
import type { Range } from "vscode-languageclient/node";
import { ProposedTexts } from "./preview";
import type { Session } from "./session";
import { errorMessage } from "./session";

interface Hunk {
	id: string;
	/** Whole lines as they are now. */
	range: Range;
	title: string;
	removed: string;
	mark?: "reviewed" | "kept";
	findings: { range: Range; severity: number; message: string }[];
}

interface ChangedFile {
	uri: string;
	path: string;
	created?: boolean;
	deleted?: boolean;
	hunks: Hunk[];
	/** On lines that are as in the base. */
	findings?: Hunk["findings"];
}

/** A row of the view, and what its commands get. */
export type ChangeNode = { file: ChangedFile; hunk?: Hunk };

const quietMs = 500;

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

	attach(session: Session): void {
		this.session = session;
		session.onDidChangePhase((phase) => phase === "running" && this.later());
	}

	dispose(): void {
		clearTimeout(this.timer);
		vscode.Disposable.from(...this.disposables).dispose();
	}

	/** Asks for a base and shows the changes from it. */
	async start(base?: string): Promise<void> {
		const bases = [
			{ label: "The last commit", description: "HEAD", base: "HEAD" },
			{ label: "The branch that this one came from", description: "merge base", base: "merge-base" },
			{ label: "The moment that I marked", description: "tandem: Mark this Moment", base: "moment" },
		];
		const chosen = base ?? (await vscode.window.showQuickPick(bases, { title: "tandem: Review the changes since" }))?.base;
		if (!chosen) {
			return;
		}
		this.base = chosen;
		await vscode.commands.executeCommand("setContext", "tandem.reviewing", true);
		await this.load();
		await vscode.commands.executeCommand("tandem.changesView.focus");
		const first = this.open()[0];
		if (first) {
			await this.show(first);
		}
	}

	async moment(): Promise<void> {
		await this.run({ action: "moment" });
		void vscode.window.showInformationMessage("tandem: what changes from now on can be reviewed: Review Changes.", "Review Changes").then((chosen) => chosen && this.start("moment"));
	}

	async close(): Promise<void> {
		this.base = undefined;
		this.set([]);
		await vscode.commands.executeCommand("setContext", "tandem.reviewing", false);
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
		return node.hunk ? [] : node.file.hunks.filter((h) => h.mark !== "kept").map((hunk) => ({ file: node.file, hunk }));
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
		const item = new vscode.TreeItem(vscode.Uri.parse(file.uri), vscode.TreeItemCollapsibleState.Expanded);
		const left = file.hunks.filter((h) => !h.mark).length;
		const broken = file.findings?.[0];
		item.id = file.path;
		item.description = [file.created ? "new" : file.deleted ? "deleted" : "", left ? `${left} to review` : file.hunks.length ? "reviewed" : "", broken?.message].filter(Boolean).join(" · ");
		item.contextValue = "file";
		if (broken) {
			item.tooltip = file.findings?.map((f) => f.message).join("\n");
			item.iconPath = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
			item.command = { command: "vscode.open", title: "Show", arguments: [vscode.Uri.parse(file.uri), { selection: rangeOf(broken.range) }] };
		}
		return item;
	}

	private hunkItem(file: ChangedFile, hunk: Hunk): vscode.TreeItem {
		const added = hunk.range.end.line - hunk.range.start.line;
		const removed = hunk.removed.split("\n").length - 1;
		const item = new vscode.TreeItem(`${hunk.range.start.line + 1}: ${hunk.title}`);
		item.id = hunk.id;
		item.description = `+${added} −${removed}${hunk.findings.length ? ` · ${hunk.findings[0]?.message}` : ""}`;
		item.tooltip = hunk.findings.map((f) => f.message).join("\n") || undefined;
		item.iconPath = hunk.findings.length ? new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground")) : undefined;
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
		this.loading = this.run<{ files: ChangedFile[] }>({ quick }).then(
			({ files }) => this.set(quick ? this.withFindings(files) : files),
			(e: unknown) => {
				this.view.message = errorMessage(e);
				throw e;
			},
		);
		return this.loading;
	}

	private withFindings(files: ChangedFile[]): ChangedFile[] {
		const known = new Map(this.files.flatMap((f) => f.hunks).map((h) => [h.id, h]));
		const moved = (r: Range, by: number): Range => ({ start: { ...r.start, line: r.start.line + by }, end: { ...r.end, line: r.end.line + by } });
		const findings = (h: Hunk) => {
			const before = known.get(h.id);
			return before ? before.findings.map((f) => ({ ...f, range: moved(f.range, h.range.start.line - before.range.start.line) })) : h.findings;
		};
		const others = this.files.filter((f) => !f.hunks.length); // that use what the changes take away
		return [...files.map((f) => ({ ...f, hunks: f.hunks.map((h) => ({ ...h, findings: findings(h) })) })), ...others];
	}

	private run<T>(args: object): Promise<T> {
		if (!this.session) {
			throw new Error("tandem is not running.");
		}
		return this.session.execute<T>("tandem.changes", { base: this.base, ...args });
	}

	private set(files: ChangedFile[]): void {
		this.files = files;
		this.diagnostics.clear();
		for (const f of files) {
			const list = [...f.hunks.flatMap((h) => h.findings), ...(f.findings ?? [])].map((d) => new vscode.Diagnostic(rangeOf(d.range), d.message, d.severity - 1));
			list.forEach((d) => (d.source = "tandem check"));
			this.diagnostics.set(vscode.Uri.parse(f.uri), list);
		}
		this.changed.fire();
		this.decorate();
	}

	private header(): string | undefined {
		const all = this.files.flatMap((f) => f.hunks);
		const count = (mark: string) => all.filter((h) => h.mark === mark).length;
		return this.base && `${all.length - count("reviewed") - count("kept")} to review, ${count("reviewed")} reviewed, ${count("kept")} kept · since ${this.base}`;
	}

	private decorate(): void {
		for (const editor of vscode.window.visibleTextEditors) {
			const file = this.files.find((f) => vscode.Uri.parse(f.uri).toString() === editor.document.uri.toString());
			const lines = (file?.hunks ?? []).filter((h) => h.mark).map((h) => editor.document.lineAt(Math.min(h.range.start.line, editor.document.lineCount - 1)));
			editor.setDecorations(this.reviewed, lines.map((l) => new vscode.Range(l.range.end, l.range.end)));
		}
	}
}

function rangeOf(r: Range): vscode.Range {
	return new vscode.Range(r.start.line, r.start.character, r.end.line, r.end.character);
}
