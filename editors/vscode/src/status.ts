import * as vscode from "vscode";
import type { Session } from "./session";
import type { LaneStatus, Proposal, Status } from "./lspExt";
import { possible } from "./contexts";
import * as ext from "./lspExt";

/** The item in the status bar: the model that answers, its cost, and why nothing is shown. */
export class StatusItem implements vscode.Disposable {
	private readonly item = vscode.window.createStatusBarItem("tandem.status", vscode.StatusBarAlignment.Right, 100);
	private status: Status | undefined;
	private stream: Proposal | undefined;
	private session: Session | undefined;

	constructor() {
		this.item.name = "tandem";
		this.item.command = "tandem.menu";
		this.render();
		this.item.show();
	}

	attach(session: Session): void {
		this.session = session;
		this.status = undefined;
		session.onDidChangePhase(() => this.render());
		session.on(ext.status, (status) => {
			this.status = status;
			possible("hasModel", this.hasModel);
			this.render();
		});
		session.on(ext.proposal, (proposal) => {
			const working = proposal.state === "streaming" || proposal.state === "checking";
			this.stream = working ? proposal : undefined;
			if (proposal.state === "accepted") {
				possible("takeBack", true);
			}
			this.render();
		});
		this.render(); // the one before has stopped
	}

	/** Whether a lane has a model of its own. */
	get hasModel(): boolean {
		return Object.values(this.status?.lanes ?? {}).some((l) => !builtIn(l));
	}

	/** Shows all lines, whole, until they are closed. */
	async show(): Promise<void> {
		possible("statusShown", true);
		const all = lines(this.session, this.status);
		const why = this.status?.reason || this.session?.phase !== "running" ? [] : ["Nothing is known that kept a suggestion back."];
		await vscode.window.showInformationMessage("tandem: what works, and why nothing is shown", { modal: true, detail: [...all, ...why].join("\n") });
	}

	dispose(): void {
		this.item.dispose();
	}

	private render(): void {
		this.item.text = `${icon(this.session, this.status)} ${label(this.session, this.status, this.stream)}`;
		this.item.tooltip = lines(this.session, this.status).join("\n"); // plain: text of a provider stays inert
		const broken = this.session?.phase === "failed" || Object.values(this.status?.lanes ?? {}).some(failing) || !!this.status?.mistake;
		this.item.backgroundColor = broken ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
	}
}

function icon(session: Session | undefined, status: Status | undefined): string {
	switch (session?.phase) {
		case "failed":
			return "$(error)";
		case "starting":
		case "restarting":
			return "$(sync~spin)";
		case "running":
			return status?.busy ? "$(loading~spin)" : "$(sparkle)";
		default:
			return "$(circle-slash)";
	}
}

function label(session: Session | undefined, status: Status | undefined, stream: Proposal | undefined): string {
	if (session?.phase !== "running") {
		return `tandem: ${session?.phase ?? "stopped"}`;
	}
	if (stream) {
		return `${stream.model ?? "tandem"}: ${stream.state}`;
	}
	const fast = status?.lanes["fast"];
	const cost = status && status.costUSD >= 0.005 ? ` $${status.costUSD.toFixed(2)}` : "";
	return `${fast?.model || "tandem"}${cost}`;
}

/** A lane without a model of its own. */
function builtIn(lane: LaneStatus): boolean {
	return lane.state === "built-in";
}

function failing(lane: LaneStatus): boolean {
	return !["", "ready", "limited"].includes(lane.state) && !builtIn(lane);
}

/** Who answers in a lane, and whether it does. */
function who(lane: LaneStatus): string {
	if (builtIn(lane)) {
		return "built-in engine";
	}
	const served = lane.servedModel && lane.servedModel !== lane.model ? ` (${lane.servedModel})` : "";
	return `${lane.model}${served}${lane.provider ? ` at ${lane.provider}` : ""}, ${lane.state}`;
}

/** What works and what is wrong, a line each: who answers in each lane, the index, the cost, and why nothing was shown. */
function lines(session: Session | undefined, status: Status | undefined): string[] {
	if (session?.phase !== "running" || !status) {
		return [session?.reason || `tandem is ${session?.phase ?? "stopped"}.`];
	}
	const lanes = Object.entries(status.lanes).map(([lane, l]) => {
		const quota = l.usedPercent > 0 ? `, ${Math.round(l.usedPercent)} % of the quota used` : "";
		const day = l.dayUSD ? `, about $${l.dayUSD.toFixed(2)} for a normal day` : "";
		return `${lane}: ${who(l)}${quota}${day}${l.reason ? `: ${l.reason}` : ""}`;
	});
	const { files, ready } = status.index;
	return [
		...lanes,
		`${files} files indexed${ready ? "" : " so far"} · $${status.costUSD.toFixed(2)} today`,
		status.mistake ? `The configuration has a mistake: ${status.mistake}` : "",
		status.others ?? "",
		status.paused ? "Suggestions are snoozed." : "",
		status.reason ? `Nothing was shown last time: ${status.reason}` : "",
	].filter(Boolean);
}
