package edits

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// foldType writes a text as models type it: plain quotes, dashes, spaces and dots, and letters
// with their marks in one character.
func foldType(s string) string {
	if isASCII(s) {
		return s
	}
	return strings.Map(foldRune, norm.NFC.String(strings.ReplaceAll(s, "\u2026", "...")))
}

// typeUnits divides a line into parts that have several spellings each: a letter with its
// marks, a quote, a dash, three dots.
func typeUnits(line string) []string {
	var out []string
	for line != "" {
		_, n := utf8.DecodeRuneInString(line)
		if strings.HasPrefix(line, "...") {
			n = len("...")
		}
		for n < len(line) {
			r, size := utf8.DecodeRuneInString(line[n:])
			if !unicode.Is(unicode.Mn, r) {
				break
			}
			n += size
		}
		out, line = append(out, line[:n]), line[n:]
	}
	return out
}

// keepCells bounds the table of one comparison of lines.
const keepCells = 1 << 20

// keepType is a line that a model wrote in the place of the file's line, which it gave as
// shown: what it repeats of shown is spelt as in the file. named are characters that are meant
// as they are written. It returns false if two readings give different lines.
func keepType(file, shown, written, named string) (string, bool) {
	if file == shown {
		return written, true
	}
	f, m, n := typeUnits(file), typeUnits(shown), typeUnits(written)
	if len(m)*max(len(n), len(f)) > keepCells {
		return "", false
	}
	asInFile := slices.Clone(m) // how the file spells each of shown
	for i, at := range matched(m, f) {
		if at >= 0 && !strings.Contains(named, f[at]) {
			asInFile[i] = f[at]
		}
	}
	spelt := func(partner []int) string {
		var s strings.Builder
		for i, unit := range n {
			if at := partner[i]; at >= 0 && m[at] == unit {
				unit = asInFile[at]
			}
			s.WriteString(unit)
		}
		return s.String()
	}
	first := spelt(matched(n, m))
	slices.Reverse(n)
	slices.Reverse(m)
	partner := matched(n, m)
	slices.Reverse(n)
	slices.Reverse(m)
	slices.Reverse(partner)
	for i := range partner {
		if partner[i] >= 0 {
			partner[i] = len(m) - 1 - partner[i]
		}
	}
	return first, first == spelt(partner)
}

// matched gives each unit of a line its partner in another, or -1, for most units; of several
// ways to do so it takes that with the earliest partners.
func matched(units, others []string) []int {
	a, b := typing.all(units), typing.all(others)
	width := len(b) + 1
	length := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i*width+j] = length[(i+1)*width+j+1] + 1
			} else {
				length[i*width+j] = max(length[(i+1)*width+j], length[i*width+j+1])
			}
		}
	}
	out := slices.Repeat([]int{-1}, len(a))
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			out[i] = j
			i, j = i+1, j+1
		case length[(i+1)*width+j] >= length[i*width+j+1]:
			i++
		default:
			j++
		}
	}
	return out
}

// sameLine is how similar a line must be to one that it replaces to be that line, changed.
const sameLine = 0.5

// speltOtherwise reports whether the file spells an old line of a located hunk otherwise.
func (p place) speltOtherwise(d *doc) bool {
	for k, at := range p.at {
		if at >= 0 && strings.TrimSpace(d.lines[at]) != strings.TrimSpace(p.old[k]) {
			return true
		}
	}
	return false
}

// spelling returns the added lines of a located hunk as the lines spell them that they replace,
// by their index, if the file spells its lines otherwise than the hunk.
func (p place) spelling(b *Block, d *doc, named string) (map[int]string, *Error) {
	if p.tier == TierExact || p.tier == TierWhitespace || !p.speltOtherwise(d) {
		return nil, nil
	}
	out := map[int]string{}
	c := &comparer{left: fuzzyCells}
	var removed []int // of the old lines that are replaced here, without partners so far
	k := 0
	for i, line := range p.lines {
		switch line.Op {
		case Keep, Bare:
			removed, k = removed[:0], k+1
			continue
		case Remove:
			if p.at[k] >= 0 {
				removed = append(removed, k)
			}
			k++
			continue
		}
		best, likeness := -1, sameLine
		for at, old := range removed {
			if s := c.similarity(foldUnicode(p.old[old]), foldUnicode(line.Text)); s > likeness {
				best, likeness = at, s
			}
		}
		if best < 0 {
			continue
		}
		old := removed[best]
		removed = removed[best+1:]
		indent := indentOf(line.Text)
		text, ok := keepType(strings.TrimSpace(d.lines[p.at[old]]), strings.TrimSpace(p.old[old]), line.Text[len(indent):], named)
		if !ok {
			return nil, b.refuse(CodeAmbiguous, "%q is spelt otherwise in the file, and nothing shows which of its characters stay", short(line.Text))
		}
		out[i] = indent + text
	}
	return out, nil
}

// keepingType is a hunk that makes one text another, and how its place was found: lines that
// differ in their spelling alone stay as the old text has them. If nothing else differs, the
// spelling is what is meant. A line that both texts have is no other one's spelling.
func keepingType(old, new []string) (hunk, Tier) {
	exact := appendDiff(nil, old, new)
	if slices.Equal(typing.all(old), typing.all(new)) {
		return newHunk(exact), TierExact
	}
	var lines []Line
	for len(exact) > 0 {
		n := slices.IndexFunc(exact, func(l Line) bool { return l.Op == Keep })
		if n < 0 {
			n = len(exact)
		}
		lines = append(lines, respelt(exact[:n])...)
		if n < len(exact) {
			lines = append(lines, exact[n])
			n++
		}
		exact = exact[n:]
	}
	h := newHunk(lines)
	h.old = typing.all(h.old)
	return h, TierUnicode
}

// respelt are lines that are removed and added, of which those that differ in their spelling alone
// stay.
func respelt(changed []Line) []Line {
	var old, new []string
	for _, l := range changed {
		if l.Op == Add {
			new = append(new, l.Text)
		} else {
			old = append(old, l.Text)
		}
	}
	lines := appendDiff(nil, typing.all(old), typing.all(new))
	i, j := 0, 0
	for at, l := range lines {
		switch l.Op {
		case Add:
			lines[at].Text = new[j]
			j++
		case Remove:
			lines[at].Text = old[i]
			i++
		default:
			lines[at].Text = old[i]
			i, j = i+1, j+1
		}
	}
	return lines
}
