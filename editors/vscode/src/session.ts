import * as vscode from "vscode";
import { CloseAction, ErrorAction, ErrorCodes, LanguageClient, ProgressType, ResponseError, State } from "vscode-languageclient/node";
import type {
	ClientCapabilities,
	CloseHandlerResult,
	DynamicFeature,
	LanguageClientOptions,
	Middleware,
	NotificationType,
	Range,
	RequestType,
	StaticFeature,
} from "vscode-languageclient/node";
import * as ext from "./lspExt";
import { otherProviders, settingsOfOthers } from "./otherProviders";
import { editorSettings, serverProgram, userSetting } from "./program";

/** The schemes of documents that are sent. Documents of other kinds, such as output channels, are not sent. */
const schemes = ["file", "untitled", "vscode-notebook-cell", "vscode-remote", "vscode-vfs", "vscode-userdata"];

/** After this running time a server has recovered; its next crash counts as the first. */
const recoveredMs = 60_000;
const longestDelayMs = 30_000;

/** The delay before the nth restart in a row: none at first, then exponential backoff. */
export function restartDelay(crashes: number): number {
	return crashes <= 1 ? 0 : Math.min(longestDelayMs, 250 * 2 ** (crashes - 1));
}

/** The state of a session, for the status bar. */
export type Phase = "starting" | "running" | "restarting" | "failed" | "stopped";

/**
 * One server process and everything with the same lifetime. There is one
 * session at a time, and disposing of it ends the process. A session does not
 * show anything; it emits events and takes requests.
 */
export class Session implements vscode.Disposable {
	private readonly disposables: vscode.Disposable[] = [];
	private readonly phases = new vscode.EventEmitter<Phase>();
	private readonly client: Client;
	private readonly handlers = new Map<string, unknown>();
	private streams = 0;
	private crashes = 0;
	private startedAt = 0;
	private failure = "";
	private current: Phase = "starting";
	private disposed = false;

	readonly onDidChangePhase = this.phases.event;

	/** With a folder the server knows that one alone, and asks no model. */
	constructor(extension: vscode.Uri, output: vscode.LogOutputChannel, middleware: Middleware, folder?: vscode.WorkspaceFolder) {
		const { command, args } = serverProgram(extension, ...(folder ? ["--offline"] : []));
		this.client = new Client("tandem", "tandem", { command, args }, { ...this.options(output, middleware), workspaceFolder: folder });
		this.client.registerFeature(new Extensions());
		this.disposables.push(
			this.phases,
			this.client.onDidChangeState((e) => this.follow(e.newState)),
			vscode.extensions.onDidChange(() => this.sendOthers()),
			vscode.workspace.onDidChangeConfiguration((e) => settingsOfOthers.some((s) => e.affectsConfiguration(s)) && this.sendOthers()),
			vscode.workspace.onDidGrantWorkspaceTrust(() => this.notify(ext.didChangeTrust, { trusted: true })),
		);
	}

	get phase(): Phase {
		return this.current;
	}

	/** Why the server could not be started. */
	get reason(): string {
		return this.failure;
	}

	/** Resolves when the server answers; rejects when it cannot be started. */
	async start(): Promise<void> {
		try {
			await this.client.start();
		} catch (e) {
			this.failure = errorMessage(e);
			this.enter("failed");
			throw e;
		}
	}

	/** Names the other extensions that suggest at the cursor: VS Code shows one of all. */
	private sendOthers(): void {
		this.notify(ext.didChangeOtherInline, { providers: otherProviders() });
	}

	/** Calls back on a notification of the server, across restarts. */
	on<P>(type: NotificationType<P>, handler: (params: P) => void): void {
		const known = this.handlers.get(type.method) as ((params: P) => void)[] | undefined;
		if (known) {
			known.push(handler);
			return;
		}
		const all = [handler]; // the client library keeps one handler for a method
		this.handlers.set(type.method, all);
		this.disposables.push(this.client.onNotification(type.method, (params: P) => all.forEach((h) => h(params))));
	}

	/** Sends a request, when the server runs. */
	async request<P, R>(type: RequestType<P, R, void>, params: P, token?: vscode.CancellationToken): Promise<R> {
		await this.ready();
		return token ? this.client.sendRequest<R>(type.method, params, token) : this.client.sendRequest<R>(type.method, params);
	}

	/** Accepts a proposal or a part of it. What failed its checks is applied only if the user says so; undefined if not. */
	async accept(params: { id: string; step?: number; file?: string; force?: boolean }): Promise<{ answer: unknown } | undefined> {
		try {
			return { answer: await this.request(ext.resolve, { ...params, action: "accept" }) };
		} catch (e) {
			if ((e as { data?: { code?: string } }).data?.code !== ext.failedChecks) {
				throw e;
			}
			const anyway = "Apply anyway";
			const chosen = await vscode.window.showWarningMessage(`tandem: ${errorMessage(e)}`, anyway);
			return chosen === anyway ? this.accept({ ...params, force: true }) : undefined;
		}
	}

	/** Sends a request whose result arrives in parts before it is there. */
	async stream<P, R, T>(type: RequestType<P, R, void>, params: P, onPart: (part: T) => void, token?: vscode.CancellationToken): Promise<R> {
		const partialResultToken = `part-${++this.streams}`; // the server names the progress that it begins "tandem-1", and the client library keeps both in one list
		const registration = this.client.onProgress(new ProgressType<T>(), partialResultToken, onPart);
		try {
			return await this.request(type, { ...params, partialResultToken }, token);
		} finally {
			registration.dispose();
		}
	}

	/** Whether a request failed because the server ended before it answered. */
	lost(e: unknown): boolean {
		return this.current !== "running" || (e instanceof ResponseError && (e.code === ErrorCodes.PendingResponseRejected || e.code === ErrorCodes.ConnectionInactive));
	}

	/** Runs one of the server's commands; its arguments are one object. */
	async execute<R>(command: string, args: object = {}): Promise<R> {
		await this.ready();
		return this.client.sendRequest<R>("workspace/executeCommand", { command, arguments: [args] });
	}

	uri(uri: vscode.Uri): string {
		return this.client.code2ProtocolConverter.asUri(uri);
	}

	range(range: vscode.Range): Range {
		return this.client.code2ProtocolConverter.asRange(range);
	}

	/** Resolves when requests can be sent; after a crash, when the server runs again. */
	private async ready(): Promise<void> {
		await this.start();
		while (this.current === "restarting") {
			await new Promise<void>((done) => {
				const once = this.onDidChangePhase(() => {
					once.dispose();
					done();
				});
			});
		}
		if (this.current === "failed" || this.current === "stopped") {
			throw new Error(`tandem is not running: ${this.failure || "it was stopped"}.`);
		}
	}

	/** Sends a notification, if the server runs. */
	notify<P>(type: NotificationType<P>, params: P): void {
		if (this.client.state === State.Running) {
			void this.client.sendNotification(type.method, params);
		}
	}

	async dispose(): Promise<void> {
		this.disposed = true;
		this.enter("stopped");
		await this.client.dispose().catch(() => undefined); // a server that never started has nothing to stop
		vscode.Disposable.from(...this.disposables).dispose();
	}

	private options(outputChannel: vscode.LogOutputChannel, middleware: Middleware): LanguageClientOptions {
		return {
			documentSelector: schemes.map((scheme) => ({ scheme })),
			outputChannel,
			middleware,
			markdown: { isTrusted: false, supportHtml: false },
			initializationOptions: (): ext.InitializationOptions => ({
				trusted: vscode.workspace.isTrusted,
				profile: userSetting<string>("profile"),
				settings: editorSettings(),
			}),
			initializationFailedHandler: () => false,
			errorHandler: {
				error: () => ({ action: ErrorAction.Continue, handled: true }),
				closed: () => this.closed(),
			},
		};
	}

	/** The process has ended by itself: it is started again, with a longer delay each time. */
	private async closed(): Promise<CloseHandlerResult> {
		if (Date.now() - this.startedAt > recoveredMs) {
			this.crashes = 0;
		}
		this.crashes++;
		this.enter("restarting");
		await new Promise((done) => setTimeout(done, restartDelay(this.crashes)));
		return { action: this.disposed ? CloseAction.DoNotRestart : CloseAction.Restart, handled: true };
	}

	private follow(state: State): void {
		if (state === State.Running) {
			this.startedAt = Date.now();
			this.enter("running");
			this.sendOthers();
		} else if (state === State.Starting && this.crashes === 0) {
			this.enter("starting");
		}
	}

	private enter(phase: Phase): void {
		if (this.current !== phase) {
			this.current = phase;
			this.phases.fire(phase);
		}
	}
}

/**
 * commands.ts registers the server's commands, under tandem's own ids and
 * whether a server runs or not. So the client's feature is left out that would
 * register all commands of the server again, also those of other products.
 */
class Client extends LanguageClient {
	override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
		if ("registrationType" in feature && feature.registrationType.method === "workspace/executeCommand") {
			return;
		}
		super.registerFeature(feature);
	}
}

/** Announces that tandem's own notifications are understood. */
class Extensions implements StaticFeature {
	fillClientCapabilities(capabilities: ClientCapabilities): void {
		const experimental: unknown = capabilities.experimental;
		capabilities.experimental = { ...(experimental as object | undefined), tandem: ext.capability };
	}
	initialize(): void {}
	getState(): { kind: "static" } {
		return { kind: "static" };
	}
	clear(): void {}
}

/** Shows why something was not done, with the button that mends it. Nothing, if a notice has just said it. */
export async function showError(e: unknown): Promise<void> {
	const data = (e as { data?: { code?: string; shown?: boolean } }).data;
	if (data?.shown) {
		return;
	}
	const buttons = data?.code === ext.needsModel ? ["Set Up"] : [];
	if (await vscode.window.showErrorMessage(`tandem: ${errorMessage(e)}`, ...buttons)) {
		await vscode.commands.executeCommand("tandem.setUp");
	}
}

/** The message of an error, as it is shown to a person. */
export function errorMessage(e: unknown): string {
	return e instanceof Error ? e.message : String(e);
}
