package window

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"tandem/edits"
	"tandem/workspace/redact"
)

// A cutter cuts the region out of the document.
type cutter struct {
	*place
	costs   *costs
	secrets *redact.Redactor
	purpose purpose
	fresh   bool // for a server that may have nothing of the window before
	after   int  // tokens after the place at most; 0: by the purpose
}

// A region is the text around the place, cut at lines that stay the same while
// the user types.
type region struct {
	path                             string // of the document
	heading, before, selected, after redact.Text
	span                             edits.Span // of the document's text
	lines                            lineRange
	tokens                           int // with the heading
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

// region cuts the region of a new window. A selection that the answer replaces is in it
// whole, or there is no window.
func (c *cutter) region(budget int) (region, error) {
	title := c.title()
	allowed := max(budget*c.purpose.region/100, MinBudget/3)
	if c.fresh {
		allowed = max(allowed, min(budget*nearShare/100, nearTokens))
	}
	if whole := budget * c.purpose.whole / 100; whole > allowed && len(c.text) <= whole*8 && c.costs.count(title.String()+c.text) <= whole {
		allowed = whole
	}
	if c.at.Len() > 0 && c.purpose.replaces {
		needed := c.costs.count(title.String()+c.text[c.at.Start:c.at.End]) + budget/16
		allowed = min(max(allowed, needed), budget)
	}
	sp := c.grow(allowed - c.costs.count(title.String()))
	for {
		r := c.cut(title, sp)
		switch {
		case r.tokens <= allowed || sp.Len() == 0:
			return r, nil
		case c.purpose.replaces && c.at.Len() > 0 && sp == c.at:
			return r, &Error{Code: "budget", Message: fmt.Sprintf("the selection has %d tokens and the window has room for %d: select less", r.tokens, allowed)}
		}
		sp = c.shrink(sp, float64(allowed)/float64(r.tokens)*0.95)
	}
}

// title is the region's heading.
func (c *cutter) title() redact.Text {
	title := heading(c.secrets, c.name, "here")
	if c.name == "" || c.costs.count(title.String()) > MinBudget/4 {
		return redact.Const("# here\n")
	}
	return title
}

// grow takes quanta of lines around the place as long as they fit: what follows it
// first, so that typing before it changes nothing there, up to its share; then what
// precedes it; and then what is left on either side.
func (c *cutter) grow(allowed int) edits.Span {
	up, down := newBorder(c.text, c.at.Start, true), newBorder(c.text, c.at.End, false)
	if c.after > 0 {
		down.at = c.below(min(c.after, allowed*belowShare/100))
	}
	sp := edits.Span{Start: up.at, End: down.at}
	if sp.Len() > allowed*longestToken {
		return edits.Span{Start: max(c.at.Start-allowed*longestToken, sp.Start), End: min(c.at.End+allowed*longestToken/2, sp.End)}
	}
	left := allowed - c.costs.count(c.text[sp.Start:sp.End])
	if c.after > 0 {
		c.take(&up, left, regionLines/4)
		return edits.Span{Start: up.at, End: down.at}
	}
	below := allowed*belowShare/100 - c.costs.count(c.text[c.at.End:sp.End])
	taken := c.take(&down, min(below, left), regionLines)
	taken += c.take(&down, min(below, left)-taken, 1)
	left -= taken
	left -= c.take(&up, left, regionLines)
	c.take(&down, left, regionLines)
	return edits.Span{Start: up.at, End: down.at}
}

// below is the end of the lines after the place that have most tokens together, or of a part
// of the first one.
func (c *cutter) below(most int) int {
	down := border{text: c.text, at: c.at.End}
	if c.take(&down, most, 1); down.at > c.at.End || !down.more() {
		return down.at
	}
	line := c.text[c.at.End:down.next(1).End]
	return c.at.End + runeStart(line, min(len(line), most))
}

// Of a window that a server has nothing of, the text around the place is this share in
// percent, up to so many tokens: nothing helps more.
const (
	nearShare  = 80
	nearTokens = 700
)

// belowShare is the part of the region that what follows the place has, in percent,
// where there is that much.
const belowShare = 32

// take moves a border outward by pieces of lines that fit into most tokens, and returns
// their tokens.
func (c *cutter) take(side *border, most, lines int) (taken int) {
	for most-taken > 0 && side.more() {
		piece := side.next(lines)
		if piece.Len() > (most-taken)*longestToken {
			return taken
		}
		cost := c.costs.count(c.text[piece.Start:piece.End])
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
func (c *cutter) shrink(sp edits.Span, part float64) edits.Span {
	before, after := c.at.Start-sp.Start, sp.End-c.at.End
	if c.purpose.replaces && c.at.Len() > 0 && before+after < sp.Len()/4 {
		return c.at
	}
	if before+after < sp.Len()/4 { // the selection itself is too long: its start counts
		before, after = 0, 0
		end := c.at.Start + int(float64(sp.End-c.at.Start)*part)
		return edits.Span{Start: c.at.Start, End: runeStart(c.text, min(end, sp.End-1))}
	}
	before, after = int(float64(before)*part), int(float64(after)*part)
	if before+after == 0 {
		return edits.Span{Start: c.at.Start, End: max(c.at.Start, c.at.End-1)}
	}
	next := edits.Span{Start: runeStart(c.text, c.at.Start-before), End: runeStart(c.text, c.at.End+after)}
	if i := strings.IndexByte(c.text[next.Start:c.at.Start], '\n'); i >= 0 {
		next.Start += i + 1
	}
	if i := strings.LastIndexByte(c.text[c.at.End:next.End], '\n'); i >= 0 {
		next.End = c.at.End + i + 1
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
func (c *cutter) cut(title redact.Text, sp edits.Span) region {
	r := region{path: c.name, heading: title, span: sp}
	first, last := max(c.at.Start, sp.Start), min(c.at.End, sp.End)
	r.before = c.secrets.Span(c.source, edits.Span{Start: sp.Start, End: first})
	r.selected = c.secrets.Span(c.source, edits.Span{Start: first, End: max(first, last)})
	r.after = c.secrets.Span(c.source, edits.Span{Start: max(first, last), End: sp.End})
	r.lines.first = 1 + strings.Count(c.text[:sp.Start], "\n")
	r.lines.last = r.lines.first + strings.Count(strings.TrimSuffix(c.text[sp.Start:sp.End], "\n"), "\n")
	r.tokens = c.costs.count(redact.Join("", r.heading, r.before, r.selected, r.after).String())
	return r
}

// onward cuts the region from a line on to where the last one ended, counted from the
// end of the text, into most tokens. Where that is too much, lines at its start go, for
// they stand last in a request, until it is back at the usual size: so they seldom go. It
// is false when the place or what is around it would not be in it as it should.
func (c *cutter) onward(top, below, usual, most int) (r region, ok bool) {
	from := border{text: c.text}
	start, end := 0, len(c.text)-below
	if top > 1 {
		start = from.outward(0, top-2)
	}
	if c.after > 0 {
		end = c.below(c.after)
		below = 0
	}
	if end < c.at.End || end > len(c.text) || c.fresh && top > 1 && strings.Count(c.text[min(start, c.at.Start):c.at.Start], "\n") < regionLines/2 {
		return r, false
	}
	title := c.title()
	after := c.costs.count(c.text[c.at.End:end])
	for start <= c.at.Start {
		r = c.cut(title, edits.Span{Start: start, End: end})
		switch {
		case below > 0 && after*4 < r.tokens && r.tokens <= most:
			return r, false
		case r.tokens <= most:
			return r, true
		}
		most = min(usual, most)
		start = from.outward(start, 2*regionLines-1)
	}
	return r, false
}

// fragment is the region as a part of the window.
func (r *region) fragment(c *costs) Fragment {
	text := redact.Join("", r.before, r.selected, r.after)
	return Fragment{Path: r.path, StartLine: r.lines.first, EndLine: r.lines.last, Kind: FragmentCursor,
		Reason: "the text around the cursor", Text: text, Tokens: c.count(text.String())}
}
