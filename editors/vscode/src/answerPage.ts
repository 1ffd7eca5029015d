import { citationsIn } from "./citations";

/** A question with its answer, as a view shows it. */
export interface ShownTurn {
	question: string;
	answer: string;
	/** The answer as HTML; without it the text stands as it is. */
	rendered: string | undefined;
	citations: readonly { uri: string; range: { start: { line: number } } }[];
	window?: string;
	running: boolean;
}

/** The view's page. The server has taken HTML, images and links out of answers; the policy holds what is left to this page's own script. */
export function answerPage(nonce: string): string {
	return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; form-action 'none'">
<style nonce="${nonce}">${style}</style></head>
<body><main id="turns"></main>
<form id="next"><input id="question" placeholder="Ask a follow-up" aria-label="Ask a follow-up"></form>
<script nonce="${nonce}">(${script.toString()})()</script></body></html>`;
}

/** One turn: the question, the answer, its sources, and what can be done with it. */
export function turnHTML(t: ShownTurn, nameOf: (uri: string) => string): string {
	const link = (uri: string, line: number, label: string) => `<a href="#" data-uri="${escaped(uri)}" data-line="${line}">${escaped(label)}</a>`;
	const body = t.rendered === undefined ? `<pre>${escaped(t.answer)}</pre>` : linked(t.rendered, t.citations, link);
	const sources = [...new Set(t.citations.map((c) => link(c.uri, c.range.start.line + 1, `${nameOf(c.uri)}:${c.range.start.line + 1}`)))];
	const actions = t.running ? `<button data-stop>Stop</button>` : t.window ? `<a href="#" data-window>What the model was shown</a>` : "";
	return `<h2>${escaped(t.question)}</h2>${body}${sources.length ? `<p class="sources">Sources: ${sources.join(" · ")}</p>` : ""}<p class="actions">${actions}</p>`;
}

/** HTML whose text has the cited places as links. */
function linked(html: string, citations: ShownTurn["citations"], link: (uri: string, line: number, label: string) => string): string {
	const parts = html.split(/(<[^>]*>)/);
	return parts.map((part, i) => {
		if (i % 2 === 1) {
			return part;
		}
		let out = "";
		let from = 0;
		for (const c of citationsIn(part, citations)) {
			out += part.slice(from, c.start) + link(c.uri, c.line, part.slice(c.start, c.end));
			from = c.end;
		}
		return out + part.slice(from);
	}).join("");
}

function escaped(text: string): string {
	return text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}

const style = `
body { padding: 0 20px 60px; line-height: 1.5; }
h2 { font-size: 1.15em; border-bottom: 1px solid var(--vscode-editorGroup-border); padding: 14px 0 4px; }
a { color: var(--vscode-textLink-foreground); }
pre { position: relative; background: var(--vscode-textCodeBlock-background); padding: 10px; overflow: auto; }
code { font-family: var(--vscode-editor-font-family); }
pre code { background: none; }
.code-actions { position: absolute; right: 4px; top: 4px; opacity: 0; }
pre:hover .code-actions, .code-actions:focus-within { opacity: 1; }
button { background: var(--vscode-button-secondaryBackground); color: var(--vscode-button-secondaryForeground); border: 0; padding: 2px 8px; margin-left: 4px; cursor: pointer; }
.sources, .actions { font-size: .9em; color: var(--vscode-descriptionForeground); }
form { position: fixed; bottom: 0; left: 0; right: 0; padding: 10px 20px; background: var(--vscode-editor-background); }
input { width: 100%; box-sizing: border-box; padding: 6px; color: var(--vscode-input-foreground); background: var(--vscode-input-background); border: 1px solid var(--vscode-input-border, var(--vscode-editorGroup-border)); }
`;

/** What runs in the page. It is a text there, so it uses nothing from outside of it. */
function script(): void {
	const page = globalThis as unknown as { document: any; acquireVsCodeApi(): { postMessage(m: object): void }; addEventListener(type: string, f: (e: any) => void): void };
	const host = page.acquireVsCodeApi();
	const document = page.document;
	const turns = document.getElementById("turns");
	page.addEventListener("message", ({ data }) => {
		while (turns.children.length <= data.turn) {
			turns.append(document.createElement("section"));
		}
		const section = turns.children[data.turn];
		section.innerHTML = data.html;
		for (const pre of section.querySelectorAll("pre")) {
			const actions = document.createElement("span");
			actions.className = "code-actions";
			for (const name of ["Copy", "Insert"]) {
				const button = document.createElement("button");
				button.textContent = name;
				const text = pre.textContent;
				button.onclick = () => host.postMessage({ [name.toLowerCase()]: text });
				actions.append(button);
			}
			pre.append(actions);
		}
	});
	document.addEventListener("click", (e: any) => {
		const at = e.target.closest("a, button");
		if (!at) {
			return;
		}
		const section = at.closest("section");
		if (at.dataset.uri) {
			host.postMessage({ open: { uri: at.dataset.uri, line: Number(at.dataset.line) } });
		} else if ("window" in at.dataset) {
			host.postMessage({ window: [...turns.children].indexOf(section) });
		} else if ("stop" in at.dataset) {
			host.postMessage({ stop: true });
		}
	});
	document.getElementById("next").addEventListener("submit", (e: any) => {
		e.preventDefault();
		const box = document.getElementById("question");
		host.postMessage({ ask: box.value });
		box.value = "";
	});
	host.postMessage({ ready: true });
}
