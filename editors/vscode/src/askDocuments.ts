import * as vscode from "vscode";
import { citationsIn } from "./citations";
import type { Answer, AnswerPart } from "./lspExt";
import * as ext from "./lspExt";
import type { Session } from "./session";
import { errorMessage } from "./session";

const scheme = "tandem-ask";

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
	uri: vscode.Uri;
	from: { uri: vscode.Uri; position: vscode.Position } | undefined;
	turns: Turn[];
}

/**
 * Questions and their answers, one document for each conversation, beside the code. The
 * answer appears as it is written; the places it names are links; above each answer
 * stands what can be done with it.
 */
export class AskDocuments implements vscode.TextDocumentContentProvider, vscode.DocumentLinkProvider, vscode.CodeLensProvider, vscode.Disposable {
	private readonly conversations = new Map<string, Conversation>();
	private readonly textChanged = new vscode.EventEmitter<vscode.Uri>();
	private readonly lensesChanged = new vscode.EventEmitter<void>();
	private readonly disposables: vscode.Disposable[];
	private session: Session | undefined;

	readonly onDidChange = this.textChanged.event;
	readonly onDidChangeCodeLenses = this.lensesChanged.event;

	constructor() {
		this.disposables = [
			this.textChanged,
			this.lensesChanged,
			vscode.workspace.registerTextDocumentContentProvider(scheme, this),
			vscode.languages.registerDocumentLinkProvider({ scheme }, this),
			vscode.languages.registerCodeLensProvider({ scheme }, this),
			vscode.workspace.onDidCloseTextDocument((d) => this.closed(d)),
		];
	}

	attach(session: Session): void {
		this.session = session;
	}

	dispose(): void {
		vscode.Disposable.from(...this.disposables).dispose();
	}

	/** Begins a conversation about the place in the editor. */
	async ask(question: string): Promise<void> {
		const editor = vscode.window.activeTextEditor;
		const id = this.conversations.size + 1;
		const uri = vscode.Uri.from({ scheme, path: `/${id}/Answer.md` });
		const from = editor && editor.document.uri.scheme !== scheme ? { uri: editor.document.uri, position: editor.selection.active } : undefined;
		const conversation: Conversation = { id, uri, from, turns: [] };
		this.conversations.set(uri.toString(), conversation);
		const running = this.add(conversation, question);
		const document = await vscode.workspace.openTextDocument(uri);
		await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: false });
		await running;
	}

	/** Asks a further question in the conversation that a lens belongs to, else in the one that is shown. */
	async followUp(id: number | undefined, question: string): Promise<void> {
		const conversation = this.find(id);
		if (conversation) {
			await this.add(conversation, question);
		}
	}

	/** Opens what the model was shown for an answer. */
	async showWindow(id: number | undefined, turn: number | undefined): Promise<void> {
		const conversation = this.find(id);
		const window = conversation?.turns.at(turn ?? -1)?.window;
		if (!window) {
			throw new Error("There is no answer of a model here whose window could be shown.");
		}
		const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(window));
		await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Active, preview: true });
	}

	/** Opens a cited place where the code is. */
	async open(uri: string, line: number): Promise<void> {
		const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
		const at = new vscode.Position(Math.min(line, document.lineCount) - 1, 0);
		await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection: new vscode.Range(at, at) });
	}

	stop(id: number | undefined): void {
		this.find(id)?.turns.forEach((t) => t.running?.cancel());
	}

	has(id: number | undefined): boolean {
		return this.find(id) !== undefined;
	}

	provideTextDocumentContent(uri: vscode.Uri): string {
		return textOf(this.conversations.get(uri.toString())?.turns ?? []);
	}

	provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
		const turns = this.conversations.get(document.uri.toString())?.turns ?? [];
		return citationsIn(document.getText(), turns.flatMap((t) => t.citations)).map((c) => {
			const range = new vscode.Range(document.positionAt(c.start), document.positionAt(c.end));
			const args = encodeURIComponent(JSON.stringify([{ uri: c.uri, line: c.line }]));
			const link = new vscode.DocumentLink(range, vscode.Uri.parse(`command:tandem.openPlace?${args}`));
			link.tooltip = "Open the code";
			return link;
		});
	}

	provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
		const conversation = this.conversations.get(document.uri.toString());
		if (!conversation) {
			return [];
		}
		const out: vscode.CodeLens[] = [];
		let line = 0;
		for (const [turn, t] of conversation.turns.entries()) {
			const lens = (title: string, command: string) =>
				out.push(new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { title, command, arguments: [{ conversation: conversation.id, turn }] }));
			if (t.running) {
				lens("$(loading~spin) Stop", "tandem.stopAnswer");
			} else {
				if (turn === conversation.turns.length - 1) {
					lens("Ask a follow-up", "tandem.followUp");
				}
				if (t.window) {
					lens("What the model was shown", "tandem.showAnswerWindow");
				}
			}
			line += textOf([t]).split("\n").length - 1;
		}
		return out;
	}

	private async add(conversation: Conversation, question: string): Promise<void> {
		const { session } = this;
		if (!session) {
			return;
		}
		const turn: Turn = { question, answer: "", citations: [], running: new vscode.CancellationTokenSource() };
		conversation.turns.push(turn);
		this.changed(conversation);
		const params = {
			question,
			thread: `ask ${conversation.id}`,
			...(conversation.from && { textDocument: { uri: session.uri(conversation.from.uri) }, position: conversation.from.position }),
		};
		try {
			const part = (p: AnswerPart) => {
				turn.answer += p.answer;
				this.changed(conversation);
			};
			const { answer, citations, interrupted, window } = await session.stream(ext.ask, params, part, turn.running?.token);
			Object.assign(turn, { answer: interrupted ? `${answer}\n\n(The answer was cut short.)` : answer, citations, window });
		} catch (e) {
			const reason = session.lost(e) ? "The server stopped; ask again." : turn.running?.token.isCancellationRequested ? "Stopped." : errorMessage(e);
			turn.answer += `${turn.answer ? "\n\n" : ""}(${reason})`;
		}
		turn.running = undefined;
		this.changed(conversation);
	}

	private changed(conversation: Conversation): void {
		this.textChanged.fire(conversation.uri);
		this.lensesChanged.fire();
	}

	private find(id: number | undefined): Conversation | undefined {
		const active = vscode.window.activeTextEditor?.document.uri.toString();
		const all = [...this.conversations.values()];
		return id === undefined ? (all.find((c) => c.uri.toString() === active) ?? all.at(-1)) : all.find((c) => c.id === id);
	}

	private closed(document: vscode.TextDocument): void {
		this.conversations.get(document.uri.toString())?.turns.forEach((t) => t.running?.cancel());
	}
}

/** Each question as a heading, with its answer. */
function textOf(turns: Turn[]): string {
	return turns.map((t) => `# ${t.question.replace(/\s*\n\s*/g, " ")}\n\n${t.answer.trimEnd() || "…"}\n\n`).join("");
}
