package redact

import (
	"slices"
	"strings"

	"tandem/edits"
)

// A Source is a source text with its lines and where its secrets are. They are found in
// the whole text first, and what is shown is cut afterwards. It is immutable.
type Source struct {
	text    string
	starts  []uint32 // offsets of the lines, and the length of text
	secrets []edits.Span
}

// NewSource reads a source text.
func NewSource(text string) *Source {
	s := &Source{text: text, secrets: Find(text), starts: []uint32{0}}
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		s.starts = append(s.starts, uint32(at))
	}
	if int(s.starts[len(s.starts)-1]) < len(text) {
		s.starts = append(s.starts, uint32(len(text)))
	}
	return s
}

// Text is the whole text, with its secrets.
func (s *Source) Text() string { return s.text }

// Secrets are the spans of the secrets in Text, in order and apart. The result must not
// be changed.
func (s *Source) Secrets() []edits.Span { return s.secrets }

// LineCount is how many lines there are.
func (s *Source) LineCount() int { return len(s.starts) - 1 }

// Lines is the span of lines, from 1 and both included, which are clamped to those of
// the text.
func (s *Source) Lines(first, last int) edits.Span {
	first = min(max(first, 1), len(s.starts))
	last = min(max(last, first-1), s.LineCount())
	return edits.Span{Start: int(s.starts[first-1]), End: int(s.starts[last])}
}

// Raw is lines as they are in the text, with their secrets: never shown.
func (s *Source) Raw(first, last int) string {
	sp := s.Lines(first, last)
	return s.text[sp.Start:sp.End]
}

// LineAt is the line of an offset, from 1.
func (s *Source) LineAt(offset int) int {
	i, found := slices.BinarySearch(s.starts, uint32(offset))
	if found {
		return min(i+1, max(s.LineCount(), 1))
	}
	return i
}
