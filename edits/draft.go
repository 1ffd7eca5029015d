package edits

import (
	"cmp"
	"slices"
	"strings"
)

// A LineHunk replaces the lines of a text from Start up to End, counted from 0, by
// Lines, which have no terminators. A list of hunks is in order, and none touches
// another.
type LineHunk struct {
	Start, End int
	Lines      []string
}

// SplitLines divides a text as editors count its lines: at each "\n", with the empty
// line after the last one. Where every line ends in "\r\n", the "\r" is part of the
// terminator, else of the line.
func SplitLines(text string) []string {
	lines := strings.Split(text, "\n")
	if strings.Count(text, "\r\n") < len(lines)-1 || len(lines) == 1 {
		return lines
	}
	for i := range lines[:len(lines)-1] {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}

// LineHunks returns the lines in which two texts differ.
func LineHunks(before, after string) []LineHunk {
	return lineHunks(0, SplitLines(before), SplitLines(after))
}

// lineHunks returns the differences of lists of lines, the first of which begins at
// the given line.
func lineHunks(at int, before, after []string) []LineHunk {
	var out []LineHunk
	for _, d := range DiffLines(before, after) {
		out = append(out, LineHunk{at + d.Start, at + d.End, slices.Clone(after[d.NewStart:d.NewEnd])})
	}
	return out
}

// A Draft is what a model's answer, as far as it has come, makes of one document: it
// shows an edit while it is written. It shows whole lines, and only blocks that name
// one place; only the answer as a whole decides what the edit is.
type Draft struct {
	path   string
	lines  []string
	doc    *doc
	region draftRegion
	parser *Parser
	placed map[int]draftPlace // by the number of the block
}

// A draftRegion is what a new text without search text replaces: whole lines, of which
// the first begins with prefix and the last ends with suffix.
type draftRegion struct {
	from, to       int
	prefix, suffix string
}

// A draftPlace is where a block goes.
type draftPlace struct {
	from, to int
	ok       bool
	shift    indentShift
	known    int // lines of the block when it was located
}

// NewDraft returns the draft of an answer in a format about the document at path.
// region is what the user selected, the whole text if it is empty. It is nil for a text
// whose lines editors count in different ways.
func NewDraft(format Format, path, text string, region Span) *Draft {
	lines := SplitLines(text)
	d := &Draft{path: path, lines: lines, doc: newDoc(text), parser: NewParser(format), placed: map[int]draftPlace{}}
	counted := len(d.doc.lines)
	if d.doc.lineEnd {
		counted++
	}
	if counted != len(lines) || !region.Valid(len(text)) {
		return nil
	}
	d.region = regionOf(text, lines, region)
	return d
}

func regionOf(text string, lines []string, s Span) draftRegion {
	if s.Len() == 0 {
		r := draftRegion{to: len(lines)}
		if strings.HasSuffix(text, "\n") {
			r.to--
		}
		return r
	}
	r := draftRegion{from: strings.Count(text[:s.Start], "\n"), to: strings.Count(text[:s.End], "\n")}
	r.prefix = text[strings.LastIndexByte(text[:s.Start], '\n')+1 : s.Start]
	if text[s.End-1] != '\n' {
		line, _ := cutLine(text[s.End:])
		r.to, r.suffix = r.to+1, line
	}
	return r
}

// Write takes the next piece of the answer.
func (d *Draft) Write(piece string) { d.parser.Write(piece) }

// Hunks returns the changes of the document as far as the answer has come.
func (d *Draft) Hunks() []LineHunk {
	var out []LineHunk
	closed := d.parser.out.blocks
	for i := range closed {
		out = append(out, d.block(&closed[i], true)...)
	}
	if d.parser.out.isOpen {
		out = append(out, d.block(&d.parser.out.inHand, false)...)
	}
	slices.SortStableFunc(out, func(a, b LineHunk) int { return cmp.Compare(a.Start, b.Start) })
	return joined(out)
}

// joined makes one of hunks that touch, and drops those that overlap an earlier one.
func joined(list []LineHunk) []LineHunk {
	var out []LineHunk
	for _, h := range list {
		switch last := len(out) - 1; {
		case last < 0 || h.Start > out[last].End:
			out = append(out, h)
		case h.Start == out[last].End:
			out[last] = LineHunk{out[last].Start, h.End, slices.Concat(out[last].Lines, h.Lines)}
		}
	}
	return out
}

func (d *Draft) block(b *Block, closed bool) []LineHunk {
	if b.Literal || b.Path != "" && !slices.Contains(b.spellings(), d.path) {
		return nil
	}
	switch b.Action {
	case Rewrite:
		return d.rewrite(b, closed)
	case Change:
		return d.change(b, closed)
	}
	return nil
}

func (d *Draft) rewrite(b *Block, closed bool) []LineHunk {
	text := texts(b.Lines)
	if closed {
		for len(text) > 0 && text[len(text)-1] == "" {
			text = text[:len(text)-1]
		}
	}
	if len(text) == 0 {
		return nil
	}
	text[0] = d.region.prefix + text[0]
	if closed {
		text[len(text)-1] += d.region.suffix
	}
	return replaced(d.region.from, d.lines[d.region.from:d.region.to], text, closed)
}

// change is the drafted change of a block that replaces lines. An open one is shown as
// soon as it adds a line.
func (d *Draft) change(b *Block, closed bool) []LineHunk {
	if !closed && !hasOp(b.Lines, Add) {
		return nil
	}
	at := d.locate(b)
	if !at.ok {
		return nil
	}
	var text []string
	for _, l := range b.Lines {
		if l.Op != Remove {
			text = append(text, at.shift.apply(l.Text))
		}
	}
	whole := closed || hasOp(b.Lines, Keep) || hasOp(b.Lines, Bare)
	return replaced(at.from, d.lines[at.from:at.to], text, whole)
}

// locate finds the place of the lines that a block has looked for so far.
func (d *Draft) locate(b *Block) draftPlace {
	var old []Line
	for _, l := range b.Lines {
		if l.Op != Add {
			old = append(old, Line{Remove, l.Text})
		}
	}
	at, seen := d.placed[b.Number]
	if seen && at.known == len(old) {
		return at
	}
	at = draftPlace{known: len(old)}
	if len(old) > 0 {
		sought := *b
		sought.Lines = old
		if p, refusal := (&locator{doc: d.doc, block: sought.withoutMark()}).locate(); refusal == nil {
			at.from, at.to = p.span()
			at.ok = at.from < at.to
			at.shift = shiftBetween(old, d.lines[at.from:at.to])
		}
	}
	d.placed[b.Number] = at
	return at
}

// ahead is how many lines further than the new text the old text is compared with it
// while the new text grows: a line that both have is likely the same line only nearby.
const ahead = 4

// replaced is the change of old, which begins at line at, into text. While text is not
// whole, the rest of old stays: what follows the last line that both have is taken to
// replace as many lines.
func replaced(at int, old, text []string, whole bool) []LineHunk {
	if whole {
		return lineHunks(at, old, text)
	}
	return lineHunks(at, old[:consumed(old[:min(len(old), len(text)+ahead)], text)], text)
}

// consumed is how many lines of old a growing text stands for: those up to the last one
// that both have, and one for each line that follows it.
func consumed(old, text []string) int {
	inOld, inText := 0, 0 // after the last common line
	lastOld, lastText := 0, 0
	for _, d := range DiffLines(old, text) {
		if d.Start > lastOld {
			inOld, inText = d.Start, d.NewStart
		}
		lastOld, lastText = d.End, d.NewEnd
	}
	if lastOld < len(old) && lastText < len(text) {
		inOld, inText = len(old), len(text)
	}
	return min(len(old), inOld+len(text)-inText)
}

func shiftBetween(old []Line, lines []string) indentShift {
	for i, l := range old {
		if !blank(l.Text) && i < len(lines) {
			shift, _ := indentPair{indentOf(l.Text), indentOf(lines[i])}.difference()
			return shift
		}
	}
	return indentShift{}
}
