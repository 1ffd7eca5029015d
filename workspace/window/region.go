package window

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"tandem/edits"
	"tandem/workspace/redact"
)

// A cutter cuts the region out of the document.
type cutter struct{ *builder }

// A region is the text around the place, cut at lines that stay the same while
// the user types.
type region struct {
	heading, before, selected, after redact.Text
	span                             edits.Span // of the document's text
	startLine, endLine               int        // 1-based
}

const (
	// regionLines is the quantum of the region's borders: above, they are at
	// multiples of it from the file's start, below, from its end, so that typing
	// moves neither.
	regionLines = 16
	// longestToken bounds the bytes of one token in the pieces that are tried: the
	// vocabulary's longest tokens are runs of one character.
	longestToken = 128
)

// readRegion cuts the region and takes its tokens from the budget. A selection
// that the answer replaces is in it whole, or there is no window.
func (b *cutter) readRegion() error {
	title := b.title()
	allowed := max(b.budget*b.purpose.region/100, MinBudget/3)
	if whole := b.budget * b.purpose.whole / 100; whole > allowed && len(b.text) <= whole*8 && b.costs.count(title.String()+b.text) <= whole {
		allowed = whole
	}
	if b.at.Len() > 0 && b.purpose.replaces {
		needed := b.costs.count(title.String()+b.text[b.at.Start:b.at.End]) + b.budget/16
		allowed = min(max(allowed, needed), b.budget)
	}
	sp := b.grow(allowed - b.costs.count(title.String()))
	for {
		b.region = b.cut(title, sp)
		used := b.costs.count(b.region.text().String())
		switch {
		case used <= allowed || sp.Len() == 0:
			b.left -= used
			return nil
		case b.purpose.replaces && b.at.Len() > 0 && sp == b.at:
			return &Error{Code: "budget", Message: fmt.Sprintf("the selection has %d tokens and the window has room for %d: select less", used, allowed)}
		}
		sp = b.shrink(sp, float64(allowed)/float64(used)*0.95)
	}
}

// title is the region's heading.
func (b *cutter) title() redact.Text {
	title := b.heading(b.name, "here")
	if b.name == "" || b.costs.count(title.String()) > MinBudget/4 {
		return redact.Const("# here\n")
	}
	return title
}

func (r *region) text() redact.Text { return redact.Join("", r.heading, r.before, r.selected, r.after) }

// grow takes quanta of lines around the place as long as they fit: what follows it
// first, so that typing before it changes nothing there, up to its share; then what
// precedes it; and then what is left on either side.
func (b *cutter) grow(allowed int) edits.Span {
	up, down := newBorder(b.text, b.at.Start, true), newBorder(b.text, b.at.End, false)
	sp := edits.Span{Start: up.at, End: down.at}
	if sp.Len() > allowed*longestToken {
		return edits.Span{Start: max(b.at.Start-allowed*longestToken, sp.Start), End: min(b.at.End+allowed*longestToken/2, sp.End)}
	}
	left := allowed - b.costs.count(b.text[sp.Start:sp.End])
	below := allowed*belowShare/100 - b.costs.count(b.text[b.at.End:sp.End])
	taken := b.take(&down, min(below, left), regionLines)
	taken += b.take(&down, min(below, left)-taken, 1)
	left -= taken
	left -= b.take(&up, left, regionLines)
	b.take(&down, left, regionLines)
	return edits.Span{Start: up.at, End: down.at}
}

// belowShare is the part of the region that what follows the place has, in percent,
// where there is that much.
const belowShare = 32

// take moves a border outward by pieces of lines that fit into most tokens, and returns
// their tokens.
func (b *cutter) take(side *border, most, lines int) (taken int) {
	for most-taken > 0 && side.more() {
		piece := side.next(lines)
		if piece.Len() > (most-taken)*longestToken {
			return taken
		}
		cost := b.costs.count(b.text[piece.Start:piece.End])
		if cost > most-taken {
			return taken
		}
		taken += cost
		side.at = side.reached
	}
	return taken
}

// A border is one side of the region, which moves outward by quanta of lines.
type border struct {
	text    string
	up      bool
	at      int // where the region reaches to
	reached int // where it would reach to with the next piece
}

// newBorder puts a border at the first quantum outward from the place.
func newBorder(text string, place int, up bool) border {
	b := border{text: text, up: up}
	lines := 0
	if up {
		lines = strings.Count(text[:place], "\n") % regionLines
	} else {
		lines = strings.Count(text[place:], "\n") % regionLines
	}
	b.at = b.outward(place, lines)
	return b
}

// outward returns the start of the line that many lines up, or the end of the
// line that many lines down.
func (b *border) outward(from, lines int) int {
	if b.up {
		for ; ; lines-- {
			from = strings.LastIndexByte(b.text[:from], '\n')
			if from < 0 {
				return 0
			}
			if lines == 0 {
				return from + 1
			}
		}
	}
	for ; ; lines-- {
		i := strings.IndexByte(b.text[from:], '\n')
		if i < 0 {
			return len(b.text)
		}
		if from += i + 1; lines == 0 {
			return from
		}
	}
}

func (b *border) more() bool {
	if b.up {
		return b.at > 0
	}
	return b.at < len(b.text)
}

// next is the piece of some lines that lies outward of the border.
func (b *border) next(lines int) edits.Span {
	if b.up {
		b.reached = b.outward(b.at-1, lines-1)
		return edits.Span{Start: b.reached, End: b.at}
	}
	b.reached = b.outward(b.at, lines-1)
	return edits.Span{Start: b.at, End: b.reached}
}

// shrink cuts the region down to a part of its length on both sides, at line
// borders where there are some; it always gets shorter.
func (b *cutter) shrink(sp edits.Span, part float64) edits.Span {
	before, after := b.at.Start-sp.Start, sp.End-b.at.End
	if b.purpose.replaces && b.at.Len() > 0 && before+after < sp.Len()/4 {
		return b.at
	}
	if before+after < sp.Len()/4 { // the selection itself is too long: its start counts
		before, after = 0, 0
		end := b.at.Start + int(float64(sp.End-b.at.Start)*part)
		return edits.Span{Start: b.at.Start, End: runeStart(b.text, min(end, sp.End-1))}
	}
	before, after = int(float64(before)*part), int(float64(after)*part)
	if before+after == 0 {
		return edits.Span{Start: b.at.Start, End: max(b.at.Start, b.at.End-1)}
	}
	next := edits.Span{Start: runeStart(b.text, b.at.Start-before), End: runeStart(b.text, b.at.End+after)}
	if i := strings.IndexByte(b.text[next.Start:b.at.Start], '\n'); i >= 0 {
		next.Start += i + 1
	}
	if i := strings.LastIndexByte(b.text[b.at.End:next.End], '\n'); i >= 0 {
		next.End = b.at.End + i + 1
	}
	return next
}

// runeStart is at, or the start of the rune that at lies in.
func runeStart(s string, at int) int {
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

// cut makes the region of a span, with its secrets replaced.
func (b *cutter) cut(title redact.Text, sp edits.Span) region {
	r := region{heading: title, span: sp}
	first, last := max(b.at.Start, sp.Start), min(b.at.End, sp.End)
	r.before = b.secrets.Span(b.source, edits.Span{Start: sp.Start, End: first})
	r.selected = b.secrets.Span(b.source, edits.Span{Start: first, End: max(first, last)})
	r.after = b.secrets.Span(b.source, edits.Span{Start: max(first, last), End: sp.End})
	r.startLine = 1 + strings.Count(b.text[:sp.Start], "\n")
	r.endLine = r.startLine + strings.Count(strings.TrimSuffix(b.text[sp.Start:sp.End], "\n"), "\n")
	return r
}

// fragment is the region as a part of the window.
func (r *region) fragment(name string, c *costs) Fragment {
	text := redact.Join("", r.before, r.selected, r.after)
	return Fragment{Path: name, StartLine: r.startLine, EndLine: r.endLine, Kind: FragmentCursor,
		Reason: "the text around the cursor", Text: text, Tokens: c.count(text.String())}
}
