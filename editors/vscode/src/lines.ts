import type { LineChange } from "./draft";

export interface Place {
	line: number;
	character: number;
}

export interface TextChange {
	range: { start: Place; end: Place };
	text: string;
}

/** A change of a text as one of its lines: which it touches, and how many there are in their place. */
export function linesOf(change: TextChange): { start: number; end: number; count: number } {
	const { start, end } = change.range;
	const breaks = change.text.split(/\r\n|\r|\n/).length - 1;
	const whole = start.character === 0 && end.character === 0 && (change.text === "" || /[\r\n]$/.test(change.text));
	return whole ? { start: start.line, end: end.line, count: breaks } : { start: start.line, end: end.line + 1, count: breaks + 1 };
}

/** A change of lines as an edit of a text, whose lines are joined by "\n". */
export function editOf(change: LineChange, lineCount: number, lengthOf: (line: number) => number): TextChange {
	const { start, end, lines } = change;
	if (end < lineCount) {
		return { range: { start: { line: start, character: 0 }, end: { line: end, character: 0 } }, text: lines.map((l) => `${l}\n`).join("") };
	}
	const last = { line: lineCount - 1, character: lengthOf(lineCount - 1) };
	if (start === 0) {
		return { range: { start: { line: 0, character: 0 }, end: last }, text: lines.join("\n") };
	}
	const before = { line: start - 1, character: lengthOf(start - 1) };
	return { range: { start: before, end: last }, text: lines.map((l) => `\n${l}`).join("") };
}
