import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import type { Session } from "./session";
import * as ext from "./lsp_ext";

/** The command that the server is told of when a suggestion has been accepted. */
const acceptedOnServer = "github.copilot.didAcceptCompletionItem";
export const acceptedCommand = "tandem.didAccept";

interface Place {
	uri: string;
	version: number;
	position: vscode.Position;
}

/**
 * Ghost text. The client library asks and shows; this asks again when the
 * server says that a better suggestion is there, and only then if nothing has
 * moved since.
 */
export class InlineSuggestions {
	private asked: Place | undefined;
	private again = false;

	/** How the client's own requests are seen, and answered with tandem's own command. */
	readonly middleware: Middleware["provideInlineCompletionItems"] = async (document, position, context, token, next) => {
		this.asked = { uri: document.uri.toString(), version: document.version, position };
		if (this.again) {
			// The editor calls a request by command "invoked"; to the server it is the automatic one it announced.
			this.again = false;
			context = { ...context, triggerKind: vscode.InlineCompletionTriggerKind.Automatic };
		}
		const found = await next(document, position, context, token);
		for (const item of Array.isArray(found) ? found : (found?.items ?? [])) {
			if (item.command?.command === acceptedOnServer) {
				item.command.command = acceptedCommand;
			}
		}
		return found;
	};

	attach(session: Session): void {
		session.on(ext.inlineReady, (ready) => void this.ready(ready));
	}

	private async ready(ready: { uri: string; version: number }): Promise<void> {
		const editor = vscode.window.activeTextEditor;
		const asked = this.asked;
		if (!editor || !asked || vscode.Uri.parse(ready.uri).toString() !== asked.uri || asked.version !== ready.version) {
			return;
		}
		const still =
			editor.document.uri.toString() === asked.uri &&
			editor.document.version === asked.version &&
			editor.selection.isEmpty &&
			editor.selection.active.isEqual(asked.position);
		if (still) {
			this.again = true;
			await vscode.commands.executeCommand("editor.action.inlineSuggest.trigger");
			this.again = false;
		}
	}
}
