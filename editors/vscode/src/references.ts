import * as vscode from "vscode";
import * as ext from "./lspExt";
import type { Session } from "./session";

const pauseMs = 150;
const longestMs = 5_000;
const mostLocations = 2_000;

/**
 * Tells the server where other language servers find what is declared in the cursor's line:
 * when it is changed, next edits lead there. The server names what is not known yet.
 */
export class References implements vscode.Disposable {
	private readonly disposables: vscode.Disposable[];
	private session: Session | undefined;
	private timer: NodeJS.Timeout | undefined;
	private line = "";

	constructor() {
		this.disposables = [
			vscode.window.onDidChangeTextEditorSelection((e) => e.textEditor === vscode.window.activeTextEditor && this.entered(e.textEditor)),
			vscode.window.onDidChangeActiveTextEditor((editor) => editor && this.entered(editor)),
		];
	}

	attach(session: Session): void {
		this.session = session;
		this.line = "";
		if (vscode.window.activeTextEditor) {
			this.entered(vscode.window.activeTextEditor);
		}
	}

	dispose(): void {
		clearTimeout(this.timer);
		vscode.Disposable.from(...this.disposables).dispose();
	}

	private entered(editor: vscode.TextEditor): void {
		const line = `${editor.document.uri.toString()}:${editor.selection.active.line}`;
		if (line !== this.line) {
			this.line = line;
			clearTimeout(this.timer);
			this.timer = setTimeout(() => void this.ask(editor, line), pauseMs);
		}
	}

	private async ask(editor: vscode.TextEditor, line: string): Promise<void> {
		const { document } = editor;
		const { session } = this;
		const version = document.version;
		if (session?.phase !== "running") {
			this.line = ""; // asked when the cursor moves again
			return;
		}
		const current = () => this.line === line && document.version === version && !document.isClosed;
		const uri = session.uri(document.uri);
		try {
			const found = await session.request(ext.declarations, { textDocument: { uri, version }, position: { line: editor.selection.active.line, character: 0 } });
			for (const { name, range } of found.declarations) {
				if (!current()) {
					return;
				}
				const known = await within(longestMs, vscode.commands.executeCommand<vscode.Location[]>("vscode.executeReferenceProvider", document.uri, new vscode.Position(range.start.line, range.start.character)));
				if (known && known.length > 0 && known.length <= mostLocations && current()) {
					session.notify(ext.references, { uri, version, range, name, locations: known.map((l) => ({ uri: session.uri(l.uri), range: session.range(l.range) })) });
				}
			}
		} catch {
			// the document is closed or the server has stopped: next edits go by names
		}
	}
}

/** What a promise has in time. */
async function within<T>(ms: number, wanted: Thenable<T>): Promise<T | undefined> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<undefined>((done) => (timer = setTimeout(() => done(undefined), ms)));
	try {
		return await Promise.race([wanted, late]);
	} finally {
		clearTimeout(timer);
	}
}
