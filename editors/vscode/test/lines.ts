import * as assert from "node:assert";
import { editOf, linesOf, type TextChange } from "../src/lines";

const change = (line: number, character: number, endLine: number, endCharacter: number, text: string): TextChange => ({
	range: { start: { line, character }, end: { line: endLine, character: endCharacter } },
	text,
});

assert.deepStrictEqual(linesOf(change(3, 2, 3, 2, "x")), { start: 3, end: 4, count: 1 });
assert.deepStrictEqual(linesOf(change(3, 2, 3, 2, "\n")), { start: 3, end: 4, count: 2 });
assert.deepStrictEqual(linesOf(change(3, 0, 3, 0, "x\r\n")), { start: 3, end: 3, count: 1 });
assert.deepStrictEqual(linesOf(change(3, 0, 5, 0, "")), { start: 3, end: 5, count: 0 });
assert.deepStrictEqual(linesOf(change(3, 1, 5, 0, "")), { start: 3, end: 6, count: 1 });

/** Applies an edit to a text by character offsets. */
function applied(text: string, e: TextChange): string {
	const lines = text.split("\n");
	const offset = (p: { line: number; character: number }) => lines.slice(0, p.line).reduce((n, l) => n + l.length + 1, 0) + p.character;
	return text.slice(0, offset(e.range.start)) + e.text + text.slice(offset(e.range.end));
}

for (const text of ["a\nbb\nc", "a\nbb\nc\n", "a"]) {
	const lines = text.split("\n");
	for (let start = 0; start <= lines.length; start++) {
		for (let end = start; end <= lines.length; end++) {
			for (const next of [[], ["x"], ["x", "y"]]) {
				const want = [...lines.slice(0, start), ...next, ...lines.slice(end)];
				if (want.length === 0) {
					continue; // a text has at least one line
				}
				const edit = editOf({ start, end, lines: next }, lines.length, (n) => lines[n]?.length ?? 0);
				assert.strictEqual(applied(text, edit), want.join("\n"), JSON.stringify({ text, start, end, next }));
			}
		}
	}
}
