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

/** Lines of a text from start up to end, counted from 0. */
export interface Lines {
	start: number;
	end: number;
}

/** A change of the text that the edit was asked about. */
export type Hunk = LineChange;

export class Draft {
	/** The line of the document that each line of the base is now; undefined if the user has changed it. */
	private places: (number | undefined)[];
	/** The hunks that wait for the user, in order. */
	hunks: readonly Hunk[] = [];

	/** place: the lines that the edit was asked about, where they are now. */
	constructor(
		count: number,
		public place: Lines,
	) {
		this.places = Array.from({ length: count }, (_, i) => i);
	}

	/** The hunks as changes of the document as it is now. */
	get shown(): LineChange[] {
		return this.moved(this.hunks);
	}

	/** Changes of the base as changes of the document as it is now, without those whose lines the user has changed. */
	moved(hunks: readonly Hunk[]): LineChange[] {
		return hunks.flatMap((h) => moved(h, (line) => this.current(line)) ?? []);
	}

	/** Takes the place of the hunks before. False where the user has changed lines that one replaces: that one is left out. */
	show(hunks: readonly Hunk[]): boolean {
		this.hunks = hunks.filter((h) => moved(h, (line) => this.current(line)));
		return this.hunks.length === hunks.length;
	}

	/** Lines of the document were replaced by count others: the user typed, or accepted a change. True: lines that a hunk replaces were among them, and it is left out. */
	changed(start: number, end: number, count: number): boolean {
		const moved = count - (end - start);
		const place = this.place;
		if (end <= place.start) {
			this.place = { start: place.start + moved, end: place.end + moved };
		} else if (start < place.end) {
			this.place = { start: Math.min(start, place.start), end: Math.max(end, place.end) + moved };
		}
		this.places = this.places.map((at) => (at === undefined || at < start ? at : at < end ? undefined : at + moved));
		return !this.show(this.hunks);
	}

	/** The line of the document at which a line of the base is; undefined if it is gone. */
	current(line: number): number | undefined {
		return this.places[line];
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
