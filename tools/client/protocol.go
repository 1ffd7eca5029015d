package client

import (
	"net/url"
	"strings"
	"unicode/utf16"
)

// An Object is a JSON object of the protocol.
type Object = map[string]any

// URI is a file's name in the protocol.
func URI(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

// Why a suggestion is asked for.
const (
	Invoked   = 1 // the user asked for it
	Automatic = 2 // a key was typed
)

// A Position is a place of a document as the protocol counts.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// A Range is what stands between two places.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// PositionAt is the place of a byte of a text, in UTF-16 units.
func PositionAt(text string, at int) Position {
	from := strings.LastIndexByte(text[:at], '\n') + 1
	return Position{strings.Count(text[:from], "\n"), len(utf16.Encode([]rune(text[from:at])))}
}

// Offset is the byte at a place of a text, which counts UTF-16 units. A place behind the end
// of a line or of the text is its end.
func Offset(text string, p Position) int {
	at := 0
	for range p.Line {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
	}
	for i, r := range text[at:] {
		if p.Character <= 0 || r == '\n' {
			return at + i
		}
		p.Character -= utf16.RuneLen(r)
	}
	return len(text)
}
