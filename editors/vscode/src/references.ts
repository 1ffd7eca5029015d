import * as vscode from "vscode";
import type { Range } from "vscode-languageclient/node";
import * as ext from "./lspExt";
import type { Session } from "./session";

const pauseMs = 150;
const longestMs = 10_000; // a Java server searches a project that long for a rename
const mostLocations = 2_000;

/**
 * Tells the server where other language servers find what is declared in the cursor's line:
 * when it is changed, next edits lead there. The server names what is not known yet.
 * Nothing is renamed: what a rename would change is only read.
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
			const { version } = editor.document;
			this.timer = setTimeout(() => void this.ask(editor, line, version), pauseMs);
		}
	}

	/** A name that is just being written is asked for by nobody: the answers would take the place of those for the name before. */
	private async ask(editor: vscode.TextEditor, line: string, version: number): Promise<void> {
		const { document } = editor;
		const { session } = this;
		if (session?.phase !== "running") {
			this.line = ""; // asked when the cursor moves again
			return;
		}
		if (document.version !== version) {
			return;
		}
		const uri = session.uri(document.uri);
		try {
			const found = await session.request(ext.declarations, { textDocument: { uri, version }, position: { line: editor.selection.active.line, character: 0 } });
			if (this.line === line && document.version === version) {
				// One after another: a server that is asked for all names of a line has the first one's
				// rename last, and some refuse it when the text has changed meanwhile.
				for (const { name, range } of found.declarations) {
					await this.tell(session, document, version, name, range);
				}
			}
		} catch {
			// the document is closed or the server has stopped: next edits go by names
		}
	}

	/** Sends what is known of a name, also when the user types meanwhile: the server knows the text before. */
	private async tell(session: Session, document: vscode.TextDocument, version: number, name: string, range: Range): Promise<void> {
		const at = new vscode.Position(range.start.line, range.start.character);
		const uri = session.uri(document.uri);
		let uses: ext.Use[] = [];
		let written: ext.Use[] = [];
		const send = () => {
			const locations = [...written, ...uses]; // the first of several at one place counts
			if (uses.length > 0 && locations.length <= mostLocations && !document.isClosed) {
				session.notify(ext.references, { uri, version, range, name, locations });
			}
		};
		const known = within(longestMs, vscode.commands.executeCommand<vscode.Location[]>("vscode.executeReferenceProvider", document.uri, at));
		await Promise.all([
			known.then((list) => {
				uses = list?.map((l) => ({ uri: session.uri(l.uri), range: session.range(l.range) })) ?? [];
				send();
			}),
			this.renamed(session, document.uri, at, name).then((list) => {
				written = list;
				if (list.length > 0) {
					send();
				}
			}),
		]);
	}

	/**
	 * The places that a rename changes, and what it writes there beside the new name. The references
	 * of some providers are not all of them: a method that overrides others is renamed with them.
	 */
	private async renamed(session: Session, uri: vscode.Uri, at: vscode.Position, name: string): Promise<ext.Use[]> {
		const newName = `${name}_renamed`;
		const edit = await renameOf(uri, at, newName);
		return (edit?.entries() ?? []).flatMap(([file, list]) =>
			list.flatMap((e) => {
				const parts = e.newText.split(newName);
				if (parts.length > 2) {
					return pieces(e.range.start, parts, name).map((r) => ({ uri: session.uri(file), range: session.range(r), prefixText: "", suffixText: "" }));
				}
				const [prefixText = "", suffixText] = parts;
				return suffixText === undefined ? [] : [{ uri: session.uri(file), range: session.range(e.range), prefixText, suffixText }];
			}),
		);
	}
}

/** The places of a name in a text that a rename writes in one piece, some servers all of a file: what stands between them begins at a place. */
function pieces(from: vscode.Position, between: string[], name: string): vscode.Range[] {
	let at = from;
	const over = (text: string) => {
		const lines = text.split("\n");
		const length = lines[lines.length - 1]?.length ?? 0;
		at = new vscode.Position(at.line + lines.length - 1, lines.length === 1 ? at.character + length : length);
	};
	return between.slice(0, -1).map((text) => {
		over(text);
		const start = at;
		over(name);
		return new vscode.Range(start, at);
	});
}

/** The rename of a provider, read and not applied; none where it refuses. */
async function renameOf(uri: vscode.Uri, at: vscode.Position, name: string): Promise<vscode.WorkspaceEdit | undefined> {
	try {
		return await within(longestMs, vscode.commands.executeCommand<vscode.WorkspaceEdit>("vscode.executeDocumentRenameProvider", uri, at, name));
	} catch {
		return undefined; // no provider, or no name that it renames
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
