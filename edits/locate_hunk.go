package edits

import "strings"

// A hunk is a block's lines ready to be located: Keep, Remove and Add only,
// with what old and new share turned into Keep, so that only changed lines
// are ever written.
type hunk struct {
	lines []Line
	old   []string // the lines looked for: Keep and Remove
	ops   []Op     // of old
}

func newHunk(lines []Line) hunk {
	h := hunk{lines: lines}
	for _, l := range lines {
		if l.Op != Add {
			h.old = append(h.old, l.Text)
			h.ops = append(h.ops, l.Op)
		}
	}
	return h
}

// hunkOf makes a hunk of a block's lines, with Bare lines as context.
func hunkOf(lines []Line) hunk {
	resolved := make([]Line, len(lines))
	for i, l := range lines {
		if l.Op == Bare {
			l.Op = Keep
		}
		resolved[i] = l
	}
	return newHunk(align(resolved))
}

// align turns the lines that a run of changes both removes and adds into Keep.
func align(lines []Line) []Line {
	out := make([]Line, 0, len(lines))
	for i := 0; i < len(lines); {
		if lines[i].Op == Keep {
			out = append(out, lines[i])
			i++
			continue
		}
		var old, new []string
		for ; i < len(lines) && lines[i].Op != Keep; i++ {
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

// maxAlign bounds the table of appendDiff; larger changes are replaced whole.
const maxAlign = 4 << 20

// appendDiff appends the line diff of old and new: Keep where they agree in a
// longest common subsequence, removals before additions elsewhere.
func appendDiff(out []Line, old, new []string) []Line {
	for len(old) > 0 && len(new) > 0 && old[0] == new[0] {
		out = append(out, Line{Keep, old[0]})
		old, new = old[1:], new[1:]
	}
	tail := 0
	for tail < len(old) && tail < len(new) && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	kept := old[len(old)-tail:]
	out = appendMiddle(out, old[:len(old)-tail], new[:len(new)-tail])
	for _, text := range kept {
		out = append(out, Line{Keep, text})
	}
	return out
}

func appendMiddle(out []Line, old, new []string) []Line {
	if len(old)*len(new) > maxAlign {
		return appendAll(appendAll(out, Remove, old), Add, new)
	}
	width := len(new) + 1
	common := make([]int32, (len(old)+1)*width) // of old[i:] and new[j:]
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(new) - 1; j >= 0; j-- {
			if old[i] == new[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(old) && j < len(new) {
		switch {
		case old[i] == new[j]:
			out = append(out, Line{Keep, old[i]})
			i, j = i+1, j+1
		case common[(i+1)*width+j] >= common[i*width+j+1]:
			out = append(out, Line{Remove, old[i]})
			i++
		default:
			out = append(out, Line{Add, new[j]})
			j++
		}
	}
	return appendAll(appendAll(out, Remove, old[i:]), Add, new[j:])
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
	repaired bool // prefixes of lines were guessed
	escaped  bool // escapes were undone
}

// variants lists the readings of a block in the order in which they are tried.
func variants(b *Block) []variant {
	plain := hunkOf(b.Lines)
	out := []variant{{hunk: plain}}
	if h, ok := plain.withoutBlankEdges(); ok {
		out = append(out, variant{hunk: h})
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
	for _, lines := range regroup(b.Lines) {
		out = append(out, variant{hunk: hunkOf(lines), repaired: true})
		if h, ok := hunkOf(lines).withoutBlankEdges(); ok {
			out = append(out, variant{hunk: h, repaired: true})
		}
	}
	return out
}

// withoutBlankEdges drops the blank lines that models add before and after
// what they search. A blank line both dropped and added again goes with it.
func (h hunk) withoutBlankEdges() (hunk, bool) {
	lines := h.lines
	edge := func(l Line) bool { return l.Op != Add && blank(l.Text) }
	for len(lines) > 0 && edge(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 0 && edge(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	trimmed := newHunk(lines)
	return trimmed, len(lines) < len(h.lines) && len(trimmed.old) > 0
}

// withoutPathComment drops a first context line that names the file: models are
// shown such a line and mistake it for a line of the file.
func (h hunk) withoutPathComment(path string) (hunk, bool) {
	if len(h.old) < 2 || path == "" || h.lines[0].Op != Keep || !strings.Contains(h.lines[0].Text, path) {
		return hunk{}, false
	}
	return newHunk(h.lines[1:]), true
}

// withoutLineNumbers drops "12 | " from lines that all carry it.
func withoutLineNumbers(lines []Line) (variant, bool) {
	stripped, first, ok := stripNumbers(lines, func(op Op) bool { return op != Add })
	if !ok {
		return variant{}, false
	}
	if both, _, ok := stripNumbers(stripped, func(op Op) bool { return op == Add }); ok {
		stripped = both
	}
	return variant{hunk: hunkOf(stripped), hint: first}, true
}

func stripNumbers(lines []Line, of func(Op) bool) (out []Line, first int, ok bool) {
	out = append(out, lines...)
	for i, l := range lines {
		if !of(l.Op) || l.Text == "" {
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

// numbered splits "  12 | text" into its parts.
func numbered(line string) (number int, text string, ok bool) {
	s := strings.TrimLeft(line, " ")
	i := 0
	for i < len(s) && i < 8 && s[i] >= '0' && s[i] <= '9' {
		number = number*10 + int(s[i]-'0')
		i++
	}
	if i == 0 {
		return 0, "", false
	}
	s = s[i:]
	for _, separator := range []string{" | ", " |", "| ", "|", "→", "\t"} {
		if rest, found := strings.CutPrefix(s, separator); found {
			return number, rest, true
		}
	}
	return 0, "", false
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
			out = append(out, Line{l.Op, unescapeTabs(text)})
		}
	}
	return out, true
}

// regroup lists the readings in which a line without prefix, between two lines
// of the same op, has that op: each such line alone, then all of them.
func regroup(lines []Line) [][]Line {
	var at []int
	for i := 1; i+1 < len(lines); i++ {
		op := lines[i-1].Op
		if lines[i].Op == Bare && (op == Add || op == Remove) && lines[i+1].Op == op {
			at = append(at, i)
		}
	}
	var out [][]Line
	all := append([]Line(nil), lines...)
	for _, i := range at {
		one := append([]Line(nil), lines...)
		one[i].Op = lines[i-1].Op
		all[i].Op = lines[i-1].Op
		out = append(out, one)
	}
	if len(at) > 1 {
		out = append(out, all)
	}
	return out
}
