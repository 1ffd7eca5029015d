package edits

import (
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// Diff returns a small list of edits that turns before into after: whole lines
// are compared first, then the characters of the lines that differ. Edits
// start and end on borders of runes and of "\r\n"; everything else keeps its
// bytes. It takes time about linear in the two texts, whatever they are.
func Diff(before, after string) []Edit {
	if before == after {
		return nil
	}
	atA, endA, endB := middle(before, after)
	a, b := splitKeepEnds(before[atA:endA]), splitKeepEnds(after[atA:endB])
	var out []Edit
	atB, doneA, doneB := atA, 0, 0 // bytes and lines passed
	for _, d := range DiffLines(a, b) {
		atA += size(a[doneA:d.Start])
		atB += size(b[doneB:d.NewStart])
		old := before[atA : atA+size(a[d.Start:d.End])]
		new := after[atB : atB+size(b[d.NewStart:d.NewEnd])]
		out = refine(out, atA, old, new)
		atA, atB, doneA, doneB = atA+len(old), atB+len(new), d.End, d.NewEnd
	}
	return out
}

// middle finds the lines in which two texts differ: before them, up to start,
// and behind them, from endA and endB, the texts are equal. It costs little
// where they differ in one place, however long they are.
func middle(a, b string) (start, endA, endB int) {
	start = strings.LastIndexByte(a[:CommonPrefix(a, b)], '\n') + 1
	ends := CommonSuffix(a[start:], b[start:])
	if line := strings.IndexByte(a[len(a)-ends:], '\n'); line >= 0 {
		ends -= line + 1
	} else {
		ends = 0
	}
	return start, len(a) - ends, len(b) - ends
}

// splitKeepEnds divides s into lines with their terminators.
func splitKeepEnds(s string) []string {
	lines := make([]string, 0, strings.Count(s, "\n")+1)
	for s != "" {
		n := strings.IndexAny(s, "\r\n") + 1
		switch {
		case n == 0:
			n = len(s)
		case strings.HasPrefix(s[n-1:], "\r\n"):
			n++
		}
		lines = append(lines, s[:n])
		s = s[n:]
	}
	return lines
}

func size(lines []string) int {
	n := 0
	for _, line := range lines {
		n += len(line)
	}
	return n
}

// maxRefined bounds, in characters of both sides, the blocks whose characters
// are compared one by one.
const maxRefined = 64 << 10

// refine appends the edits that turn old, which stands at offset at, into new.
func refine(out []Edit, at int, old, new string) []Edit {
	prefix, suffix := commonEnds(old, new)
	at += prefix
	old, new = old[prefix:len(old)-suffix], new[prefix:len(new)-suffix]
	if old == "" || new == "" || len(old)+len(new) > maxRefined {
		return append(out, Edit{Span{at, at + len(old)}, new})
	}
	a, aAt := atoms(old)
	b, bAt := atoms(new)
	for _, d := range joinNear(lcs.DiffRunes(a, b), a) {
		out = append(out, Edit{Span{at + aAt[d.Start], at + aAt[d.End]}, new[bAt[d.ReplStart]:bAt[d.ReplEnd]]})
	}
	return out
}

// The atoms that are not runes.
const (
	atomCRLF    = utf8.MaxRune + 1
	atomInvalid = utf8.MaxRune + 2 // plus the byte
)

// atoms divides s into what an edit must not divide, runes, "\r\n" and bytes
// of no rune, and returns where each starts, and where s ends.
func atoms(s string) (ids []rune, at []int) {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			r = atomInvalid + rune(s[i])
		case strings.HasPrefix(s[i:], "\r\n"):
			r, n = atomCRLF, 2
		}
		ids, at = append(ids, r), append(at, i)
		i += n
	}
	return ids, append(at, len(s))
}

// maxIsland is the longest run of equal characters between two changes that
// counts as equal only by chance.
const maxIsland = 3

// joinNear joins changes on one line that only a few characters separate which
// are fewer than those changed on either side.
func joinNear(ds []lcs.Diff, a []rune) []lcs.Diff {
	out := ds[:0]
	for _, d := range ds {
		if n := len(out); n > 0 && chance(out[n-1], d, a) {
			out[n-1].End, out[n-1].ReplEnd = d.End, d.ReplEnd
			continue
		}
		out = append(out, d)
	}
	return out
}

func chance(x, y lcs.Diff, a []rune) bool {
	island := y.Start - x.End
	if island > maxIsland || island >= changed(x) || island >= changed(y) {
		return false
	}
	for _, r := range a[x.End:y.Start] {
		if r == '\n' || r == '\r' || r == atomCRLF {
			return false
		}
	}
	return true
}

func changed(d lcs.Diff) int { return max(d.End-d.Start, d.ReplEnd-d.ReplStart) }
