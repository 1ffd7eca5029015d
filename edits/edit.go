package edits

import (
	"fmt"
	"math"
	"strings"
)

// A Span is the half-open byte range [Start, End) of a text.
type Span struct{ Start, End int }

// Len is the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }

// Valid reports whether the span lies inside a text of n bytes.
func (s Span) Valid(n int) bool { return 0 <= s.Start && s.Start <= s.End && s.End <= n }

// Contains reports whether t lies wholly inside s.
func (s Span) Contains(t Span) bool { return s.Start <= t.Start && t.End <= s.End }

// touches reports whether s and t share a byte or a border.
func (s Span) touches(t Span) bool { return s.Start <= t.End && t.Start <= s.End }

// Over is where the span is after an edit of its text. An edit that touches it makes it what the
// two cover together; what that means for what stood there is its owner's to say.
func (s Span) Over(e Edit) (now Span, touched bool) {
	switch {
	case e.Start > s.End:
		return s, false
	case e.End < s.Start:
		return Span{s.Start + e.Delta(), s.End + e.Delta()}, false
	}
	return Span{min(s.Start, e.Start), max(s.End, e.End) + e.Delta()}, true
}

// After is the span after an edit of its text, for what stands there and what is written into it. An
// edit at its border leaves it as it is.
func (s Span) After(e Edit) Span {
	switch {
	case e.End <= s.Start:
		return Span{s.Start + e.Delta(), s.End + e.Delta()}
	case e.Start >= s.End:
		return s
	}
	now, _ := s.Over(e)
	return now
}

// String prints the span as [start,end).
func (s Span) String() string { return fmt.Sprintf("[%d,%d)", s.Start, s.End) }

// An Edit replaces the bytes of Span by New. A list of edits is about one base
// text: spans are in its bytes, sorted by Start, and do not overlap; two
// insertions at one place apply in list order.
type Edit struct {
	Span
	New string
}

// String prints the edit as [start,end)"new".
func (e Edit) String() string { return fmt.Sprintf("%v%q", e.Span, e.New) }

// Delta is how much longer the edit makes the text.
func (e Edit) Delta() int { return len(e.New) - e.Len() }

// Apply returns t with all edits of a list applied. A list that is not in
// order, overlaps itself or reaches beyond t is an *Error with CodeOverlap, and
// nothing is applied.
func Apply(t Text, es []Edit) (Text, error) {
	if err := checkEdits(t.Len(), es); err != nil {
		return Text{}, err
	}
	for i := len(es) - 1; i >= 0; i-- {
		t = t.Replace(es[i].Span, es[i].New)
	}
	return t, nil
}

func checkEdits(n int, es []Edit) error {
	end := 0
	for _, e := range es {
		if !e.Valid(n) {
			return refuse(CodeOverlap, "an edit of bytes %v does not fit a text of %d bytes: make it against the current text", e.Span, n)
		}
		if e.Start < end {
			return refuse(CodeOverlap, "an edit of bytes %v overlaps the one before it, which ends at %d: join the two", e.Span, end)
		}
		end = e.End
	}
	return nil
}

// Normalize returns the same change of t in the least edits: what an edit
// keeps at its ends is no part of it, edits that touch are one, and edits that
// change nothing are gone. Ends stay on borders of runes and of "\r\n".
func Normalize(t Text, es []Edit) []Edit {
	var out []Edit
	for _, e := range es {
		if n := len(out); n > 0 && out[n-1].End == e.Start {
			out[n-1] = Edit{Span{out[n-1].Start, e.End}, out[n-1].New + e.New}
			continue
		}
		out = append(out, e)
	}
	kept := out[:0]
	for _, e := range out {
		if e = trimEdit(t, e); e.Len() > 0 || e.New != "" {
			kept = append(kept, e)
		}
	}
	return kept
}

// trimEdit cuts off what e keeps at its ends.
func trimEdit(t Text, e Edit) Edit {
	old := t.Slice(e.Span)
	prefix, suffix := commonEnds(old, e.New)
	e.Span = Span{e.Start + prefix, e.End - suffix}
	e.New = e.New[prefix : len(e.New)-suffix]
	return e
}

// commonEnds is how many bytes a and b share at the start, and how many of the
// rest at the end, cut only where both may be cut.
func commonEnds(a, b string) (prefix, suffix int) {
	prefix = CommonPrefix(a, b)
	for prefix > 0 && !(cuttable(a, prefix) && cuttable(b, prefix)) {
		prefix--
	}
	suffix = min(CommonSuffix(a, b), min(len(a), len(b))-prefix)
	for suffix > 0 && !(cuttable(a, len(a)-suffix) && cuttable(b, len(b)-suffix)) {
		suffix--
	}
	return prefix, suffix
}

// cuttable reports whether s may be divided at i: not inside a rune or a "\r\n".
func cuttable(s string, i int) bool { return i <= 0 || cut(s, i) == i }

// Compose joins two lists of edits, of which the second is about the text that
// the first makes, to one list about the base of the first. The base must
// satisfy the first list, and its result the second.
func Compose(first, second []Edit) []Edit {
	rest := piecesOf(first)
	var out []piece
	at := 0 // in the text between
	for _, e := range second {
		out, rest = take(out, rest, e.Start-at)
		_, rest = take(nil, rest, e.Len())
		out = append(out, piece{text: e.New, fresh: true})
		at = e.End
	}
	return editsOf(append(out, rest...))
}

// A piece is a part of a text that edits made: bytes of the base, or new ones.
type piece struct {
	base  Span
	text  string
	fresh bool
}

func (p piece) len() int {
	if p.fresh {
		return len(p.text)
	}
	return p.base.Len()
}

// piecesOf describes the result of edits on a base of unlimited length.
func piecesOf(es []Edit) []piece {
	var out []piece
	at := 0
	for _, e := range es {
		out = append(out, piece{base: Span{at, e.Start}}, piece{text: e.New, fresh: true})
		at = e.End
	}
	return append(out, piece{base: Span{at, math.MaxInt}})
}

// take moves n bytes from the front of from to the end of to. It may change
// the elements of from.
func take(to, from []piece, n int) (taken, rest []piece) {
	for len(from) > 0 && from[0].len() <= n {
		n -= from[0].len()
		to, from = append(to, from[0]), from[1:]
	}
	if n == 0 || len(from) == 0 {
		return to, from
	}
	head, tail := from[0], from[0]
	if head.fresh {
		head.text, tail.text = head.text[:n], tail.text[n:]
	} else {
		head.base.End, tail.base.Start = head.base.Start+n, head.base.Start+n
	}
	from[0] = tail
	return append(to, head), from
}

// editsOf is the list of edits that makes pieces of their base.
func editsOf(ps []piece) []Edit {
	var out []Edit
	var text strings.Builder
	at := 0
	for _, p := range ps {
		if p.fresh {
			text.WriteString(p.text)
			continue
		}
		if p.len() == 0 {
			continue
		}
		if text.Len() > 0 || p.base.Start > at {
			out = append(out, Edit{Span{at, p.base.Start}, text.String()})
			text.Reset()
		}
		at = p.base.End
	}
	return out
}

// Invert returns the edits on the result of applying es to t that restore t
// byte for byte.
func Invert(t Text, es []Edit) []Edit {
	out := make([]Edit, len(es))
	delta := 0
	for i, e := range es {
		start := e.Start + delta
		out[i] = Edit{Span{start, start + len(e.New)}, t.Slice(e.Span)}
		delta += e.Delta()
	}
	return out
}
