import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import type { Session } from "./session";
import * as ext from "./lsp_ext";

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
 * cursor have not changed since.
 */
export class InlineSuggestions {
	private asked: Place | undefined;
	private again = false;

	/** Sees the client's own requests, and replaces the command in their answers by tandem's. */
	readonly middleware: Middleware["provideInlineCompletionItems"] = async (document, position, context, token, next) => {
		this.asked = { uri: document.uri.toString(), version: document.version, position };
		if (this.again) {
			// The editor marks a request by command as "invoked"; for the server it is the automatic one that it announced.
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
		const unchanged =
			editor.document.uri.toString() === asked.uri &&
			editor.document.version === asked.version &&
			editor.selection.isEmpty &&
			editor.selection.active.isEqual(asked.position);
		if (unchanged) {
			this.again = true;
			await vscode.commands.executeCommand("editor.action.inlineSuggest.trigger");
			this.again = false;
		}
	}
}
