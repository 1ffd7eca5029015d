import * as vscode from "vscode";
import type { Estimate } from "./lspExt";

const historyKey = "instructions";
const longestHistory = 50;

/** The key context while the box is open: the arrow keys go through its history. */
const openContext = "tandem.instructionBox";

export interface Instruction {
	text: string;
	lane: string | undefined;
}

/** Asks for instructions, with the earlier ones, the lane and the price. */
export class InstructionBox {
	private open: { box: vscode.InputBox; at: number; typed: string } | undefined;

	constructor(private readonly memory: vscode.Memento) {}

	/** Goes to the earlier (1) or later (-1) instruction. */
	history(step: number): void {
		const open = this.open;
		const all = this.all();
		if (!open || open.at + step < 0 || open.at + step > all.length) {
			return;
		}
		if (open.at === 0) {
			open.typed = open.box.value;
		}
		open.at += step;
		open.box.value = open.at === 0 ? open.typed : (all[open.at - 1] ?? "");
	}

	/** The instruction that the user types; undefined if they close the box. */
	async ask(title: string, estimate: (lane: string | undefined) => Promise<Estimate>): Promise<Instruction | undefined> {
		const box = vscode.window.createInputBox();
		box.title = title;
		box.placeholder = "What should change?";
		box.ignoreFocusOut = true;
		let lane: string | undefined;
		const price = async () => {
			const asked = lane;
			box.buttons = [{ iconPath: new vscode.ThemeIcon(lane === "deep" ? "zap" : "rocket"), tooltip: lane === "deep" ? "Let tandem choose the lane" : "Ask the deep model" }];
			box.prompt = "…";
			const line = await estimate(lane).then(estimateLine, (e: unknown) => (e instanceof Error ? e.message : String(e)));
			if (lane === asked) {
				box.prompt = line;
			}
		};
		this.open = { box, at: 0, typed: "" };
		void price();
		await vscode.commands.executeCommand("setContext", openContext, true);
		const text = await new Promise<string | undefined>((done) => {
			box.onDidTriggerButton(() => {
				lane = lane === "deep" ? undefined : "deep";
				void price();
			});
			box.onDidAccept(() => done(box.value));
			box.onDidHide(() => done(undefined));
			box.show();
		});
		this.open = undefined;
		box.dispose();
		await vscode.commands.executeCommand("setContext", openContext, false);
		if (!text?.trim()) {
			return undefined;
		}
		await this.memory.update(historyKey, [text, ...this.all().filter((t) => t !== text)].slice(0, longestHistory));
		return { text, lane };
	}

	private all(): string[] {
		return this.memory.get<string[]>(historyKey) ?? [];
	}
}

/** Lane, model, size and price in one line. */
function estimateLine(e: Estimate): string {
	const price = e.costUSD >= 0.00005 ? `, about $${e.costUSD < 0.01 ? e.costUSD.toFixed(4) : e.costUSD.toFixed(2)}` : "";
	return `${e.lane}: ${e.model}, about ${e.tokens} tokens${price} · ↑ earlier instructions`;
}
