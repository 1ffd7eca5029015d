import * as vscode from "vscode";

/** An extension that suggests at the cursor, and the setting of its own that ends that, where it has one. */
interface Other {
	name: string;
	setting?: string;
	off?: unknown;
}

const copilot: Other = { name: "GitHub Copilot", setting: "github.copilot.enable", off: { "*": false } };

/** VS Code has no list of the extensions that suggest at the cursor. */
const known = new Map<string, Other>([
	["github.copilot", copilot],
	["github.copilot-chat", copilot], // of late it suggests at the cursor too
	["codeium.codeium", { name: "Windsurf", setting: "codeium.enableConfig", off: { "*": false } }],
	["supermaven.supermaven", { name: "Supermaven" }],
	["tabnine.tabnine-vscode", { name: "Tabnine" }],
	["continue.continue", { name: "Continue", setting: "continue.enableTabAutocomplete", off: false }],
	["sourcegraph.cody-ai", { name: "Cody", setting: "cody.autocomplete.enabled", off: false }],
	["amazonwebservices.amazon-q-vscode", { name: "Amazon Q" }],
	["augment.vscode-augment", { name: "Augment", setting: "augment.completions.enableAutomaticCompletions", off: false }],
	["jetbrains.jetbrains-ai-assistant", { name: "JetBrains AI" }],
	["ggml-org.llama-vscode", { name: "llama.vscode", setting: "llama-vscode.enabled", off: false }],
]);

const offeredKey = "tandem.otherProviders.offered";

/** The settings that switch other extensions' suggestions on or off. */
export const settingsOfOthers = [...known.values()].flatMap((o) => o.setting ?? []);

/** The other extensions that run and suggest at the cursor, by their ids. */
function active(): [string, Other][] {
	return vscode.extensions.all.flatMap((extension): [string, Other][] => {
		const other = known.get(extension.id.toLowerCase());
		return other && !isOff(other) ? [[extension.id, other]] : [];
	});
}

function isOff(other: Other): boolean {
	const value = other.setting && vscode.workspace.getConfiguration().get<unknown>(other.setting);
	return value === false || (typeof value === "object" && (value as Record<string, boolean>)["*"] === false);
}

export function otherProviders(): string[] {
	return namesOf(active());
}

function namesOf(others: [string, Other][]): string[] {
	return [...new Set(others.map(([, other]) => other.name))];
}

/** Offers once, for each extension that suggests at the cursor too, to leave that to tandem in this workspace. */
export async function offerToSuggestAlone(memory: vscode.Memento): Promise<void> {
	const offered = memory.get<string[]>(offeredKey, []);
	const others = active().filter(([id]) => !offered.includes(id));
	if (others.length === 0) {
		return;
	}
	await memory.update(offeredKey, [...offered, ...others.map(([id]) => id)]);
	const names = namesOf(others).join(" and ");
	const here = "Use tandem Here";
	const chosen = await vscode.window.showInformationMessage(`tandem: choose who suggests here: there is ${names} too, and VS Code shows one suggestion at a time.`, here);
	if (chosen === here) {
		for (const [id, other] of others) {
			await switchOff(id, other);
		}
	}
}

/** Switches an extension's suggestions off in the workspace; one without such a setting is shown, to be disabled there. */
async function switchOff(id: string, other: Other): Promise<void> {
	const configuration = vscode.workspace.getConfiguration();
	if (other.setting && configuration.inspect(other.setting)?.defaultValue !== undefined) {
		const where = vscode.workspace.workspaceFolders ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
		await configuration.update(other.setting, other.off, where);
	} else {
		await vscode.commands.executeCommand("extension.open", id);
	}
}
