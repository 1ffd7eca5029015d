import * as vscode from "vscode";
import type { ProposedDocument } from "./lspExt";

/** Documents with proposed text. The server's own tandem: documents, its answers and windows, have another scheme. */
const proposalScheme = "tandem-proposal";

/** The proposal whose text a document shows. */
export function shownProposal(uri: vscode.Uri): string | undefined {
	return uri.scheme === proposalScheme ? uri.authority.replace(/-before$/, "") : undefined;
}
const diffLines = 60;

export interface Shown {
	target: vscode.Uri;
	before: vscode.Uri;
	after: vscode.Uri;
}

/** The proposed texts, as documents to compare with. */
export class ProposedTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
	private readonly texts = new Map<string, string>();
	private readonly changes = new vscode.EventEmitter<vscode.Uri>();
	private readonly registration: vscode.Disposable;
	private readonly closed = vscode.workspace.onDidCloseTextDocument((d) => this.texts.delete(d.uri.toString()));

	readonly onDidChange = this.changes.event;

	constructor(private readonly scheme = proposalScheme) {
		this.registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
	}

	provideTextDocumentContent(uri: vscode.Uri): string {
		return this.texts.get(uri.toString()) ?? "";
	}

	async put(id: string, d: ProposedDocument): Promise<Shown> {
		const target = vscode.Uri.parse(d.uri);
		const after = vscode.Uri.from({ scheme: this.scheme, authority: id, path: target.path });
		// A copy, not the document: what tandem shows in the document would tear the comparison apart.
		const before = vscode.Uri.from({ scheme: this.scheme, authority: `${id}-before`, path: target.path });
		this.texts.set(before.toString(), d.create ? "" : (await vscode.workspace.openTextDocument(target)).getText());
		this.texts.set(after.toString(), await proposed(d));
		this.changes.fire(before);
		this.changes.fire(after);
		return { target, before, after };
	}

	/** A document with a text of its own, to compare a document with. */
	original(id: string, target: vscode.Uri, text: string): Shown {
		const before = vscode.Uri.from({ scheme: this.scheme, authority: id, path: target.path });
		this.texts.set(before.toString(), text);
		this.changes.fire(before);
		return { target, before, after: target };
	}

	dispose(): void {
		vscode.Disposable.from(this.changes, this.registration, this.closed).dispose();
	}
}

/** A document's text after a proposal. */
async function proposed(d: ProposedDocument): Promise<string> {
	if (d.delete) {
		return "";
	}
	return applied(d.create ? undefined : await vscode.workspace.openTextDocument(vscode.Uri.parse(d.uri)), d);
}

function applied(document: vscode.TextDocument | undefined, d: ProposedDocument): string {
	let text = document?.getText() ?? "";
	const offset = (p: { line: number; character: number }) => document?.offsetAt(new vscode.Position(p.line, p.character)) ?? 0;
	const edits = d.edits.map((e) => ({ start: offset(e.range.start), end: offset(e.range.end), text: e.newText }));
	for (const e of edits.sort((a, b) => b.start - a.start || b.end - a.end)) {
		text = text.slice(0, e.start) + e.text + text.slice(e.end);
	}
	return text;
}

/** The changes of a document: the lines that each replaces, and the text of before and after. */
export function hunks(document: vscode.TextDocument, d: ProposedDocument): { range: vscode.Range; before: string; after: string }[] {
	return groups(d).map((group) => {
		const range = wholeLines(document, group);
		const before = document.getText(range);
		const all = applied(document, { ...d, edits: group });
		const start = document.offsetAt(range.start);
		return { range, before, after: all.slice(start, all.length - (document.getText().length - start - before.length)) };
	});
}

/** The change to one document as whole lines, - and +, limited to what fits in a note. */
export async function diff(d: ProposedDocument): Promise<string> {
	const lines: string[] = [];
	const document = d.create ? undefined : await vscode.workspace.openTextDocument(vscode.Uri.parse(d.uri));
	if (!document) {
		lines.push(...d.edits.map((e) => e.newText).join("").split("\n").map((l) => `+${l}`));
	}
	for (const { before, after } of document ? hunks(document, d) : []) {
		if (lines.length) {
			lines.push("…");
		}
		lines.push(...body(before, "-"), ...body(after, "+"));
	}
	return clipped(dedented(lines));
}

function clipped(lines: string[]): string {
	return lines.length > diffLines ? [...lines.slice(0, diffLines), `… ${lines.length - diffLines} more lines`].join("\n") : lines.join("\n");
}

/** The lines without their common indentation. */
function dedented(lines: string[]): string[] {
	const marked = lines.filter((l) => /^[-+].*\S/.test(l));
	const common = Math.min(...marked.map((l) => /^[-+](\s*)/.exec(l)?.[1]?.length ?? 0));
	return lines.map((l) => (/^[-+]/.test(l) ? `${l.slice(0, 1)} ${l.slice(1 + common)}` : l));
}

/** Groups the edits that share lines or touch the same line. */
function groups(d: ProposedDocument): ProposedDocument["edits"][] {
	const out: ProposedDocument["edits"][] = [];
	for (const e of [...d.edits].sort((a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character)) {
		const last = out.at(-1)?.at(-1);
		if (last && e.range.start.line <= last.range.end.line) {
			out.at(-1)?.push(e);
		} else {
			out.push([e]);
		}
	}
	return out;
}

/** The whole lines that a group of edits touches; no line if the edits only insert whole lines. */
function wholeLines(document: vscode.TextDocument, group: ProposedDocument["edits"]): vscode.Range {
	const start = Math.min(...group.map((e) => e.range.start.line));
	const last = group.reduce((a, e) => (e.range.end.line > a.range.end.line || (e.range.end.line === a.range.end.line && e.range.end.character > a.range.end.character) ? e : a));
	const between = last.range.end.character === 0 && (last.range.end.line > start || group.every((e) => e.newText.endsWith("\n")));
	const end = between ? new vscode.Position(last.range.end.line, 0) : document.lineAt(Math.min(last.range.end.line, document.lineCount - 1)).rangeIncludingLineBreak.end;
	return new vscode.Range(new vscode.Position(start, 0), end);
}

function body(text: string, sign: string): string[] {
	if (text === "") {
		return [];
	}
	const lines = text.split(/\r?\n/);
	if (lines.at(-1) === "") {
		lines.pop();
	}
	return lines.map((l) => sign + l);
}
