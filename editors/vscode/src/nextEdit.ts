import * as vscode from "vscode";
import type { Range } from "vscode-languageclient/node";
import { NextEditView } from "./nextEditView";
import { References } from "./references";
import * as ext from "./lspExt";
import { errorMessage, type Session } from "./session";
import { possible } from "./contexts";
import { acceptKeys } from "./setup";

const pauseMs = 300;
/** How long after a step Tab waits for the next one. */
const stepMs = 500;
/** How long it is said that a change is done; Tab is not for the text then. */
const doneMs = 2000;
/** An edit on the cursor's line or this many lines from it is applied at once; to another, the cursor jumps first. */
const nearLines = 1;
const visible = "tandem.nextEditVisible";

interface Offered {
	uri: vscode.Uri;
	version: number | undefined;
	range: vscode.Range;
	text: string;
	id: string;
	/** The error at a place where nothing is written: Tab only goes there. */
	jump: string | undefined;
	/** Which place of the change it is: "2 of 7". */
	count: string | undefined;
}

/**
 * The edit that comes next: asked for after a pause, an acceptance and a jump, shown
 * by decorations, applied by Tab and dismissed by Escape. At a distance Tab jumps first.
 */
export class NextEdits implements vscode.Disposable {
	private readonly view = new NextEditView();
	private readonly references = new References();
	private readonly disposables: vscode.Disposable[];
	private session: Session | undefined;
	private offered: Offered | undefined;
	private revealed = false;
	private applying = false;
	private timer: NodeJS.Timeout | undefined;
	/** Set while Tab is for the edit after the last one, which is on its way. */
	private expecting: NodeJS.Timeout | undefined;
	private again = false;
	/** How many places a change had whose last one was just written. */
	private done: number | undefined;
	private running: vscode.CancellationTokenSource | undefined;

	/** busy: whether an edit is shown in a document already and waits for the user. */
	constructor(private readonly busy: (document: vscode.TextDocument) => boolean) {
		this.disposables = [
			this.view,
			this.references,
			vscode.workspace.onDidChangeTextDocument((e) => this.changed(e)),
			vscode.window.onDidChangeTextEditorSelection((e) => this.moved(e)),
			vscode.window.onDidChangeActiveTextEditor(() => this.drawn()),
			vscode.window.onDidChangeActiveColorTheme(() => this.drawn()),
			vscode.commands.registerCommand("tandem.nextEdit.accept", () => this.accept()),
			vscode.commands.registerCommand("tandem.nextEdit.dismiss", () => this.dismiss()),
			vscode.commands.registerCommand("tandem.nextEdit.all", () => this.everywhere()),
			vscode.commands.registerCommand("tandem.nextEdit.show", () => this.reveal()),
		];
	}

	attach(session: Session): void {
		this.hide();
		this.session = session;
		this.references.attach(session);
	}

	dispose(): void {
		this.hide();
		vscode.Disposable.from(...this.disposables).dispose();
	}

	/** The user's change: an edit being typed along stays with the server, so it is asked for at once. */
	private changed(e: vscode.TextDocumentChangeEvent): void {
		if (e.contentChanges.length === 0 || this.applying || e.document !== vscode.window.activeTextEditor?.document) {
			return;
		}
		const shown = this.offered;
		const along = shown?.uri.toString() === e.document.uri.toString() && e.contentChanges.every((c) => c.range.end.line >= shown.range.start.line && c.range.start.line <= shown.range.end.line);
		this.hide();
		this.later(along ? 0 : pauseMs);
	}

	/** A jump of the cursor; typing moves it too, and is a change. */
	private moved(e: vscode.TextEditorSelectionChangeEvent): void {
		const jumped = e.kind === vscode.TextEditorSelectionChangeKind.Mouse || e.kind === vscode.TextEditorSelectionChangeKind.Command;
		if (jumped && !this.offered && !this.applying && !this.expecting && e.textEditor === vscode.window.activeTextEditor) {
			this.later(pauseMs);
		}
		if (this.offered) {
			this.drawn();
		}
	}

	private later(ms: number): void {
		clearTimeout(this.timer);
		this.running?.cancel();
		this.timer = setTimeout(() => void this.ask(), ms);
	}

	private async ask(): Promise<void> {
		const editor = vscode.window.activeTextEditor;
		const session = this.session;
		if (!editor || session?.phase !== "running" || !editor.selection.isEmpty || mode() === "off" || this.busy(editor.document)) {
			return;
		}
		this.running?.cancel();
		const source = new vscode.CancellationTokenSource();
		this.running = source;
		const version = editor.document.version;
		const asked = { textDocument: { uri: session.uri(editor.document.uri), version }, position: { line: editor.selection.active.line, character: editor.selection.active.character } };
		let found: ext.NextEditList;
		try {
			found = await session.request(ext.nextEdit, asked, source.token);
		} catch {
			this.expected();
			return; // cancelled by a newer one, or the server has stopped
		} finally {
			source.dispose();
			if (this.running === source) {
				this.running = undefined;
			}
		}
		const edit = found.edits[0];
		if (edit && !source.token.isCancellationRequested && !this.busy(editor.document) && editor === vscode.window.activeTextEditor && editor.document.version === version) {
			const uri = vscode.Uri.parse(edit.textDocument.uri);
			const here = uri.toString() === editor.document.uri.toString();
			this.offer({ uri, version: here ? version : undefined, range: range(edit.range), text: edit.text, id: String(edit.command.arguments?.[0] ?? ""), jump: edit.jump, count: edit.title?.match(/\d+ of \d+$/)?.[0] });
		}
		this.expected();
	}

	/** Asks for what follows a step. For a moment Tab is for that. done: of a change's last place, how many it had. */
	private step(done?: number): void {
		this.hide();
		this.done = done;
		void vscode.commands.executeCommand("setContext", visible, true);
		this.expecting = setTimeout(() => this.expected(), stepMs);
		this.later(0);
	}

	/** Does what Tab was pressed for while the answer was on its way. */
	private expected(): void {
		if (!this.expecting) {
			return;
		}
		clearTimeout(this.expecting);
		this.expecting = undefined;
		const again = this.again;
		this.again = false;
		if (this.offered) {
			if (again) {
				void this.accept();
			}
			return;
		}
		if (this.done) {
			this.finished(this.done);
			return;
		}
		void vscode.commands.executeCommand("setContext", visible, false);
		if (again) {
			void vscode.commands.executeCommand("tab");
		}
	}

	/** Says once that a change is done. Who presses Tab once more then means the next place, not the text. */
	private finished(places: number): void {
		this.done = undefined;
		possible("followed", true);
		const editor = vscode.window.activeTextEditor;
		if (editor) {
			this.view.point(editor, `done: ${places} ${places === 1 ? "place" : "places"}`);
		}
		this.expecting = setTimeout(() => this.hide(), doneMs);
	}

	private offer(offered: Offered): void {
		this.offered = offered;
		this.revealed = mode() !== "quiet";
		void vscode.commands.executeCommand("setContext", visible, true);
		this.drawn();
		void this.report(ext.nextEditShown);
	}

	/** Draws what there is to see in the active editor. */
	private drawn(): void {
		this.view.clear();
		const editor = vscode.window.activeTextEditor;
		const offered = this.offered;
		if (!editor || !offered) {
			return;
		}
		if (offered.uri.toString() !== editor.document.uri.toString()) {
			this.view.point(editor, `${acceptKey()} to jump to ${vscode.workspace.asRelativePath(offered.uri)}:${offered.range.start.line + 1}${counted(offered)}${because(offered)}`);
		} else if (!this.revealed) {
			this.view.point(editor, `next edit: ${acceptKey()} to show`);
		} else if (!offered.jump && inSight(editor, offered.range.start.line)) {
			this.view.show(editor, offered, offered.count);
		} else {
			this.view.point(editor, `${acceptKey()} to jump to line ${offered.range.start.line + 1}${counted(offered)}${because(offered)}`);
		}
	}

	/** Reveals a quiet edit, or asks for one now. */
	private reveal(): void {
		if (this.offered) {
			this.revealed = true;
			this.drawn();
		} else {
			this.later(0);
		}
	}

	/** Reveals, jumps to, or applies the edit: each key press does the next of these. */
	private async accept(): Promise<void> {
		const offered = this.offered;
		if (!offered) {
			this.again = this.expecting !== undefined;
			return;
		}
		if (!this.revealed) {
			this.reveal();
			return;
		}
		let editor = vscode.window.activeTextEditor;
		const here = editor?.document.uri.toString() === offered.uri.toString();
		const margin = offered.jump ? 0 : nearLines;
		const near = here && editor && editor.selection.active.line >= offered.range.start.line - margin && editor.selection.active.line <= offered.range.end.line + margin;
		if (!near) {
			this.applying = true; // the jump is not the user's
			editor = await vscode.window.showTextDocument(offered.uri, { selection: new vscode.Range(offered.range.start, offered.range.start) });
			editor.revealRange(offered.range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
			offered.version ??= editor.document.version;
			this.applying = false;
			if (offered.jump) {
				this.step(); // at once: what is drawn is done
				await this.report(ext.nextEditAccepted, offered.id);
				return;
			}
			this.drawn();
			return;
		}
		if (editor && offered.jump) {
			this.hide(); // the cursor has come there by itself
			return;
		}
		if (editor) {
			await this.apply(editor, offered);
		}
	}

	private async apply(editor: vscode.TextEditor, offered: Offered): Promise<void> {
		if (offered.version !== undefined && editor.document.version !== offered.version) {
			this.hide();
			this.later(0);
			return;
		}
		this.applying = true;
		const done = await editor.edit((b) => b.replace(offered.range, offered.text), { undoStopBefore: true, undoStopAfter: true });
		this.applying = false;
		if (done) {
			possible("takeBack", true);
			const end = editor.document.positionAt(editor.document.offsetAt(offered.range.start) + offered.text.length);
			editor.selection = new vscode.Selection(end, end);
			const id = offered.id;
			const [at, of] = offered.count?.split(" of ") ?? [];
			this.step(of !== undefined && at === of ? Number(of) : undefined);
			await this.report(ext.nextEditAccepted, id);
			return;
		}
		this.hide();
		this.later(0);
	}

	/** Proposes all remaining places of the change at once; they are reviewed as every proposal is. */
	private async everywhere(): Promise<void> {
		const editor = vscode.window.activeTextEditor;
		const session = this.session;
		if (!editor || !session) {
			return;
		}
		try {
			await session.execute("tandem.nextEditAll", { uri: session.uri(editor.document.uri), position: { line: editor.selection.active.line, character: editor.selection.active.character } });
		} catch (e) {
			void vscode.window.showInformationMessage(`tandem: ${errorMessage(e)}`);
		}
	}

	/** Rejects the edit: it is not offered again. It goes at once; what is asked for meanwhile stays. */
	private async dismiss(): Promise<void> {
		const id = this.offered?.id;
		this.hide();
		await this.report(ext.nextEditRejected, id);
	}

	private async report(type: typeof ext.nextEditShown, id = this.offered?.id): Promise<void> {
		if (id && this.session?.phase === "running") {
			await this.session.request(type, { uuid: id }).catch(() => undefined); // it only informs
		}
	}

	hide(): void {
		clearTimeout(this.timer);
		clearTimeout(this.expecting);
		this.expecting = undefined;
		this.again = false;
		this.done = undefined;
		this.running?.cancel();
		this.offered = undefined;
		this.revealed = false;
		this.view.clear();
		void vscode.commands.executeCommand("setContext", visible, false);
	}
}

/** Whether next edits are shown at once, on a key, or not at all. */
function mode(): "on" | "quiet" | "off" {
	const config = vscode.workspace.getConfiguration("tandem");
	if (config.inspect<boolean>("editor.next_edits")?.globalValue === false) {
		return "off";
	}
	return config.inspect<boolean>("quiet_next_edits")?.globalValue ? "quiet" : "on";
}

function counted(offered: Offered): string {
	return offered.count ? ` (${offered.count})` : "";
}

/** Why a place without an edit is shown. */
function because(offered: Offered): string {
	return offered.jump ? `: ${offered.jump.split("\n", 1)[0]}` : "";
}

function inSight(editor: vscode.TextEditor, line: number): boolean {
	return editor.visibleRanges.some((r) => line >= r.start.line && line <= r.end.line);
}

function range(r: Range): vscode.Range {
	return new vscode.Range(r.start.line, r.start.character, r.end.line, r.end.character);
}

/** The key that applies a next edit, as it is shown. */
function acceptKey(): string {
	const key = vscode.workspace.getConfiguration("tandem").get("accept_key", "tab");
	return acceptKeys.get(key) ?? "Tab";
}
