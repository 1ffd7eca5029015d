package rank

import (
	"cmp"
	"slices"
	"strings"

	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A Chunk is some lines of a file that are worth showing together: a definition
// with its body and the comment above it, small ones next to each other, or a
// run of lines of code that defines nothing.
type Chunk struct {
	File        index.FileID
	First, Last int     // lines, from 1, inclusive
	Score       float32 // estimate of how many names that a place needs and lacks it shows
}

// What is cut into chunks, in lines.
const (
	longestChunk  = 60 // a longer definition is cut into its members or into runs
	runLines      = 40 // of a run
	shortestChunk = 12 // shorter neighbours are shown together
)

// cut cuts a file into chunks, in the order of its lines. starts are the offsets
// of the lines of text, and its length. No line is in two chunks; blank
// lines may be in none.
func cut(ix *index.Index, file index.FileID, text string, starts []uint32) []Chunk {
	c := cutter{file: file, text: text, starts: starts}
	var defs []index.Brief
	for _, id := range ix.DefIDs(file) {
		if d := ix.Brief(id); !d.Local && d.DocLine >= 1 && d.EndLine < len(starts) {
			defs = append(defs, d)
		}
	}
	c.span(1, len(starts)-1, defs)
	return c.out
}

type cutter struct {
	file   index.FileID
	text   string
	starts []uint32
	out    []Chunk
}

// span cuts the lines from first to last, which hold defs.
func (c *cutter) span(first, last int, defs []index.Brief) {
	at := first
	for i := 0; i < len(defs); {
		d := defs[i]
		inside := i + 1
		for inside < len(defs) && defs[inside].StartLine <= d.EndLine {
			inside++
		}
		start, end := max(d.DocLine, at), min(d.EndLine, last)
		if end < start {
			i = inside
			continue
		}
		c.run(at, start-1)
		switch members := defs[i+1 : inside]; {
		case d.Kind == language.KindHeading || end-start < longestChunk || len(members) == 0:
			c.run(start, end)
		default:
			c.span(start, end, members)
		}
		at, i = end+1, inside
	}
	c.run(at, last)
}

// run adds lines as chunks of bounded length.
func (c *cutter) run(first, last int) {
	for first <= last && c.blank(first) {
		first++
	}
	for last >= first && c.blank(last) {
		last--
	}
	for first <= last {
		end := last
		if last-first >= longestChunk {
			end = c.border(first)
		}
		c.add(first, end)
		for first = end + 1; first <= last && c.blank(first); first++ {
		}
	}
}

// border is the last line of the run that begins at first: the last one before a blank line, or
// else the least indented one.
func (c *cutter) border(first int) int {
	best, least := first+runLines-1, 1<<30
	for line := first + runLines - 1; line >= first+runLines/2; line-- {
		if c.blank(line + 1) {
			return line
		}
		if indent := c.indent(line + 1); indent < least {
			best, least = line, indent
		}
	}
	return best
}

// add adds a chunk, or adds its lines to the one before when both are short.
func (c *cutter) add(first, last int) {
	if n := len(c.out); n > 0 {
		before := &c.out[n-1]
		if last-before.First < shortestChunk && first-before.Last <= 3 {
			before.Last = last
			return
		}
	}
	c.out = append(c.out, Chunk{File: c.file, First: first, Last: last})
}

func (c *cutter) line(n int) string { return c.text[c.starts[n-1]:c.starts[n]] }

func (c *cutter) blank(n int) bool { return strings.TrimSpace(c.line(n)) == "" }

func (c *cutter) indent(n int) int {
	line := c.line(n)
	return len(line) - len(strings.TrimLeft(line, " \t"))
}

// lineStarts appends the offsets of the lines of text to out, and its length.
func lineStarts(text string, out []uint32) []uint32 {
	out = append(out, 0)
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		out = append(out, uint32(at))
	}
	if int(out[len(out)-1]) < len(text) {
		out = append(out, uint32(len(text)))
	}
	return out
}

// sortChunks puts the best first; equals are in the order of their places.
func sortChunks(list []Chunk) {
	slices.SortFunc(list, func(a, b Chunk) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.File, b.File), a.First-b.First)
	})
}
