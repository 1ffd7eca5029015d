import * as vscode from "vscode";
import { Draft, type Hunk, type ShownHunk } from "./draft";
import { editOf, linesOf, without, type TextChange } from "./lines";
import type { EditKind, Proposal, ProposedDocument, Verdict } from "./lspExt";

/** Whether the answer is being written, waits for the user's decision, or is decided. */
export type Phase = "writing" | "ready" | "over";

/** A whole answer: a proposal, and what it makes of the text that the edit was asked about. */
export interface Answer {
	proposal: Proposal;
	hunks: Hunk[];
}

/** What the user asked, to be asked again. Its ranges are those of the text that the edit was asked about. */
export interface Question {
	kind: EditKind;
	instruction: string;
	lane?: string;
	selection: vscode.Range;
	problems?: Problem[];
	/** The problems are all of one kind, wherever they are in the selection. */
	all?: boolean;
}

/** A problem to fix, of any extension that reports problems. */
export interface Problem {
	range: vscode.Range;
	severity: number;
	source?: string;
	message: string;
}

/** How long a save may take before the rest of the answer is shown without it: a failed save is not reported. */
const longestSaveMs = 5000;

/** How often in a row the document may change while a change of it is on its way. */
const mostFailures = 100;

/**
 * One edit in its document, from the request to the user's decision. It changes the
 * document only by what Draft plans: the lines of the edit, and nothing that the user
 * has written. It asks no server.
 */
export class StreamedEdit {
	readonly answers: Answer[] = [];
	/** The answer that is shown. */
	index = 0;
	phase: Phase = "writing";
	/** Why the answer ended before its end. */
	note = "";
	/** Ends the running request. */
	cancel = new vscode.CancellationTokenSource();
	attempts = 0;
	/** The proposal that is being written. */
	running: string | undefined;
	/** All of it is written, and the server judges it. */
	checking = false;

	private readonly draft: Draft;
	private readonly base: string[];
	private wanted: readonly Hunk[] | undefined;
	private expected: { hunks: readonly Hunk[]; edits: TextChange[] } | undefined;
	private working: Promise<void> = Promise.resolve();
	private saving: NodeJS.Timeout | undefined;
	/** An auto-save came while the answer was written: the whole answer is still to be saved. */
	private saveLater = false;
	private begun = false;
	private typed = false;

	constructor(
		readonly document: vscode.TextDocument,
		readonly question: Question,
		private readonly changed: (edit: StreamedEdit) => void,
		/** Runs one change of the document at a time. */
		private readonly alone: (work: () => Promise<void>) => Promise<void>,
	) {
		this.base = document.getText().split(/\r\n|\n/);
		this.draft = new Draft(this.base);
	}

	get answer(): Answer | undefined {
		return this.answers[this.index];
	}

	/** What the checks say of the answer that is shown. */
	get verdict(): Verdict | undefined {
		return this.answer?.proposal.verdict;
	}

	check(): void {
		this.checking = true;
		this.changed(this);
	}

	/** An answer was judged again, or completed. False if the proposal is none of the answers. */
	renew(proposal: Proposal): boolean {
		const answer = this.answers.find((a) => a.proposal.id === proposal.id);
		if (answer) {
			answer.proposal = proposal;
			this.changed(this);
		}
		return answer !== undefined;
	}

	/** What the answer does to other documents. */
	get others(): ProposedDocument[] {
		const uri = this.document.uri.toString();
		return (this.answer?.proposal.documents ?? []).filter((d) => vscode.Uri.parse(d.uri).toString() !== uri);
	}

	get shown(): ShownHunk[] {
		return this.draft.shown;
	}

	/** The text that the edit was asked about. */
	get original(): string {
		return this.base.join("\n");
	}

	/** The line above which the edit is announced. */
	get line(): number {
		return this.shown[0]?.start ?? this.draft.current(this.question.selection.start.line) ?? 0;
	}

	/** Hunks of the document as it is now, which shows none of the edit, as those of the text that the edit was asked about. */
	frame(): (hunks: readonly Hunk[]) => Hunk[] | undefined {
		return this.draft.frame();
	}

	/** Where the selection of the question is now; undefined if the user has changed its lines. */
	selectionNow(): vscode.Range | undefined {
		return this.now(this.question.selection);
	}

	/** The problems of the question whose lines the user has not changed, where they are now. */
	problemsNow(): Problem[] | undefined {
		return this.question.problems?.flatMap((p) => {
			const range = this.now(p.range);
			return range ? [{ ...p, range }] : [];
		});
	}

	private now({ start, end }: vscode.Range): vscode.Range | undefined {
		const [first, last] = [this.draft.current(start.line), this.draft.current(end.line)];
		const whole = first !== undefined && last !== undefined && last - first === end.line - start.line;
		return whole ? new vscode.Range(first, start.character, last, end.character) : undefined;
	}

	/** Shows hunks in the document, and returns when they are there. Of several calls the last one counts. */
	show(hunks: readonly Hunk[]): Promise<void> {
		this.wanted = hunks;
		return this.pump();
	}

	/** Takes up what could not be shown: an editor shows the document again. */
	pump(): Promise<void> {
		this.working = this.working.then(() => this.work());
		return this.working;
	}

	/** The document has changed. */
	documentChanged(e: vscode.TextDocumentChangeEvent): void {
		const changes = e.contentChanges.map((c) => ({ range: c.range, text: c.text }));
		const foreign = this.expected && without(changes, this.expected.edits);
		const own = foreign ? this.expected : undefined;
		const undo = e.reason !== undefined;
		let inside = false;
		for (const c of foreign ?? changes) {
			const { start, end, count } = linesOf(c);
			const near = undo && this.shown.some((h) => start <= h.end && end >= h.start);
			inside = this.draft.changed(start, end, count) || near || inside;
			this.typed = true;
		}
		if (own) {
			this.draft.commit(own.hunks);
			this.expected = undefined;
		}
		if (inside && undo) {
			this.end("");
		} else if (inside && this.phase === "writing") {
			this.stop("you typed in it");
		}
		this.changed(this);
	}

	/** Ends the stream and keeps what has been written so far for the user to decide. */
	stop(why: string): void {
		this.wanted = undefined;
		this.note = why;
		this.phase = "ready";
		this.cancel.cancel();
		this.changed(this);
	}

	/** Takes the edit out of the document while it is saved: half an answer is never written. What an auto-save left out is saved once the answer is whole. */
	async beforeSave(auto: boolean): Promise<void> {
		if (this.phase === "writing") {
			this.saveLater ||= auto;
			clearTimeout(this.saving);
			this.saving = setTimeout(() => this.afterSave(), longestSaveMs);
			await this.pump();
		}
	}

	/** The next piece of the answer shows it again. */
	afterSave(): void {
		clearTimeout(this.saving);
		this.saving = undefined;
		void this.pump().then(() => this.saveWhole());
	}

	/** Saves the whole answer where an auto-save took it out: the editor does not try again by itself. */
	private async saveWhole(): Promise<void> {
		if (this.saveLater && this.phase === "ready" && !this.saving) {
			this.saveLater = false;
			await this.document.save();
		}
	}

	/** A whole answer has come; it is shown. */
	async complete(proposal: Proposal, hunks: Hunk[]): Promise<void> {
		this.answers.push({ proposal, hunks });
		await this.choose(this.answers.length - 1);
	}

	/** Shows one of the answers. */
	async choose(index: number): Promise<void> {
		const answer = this.answers[index];
		if (!answer) {
			return;
		}
		this.index = index;
		this.phase = "ready";
		this.note = "";
		await this.show(answer.hunks);
		this.changed(this);
		await this.saveWhole();
	}

	/** The text of a hunk stays; the edit is over with its last one. */
	acceptHunk(index: number): void {
		this.draft.accept(index);
		if (this.shown.length === 0) {
			this.end("");
		}
		this.changed(this);
	}

	/** The text that a hunk replaced comes back. */
	async rejectHunk(index: number): Promise<void> {
		const hunk = this.draft.hunks[index];
		await this.show(this.draft.hunks.filter((h) => h !== hunk));
		if (this.shown.length === 0) {
			this.end("");
		}
		this.changed(this);
	}

	/** Brings back, byte for byte, what the edit has replaced. */
	async restore(): Promise<void> {
		await this.show([]);
	}

	/** The edit is decided: the document is as it shall be. */
	end(note: string): void {
		this.note = note;
		this.phase = "over";
		this.wanted = undefined;
		this.cancel.cancel();
		clearTimeout(this.saving);
		this.changed(this);
	}

	private async work(): Promise<void> {
		for (let failures = 0; this.phase !== "over" && failures < mostFailures; ) {
			const hunks = this.next();
			const editor = vscode.window.visibleTextEditors.find((e) => e.document === this.document);
			if (!hunks || (!editor && this.phase === "writing" && hunks.length)) {
				return; // in the second case an editor that shows the document again takes it up
			}
			await this.alone(async () => {
				if (await this.apply(hunks, editor)) {
					this.wanted = this.wanted === hunks ? undefined : this.wanted;
				} else {
					failures++; // the text has changed meanwhile: plan again
				}
			});
		}
	}

	/** What the document should show next; undefined if it does. */
	private next(): readonly Hunk[] | undefined {
		if (this.saving) {
			return this.shown.length ? [] : undefined;
		}
		return this.wanted;
	}

	/** Changes the document to show hunks; false if its text has changed meanwhile. */
	private async apply(hunks: readonly Hunk[], editor: vscode.TextEditor | undefined): Promise<boolean> {
		const changes = this.draft.plan(hunks);
		if (!changes) {
			this.stop("you changed text that it would replace");
			return true;
		}
		if (changes.length === 0) {
			this.draft.commit(hunks);
			return true;
		}
		const edits = changes.map((c) => editOf(c, this.document.lineCount, (line) => this.document.lineAt(line).text.length));
		this.expected = { hunks, edits };
		const stop = !this.begun || this.typed;
		const ok = editor
			? await editor.edit((b) => edits.forEach((e) => b.replace(rangeOf(e), e.text)), { undoStopBefore: stop, undoStopAfter: false })
			: await vscode.workspace.applyEdit(this.workspaceEdit(edits));
		this.expected = undefined;
		if (ok) {
			this.begun = true;
			this.typed = false;
		}
		if (!ok && this.document.isClosed) {
			this.end("the document was closed");
			return true;
		}
		this.changed(this);
		return ok;
	}

	private workspaceEdit(edits: TextChange[]): vscode.WorkspaceEdit {
		const out = new vscode.WorkspaceEdit();
		out.set(this.document.uri, edits.map((e) => new vscode.TextEdit(rangeOf(e), e.text)));
		return out;
	}
}

function rangeOf(e: TextChange): vscode.Range {
	return new vscode.Range(e.range.start.line, e.range.start.character, e.range.end.line, e.range.end.character);
}
