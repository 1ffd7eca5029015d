import * as vscode from "vscode";
import type { Proposal } from "./lspExt";
import { hunks } from "./preview";

/** How long a line that was typed in is left alone. */
const typedMs = 2000;
/** How near the cursor nothing is drawn, in lines. */
const near = 3;
/** How often it is looked whether the user is at work elsewhere. */
const againMs = 300;

/**
 * Draws what background tasks change in the documents that are open: marks on the lines that go, and what
 * comes after the end of the line. No line is added, so that the view does not move, and nothing is drawn
 * where the user is at work; what was drawn stays.
 */
export class DrawnTasks implements vscode.Disposable {
	private readonly goes = vscode.window.createTextEditorDecorationType({
		isWholeLine: true,
		backgroundColor: new vscode.ThemeColor("diffEditor.removedLineBackground"),
		overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.modifiedForeground"),
	});
	private readonly comes = vscode.window.createTextEditorDecorationType({ after: { color: new vscode.ThemeColor("editorGhostText.foreground"), margin: "0 0 0 2em" } });
	private readonly seen = new Set<string>();
	private typed: { uri: string; line: number; at: number }[] = [];
	private timer: NodeJS.Timeout | undefined;
	private readonly disposables: vscode.Disposable[];

	constructor(private readonly waiting: () => Proposal[]) {
		this.disposables = [
			this.goes,
			this.comes,
			vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
				const at = Date.now();
				const now = contentChanges.map((c) => ({ uri: document.uri.toString(), line: c.range.start.line, at }));
				this.typed = [...this.typed.filter((t) => at - t.at < typedMs), ...now];
			}),
		];
	}

	dispose(): void {
		clearTimeout(this.timer);
		vscode.Disposable.from(...this.disposables).dispose();
	}

	draw(): void {
		let whole = true;
		for (const editor of vscode.window.visibleTextEditors) {
			whole = this.drawIn(editor) && whole;
		}
		if (!whole) {
			this.timer ??= setTimeout(() => {
				this.timer = undefined;
				this.draw();
			}, againMs);
		}
	}

	/** False if something is left out where the user is at work. */
	private drawIn(editor: vscode.TextEditor): boolean {
		const { document } = editor;
		const uri = document.uri.toString();
		const goes: vscode.Range[] = [];
		const comes: vscode.DecorationOptions[] = [];
		let whole = true;
		for (const p of this.waiting().filter((p) => p.taskId && !p.quiet)) {
			const mine = p.documents?.find((d) => !d.create && (d.version === 0 || d.version === document.version) && vscode.Uri.parse(d.uri).toString() === uri);
			for (const h of mine ? hunks(document, mine) : []) {
				const [start, end] = [h.range.start.line, h.range.isEmpty ? h.range.start.line : h.range.end.line - 1];
				const key = JSON.stringify([p.taskId, uri, h.before, h.after]);
				if (!this.seen.has(key) && this.inUse(uri, start, end)) {
					whole = false;
					continue;
				}
				this.seen.add(key);
				const last = document.lineAt(Math.max(0, h.range.isEmpty ? start - 1 : end)).range.end;
				if (!h.range.isEmpty) {
					goes.push(new vscode.Range(start, 0, end, 0));
				}
				comes.push({ range: new vscode.Range(last, last), hoverMessage: hover(p, h.after, document.languageId), renderOptions: { after: { contentText: brief(h.after) } } });
			}
		}
		editor.setDecorations(this.goes, goes);
		editor.setDecorations(this.comes, comes);
		return whole;
	}

	private inUse(uri: string, start: number, end: number): boolean {
		const within = (line: number, by: number) => line >= start - by && line <= end + by;
		return (
			vscode.window.visibleTextEditors.some((e) => e.document.uri.toString() === uri && within(e.selection.active.line, near)) ||
			this.typed.some((t) => t.uri === uri && Date.now() - t.at < typedMs && within(t.line, 0))
		);
	}
}

/** What comes, in a line. */
function brief(after: string): string {
	const lines = after.split(/\r?\n/).map((l) => l.trim()).filter(Boolean);
	const more = lines.length > 1 ? ` … (${lines.length} lines)` : "";
	return lines[0] === undefined ? "tandem: removed" : `→ ${lines[0].slice(0, 80)}${more}`;
}

/** All of what comes, and the commands that decide. */
function hover(p: Proposal, after: string, language: string): vscode.MarkdownString {
	const out = new vscode.MarkdownString();
	out.isTrusted = { enabledCommands: ["tandem.accept", "tandem.reject", "tandem.showChanges"] };
	out.appendText(`tandem: ${p.title ?? "a task"}`).appendCodeblock(after, language);
	const args = encodeURIComponent(JSON.stringify([{ id: p.id }]));
	out.appendMarkdown(`[Accept](command:tandem.accept?${args}) · [Reject](command:tandem.reject?${args}) · [Show changes](command:tandem.showChanges?${args})`);
	return out;
}
