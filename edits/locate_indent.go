package edits

import (
	"slices"
	"strings"
)

// An indenter turns indentation as the model wrote it into the file's, from the lines that
// both have. Where they allow several readings of an added line, it is written only if all
// give the same: a guess would put code into another block.
type indenter struct {
	same    bool // the model's indentation is the file's
	open    bool // two readings differ, and nothing decides between them
	known   map[string]string
	step    string        // one level in the file, "" if unknown
	unit    int           // characters of one level where the model writes spaces, 0 if unknown
	shifts  []indentShift // those that explain every pair
	respell []respelling  // those that explain every pair, for indentation in another style
}

// An indentPair is the indentation of one line as the model wrote it, and in the file.
type indentPair struct{ model, file string }

// An indentShift is by how much a model's lines are indented less, or more, than the
// lines of the text that they name.
type indentShift struct{ add, remove string }

// A respelling writes levels of so many spaces as the file's, before it shifts.
type respelling struct {
	unit int
	indentShift
}

// difference is the prefix that the file's indentation has more, or less.
func (p indentPair) difference() (s indentShift, ok bool) {
	if add, ok := strings.CutSuffix(p.file, p.model); ok {
		return indentShift{add: add}, true
	}
	remove, ok := strings.CutSuffix(p.model, p.file)
	return indentShift{remove: remove}, ok
}

func (s indentShift) apply(line string) string {
	if blank(line) {
		return line
	}
	return s.add + strings.TrimPrefix(line, s.remove)
}

// explains reports whether a shift makes the file's indentation of every pair, with levels
// written in another way. That of context may have lost a space, which was taken for its sign.
func (s indentShift) explains(sure, context []indentPair, levels func(string) string) bool {
	fits := func(p indentPair) bool { return s.add+levels(p.model) == s.remove+p.file }
	return !slices.ContainsFunc(sure, func(p indentPair) bool { return !fits(p) }) &&
		!slices.ContainsFunc(context, func(p indentPair) bool { return !fits(p) && !fits(p.unsigned()) })
}

// spelt is an indentation as it is.
func spelt(indent string) string { return indent }

// unsigned is a pair whose sign was its line's first space.
func (p indentPair) unsigned() indentPair { return indentPair{" " + p.model, p.file} }

// newIndenter learns from the old lines of a hunk and the file's lines they
// were located at. signed means that the format puts a sign before every line,
// which models forget before context.
func newIndenter(h hunk, at []int, lines []string, signed bool) *indenter {
	in := &indenter{step: stepOf(lines), unit: unitOf(h.lines)}
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
	in.learn(sure, context)
	if len(sure) == 0 && in.same && overwritten(context, h) {
		in.same, in.shifts = false, []indentShift{{add: " "}}
	}
	return in
}

// overwritten sees the hunk whose signs are in the first column of the text itself: no
// context has its sign, and every added line lacks a column of an indentation that the file
// has there.
func overwritten(context []indentPair, h hunk) bool {
	here := func(indent string) bool {
		return slices.ContainsFunc(context, func(p indentPair) bool { return p.file == indent })
	}
	lacking := 0
	for _, l := range h.lines {
		if indent := indentOf(l.Text); l.Op == Add && !blank(l.Text) {
			if here(indent) || !here(" "+indent) {
				return false
			}
			lacking++
		}
	}
	return lacking > 0 && !slices.ContainsFunc(context, func(p indentPair) bool { return p.model == p.file })
}

// unitOf is how many spaces one level is in a model's lines, 0 if unknown.
func unitOf(lines []Line) int { return len(strings.TrimLeft(stepOf(texts(lines)), "\t")) }

// learn looks for what explains all pairs: nothing, a shift, another way to write levels.
func (in *indenter) learn(sure, context []indentPair) {
	pairs := slices.Concat(sure, context)
	in.known = map[string]string{}
	for _, p := range pairs {
		in.known[p.model] = p.file
	}
	if in.same = (indentShift{}).explains(sure, context, spelt); in.same {
		in.shifts = []indentShift{{}}
		return
	}
	candidates := pairs[:1:1]
	if len(sure) == 0 {
		candidates = append(candidates, pairs[0].unsigned())
	}
	for _, p := range candidates {
		if s, ok := p.difference(); ok && s.explains(sure, context, spelt) {
			in.shifts = append(in.shifts, s)
			if p == pairs[0] && in.whole(s) {
				break // a space that is lost would make it a part of a level
			}
		}
	}
	for _, unit := range []int{2, 3, 4, 8} {
		levels := func(indent string) string { return in.levels(indent, unit) }
		if s, ok := (indentPair{levels(pairs[0].model), pairs[0].file}).difference(); ok && s.explains(sure, context, levels) {
			in.respell = append(in.respell, respelling{unit, s})
		}
	}
	in.prefer(func(r respelling) bool { return r.indentShift == indentShift{} })
	in.prefer(func(r respelling) bool { return r.unit == in.unit })
	if len(in.shifts)+len(in.respell) > 0 {
		return
	}
	// One indentation that is two in the other text explains nothing.
	in.same = slices.ContainsFunc(pairs, func(a indentPair) bool {
		return slices.ContainsFunc(pairs, func(b indentPair) bool { return (a.model == b.model) != (a.file == b.file) })
	})
}

// prefer leaves the respellings that are wanted, if there is one.
func (in *indenter) prefer(wanted func(respelling) bool) {
	if slices.ContainsFunc(in.respell, wanted) {
		in.respell = slices.DeleteFunc(in.respell, func(r respelling) bool { return !wanted(r) })
	}
}

// whole reports whether a shift is a number of the file's levels.
func (in *indenter) whole(s indentShift) bool {
	return in.step != "" && strings.ReplaceAll(s.add+s.remove, in.step, "") == ""
}

// foreign reports whether an indentation is in the other style than the file's.
func (in *indenter) foreign(indent string) bool {
	return in.step != "" && indent != "" && indent[0] != in.step[0]
}

// levels writes an indentation in the file's levels, where one level has so many spaces.
func (in *indenter) levels(indent string, unit int) string {
	tabs := leading(indent, '\t')
	spaces := len(indent) - tabs
	if in.step == "" || in.step == "\t" && tabs > 0 {
		return indent // spaces behind tabs put text below other text
	}
	return strings.Repeat(in.step, tabs+spaces/unit) + strings.Repeat(" ", spaces%unit)
}

// line re-indents one added line; ok is false where its indentation is unknown.
func (in *indenter) line(text string) (out string, ok bool) {
	if in.open {
		return "", false
	}
	indent := indentOf(text)
	if in.same && !(len(in.respell) > 0 && in.foreign(indent)) || blank(text) {
		return text, true
	}
	made, ok := in.known[indent]
	if !ok || len(in.shifts) > 0 {
		made, ok = in.indent(indent)
	}
	return made + text[len(indent):], ok
}

// indent is what all readings make of an indentation.
func (in *indenter) indent(indent string) (string, bool) {
	var made []string
	for _, s := range in.shifts {
		if rest, ok := strings.CutPrefix(indent, s.remove); ok && !in.foreign(indent) {
			made = append(made, s.add+rest)
		}
	}
	if len(made) == 0 {
		for _, r := range in.respell {
			if rest, ok := strings.CutPrefix(in.levels(indent, r.unit), r.remove); ok {
				made = append(made, r.add+rest)
			}
		}
	}
	if len(made) == 0 || slices.ContainsFunc(made, func(m string) bool { return m != made[0] }) {
		return "", false
	}
	return made[0], true
}

// styleLines is how many lines show that spaces are a file's style: in a file of fewer, an
// added line in tabs may be meant.
const styleLines = 8

// learnStyle finds out whether the file indents with tabs and all added lines with spaces,
// or the reverse. Where the file has both, or the hunk aligns or moves text, an addition in
// the other style may be meant; a hunk that only indents its lines anew means it.
func (in *indenter) learnStyle(h hunk, file []string) {
	var added, removed, here []string
	for _, l := range h.lines {
		switch l.Op {
		case Add:
			added = append(added, l.Text)
		case Remove:
			removed = append(removed, strings.TrimSpace(l.Text))
		}
	}
	for model := range in.known {
		here = append(here, model+".")
	}
	tabs, spaces := countStyle(file)
	addTabs, addSpaces := countStyle(added)
	hereTabs, hereSpaces := countStyle(here)
	if addTabs > 0 && addSpaces > 0 {
		in.open = tabs == 0 && spaces >= styleLines // some of it is of no column that the file shows
		return
	}
	if addTabs < addSpaces {
		tabs, spaces, hereTabs = spaces, tabs, hereSpaces // tabs are what is added
	}
	if addTabs+addSpaces == 0 || tabs >= spaces {
		return
	}
	moved := 0
	for _, text := range added {
		if t := strings.TrimSpace(text); indentOf(text) != "" && len(t) > 2 && slices.Contains(removed, t) {
			moved++
		}
	}
	switch aligned := slices.ContainsFunc(added, func(text string) bool { return !blank(text) && strings.Contains(indentOf(text), "\t ") }); {
	case moved == addTabs+addSpaces, tabs > 0 && hereTabs > 0:
	case tabs > 0 || moved > 0 || aligned || addTabs > 0 && spaces < styleLines:
		in.open = true
	default:
		for _, unit := range []int{2, 3, 4, 8} {
			if addTabs > 0 || continues(h, unit) {
				in.respell = append(in.respell, respelling{unit: unit})
			}
		}
		in.open = len(in.respell) == 0
	}
}

// continues reports whether a hunk's added lines, with levels of so many spaces, continue its
// other lines, in tabs: none is more than one level deeper than the line before it.
func continues(h hunk, unit int) bool {
	last, added := -1, false
	for _, l := range h.lines {
		if blank(l.Text) {
			continue
		}
		level := len(indentOf(l.Text))
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

// countStyle counts the lines of a text that are indented in tabs, and in spaces.
func countStyle(lines []string) (tabs, spaces int) {
	for _, line := range lines {
		switch {
		case blank(line): // its white space shows nothing
		case strings.HasPrefix(line, "\t"):
			tabs++
		case strings.HasPrefix(line, "  "):
			spaces++
		}
	}
	return tabs, spaces
}

// IndentUnit is one level of the indentation of a text, "" if it shows none.
func IndentUnit(text string) string { return stepOf(strings.Split(unixLines(text), "\n")) }

// openerWeight is how many other lines a line that opens a block weighs as much as, for how far
// the next one goes in.
const openerWeight = 4

// stepOf is one level of the indentation of a text: a tab, or as many spaces as
// lines are most often indented deeper than the line before. It is "" where
// nothing is indented, or where tabs and spaces are mixed.
func stepOf(lines []string) string {
	last, deeper := "", map[int]int{}
	for _, line := range lines {
		if blank(line) || strings.HasPrefix(strings.TrimLeft(line, " "), "*") {
			continue
		}
		switch step := leading(line, ' ') - leading(last, ' '); {
		case step > 1 && opensBlock(last) == always:
			deeper[step] += openerWeight
		case step > 1:
			deeper[step]++
		}
		last = line
	}
	best := 0
	for n, times := range deeper {
		if best == 0 || times > deeper[best] || times == deeper[best] && n < best {
			best = n
		}
	}
	switch tabs, spaces := countStyle(lines); {
	case tabs > 4*spaces:
		return "\t"
	case spaces > 20*tabs:
		return strings.Repeat(" ", best)
	}
	return ""
}
