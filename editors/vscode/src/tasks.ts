import * as vscode from "vscode";
import type { Session } from "./session";
import type { Task } from "./lsp_ext";
import * as ext from "./lsp_ext";

/** The deep model's background tasks: one notification each, which can be cancelled. */
export class Tasks implements vscode.Disposable {
	private readonly running = new Map<string, Running>();

	attach(session: Session): void {
		this.dispose();
		session.on(ext.task, (task) => this.changed(session, task));
		session.onDidChangePhase((phase) => {
			if (phase !== "running") {
				this.dispose(); // the server reports its tasks again when it runs again
			}
		});
	}

	dispose(): void {
		for (const r of this.running.values()) {
			r.end();
		}
		this.running.clear();
	}

	private changed(session: Session, task: Task): void {
		if (ended(task)) {
			this.running.get(task.id)?.end();
			this.running.delete(task.id);
			if (task.state === "interrupted" || task.state === "done" && !task.proposalId) {
				void vscode.window.showInformationMessage(`tandem: “${task.title}” is ${task.state}${task.error ? `: ${task.error}` : ""}.`);
			}
			return;
		}
		let shown = this.running.get(task.id);
		if (!shown) {
			shown = new Running(task, () => void session.execute("tandem.cancel", { id: task.id }));
			this.running.set(task.id, shown);
		}
		shown.report(progressText(task));
	}
}

/** One progress notification. */
class Running {
	private progress: vscode.Progress<{ message: string }> | undefined;
	private finish: (() => void) | undefined;
	private last = "";

	constructor(task: Task, cancel: () => void) {
		const options = { location: vscode.ProgressLocation.Notification, title: `tandem: ${task.title}`, cancellable: true };
		void vscode.window.withProgress(options, (progress, token) => {
			this.progress = progress;
			token.onCancellationRequested(cancel);
			return new Promise<void>((done) => (this.finish = done));
		});
	}

	report(message: string): void {
		if (message !== this.last) {
			this.last = message;
			this.progress?.report({ message });
		}
	}

	end(): void {
		this.finish?.();
	}
}

function ended(task: Task): boolean {
	return ["done", "failed", "cancelled", "interrupted"].includes(task.state);
}

function progressText(task: Task): string {
	const at = task.steps.findIndex((s) => s.state === "running");
	const step = task.steps[at];
	return step ? `step ${at + 1} of ${task.steps.length}, ${step.lane}: ${step.title}` : task.state;
}
