package edits

import (
	"slices"
	"strings"
)

// An indenter turns indentation as the model wrote it into the file's, from the
// lines that both have. What those lines leave open it reports as unknown: a
// guess would put code into another block.
type indenter struct {
	pairs   []indentPair
	same    bool   // the model's indentation is the file's
	shift   bool   // one prefix explains every pair: more or less
	more    string // what every line of the file has before the model's indentation
	less    string // what every line of the model has before the file's
	foreign bool   // the added lines alone are in spaces where the file has tabs, or the reverse
	open    bool   // two readings of the pairs differ, and nothing decides between them
	unit    int    // characters of one level where the model writes spaces, 0 if unknown
	step    string // one level in the file, "" if unknown
}

type indentPair struct{ model, file string }

// newIndenter learns from the old lines of a hunk and the file's lines they
// were located at. signed means that the format puts a sign before every line,
// which models forget before context.
func newIndenter(h hunk, at []int, lines []string, signed bool) *indenter {
	in := &indenter{step: stepOf(lines)}
	var sure, context []indentPair
	for i, text := range h.old {
		if at[i] < 0 || blank(text) {
			continue
		}
		pair := indentPair{indentOf(text), indentOf(lines[at[i]])}
		if strings.HasPrefix(pair.file, "\t") {
			in.step = "\t"
		}
		if signed && h.ops[i] == Keep {
			context = append(context, pair)
		} else {
			sure = append(sure, pair)
		}
	}
	in.settle(sure, context, h)
	in.unit = in.modelUnit(h)
	return in
}

// settle looks for the one prefix that explains all pairs. A context line may
// have lost the sign before it, and then lacks a space.
func (in *indenter) settle(sure, context []indentPair, h hunk) {
	in.pairs = slices.Concat(sure, context)
	if in.explained("", "", sure, context) {
		in.overwritten(sure, context, h)
		return
	}
	if len(in.pairs) > 0 {
		more, less, ok := in.pairs[0].difference()
		plain := ok && in.explained(more, less, sure, context)
		if len(sure) > 0 || plain && in.whole(more+less) {
			in.same = !plain && contradictory(in.pairs)
			return
		}
		was := *in
		more, less, ok = indentPair{" " + context[0].model, context[0].file}.difference()
		if !ok || !in.explained(more, less, sure, context) {
			*in = was
		} else if plain && in.more+in.less != "" {
			in.open = true
		}
	}
	in.same = !in.shift && contradictory(in.pairs)
}

// explained takes a shift if every sure pair is explained by it, and every
// context pair as it stands or with the space that it lost.
func (in *indenter) explained(more, less string, sure, context []indentPair) bool {
	pairs := make([]indentPair, 0, len(sure)+len(context))
	for i, p := range slices.Concat(sure, context) {
		lost := indentPair{" " + p.model, p.file}
		switch {
		case p.shifted(more, less):
			pairs = append(pairs, p)
		case i >= len(sure) && lost.shifted(more, less):
			pairs = append(pairs, lost)
		default:
			return false
		}
	}
	in.pairs, in.more, in.less, in.shift, in.same = pairs, more, less, true, more+less == ""
	return true
}

// overwritten sees the hunk whose signs stand in the first column of the text
// itself: no context has its sign, and every added line lacks a column of an
// indentation that the file has there.
func (in *indenter) overwritten(sure, context []indentPair, h hunk) {
	if len(sure) > 0 || slices.ContainsFunc(context, func(p indentPair) bool { return p.model == p.file }) {
		return
	}
	here := func(indent string) bool {
		return slices.ContainsFunc(context, func(p indentPair) bool { return p.file == indent })
	}
	lacking := false
	for _, l := range h.lines {
		if l.Op == Add && !blank(l.Text) {
			if indent := indentOf(l.Text); here(indent) || !here(" "+indent) {
				return
			}
			lacking = true
		}
	}
	if lacking {
		in.pairs, in.more, in.same = context, " ", false
	}
}

// whole reports whether a prefix is a number of the file's levels.
func (in *indenter) whole(prefix string) bool {
	return in.step != "" && strings.ReplaceAll(prefix, in.step, "") == ""
}

// difference is the prefix that the file's indentation has more, or less.
func (p indentPair) difference() (more, less string, ok bool) {
	if more, ok = strings.CutSuffix(p.file, p.model); ok {
		return more, "", true
	}
	less, ok = strings.CutSuffix(p.model, p.file)
	return "", less, ok
}

func (p indentPair) shifted(more, less string) bool {
	return more+p.model == less+p.file
}

// contradictory reports whether one indentation of the model corresponds to two
// of the file, or two to one.
func contradictory(pairs []indentPair) bool {
	for _, a := range pairs {
		for _, b := range pairs {
			if (a.model == b.model) != (a.file == b.file) {
				return true
			}
		}
	}
	return false
}

// modelUnit finds how many spaces one level is in the model's text.
func (in *indenter) modelUnit(h hunk) int {
	known := in.pairs
	if !in.shift {
		known = append(slices.Clone(known), indentPair{})
	}
	for _, a := range known {
		for _, b := range known {
			wide, narrow := len(a.model)-len(b.model), in.levels(a.file)-in.levels(b.file)
			if wide > 0 && narrow > 0 && wide%narrow == 0 && !strings.Contains(a.model+b.model, "\t") {
				return wide / narrow
			}
		}
	}
	return len(strings.TrimLeft(stepOf(texts(h.lines)), "\t"))
}

// levels is how many levels an indentation of the file has.
func (in *indenter) levels(indent string) int {
	if in.step == "" {
		return 0
	}
	return strings.Count(indent, in.step)
}

// styleLines is how many lines show that spaces are a file's style: in a file of fewer, an
// added line in tabs may be meant. A style that is rareStyle times as
// frequent as the other is the file's, but where the other is there at all, or is
// mixed with it in what is added, an addition in it may be meant.
const (
	styleLines = 8
	rareStyle  = 20
)

// learnForeign finds out whether the file indents with tabs and all added lines
// with spaces, or the reverse. A hunk that only indents its lines anew means it.
func (in *indenter) learnForeign(h hunk, file []string) {
	tabs, spaces := 0, 0
	for _, line := range file {
		countStyle(line, &tabs, &spaces)
	}
	addTabs, addSpaces, moved := 0, 0, 0
	had := map[string]bool{}
	for _, l := range h.lines {
		if text := strings.TrimSpace(l.Text); l.Op == Remove && len(text) > 2 {
			had[text] = true
		}
	}
	for _, l := range h.lines {
		if l.Op != Add {
			continue
		}
		countStyle(l.Text, &addTabs, &addSpaces)
		if indentOf(l.Text) != "" && had[strings.TrimSpace(l.Text)] {
			moved++
		}
	}
	if moved > 0 && moved == addTabs+addSpaces {
		return
	}
	switch {
	case addSpaces > 0 && addTabs == 0 && tabs > rareStyle*spaces:
		in.foreign, in.unit = true, foreignUnit(h)
	case addTabs > 0 && spaces > rareStyle*tabs:
		in.foreign = true
	}
	if !in.foreign && (addSpaces > 0 && addTabs == 0 && tabs > spaces || addTabs > 0 && addSpaces == 0 && spaces > tabs) {
		in.open = !in.hasStyle(addTabs > 0) // the file has both, and the lines it changes have the other one
		return
	}
	pure := (tabs == 0 || spaces == 0) && (tabs > 0 || spaces >= styleLines) && (addTabs == 0 || addSpaces == 0) && !aligned(h)
	in.open = in.foreign && (!pure || moved > 0)
}

// hasStyle reports whether a line of the file that the hunk has is indented in tabs, or
// in spaces, or none is indented at all.
func (in *indenter) hasStyle(inTabs bool) bool {
	indented := slices.ContainsFunc(in.pairs, func(p indentPair) bool { return p.file != "" })
	return !indented || slices.ContainsFunc(in.pairs, func(p indentPair) bool { return p.file != "" && (p.file[0] == '\t') == inTabs })
}

// aligned reports whether an added line has spaces after tabs: they put its text
// below other text, so the tabs may be meant.
func aligned(h hunk) bool {
	return slices.ContainsFunc(h.lines, func(l Line) bool { return l.Op == Add && !blank(l.Text) && strings.Contains(indentOf(l.Text), "\t ") })
}

// foreignUnit is the one width of a level at which the hunk's added lines, in
// spaces, continue its other lines, in tabs: none is more than one level deeper
// than the line before it. It is 0 where several widths do.
func foreignUnit(h hunk) int {
	found := 0
	for _, unit := range []int{2, 3, 4, 8} {
		if !continues(h, unit) {
			continue
		}
		if found > 0 {
			return 0
		}
		found = unit
	}
	return found
}

func continues(h hunk, unit int) bool {
	last, added := -1, false
	for _, l := range h.lines {
		if blank(l.Text) {
			continue
		}
		indent := indentOf(l.Text)
		level := len(indent)
		if l.Op == Add {
			if level%unit != 0 {
				return false
			}
			level /= unit
		}
		if last >= 0 && level > last+1 && (l.Op == Add || added) {
			return false
		}
		last, added = level, l.Op == Add
	}
	return true
}

func countStyle(line string, tabs, spaces *int) {
	switch {
	case blank(line): // its white space shows nothing
	case strings.HasPrefix(line, "\t"):
		*tabs++
	case strings.HasPrefix(line, "  "):
		*spaces++
	}
}

// stepOf is one level of the indentation of a text: a tab, or as many spaces as
// lines are most often indented deeper than the line before. It is "" where
// nothing is indented, or where tabs and spaces are mixed.
func stepOf(lines []string) string {
	tabs, spaces, last := 0, 0, 0
	deeper := map[int]int{}
	for _, line := range lines {
		if blank(line) {
			continue
		}
		countStyle(line, &tabs, &spaces)
		n := leading(line, ' ')
		if n > last+1 {
			deeper[n-last]++
		}
		last = n
	}
	best := 0
	for n, times := range deeper {
		if best == 0 || times > deeper[best] || times == deeper[best] && n < best {
			best = n
		}
	}
	switch {
	case tabs > 4*spaces:
		return "\t"
	case spaces > 20*tabs:
		return strings.Repeat(" ", best)
	}
	return ""
}

// line re-indents one added line; ok is false where its indentation is unknown.
func (in *indenter) line(text string) (out string, ok bool) {
	if in.open {
		return "", false
	}
	if in.same && !in.foreign || blank(text) {
		return text, true
	}
	indent := indentOf(text)
	made, ok := in.indent(indent)
	return made + text[len(indent):], ok
}

func (in *indenter) indent(indent string) (string, bool) {
	if in.foreign {
		return in.restyled(indent)
	}
	for _, p := range in.pairs {
		if p.model == indent {
			return p.file, true
		}
	}
	if !in.shift {
		return in.byLevels(indent)
	}
	if in.less != "" {
		return strings.CutPrefix(indent, in.less)
	}
	if in.mixes(indent) {
		return "", false
	}
	made, ok := in.restyled(indent)
	return in.more + made, ok
}

// mixes reports whether an indentation is in the other style than the file's, where
// the model wrote the file's own lines in that of the file: it may well be meant.
func (in *indenter) mixes(indent string) bool {
	own := func(s string) bool { return in.step != "" && strings.HasPrefix(s, in.step[:1]) }
	return indent != "" && !own(indent) && slices.ContainsFunc(in.pairs, func(p indentPair) bool { return own(p.model) })
}

// restyled writes indentation in the file's style, if it is in the other one.
func (in *indenter) restyled(indent string) (string, bool) {
	switch {
	case in.step == "" || indent == "" || strings.HasPrefix(indent, in.step[:1]):
		return indent, true
	case in.step != "\t":
		tabs := leading(indent, '\t')
		return strings.Repeat(in.step, tabs) + indent[tabs:], true
	case in.unit == 0:
		return "", false
	}
	levels := len(indent) / in.unit
	return strings.Repeat(in.step, levels) + indent[levels*in.unit:], true
}

// byLevels counts levels from the nearest known indentation.
func (in *indenter) byLevels(indent string) (string, bool) {
	var base indentPair
	nearest := -1
	for _, p := range in.pairs {
		if distance := max(len(p.model)-len(indent), len(indent)-len(p.model)); nearest < 0 || distance < nearest {
			base, nearest = p, distance
		}
	}
	unit := in.unit
	if strings.Trim(indent+base.model, "\t") == "" {
		unit = 1
	} else if strings.Contains(indent+base.model, "\t") {
		unit = 0
	}
	if unit == 0 || in.step == "" {
		return "", false
	}
	off := len(indent) - len(base.model)
	if off >= 0 {
		return base.file + strings.Repeat(in.step, off/unit) + strings.Repeat(" ", off%unit), true
	}
	made, ok := strings.CutSuffix(base.file, strings.Repeat(in.step, -off/unit))
	return made, ok && off%unit == 0
}
