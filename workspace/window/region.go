package window

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"tandem/edits"
	"tandem/workspace/redact"
)

// A region is the text around the place, cut at lines that stay the same while the user types.
type region struct {
	Fragment
	heading, before, selected, after redact.Text
	span                             edits.Span // of the document's text
	tokens                           int        // with the heading
}

const (
	// regionLines is the quantum of the region's borders: the upper one is a multiple of it
	// from the file's start, the lower one from its end, so that typing moves neither.
	regionLines = 16
	// belowShare is the share of the region for the text after the place, in percent.
	belowShare = 32
	// If the server has nothing of the window, the text around the place gets this share in
	// percent, up to so many tokens: nothing helps more.
	nearShare  = 80
	nearTokens = 700
)

// cut cuts the region of a new window, which shows a selection whole if that fits. It refuses one
// that the answer replaces and that does not fit.
func (f *fill) cut(budget int) (region, error) {
	p, heading := f.place, f.title()
	head := f.costs.count(heading.String())
	allowed := max(budget*f.purpose.region/100, MinBudget/3)
	if f.req.Fresh > 0 {
		allowed = max(allowed, min(budget*nearShare/100, nearTokens))
	}
	if whole := budget * f.purpose.whole / 100; whole > allowed && len(p.text) <= whole*8 && head+f.costs.count(p.text) <= whole {
		allowed = whole
	}
	kept := p.at.Len() > 0 && f.purpose.replaces
	if p.at.Len() > 0 {
		needed := head + f.costs.count(p.text[p.at.Start:p.at.End]) + budget/16
		allowed = min(max(allowed, needed), budget)
	}
	for room := allowed - head; ; room = room * 19 / 20 {
		r := f.regionOf(heading, f.span(room))
		switch {
		case r.tokens <= allowed:
			return r, nil
		case kept && r.span == p.at || room == 0:
			return r, &Error{Code: "budget", Message: fmt.Sprintf("the selection has %d tokens and there is room for %d", r.tokens, allowed)}
		}
	}
}

// title returns the region's heading.
func (f *fill) title() redact.Text {
	h := f.heading(&Fragment{Path: f.place.path(), Kind: FragmentCursor})
	if f.place.name == "" || f.costs.count(h.String()) > MinBudget/4 {
		return redact.Const("# here\n")
	}
	return h
}

// span returns the text around the place that has so many tokens: the selection, its share of
// what follows, what precedes, and more of what follows if that leaves room. Of a selection
// that is too long it returns the start.
func (f *fill) span(room int) edits.Span {
	at, cost := f.place.at, func(sp edits.Span) int { return f.costs.count(f.place.text[sp.Start:sp.End]) }
	if chosen := cost(at); chosen <= room {
		room -= chosen
	} else if !f.purpose.replaces {
		return edits.Span{Start: at.Start, End: f.reach(at.Start, room, down, 1)}
	}
	if f.req.After > 0 {
		end := f.reach(at.End, min(f.req.After, room*belowShare/100), down, 1)
		return edits.Span{Start: f.reach(at.Start, room-cost(edits.Span{Start: at.End, End: end}), up, regionLines/4), End: end}
	}
	end := f.reach(at.End, room*belowShare/100, down, regionLines)
	start := f.reach(at.Start, room-cost(edits.Span{Start: at.End, End: end}), up, regionLines)
	return edits.Span{Start: start, End: max(end, f.reach(at.End, room-cost(edits.Span{Start: start, End: at.Start}), down, regionLines))}
}

const up, down = true, false

// reach returns how far the region reaches from a place in one direction with so many tokens:
// to a line that is a multiple of quantum from the end of the text, else to any line, else into
// the first one.
func (f *fill) reach(from, room int, upward bool, quantum int) int {
	text := f.place.text
	lines := strings.Count(text[from:], "\n") // left in this direction
	if upward {
		lines = strings.Count(text[:from], "\n")
		if from > 0 && text[from-1] != '\n' {
			lines++
		}
	}
	at, aligned, left := from, -1, room
	for {
		next := nextLine(text, at, upward)
		cost := left + 1
		if size := max(next-at, at-next); size <= left*longestToken {
			cost = f.costs.count(text[min(at, next):max(at, next)])
		}
		if next == at || cost > left {
			break
		}
		at, left, lines = next, left-cost, lines-1
		if lines%quantum == 0 || at == 0 || at == len(text) {
			aligned = at
		}
	}
	switch {
	case aligned >= 0:
		return aligned
	case at != from:
		return at
	case upward:
		return runeStart(text, max(nextLine(text, from, upward), from-max(room, 0)))
	}
	return runeStart(text, min(nextLine(text, from, upward), from+max(room, 0)))
}

// longestToken bounds the bytes of a token; the longest are runs of one character.
const longestToken = 128

// nextLine returns the end of a place's line, or upward the start of its line or, if the place
// is that, of the line before.
func nextLine(text string, at int, upward bool) int {
	if upward {
		return strings.LastIndexByte(text[:max(at-1, 0)], '\n') + 1
	}
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// runeStart returns at, or the start of the rune around it.
func runeStart(s string, at int) int {
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

// regionOf makes the region of a span, with its secrets replaced.
func (f *fill) regionOf(heading redact.Text, sp edits.Span) region {
	p := f.place
	first, last := max(p.at.Start, sp.Start), min(p.at.End, sp.End)
	before := f.secrets.Span(p.source, edits.Span{Start: sp.Start, End: first})
	selected := f.secrets.Span(p.source, edits.Span{Start: first, End: max(first, last)})
	after := f.secrets.Span(p.source, edits.Span{Start: max(first, last), End: sp.End})
	text, top := redact.Join("", before, selected, after), 1+strings.Count(p.text[:sp.Start], "\n")
	return region{Fragment{Path: p.path(), StartLine: top, EndLine: top + countLines(p.text[sp.Start:sp.End]) - 1, Kind: FragmentCursor, Reason: "the text around the cursor", Text: text, Tokens: f.costs.count(text.String())},
		heading, before, selected, after, sp, f.costs.count(redact.Join("", heading, text).String())}
}

// onward cuts the region from a line to where the last one ended, counted from the end of the
// text, into most tokens. If that is too much, it drops lines at the start until the region is
// back at its usual size, so that this happens seldom. It returns false if the place is not in
// the region, or too near to its border.
func (f *fill) onward(top, below, usual, most int) (r region, ok bool) {
	text, at := f.place.text, f.place.at
	start, end := lineStart(text, top), len(text)-below
	if f.req.After > 0 {
		end = f.reach(at.End, f.req.After, down, 1)
	}
	if end < at.End || end > len(text) {
		return r, false
	}
	if f.req.Fresh > 0 && top > 1 && strings.Count(text[min(start, at.Start):at.Start], "\n") < regionLines/2 {
		return r, false
	}
	heading := f.title()
	after := f.costs.count(text[at.End:end])
	for start <= at.Start {
		r = f.regionOf(heading, edits.Span{Start: start, End: end})
		if r.tokens <= most {
			return r, f.req.After > 0 || below == 0 || after*4 >= r.tokens
		}
		most = min(usual, most)
		for range 2 * regionLines {
			start = nextLine(text, start, down)
		}
		if start == len(text) {
			break
		}
	}
	return r, false
}

// lineStart returns the offset of a line, from 1.
func lineStart(text string, line int) int {
	at := 0
	for range line - 1 {
		at = nextLine(text, at, down)
	}
	return at
}
