import * as vscode from "vscode";

/** Extensions that suggest at the cursor. VS Code has no list of those that do. */
const known = new Map([
	["github.copilot", "GitHub Copilot"],
	["codeium.codeium", "Windsurf"],
	["supermaven.supermaven", "Supermaven"],
	["tabnine.tabnine-vscode", "Tabnine"],
	["continue.continue", "Continue"],
	["sourcegraph.cody-ai", "Cody"],
	["amazonwebservices.amazon-q-vscode", "Amazon Q"],
	["augment.vscode-augment", "Augment"],
	["jetbrains.jetbrains-ai-assistant", "JetBrains AI"],
	["ggml-org.llama-vscode", "llama.vscode"],
]);

/** The names of the other extensions that run and suggest at the cursor. */
export function otherProviders(): string[] {
	const names: string[] = [];
	for (const extension of vscode.extensions.all) {
		const id = extension.id.toLowerCase();
		const name = known.get(id);
		if (name && !(id === "github.copilot" && copilotIsOff())) {
			names.push(name);
		}
	}
	return names;
}

function copilotIsOff(): boolean {
	return vscode.workspace.getConfiguration("github.copilot").get<Record<string, boolean>>("enable")?.["*"] === false;
}
