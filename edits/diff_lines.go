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
//
// Common lines at both ends are skipped. A large rest is divided at anchors,
// lines that occur once on each side, so that the pieces that the lcs package
// gets are small enough for an exact answer wherever the text has such lines.
func DiffLines(old, changed []string) []LineChange {
	ids := map[string]rune{}
	d := lineDiff{a: number(ids, old), b: number(ids, changed)}
	d.compare(LineChange{0, len(old), 0, len(changed)}, 0)
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
	out  []LineChange
}

// compare appends the differences inside the rectangle r.
func (d *lineDiff) compare(r LineChange, depth int) {
	r = d.trim(r)
	if r.Start == r.End || r.NewStart == r.NewEnd {
		d.add(r)
		return
	}
	if changedLines := r.End - r.Start + r.NewEnd - r.NewStart; changedLines > exactLines && depth < maxDepth {
		if at := d.anchors(r); len(at) > 0 {
			d.between(r, at, depth+1)
			return
		}
	}
	for _, in := range lcs.DiffRunes(d.a[r.Start:r.End], d.b[r.NewStart:r.NewEnd]) {
		d.add(LineChange{r.Start + in.Start, r.Start + in.End, r.NewStart + in.ReplStart, r.NewStart + in.ReplEnd})
	}
}

// trim removes from r the lines that both sides share at its ends.
func (d *lineDiff) trim(r LineChange) LineChange {
	for r.Start < r.End && r.NewStart < r.NewEnd && d.a[r.Start] == d.b[r.NewStart] {
		r.Start++
		r.NewStart++
	}
	for r.Start < r.End && r.NewStart < r.NewEnd && d.a[r.End-1] == d.b[r.NewEnd-1] {
		r.End--
		r.NewEnd--
	}
	return r
}

// add appends a difference, joined with the one before where they touch.
func (d *lineDiff) add(r LineChange) {
	if r.Start == r.End && r.NewStart == r.NewEnd {
		return
	}
	if n := len(d.out); n > 0 && d.out[n-1].End == r.Start && d.out[n-1].NewEnd == r.NewStart {
		d.out[n-1].End, d.out[n-1].NewEnd = r.End, r.NewEnd
		return
	}
	d.out = append(d.out, r)
}

// between compares what lies before, between and after anchors.
func (d *lineDiff) between(r LineChange, anchors []anchor, depth int) {
	for _, at := range anchors {
		d.compare(LineChange{r.Start, at.a, r.NewStart, at.b}, depth)
		r.Start, r.NewStart = at.a+1, at.b+1
	}
	d.compare(r, depth)
}

// An anchor is a line of a that is line b of the other side.
type anchor struct{ a, b int }

// anchors finds lines that stand once on each side of r, in the longest order
// that both sides share.
func (d *lineDiff) anchors(r LineChange) []anchor {
	type seen struct{ countA, countB, b int }
	lines := make(map[rune]seen, r.End-r.Start)
	for _, id := range d.a[r.Start:r.End] {
		s := lines[id]
		s.countA++
		lines[id] = s
	}
	for i, id := range d.b[r.NewStart:r.NewEnd] {
		if s, ok := lines[id]; ok {
			s.countB++
			s.b = r.NewStart + i
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
