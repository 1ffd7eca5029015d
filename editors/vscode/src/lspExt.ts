// All of tandem's extensions to LSP. docs/protocol.md describes them.

import { NotificationType, RequestType } from "vscode-languageclient/node";
import type { Location, Position, Range, TextDocumentIdentifier, TextEdit } from "vscode-languageclient/node";

export type ProposalState = "streaming" | "checking" | "ready" | "stale" | "failed" | "accepted" | "rejected";

export interface ProposedDocument {
	uri: string;
	version: number;
	edits: TextEdit[];
	create?: boolean;
	delete?: boolean;
}

export interface Check {
	kind: "syntax" | "names" | "safety";
	ok: boolean;
	message: string;
	names: string[];
}

/** What an edit makes of the document that shows it: all changes so far, as whole lines of the document's version. */
export interface DraftNote {
	uri: string;
	version: number;
	hunks: { start: number; end: number; lines: string[] }[];
}

/** What the checks say of the texts that a proposal makes. */
export interface Verdict {
	state: "passed" | "failed" | "not_judged";
	reason?: string;
}

/** How the answer ended that a proposal comes from: whole, or cut with a reason. */
export interface End {
	whole: boolean;
	reason?: string;
}

/** The code of the error for accepting what failed its checks without force. */
export const failedChecks = "failed_checks";

/** The code of the error for what the built-in engine cannot do. */
export const needsModel = "needs_model";

export interface Proposal {
	id: string;
	state: ProposalState;
	title?: string;
	lane?: string;
	model?: string;
	reason?: string;
	documents?: ProposedDocument[];
	append?: { uri: string; text: string };
	draft?: DraftNote;
	verdict?: Verdict;
	/** What it breaks in files that it leaves as they are. */
	breaks?: { uri: string; range: Range }[];
	end?: End;
	checks?: Check[];
	alternatives?: string[];
	/** The task whose result it is. */
	taskId?: string;
	/** More steps of that task are to come. */
	running?: boolean;
	/** Drawn in no document. */
	quiet?: boolean;
	tokens?: number;
	tokensPerSecond?: number;
	firstTokenMs?: number;
	costUSD: number;
	error?: string;
}

export interface LaneStatus {
	provider: string;
	model: string;
	servedModel: string;
	state: string;
	usedPercent: number;
	resetsAt?: string;
	dayUSD?: number;
	reason?: string;
}

export interface Status {
	busy: boolean;
	lanes: { [lane: string]: LaneStatus };
	index: { files: number; ready: boolean };
	costUSD: number;
	reason: string;
	/** Snoozed. */
	paused?: boolean;
	others?: string;
	/** In the configuration. */
	mistake?: string;
}

/** A message, and what mends it: a line of a file, the key of a provider, or another choice in Set Up. */
export interface Notice {
	message: string;
	uri?: string;
	line?: number;
	provider?: string;
	setUp?: boolean;
}

export type TaskState = "queued" | "planning" | "planned" | "running" | "waiting" | "done" | "failed" | "cancelled" | "interrupted";

export interface Task {
	id: string;
	title: string;
	state: TaskState;
	steps: TaskStep[];
	/** The steps as text, one a line. */
	plan?: string;
	/** What the task asks while it waits. */
	question?: string;
	costUSD: number;
	estimate?: { tokens: number; costUSD: number };
	proposalId?: string;
	/** There is a result to ask for. */
	hasResult?: boolean;
	resolved?: "accepted" | "rejected";
	review?: string;
	error?: string;
}

export interface TaskStep {
	title: string;
	lane: string;
	state: TaskState;
	files: string[];
	done?: string;
	model?: string;
	costUSD: number;
	checks?: string[];
	error?: string;
}

/** The answer to accepting a part of a task: what does not fit the files any more is left out. */
export interface Accepted {
	files: number;
	conflicts: { path: string; line: number; message: string }[];
}

/** What an edit is for; each kind but edit and debug has an instruction of its own, to which the user's is added. */
export type EditKind = "edit" | "fix" | "debug" | "document" | "test";

export interface EditParams {
	textDocument: TextDocumentIdentifier;
	range: Range;
	kind?: EditKind;
	instruction: string;
	/** What to fix. */
	diagnostics?: Diagnostic[];
	/** The problems are all of one kind, wherever they are in the range. */
	all?: boolean;
	lane?: string;
	alternatives?: number;
	/** The client shows the answer in its document and applies it there. */
	draft?: boolean;
	/** How often the same was asked before. */
	attempt?: number;
	/** The proposal whose answer this one continues, as steering says. */
	after?: string;
	steering?: string;
	workDoneToken?: string;
	partialResultToken?: string;
}

export interface EditPart {
	proposal: Proposal;
}

/** What an edit would be sent as. */
export interface Estimate {
	lane: string;
	model: string;
	reason: string;
	tokens: number;
	costUSD: number;
}

export interface AskParams {
	question: string;
	textDocument?: TextDocumentIdentifier;
	position?: Position;
	thread?: string;
	partialResultToken?: string;
}

export interface Answer {
	answer: string;
	citations: Location[];
	interrupted?: boolean;
	/** Why it was interrupted. */
	reason?: string;
	/** A document with what the model was shown. */
	window?: string;
}

export interface AnswerPart {
	answer: string;
}

export interface ResolveParams {
	id: string;
	action: "accept" | "reject" | "acceptHunk" | "show";
	hunk?: number;
	step?: number;
	file?: string;
	/** Apply what failed its checks. */
	force?: boolean;
}

/** What the server gets once, when it starts. */
export interface InitializationOptions {
	trusted: boolean;
	profile?: string;
	/** User-level values of [editor] settings, by their dotted names. */
	settings: Record<string, unknown>;
}

/** Announced as capabilities.experimental.tandem. */
export const capability = { proposals: true, status: true, tasks: true, inline: true, jumps: true, notices: true };

export interface Diagnostic {
	range: Range;
	severity: number;
	code?: string | number;
	source?: string;
	message: string;
}

export interface DiagnosticsParams {
	textDocument: { uri: string; version: number };
	added: Diagnostic[];
	removed: Diagnostic[];
}

export interface NextEditList {
	edits: { text: string; textDocument: { uri: string; version: number }; range: Range; targetLine?: number; command: { arguments?: unknown[] }; jump?: string; title?: string }[];
}

/** A place of a name, and what a rename writes there beside the new name where that is known. */
export interface Use extends Location {
	prefixText?: string;
	suffixText?: string;
}

/** What the editor's other language servers answer for the references of a declared name. */
export interface References {
	uri: string;
	version: number;
	range: Range;
	name: string;
	locations: Use[];
}

export const declarations = new RequestType<{ textDocument: { uri: string; version: number }; position: Position }, { declarations: { name: string; range: Range }[] }, void>("tandem/declarations");
export const references = new NotificationType<References>("tandem/references");
export const nextEdit = new RequestType<{ textDocument: { uri: string; version: number }; position: Position }, NextEditList, void>("textDocument/copilotInlineEdit");
export const nextEditShown = new RequestType<{ uuid: string }, string, void>("notifyShown");
export const nextEditAccepted = new RequestType<{ uuid: string }, string, void>("notifyAccepted");
export const nextEditRejected = new RequestType<{ uuid: string }, string, void>("notifyNextEditRejected");
export const didChangeDiagnostics = new NotificationType<DiagnosticsParams>("tandem/didChangeDiagnostics");

export const proposal = new NotificationType<Proposal>("tandem/proposal");
export const status = new NotificationType<Status>("tandem/status");
export const notice = new NotificationType<Notice>("tandem/notice");
export const task = new NotificationType<Task>("tandem/task");
export const inlineReady = new NotificationType<{ uri: string; version: number }>("tandem/inlineReady");
export const inlineMark = new NotificationType<{ uri: string; version: number; position: Position }>("tandem/inlineMark");
export const didChangeOtherInline = new NotificationType<{ providers: string[] }>("tandem/didChangeOtherInline");
/** Without settings it says that a key was stored. */
export const didChangeConfiguration = new NotificationType<{ settings: null }>("workspace/didChangeConfiguration");
export const didChangeTrust = new NotificationType<{ trusted: boolean }>("tandem/didChangeTrust");

export const edit = new RequestType<EditParams, { proposalId: string }, void>("tandem/edit");
export const estimate = new RequestType<EditParams, Estimate, void>("tandem/estimate");
export const ask = new RequestType<AskParams, Answer, void>("tandem/ask");
export const resolve = new RequestType<ResolveParams, unknown, void>("tandem/resolve");
export const tasks = new RequestType<object, { tasks: Task[] }, void>("tandem/tasks");
export const resume = new RequestType<{ id: string }, unknown, void>("tandem/resume");
export const plan = new RequestType<{ id: string; text: string }, null, void>("tandem/plan");
export const cancel = new RequestType<{ id: string }, null, void>("tandem/cancel");
export const steer = new RequestType<{ id: string; text: string }, null, void>("tandem/steer");
