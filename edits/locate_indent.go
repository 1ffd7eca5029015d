package edits

import "strings"

// An indenter turns indentation as the model wrote it into the file's, from
// the lines that both have.
type indenter struct {
	pairs []indentPair
	same  bool   // the model's indentation is the file's
	noise bool   // the model's indentation contradicts itself
	style bool   // the model indents with spaces where the file has tabs, or the reverse
	more  string // what every line of the file has before the model's indentation
	less  string // what every line of the model has before the file's
	shift bool   // more or less holds for every pair
	unit  int    // columns of one level in the model's text
	step  string // one level in the file
}

type indentPair struct{ model, file string }

// newIndenter learns from the old lines of a hunk and the file's lines they
// were located at.
func newIndenter(h hunk, at []int, lines []string) *indenter {
	in := &indenter{same: true}
	for _, op := range []Op{Remove, Keep} { // replaced lines are better evidence than kept lines
		for i, text := range h.old {
			if h.ops[i] != op || at[i] < 0 || blank(text) {
				continue
			}
			pair := indentPair{indentOf(text), indentOf(lines[at[i]])}
			in.same = in.same && pair.model == pair.file
			in.pairs = append(in.pairs, pair)
		}
	}
	if in.contradictory() {
		in.same, in.noise = true, true // nothing can be learned from it
	}
	in.learnShift()
	in.learnUnits(h)
	return in
}

// contradictory reports whether one indentation of the model corresponds to two
// of the file, or two to one.
func (in *indenter) contradictory() bool {
	for _, a := range in.pairs {
		for _, b := range in.pairs {
			if (a.model == b.model) != (a.file == b.file) {
				return true
			}
		}
	}
	return false
}

// learnShift finds out whether one prefix explains every pair.
func (in *indenter) learnShift() {
	in.shift = len(in.pairs) > 0
	for i, p := range in.pairs {
		more, isMore := strings.CutSuffix(p.file, p.model)
		less, isLess := strings.CutSuffix(p.model, p.file)
		if !isMore && !isLess {
			in.shift = false
			return
		}
		if isMore {
			less = ""
		} else {
			more = ""
		}
		if i == 0 {
			in.more, in.less = more, less
		} else if more != in.more || less != in.less {
			in.shift = false
			return
		}
	}
}

// learnUnits finds how wide one level is on both sides.
func (in *indenter) learnUnits(h hunk) {
	in.unit, in.step = 4, ""
	for _, a := range in.pairs {
		for _, b := range in.pairs {
			model, file := columns(a.model)-columns(b.model), len(a.file)-len(b.file)
			if model > 0 && file > 0 && strings.HasPrefix(a.file, b.file) {
				rest := a.file[len(b.file):]
				if strings.Trim(rest, "\t") == "" && model%file == 0 {
					in.unit, in.step = model/file, "\t"
					return
				}
				in.unit, in.step = model, rest
			}
		}
	}
	if in.step != "" {
		return
	}
	for _, p := range in.pairs {
		if strings.HasPrefix(p.file, "\t") {
			in.step = "\t"
		}
	}
	in.unit = smallestStep(texts(h.lines))
	if in.step == "" {
		in.step = strings.Repeat(" ", in.unit)
	}
}

// learnStyle finds out whether the file indents with tabs and the whole hunk
// with spaces, or the reverse. If any line of a hunk has the file's style, the
// model knows that style, and the hunk's other lines are kept as written.
func (in *indenter) learnStyle(h hunk, file []string) {
	hunkTabs, hunkSpaces := 0, 0
	for _, l := range h.lines {
		countStyle(l.Text, &hunkTabs, &hunkSpaces)
	}
	if (hunkTabs == 0) == (hunkSpaces == 0) {
		return
	}
	tabs, spaces := 0, 0
	for _, line := range file {
		countStyle(line, &tabs, &spaces)
	}
	switch {
	case hunkSpaces > 0 && tabs > 0 && spaces == 0:
		in.style, in.unit, in.step = true, smallestStep(texts(h.lines)), "\t"
	case hunkTabs > 0 && spaces > 0 && tabs == 0:
		in.style, in.step = true, strings.Repeat(" ", smallestStep(file))
	}
}

func countStyle(line string, tabs, spaces *int) {
	switch {
	case strings.HasPrefix(line, "\t"):
		*tabs++
	case strings.HasPrefix(line, "  ") && !blank(line):
		*spaces++
	}
}

// smallestStep is the smallest indentation among lines that start with spaces, or 4.
func smallestStep(lines []string) int {
	best := 0
	for _, line := range lines {
		if n := leading(line, ' '); n > 1 && n < len(line) && (best == 0 || n < best) {
			best = n
		}
	}
	if best == 0 {
		return 4
	}
	return best
}

// columns is the width of an indentation, a tab counted as 4.
func columns(indent string) int { return len(indent) + 3*strings.Count(indent, "\t") }

// line re-indents one added line.
func (in *indenter) line(text string) string {
	if in.same && !in.style || blank(text) {
		return text
	}
	if in.style {
		indent := indentOf(text)
		return in.convert(indent) + text[len(indent):]
	}
	indent := indentOf(text)
	return in.indent(indent) + text[len(indent):]
}

func (in *indenter) indent(indent string) string {
	for _, p := range in.pairs {
		if p.model == indent {
			return p.file
		}
	}
	if in.shift {
		if in.less != "" {
			rest, ok := strings.CutPrefix(indent, in.less)
			if !ok {
				return ""
			}
			return rest
		}
		return in.more + indent
	}
	return in.fromNearest(indent)
}

// fromNearest counts levels from the deepest known indentation that indent
// continues, or from the shallowest if it continues none.
func (in *indenter) fromNearest(indent string) string {
	base, shallow := -1, 0
	for i, p := range in.pairs {
		if strings.HasPrefix(indent, p.model) && (base < 0 || len(p.model) > len(in.pairs[base].model)) {
			base = i
		}
		if len(p.model) < len(in.pairs[shallow].model) {
			shallow = i
		}
	}
	if base >= 0 {
		return in.pairs[base].file + in.convert(indent[len(in.pairs[base].model):])
	}
	p := in.pairs[shallow]
	levels := max(columns(p.model)-columns(indent), 0) / max(in.unit, 1)
	return p.file[:max(len(p.file)-levels*len(in.step), 0)]
}

// convert writes indentation below a known level in the file's style.
func (in *indenter) convert(rest string) string {
	if strings.Contains(rest, "\t") == strings.HasPrefix(in.step, "\t") {
		return rest
	}
	if strings.Contains(rest, "\t") {
		return strings.ReplaceAll(rest, "\t", in.step)
	}
	levels := len(rest) / max(in.unit, 1)
	return strings.Repeat(in.step, levels) + rest[levels*in.unit:]
}
