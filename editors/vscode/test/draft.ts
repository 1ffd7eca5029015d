import * as assert from "node:assert";
import * as fs from "node:fs";
import { Draft, type Hunk, type LineChange } from "../src/draft";

interface Step {
	show?: Hunk[];
	frame?: Hunk[];
	type?: LineChange;
	accept?: number;
	reject?: number;
	shown?: [number, number][];
	text: string[];
	changes?: number;
	inside?: boolean;
	refused?: boolean;
}

const cases: { name: string; base: string[]; steps: Step[] }[] = JSON.parse(fs.readFileSync("../draft_cases.json", "utf8"));

for (const c of cases) {
	const draft = new Draft(c.base);
	const text = [...c.base];
	const show = (hunks: readonly Hunk[] | undefined, step: Step) => {
		const changes = hunks && draft.plan(hunks);
		assert.strictEqual(changes === undefined, step.refused ?? false, `${c.name}: refused`);
		if (!changes || !hunks) {
			return;
		}
		assert.ok(step.changes === undefined || step.changes === changes.length, `${c.name}: ${JSON.stringify(changes)}`);
		for (const change of changes) {
			text.splice(change.start, change.end - change.start, ...change.lines);
		}
		draft.commit(hunks);
	};
	for (const step of c.steps) {
		if (step.show) {
			show(step.show, step);
		} else if (step.frame) {
			show(draft.frame()(step.frame), step);
		} else if (step.type) {
			text.splice(step.type.start, step.type.end - step.type.start, ...step.type.lines);
			assert.strictEqual(draft.changed(step.type.start, step.type.end, step.type.lines.length), step.inside ?? false, `${c.name}: inside`);
		} else if (step.accept !== undefined) {
			draft.accept(step.accept);
		} else if (step.reject !== undefined) {
			const drop = draft.hunks[step.reject];
			show(draft.hunks.filter((h) => h !== drop), step);
		}
		if (step.shown) {
			assert.deepStrictEqual(draft.shown.map((h) => [h.start, h.end]), step.shown, c.name);
		}
		assert.deepStrictEqual(text, step.text, c.name);
	}
}
