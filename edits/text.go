package edits

import (
	"crypto/sha256"
	"io"
	"iter"
	"strings"
)

// A Text is an immutable text: any bytes, also invalid UTF-8, kept as they
// are. The zero value is the empty text. Copying a Text is free, and a text
// made from another by Replace shares all but a few kilobytes with it.
//
// Offsets are in bytes. Lines are numbered from 0 and end at "\n", "\r\n" or a
// lone "\r", as in LSP. A byte that is no part of a valid UTF-8 sequence
// counts as one UTF-16 unit. Every position that a caller passes is clamped to
// the text, except in the spans of Slice, Chunks and Replace, which must be valid.
type Text struct{ root *node }

// NewText returns a text holding a copy of s: sharing would keep all of s
// alive for as long as one piece of it is left.
func NewText(s string) Text { return Text{build(s)} }

// Len is the length in bytes.
func (t Text) Len() int { return t.root.total().bytes }

// String returns the whole text. It copies unless the text is short.
func (t Text) String() string { return t.Slice(Span{0, t.Len()}) }

// Slice returns the bytes of sp, without a copy where one chunk holds them all.
func (t Text) Slice(sp Span) string {
	t.check(sp)
	if sp.Len() == 0 {
		return ""
	}
	if leaf, start := t.root.find(sp.Start); sp.End <= start+len(leaf.text) {
		return leaf.text[sp.Start-start : sp.End-start]
	}
	var b strings.Builder
	b.Grow(sp.Len())
	for chunk := range t.Chunks(sp) {
		b.WriteString(chunk)
	}
	return b.String()
}

// Chunks yields the bytes of sp in order, in pieces of at most a few
// kilobytes, without copying. A piece never ends inside a rune or a "\r\n"
// unless sp does.
func (t Text) Chunks(sp Span) iter.Seq[string] {
	t.check(sp)
	return func(yield func(string) bool) { t.root.chunks(sp, yield) }
}

// WriteTo writes the whole text to w.
func (t Text) WriteTo(w io.Writer) (int64, error) {
	var written int64
	for chunk := range t.Chunks(Span{0, t.Len()}) {
		n, err := io.WriteString(w, chunk)
		written += int64(n)
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// Hash is the SHA-256 of the bytes, equal to that of the same bytes in a file.
func (t Text) Hash() (sum [sha256.Size]byte) {
	h := sha256.New()
	_, _ = t.WriteTo(h) // a hash never fails to write
	h.Sum(sum[:0])
	return sum
}

// Equal reports whether both texts hold the same bytes.
func (t Text) Equal(u Text) bool {
	if t.root == u.root {
		return true
	}
	if t.root.total() != u.root.total() {
		return false
	}
	at := 0
	for chunk := range t.Chunks(Span{0, t.Len()}) {
		if u.Slice(Span{at, at + len(chunk)}) != chunk {
			return false
		}
		at += len(chunk)
	}
	return true
}

// Replace returns the text with the bytes of sp replaced by s.
//
// Only the leaves that sp touches are made anew, with those close enough that
// the new bytes could complete a rune or a line end across the border.
func (t Text) Replace(sp Span, s string) Text {
	t.check(sp)
	if sp.Len() == 0 && s == "" {
		return t
	}
	if t.root == nil {
		return NewText(s)
	}
	if root := t.root.replaceInLeaf(sp, s); root != nil {
		return Text{root}
	}
	near := t.root.leavesAround(sp)
	left, rest := split(t.root, near.Start)
	_, right := split(rest, near.Len())
	s = t.Slice(Span{near.Start, sp.Start}) + s + t.Slice(Span{sp.End, near.End})
	return Text{join(join(left, build(s)), right)}
}

func (t Text) check(sp Span) {
	if !sp.Valid(t.Len()) {
		panic("edits: span " + sp.String() + " is not valid for the text")
	}
}

// LineCount is the number of lines: one more than the number of line ends.
func (t Text) LineCount() int { return t.root.total().breaks + 1 }

// LineStart is the offset of the first byte of a line; past the last line it is Len.
func (t Text) LineStart(line int) int {
	switch {
	case line <= 0:
		return 0
	case line >= t.LineCount():
		return t.Len()
	}
	return t.root.afterBreak(line)
}

// LineEnd is the offset just before the line's terminator.
func (t Text) LineEnd(line int) int {
	line = max(line, 0)
	end := t.LineStart(line + 1)
	if line >= t.LineCount()-1 {
		return end
	}
	last := t.Slice(Span{max(end-2, 0), end})
	if last == "\r\n" {
		return end - 2
	}
	return end - 1
}

// Line returns a line without its terminator.
func (t Text) Line(line int) string {
	if line < 0 || line >= t.LineCount() {
		return ""
	}
	return t.Slice(Span{t.LineStart(line), t.LineEnd(line)})
}

// LineOf is the number of the line that holds the byte at offset. The "\n" of
// a "\r\n" belongs to the line that it ends.
func (t Text) LineOf(offset int) int { return t.root.before(t.clamp(offset)).breaks }

// UTF8Offset turns a line and a column in bytes into an offset, clamped to the
// line's end; inside a rune it is the offset before the rune.
func (t Text) UTF8Offset(line, column int) int {
	start, end := t.LineStart(line), t.LineEnd(line)
	if line >= t.LineCount() || column <= 0 {
		return start
	}
	if column >= end-start { // also where start+column would overflow
		return end
	}
	return t.RuneStart(start + column)
}

// UTF8Column is the number of bytes between the start of offset's line and offset.
func (t Text) UTF8Column(offset int) int {
	offset = t.clamp(offset)
	return offset - t.LineStart(t.LineOf(offset))
}

// UTF16Offset turns a line and a UTF-16 column into a byte offset, clamped to
// the line's end; inside a surrogate pair it is the offset before the rune.
func (t Text) UTF16Offset(line, column int) int {
	start := t.LineStart(line)
	if line >= t.LineCount() || column <= 0 {
		return start
	}
	end := t.LineEnd(line)
	if column >= end-start { // a unit takes a byte at least
		return end
	}
	return min(t.FromUTF16(t.ToUTF16(start)+column), end)
}

// UTF16Column is the number of UTF-16 units between the start of offset's line
// and offset; inside a rune it is the column of the rune.
func (t Text) UTF16Column(offset int) int {
	return t.ToUTF16(offset) - t.ToUTF16(t.LineStart(t.LineOf(offset)))
}

// LenUTF16 is the length in UTF-16 units.
func (t Text) LenUTF16() int { return t.root.total().units }

// ToUTF16 is the number of UTF-16 units before a byte offset; inside a rune it
// is the number before the rune.
func (t Text) ToUTF16(offset int) int { return t.root.before(t.clamp(offset)).units }

// FromUTF16 is the byte offset of a UTF-16 offset in the whole text; inside a
// surrogate pair it is the offset before the rune.
func (t Text) FromUTF16(units int) int {
	switch {
	case units <= 0:
		return 0
	case units >= t.LenUTF16():
		return t.Len()
	}
	return t.root.afterUnits(units)
}

// RuneStart is offset, or the start of the rune that offset is inside of.
func (t Text) RuneStart(offset int) int {
	offset = t.clamp(offset)
	if offset == t.Len() {
		return offset
	}
	leaf, start := t.root.find(offset)
	return start + runeStart(leaf.text, offset-start)
}

func (t Text) clamp(offset int) int { return max(0, min(offset, t.Len())) }
