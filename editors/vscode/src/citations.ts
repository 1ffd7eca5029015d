/** A place that a text names. */
export interface Citation {
	start: number;
	end: number;
	uri: string;
	line: number;
}

/** The places of a text that name one of the cited lines, as path:line; only those that were cited are links. */
export function citationsIn(text: string, cited: readonly { uri: string; range: { start: { line: number } } }[]): Citation[] {
	const out: Citation[] = [];
	for (const match of text.matchAll(/[\w@+./-]*[\w@+-]\.\w+:(\d+)/g)) {
		const [name = "", digits = ""] = match;
		const path = name.slice(0, -digits.length - 1).replace(/^\.\//, "");
		const line = Number(digits);
		const found = cited.find((c) => c.range.start.line === line - 1 && ends(decodeURIComponent(c.uri), path));
		if (found) {
			out.push({ start: match.index, end: match.index + name.length, uri: found.uri, line });
		}
	}
	return out;
}

function ends(uri: string, path: string): boolean {
	return uri === path || uri.endsWith(`/${path.replace(/^\//, "")}`);
}
