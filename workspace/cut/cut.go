// Package cut holds what a result leaves out.
//
// Invariant: the items of a List come only with the Cut that says how many more there are, so
// that no caller takes a part for the whole. Deliberately absent: any bound. Whoever has one
// makes the Cut.
package cut

import (
	"slices"
	"strconv"
	"strings"
)

// A Cut is what was left out of a result, and why. The zero Cut leaves nothing out.
type Cut struct{ parts string }

// Left is the Cut of so many things: "195 more files that use New are not read". Of none it is
// the zero Cut.
func Left(n int, one, many string) Cut {
	switch n {
	case 0:
		return Cut{}
	case 1:
		return Cut{"1 " + one}
	}
	return Cut{Number(n) + " " + many}
}

// Because is the Cut of something that cannot be counted.
func Because(why string) Cut { return Cut{why} }

// None reports whether nothing was left out.
func (c Cut) None() bool { return c.parts == "" }

// String returns the parts of a sentence without its end.
func (c Cut) String() string { return c.parts }

// Join is what several results leave out.
func Join(cuts ...Cut) Cut {
	var parts []string
	for _, c := range cuts {
		if !c.None() && !slices.Contains(parts, c.parts) {
			parts = append(parts, c.parts)
		}
	}
	return Cut{strings.Join(parts, ", and ")}
}

// A List is a result that a bound may have ended.
type List[T any] struct {
	items []T
	left  Cut
}

// First is the list of the first items, at most so many, and of how many more there are.
func First[T any](items []T, most int, one, many string) List[T] {
	n := min(len(items), most)
	return List[T]{items[:n:n], Left(len(items)-n, one, many)}
}

// Of is the list of items that something ended.
func Of[T any](items []T, left Cut) List[T] { return List[T]{items, left} }

// All returns the items, and what is left out of them.
func (l List[T]) All() ([]T, Cut) { return l.items, l.left }

// Number writes a count as people read it: 31,000.
func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
