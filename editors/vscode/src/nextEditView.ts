import * as vscode from "vscode";

/** A next edit in a document: the range goes, the text comes. */
export interface Shown {
	range: vscode.Range;
	text: string;
}

/** A line that is partly replaced, for a decoration beside it. */
interface Row {
	line: number;
	text: string;
}

/** How many lines of new text an image shows at most. */
const maxRows = 24;
const maxColumns = 160;

/**
 * Draws a next edit with decorations: what goes, what comes beside it, an arrow in
 * the gutter, and where to jump when it is out of sight.
 */
export class NextEditView implements vscode.Disposable {
	private readonly removed = vscode.window.createTextEditorDecorationType({
		backgroundColor: new vscode.ThemeColor("diffEditor.removedTextBackground"),
		border: "1px dotted",
		borderColor: new vscode.ThemeColor("diffEditor.removedTextBorder"),
	});
	private readonly added = vscode.window.createTextEditorDecorationType({});
	private readonly hint = vscode.window.createTextEditorDecorationType({});
	private readonly gutter: vscode.TextEditorDecorationType;
	private editor: vscode.TextEditor | undefined;

	constructor() {
		this.gutter = vscode.window.createTextEditorDecorationType({
			light: { gutterIconPath: arrow("#0063b1") },
			dark: { gutterIconPath: arrow("#75beff") },
			gutterIconSize: "contain",
			overviewRulerColor: new vscode.ThemeColor("editorInfo.foreground"),
			overviewRulerLane: vscode.OverviewRulerLane.Right,
		});
	}

	/** Shows the edit in its editor, and which place of its change it is. */
	show(editor: vscode.TextEditor, edit: Shown, count?: string): void {
		this.clear();
		if (count && edit.range.isSingleLine && !edit.text.includes("\n")) {
			this.count(editor, edit.range.start.line, count);
		}
		this.editor = editor;
		editor.setDecorations(this.gutter, [new vscode.Range(edit.range.start, edit.range.start)]);
		if (!edit.range.isEmpty) {
			editor.setDecorations(this.removed, [edit.range]);
		}
		editor.setDecorations(this.added, this.comes(editor, edit));
	}

	/**
	 * Shows only that there is an edit, and on which key it is revealed or jumped to: at the cursor, which is in
	 * sight whatever the length of its line, in a box below that line, and by an arrow in the gutter.
	 */
	point(editor: vscode.TextEditor, text: string): void {
		this.clear();
		this.editor = editor;
		const at = editor.selection.active;
		const lowest = editor.visibleRanges.at(-1)?.end.line ?? at.line;
		const after = {
			contentText: text,
			color: new vscode.ThemeColor("editorHoverWidget.foreground"),
			backgroundColor: new vscode.ThemeColor("editorHoverWidget.background"),
			border: "1px solid",
			borderColor: new vscode.ThemeColor("editorHoverWidget.border"),
			textDecoration: `none; position: absolute; ${at.line < lowest ? "top" : "bottom"}: 100%; z-index: 1; padding: 0 0.5ch; border-radius: 3px; white-space: nowrap`,
		};
		editor.setDecorations(this.hint, [{ range: new vscode.Range(at, at), renderOptions: { after } }]);
		editor.setDecorations(this.gutter, [new vscode.Range(at, at)]);
	}

	/** Shows after the line of an edit which place of its change it is. */
	private count(editor: vscode.TextEditor, line: number, text: string): void {
		const at = editor.document.lineAt(line).range.end;
		editor.setDecorations(this.hint, [
			{ range: new vscode.Range(at, at), renderOptions: { after: { contentText: `  ${text}`, color: new vscode.ThemeColor("editorGhostText.foreground"), fontStyle: "italic" } } },
		]);
	}

	clear(): void {
		for (const type of [this.removed, this.added, this.hint, this.gutter]) {
			this.editor?.setDecorations(type, []);
		}
		this.editor = undefined;
	}

	dispose(): void {
		this.clear();
		vscode.Disposable.from(this.removed, this.added, this.hint, this.gutter).dispose();
	}

	/** What comes: in the line where it is part of one line, else as an image beside the lines. */
	private comes(editor: vscode.TextEditor, edit: Shown): vscode.DecorationOptions[] {
		if (edit.text === "") {
			return [];
		}
		if (edit.range.isSingleLine && !edit.text.includes("\n")) {
			const after = { contentText: edit.text.replace(/\t/g, "    ").replace(/ /g, "\u00a0"), backgroundColor: new vscode.ThemeColor("diffEditor.insertedTextBackground"), color: new vscode.ThemeColor("editor.foreground") };
			return [{ range: new vscode.Range(edit.range.end, edit.range.end), renderOptions: { after } }];
		}
		const rows = after(editor.document, edit);
		const first = rows[0];
		if (!first) {
			return [];
		}
		const line = editor.document.lineAt(Math.min(first.line, editor.document.lineCount - 1));
		let widest = 0;
		for (let i = edit.range.start.line; i <= Math.min(edit.range.end.line + rows.length, editor.document.lineCount - 1); i++) {
			widest = Math.max(widest, width(editor.document.lineAt(i).text, editor));
		}
		const gap = Math.max(1, widest - width(line.text, editor) + 2);
		return [
			{
				range: new vscode.Range(line.range.end, line.range.end),
				renderOptions: {
					after: {
						contentText: "",
						textDecoration: `none; position: absolute; margin-left: ${gap}ch; z-index: 1`,
					},
					light: { after: { contentIconPath: image(rows, "#1f1f1f", "#eaf7ea", "#6b9e6b") } },
					dark: { after: { contentIconPath: image(rows, "#e6e6e6", "#1d3323", "#4f8f5f") } },
				},
			},
		];
	}
}

/** The lines of a document that an edit touches, as they are after it. */
export function after(document: { lineAt(line: number): { text: string } }, edit: Shown): Row[] {
	const head = document.lineAt(edit.range.start.line).text.slice(0, edit.range.start.character);
	const tail = document.lineAt(edit.range.end.line).text.slice(edit.range.end.character);
	const lines = (head + edit.text + tail).split(/\r?\n/);
	if (lines.length > 1 && lines[lines.length - 1] === "") {
		lines.pop();
	}
	return lines.slice(0, maxRows).map((text, i) => ({ line: edit.range.start.line + i, text }));
}

function width(text: string, editor: vscode.TextEditor): number {
	const tab = typeof editor.options.tabSize === "number" ? editor.options.tabSize : 4;
	return text.replace(/\t/g, " ".repeat(tab)).length;
}

/** New lines as an image: decorations have no text of several lines. */
function image(rows: Row[], color: string, background: string, border: string): vscode.Uri {
	const config = vscode.workspace.getConfiguration("editor");
	const size = config.get<number>("fontSize") ?? 14;
	const set = config.get<number>("lineHeight") ?? 0;
	const height = set === 0 ? Math.round(size * 1.35) : set < 8 ? Math.round(size * set) : set;
	const family = escaped(config.get<string>("fontFamily") ?? "monospace");
	const contrast = [vscode.ColorThemeKind.HighContrast, vscode.ColorThemeKind.HighContrastLight].includes(vscode.window.activeColorTheme.kind);
	const texts = rows.map((r) => r.text.replace(/\t/g, "    ").slice(0, maxColumns));
	const columns = Math.max(...texts.map((t) => t.length), 1) + 1;
	const wide = Math.ceil(columns * size * 0.62) + 8;
	const lines = texts.map((t, i) => `<text xml:space="preserve" x="4" y="${Math.round((i + 0.74) * height)}">${escaped(t)}</text>`).join("");
	const svg =
		`<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${texts.length * height}">` +
		`<rect width="100%" height="100%" rx="3" fill="${background}" stroke="${contrast ? color : border}" stroke-width="${contrast ? 2 : 1}"/>` +
		`<g font-family="${family}" font-size="${size}" fill="${color}">${lines}</g></svg>`;
	return data(svg);
}

function arrow(color: string): vscode.Uri {
	return data(`<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><path d="M2 8h9M8 4.5 11.5 8 8 11.5" fill="none" stroke="${color}" stroke-width="2"/></svg>`);
}

function data(svg: string): vscode.Uri {
	return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg, "utf8").toString("base64")}`);
}

function escaped(text: string): string {
	return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
