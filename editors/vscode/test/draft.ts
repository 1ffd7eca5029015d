import * as assert from "node:assert";
import * as fs from "node:fs";
import { Draft, type Hunk, type LineChange } from "../src/draft";

interface Step {
	show?: Hunk[];
	type?: LineChange;
	take?: number;
	shown: [number, number][];
	text?: string[];
	lost?: boolean;
	place?: [number, number];
}

const cases: { name: string; base: string[]; place?: [number, number]; steps: Step[] }[] = JSON.parse(fs.readFileSync("../draft_cases.json", "utf8"));

for (const c of cases) {
	const [start, end] = c.place ?? [0, c.base.length];
	const draft = new Draft(c.base.length, { start, end });
	let text = [...c.base];
	const type = (change: LineChange): boolean => {
		text = [...text.slice(0, change.start), ...change.lines, ...text.slice(change.end)];
		return draft.changed(change.start, change.end, change.lines.length);
	};
	for (const step of c.steps) {
		let lost = false;
		if (step.show) {
			lost = !draft.show(step.show);
		} else if (step.type) {
			lost = type(step.type);
		} else if (step.take !== undefined) {
			lost = type(draft.shown[step.take] as LineChange);
		}
		assert.strictEqual(lost, step.lost ?? false, `${c.name}: lost`);
		assert.deepStrictEqual(draft.shown.map((h) => [h.start, h.end]), step.shown, c.name);
		assert.deepStrictEqual(text, step.text ?? text, c.name);
		const { place } = draft;
		assert.deepStrictEqual([place.start, place.end], step.place ?? [place.start, place.end], `${c.name}: place`);
	}
}
