import * as vscode from "vscode";
import * as ext from "./lspExt";
import type { Session } from "./session";

const pauseMs = 150;
const longestMs = 5_000;
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
				const at = new vscode.Position(range.start.line, range.start.character);
				const known = await within(longestMs, vscode.commands.executeCommand<vscode.Location[]>("vscode.executeReferenceProvider", document.uri, at));
				const found: ext.Use[] = known?.map((l) => ({ uri: session.uri(l.uri), range: session.range(l.range) })) ?? [];
				const tell = () => {
					if (found.length > 0 && found.length <= mostLocations && current()) {
						session.notify(ext.references, { uri, version, range, name, locations: found });
					}
				};
				tell();
				const uses = await this.renamed(session, document.uri, at, name);
				if (uses.length > 0) {
					found.unshift(...uses);
					tell();
				}
			}
		} catch {
			// the document is closed or the server has stopped: next edits go by names
		}
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
				const first = e.newText.indexOf(newName);
				const affixes = { prefixText: e.newText.slice(0, first), suffixText: e.newText.slice(first + newName.length) };
				return first < 0 ? [] : [{ uri: session.uri(file), range: session.range(e.range), ...affixes }];
			}),
		);
	}
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
