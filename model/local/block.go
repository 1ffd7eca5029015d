package local

import (
	"slices"
	"strings"
)

// How far a suggestion goes on beyond its first line.
const (
	maxBlock   = 12  // lines
	blockAgree = 0.8 // the part of the finds that must go on alike
	blockFrom  = 0.5 // the confidence from which on more than a line is suggested
)

// Block is the candidate's text, with the lines after it that surely follow:
// those on which the places it was found at agree, up to the line that stands
// after the hole already, brackets closed.
func (c *Candidate) Block() string {
	h := c.hole
	if c.Confidence < blockFrom || h.tail != "" || !opensBlock(c.Text) {
		return c.Text
	}
	finds := slices.DeleteFunc(slices.Clone(c.finds), func(f *find) bool { return f.made != "" || f.asIs || f.token > 0 })
	lines := []string{c.Text}
	depth := bracketDepth(h.typed + c.Text)
	for k := 1; k <= maxBlock && len(finds) > 0; k++ {
		line, rest := h.agreed(finds, k)
		if line == "" || strings.TrimLeft(line, " \t") == h.lineText(h.at) {
			break
		}
		lines, finds = append(lines, line), rest
		if depth += bracketDepth(line); depth <= 0 {
			return strings.Join(lines, "\n")
		}
	}
	return c.Text // it does not close: a line alone is better than half a block
}

// opensBlock reports whether lines that belong to a line follow it.
func opensBlock(line string) bool {
	return line != "" && strings.IndexByte("{([", line[len(line)-1]) >= 0
}

// bracketDepth is how many brackets a line opens more than it closes.
func bracketDepth(line string) int {
	n := 0
	for _, t := range lexLine(strings.TrimLeft(line, " \t"), nil) {
		switch t.text {
		case "(", "[", "{":
			n++
		case ")", "]", "}":
			n--
		}
	}
	return n
}

// agreed is the k-th line after a candidate's first, indented for the hole, on
// which enough of its finds agree; rest are those. It is "" where they do not.
func (h *hole) agreed(finds []*find, k int) (line string, rest []*find) {
	by := map[string][]*find{}
	for _, f := range finds {
		place := f.place + k
		if place >= len(f.b.seg.lines) || f.b.seg.lines[place] == 0 {
			continue
		}
		r := h.renames(f)
		body, n := r.apply(h, f.b.seg, f.b.seg.line(place))
		deeper := int(f.b.seg.indent[place]) - int(f.b.seg.indent[f.place])
		if body == "" || n.differ > 0 || deeper < 0 {
			continue
		}
		text := h.space + h.unit(deeper) + body
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

// unit is indentation of a width, as the document indents.
func (h *hole) unit(wide int) string {
	if wide <= 0 {
		return ""
	}
	if strings.HasPrefix(h.space, "\t") || h.tabs {
		return strings.Repeat("\t", (wide+3)/4)
	}
	return strings.Repeat(" ", wide)
}
