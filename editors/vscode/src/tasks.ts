import * as vscode from "vscode";
import type { Session } from "./session";
import { showError } from "./session";
import type { Task, TaskStep } from "./lspExt";
import * as ext from "./lspExt";
import type { Proposals } from "./proposals";
import { possible } from "./contexts";
import { ended, ending, hasResult, offers, resumable, stepShown, taskShown } from "./taskText";

/** A row of the view. */
export type Node = { kind: "task"; task: Task } | { kind: "step"; task: Task; step: TaskStep; number: number } | { kind: "file"; task: Task; number: number; file: string };

/**
 * The deep model's tasks: a view of those of this workspace, which the server keeps
 * on disk, and a notification when one ends or waits for the user.
 */
export class Tasks implements vscode.TreeDataProvider<Node>, vscode.Disposable {
	private readonly changed = new vscode.EventEmitter<void>();
	private readonly view: vscode.TreeView<Node>;
	private readonly disposables: vscode.Disposable[];
	private readonly plans = new Map<string, string>();
	private tasks: Task[] = [];
	private session: Session | undefined;

	readonly onDidChangeTreeData = this.changed.event;

	constructor(private readonly proposals: Proposals) {
		this.view = vscode.window.createTreeView<Node>("tandem.tasksView", { treeDataProvider: this, showCollapseAll: true });
		this.view.message = "Escalate something to the deep model, and it appears here.";
		this.disposables = [
			this.changed,
			this.view,
			vscode.languages.registerCodeLensProvider({ scheme: "untitled" }, { provideCodeLenses: (d) => this.planLenses(d) }),
			vscode.workspace.onDidCloseTextDocument((d) => this.plans.delete(d.uri.toString())),
		];
	}

	attach(session: Session): void {
		this.session = session;
		session.on(ext.task, (task) => this.follow(task));
		session.onDidChangePhase((phase) => {
			if (phase === "running") {
				void this.reload();
			}
		});
	}

	dispose(): void {
		vscode.Disposable.from(...this.disposables).dispose();
	}

	getTreeItem(node: Node): vscode.TreeItem {
		switch (node.kind) {
			case "task":
				return this.taskItem(node.task);
			case "step":
				return stepItem(node);
			case "file":
				return fileItem(node);
		}
	}

	getChildren(node?: Node): Node[] {
		if (!node) {
			return this.tasks.map((task) => ({ kind: "task", task }));
		}
		const { task } = node;
		switch (node.kind) {
			case "task":
				return task.steps.map((step, i) => ({ kind: "step", task, step, number: i + 1 }));
			case "step":
				return node.step.files.map((file) => ({ kind: "file", task, number: node.number, file }));
		}
		return [];
	}

	/** Opens a task's changes: all, or those of a file. */
	async show(task: Task, file?: string): Promise<void> {
		const { proposalId } = await this.request<{ proposalId: string }>({ id: task.id, action: "show" });
		await this.proposals.whenKnown(proposalId);
		await this.proposals.show(proposalId, file);
	}

	async accept(node: Node): Promise<void> {
		const part = node.kind === "task" ? {} : node.kind === "step" ? { step: node.number } : { file: node.file };
		if (!this.session) {
			throw new Error("No server runs.");
		}
		const done = await this.session.accept({ id: node.task.id, ...part });
		const left = (done?.answer as ext.Accepted | null | undefined)?.conflicts ?? [];
		if (left.length) {
			const list = left.map((c) => `${c.path}:${c.line}: ${c.message}`).join("; ");
			void vscode.window.showWarningMessage(`tandem: what no longer fits was left out: ${list}`);
		}
		await this.reload();
	}

	async reject(task: Task): Promise<void> {
		await this.request({ id: task.id, action: "reject" });
		await this.reload();
	}

	async cancel(task: Task): Promise<void> {
		await this.session?.request(ext.cancel, { id: task.id });
	}

	async resume(task: Task): Promise<void> {
		await this.session?.request(ext.resume, { id: task.id });
	}

	async steer(task: Task): Promise<void> {
		const title = task.state === "waiting" ? task.question : `Steer “${task.title}”`;
		const text = await vscode.window.showInputBox({ title: `tandem: ${title ?? ""}`, placeHolder: "What should it do, or do differently?", ignoreFocusOut: true });
		if (text?.trim()) {
			await this.session?.request(ext.steer, { id: task.id, text });
		}
	}

	/** Opens a task's plan as text that can be edited and run. */
	async plan(task: Task): Promise<void> {
		const document = await vscode.workspace.openTextDocument({ content: task.plan ?? "", language: "plaintext" });
		this.plans.set(document.uri.toString(), task.id);
		await vscode.window.showTextDocument(document, { preview: false });
	}

	/** Runs a plan as it stands in its document. */
	async runPlan(uri: string): Promise<void> {
		const document = vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri);
		const id = this.plans.get(uri);
		if (!document || !id || !this.session) {
			return;
		}
		const task = this.tasks.find((t) => t.id === id);
		if (task?.plan?.trim() !== document.getText().trim()) {
			await this.session.request(ext.plan, { id, text: document.getText() });
		}
		await this.session.request(ext.resume, { id });
		await vscode.window.showTextDocument(document);
		await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor"); // the plan is the task's now
	}

	/** The task of a command: that of a row of the view, else one that the user picks. */
	async pick(node: Node | undefined, wanted: (t: Task) => boolean): Promise<Task | undefined> {
		if (node?.task) {
			return node.task;
		}
		await this.reload();
		const items = this.tasks.filter(wanted).map((task) => ({ label: task.title, description: taskShown(task).text, detail: task.error, task }));
		if (!items.length) {
			void vscode.window.showInformationMessage("tandem: escalate something to the deep model first: there is no such task.");
			return undefined;
		}
		return (await vscode.window.showQuickPick(items, { title: "tandem: Tasks" }))?.task;
	}

	private async reload(): Promise<void> {
		try {
			const { tasks } = (await this.session?.request(ext.tasks, {})) ?? { tasks: [] };
			this.tasks = tasks;
			this.refresh();
		} catch {
			// the server ended meanwhile; the next one is asked
		}
	}

	private refresh(): void {
		this.view.message = this.tasks.length ? undefined : "Escalate something to the deep model, and it appears here.";
		const waiting = this.tasks.filter((t) => hasResult(t) || t.state === "waiting" || t.state === "planned").length;
		this.view.badge = waiting ? { value: waiting, tooltip: `${waiting} for you to decide` } : undefined;
		possible("task", this.tasks.length > 0);
		possible("taskResult", this.tasks.some(hasResult));
		possible("taskPlan", this.tasks.some((t) => t.plan !== undefined));
		possible("taskResume", this.tasks.some(resumable));
		possible("taskCancel", this.tasks.some((t) => !ended(t)));
		this.changed.fire();
	}

	private follow(task: Task): void {
		const i = this.tasks.findIndex((t) => t.id === task.id);
		const before = this.tasks[i]?.state;
		this.tasks = i < 0 ? [task, ...this.tasks] : this.tasks.map((t) => (t.id === task.id ? task : t));
		this.refresh();
		if (before !== task.state) {
			void this.announce(task);
		}
	}

	/** Says that a task has ended or waits, with what can be done about it. */
	private async announce(task: Task): Promise<void> {
		const text = ending(task);
		if (!text) {
			return;
		}
		const choices: [string, () => Promise<void>][] = [];
		if (task.state === "planned") {
			choices.push(["Run", () => this.resume(task)], ["Show the plan", () => this.plan(task)], ["Cancel", () => this.cancel(task)]);
		} else if (task.state === "waiting") {
			choices.push(["Answer", () => this.steer(task)], ["Go on", () => this.resume(task)], ["Cancel", () => this.cancel(task)]);
		} else if (hasResult(task)) {
			choices.push(["Show changes", () => this.show(task)], ["Accept", () => this.accept({ kind: "task", task })], ["Reject", () => this.reject(task)]);
		} else if (ended(task) && task.state !== "done") {
			choices.push(["Resume", () => this.resume(task)]);
		}
		const show = task.state === "failed" || task.state === "interrupted" ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
		const chosen = await show(`tandem: ${text}`, ...choices.map(([label]) => label));
		try {
			await choices.find(([label]) => label === chosen)?.[1]();
		} catch (e) {
			void showError(e);
		}
	}

	private async request<R>(params: ext.ResolveParams): Promise<R> {
		if (!this.session) {
			throw new Error("No server runs.");
		}
		return (await this.session.request(ext.resolve, params)) as R;
	}

	private taskItem(task: Task): vscode.TreeItem {
		const shown = taskShown(task);
		// The result of a task may come after its end, and a row that was closed stays closed.
		const resultLess = ended(task) && task.state !== "done" && !hasResult(task);
		const over = task.resolved || resultLess;
		const open = over ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.Expanded;
		const item = new vscode.TreeItem(task.title, task.steps.length ? open : vscode.TreeItemCollapsibleState.None);
		item.id = task.steps.length ? task.id : `${task.id} planning`; // VS Code keeps the state of a row that it knows: steps come open
		item.description = shown.text;
		item.iconPath = new vscode.ThemeIcon(shown.icon);
		item.contextValue = offers(task);
		item.tooltip = [task.title, shown.text, task.question, task.error, task.review].filter(Boolean).join("\n\n");
		return item;
	}

	private planLenses(document: vscode.TextDocument): vscode.CodeLens[] {
		const uri = document.uri.toString();
		if (!this.plans.has(uri)) {
			return [];
		}
		return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title: "$(play) Run this plan", command: "tandem.runPlan", arguments: [{ uri }] })];
	}
}

function stepItem(node: Node & { kind: "step" }): vscode.TreeItem {
	const { step, task, number } = node;
	const shown = stepShown(step);
	const item = new vscode.TreeItem(`${number}. ${step.title}`, step.files.length ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None);
	item.id = `${task.id} ${number}`;
	item.description = shown.text;
	item.iconPath = new vscode.ThemeIcon(shown.icon);
	item.contextValue = hasResult(task) && step.state === "done" ? "step result" : "step";
	item.tooltip = [step.title, shown.text, step.done && `Done means: ${step.done}`, ...(step.checks ?? [])].filter(Boolean).join("\n\n");
	return item;
}

function fileItem(node: Node & { kind: "file" }): vscode.TreeItem {
	const item = new vscode.TreeItem(node.file, vscode.TreeItemCollapsibleState.None);
	item.id = `${node.task.id} ${node.number} ${node.file}`;
	item.iconPath = vscode.ThemeIcon.File;
	item.contextValue = hasResult(node.task) ? "file result" : "file";
	if (hasResult(node.task)) {
		item.command = { title: "Show the change", command: "tandem.task.show", arguments: [node] };
	}
	return item;
}
