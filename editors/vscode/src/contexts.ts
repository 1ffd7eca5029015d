import * as vscode from "vscode";

/** What can be done now, for the `when` clauses of package.json. */
export type Possible = "hasModel" | "proposal" | "answer" | "answering" | "task" | "taskResult" | "taskPlan" | "taskResume" | "taskCancel" | "touring" | "takeBack" | Done;

/** What has been done once, for the walkthrough: a step is ticked when it has worked, not when its button is pressed. */
export type Done = "followed" | "madeUp" | "asked" | "setUp" | "accepted" | "edited" | "statusShown";

const known = new Map<Possible, boolean>();

/** Says whether something is possible, when that has changed. */
export function possible(what: Possible, is: boolean): void {
	if (known.get(what) !== is) {
		known.set(what, is);
		void vscode.commands.executeCommand("setContext", `tandem.${what}`, is);
	}
}
