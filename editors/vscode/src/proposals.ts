import * as vscode from "vscode";
import { possible } from "./contexts";
import type { Session } from "./session";
import { showError } from "./session";
import type { Proposal, ProposedDocument, Verdict } from "./lspExt";
import * as ext from "./lspExt";
import { DrawnTasks } from "./drawnTasks";
import { ProposedTexts, diff, type Shown } from "./preview";
import type { StreamedEdit } from "./streamedEdit";

/**
 * Proposals that were made whole and wait for the user, such as all remaining places of a
 * change: a note with the change inside each document, lenses above it, marks on the
 * lines it touches. The server rebases and applies; this class shows them and asks the
 * user. It holds a proposal from its state "ready" to its end. What a model writes for
 * one document is a streamed edit and not shown here.
 */
export class Proposals implements vscode.CodeLensProvider, vscode.Disposable {
	private readonly disposables: vscode.Disposable[] = [];
	private readonly changed = new vscode.EventEmitter<void>();
	private readonly notes = vscode.comments.createCommentController("tandem", "tandem");
	private readonly touched = vscode.window.createTextEditorDecorationType({
		isWholeLine: true,
		backgroundColor: new vscode.ThemeColor("diffEditor.removedLineBackground"),
		overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.modifiedForeground"),
	});
	private readonly waiting = new Map<string, Proposal>();
	private readonly awaited = new Map<string, () => void>();
	private readonly threads = new Map<string, vscode.CommentThread[]>();
	private readonly texts = new ProposedTexts();
	private readonly tasks = new DrawnTasks(() => [...this.waiting.values()]);
	private session: Session | undefined;

	readonly onDidChangeCodeLenses = this.changed.event;

	constructor() {
		this.notes.options = { prompt: "Say what should be different", placeHolder: "Steer: say what should be different" };
		this.disposables.push(
			this.changed,
			this.notes,
			this.touched,
			this.texts,
			this.tasks,
			vscode.languages.registerCodeLensProvider({ scheme: "*" }, this),
			vscode.window.onDidChangeVisibleTextEditors(() => this.decorate()),
		);
	}

	attach(session: Session): void {
		this.session = session;
		session.on(ext.proposal, (p) => {
			if (!p.draft) {
				void this.follow(p); // the others are streamed edits
			}
		});
		session.onDidChangePhase((phase) => {
			if (phase !== "running") {
				this.forgetAll(); // a new server does not know the old one's proposals
			}
		});
	}

	dispose(): void {
		this.forgetAll();
		vscode.Disposable.from(...this.disposables).dispose();
	}

	/** The proposal for a command: the one with the id, else one of the document in the editor, else the newest. */
	find(id?: string): Proposal | undefined {
		if (id) {
			return this.waiting.get(id);
		}
		const uri = vscode.window.activeTextEditor?.document.uri.toString();
		const all = [...this.waiting.values()].reverse();
		return all.find((p) => p.documents?.some((d) => vscode.Uri.parse(d.uri).toString() === uri)) ?? all[0];
	}

	/** The proposal whose note a reply was written in. */
	ofThread(thread: vscode.CommentThread): string | undefined {
		return [...this.threads].find(([, list]) => list.includes(thread))?.[0];
	}

	async resolve(action: "accept" | "reject", id?: string, force?: boolean): Promise<void> {
		const p = this.find(id);
		if (!p) {
			throw new Error("No proposal waits. Ask for an edit first.");
		}
		if (action === "accept") {
			await this.session?.accept({ id: p.id, force });
		} else {
			await this.session?.request(ext.resolve, { id: p.id, action });
		}
	}

	/** Resolves when a proposal that the server has named is here. */
	async whenKnown(id: string): Promise<void> {
		if (!this.waiting.has(id)) {
			await new Promise<void>((done) => this.awaited.set(id, done));
		}
	}

	/** Opens the change as a diff, all its files in one editor, or one of them. */
	async show(id?: string, file?: string): Promise<void> {
		const p = this.find(id);
		if (!p) {
			throw new Error("No proposal waits. Ask for an edit first.");
		}
		await this.compare(p, await Promise.all((p.documents ?? []).filter((d) => !file || vscode.Uri.parse(d.uri).path.endsWith(`/${file}`)).map((d) => this.texts.put(p.id, d))));
	}

	/** Opens what is left of a streamed edit as a diff. */
	async showStreamed(edit: StreamedEdit): Promise<void> {
		const p = edit.answer?.proposal ?? { id: "stream", state: "streaming", costUSD: 0 };
		await this.compare(p, await Promise.all([...(edit.shown.length ? [edit.here] : []), ...edit.others].map((d) => this.texts.put(p.id, d))));
	}

	private async compare(p: Proposal, files: Shown[]): Promise<void> {
		const title = `tandem: ${p.title ?? "proposal"}`;
		const only = files.length === 1 ? files[0] : undefined;
		if (only) {
			await vscode.commands.executeCommand("vscode.diff", only.before, only.after, title, { preview: true });
		} else {
			await vscode.commands.executeCommand("vscode.changes", title, files.map((f) => [f.target, f.before, f.after]));
		}
	}

	provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
		const out: vscode.CodeLens[] = [];
		for (const p of [...this.waiting.values()].filter((p) => !p.taskId)) { // a task's would move the view
			const mine = p.documents?.find((d) => vscode.Uri.parse(d.uri).toString() === document.uri.toString());
			if (mine) {
				out.push(...lenses(p, new vscode.Range(firstLine(mine), 0, firstLine(mine), 0)));
			}
		}
		return out;
	}

	private async follow(p: Proposal): Promise<void> {
		switch (p.state) {
			case "ready":
				await this.ready(p);
				break;
			case "streaming":
			case "checking":
				break;
			default:
				this.forget(p.id);
				this.decorate();
				this.changed.fire();
				if (p.state === "failed" && p.error) {
					void vscode.window.showWarningMessage(`tandem: ${p.error}`);
				} else if (p.state === "stale") {
					void vscode.window.showInformationMessage(`tandem: ask again: “${p.title}” no longer fits the text.`);
				}
		}
	}

	/** A proposal is ready, or ready again after its text has changed. */
	private async ready(p: Proposal): Promise<void> {
		const known = this.waiting.has(p.id);
		this.forget(p.id);
		this.waiting.set(p.id, p);
		possible("proposal", true);
		this.awaited.get(p.id)?.();
		this.awaited.delete(p.id);
		this.changed.fire();
		this.decorate();
		const threads: vscode.CommentThread[] = [];
		this.threads.set(p.id, threads);
		for (const d of p.documents ?? []) {
			const uri = vscode.Uri.parse(d.uri);
			if (p.taskId) {
				continue; // reviewed in the view of tasks
			}
			const note = await this.note(p, d);
			if (this.waiting.get(p.id) !== p) {
				return; // a newer state arrived while the file was read
			}
			if (!d.create) {
				const line = firstLine(d);
				threads.push(this.thread(p, uri, line, note));
			}
		}
		if (!known && !p.taskId && !this.visible(p)) {
			await this.announce(p);
		}
	}

	private thread(p: Proposal, uri: vscode.Uri, line: number, note: vscode.Comment): vscode.CommentThread {
		const thread = this.notes.createCommentThread(uri, new vscode.Range(line, 0, line, 0), [note]);
		thread.contextValue = "tandemProposal";
		thread.label = `tandem proposes: ${p.title ?? "a change"}`;
		thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
		return thread;
	}

	private async note(p: Proposal, d: ProposedDocument): Promise<vscode.Comment> {
		const body = new vscode.MarkdownString();
		body.isTrusted = false;
		body.supportHtml = false;
		body.appendCodeblock(await diff(d), "diff");
		const doubt = said(p.verdict);
		if (doubt) {
			body.appendText(`⚠ ${doubt}`).appendMarkdown("\n\n");
		}
		body.appendText(facts(p));
		return { body, mode: vscode.CommentMode.Preview, author: { name: p.model || "tandem" } };
	}

	/** Shows a message for a proposal whose documents are not visible, as at the end of a task. */
	private async announce(p: Proposal): Promise<void> {
		const n = p.documents?.length ?? 0;
		const chosen = await vscode.window.showInformationMessage(
			`tandem: “${p.title}” is ready, ${n} file${n === 1 ? "" : "s"}.`, "Show changes", "Accept", "Reject",
		);
		try {
			if (chosen === "Show changes") {
				await this.show(p.id);
			} else if (chosen) {
				await this.resolve(chosen === "Accept" ? "accept" : "reject", p.id);
			}
		} catch (e) {
			void showError(e);
		}
	}

	private visible(p: Proposal): boolean {
		const shown = vscode.window.visibleTextEditors.map((e) => e.document.uri.toString());
		return (p.documents ?? []).every((d) => shown.includes(vscode.Uri.parse(d.uri).toString()));
	}

	private decorate(): void {
		this.tasks.draw();
		for (const editor of vscode.window.visibleTextEditors) {
			const uri = editor.document.uri.toString();
			const ranges = [...this.waiting.values()]
				.filter((p) => !p.taskId)
				.flatMap((p) => p.documents ?? [])
				.filter((d) => vscode.Uri.parse(d.uri).toString() === uri && d.version === editor.document.version)
				.flatMap((d) => d.edits.filter((e) => e.range.start.line !== e.range.end.line || e.range.start.character !== e.range.end.character))
				.map((e) => new vscode.Range(e.range.start.line, 0, e.range.end.character === 0 ? e.range.end.line - 1 : e.range.end.line, 0));
			editor.setDecorations(this.touched, ranges);
		}
	}

	private forget(id: string): void {
		for (const t of this.threads.get(id) ?? []) {
			t.dispose();
		}
		this.threads.delete(id);
		this.waiting.delete(id);
		possible("proposal", this.waiting.size > 0);
	}

	private forgetAll(): void {
		for (const id of [...this.waiting.keys()]) {
			this.forget(id);
		}
		this.decorate();
		this.changed.fire();
	}
}

function firstLine(d: ProposedDocument): number {
	return Math.min(...d.edits.map((e) => e.range.start.line), Number.MAX_SAFE_INTEGER) % Number.MAX_SAFE_INTEGER;
}

function lenses(p: Proposal, range: vscode.Range): vscode.CodeLens[] {
	const args = [{ id: p.id }];
	const force = byForce(p);
	return [
		new vscode.CodeLens(range, { title: force ? "$(warning) Apply anyway" : "$(check) Accept", command: "tandem.accept", arguments: [{ id: p.id, force }] }),
		...(p.breaks?.length ? [new vscode.CodeLens(range, { title: completes(p.breaks.length), command: "tandem.completeChange", arguments: args })] : []),
		new vscode.CodeLens(range, { title: "$(close) Reject", command: "tandem.reject", arguments: args }),
		new vscode.CodeLens(range, { title: "$(diff) Show changes", command: "tandem.showChanges", arguments: args }),
		new vscode.CodeLens(range, { title: "Steer…", command: "tandem.steer", arguments: args }),
	];
}

/** The title of what mends places that a change breaks. */
export function completes(places: number): string {
	return `$(references) Complete at ${places} place${places > 1 ? "s" : ""}`;
}

/** Whether a proposal is accepted by force alone: it failed its checks, or is a part of an answer that was cut. */
export function byForce(p: Proposal | undefined): boolean {
	return p?.verdict?.state === "failed" || p?.end?.whole === false;
}

/** What a verdict says that a person should know before accepting; "" if all passed. */
export function said(verdict: Verdict | undefined): string {
	return !verdict || verdict.state === "passed" ? "" : `${verdict.state === "failed" ? "failed its checks" : "not judged"}: ${verdict.reason ?? ""}`;
}

/** Lane, tokens and cost of a proposal, in one line. */
function facts(p: Proposal): string {
	const out: string[] = [];
	if (p.lane) {
		out.push(`${p.lane} lane`);
	}
	if (p.tokens) {
		out.push(`${p.tokens} tokens${p.tokensPerSecond ? ` at ${Math.round(p.tokensPerSecond)} tokens/s` : ""}`);
	}
	if (p.costUSD >= 0.00005) {
		out.push(`$${p.costUSD.toFixed(4)}`);
	}
	return out.join(" · ");
}
