package edits

import (
	"slices"
	"strings"
)

// A hunk is a block's lines ready to be located: Keep, Remove and Add only,
// with what old and new share turned into Keep, so that only changed lines
// are ever written.
type hunk struct {
	lines []Line
	old   []string // the lines looked for: Keep and Remove
	ops   []Op     // of old; Bare for a context line without sign
}

func newHunk(lines []Line) hunk {
	h := hunk{lines: slices.Clone(lines)}
	for i, l := range lines {
		if l.Op != Add {
			h.old = append(h.old, l.Text)
			h.ops = append(h.ops, l.Op)
		}
		if l.Op == Bare {
			h.lines[i].Op = Keep
		}
	}
	return h
}

// hunkOf makes a hunk of a block's lines, with Bare lines as context.
func hunkOf(lines []Line) hunk { return newHunk(align(lines)) }

// align turns the lines that a run of changes both removes and adds into Keep.
func align(lines []Line) []Line {
	out := make([]Line, 0, len(lines))
	for i := 0; i < len(lines); {
		if lines[i].Op == Keep || lines[i].Op == Bare {
			out = append(out, lines[i])
			i++
			continue
		}
		var old, new []string
		for ; i < len(lines) && lines[i].Op != Keep && lines[i].Op != Bare; i++ {
			if lines[i].Op == Remove {
				old = append(old, lines[i].Text)
			} else {
				new = append(new, lines[i].Text)
			}
		}
		out = appendDiff(out, old, new)
	}
	return out
}

// appendDiff appends the line diff of old and new: Keep where they agree, removals before
// additions elsewhere.
func appendDiff(out []Line, old, new []string) []Line {
	at := 0
	for _, d := range DiffLines(old, new) {
		out = appendAll(out, Keep, old[at:d.Start])
		out = appendAll(appendAll(out, Remove, old[d.Start:d.End]), Add, new[d.NewStart:d.NewEnd])
		at = d.End
	}
	return appendAll(out, Keep, old[at:])
}

func appendAll(out []Line, op Op, texts []string) []Line {
	for _, text := range texts {
		out = append(out, Line{op, text})
	}
	return out
}

// A variant is another reading of a hunk, for when the plain one fits nowhere.
type variant struct {
	hunk
	hint     int  // line number found in the text, 0 if none
	escaped  bool // escapes were undone
	repaired bool // signs of lines were guessed
}

// variants lists the readings of a block in the order in which they are tried.
func variants(b *Block) []variant {
	plain := hunkOf(b.Lines)
	out := []variant{{hunk: plain}}
	trimmed := plain
	if b.search {
		trimmed = withoutSharedEdges(b.Lines)
	}
	if len(trimmed.lines) < len(plain.lines) && len(trimmed.old) > 0 {
		out = append(out, variant{hunk: trimmed})
	}
	for _, most := range []int{1, len(trimmed.lines)} {
		if h, ok := trimmed.withoutBlankEdges(b.signed(), most); ok {
			out = append(out, variant{hunk: h})
		}
	}
	if v, ok := withoutLineNumbers(b.Lines); ok {
		out = append(out, v)
	}
	if h, ok := plain.withoutPathComment(b.Path); ok {
		out = append(out, variant{hunk: h})
	}
	if lines, ok := expandNewlines(b.Lines); ok {
		out = append(out, variant{hunk: hunkOf(lines), escaped: true})
	}
	return out
}

// withoutBlankEdges drops up to most blank lines at each end, which models add
// before and after what they search. A blank line both dropped and added again goes
// with it; one that has the sign of a removal stays.
func (h hunk) withoutBlankEdges(signed bool, most int) (hunk, bool) {
	lines := h.lines
	edge := func(l Line) bool { return l.Op != Add && blank(l.Text) && !(signed && l.Op == Remove) }
	for n := 0; n < most && len(lines) > 0 && edge(lines[0]); n++ {
		lines = lines[1:]
	}
	for n := 0; n < most && len(lines) > 0 && edge(lines[len(lines)-1]); n++ {
		lines = lines[:len(lines)-1]
	}
	trimmed := newHunk(lines)
	return trimmed, len(lines) < len(h.lines) && len(trimmed.old) > 0
}

// withoutSharedEdges drops the blank lines at the ends of a searched text that
// its replacement has too. What is left is compared alone, so that a blank line
// inside the replacement is not taken for one of them.
func withoutSharedEdges(lines []Line) hunk {
	var old, new []Line
	for _, l := range lines {
		if l.Op == Add {
			new = append(new, l)
		} else {
			old = append(old, l)
		}
	}
	for len(old) > 0 && len(new) > 0 && blank(old[0].Text) && blank(new[0].Text) {
		old, new = old[1:], new[1:]
	}
	for len(old) > 0 && len(new) > 0 && blank(old[len(old)-1].Text) && blank(new[len(new)-1].Text) {
		old, new = old[:len(old)-1], new[:len(new)-1]
	}
	return hunkOf(slices.Concat(old, new))
}

// withoutPathComment drops a first context line that names the file: models are
// shown such a line and mistake it for a line of the file.
func (h hunk) withoutPathComment(path string) (hunk, bool) {
	if len(h.old) < 2 || path == "" || h.lines[0].Op != Keep || !strings.Contains(h.lines[0].Text, path) {
		return hunk{}, false
	}
	return newHunk(h.lines[1:]), true
}

// withoutLineNumbers drops "12 | " from old lines that all carry it, and from
// the added ones that repeat an old line or that all carry it too. ok is false where
// only some do: then a number may well be text.
func withoutLineNumbers(lines []Line) (variant, bool) {
	stripped, first, ok := stripNumbers(lines, func(l Line) bool { return l.Op != Add })
	if !ok {
		return variant{}, false
	}
	listed := map[string]bool{}
	for _, l := range lines {
		if l.Op != Add {
			listed[l.Text] = true
		}
	}
	isNew := func(l Line) bool { return l.Op == Add && !listed[l.Text] }
	all, _, allNumbered := stripNumbers(stripped, isNew)
	for i, l := range lines {
		_, text, number := numbered(l.Text)
		switch {
		case l.Op != Add || !number:
		case listed[l.Text]:
			stripped[i].Text = text
		case allNumbered:
			stripped[i].Text = all[i].Text
		default:
			return variant{}, false
		}
	}
	return variant{hunk: hunkOf(stripped), hint: first}, true
}

func stripNumbers(lines []Line, of func(Line) bool) (out []Line, first int, ok bool) {
	out = append(out, lines...)
	for i, l := range lines {
		if !of(l) || l.Text == "" {
			continue
		}
		number, text, found := numbered(l.Text)
		if !found {
			return nil, 0, false
		}
		if first == 0 {
			first = number
		}
		out[i].Text = text
	}
	return out, first, first > 0
}

// numbered splits "  12 | text", "12: text" or "L12: text" into its parts.
func numbered(line string) (number int, text string, ok bool) {
	s := strings.TrimPrefix(strings.TrimLeft(line, " "), "L")
	i := 0
	for i < len(s) && i < 8 && s[i] >= '0' && s[i] <= '9' {
		number = number*10 + int(s[i]-'0')
		i++
	}
	if i == 0 {
		return 0, "", false
	}
	s = s[i:]
	for _, separator := range []string{" | ", " |", "| ", "|", "→", "\t", ": ", ":\t"} {
		if rest, found := strings.CutPrefix(s, separator); found {
			return number, rest, true
		}
	}
	return number, "", s == ":"
}

// expandNewlines undoes literal \n and leading \t in a hunk whose whole old
// text was written as one escaped line.
func expandNewlines(lines []Line) ([]Line, bool) {
	olds, escaped := 0, false
	for _, l := range lines {
		if l.Op != Add {
			olds++
			escaped = escaped || strings.Contains(l.Text, `\n`) || strings.Contains(l.Text, `\t`)
		}
	}
	if olds != 1 || !escaped {
		return nil, false
	}
	var out []Line
	for _, l := range lines {
		for _, text := range strings.Split(l.Text, `\n`) {
			if text != l.Text && strings.Count(text, `"`)%2+strings.Count(text, "'")%2+strings.Count(text, "`")%2 > 0 {
				return nil, false // it may stand in a string
			}
			out = append(out, Line{l.Op, unescapeTabs(text)})
		}
	}
	return out, true
}

// withLostSigns reads a line without sign between two that are added, or removed, as one of
// them.
func withLostSigns(b *Block) (hunk, bool) {
	lines, found := slices.Clone(b.Lines), false
	for i := 1; i+1 < len(lines); i++ {
		op := lines[i-1].Op
		if b.signed() && lines[i].Op == Bare && (op == Add || op == Remove) && lines[i+1].Op == op {
			lines[i].Op, found = op, true
		}
	}
	return hunkOf(lines), found
}

// withListItems reads a removed line as context without sign where the file has
// it with the "-" and not without: an item of a list, as YAML and Markdown have them.
func (l *locator) withListItems() (variant, bool) {
	if !l.block.signed() {
		return variant{}, false
	}
	there := map[string]bool{}
	for _, line := range l.lines(trimming) {
		there[line] = true
	}
	lines, found := slices.Clone(l.block.Lines), false
	for i, line := range lines {
		if item := "-" + line.Text; line.Op == Remove && there[strings.TrimSpace(item)] && !there[strings.TrimSpace(line.Text)] {
			lines[i], found = Line{Bare, item}, true
		}
	}
	return variant{hunk: hunkOf(lines)}, found
}
