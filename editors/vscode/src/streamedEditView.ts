import * as vscode from "vscode";
import { byForce, completes, said } from "./proposals";
import type { LineChange } from "./draft";
import type { StreamedEdit } from "./streamedEdit";

/** A note with the text that comes. */
interface Note {
	thread: vscode.CommentThread;
	text: string;
	/** Who wrote it. */
	name: string;
}

/** The key context of the active editor: writing, ready, or unset. */
const stateContext = "tandem.streamedEdit";

/** How long a note stays as it is while its text is written: the editor measures each anew. */
const noteMs = 100;

/**
 * Draws streamed edits beside their documents, which stay as they are: the lines that go are marked
 * where they are, the lines that come are in a note below them, and lenses above say what can be done.
 */
export class StreamedEditView implements vscode.CodeLensProvider, vscode.Disposable {
	private readonly lensesChanged = new vscode.EventEmitter<void>();
	private readonly goes = vscode.window.createTextEditorDecorationType({
		isWholeLine: true,
		backgroundColor: new vscode.ThemeColor("diffEditor.removedLineBackground"),
		overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.modifiedForeground"),
		light: { borderColor: "#cf222e" },
		dark: { borderColor: "#f85149" },
		borderStyle: "solid",
		borderWidth: "0 0 0 2px",
	});
	private readonly notes = vscode.comments.createCommentController("tandem.edit", "tandem");
	private readonly threads = new Map<StreamedEdit, Note[]>();
	private timer: NodeJS.Timeout | undefined;
	private readonly numbers = new WeakMap<StreamedEdit, number>();
	private readonly disposables: vscode.Disposable[];
	private nextNumber = 0;
	private lenses = "";
	private context: string | undefined;

	readonly onDidChangeCodeLenses = this.lensesChanged.event;

	constructor(private readonly of: (document: vscode.TextDocument) => StreamedEdit[]) {
		this.disposables = [this.lensesChanged, this.goes, this.notes, vscode.languages.registerCodeLensProvider({ scheme: "*" }, this)];
	}

	dispose(): void {
		clearTimeout(this.timer);
		vscode.Disposable.from(...this.disposables).dispose();
	}

	/** The number by which a lens names an edit. */
	number(edit: StreamedEdit): number {
		const known = this.numbers.get(edit) ?? this.nextNumber++;
		this.numbers.set(edit, known);
		return known;
	}

	refresh(): void {
		for (const editor of vscode.window.visibleTextEditors) {
			this.decorate(editor);
		}
		this.timer ??= setTimeout(() => this.write(), noteMs);
		this.setContext();
		const lenses = vscode.window.visibleTextEditors.flatMap((e) => this.provideCodeLenses(e.document).map((l) => `${l.range.start.line} ${l.command?.title}`)).join("\n");
		if (lenses !== this.lenses) {
			this.lenses = lenses;
			this.lensesChanged.fire();
		}
	}

	provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
		return this.of(document).flatMap((edit) => this.actionsOf(edit));
	}

	private decorate(editor: vscode.TextEditor): void {
		const lines = this.of(editor.document).flatMap((edit) => edit.shown).filter((h) => h.end > h.start);
		editor.setDecorations(this.goes, lines.map((h) => new vscode.Range(h.start, 0, h.end - 1, 0)));
	}

	/** Brings the notes to what the edits draw now. */
	private write(): void {
		this.timer = undefined;
		const edits = new Set(vscode.workspace.textDocuments.flatMap((d) => this.of(d)));
		for (const edit of new Set([...this.threads.keys(), ...edits])) {
			const before = this.threads.get(edit) ?? [];
			const wanted = edits.has(edit) ? edit.shown.filter((h) => h.lines.length) : [];
			before.slice(wanted.length).forEach((n) => n.thread.dispose());
			const now = wanted.map((h, i) => this.note(edit, h, before[i]));
			if (now.length) {
				this.threads.set(edit, now);
			} else {
				this.threads.delete(edit);
			}
		}
	}

	private note(edit: StreamedEdit, h: LineChange, before: Note | undefined): Note {
		const line = Math.max(0, h.end - 1); // it is below the lines that it replaces, or the one that it follows
		const range = new vscode.Range(line, 0, line, 0);
		const text = h.lines.join("\n");
		const name = edit.answer?.proposal.model || "tandem";
		if (before?.text === text && before.name === name && before.thread.range?.isEqual(range)) {
			return before;
		}
		const comment = { body: new vscode.MarkdownString().appendCodeblock(text, edit.document.languageId), mode: vscode.CommentMode.Preview, author: { name } };
		const thread = before?.thread ?? this.notes.createCommentThread(edit.document.uri, range, []);
		thread.range = range;
		thread.comments = [comment];
		thread.canReply = false;
		thread.label = `tandem: ${h.end === 0 ? "before the first line" : h.end > h.start ? "in their place" : "new"}`;
		thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
		return { thread, text, name };
	}

	private setContext(): void {
		const active = vscode.window.activeTextEditor;
		const edits = active ? this.of(active.document) : [];
		const state = edits.some((e) => e.phase === "ready") ? "ready" : edits[0]?.phase;
		if (state !== this.context) {
			this.context = state;
			void vscode.commands.executeCommand("setContext", stateContext, state);
		}
	}

	/** The lenses of an edit: what can be done with it, and above each change with that one. */
	private actionsOf(edit: StreamedEdit): vscode.CodeLens[] {
		const number = this.number(edit);
		const lens = (line: number, title: string, command: string, more: object = {}) =>
			new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { title, command, arguments: [{ edit: number, ...more }] });
		const above = (h: LineChange) => Math.min(h.end > h.start ? h.start : Math.max(0, h.start - 1), edit.document.lineCount - 1); // what only comes is below the line before
		const first = edit.shown[0];
		const line = first ? above(first) : Math.min(edit.line, edit.document.lineCount - 1);
		if (edit.phase === "writing") {
			return [lens(line, `$(loading~spin) tandem ${edit.checking ? "is checking: reads what the change uses" : "is writing"}`, "tandem.nextHunk"), lens(line, "Stop", "tandem.stop"), lens(line, "Reject", "tandem.reject"), lens(line, "Steer…", "tandem.steer")];
		}
		const accept = byForce(edit.answer?.proposal) ? lens(line, "$(warning) Apply anyway", "tandem.accept", { force: true }) : lens(line, "$(check) Accept", "tandem.accept");
		const out = [accept, lens(line, "$(close) Reject", "tandem.reject"), lens(line, "Steer…", "tandem.steer")];
		const breaks = edit.answer?.proposal.breaks?.length;
		if (breaks) {
			out.push(lens(line, completes(breaks), "tandem.completeChange"));
		}
		const doubt = doubts(edit);
		if (doubt) {
			out.push(lens(line, doubt, "tandem.showChanges"));
		}
		out.push(lens(line, edit.answers.length > 1 ? `More… (answer ${edit.index + 1} of ${edit.answers.length})` : "More…", "tandem.more"));
		edit.shown.slice(1).forEach((h, i) => {
			const at = above(h);
			if (edit.answer?.proposal.end?.whole !== false) {
				out.push(lens(at, "Accept this", "tandem.acceptHunk", { hunk: i + 1 }));
			}
			out.push(lens(at, "Reject this", "tandem.rejectHunk", { hunk: i + 1 }));
		});
		return out;
	}
}

/** What a person must know of an answer before they take it. */
function doubts(edit: StreamedEdit): string {
	const out = edit.note ? [edit.note] : [];
	const doubt = said(edit.verdict);
	if (doubt) {
		out.push(`$(warning) ${doubt}`);
	}
	const others = edit.others.length;
	if (others > 0) {
		out.push(`${edit.shown.length ? "and " : ""}${others} other file${others > 1 ? "s" : ""}`);
	}
	return out.join(" · ");
}

/** Who wrote an answer, and what it cost. */
function origin(edit: StreamedEdit): string {
	const p = edit.answer?.proposal;
	return [p?.model && (p.lane ? `${p.lane}: ${p.model}` : p.model), p && p.costUSD >= 0.00005 && `$${p.costUSD.toFixed(4)}`].filter(Boolean).join(" · ");
}

/** What else can be done with an edit, in a list. */
export async function chooseMore(edit: StreamedEdit): Promise<string | undefined> {
	const row = (label: string, command: string, wanted: boolean, description = "") => (wanted ? [{ label, command, description }] : []);
	const { shown, answers, index } = edit;
	const items = [
		...row("Try again", "tandem.tryAgain", true),
		...row("Deeper", "tandem.deeper", edit.answer?.proposal.lane !== "deep", "by the deep model"),
		...row("Alternatives", "tandem.alternatives", true, answers.length > 1 ? `answer ${index + 1} of ${answers.length} is shown` : ""),
		...row("Next change", "tandem.nextHunk", shown.length > 1, `of ${shown.length}`),
		...row("Accept this change", "tandem.acceptHunk", shown.length > 1, "at the cursor"),
		...row("Reject this change", "tandem.rejectHunk", shown.length > 1, "at the cursor"),
		...row("Show all changes", "tandem.showChanges", true),
	];
	return (await vscode.window.showQuickPick(items, { title: "tandem: This edit", placeHolder: origin(edit) }))?.command;
}
