import type { Task, TaskStep } from "./lspExt";

/** How a task or a step is shown: its icon, and what is said of it beside its title. */
export interface Shown {
	icon: string;
	text: string;
}

/** What a view offers for a task, as the flags of its context value. */
export function offers(task: Task): string {
	const out = ["task"];
	const live = ["queued", "planning", "running", "waiting", "planned"].includes(task.state);
	if (live) {
		out.push("cancel");
	}
	if (task.state === "planned") {
		out.push("run", "plan");
	} else if (["interrupted", "cancelled", "failed"].includes(task.state) || task.state === "waiting") {
		out.push("resume");
	}
	if (hasResult(task)) {
		out.push("result");
	}
	return out.join(" ");
}

/** Whether there is a result that the user has not decided about. */
export function hasResult(task: Task): boolean {
	return !task.resolved && (task.proposalId !== undefined || (task.hasResult === true && ended(task)));
}

/** Whether it can be run, or run on. */
export function resumable(task: Task): boolean {
	return task.state !== "done" && task.state !== "running";
}

export function ended(task: Task): boolean {
	return ["done", "failed", "cancelled", "interrupted"].includes(task.state);
}

export function taskShown(task: Task): Shown {
	const done = task.steps.filter((s) => s.state === "done").length;
	const parts = [task.resolved ?? (task.state === "waiting" ? "waits for you" : task.state)];
	if (task.steps.length && !task.resolved) {
		parts.push(`${done} of ${task.steps.length} steps`);
	}
	parts.push(...cost(task.costUSD, task.estimate?.costUSD));
	return { icon: icon(task.resolved === "rejected" ? "cancelled" : task.state), text: parts.join(" · ") };
}

export function stepShown(step: TaskStep): Shown {
	const parts = [step.model ? `${step.lane}: ${step.model}` : step.lane, step.state, ...cost(step.costUSD)];
	if (step.error) {
		parts.push(step.error);
	}
	return { icon: icon(step.state), text: parts.join(" · ") };
}

/** What the user is told when a task stops: undefined while it goes on. */
export function ending(task: Task): string | undefined {
	const price = cost(task.costUSD).join("");
	switch (task.state) {
		case "planned":
			return `the plan of “${task.title}” has ${task.steps.length} steps${task.estimate ? `, about $${task.estimate.costUSD.toFixed(2)}` : ""}. Run it?`;
		case "waiting":
			return `“${task.title}” asks: ${task.question ?? "go on?"}`;
		case "done": {
			const files = new Set(task.steps.flatMap((s) => s.files)).size;
			return `“${task.title}” is done: ${files} file${files === 1 ? "" : "s"}${price ? `, ${price}` : ""}.`;
		}
		case "failed":
		case "interrupted":
			return `“${task.title}” ${task.state === "failed" ? "failed" : "was interrupted"}${task.error ? `: ${task.error}` : "."}`;
	}
	return undefined;
}

function cost(usd: number | undefined, of?: number): string[] {
	if (!usd && !of) {
		return [];
	}
	const money = (n: number) => `$${n < 0.1 ? n.toFixed(4) : n.toFixed(2)}`;
	return [of && of > (usd ?? 0) ? `${money(usd ?? 0)} of about ${money(of)}` : money(usd ?? 0)];
}

function icon(state: string): string {
	switch (state) {
		case "done":
			return "pass";
		case "failed":
			return "error";
		case "cancelled":
			return "circle-slash";
		case "interrupted":
			return "debug-pause";
		case "waiting":
		case "planned":
			return "question";
		case "running":
		case "planning":
			return "loading~spin";
	}
	return "circle-outline";
}
