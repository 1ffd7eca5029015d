import * as vscode from "vscode";
import type { Session } from "./session";

/** The part of the built-in git extension's API that is used. */
interface Repository {
	rootUri: vscode.Uri;
	inputBox: { value: string };
}
interface GitExtension {
	getAPI(version: 1): { repositories: Repository[] };
}

/** Writes a message for the staged changes into the input box of their repository. */
export async function writeCommitMessage(session: Session, args: unknown): Promise<void> {
	const git = vscode.extensions.getExtension<GitExtension>("vscode.git");
	const api = (git?.isActive ? git.exports : await git?.activate())?.getAPI(1);
	const wanted = (args as { rootUri?: vscode.Uri } | undefined)?.rootUri?.toString();
	const repository = api?.repositories.find((r) => r.rootUri.toString() === wanted) ?? api?.repositories[0];
	if (!repository) {
		throw new Error("No git repository is open.");
	}
	const options = { location: vscode.ProgressLocation.SourceControl };
	const { message, interrupted, reason } = await vscode.window.withProgress(options, () =>
		session.execute<{ message: string; interrupted?: boolean; reason?: string }>("tandem.commitMessage", { uri: session.uri(repository.rootUri) }),
	);
	repository.inputBox.value = message;
	if (interrupted) {
		void vscode.window.showWarningMessage(`tandem: the message was cut: ${reason}.`);
	}
}
