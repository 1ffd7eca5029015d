package redact

import (
	"slices"
	"strings"
	"sync"

	"tandem/edits"
)

// A Source is a source text with its lines and where its secrets are. They are found in
// the whole text first, and what is shown is cut afterwards. It is immutable.
type Source struct {
	text    string
	starts  []uint32 // offsets of the lines, and the length of text
	once    sync.Once
	secrets []edits.Span // of a text that is searched whole
}

// NewSource reads a source text.
func NewSource(text string) *Source {
	s := &Source{text: text, starts: []uint32{0}}
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

// How far from a cut secrets are looked for: everywhere in a text of usual size, and
// in larger ones nearby.
const (
	searchedWhole = 256 << 10
	searchedNear  = 16 << 10
)

// Reach is the part of a text in which the secrets of a span of it are looked for.
func Reach(length int, sp edits.Span) edits.Span {
	if length <= searchedWhole {
		return edits.Span{End: length}
	}
	start := min(max(sp.Start-searchedNear, 0), length)
	return edits.Span{Start: start, End: min(max(sp.End+searchedNear, start), length)}
}

// found are the spans of the secrets in and around a span, in order and apart.
func (s *Source) found(sp edits.Span) []edits.Span {
	if len(s.text) <= searchedWhole {
		s.once.Do(func() { s.secrets = Find(s.text) })
		return s.secrets
	}
	in := Reach(len(s.text), sp)
	list := Find(s.text[in.Start:in.End])
	for i := range list {
		list[i].Start, list[i].End = list[i].Start+in.Start, list[i].End+in.Start
	}
	return list
}

// Secrets are the secrets in and around a span.
func (s *Source) Secrets(sp edits.Span) []string {
	var out []string
	for _, one := range s.found(sp) {
		out = append(out, s.text[one.Start:one.End])
	}
	return out
}

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
