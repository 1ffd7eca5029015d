package complete

import (
	"slices"
	"strings"

	"tandem/model/local/source"
)

// Limits for a suggestion of more than one line.
const (
	maxBlock   = 12  // lines
	blockAgree = 0.8 // the share of the finds that must have the same next line
	blockFrom  = 0.5 // the lowest confidence for a suggestion of more than one line
)

// Block returns the candidate's text and the lines that follow it with high
// confidence: those on which the places it was found at agree. It ends before
// the line that already follows the infill site, with all brackets closed.
func (c *Candidate) Block() string {
	in := c.infill
	if c.Confidence < blockFrom || in.tail != "" || !opensBlock(c.Text) {
		return c.Text
	}
	finds := slices.DeleteFunc(slices.Clone(c.finds), func(f *find) bool { return f.constructed != "" || f.asIs || f.token > 0 })
	lines := []string{c.Text}
	depth := bracketDepth(in.typed + c.Text)
	for k := 1; k <= maxBlock && len(finds) > 0; k++ {
		line, rest := in.agreed(finds, k)
		if line == "" || strings.TrimLeft(line, " \t") == in.lineText(in.at) {
			break
		}
		lines, finds = append(lines, line), rest
		if depth += bracketDepth(line); depth <= 0 {
			return strings.Join(lines, "\n")
		}
	}
	return c.Text // it does not close: a line alone is better than half a block
}

// opensBlock reports whether a line ends with an opening bracket.
func opensBlock(line string) bool {
	return line != "" && strings.IndexByte("{([", line[len(line)-1]) >= 0
}

// bracketDepth returns the number of opening brackets minus closing brackets.
func bracketDepth(line string) int {
	n := 0
	for _, t := range source.Lex(strings.TrimLeft(line, " \t"), nil) {
		switch t.Text {
		case "(", "[", "{":
			n++
		case ")", "]", "}":
			n--
		}
	}
	return n
}

// balanced reports whether a line closes what it opens, unless it goes on in the next one or
// closes what lines before it opened.
func balanced(line string) bool {
	depth, tokens := 0, source.Lex(line, nil)
	for _, t := range tokens {
		switch t.Text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
	}
	switch {
	case depth > 0:
		last := tokens[len(tokens)-1]
		return last.Class == source.Punct && last.Text != ")" && last.Text != "]" && last.Text != "}" && last.Text != ";"
	case depth < 0:
		return strings.IndexByte(")]}", line[0]) >= 0
	}
	return true
}

// agreed returns the k-th line after a candidate's first if enough of its finds
// agree on it, indented for the infill site; rest are the finds that agree. It
// returns "" if they do not.
func (in *infill) agreed(finds []*find, k int) (line string, rest []*find) {
	by := map[string][]*find{}
	for _, f := range finds {
		place := f.place + k
		if place >= len(f.b.seg.lines) || f.b.seg.lines[place] == 0 {
			continue
		}
		r := in.renames(f)
		body, n := r.apply(in, f.b.seg, f.b.seg.line(place))
		deeper := int(f.b.seg.indent[place]) - int(f.b.seg.indent[f.place])
		if body == "" || n.differ > 0 || deeper < 0 {
			continue
		}
		text := in.space + in.indented(deeper, int(f.b.seg.indent[f.place+1])-int(f.b.seg.indent[f.place])) + body
		by[text] = append(by[text], f)
		if line == "" || len(by[text]) > len(by[line]) {
			line = text
		}
	}
	if float64(len(by[line])) < blockAgree*float64(len(finds)) {
		return "", nil
	}
	return line, by[line]
}

// indented returns what indents a line that is so much wider than the first one, where a step is
// so wide, in the document's unit.
func (in *infill) indented(wide, step int) string {
	if in.unit == "" || step <= 0 {
		return strings.Repeat(" ", max(wide, 0))
	}
	return strings.Repeat(in.unit, (wide+step-1)/step)
}
