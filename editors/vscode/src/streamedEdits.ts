import * as vscode from "vscode";
import { possible } from "./contexts";
import type { EditPart, Proposal } from "./lspExt";
import * as ext from "./lspExt";
import type { Session } from "./session";
import { showError } from "./session";
import { StreamedEdit, type Question } from "./streamedEdit";
import { chooseMore, StreamedEditView } from "./streamedEditView";

/** What a request asks besides the question. */
interface Again {
	attempt?: number;
	after?: string;
	steering?: string;
	alternatives?: number;
}

/**
 * The edits that are drawn in their documents: asks the server for them, keeps each in
 * step with its document, and takes the user's decisions.
 */
export class StreamedEdits implements vscode.Disposable {
	private readonly disposables: vscode.Disposable[] = [];
	private readonly view = new StreamedEditView((document) => this.of(document));
	/** Ready proposals whose request has not been answered yet, and who waits for which. */
	private readonly ready = new Map<string, Proposal>();
	private readonly waiting = new Map<string, (p: Proposal) => void>();
	private edits: StreamedEdit[] = [];
	private session: Session | undefined;

	/** asked: an edit is asked for. */
	constructor(private readonly asked: () => void) {
		this.disposables.push(
			this.view,
			vscode.workspace.onDidChangeTextDocument((e) => this.of(e.document).forEach((edit) => edit.documentChanged(e.contentChanges))),
			vscode.workspace.onDidCloseTextDocument((d) => this.of(d).forEach((edit) => edit.end("the document was closed"))),
			vscode.window.onDidChangeVisibleTextEditors(() => this.view.refresh()),
			vscode.window.onDidChangeActiveTextEditor(() => this.view.refresh()),
		);
	}

	attach(session: Session): void {
		this.session = session;
		this.ready.clear();
		session.on(ext.proposal, (p) => this.follow(p));
	}

	dispose(): void {
		this.edits.forEach((edit) => edit.end(""));
		vscode.Disposable.from(...this.disposables).dispose();
	}

	/** Asks for an edit of the document and shows the answer as it is written. */
	start(editor: vscode.TextEditor, question: Question): void {
		const edit = new StreamedEdit(editor.document, question, (e) => this.changed(e));
		editor.selection = new vscode.Selection(question.selection.start, question.selection.start);
		this.edits.push(edit);
		this.asked();
		this.changed(edit);
		void this.run(edit, {});
	}

	/** The edit that a command is about: the one with the number of a lens, else the one nearest to the cursor, else the latest. */
	find(number?: number): StreamedEdit | undefined {
		if (number !== undefined) {
			return this.edits.find((e) => this.view.number(e) === number);
		}
		const editor = vscode.window.activeTextEditor;
		if (!editor) {
			return undefined;
		}
		const line = editor.selection.active.line;
		const distance = (e: StreamedEdit) => Math.min(Math.abs(e.line - line), ...e.shown.map((h) => (line >= h.start && line < h.end ? 0 : Math.min(Math.abs(h.start - line), Math.abs(h.end - line)))));
		return this.of(editor.document).sort((a, b) => distance(a) - distance(b))[0];
	}

	/** Whether an edit of a document is not decided. */
	busy(document: vscode.TextDocument): boolean {
		return this.of(document).length > 0;
	}

	/** The edit of which a proposal is an answer. */
	ofProposal(id: string): StreamedEdit | undefined {
		return this.edits.find((e) => e.answers.some((a) => a.proposal.id === id));
	}

	/** Writes the edit where the server agrees. An answer that failed its checks stays undecided unless the user applies it anyway. */
	async accept(edit: StreamedEdit, force = false): Promise<void> {
		if (edit.phase === "writing") {
			throw new Error("It is still being written; accept it when it is ready, or stop it.");
		}
		const id = edit.answer?.proposal.id;
		if (edit.agreed === id || (await this.decided(id, "accept", force))) {
			edit.agreed = id;
			await this.write(edit);
			edit.end("");
		}
	}

	private async write(edit: StreamedEdit, index?: number): Promise<void> {
		if (!(await edit.write(index))) {
			throw new Error("The editor did not write the change; accept it again.");
		}
	}

	async reject(edit: StreamedEdit): Promise<void> {
		const id = edit.answer?.proposal.id;
		edit.end("");
		await this.decided(id, "reject");
	}

	async hunk(edit: StreamedEdit, action: "accept" | "reject", index?: number): Promise<void> {
		if (edit.phase === "writing") {
			throw new Error("It is still being written; decide when it is ready, or stop it.");
		}
		const at = index ?? this.hunkAtCursor(edit);
		const id = edit.answer?.proposal.id;
		const end = edit.answer?.proposal.end;
		if (action === "accept" && end?.whole === false) {
			throw new Error(`Its answer was cut: ${end.reason}. Reject it, or apply all of it anyway.`);
		}
		if (action === "accept") {
			await this.write(edit, at);
		} else {
			edit.drop(at);
		}
		if (edit.shown.length === 0) {
			edit.end("");
			await this.decided(id, edit.answer?.partlyAccepted ? "accept" : "reject", true); // each change was the user's own decision
		} else {
			this.goTo(edit, Math.min(at, edit.shown.length - 1));
		}
	}

	/** Moves the cursor to the next change, or back. */
	next(edit: StreamedEdit, step: number): void {
		const line = vscode.window.activeTextEditor?.selection.active.line ?? 0;
		const list = edit.shown;
		const found = step > 0 ? list.findIndex((h) => h.start > line) : list.findLastIndex((h) => h.start < line);
		this.goTo(edit, found >= 0 ? found : step > 0 ? 0 : list.length - 1);
	}

	stop(edit: StreamedEdit): void {
		edit.stop("stopped");
	}

	/** Asks the same again; the answers so far stay to choose from. */
	again(edit: StreamedEdit, lane?: string): Promise<void> {
		edit.question.lane = lane ?? edit.question.lane;
		return this.rerun(edit, { attempt: edit.attempts });
	}

	/** Runs what the user chooses among all that can be done with an edit. */
	async more(edit: StreamedEdit): Promise<void> {
		const command = await chooseMore(edit);
		if (command) {
			await vscode.commands.executeCommand(command, { edit: this.view.number(edit) });
		}
	}

	/** Shows the next answer; asks for others if there is only one. */
	async alternatives(edit: StreamedEdit): Promise<void> {
		if (edit.answers.length > 1) {
			edit.choose((edit.index + 1) % edit.answers.length);
		} else {
			await this.rerun(edit, { attempt: edit.attempts, alternatives: 1 });
		}
	}

	/** Continues the answer as the user says. */
	async steer(edit: StreamedEdit, text: string): Promise<void> {
		const after = edit.answer?.proposal.id;
		if (after) {
			return this.rerun(edit, { after, steering: text });
		}
		edit.question.instruction += `\n${text}`;
		return this.rerun(edit, {});
	}

	private async rerun(edit: StreamedEdit, more: Again): Promise<void> {
		edit.stop("");
		edit.show([]);
		void this.run(edit, more);
	}

	/** Sends the request and follows it to its end. */
	private async run(edit: StreamedEdit, more: Again): Promise<void> {
		const session = this.session;
		if (!session) {
			return;
		}
		if (!edit.rebase()) {
			edit.end("");
			return void showError(new Error("You have removed the lines that it was asked about. Select others and ask again."));
		}
		edit.phase = "writing";
		edit.note = "";
		edit.checking = false;
		edit.attempts++;
		edit.cancel = new vscode.CancellationTokenSource();
		const { token } = edit.cancel;
		this.changed(edit);
		const params = {
			textDocument: { uri: session.uri(edit.document.uri) },
			range: session.range(edit.question.selection),
			kind: edit.question.kind,
			instruction: edit.question.instruction,
			diagnostics: edit.question.problems?.map((p) => ({ ...p, range: session.range(p.range) })),
			all: edit.question.all,
			lane: edit.question.lane,
			draft: true,
			...more,
		};
		let first: string | undefined;
		const part = (p: EditPart) => {
			edit.running = first ??= p.proposal.id;
			if (!token.isCancellationRequested && p.proposal.id === first && p.proposal.draft) {
				edit.show(p.proposal.draft.hunks);
			}
		};
		try {
			const { proposalId } = await session.stream(ext.edit, params, part, token);
			const proposal = await this.whenReady(proposalId, token);
			this.complete(edit, proposal);
			possible("edited", true);
		} catch (e) {
			if (!token.isCancellationRequested) {
				edit.end("");
				void (session.lost(e) ? vscode.window.showErrorMessage("tandem: The server stopped while it was writing; the text is as it was. Ask again.") : showError(e));
			}
		}
	}

	private complete(edit: StreamedEdit, proposal: Proposal): void {
		const at = edit.answers.length;
		for (const p of [proposal, ...(proposal.alternatives ?? []).flatMap((id) => this.ready.get(id) ?? [])]) {
			edit.answers.push({ proposal: p, hunks: p.draft?.hunks ?? [] });
			this.ready.delete(p.id);
		}
		edit.choose(at);
	}

	/** The proposal of an answered request: its ready state may come before or after the answer. */
	private async whenReady(id: string, token: vscode.CancellationToken): Promise<Proposal> {
		const there = this.ready.get(id);
		if (there) {
			return there;
		}
		return new Promise((done, fail) => {
			this.waiting.set(id, done);
			token.onCancellationRequested(() => {
				this.waiting.delete(id);
				fail(new vscode.CancellationError());
			});
		});
	}

	private follow(p: Proposal): void {
		if (!p.draft) {
			return;
		}
		if (p.state === "ready" && this.ofProposal(p.id)?.renew(p)) {
			return;
		}
		if (p.state === "ready") {
			this.ready.set(p.id, p);
			this.waiting.get(p.id)?.(p);
			this.waiting.delete(p.id);
		} else if (p.state === "checking") {
			this.edits.filter((e) => e.running === p.id).forEach((e) => e.check());
		} else if (p.state !== "streaming") {
			this.ready.delete(p.id);
		}
	}

	/** Reports the decision; the server applies what the edit does to other documents. */
	private async decided(id: string | undefined, action: "accept" | "reject", force = false): Promise<boolean> {
		if (!id || this.session?.phase !== "running") {
			return true;
		}
		if (action === "accept") {
			return (await this.session.accept({ id, force })) !== undefined;
		}
		await this.session.request(ext.resolve, { id, action });
		return true;
	}

	private changed(edit: StreamedEdit): void {
		if (edit.phase === "over") {
			this.edits = this.edits.filter((e) => e !== edit);
			for (const a of edit.answers) {
				this.ready.delete(a.proposal.id);
			}
		}
		this.view.refresh();
	}

	private of(document: vscode.TextDocument): StreamedEdit[] {
		return this.edits.filter((e) => e.document === document);
	}

	private hunkAtCursor(edit: StreamedEdit): number {
		const line = vscode.window.activeTextEditor?.selection.active.line ?? 0;
		const list = edit.shown;
		if (list.length === 0) {
			throw new Error("Nothing is changed.");
		}
		const inside = list.findIndex((h) => line >= h.start && line < Math.max(h.end, h.start + 1));
		return inside >= 0 ? inside : Math.max(0, list.findIndex((h) => h.start >= line));
	}

	private goTo(edit: StreamedEdit, index: number): void {
		const editor = vscode.window.visibleTextEditors.find((e) => e.document === edit.document);
		const hunk = edit.shown[index];
		if (editor && hunk) {
			const at = new vscode.Position(Math.min(hunk.start, edit.document.lineCount - 1), 0);
			editor.selection = new vscode.Selection(at, at);
			editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
		}
	}
}
