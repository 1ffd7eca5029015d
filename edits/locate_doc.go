package edits

import (
	"slices"
	"strings"
)

const byteOrderMark = "\ufeff"

// A doc is a file's text cut into lines, while blocks are applied to it. It
// keeps every line's own terminator, so that unchanged lines keep
// their bytes.
type doc struct {
	before  string // the whole text, before any block
	bom     string
	lines   []string // without terminators; no line after a final terminator
	ends    []string // the terminators, parallel to lines; only the last may be ""
	eol     string   // what new lines end with: the first terminator of the file
	shifts  []shift  // how line numbers moved since the model saw the file
	cursor  int      // the line after the latest change
	lineEnd bool     // the file ends with a terminator, or is empty
	fit     Fitting  // what may be made of what blocks changed
}

// A shift records that the lines from at on moved by delta.
type shift struct{ at, delta int }

func newDoc(text string) *doc {
	d := &doc{before: text, fit: FitNothing}
	if rest, ok := strings.CutPrefix(text, byteOrderMark); ok {
		d.bom, text = byteOrderMark, rest
	}
	d.split(text)
	d.lineEnd = len(d.ends) == 0 || d.ends[len(d.ends)-1] != ""
	d.eol = "\n"
	if len(d.ends) > 0 && d.ends[0] != "" {
		d.eol = d.ends[0]
	}
	return d
}

func (d *doc) split(text string) {
	n := strings.Count(text, "\n") + 1
	d.lines, d.ends = make([]string, 0, n), make([]string, 0, n)
	for text != "" {
		line, end := cutLine(text)
		d.lines, d.ends = append(d.lines, line), append(d.ends, end)
		text = text[len(line)+len(end):]
	}
}

// cutLine splits off the first line and its terminator: "\n", "\r\n" or a lone "\r".
func cutLine(text string) (line, end string) {
	i := strings.IndexByte(text, '\n')
	head := text
	if i >= 0 {
		head = text[:i]
	}
	if r := strings.IndexByte(head, '\r'); r >= 0 {
		if r == i-1 {
			return text[:r], "\r\n"
		}
		return text[:r], "\r"
	}
	if i < 0 {
		return text, ""
	}
	return head, "\n"
}

// String is the text with everything that was kept byte for byte.
func (d *doc) String() string {
	var s strings.Builder
	s.WriteString(d.bom)
	for i, line := range d.lines {
		s.WriteString(line)
		s.WriteString(d.ends[i])
	}
	return s.String()
}

// current turns a 1-based line of the file the model saw into a 0-based line of d.
func (d *doc) current(hint int) int {
	line := hint - 1
	for _, s := range d.shifts {
		if s.at <= line {
			line += s.delta
		}
	}
	return line
}

// endAt is what a new line ends with in the place of a line: CRLF where that line, or the one
// before it, has it, else what lines of the file end with.
func (d *doc) endAt(line int) string {
	for _, i := range []int{line, line - 1} {
		if i >= 0 && i < len(d.ends) && d.ends[i] != "" {
			if d.ends[i] == "\r\n" {
				return "\r\n"
			}
			break
		}
	}
	return d.eol
}

// splice replaces lines [from, to) by lines, whose missing terminators become
// the file's own. tail means that lines added after a last line without
// terminator are whole lines, so that the file then ends with a terminator.
func (d *doc) splice(from, to int, lines, ends []string, tail bool) {
	atEnd := to == len(d.lines)
	bare := !d.lineEnd && atEnd
	if atEnd && from > 0 && len(lines) > 0 && d.ends[from-1] == "" {
		d.ends[from-1] = d.endAt(from - 1)
	}
	for i := range ends {
		if ends[i] == "" {
			ends[i] = d.eol
		}
	}
	if bare && len(ends) > 0 {
		if tail {
			d.lineEnd = true
		} else {
			ends[len(ends)-1] = ""
		}
	}
	d.lines = slices.Replace(d.lines, from, to, lines...)
	d.ends = slices.Replace(d.ends, from, to, ends...)
	d.shifts = append(d.shifts, shift{from, len(lines) - (to - from)})
	d.cursor = from + len(lines)
}

// setEnd gives the text the ending that the block asks for, if the block's lines
// reach the end of the file.
func (d *doc) setEnd(b *Block, reached int) {
	n := len(d.ends)
	if n == 0 || reached != n {
		return
	}
	switch {
	case b.noEOL:
		d.ends[n-1], d.lineEnd = "", false
	case b.addEOL && d.ends[n-1] == "":
		d.ends[n-1], d.lineEnd = d.eol, true
	}
}

// splitLines cuts a text of a block into lines; a final terminator ends the
// last line and begins none.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func blank(line string) bool { return strings.TrimSpace(line) == "" }

// indentOf is the white space that a line starts with.
func indentOf(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}
