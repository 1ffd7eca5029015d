import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import type { Session } from "./session";
import * as ext from "./lspExt";

/** The server's command for an accepted suggestion. */
const acceptedOnServer = "github.copilot.didAcceptCompletionItem";
export const acceptedCommand = "tandem.didAccept";

interface Place {
	uri: string;
	version: number;
	position: vscode.Position;
}

/**
 * Ghost text. The client library requests and shows it. This class requests it
 * again when the server announces a better suggestion, but only if text and
 * cursor have not changed since; and when the cursor has moved over a bracket
 * that the suggestion closes itself, because VS Code accepts no word there: its
 * key moves the cursor instead, and moving it hides the suggestion.
 */
export class InlineSuggestions implements vscode.Disposable {
	private asked: Place | undefined;
	/** Whether the last request that was not replaced found something. */
	private offered = false;
	/** Where the cursor last was. */
	private cursor: Place | undefined;
	private again = false;
	/** What stands for a suggestion with editor.show = "subtle", until the key for it. */
	private readonly mark = vscode.window.createTextEditorDecorationType({
		after: { contentText: " …", color: new vscode.ThemeColor("editorGhostText.foreground") },
	});
	private marked: vscode.TextEditor | undefined;
	private session: Session | undefined;
	private readonly show = vscode.commands.registerCommand("tandem.showSuggestion", () => this.reveal());
	private readonly changes = vscode.workspace.onDidChangeTextDocument((e) => {
		if (e.document === this.marked?.document) {
			this.unmark();
		}
	});
	private readonly moves = vscode.window.onDidChangeTextEditorSelection((e) => void this.moved(e.textEditor));

	dispose(): void {
		vscode.Disposable.from(this.moves, this.changes, this.show, this.mark).dispose();
	}

	/** Sees the client's own requests, and replaces the command in their answers by tandem's. */
	readonly middleware: Middleware["provideInlineCompletionItems"] = async (document, position, context, token, next) => {
		this.asked = { uri: document.uri.toString(), version: document.version, position };
		if (this.again) {
			// The editor marks a request by command as "invoked"; for the server it is the automatic one that it announced.
			this.again = false;
			context = { ...context, triggerKind: vscode.InlineCompletionTriggerKind.Automatic };
		}
		const place = this.asked;
		const found = await next(document, position, context, token);
		const items = Array.isArray(found) ? found : (found?.items ?? []);
		if (this.asked === place && !token.isCancellationRequested) {
			this.offered = items.length > 0;
		}
		for (const item of items) {
			if (item.command?.command === acceptedOnServer) {
				item.command.command = acceptedCommand;
			}
		}
		return found;
	};

	attach(session: Session): void {
		this.session = session;
		session.on(ext.inlineReady, (ready) => void this.ready(ready));
		session.on(ext.inlineMark, (m) => this.place(m));
	}

	/** Marks where a suggestion is that nobody has asked to see. */
	private place(m: { uri: string; version: number; position: { line: number; character: number } }): void {
		const editor = vscode.window.activeTextEditor;
		const at = new vscode.Position(m.position.line, m.position.character);
		if (editor?.document.uri.toString() !== vscode.Uri.parse(m.uri).toString() || editor.document.version !== m.version || !editor.selection.active.isEqual(at)) {
			return;
		}
		this.unmark();
		this.marked = editor;
		editor.setDecorations(this.mark, [new vscode.Range(at, at)]);
		void vscode.commands.executeCommand("setContext", "tandem.marked", true);
	}

	private unmark(): void {
		this.marked?.setDecorations(this.mark, []);
		this.marked = undefined;
		void vscode.commands.executeCommand("setContext", "tandem.marked", false);
	}

	/** Has the server announce what the mark stands for, which then is shown as any suggestion. */
	private async reveal(): Promise<void> {
		const uri = this.marked?.document.uri.toString();
		if (uri) {
			this.unmark();
			await this.session?.execute("tandem.showSuggestion", { uri });
		}
	}

	private async ready(ready: { uri: string; version: number }): Promise<void> {
		const editor = vscode.window.activeTextEditor;
		const asked = this.asked;
		if (!editor || !asked || vscode.Uri.parse(ready.uri).toString() !== asked.uri || asked.version !== ready.version) {
			return;
		}
		const unchanged =
			editor.document.uri.toString() === asked.uri &&
			editor.document.version === asked.version &&
			editor.selection.isEmpty &&
			editor.selection.active.isEqual(asked.position);
		if (unchanged) {
			// Asked by command, VS Code keeps what it shows on top of what comes: a line would stay in place of its block.
			await vscode.commands.executeCommand("editor.action.inlineSuggest.hide");
			await this.request();
		}
	}

	private async moved(editor: vscode.TextEditor): Promise<void> {
		if (editor === this.marked) {
			this.unmark();
		}
		const before = this.cursor;
		const at = editor.selection.active;
		this.cursor = { uri: editor.document.uri.toString(), version: editor.document.version, position: at };
		if (!before || !this.offered || editor !== vscode.window.activeTextEditor || !editor.selection.isEmpty) {
			return;
		}
		const same = before.uri === this.cursor.uri && before.version === this.cursor.version && before.position.line === at.line && before.uri === this.asked?.uri;
		if (same && at.isAfter(before.position) && /^[)\]}"'`]+$/.test(editor.document.getText(new vscode.Range(before.position, at)))) {
			await this.request();
		}
	}

	private async request(): Promise<void> {
		this.again = true;
		await vscode.commands.executeCommand("editor.action.inlineSuggest.trigger");
		this.again = false;
	}
}
