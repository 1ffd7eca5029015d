import * as crypto from "node:crypto";
import * as vscode from "vscode";
import { answerPage, turnHTML } from "./answerPage";
import type { Answer, AnswerPart } from "./lspExt";
import { possible } from "./contexts";
import * as ext from "./lspExt";
import type { Session } from "./session";
import { errorMessage, showError } from "./session";

interface Turn {
	question: string;
	answer: string;
	citations: Answer["citations"];
	/** A document with what the model was shown. */
	window?: string;
	running?: vscode.CancellationTokenSource;
}

/** Questions about one place, each of which sees the answers before it. */
interface Conversation {
	id: number;
	panel: vscode.WebviewPanel;
	from: { uri: vscode.Uri; position: vscode.Position } | undefined;
	turns: Turn[];
}

/** What a person does in the view. */
interface Message {
	ready?: boolean;
	ask?: string;
	stop?: boolean;
	/** The turn whose window is to be shown. */
	window?: number;
	open?: { uri: string; line: number };
	copy?: string;
	insert?: string;
}

/**
 * Questions and their answers, one rendered view for each conversation, beside the code. The
 * answer appears as it is written; the places it names are links; its code can be copied or
 * inserted; below it stands the box for the next question.
 */
export class Answers implements vscode.Disposable {
	private readonly conversations: Conversation[] = [];
	private session: Session | undefined;
	private nextID = 1;

	attach(session: Session): void {
		this.session = session;
	}

	dispose(): void {
		for (const c of [...this.conversations]) {
			c.panel.dispose();
		}
	}

	/** Begins a conversation about the place in the editor, and returns its view. */
	async ask(question: string): Promise<vscode.Disposable> {
		const editor = vscode.window.activeTextEditor;
		const from = editor && { uri: editor.document.uri, position: editor.selection.active };
		const panel = vscode.window.createWebviewPanel("tandem.answer", "Answer", { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { enableScripts: true, localResourceRoots: [], enableFindWidget: true });
		const conversation: Conversation = { id: this.nextID++, panel, from, turns: [] };
		this.conversations.push(conversation);
		this.follow();
		panel.webview.onDidReceiveMessage((m: Message) => void this.act(conversation, m).catch(showError));
		panel.onDidDispose(() => {
			this.stop(conversation.id);
			this.conversations.splice(this.conversations.indexOf(conversation), 1);
			this.follow();
		});
		panel.webview.html = answerPage(crypto.randomBytes(16).toString("hex"));
		await this.add(conversation, question);
		return panel;
	}

	/** Asks a further question in the conversation that is shown. */
	async followUp(question: string): Promise<void> {
		const conversation = this.shown();
		if (conversation) {
			await this.add(conversation, question);
		}
	}

	/** Opens what the model was shown for the last answer. */
	async showWindow(): Promise<void> {
		await this.openWindow(this.shown()?.turns.at(-1));
	}

	stop(id = this.shown()?.id): void {
		this.conversations.find((c) => c.id === id)?.turns.forEach((t) => t.running?.cancel());
	}

	has(): boolean {
		return this.conversations.length > 0;
	}

	private follow(): void {
		possible("answer", this.has());
		possible("answering", this.conversations.some((c) => c.turns.some((t) => t.running)));
	}

	private async act(conversation: Conversation, m: Message): Promise<void> {
		if (m.ready) {
			await this.show(conversation);
		} else if (m.ask?.trim()) {
			await this.add(conversation, m.ask.trim());
		} else if (m.stop) {
			this.stop(conversation.id);
		} else if (m.window !== undefined) {
			await this.openWindow(conversation.turns[m.window]);
		} else if (m.open && conversation.turns.some((t) => t.citations.some((c) => c.uri === m.open?.uri))) {
			await openPlace(m.open.uri, m.open.line);
		} else if (m.copy) {
			await vscode.env.clipboard.writeText(m.copy);
		} else if (m.insert) {
			await insert(conversation.from?.uri, m.insert);
		}
	}

	private async openWindow(turn: Turn | undefined): Promise<void> {
		if (!turn?.window) {
			throw new Error("There is no answer of a model here whose window could be shown.");
		}
		const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(turn.window));
		await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Active, preview: true });
	}

	private async add(conversation: Conversation, question: string): Promise<void> {
		const { session } = this;
		if (!session) {
			return;
		}
		const turn: Turn = { question, answer: "", citations: [], running: new vscode.CancellationTokenSource() };
		conversation.turns.push(turn);
		this.follow();
		await this.show(conversation);
		const params = {
			question,
			thread: `ask ${conversation.id}`,
			...(conversation.from && { textDocument: { uri: session.uri(conversation.from.uri) }, position: conversation.from.position }),
		};
		try {
			const part = (p: AnswerPart) => {
				turn.answer += p.answer;
				void this.show(conversation, turn);
			};
			const { answer, citations, interrupted, reason, window } = await session.stream(ext.ask, params, part, turn.running?.token);
			possible("asked", true);
			Object.assign(turn, { answer: interrupted ? `${answer}\n\n(The answer was cut: ${reason}.)` : answer, citations, window });
		} catch (e) {
			const reason = session.lost(e) ? "The server stopped; ask again." : turn.running?.token.isCancellationRequested ? "Stopped." : errorMessage(e);
			turn.answer += `${turn.answer ? "\n\n" : ""}(${reason})`;
		}
		turn.running = undefined;
		this.follow();
		await this.show(conversation, turn);
	}

	/** Renders one turn of a conversation, or all of them. What is rendered late, of an older text, is not shown. */
	private async show(conversation: Conversation, only?: Turn): Promise<void> {
		const list = only ? [only] : conversation.turns;
		for (const turn of list) {
			const { answer, running } = turn;
			const html = await vscode.commands.executeCommand<string>("markdown.api.render", answer || "…").then(undefined, () => undefined);
			if (turn.answer === answer && turn.running === running && this.conversations.includes(conversation)) {
				await conversation.panel.webview.postMessage({ turn: conversation.turns.indexOf(turn), running: running !== undefined, html: turnHTML({ ...turn, rendered: html, running: running !== undefined }, (uri) => vscode.workspace.asRelativePath(vscode.Uri.parse(uri))) });
			}
		}
	}

	private shown(): Conversation | undefined {
		return this.conversations.find((c) => c.panel.active) ?? this.conversations.at(-1);
	}
}

/** Opens a cited place where the code is. */
async function openPlace(uri: string, line: number): Promise<void> {
	const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
	const at = new vscode.Position(Math.min(line, document.lineCount) - 1, 0);
	await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection: new vscode.Range(at, at) });
}

/** Writes code of an answer over the selection of the file that the question was about, else of one that is shown. */
async function insert(uri: vscode.Uri | undefined, text: string): Promise<void> {
	const visible = vscode.window.visibleTextEditors;
	const editor = visible.find((e) => e.document.uri.toString() === uri?.toString()) ?? (uri ? await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One }) : visible[0]);
	if (!editor) {
		throw new Error("Open the file first that the code should be inserted into.");
	}
	await vscode.window.showTextDocument(editor.document, editor.viewColumn);
	await editor.edit((e) => e.replace(editor.selection, text));
}
