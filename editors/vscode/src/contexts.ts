import * as vscode from "vscode";

/** What can be done now, for the `when` clauses of package.json. */
export type Possible = "hasModel" | "proposal" | "answer" | "answering" | "task" | "taskResult" | "taskPlan" | "taskResume" | "taskCancel" | "touring" | "takeBack";

const known = new Map<Possible, boolean>();

/** Says whether something is possible, when that has changed. */
export function possible(what: Possible, is: boolean): void {
	if (known.get(what) !== is) {
		known.set(what, is);
		void vscode.commands.executeCommand("setContext", `tandem.${what}`, is);
	}
}
