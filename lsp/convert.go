package lsp

import "tandem/edits"

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
	if e == utf16Units {
		return t.UTF16Offset(int(p.Line), int(p.Character))
	}
	return t.UTF8Offset(int(p.Line), int(p.Character))
}

// offsetPosition turns a byte offset into a position.
func (e encoding) offsetPosition(t edits.Text, offset int) position {
	offset = min(max(offset, 0), t.Len())
	line := t.LineOf(offset)
	if e == utf16Units {
		return position{uint32(line), uint32(t.UTF16Column(offset))}
	}
	return position{uint32(line), uint32(t.UTF8Column(offset))}
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
