package edits

import (
	"strings"
	"unicode/utf8"
)

// A Text is an immutable text. The zero value is the empty text.
// Lines are numbered from 0 and end at "\n", "\r\n" or a lone "\r", as in LSP.
type Text struct{ s string }

// NewText returns a text holding s.
func NewText(s string) Text { return Text{s} }

// Len is the length in bytes.
func (t Text) Len() int { return len(t.s) }

// String returns the whole text.
func (t Text) String() string { return t.s }

// Slice returns the bytes of sp, which must be valid for the text.
func (t Text) Slice(sp Span) string { return t.s[sp.Start:sp.End] }

// Replace returns the text with the bytes of sp replaced by s.
func (t Text) Replace(sp Span, s string) Text {
	return Text{t.s[:sp.Start] + s + t.s[sp.End:]}
}

// LineCount is the number of lines: one more than the number of line ends.
func (t Text) LineCount() int { return len(t.starts()) }

func (t Text) starts() []int {
	st := []int{0}
	for i := 0; i < len(t.s); i++ {
		switch {
		case t.s[i] == '\n', t.s[i] == '\r' && (i+1 == len(t.s) || t.s[i+1] != '\n'):
			st = append(st, i+1)
		}
	}
	return st
}

// LineStart is the offset of the first byte of a line; past the last line it is Len.
func (t Text) LineStart(line int) int {
	st := t.starts()
	if line >= len(st) {
		return len(t.s)
	}
	return st[max(line, 0)]
}

// LineEnd is the offset just before the line's terminator.
func (t Text) LineEnd(line int) int {
	end := t.LineStart(line + 1)
	return t.LineStart(line) + len(strings.TrimRight(t.s[t.LineStart(line):end], "\r\n"))
}

// LineOf is the number of the line that holds the byte at offset.
func (t Text) LineOf(offset int) int {
	st := t.starts()
	for i := len(st) - 1; i > 0; i-- {
		if st[i] <= offset {
			return i
		}
	}
	return 0
}

// UTF16Offset turns a line and a UTF-16 column into a byte offset, clamped to
// the line's end; inside a surrogate pair it is the offset before the rune.
func (t Text) UTF16Offset(line, column int) int {
	at, end := t.LineStart(line), t.LineEnd(line)
	for at < end && column > 0 {
		r, n := utf8.DecodeRuneInString(t.s[at:end])
		column--
		if r > 0xFFFF {
			column--
		}
		if column < 0 {
			break
		}
		at += n
	}
	return at
}

// UTF16Column is the number of UTF-16 units between the start of offset's line and offset.
func (t Text) UTF16Column(offset int) int {
	col := 0
	for _, r := range t.s[t.LineStart(t.LineOf(offset)):offset] {
		col++
		if r > 0xFFFF {
			col++
		}
	}
	return col
}
