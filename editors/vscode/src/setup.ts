import { execFile } from "node:child_process";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { program } from "./program";

const run = promisify(execFile);

/** A model server on this machine, as `tandem doctor` finds it. */
interface LocalServer {
	name: string;
	url: string;
	models: string[];
	lines: string;
}

interface Choice extends vscode.QuickPickItem {
	lines: string;
}

const gateway = `fast = "gate"

[models.gate]
provider = "gateway"
model = "NAME-OF-THE-MODEL"
context_window = 64000

[providers.gateway]
base_url = "https://models.example.com/v1"
wire_api = "chat"
env_key = "GATEWAY_KEY"
`;

/**
 * Lets the user choose what answers: only the built-in engine, a model server
 * on this machine, or a provider. It looks for servers only now, because the
 * user asked for it, and never changes an existing configuration.
 */
export async function setUp(extension: vscode.Uri): Promise<void> {
	const options = { location: vscode.ProgressLocation.Notification, title: "tandem: looking for model servers on this machine" };
	const local = await vscode.window.withProgress(options, () => localServers(extension));
	const choices: Choice[] = [
		{ label: "No model", detail: "The built-in engine learns from your workspace. No key, no network.", lines: "" },
		...local.map((s) => ({ label: `${s.name} on this machine`, description: s.url, detail: s.models.join(", "), lines: `${s.lines}\n` })),
		{ label: "A provider or a gateway", detail: "OpenAI, Cerebras, Anthropic, Mistral, a company's gateway: opens a configuration to fill in.", lines: gateway },
	];
	const chosen = await vscode.window.showQuickPick(choices, { title: "tandem: Who answers?", placeHolder: "You can change this at any time" });
	if (chosen?.lines) {
		await configure(await configurationFile(extension), chosen.lines);
	}
}

async function localServers(extension: vscode.Uri): Promise<LocalServer[]> {
	const found = await json<{ local?: LocalServer[] | null }>(extension, "doctor");
	return found.local ?? [];
}

async function configurationFile(extension: vscode.Uri): Promise<string> {
	return (await json<{ file: string }>(extension, "config")).file;
}

/** Runs a command of tandem and parses its JSON. If the doctor finds problems it fails, but still prints its JSON. */
async function json<T>(extension: vscode.Uri, name: string): Promise<T> {
	const { command, args } = program(extension, name, "--json");
	const { stdout } = await run(command, args).catch((e: { stdout?: string }) => {
		if (e.stdout) {
			return { stdout: e.stdout };
		}
		throw e;
	});
	return JSON.parse(stdout) as T;
}

/** Writes a first configuration, or opens the existing one and, next to it, the lines to add. */
async function configure(file: string, lines: string): Promise<void> {
	await fs.mkdir(path.dirname(file), { recursive: true });
	const fresh = await fs.writeFile(file, lines, { flag: "wx", mode: 0o600 }).then(() => true, () => false);
	await vscode.window.showTextDocument(vscode.Uri.file(file));
	if (!fresh) {
		const add = await vscode.workspace.openTextDocument({ language: "toml", content: `# To use it, put this into ${file}:\n\n${lines}` });
		await vscode.window.showTextDocument(add, vscode.ViewColumn.Beside);
	}
}
