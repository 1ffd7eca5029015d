import * as vscode from "vscode";
import { Draft, type Hunk, type LineChange } from "./draft";
import { editOf, linesOf } from "./lines";
import type { EditKind, Proposal, ProposedDocument, Verdict } from "./lspExt";

/** Whether the answer is being written, waits for the user's decision, or is decided. */
export type Phase = "writing" | "ready" | "over";

/** A whole answer: a proposal, and what it makes of the text that the edit was asked about. */
export interface Answer {
	proposal: Proposal;
	/** Those that are not decided, as changes of the base of its edit. */
	hunks: readonly Hunk[];
	partlyAccepted?: boolean;
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

/**
 * One edit of a document, from the request to the user's decision. The document is changed by
 * what the user accepts alone: until then the edit is drawn. It asks no server.
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
	/** The answer that the server agreed to write: an editor that did not write it is asked again, and the server is not. */
	agreed: string | undefined;

	private draft: Draft;

	constructor(
		readonly document: vscode.TextDocument,
		public question: Question,
		private readonly changed: (edit: StreamedEdit) => void,
	) {
		const { start, end } = question.selection;
		this.draft = new Draft(document.lineCount, { start: start.line, end: end.line + 1 });
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

	/** What is drawn, as changes of the document as it is now. */
	get shown(): LineChange[] {
		return this.draft.shown;
	}

	/** The line above which the edit is announced. */
	get line(): number {
		return this.shown[0]?.start ?? this.draft.place.start;
	}

	/**
	 * Makes the document as it is now the base: of the question, and of the answers so far without the
	 * changes whose lines were changed. False if the lines that the edit was asked about are gone.
	 */
	rebase(): boolean {
		const { draft, question, document } = this;
		const { place } = draft;
		if (place.start === place.end) {
			return false;
		}
		const { start, end } = question.selection;
		const last = place.end - 1;
		const selection = new vscode.Range(
			place.start, draft.current(start.line) === place.start ? start.character : 0,
			last, draft.current(end.line) === last ? end.character : document.lineAt(last).text.length,
		);
		const problems = question.problems?.flatMap((p) => {
			const [first, stop] = [draft.current(p.range.start.line), draft.current(p.range.end.line)];
			return first === undefined || stop === undefined ? [] : [{ ...p, range: new vscode.Range(first, p.range.start.character, stop, p.range.end.character) }];
		});
		this.question = { ...question, selection, problems };
		this.answers.forEach((a) => (a.hunks = draft.moved(a.hunks)));
		this.draft = new Draft(document.lineCount, place);
		return true;
	}

	/** Draws hunks in place of those before. */
	show(hunks: readonly Hunk[]): void {
		const whole = this.draft.show(hunks);
		if (!whole && this.phase === "writing") {
			this.stop("you changed text that it would replace");
		} else if (!whole) {
			this.note = "you changed text that a change would replace, which is left out";
		}
		this.changed(this);
	}

	/** The document has changed. */
	documentChanged(changes: readonly vscode.TextDocumentContentChangeEvent[]): void {
		let lost = false;
		for (const c of changes) {
			const { start, end, count } = linesOf(c);
			lost = this.draft.changed(start, end, count) || lost;
		}
		if (lost && this.phase === "writing") {
			this.stop("you typed in it");
		} else if (lost) {
			this.note = "you typed in a change, which is left out";
		}
		this.changed(this);
	}

	/** Ends the stream and keeps what has been written so far for the user to decide. */
	stop(why: string): void {
		this.note = why;
		this.phase = "ready";
		this.cancel.cancel();
		this.changed(this);
	}

	/** Draws one of the answers. */
	choose(index: number): void {
		const answer = this.answers[index];
		if (answer) {
			this.index = index;
			this.phase = "ready";
			this.note = "";
			this.show(answer.hunks);
		}
	}

	/** What is drawn, as a change of the document. */
	get here(): ProposedDocument {
		const { uri, version, lineCount } = this.document;
		const edits = this.shown.map((h) => editOf(h, lineCount, (line) => this.document.lineAt(line).text.length));
		return { uri: uri.toString(), version, edits: edits.map(({ range, text }) => ({ range, newText: text })) };
	}

	/** Writes what is drawn into the document, or one change of it. False if the editor did not. */
	async write(index?: number): Promise<boolean> {
		const written = (_: unknown, i: number) => index === undefined || i === index;
		const out = new vscode.WorkspaceEdit();
		for (const { range, newText } of this.here.edits.filter(written)) {
			out.replace(this.document.uri, new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character), newText);
		}
		const all = this.draft.hunks;
		this.draft.show(all.filter((h, i) => !written(h, i)));
		const done = out.size === 0 || (await vscode.workspace.applyEdit(out)); // the editor reports that it did not do nothing
		if (done) {
			this.undecided(index !== undefined);
		} else {
			this.show(all);
		}
		return done;
	}

	/** Takes one change out of what is drawn. */
	drop(index: number): void {
		this.show(this.draft.hunks.filter((_, i) => i !== index));
		this.undecided(false);
	}

	/** The hunks that are drawn are those of the answer that wait. */
	private undecided(accepted: boolean): void {
		if (this.answer) {
			this.answer.hunks = this.draft.hunks;
			this.answer.partlyAccepted ||= accepted;
		}
	}

	/** The edit is decided: the document is as it shall be. */
	end(note: string): void {
		this.note = note;
		this.phase = "over";
		this.cancel.cancel();
		this.changed(this);
	}
}
