package lsp

import (
	"unicode/utf8"

	"tandem/edits"
)

// A position is a position as the protocol defines it: a line and a column in
// the units of the negotiated encoding, both from 0.
type position struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

// A wireRange is the half-open range between two positions.
type wireRange struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// A textEdit replaces a range.
type textEdit struct {
	Range   wireRange `json:"range"`
	NewText string    `json:"newText"`
}

// An encoding is the unit of a column.
type encoding uint8

const (
	utf16Units encoding = iota // every client supports it
	utf8Bytes
)

// String is the encoding's name in the protocol.
func (e encoding) String() string {
	if e == utf8Bytes {
		return "utf-8"
	}
	return "utf-16"
}

// positionOffset turns a position into a byte offset. A line past the end is
// the end, a column past the end of its line is that end, and a column inside
// a character is the character's start.
func (e encoding) positionOffset(t edits.Text, p position) int {
	if int64(p.Line) >= int64(t.LineCount()) {
		return t.Len()
	}
	line := int(p.Line)
	if e == utf16Units {
		return t.UTF16Offset(line, int(p.Character))
	}
	start, end := t.LineStart(line), t.LineEnd(line)
	if int64(p.Character) >= int64(end-start) {
		return end
	}
	return runeStart(t, start, start+int(p.Character))
}

// runeStart moves offset back to the start of the character it is in, at most to low.
func runeStart(t edits.Text, low, offset int) int {
	near := t.Slice(edits.Span{Start: max(low, offset-utf8.UTFMax+1), End: min(offset+utf8.UTFMax, t.Len())})
	at := offset - max(low, offset-utf8.UTFMax+1)
	for back := 0; back < utf8.UTFMax && back <= at; back++ {
		if !utf8.RuneStart(near[at-back]) {
			continue
		}
		if _, size := utf8.DecodeRuneInString(near[at-back:]); size > back {
			return offset - back
		}
		break
	}
	return offset
}

// offsetPosition turns a byte offset into a position.
func (e encoding) offsetPosition(t edits.Text, offset int) position {
	offset = min(max(offset, 0), t.Len())
	line := t.LineOf(offset)
	if e == utf16Units {
		return position{uint32(line), uint32(t.UTF16Column(offset))}
	}
	return position{uint32(line), uint32(offset - t.LineStart(line))}
}

// rangeSpan turns a range into a span; its ends may come in either order.
func (e encoding) rangeSpan(t edits.Text, r wireRange) edits.Span {
	start, end := e.positionOffset(t, r.Start), e.positionOffset(t, r.End)
	return edits.Span{Start: min(start, end), End: max(start, end)}
}

// spanRange turns a span into a range.
func (e encoding) spanRange(t edits.Text, s edits.Span) wireRange {
	return wireRange{e.offsetPosition(t, s.Start), e.offsetPosition(t, s.End)}
}

// editsTextEdits turns edits of a text into the protocol's.
func (e encoding) editsTextEdits(t edits.Text, list []edits.Edit) []textEdit {
	out := make([]textEdit, len(list))
	for i, edit := range list {
		out[i] = textEdit{e.spanRange(t, edit.Span), edit.New}
	}
	return out
}
