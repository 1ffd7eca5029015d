import * as assert from "node:assert";
import type { Task } from "../src/lspExt";
import { ending, hasResult, offers, stepShown, taskShown } from "../src/taskText";

const step = { title: "one", lane: "fast", state: "done" as const, files: ["a.go", "b.go"], costUSD: 0.002 };
const task = (more: Partial<Task>): Task => ({ id: "t", title: "rename", state: "running", steps: [step, { ...step, state: "running", files: ["a.go"] }], costUSD: 0.25, ...more });

assert.deepStrictEqual(taskShown(task({})), { icon: "loading~spin", text: "running · 1 of 2 steps · $0.25" });
assert.deepStrictEqual(taskShown(task({ estimate: { tokens: 1, costUSD: 0.5 } })).text, "running · 1 of 2 steps · $0.25 of about $0.50");
assert.deepStrictEqual(taskShown(task({ state: "done", resolved: "accepted" })).text, "accepted · $0.25");
assert.deepStrictEqual(stepShown({ ...step, model: "quick" }), { icon: "pass", text: "fast: quick · done · $0.0020" });

for (const [state, want] of [
	["running", "task cancel"],
	["planned", "task cancel run plan"],
	["waiting", "task cancel resume"],
	["interrupted", "task resume"],
	["done", "task"],
] as const) {
	assert.strictEqual(offers(task({ state })), want);
}
assert.strictEqual(offers(task({ state: "done", proposalId: "p1" })), "task result");
assert.ok(hasResult(task({ state: "interrupted", hasResult: true })));
assert.ok(!hasResult(task({ state: "running", hasResult: true })) && !hasResult(task({ state: "done", proposalId: "p1", resolved: "accepted" })));

assert.strictEqual(ending(task({})), undefined);
assert.strictEqual(ending(task({ state: "done" })), "“rename” is done: 2 files, $0.25.");
assert.strictEqual(ending(task({ state: "planned", estimate: { tokens: 9, costUSD: 0.1 } })), "the plan of “rename” has 2 steps, about $0.10. Run it?");
assert.strictEqual(ending(task({ state: "waiting", question: "Which name?" })), "“rename” asks: Which name?");
assert.strictEqual(ending(task({ state: "interrupted", error: "the machine was restarted." })), "“rename” was interrupted: the machine was restarted.");
