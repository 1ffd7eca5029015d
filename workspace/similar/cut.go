package similar

import (
	"strings"

	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A piece is some lines of a file that are shown together: a short definition
// with its comment, a part of a long one, or a run of other code.
type piece struct {
	first, last uint32 // lines, from 1, inclusive
	bytes       uint32 // of their text
	at, end     uint32 // of the file's words
}

// pieceLines is about how many lines a piece has: a model makes more of code that goes on
// for a while than of more different names in single lines (docs/real-models.md).
const pieceLines = 30

// A cutter cuts one file.
type cutter struct {
	text   string
	starts []uint32 // offsets of the lines, and the length of text
	border []bool   // by line from 0: a definition begins there, or ended above
	out    []piece
}

// cut cuts a text along its definitions into pieces of bounded length, in the
// order of lines; blank lines between them are in none.
func (c *cutter) cut(text string, defs []language.Found) []piece {
	c.text, c.starts, c.out = text, index.LineStarts(text, c.starts), c.out[:0]
	lines := len(c.starts) - 1
	c.border = append(c.border[:0], make([]bool, lines+1)...)
	for i := range defs {
		d := &defs[i]
		if d.Local || d.Kind == language.KindHeading || int(d.End) > lines || d.Doc < 1 || d.End < d.Doc {
			continue
		}
		if d.End-d.Doc < 2 && !d.Kind.IsFunc() {
			continue // fields and constants stay together
		}
		c.border[d.Doc-1], c.border[d.End] = true, true
	}
	from := 0
	for line := 1; line <= lines; line++ {
		if line == lines || c.border[line] {
			c.run(from, line)
			from = line
		}
	}
	return c.out
}

// run cuts the lines from first to before last, which no definition divides.
func (c *cutter) run(first, last int) {
	for last-first > pieceLines*3/2 {
		at := c.divide(first, last)
		c.add(first, at)
		first = at
	}
	c.add(first, last)
}

// divide is where a run is best divided: at a blank line, else at little
// indentation.
func (c *cutter) divide(first, last int) int {
	best, least := first+pieceLines, 1<<30
	for at := first + pieceLines/2; at <= first+pieceLines*5/4 && at < last-2; at++ {
		cost := 2*c.indent(at) + distance(at, first+pieceLines)/2
		if c.blank(at) {
			cost = distance(at, first+pieceLines)/2 - 10
		}
		if cost < least {
			best, least = at, cost
		}
	}
	return best
}

// add adds lines as a piece, or to the piece before when both are short.
func (c *cutter) add(first, last int) {
	for first < last && c.blank(first) {
		first++
	}
	for first < last && c.blank(last-1) {
		last--
	}
	if first == last {
		return
	}
	if n := len(c.out); n > 0 {
		before := &c.out[n-1]
		if last-int(before.first)+1 <= pieceLines*2/3 && first-int(before.last) <= 2 {
			before.last = uint32(last)
			before.bytes = c.starts[last] - c.starts[before.first-1]
			return
		}
	}
	c.out = append(c.out, piece{first: uint32(first + 1), last: uint32(last), bytes: c.starts[last] - c.starts[first]})
}

func (c *cutter) line(n int) string { return c.text[c.starts[n]:c.starts[n+1]] }

func (c *cutter) blank(n int) bool { return strings.TrimSpace(c.line(n)) == "" }

// indent counts a tab as four columns.
func (c *cutter) indent(n int) int {
	columns := 0
	for _, b := range []byte(c.line(n)) {
		switch b {
		case ' ':
			columns++
		case '\t':
			columns += 4
		default:
			return columns
		}
	}
	return columns
}

func distance(a, b int) int { return max(a-b, b-a) }
