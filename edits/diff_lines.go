package edits

import (
	"slices"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// exactLines is how many lines, of both sides together, the lcs package
// compares exactly: it gives up after 100 differences.
const exactLines = 100

// maxDepth bounds how often a gap between anchors is divided again.
const maxDepth = 24

// A LineChange is lines of one list in place of lines of another: from Start to End of the
// old one, from NewStart to NewEnd of the new one, counted from 0.
type LineChange struct{ Start, End, NewStart, NewEnd int }

// DiffLines returns the differences between two lists of lines, in order.
func DiffLines(old, changed []string) []LineChange {
	var out []LineChange
	for _, d := range diffLines(old, changed) {
		out = append(out, LineChange{d.Start, d.End, d.ReplStart, d.ReplEnd})
	}
	return out
}

// diffLines returns the differences between two lists of lines.
//
// Common lines at both ends are skipped. A large rest is divided at anchors,
// lines that occur once on each side, so that the pieces that the lcs package
// gets are small enough for an exact answer wherever the text has such lines.
func diffLines(a, b []string) []lcs.Diff {
	ids := map[string]rune{}
	d := lineDiff{a: number(ids, a), b: number(ids, b)}
	d.compare(lcs.Diff{End: len(a), ReplEnd: len(b)}, 0)
	return d.out
}

func number(ids map[string]rune, lines []string) []rune {
	out := make([]rune, len(lines))
	for i, line := range lines {
		id, ok := ids[line]
		if !ok {
			id = rune(len(ids))
			ids[line] = id
		}
		out[i] = id
	}
	return out
}

type lineDiff struct {
	a, b []rune
	out  []lcs.Diff
}

// compare appends the differences inside the rectangle r.
func (d *lineDiff) compare(r lcs.Diff, depth int) {
	r = d.trim(r)
	if r.Start == r.End || r.ReplStart == r.ReplEnd {
		d.add(r)
		return
	}
	if changedLines := r.End - r.Start + r.ReplEnd - r.ReplStart; changedLines > exactLines && depth < maxDepth {
		if at := d.anchors(r); len(at) > 0 {
			d.between(r, at, depth+1)
			return
		}
	}
	for _, in := range lcs.DiffRunes(d.a[r.Start:r.End], d.b[r.ReplStart:r.ReplEnd]) {
		d.add(lcs.Diff{Start: r.Start + in.Start, End: r.Start + in.End, ReplStart: r.ReplStart + in.ReplStart, ReplEnd: r.ReplStart + in.ReplEnd})
	}
}

// trim removes from r the lines that both sides share at its ends.
func (d *lineDiff) trim(r lcs.Diff) lcs.Diff {
	for r.Start < r.End && r.ReplStart < r.ReplEnd && d.a[r.Start] == d.b[r.ReplStart] {
		r.Start++
		r.ReplStart++
	}
	for r.Start < r.End && r.ReplStart < r.ReplEnd && d.a[r.End-1] == d.b[r.ReplEnd-1] {
		r.End--
		r.ReplEnd--
	}
	return r
}

// add appends a difference, joined with the one before where they touch.
func (d *lineDiff) add(r lcs.Diff) {
	if r.Start == r.End && r.ReplStart == r.ReplEnd {
		return
	}
	if n := len(d.out); n > 0 && d.out[n-1].End == r.Start && d.out[n-1].ReplEnd == r.ReplStart {
		d.out[n-1].End, d.out[n-1].ReplEnd = r.End, r.ReplEnd
		return
	}
	d.out = append(d.out, r)
}

// between compares what lies before, between and after anchors.
func (d *lineDiff) between(r lcs.Diff, anchors []anchor, depth int) {
	for _, at := range anchors {
		d.compare(lcs.Diff{Start: r.Start, End: at.a, ReplStart: r.ReplStart, ReplEnd: at.b}, depth)
		r.Start, r.ReplStart = at.a+1, at.b+1
	}
	d.compare(r, depth)
}

// An anchor is a line of a that is line b of the other side.
type anchor struct{ a, b int }

// anchors finds lines that stand once on each side of r, in the longest order
// that both sides share.
func (d *lineDiff) anchors(r lcs.Diff) []anchor {
	type seen struct{ countA, countB, b int }
	lines := make(map[rune]seen, r.End-r.Start)
	for _, id := range d.a[r.Start:r.End] {
		s := lines[id]
		s.countA++
		lines[id] = s
	}
	for i, id := range d.b[r.ReplStart:r.ReplEnd] {
		if s, ok := lines[id]; ok {
			s.countB++
			s.b = r.ReplStart + i
			lines[id] = s
		}
	}
	var unique []anchor
	for i, id := range d.a[r.Start:r.End] {
		if s := lines[id]; s.countA == 1 && s.countB == 1 {
			unique = append(unique, anchor{r.Start + i, s.b})
		}
	}
	return longestRising(unique)
}

// longestRising picks the most anchors, sorted by a, whose b rises too.
func longestRising(in []anchor) []anchor {
	var ends []int // ends[n] is the anchor with the least b that ends n+1 rising ones
	before := make([]int, len(in))
	for i, x := range in {
		n, _ := slices.BinarySearchFunc(ends, x.b, func(end, b int) int { return in[end].b - b })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	var out []anchor
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		out = append(out, in[i])
	}
	slices.Reverse(out)
	return out
}
