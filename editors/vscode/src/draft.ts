/**
 * An edit that is drawn beside its document while it is written and until it is decided.
 * This module knows lines and nothing of an editor: where the lines that the edit was
 * asked about are now, and which of them the user has changed since.
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

export class Draft {
	/** The line of the document that each line of the base is now; undefined if the user has changed it. */
	private places: (number | undefined)[];
	/** The hunks that wait for the user, in order. */
	hunks: readonly Hunk[] = [];

	constructor(count: number) {
		this.places = Array.from({ length: count }, (_, i) => i);
	}

	/** The hunks as changes of the document as it is now. */
	get shown(): LineChange[] {
		return this.hunks.flatMap((h) => this.place(h) ?? []);
	}

	/** Takes the place of the hunks before. False where the user has changed lines that one replaces: that one is left out. */
	show(hunks: readonly Hunk[]): boolean {
		this.hunks = hunks.filter((h) => this.place(h));
		return this.hunks.length === hunks.length;
	}

	/** The user has replaced lines of the document by count others. True: lines that a hunk replaces were among them, and it is left out. */
	changed(start: number, end: number, count: number): boolean {
		const moved = count - (end - start);
		this.places = this.places.map((at) => (at === undefined || at < start ? at : at < end ? undefined : at + moved));
		return !this.show(this.hunks);
	}

	/** The line of the document at which a line of the base is; undefined if it is gone. */
	current(line: number): number | undefined {
		return this.places[line];
	}

	/**
	 * Hunks of the document as it is now, as hunks of the base. It is a function of the
	 * document at the time of this call.
	 */
	frame(): (hunks: readonly Hunk[]) => Hunk[] | undefined {
		const lines: number[] = [];
		this.places.forEach((at, line) => at !== undefined && (lines[at] = line));
		return (hunks) => {
			const out = hunks.flatMap((h) => moved(h, (line) => lines[line]) ?? []);
			return out.length === hunks.length ? out : undefined;
		};
	}

	private place(h: Hunk): LineChange | undefined {
		return moved(h, (line) => this.current(line));
	}
}

/** A change where its lines are now; undefined if they are not all there, one after another. */
function moved(h: LineChange, to: (line: number) => number | undefined): LineChange | undefined {
	const before = h.start > 0 ? to(h.start - 1) : -1;
	const start = to(h.start) ?? (h.start === h.end && before !== undefined ? before + 1 : undefined);
	if (start === undefined) {
		return undefined;
	}
	for (let i = h.start; i < h.end; i++) {
		if (to(i) !== start + i - h.start) {
			return undefined;
		}
	}
	return { start, end: start + h.end - h.start, lines: h.lines };
}
