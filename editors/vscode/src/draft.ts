/**
 * An edit that is shown in its document while it is written. This module knows lines
 * and nothing of an editor: which lines of the document are as they were when the edit
 * was asked for, which the edit has replaced, and which the user has written since.
 * lua/tandem/draft.lua does the same for Neovim; editors/draft_cases.json holds both to it.
 */

/** Replaces the lines of the text from start up to end, counted from 0. */
export interface LineChange {
	start: number;
	end: number;
	lines: string[];
}

/** A change of the text that the edit was asked about. */
export type Hunk = LineChange;

/** A part of the document, in its order: lines of the base, lines of the user's, or what stands in place of a hunk's lines. */
type Piece =
	| { kind: "base"; from: number; to: number }
	| { kind: "user"; count: number; key: number }
	| { kind: "hunk"; hunk: Hunk; count: number; edited: boolean };

/** A hunk where it stands in the document now. */
export interface ShownHunk {
	start: number;
	end: number;
	removed: string[];
}

interface Token {
	key: string | undefined;
	text: string | undefined;
}

export class Draft {
	private pieces: Piece[];
	private nextKey = 0;

	constructor(private readonly base: readonly string[]) {
		this.pieces = [{ kind: "base", from: 0, to: base.length }];
	}

	/** The hunks that are shown, in order. */
	get shown(): ShownHunk[] {
		const out: ShownHunk[] = [];
		let at = 0;
		for (const p of this.pieces) {
			if (p.kind === "hunk") {
				out.push({ start: at, end: at + p.count, removed: this.base.slice(p.hunk.start, p.hunk.end) });
			}
			at += size(p);
		}
		return out;
	}

	get hunks(): Hunk[] {
		return this.pieces.flatMap((p) => (p.kind === "hunk" ? [p.hunk] : []));
	}

	/** What to change in the document so that it shows these hunks, last line first; undefined where the user has changed the lines that a hunk replaces. */
	plan(hunks: readonly Hunk[]): LineChange[] | undefined {
		const next = this.with(hunks);
		return next && difference(this.tokens(this.pieces), this.tokens(next));
	}

	/** The document has changed as planned. */
	commit(hunks: readonly Hunk[]): void {
		this.pieces = this.with(hunks) ?? this.pieces;
	}

	/** The user has replaced lines of the document by count others. True: lines of a hunk were among them. */
	changed(start: number, end: number, count: number): boolean {
		const out: Piece[] = [];
		const user: Piece = { kind: "user", count, key: this.nextKey };
		this.nextKey += count;
		let at = 0;
		let placed = false;
		let inside = false;
		for (const p of this.pieces) {
			const n = size(p);
			const from = Math.max(start, at) - at;
			const to = Math.min(end, at + n) - at;
			const hit = from < to || (start === end && at < start && start < at + n) || (p.kind === "hunk" && n === 0 && start < at && at < end);
			if (p.kind === "hunk" && hit && at <= start && end <= at + n) {
				p.count += count - (end - start);
				p.edited = true;
				return true;
			}
			if (!hit) {
				if (!placed && at >= end) {
					out.push(user);
					placed = true;
				}
				out.push(p);
			} else if (p.kind === "hunk") {
				inside = true; // the change crosses its border: what is left is the user's
				out.push(...rest(p, from, to, this.nextKey));
				this.nextKey += n;
			} else {
				const [before, after] = [part(p, 0, from), part(p, to, n)];
				out.push(before);
				if (!placed && at + to >= end) {
					out.push(user);
					placed = true;
				}
				out.push(after);
			}
			at += n;
		}
		if (!placed) {
			out.push(user);
		}
		this.pieces = out.filter((p) => p.kind === "hunk" || size(p) > 0);
		return inside;
	}

	/** The hunk's text is the document's from now on. */
	accept(index: number): void {
		let n = 0;
		this.pieces = this.pieces.map((p) => {
			if (p.kind !== "hunk" || n++ !== index) {
				return p;
			}
			const key = this.nextKey;
			this.nextKey += p.count;
			return { kind: "user", count: p.count, key };
		});
	}

	/** The line of the document at which a line of the base stands; undefined if it is gone. */
	current(line: number): number | undefined {
		let at = 0;
		for (const p of this.pieces) {
			if (p.kind === "base" && p.from <= line && line < p.to) {
				return at + line - p.from;
			}
			if (p.kind === "hunk" && p.hunk.start <= line && line < p.hunk.end) {
				return at;
			}
			at += size(p);
		}
		return undefined;
	}

	/**
	 * Hunks of the document as it stands now, for which no hunk is shown, as hunks of
	 * the base. It is a function of the document at the time of this call.
	 */
	frame(): (hunks: readonly Hunk[]) => Hunk[] | undefined {
		const lines: (number | undefined)[] = [];
		for (const p of this.pieces) {
			for (let i = 0; i < size(p); i++) {
				lines.push(p.kind === "base" ? p.from + i : undefined);
			}
		}
		return (hunks) => {
			const out: Hunk[] = [];
			for (const h of hunks) {
				const before = h.start > 0 ? lines[h.start - 1] : -1;
				const start = h.start < h.end ? lines[h.start] : (lines[h.start] ?? (before === undefined ? undefined : before + 1));
				const last = h.start < h.end ? lines[h.end - 1] : start === undefined ? undefined : start - 1;
				if (start === undefined || last === undefined || last - start !== h.end - 1 - h.start) {
					return undefined;
				}
				out.push({ start, end: last + 1, lines: h.lines });
			}
			return out;
		};
	}

	/** The pieces with these hunks in place of those that are shown. */
	private with(hunks: readonly Hunk[]): Piece[] | undefined {
		let out: Piece[] = [];
		for (const p of this.pieces) {
			if (p.kind === "hunk" && hunks.includes(p.hunk)) {
				out.push(p);
			} else if (p.kind === "hunk") {
				append(out, { kind: "base", from: p.hunk.start, to: p.hunk.end });
			} else {
				append(out, p);
			}
		}
		for (const h of hunks) {
			if (out.some((p) => p.kind === "hunk" && p.hunk === h)) {
				continue;
			}
			let i = out.findIndex((p) => p.kind === "base" && p.from <= h.start && h.end <= p.to && h.start < p.to);
			if (i < 0 && h.start === h.end) {
				i = out.findIndex((p) => p.kind === "base" && p.to === h.start);
			}
			const p = out[i];
			if (p?.kind !== "base") {
				return undefined;
			}
			const made: Piece = { kind: "hunk", hunk: h, count: h.lines.length, edited: false };
			const around: Piece[] = [{ kind: "base", from: p.from, to: h.start }, made, { kind: "base", from: h.end, to: p.to }];
			out = [...out.slice(0, i), ...around.filter((q) => q === made || size(q) > 0), ...out.slice(i + 1)];
		}
		return out;
	}

	private tokens(pieces: readonly Piece[]): Token[] {
		const out: Token[] = [];
		for (const p of pieces) {
			switch (p.kind) {
				case "base":
					for (let i = p.from; i < p.to; i++) {
						out.push({ key: `b${i}`, text: this.base[i] });
					}
					break;
				case "user":
					for (let i = 0; i < p.count; i++) {
						out.push({ key: `u${p.key + i}`, text: undefined });
					}
					break;
				case "hunk":
					for (let i = 0; i < p.count; i++) {
						out.push({ key: p.edited ? `e${p.hunk.start}.${i}` : undefined, text: p.edited ? undefined : p.hunk.lines[i] });
					}
			}
		}
		return out;
	}
}

function size(p: Piece): number {
	return p.kind === "base" ? p.to - p.from : p.count;
}

/** A part of a piece of the base or the user's. */
function part(p: Piece, from: number, to: number): Piece {
	if (p.kind === "base") {
		return { kind: "base", from: p.from + from, to: p.from + to };
	}
	return { kind: "user", count: to - from, key: p.kind === "user" ? p.key + from : 0 };
}

/** What is left of a hunk's lines when a change crosses its border. */
function rest(p: Piece, from: number, to: number, key: number): Piece[] {
	const n = size(p);
	return [
		{ kind: "user", count: from, key },
		{ kind: "user", count: n - to, key: key + from },
	];
}

/** Adds a piece, joined with the one before if the base goes on there. */
function append(out: Piece[], p: Piece): void {
	const last = out.at(-1);
	if (p.kind === "base" && last?.kind === "base" && last.to === p.from) {
		out[out.length - 1] = { kind: "base", from: last.from, to: p.to };
	} else if (p.kind === "hunk" || size(p) > 0) {
		out.push(p);
	}
}

/** The changes from one text to another, last first. Lines with a key stand in the same order in both. */
function difference(a: readonly Token[], b: readonly Token[]): LineChange[] {
	const inA = new Set(a.map((t) => t.key));
	const inB = new Set(b.map((t) => t.key));
	const common = (t: Token, other: Set<string | undefined>) => t.key !== undefined && other.has(t.key);
	const out: LineChange[] = [];
	for (let i = 0, j = 0; i < a.length || j < b.length; i++, j++) {
		const [fromA, fromB] = [i, j];
		while (i < a.length && !common(a[i] as Token, inB)) {
			i++;
		}
		while (j < b.length && !common(b[j] as Token, inA)) {
			j++;
		}
		if (i > fromA || j > fromB) {
			const change = trimmed(fromA, a.slice(fromA, i), b.slice(fromB, j));
			if (change) {
				out.push(change);
			}
		}
	}
	return out.reverse();
}

/** A change without the lines that stay at its ends; undefined if none differ. */
function trimmed(at: number, a: Token[], b: Token[]): LineChange | undefined {
	const same = (x: Token | undefined, y: Token | undefined) => x?.text !== undefined && x.text === y?.text;
	let head = 0;
	while (head < a.length && head < b.length && same(a[head], b[head])) {
		head++;
	}
	let tail = 0;
	while (tail < a.length - head && tail < b.length - head && same(a[a.length - 1 - tail], b[b.length - 1 - tail])) {
		tail++;
	}
	const lines = b.slice(head, b.length - tail).map((t) => t.text ?? "");
	return head + tail === a.length && head + tail === b.length ? undefined : { start: at + head, end: at + a.length - tail, lines };
}
