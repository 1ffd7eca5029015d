import * as vscode from "vscode";
import { said } from "./proposals";
import type { StreamedEdit } from "./streamedEdit";

/** The key context of the active editor: writing, ready, or unset. */
const stateContext = "tandem.streamedEdit";

/** Marks the lines of streamed edits, and offers what can be done with them above their changes. */
export class StreamedEditView implements vscode.CodeLensProvider, vscode.Disposable {
	private readonly lensesChanged = new vscode.EventEmitter<void>();
	private readonly written = vscode.window.createTextEditorDecorationType({
		isWholeLine: true,
		backgroundColor: new vscode.ThemeColor("diffEditor.insertedLineBackground"),
		overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.addedForeground"),
		light: { borderColor: "#1a7f37" },
		dark: { borderColor: "#3fb950" },
		borderStyle: "solid",
		borderWidth: "0 0 0 2px",
	});
	private readonly emptied = vscode.window.createTextEditorDecorationType({
		isWholeLine: true,
		borderColor: new vscode.ThemeColor("editorOverviewRuler.deletedForeground"),
		borderStyle: "dashed",
		borderWidth: "1px 0 0 0",
		overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.deletedForeground"),
	});
	private readonly numbers = new WeakMap<StreamedEdit, number>();
	private readonly disposables: vscode.Disposable[];
	private nextNumber = 0;
	private lenses = "";
	private context: string | undefined;

	readonly onDidChangeCodeLenses = this.lensesChanged.event;

	constructor(private readonly of: (document: vscode.TextDocument) => StreamedEdit[]) {
		this.disposables = [this.lensesChanged, this.written, this.emptied, vscode.languages.registerCodeLensProvider({ scheme: "*" }, this)];
	}

	dispose(): void {
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
		this.setContext();
		const lenses = vscode.window.visibleTextEditors.flatMap((e) => this.provideCodeLenses(e.document).map((l) => `${l.range.start.line} ${l.command?.title}`)).join("\n");
		if (lenses !== this.lenses) {
			this.lenses = lenses;
			this.lensesChanged.fire();
		}
	}

	provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
		return this.of(document).flatMap((edit) => this.lensesOf(edit));
	}

	private decorate(editor: vscode.TextEditor): void {
		const written: vscode.DecorationOptions[] = [];
		const emptied: vscode.DecorationOptions[] = [];
		for (const edit of this.of(editor.document)) {
			for (const h of edit.shown) {
				const hoverMessage = removedText(h.removed);
				if (h.end > h.start) {
					written.push({ range: new vscode.Range(h.start, 0, h.end - 1, 0), hoverMessage });
				} else {
					const line = Math.min(h.start, editor.document.lineCount - 1);
					emptied.push({ range: new vscode.Range(line, 0, line, 0), hoverMessage });
				}
			}
		}
		editor.setDecorations(this.written, written);
		editor.setDecorations(this.emptied, emptied);
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

	private lensesOf(edit: StreamedEdit): vscode.CodeLens[] {
		const number = this.number(edit);
		const lens = (line: number, title: string, command: string, more: object = {}) =>
			new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { title, command, arguments: [{ edit: number, ...more }] });
		const line = Math.min(edit.line, edit.document.lineCount - 1);
		if (edit.phase === "writing") {
			return [lens(line, `$(loading~spin) tandem ${edit.checking ? "is checking: reads what the change uses" : "is writing"}`, "tandem.nextHunk"), lens(line, "Stop", "tandem.stop"), lens(line, "Reject", "tandem.reject"), lens(line, "Steer…", "tandem.steer")];
		}
		const n = edit.shown.length;
		const accept = edit.verdict?.state === "failed" ? lens(line, "$(warning) Apply anyway", "tandem.accept", { force: true }) : lens(line, "$(check) Accept", "tandem.accept");
		const out = [accept, lens(line, "$(close) Reject", "tandem.reject")];
		const said = facts(edit);
		if (said) {
			out.push(lens(line, said, "tandem.showChanges"));
		}
		if (n > 1) {
			out.push(lens(line, `Next of ${n}`, "tandem.nextHunk"));
		}
		out.push(lens(line, "Try again", "tandem.tryAgain"));
		if (edit.answer?.proposal.lane !== "deep") {
			out.push(lens(line, "Deeper", "tandem.deeper"));
		}
		out.push(lens(line, "Steer…", "tandem.steer"));
		out.push(lens(line, edit.answers.length > 1 ? `Answer ${edit.index + 1} of ${edit.answers.length}` : "Alternatives", "tandem.alternatives"));
		if (n > 1) {
			edit.shown.forEach((h, hunk) => {
				const at = Math.min(h.start, edit.document.lineCount - 1);
				out.push(lens(at, "Accept this", "tandem.acceptHunk", { hunk }), lens(at, "Reject this", "tandem.rejectHunk", { hunk }));
			});
		}
		return out;
	}
}

/** What a person should know of an answer: what the checks found, who wrote it, what it cost. */
function facts(edit: StreamedEdit): string {
	const p = edit.answer?.proposal;
	const out = edit.note ? [edit.note] : [];
	const doubt = said(p?.verdict);
	if (doubt) {
		out.push(`$(warning) ${doubt}`);
	}
	const others = edit.others.length;
	if (others > 0) {
		out.push(`${edit.shown.length ? "and " : ""}${others} other file${others > 1 ? "s" : ""}`);
	}
	if (p?.model) {
		out.push(p.lane ? `${p.lane}: ${p.model}` : p.model);
	}
	if (p && p.costUSD > 0) {
		out.push(`$${p.costUSD.toFixed(4)}`);
	}
	return out.join(" · ");
}

function removedText(lines: string[]): vscode.MarkdownString {
	const out = new vscode.MarkdownString();
	if (lines.length === 0) {
		return out.appendText("tandem added this; nothing was removed.");
	}
	out.appendText("Removed:");
	return out.appendCodeblock(lines.map((l) => `- ${l}`).join("\n"), "diff");
}
