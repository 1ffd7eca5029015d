package edits

import "strings"

// squeezed lists the runs of whole lines that equal the old text except for
// white space anywhere, line ends included. Such a run has no line-by-line
// relation to the old text, so each becomes a separate variant that replaces the
// file's lines.
func (l *locator) squeezed(h hunk) []place {
	want := squeeze(strings.Join(h.old, ""))
	if want == "" {
		return nil
	}
	var out []place
	for from := range l.doc.lines {
		if to := l.squeezedRun(from, want); to > from {
			p, known := l.squeezedPlace(h, from, to)
			if !known {
				return nil
			}
			out = append(out, p)
		}
	}
	return out
}

// squeezedRun is the end of the lines from from on that make up want, or 0.
func (l *locator) squeezedRun(from int, want string) int {
	for i := from; i < len(l.doc.lines); i++ {
		piece := squeeze(l.doc.lines[i])
		rest, ok := strings.CutPrefix(want, piece)
		if !ok || i == from && piece == "" {
			return 0
		}
		if rest == "" {
			return i + 1
		}
		want = rest
	}
	return 0
}

func (l *locator) squeezedPlace(h hunk, from, to int) (place, bool) {
	file := l.doc.lines[from:to]
	in := &indenter{step: stepOf(l.doc.lines)}
	in.settle([]indentPair{{indentOf(firstContent(h.old)), indentOf(file[0])}}, nil, h)
	in.unit = in.modelUnit(h)
	var added []string
	for _, line := range h.lines {
		if line.Op != Remove {
			text, known := in.line(line.Text)
			if !known {
				return place{}, false
			}
			added = append(added, text)
		}
	}
	reading := newHunk(appendDiff(nil, file, added))
	return place{hit: consecutive(from, to-from), variant: variant{hunk: reading}, tier: TierWhitespace}, true
}

func firstContent(lines []string) string {
	for _, line := range lines {
		if !blank(line) {
			return line
		}
	}
	return ""
}
