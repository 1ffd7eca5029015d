package edits

import "fmt"

// A Span is the half-open byte range [Start, End) of a text.
type Span struct{ Start, End int }

// Len is the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }

// Valid reports whether the span lies inside a text of n bytes.
func (s Span) Valid(n int) bool { return 0 <= s.Start && s.Start <= s.End && s.End <= n }

// Contains reports whether t lies wholly inside s.
func (s Span) Contains(t Span) bool { return s.Start <= t.Start && t.End <= s.End }

// String prints the span as [start,end).
func (s Span) String() string { return fmt.Sprintf("[%d,%d)", s.Start, s.End) }

// An Edit replaces the bytes of Span by New. A list of edits is about one base
// text: spans are in its bytes, sorted by Start, and do not overlap; two
// insertions at one place apply in list order.
type Edit struct {
	Span
	New string
}
