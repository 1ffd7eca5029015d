import * as vscode from "vscode";
import type { Range } from "vscode-languageclient/node";
import { acceptedCommand } from "./inline";
import { possible } from "./contexts";
import * as ext from "./lspExt";
import type { Answers } from "./answers";
import type { ChangeNode, ChangesReview } from "./changes";
import type { InstructionBox } from "./instruction";
import type { Proposals } from "./proposals";
import { shownProposal } from "./preview";
import type { Session } from "./session";
import { showError } from "./session";
import type { Problem, StreamedEdit } from "./streamedEdit";
import type { StreamedEdits } from "./streamedEdits";
import type { StatusItem } from "./status";
import type { Node, Tasks } from "./tasks";
import { ended, hasResult, resumable } from "./taskText";
import type { Tour } from "./tour";
import { writeCommitMessage } from "./commit";

/** What commands work with. Each start of the server makes a new session, so call session() each time. */
export interface Parts {
	session(): Session;
	proposals: Proposals;
	streamed: StreamedEdits;
	instructions: InstructionBox;
	tasks: Tasks;
	answers: Answers;
	changes: ChangesReview;
	tour: Tour;
	restart(): Promise<void>;
	status: StatusItem;
	/** With the name of a provider: asks for its key alone. */
	setUp(key?: string): Promise<void>;
	output: vscode.LogOutputChannel;
}

/** The arguments that a lens, an action or the server passes to a command; the palette passes none. */
interface Args {
	id?: string;
	uri?: string;
	range?: Range;
	instruction?: string;
	/** The problems to fix; all: of one kind, wherever they are in the range. */
	diagnostics?: ext.Diagnostic[];
	all?: boolean;
	question?: string;
	hunk?: number;
	/** Apply what failed its checks. */
	force?: boolean;
	/** The streamed edit that a lens belongs to. */
	edit?: number;
}

type Run = (parts: Parts, args?: Args) => Promise<unknown>;

/** Every command, by its id. Each can be run from the palette, a lens, an action or a key. */
const table: Record<string, Run> = {
	"tandem.edit": edit,
	"tandem.escalate": escalate,
	"tandem.ask": ask,
	"tandem.fix": fix,
	"tandem.debug": debug,
	"tandem.explain": here("tandem.explain"),
	"tandem.document": writes("document"),
	"tandem.test": writes("test"),
	"tandem.review": here("tandem.review"),
	"tandem.accept": streamedOr((parts, edit, args) => parts.streamed.accept(edit, args?.force), (parts, args) => parts.proposals.resolve("accept", args?.id, args?.force)),
	"tandem.reject": streamedOr((parts, edit) => parts.streamed.reject(edit), (parts, args) => parts.proposals.resolve("reject", args?.id)),
	"tandem.acceptHunk": streamed((parts, edit, args) => parts.streamed.hunk(edit, "accept", args?.hunk)),
	"tandem.rejectHunk": streamed((parts, edit, args) => parts.streamed.hunk(edit, "reject", args?.hunk)),
	"tandem.nextHunk": streamed(async (parts, edit) => parts.streamed.next(edit, 1)),
	"tandem.previousHunk": streamed(async (parts, edit) => parts.streamed.next(edit, -1)),
	"tandem.stop": streamed(async (parts, edit) => parts.streamed.stop(edit)),
	"tandem.tryAgain": streamed((parts, edit) => parts.streamed.again(edit)),
	"tandem.deeper": streamed((parts, edit) => parts.streamed.again(edit, "deep")),
	"tandem.earlierInstruction": async (parts) => parts.instructions.history(1),
	"tandem.laterInstruction": async (parts) => parts.instructions.history(-1),
	"tandem.showChanges": streamedOr((parts, edit) => parts.proposals.showStreamed(edit), (parts, args) => parts.proposals.show(args?.id)),
	"tandem.steer": streamedOr(steerStreamed, steer),
	"tandem.completeChange": streamedOr((parts, edit) => complete(parts, edit.answer?.proposal.id), (parts, args) => complete(parts, parts.proposals.find(args?.id)?.id)),
	"tandem.more": streamed((parts, edit) => parts.streamed.more(edit)),
	"tandem.alternatives": streamed((parts, edit) => parts.streamed.alternatives(edit)),
	"tandem.showWindow": here("tandem.showWindow"),
	"tandem.tasks": async () => vscode.commands.executeCommand("tandem.tasksView.focus"),
	"tandem.runPlan": (parts, args) => parts.tasks.runPlan(args?.uri ?? ""),
	"tandem.followUp": followUp,
	"tandem.showAnswerWindow": (parts) => parts.answers.showWindow(),
	"tandem.stopAnswer": async (parts) => parts.answers.stop(),
	"tandem.status": (parts) => parts.status.show(),
	"tandem.selectProfile": selectProfile,
	"tandem.takeBack": (parts, args) => parts.session().execute("tandem.takeBack", args),
	"tandem.snooze": snooze,
	"tandem.commitMessage": (parts, args) => writeCommitMessage(parts.session(), args),
	"tandem.menu": menu,
	"tandem.tour": async (parts) => {
		await vscode.commands.executeCommand("workbench.action.openWalkthrough", "tandem.tandem#start", false);
		await parts.tour.rename();
	},
	"tandem.tour.rename": (parts) => parts.tour.rename(),
	"tandem.tour.name": (parts) => parts.tour.madeUpName(),
	"tandem.tour.ask": (parts) => parts.tour.question(),
	"tandem.tour.end": (parts) => parts.tour.end(),
	"tandem.restart": (parts) => parts.restart(),
	"tandem.setUp": (parts, args) => parts.setUp(args?.id),
	"tandem.showLog": async (parts) => parts.output.show(),
};

/** Registers every command; an error is shown as one sentence. */
export function registerCommands(parts: Parts): vscode.Disposable {
	const all: Record<string, (parts: Parts, args?: never) => Promise<unknown>> = { ...table, ...taskCommands, ...changeCommands };
	const list = Object.entries(all).map(([id, run]) =>
		vscode.commands.registerCommand(id, async (args?: never) => {
			try {
				return await run(parts, args);
			} catch (e) {
				if (!(e instanceof vscode.CancellationError)) {
					void showError(e);
				}
				return undefined;
			}
		}),
	);
	list.push(
		vscode.commands.registerCommand(acceptedCommand, (id: string) => accepted(parts, id)),
		vscode.commands.registerCommand("tandem.steerReply", (reply: vscode.CommentReply) => steerReply(parts, reply)),
	);
	return vscode.Disposable.from(...list);
}

async function accepted(parts: Parts, id: string): Promise<void> {
	possible("accepted", true);
	await parts.session().execute("github.copilot.didAcceptCompletionItem", { id });
}

function activeEditor(): vscode.TextEditor {
	const editor = vscode.window.activeTextEditor;
	if (!editor) {
		throw new Error("Open a file first.");
	}
	return editor;
}

/** The place in the editor, in the form that the server's commands take. */
function place(parts: Parts): { uri: string; range: Range } {
	const editor = activeEditor();
	return { uri: parts.session().uri(editor.document.uri), range: parts.session().range(editor.selection) };
}

/** A command of the server at the given place, else at the cursor. */
function here(command: string): Run {
	return (parts, args) => parts.session().execute(command, args?.uri ? args : place(parts));
}

/** Asks the user for a text; an empty or closed box cancels the command. */
async function askText(title: string, placeHolder: string): Promise<string> {
	const text = await vscode.window.showInputBox({ title, placeHolder, ignoreFocusOut: true });
	if (!text?.trim()) {
		throw new vscode.CancellationError();
	}
	return text;
}

/** A command for the streamed edit that a lens names, else for the one at the cursor. */
function streamedOr(run: (parts: Parts, edit: StreamedEdit, args: Args | undefined) => Promise<unknown>, otherwise: Run): Run {
	return (parts, args) => {
		const id = args?.id ?? (args instanceof vscode.Uri ? shownProposal(args) : undefined); // the buttons of a diff pass what it shows
		const found = id ? parts.streamed.ofProposal(id) : parts.streamed.find(args?.edit);
		return found ? run(parts, found, args) : otherwise(parts, id ? { ...args, id } : args);
	};
}

function streamed(run: (parts: Parts, edit: StreamedEdit, args: Args | undefined) => Promise<unknown>): Run {
	return streamedOr(run, async () => {
		throw new Error("No edit is shown in this file. Ask for one first.");
	});
}

async function edit(parts: Parts, args: Args | undefined): Promise<void> {
	const editor = await editorFor(args);
	const selection = args?.range ? selectionOf(args.range) : editor.selection;
	const session = parts.session();
	const textDocument = { uri: session.uri(editor.document.uri) };
	const range = session.range(selection);
	let instruction = args?.instruction;
	let lane: string | undefined;
	if (!instruction) {
		const title = `tandem: ${selection.isEmpty ? "Edit at the cursor" : "Edit the selection"}`;
		const asked = await parts.instructions.ask(title, (lane) => session.request(ext.estimate, { textDocument, range, instruction: "", lane }));
		if (!asked) {
			return;
		}
		({ text: instruction, lane } = asked);
	}
	parts.streamed.start(editor, { kind: "edit", instruction, lane, selection });
}

/** An edit whose instruction needs no text from the user, at the given place, else at the cursor. */
function writes(kind: ext.EditKind): Run {
	return async (parts, args) => {
		const editor = await editorFor(args);
		parts.streamed.start(editor, { kind, instruction: args?.instruction ?? "", selection: args?.range ? selectionOf(args.range) : editor.selection });
	};
}

/** The editor of the document that a code action names, else the active one. */
async function editorFor(args: Args | undefined): Promise<vscode.TextEditor> {
	const uri = args?.uri && vscode.Uri.parse(args.uri);
	const open = uri && vscode.window.visibleTextEditors.find((e) => e.document.uri.toString() === uri.toString());
	return open || (uri ? vscode.window.showTextDocument(uri) : activeEditor());
}

function selectionOf(range: Range): vscode.Selection {
	return new vscode.Selection(range.start.line, range.start.character, range.end.line, range.end.character);
}

async function steerStreamed(parts: Parts, edit: StreamedEdit): Promise<void> {
	const text = await askText("tandem: Steer", "What should be different?");
	await parts.streamed.steer(edit, text);
}

/** Fixes the problems that an action names, else those that any extension reports in the selection. */
async function fix(parts: Parts, args: Args | undefined): Promise<void> {
	const editor = await editorFor(args);
	const selection = args?.range ? selectionOf(args.range) : editor.selection;
	const problems = args?.diagnostics?.map((d) => ({ ...d, range: selectionOf(d.range) })) ?? problemsIn(editor.document, selection);
	parts.streamed.start(editor, { kind: "fix", instruction: "", selection, problems, all: args?.all });
}

function problemsIn(document: vscode.TextDocument, range: vscode.Range): Problem[] {
	return vscode.languages
		.getDiagnostics(document.uri)
		.filter((d) => d.range.intersection(range))
		.map((d) => ({ range: d.range, message: d.message, severity: d.severity + 1, source: d.source }));
}

async function escalate(parts: Parts, args: Args | undefined): Promise<void> {
	const at = args?.uri ? args : vscode.window.activeTextEditor ? place(parts) : {};
	const instruction = args?.instruction ?? (await askText("tandem: Escalate to the deep model", "What should it do? It works in the background."));
	await parts.session().execute("tandem.escalate", { ...at, instruction });
}

async function debug(parts: Parts): Promise<void> {
	const text = await askText("tandem: Debug", "Paste a stack trace, or describe what goes wrong");
	const editor = vscode.window.activeTextEditor;
	if (editor) {
		parts.streamed.start(editor, { kind: "debug", instruction: text, selection: editor.selection });
	} else {
		await parts.session().execute("tandem.debug", { text }); // in the open document that the trace names
	}
}

async function ask(parts: Parts, args: Args | undefined): Promise<void> {
	await parts.answers.ask(args?.question ?? (await askText("tandem: Ask", "Ask about this code")));
}

async function followUp(parts: Parts, args: Args | undefined): Promise<void> {
	if (!parts.answers.has()) {
		return ask(parts, args);
	}
	await parts.answers.followUp(args?.question ?? (await askText("tandem: Follow-up", "It knows what was asked and answered before")));
}

/** Has the model change what a proposal breaks in other files. */
async function complete(parts: Parts, id: string | undefined): Promise<unknown> {
	if (!id) {
		throw new Error("No proposal waits that could be completed.");
	}
	return parts.session().execute("tandem.completeChange", { id });
}

async function steer(parts: Parts, args: Args | undefined): Promise<void> {
	const p = parts.proposals.find(args?.id);
	if (!p) {
		throw new Error("No proposal waits that could be steered.");
	}
	const text = await askText(`tandem: Steer “${p.title ?? ""}”`, "What should be different?");
	await parts.session().request(ext.steer, { id: p.id, text });
}

async function steerReply(parts: Parts, reply: vscode.CommentReply): Promise<void> {
	const id = parts.proposals.ofThread(reply.thread);
	if (id) {
		await parts.session().request(ext.steer, { id, text: reply.text });
	}
}

/** A command for a row of the view of tasks, else for a task that the user picks. */
function task(run: (tasks: Tasks, task: ext.Task) => Promise<void>, wanted: (t: ext.Task) => boolean): (parts: Parts, node?: Node) => Promise<void> {
	return async (parts, node) => {
		const found = await parts.tasks.pick(node, wanted);
		if (found) {
			await run(parts.tasks, found);
		}
	};
}

const running = (t: ext.Task) => !ended(t);
const taskCommands: Record<string, (parts: Parts, node?: Node) => Promise<void>> = {
	"tandem.cancel": task((tasks, t) => tasks.cancel(t), running),
	"tandem.task.steer": task((tasks, t) => tasks.steer(t), () => true),
	"tandem.task.resume": task((tasks, t) => tasks.resume(t), resumable),
	"tandem.task.plan": task((tasks, t) => tasks.plan(t), (t) => t.plan !== undefined),
	"tandem.task.show": async (parts, node) => {
		const found = await parts.tasks.pick(node, hasResult);
		if (found) {
			await parts.tasks.show(found, node?.kind === "file" ? node.file : undefined);
		}
	},
	"tandem.task.accept": async (parts, node) => {
		const found = await parts.tasks.pick(node, hasResult);
		if (found) {
			await parts.tasks.accept(node ?? { kind: "task", task: found });
		}
	},
	"tandem.task.reject": task((tasks, t) => tasks.reject(t), hasResult),
};

const changeCommands: Record<string, (parts: Parts, node?: ChangeNode) => Promise<void>> = {
	"tandem.changes": (parts) => parts.changes.start(),
	"tandem.changes.moment": (parts) => parts.changes.moment(),
	"tandem.changes.show": async (parts, node) => node && parts.changes.show(node),
	"tandem.changes.next": (parts) => parts.changes.next(1),
	"tandem.changes.previous": (parts) => parts.changes.next(-1),
	"tandem.changes.reviewed": (parts, node) => parts.changes.mark("reviewed", node),
	"tandem.changes.keep": (parts, node) => parts.changes.mark("kept", node),
	"tandem.changes.revert": (parts, node) => parts.changes.revert(node),
	"tandem.changes.close": (parts) => parts.changes.close(),
};

async function selectProfile(parts: Parts, args: Args | undefined): Promise<void> {
	const profile = args?.id ?? (await vscode.window.showInputBox({ title: "tandem: Profile", placeHolder: "A [profiles.NAME] of your configuration; empty for none" }));
	if (profile !== undefined) {
		await parts.session().execute("tandem.selectProfile", { profile });
	}
}

async function snooze(parts: Parts): Promise<void> {
	const items = [5, 30, 60, 240].map((minutes) => ({ label: minutes < 60 ? `${minutes} minutes` : `${minutes / 60} h`, minutes }));
	const chosen = await vscode.window.showQuickPick([...items, { label: "Wake up", minutes: 0 }], { title: "tandem: No suggestions for" });
	if (chosen) {
		await parts.session().execute("tandem.snooze", { minutes: chosen.minutes });
	}
}

/** The menu that a click on the status bar opens. */
async function menu(parts: Parts): Promise<void> {
	const all: [string, string, boolean?][] = [
		["$(info) What works, and why nothing is shown", "tandem.status"],
		["$(edit) Edit with an instruction", "tandem.edit", true],
		["$(comment-discussion) Ask", "tandem.ask"],
		["$(rocket) Escalate to the deep model", "tandem.escalate", true],
		["$(checklist) Tasks", "tandem.tasks", true],
		["$(git-compare) Review changes", "tandem.changes"],
		["$(eye) What a model is shown here", "tandem.showWindow"],
		["$(bell-slash) Snooze", "tandem.snooze"],
		["$(settings) Select a profile", "tandem.selectProfile"],
		["$(plug) Set up a model", "tandem.setUp"],
		["$(output) Log", "tandem.showLog"],
		["$(debug-restart) Restart", "tandem.restart"],
	];
	const items = all.filter(([, , asksModel]) => !asksModel || parts.status.hasModel).map(([label, command]) => ({ label, command }));
	const chosen = await vscode.window.showQuickPick(items, { title: "tandem" });
	if (chosen) {
		await vscode.commands.executeCommand(chosen.command);
	}
}
