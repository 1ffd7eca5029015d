import * as fs from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { absoluteProgram } from "./executable";

/** How the server is started: from the user's settings alone. */
export interface Program {
	command: string;
	args: string[];
}

/** A setting of the user. A folder's settings are never read. */
export function userSetting<T>(name: string): T | undefined {
	return vscode.workspace.getConfiguration("tandem").inspect<T>(name)?.globalValue;
}

/** The program to run, with the flags that all its commands take. */
export function program(extension: vscode.Uri, command: string, ...more: string[]): Program {
	const args = [command];
	for (const flag of ["config", "profile"]) {
		const value = userSetting<string>(flag);
		if (value) {
			args.push(`--${flag}`, value);
		}
	}
	if (userSetting<boolean>("offline")) {
		args.push("--offline");
	}
	return { command: executable(extension), args: [...args, ...more] };
}

function executable(extension: vscode.Uri): string {
	const name = process.platform === "win32" ? "tandem.exe" : "tandem";
	const bundled = path.join(extension.fsPath, "bin", name);
	return absoluteProgram(userSetting<string>("path"), bundled, name, process.env, fs.existsSync);
}

/** The server's command: the program, a log file if the user has set one, and further flags. */
export function serverProgram(extension: vscode.Uri, ...more: string[]): Program {
	const log = userSetting<string>("log");
	return program(extension, "serve", "--stdio", ...(log ? ["--log", log] : []), ...more);
}

/** The values of [editor] that the user has set in the editor. */
export function editorSettings(): Record<string, unknown> {
	const out: Record<string, unknown> = {};
	for (const name of Object.keys(vscode.workspace.getConfiguration("tandem.editor"))) {
		const value = userSetting<unknown>(`editor.${name}`);
		if (value !== undefined) {
			out[`editor.${name}`] = value;
		}
	}
	return out;
}
