import * as vscode from "vscode";
import { Answers } from "./answers";
import { ChangesReview } from "./changes";
import { registerCommands } from "./commands";
import { InlineSuggestions } from "./inline";
import * as ext from "./lspExt";
import { Diagnostics } from "./diagnostics";
import { InstructionBox } from "./instruction";
import { NextEdits } from "./nextEdit";
import { offerToSuggestAlone } from "./otherProviders";
import { Proposals } from "./proposals";
import { Session, errorMessage } from "./session";
import { setUp } from "./setup";
import { StatusItem } from "./status";
import { StreamedEdits } from "./streamedEdits";
import { Tasks } from "./tasks";
import { Tour } from "./tour";

let extension: Extension | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
	extension = new Extension(context.extensionUri, context.globalState);
	await extension.restart();
	void offerToSuggestAlone(context.globalState);
}

export async function deactivate(): Promise<void> {
	await extension?.dispose();
	extension = undefined;
}

/** What exists as long as the extension is active: the views, the commands, and one session at a time. */
class Extension {
	private readonly output = vscode.window.createOutputChannel("tandem", { log: true });
	private readonly inline = new InlineSuggestions();
	private readonly status = new StatusItem();
	private readonly proposals = new Proposals();
	private readonly streamed = new StreamedEdits(() => this.nextEdits.hide());
	private readonly tasks = new Tasks(this.proposals);
	private readonly answers = new Answers();
	private readonly changes = new ChangesReview();
	private readonly nextEdits = new NextEdits((document) => this.streamed.busy(document));
	private readonly diagnostics = new Diagnostics();
	private readonly tour: Tour;
	private readonly disposables: vscode.Disposable[];
	private session: Session;

	constructor(private readonly uri: vscode.Uri, memory: vscode.Memento) {
		this.session = this.open();
		this.tour = new Tour(uri, { serve: (folder) => this.restart(folder), ask: (question) => this.answers.ask(question) });
		this.disposables = [
			this.output,
			this.inline,
			this.status,
			this.proposals,
			this.streamed,
			this.tasks,
			this.answers,
			this.changes,
			this.nextEdits,
			this.diagnostics,
			this.tour,
			registerCommands({
				session: () => this.session,
				proposals: this.proposals,
				streamed: this.streamed,
				tasks: this.tasks,
				answers: this.answers,
				changes: this.changes,
				tour: this.tour,
				instructions: new InstructionBox(memory),
				restart: () => this.restart(),
				status: this.status,
				setUp: (key) => setUp(this.uri, () => this.session.notify(ext.didChangeConfiguration, { settings: null }), key),
				output: this.output,
			}),
			vscode.workspace.onDidChangeConfiguration((e) => {
				if (e.affectsConfiguration("tandem")) {
					void this.restart();
				}
			}),
		];
	}

	/** Stops the running server and starts a new one, in the window's folders or in another one alone. */
	async restart(folder?: vscode.WorkspaceFolder): Promise<void> {
		await this.session.dispose();
		this.session = this.open(folder);
		const starting = this.session;
		try {
			await starting.start();
		} catch (e) {
			void this.failed(errorMessage(e));
		}
	}

	async dispose(): Promise<void> {
		await this.session.dispose();
		vscode.Disposable.from(...this.disposables).dispose();
	}

	private open(folder?: vscode.WorkspaceFolder): Session {
		const session = new Session(this.uri, this.output, { provideInlineCompletionItems: this.inline.middleware }, folder);
		for (const view of [this.inline, this.status, this.proposals, this.streamed, this.tasks, this.nextEdits, this.diagnostics, this.answers]) {
			view.attach(session);
		}
		this.changes.attach(folder ? undefined : session);
		session.on(ext.notice, (notice) => void this.notice(notice));
		return session;
	}

	/** Shows a message with the button that mends what it is about. */
	private async notice(n: ext.Notice): Promise<void> {
		const button = n.uri ? "Open" : n.provider ? "Give the Key" : n.setUp ? "Set Up" : undefined;
		const chosen = await vscode.window.showWarningMessage(`tandem: ${n.message}`, ...(button ? [button] : []));
		if (chosen && n.uri) {
			const at = new vscode.Position(Math.max((n.line ?? 1) - 1, 0), 0);
			await vscode.window.showTextDocument(vscode.Uri.parse(n.uri), { selection: new vscode.Range(at, at) });
		} else if (chosen) {
			await vscode.commands.executeCommand("tandem.setUp", { id: n.provider });
		}
	}

	private async failed(reason: string): Promise<void> {
		const chosen = await vscode.window.showErrorMessage(`tandem could not be started: ${reason}`, "Show log", "Settings", "Try again");
		switch (chosen) {
			case "Show log":
				this.output.show();
				break;
			case "Settings":
				await vscode.commands.executeCommand("workbench.action.openSettings", "tandem.path");
				break;
			case "Try again":
				await this.restart();
		}
	}
}
