import * as vscode from "vscode";
import { byForce, completes, said } from "./proposals";
import type { ShownHunk } from "./draft";
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

	/** The lenses of an edit: what can be done with it, and above each change what goes. */
	private lensesOf(edit: StreamedEdit): vscode.CodeLens[] {
		return [...this.actionsOf(edit), ...edit.shown.flatMap((h, hunk) => this.removedOf(edit, h, hunk))];
	}

	/** The lines that a change removes, each above the line that comes in its place. */
	private removedOf(edit: StreamedEdit, h: ShownHunk, hunk: number): vscode.CodeLens[] {
		const args = [{ edit: this.number(edit), hunk }];
		return removedAbove(h, edit.document.lineCount).map(([line, title]) => new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { title, command: "tandem.showRemoved", arguments: args }));
	}

	private actionsOf(edit: StreamedEdit): vscode.CodeLens[] {
		const number = this.number(edit);
		const lens = (line: number, title: string, command: string, more: object = {}) =>
			new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { title, command, arguments: [{ edit: number, ...more }] });
		const first = edit.shown[0];
		const line = Math.max(0, Math.min(edit.line, edit.document.lineCount - 1) - (first?.removed.length ? 1 : 0)); // the row above the change is for what goes
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
			const at = Math.min(h.start, edit.document.lineCount - 1);
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

/** How many removed lines are written above one line. */
const mostAbove = 3;

/**
 * The lines that a change removed, by the line that each is written above, as VS Code lets an extension draw
 * between lines: one above each new line, and the rest above the last of them.
 */
export function removedAbove(h: ShownHunk, lineCount: number): [number, string][] {
	const last = Math.min(Math.max(h.start, h.end - 1), lineCount - 1);
	const beside = h.removed.map((text, i): [number, string] => [Math.min(h.start + i, last), `− ${text.trim()}`]).filter(([, text]) => text !== "− ");
	const over = beside.filter(([line]) => line === last).slice(mostAbove).length;
	const shown = over ? beside.slice(0, -over) : beside;
	return over ? [...shown, [last, `− ${over} more`]] : shown;
}

function removedText(lines: string[]): vscode.MarkdownString {
	const out = new vscode.MarkdownString();
	if (lines.length === 0) {
		return out.appendText("tandem added this; nothing was removed.");
	}
	out.appendText("Removed:");
	return out.appendCodeblock(lines.map((l) => `- ${l}`).join("\n"), "diff");
}
