package edits

import "strings"

// widths are the numbers of spaces that a model may write for one level.
var widths = []int{2, 3, 4, 8}

// inUnit writes the indentation of an insertion's lines in the document's unit, if it is in
// another. The place shows how wide a level of the model is: its lines continue those of the
// document, each at most one level deeper than the line before it.
func (p *site) inUnit(text string) (string, *Error) {
	lines := strings.Split(text, "\n")
	first := 1
	if p.line == "" {
		first = 0
	}
	if p.unit == "" || len(lines) <= first || p.at.Len() > 0 {
		return text, nil
	}
	tabs, spaces := countStyle(lines[first:])
	switch inTabs := p.unit == "\t"; {
	case inTabs && spaces > 0 && tabs == 0 && p.inStyle(true):
		return p.respelt(lines, first, p.fitting(lines, first))
	case !inTabs && tabs > 0 && spaces == 0 && p.inStyle(false):
		return p.respelt(lines, first, []int{len(p.unit)})
	case !inTabs && spaces > 0 && tabs == 0 && !p.continued(lines, first, len(p.unit)):
		if fitting := p.fitting(lines, first); len(fitting) == 1 {
			return p.respelt(lines, first, fitting)
		}
	}
	return text, nil
}

// inStyle reports whether the lines near the place are indented in tabs, or in spaces, or not
// at all.
func (p *site) inStyle(inTabs bool) bool {
	for n := range len(p.above) + 1 {
		line := p.line + "."
		if n > 0 {
			line = p.above[len(p.above)-n]
		}
		if tabs, spaces := countStyle([]string{line}); tabs+spaces > 0 {
			return tabs > 0 == inTabs
		}
	}
	tabs, spaces := countStyle(p.below)
	return tabs+spaces == 0 || tabs >= spaces == inTabs
}

// fitting lists the widths of a level with which lines continue the document.
func (p *site) fitting(lines []string, first int) []int {
	var out []int
	for _, width := range widths {
		if p.continued(lines, first, width) {
			out = append(out, width)
		}
	}
	return out
}

// continued reports whether lines continue the document if one of their levels is so many
// spaces: whole levels, one deeper behind what opens a block and never more.
func (p *site) continued(lines []string, first, width int) bool {
	before := p.line + lines[0]
	if first == 0 {
		before = ""
		for i := len(p.above) - 1; i >= 0 && blank(before); i-- {
			before = p.above[i]
		}
	}
	level := p.levelOf(indentOf(before))
	opened := opensBlock(before)
	for _, line := range lines[first:] {
		if blank(line) {
			continue
		}
		n, code := len(indentOf(line)), strings.TrimSpace(line)
		if n%width == 1 && code[0] == '*' {
			n-- // the stars of a comment are below each other
		}
		now := n / width
		switch closing := strings.IndexByte(")]}", code[0]) >= 0; {
		case n%width != 0, now > level+1, opened && now <= level && !closing:
			return false
		}
		level, opened = now, opensBlock(line)
	}
	return true
}

// levelOf is how many levels an indentation of the document has.
func (p *site) levelOf(indent string) int {
	return strings.Count(indent, p.unit)
}

// opensBlock reports whether the line after this one is indented more.
func opensBlock(line string) bool {
	code := strings.TrimSpace(line)
	return code != "" && strings.IndexByte("{([:", code[len(code)-1]) >= 0
}

// respelt writes lines whose levels have one of these widths, if all give the same.
func (p *site) respelt(lines []string, first int, widths []int) (string, *Error) {
	out := ""
	for _, width := range widths {
		made := append([]string(nil), lines...)
		for i := first; i < len(lines); i++ {
			indent := indentOf(lines[i])
			tabs, spaces := leading(indent, '\t'), len(strings.TrimLeft(indent, "\t"))
			made[i] = strings.Repeat(p.unit, tabs+spaces/width) + strings.Repeat(" ", spaces%width) + lines[i][len(indent):]
			if p.unit != "\t" && tabs > 0 {
				made[i] = strings.Repeat(p.unit, tabs) + strings.TrimLeft(indent, "\t") + lines[i][len(indent):]
			}
		}
		text := strings.Join(made, "\n")
		if out != "" && text != out {
			out = ""
			break
		}
		out = text
	}
	if out == "" {
		return "", refuse(CodeAmbiguous, "it is indented in a way that the lines around it do not explain")
	}
	return out, nil
}
