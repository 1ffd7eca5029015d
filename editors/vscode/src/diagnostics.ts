import * as vscode from "vscode";
import * as ext from "./lspExt";
import type { Session } from "./session";

const pauseMs = 250;
const most = 200;

/** Sends the server what compilers and linters report about open documents: the differences, after a pause. */
export class Diagnostics implements vscode.Disposable {
	private readonly sent = new Map<string, Map<string, ext.Diagnostic>>();
	private readonly waiting = new Set<string>();
	private readonly disposables: vscode.Disposable[];
	private session: Session | undefined;
	private timer: NodeJS.Timeout | undefined;

	constructor() {
		this.disposables = [
			vscode.languages.onDidChangeDiagnostics((e) => this.changed(e.uris)),
			vscode.workspace.onDidCloseTextDocument((d) => this.sent.delete(d.uri.toString())),
		];
	}

	attach(session: Session): void {
		this.session = session;
		this.sent.clear();
		this.changed(vscode.workspace.textDocuments.map((d) => d.uri));
	}

	dispose(): void {
		clearTimeout(this.timer);
		vscode.Disposable.from(...this.disposables).dispose();
	}

	private changed(uris: readonly vscode.Uri[]): void {
		for (const uri of uris) {
			this.waiting.add(uri.toString());
		}
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.flush(), pauseMs);
	}

	private flush(): void {
		const session = this.session;
		if (session?.phase !== "running") {
			return;
		}
		for (const document of vscode.workspace.textDocuments) {
			const key = document.uri.toString();
			if (!this.waiting.delete(key)) {
				continue;
			}
			const now = new Map<string, ext.Diagnostic>();
			for (const d of vscode.languages.getDiagnostics(document.uri).slice(0, most)) {
				if (d.source !== "tandem") {
					const wire = encoded(d);
					now.set(JSON.stringify(wire), wire);
				}
			}
			const was = this.sent.get(key) ?? new Map<string, ext.Diagnostic>();
			const added = [...now].filter(([k]) => !was.has(k)).map(([, d]) => d);
			const removed = [...was].filter(([k]) => !now.has(k)).map(([, d]) => d);
			if (added.length + removed.length > 0) {
				this.sent.set(key, now);
				session.notify(ext.didChangeDiagnostics, { textDocument: { uri: session.uri(document.uri), version: document.version }, added, removed });
			}
		}
	}
}

function encoded(d: vscode.Diagnostic): ext.Diagnostic {
	const code = typeof d.code === "object" ? d.code.value : d.code;
	const at = (p: vscode.Position) => ({ line: p.line, character: p.character });
	return { range: { start: at(d.range.start), end: at(d.range.end) }, severity: d.severity + 1, code, source: d.source, message: d.message };
}
