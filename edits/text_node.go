package edits

import (
	"strings"
	"unicode/utf8"
)

// The sizes of leaves. Fresh leaves get leafSize bytes; an edit inside a leaf
// keeps it between minLeaf and maxLeaf bytes.
const (
	minLeaf  = 512
	leafSize = 1536
	maxLeaf  = 2560
)

// A summary is what a piece of text adds to positions behind it.
type summary struct {
	bytes  int
	units  int // UTF-16
	breaks int // line ends
}

func (a summary) plus(b summary) summary {
	return summary{a.bytes + b.bytes, a.units + b.units, a.breaks + b.breaks}
}

// A node is a leaf with text, or the concatenation of two nodes, whose heights
// differ by one at most. Nodes are never changed. The nil node is empty.
//
// A border between two leaves is never inside a valid rune or a "\r\n" of the
// whole text. So the bytes of a leaf have the same meaning alone as in the text,
// and summaries add up.
type node struct {
	left, right *node
	text        string // of a leaf, never empty
	sum         summary
	height      int // 0 for a leaf
}

func newLeaf(s string) *node { return &node{text: s, sum: summarize(s)} }

func newPair(l, r *node) *node {
	return &node{left: l, right: r, sum: l.sum.plus(r.sum), height: 1 + max(l.height, r.height)}
}

func (n *node) total() summary {
	if n == nil {
		return summary{}
	}
	return n.sum
}

func summarize(s string) summary {
	sum := summary{bytes: len(s), units: utf8.RuneCountInString(s), breaks: countBreaks(s)}
	if sum.units < len(s) { // a rune of several bytes, so perhaps a surrogate pair
		sum.units = countUnits(s)
	}
	return sum
}

func countBreaks(s string) int {
	n := strings.Count(s, "\n")
	if strings.IndexByte(s, '\r') >= 0 {
		n += strings.Count(s, "\r") - strings.Count(s, "\r\n")
	}
	return n
}

func countUnits(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// runeStart is i, or the start of the valid rune of s that i is inside of.
func runeStart(s string, i int) int {
	if i >= len(s) || utf8.RuneStart(s[i]) {
		return i
	}
	for start := i - 1; start >= 0 && start > i-utf8.UTFMax; start-- {
		if utf8.RuneStart(s[start]) {
			if _, size := utf8.DecodeRuneInString(s[start:]); start+size > i {
				return start
			}
			break
		}
	}
	return i
}

// cut is the last place at or before i, and after 0, where s may be divided
// between two leaves.
func cut(s string, i int) int {
	if i >= len(s) {
		return len(s)
	}
	if s[i] == '\n' && s[i-1] == '\r' {
		return i - 1
	}
	return runeStart(s, i)
}

// build makes a balanced tree of a copy of s.
func build(s string) *node {
	if s == "" {
		return nil
	}
	leaves := make([]*node, 0, len(s)/leafSize+1)
	for len(s) > maxLeaf {
		n := cut(s, leafSize)
		leaves = append(leaves, newLeaf(strings.Clone(s[:n])))
		s = s[n:]
	}
	return balanced(append(leaves, newLeaf(strings.Clone(s))))
}

func balanced(leaves []*node) *node {
	if len(leaves) == 1 {
		return leaves[0]
	}
	half := len(leaves) / 2
	return newPair(balanced(leaves[:half]), balanced(leaves[half:]))
}

// join concatenates two trees in time proportional to the difference of their heights.
func join(l, r *node) *node {
	switch {
	case l == nil:
		return r
	case r == nil:
		return l
	case l.height > r.height+1:
		return rebalance(l.left, join(l.right, r))
	case r.height > l.height+1:
		return rebalance(join(l, r.left), r.right)
	}
	return newPair(l, r)
}

// rebalance pairs two trees whose heights differ by two at most.
func rebalance(l, r *node) *node {
	switch {
	case l.height > r.height+1:
		if l.left.height >= l.right.height {
			return newPair(l.left, newPair(l.right, r))
		}
		return newPair(newPair(l.left, l.right.left), newPair(l.right.right, r))
	case r.height > l.height+1:
		if r.right.height >= r.left.height {
			return newPair(newPair(l, r.left), r.right)
		}
		return newPair(newPair(l, r.left.left), newPair(r.left.right, r.right))
	}
	return newPair(l, r)
}

// split divides a tree at an offset that is a border between leaves.
func split(n *node, at int) (l, r *node) {
	switch {
	case n == nil || at >= n.sum.bytes:
		return n, nil
	case at <= 0:
		return nil, n
	}
	if at < n.left.sum.bytes {
		l, r = split(n.left, at)
		return l, join(r, n.right)
	}
	l, r = split(n.right, at-n.left.sum.bytes)
	return join(n.left, l), r
}

// find returns the leaf that holds the byte at offset, or the last leaf at the
// end of the text, and where the leaf starts. The tree must not be empty.
func (n *node) find(offset int) (leaf *node, start int) {
	for n.height > 0 {
		if size := n.left.sum.bytes; offset-start < size {
			n = n.left
		} else {
			start += size
			n = n.right
		}
	}
	return n, start
}

// chunks yields the pieces of leaves inside sp.
func (n *node) chunks(sp Span, yield func(string) bool) bool {
	if n == nil || sp.Start >= n.sum.bytes || sp.End <= 0 || sp.Len() == 0 {
		return true
	}
	if n.height == 0 {
		return yield(n.text[max(sp.Start, 0):min(sp.End, len(n.text))])
	}
	size := n.left.sum.bytes
	return n.left.chunks(sp, yield) && n.right.chunks(Span{sp.Start - size, sp.End - size}, yield)
}

// before sums up what lies before offset: the whole runes, and the line ends
// that are complete.
func (n *node) before(offset int) summary {
	var sum summary
	if n == nil {
		return sum
	}
	for n.height > 0 {
		if offset < n.left.sum.bytes {
			n = n.left
			continue
		}
		offset -= n.left.sum.bytes
		sum = sum.plus(n.left.sum)
		n = n.right
	}
	part := summarize(n.text[:runeStart(n.text, offset)])
	if offset > 0 && offset < len(n.text) && n.text[offset-1] == '\r' && n.text[offset] == '\n' {
		part.breaks--
	}
	return sum.plus(part)
}

// afterBreak is the offset after the line end with the given number, counted from 1.
func (n *node) afterBreak(number int) int {
	at := 0
	for n.height > 0 {
		if breaks := n.left.sum.breaks; number <= breaks {
			n = n.left
		} else {
			at, number, n = at+n.left.sum.bytes, number-breaks, n.right
		}
	}
	rest := n.text
	for ; number > 0; number-- {
		i := strings.IndexAny(rest, "\r\n") + 1
		if strings.HasPrefix(rest[i-1:], "\r\n") {
			i++
		}
		rest = rest[i:]
	}
	return at + len(n.text) - len(rest)
}

// afterUnits is the offset after so many UTF-16 units, or before the rune that
// they end inside of.
func (n *node) afterUnits(units int) int {
	at := 0
	for n.height > 0 {
		if size := n.left.sum.units; units < size {
			n = n.left
		} else {
			at, units, n = at+n.left.sum.bytes, units-size, n.right
		}
	}
	if n.sum.units == n.sum.bytes {
		return at + units
	}
	for i, r := range n.text {
		width := 1
		if r > 0xFFFF {
			width = 2
		}
		if units < width {
			return at + i
		}
		units -= width
	}
	return at + len(n.text)
}

// borderReach is how far a border between leaves must be from a change so that
// no rune and no "\r\n" across it can appear or disappear.
const borderReach = utf8.UTFMax

// replaceInLeaf returns the tree with the bytes of sp replaced by s where that
// touches one leaf alone and leaves its size in bounds; else nil.
func (n *node) replaceInLeaf(sp Span, s string) *node {
	if n.height > 0 {
		if size := n.left.sum.bytes; sp.End <= size {
			if l := n.left.replaceInLeaf(sp, s); l != nil {
				return newPair(l, n.right)
			}
		} else if sp.Start >= size {
			if r := n.right.replaceInLeaf(Span{sp.Start - size, sp.End - size}, s); r != nil {
				return newPair(n.left, r)
			}
		}
		return nil
	}
	size := len(n.text) - sp.Len() + len(s)
	if sp.Start < borderReach || sp.End > len(n.text)-borderReach || size < minLeaf || size > maxLeaf {
		return nil
	}
	return newLeaf(n.text[:sp.Start] + s + n.text[sp.End:])
}

// leavesAround is the span of the leaves that a change of sp must make anew,
// with enough neighbours that very small leaves do not accumulate.
func (n *node) leavesAround(sp Span) Span {
	_, start := n.find(max(sp.Start-borderReach, 0))
	last, end := n.find(min(sp.End+borderReach, n.sum.bytes))
	end += len(last.text)
	if start > 0 && sp.Start-start < minLeaf {
		_, start = n.find(start - 1)
	}
	if end < n.sum.bytes && end-sp.End < minLeaf {
		last, at := n.find(end)
		end = at + len(last.text)
	}
	return Span{start, end}
}
