package redact

import (
	"slices"
	"strings"
	"sync"

	"tandem/edits"
)

// A Source is a source text with its lines and where its secrets are. They are found in
// more of the text than is shown, and what is shown is cut afterwards. It is immutable.
type Source struct {
	text    string
	path    string // of its file, "" if it is none
	hash    func() string
	starts  func() []uint32     // offsets of the lines, and the length of text
	secrets func() []edits.Span // of a text that is searched whole
}

// NewSource is the source of a text. Nothing is read before it is asked for: a document is
// a new text with each key, and most of it is not shown.
func NewSource(text string) *Source {
	return &Source{
		text:    text,
		starts:  sync.OnceValue(func() []uint32 { return lineStarts(text) }),
		secrets: sync.OnceValue(func() []edits.Span { return Find(text) }),
	}
}

// FileSource is the source of a file, whose secrets are found again by its path.
func FileSource(path, text string) *Source {
	s := NewSource(text)
	s.path, s.hash = path, sync.OnceValue(func() string { return hashOf(text) })
	return s
}

func lineStarts(text string) []uint32 {
	starts := make([]uint32, 1, 2+strings.Count(text, "\n"))
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		starts = append(starts, uint32(at))
	}
	if int(starts[len(starts)-1]) < len(text) {
		starts = append(starts, uint32(len(text)))
	}
	return starts
}

// Text is the whole text, with its secrets.
func (s *Source) Text() string { return s.text }

// How far from a cut secrets are looked for: everywhere in a small text, which is searched
// once, and in larger ones nearby. A key of RSA with 16,384 bits has 13 KB in armour.
const (
	searchedWhole = 64 << 10
	searchedNear  = 16 << 10
)

// found are the spans of the secrets in and around a span, in order and apart.
func (s *Source) found(sp edits.Span) []edits.Span {
	if len(s.text) <= searchedWhole {
		return s.secrets()
	}
	in := Around(len(s.text), sp)
	list := Find(s.text[in.Start:in.End])
	for i := range list {
		list[i].Start, list[i].End = list[i].Start+in.Start, list[i].End+in.Start
	}
	return list
}

// Around is the part of a text in which the secrets of a span of it are looked for.
func Around(length int, sp edits.Span) edits.Span {
	start := min(max(sp.Start-searchedNear, 0), length)
	return edits.Span{Start: start, End: min(max(sp.End+searchedNear, start), length)}
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
func (s *Source) LineCount() int { return len(s.starts()) - 1 }

// Lines is the span of lines, from 1 and both included, which are clamped to those of
// the text.
func (s *Source) Lines(first, last int) edits.Span {
	starts := s.starts()
	first = min(max(first, 1), len(starts))
	last = min(max(last, first-1), len(starts)-1)
	return edits.Span{Start: int(starts[first-1]), End: int(starts[last])}
}

// Raw is lines as they are in the text, with their secrets: never shown.
func (s *Source) Raw(first, last int) string {
	sp := s.Lines(first, last)
	return s.text[sp.Start:sp.End]
}

// LineAt is the line of an offset, from 1.
func (s *Source) LineAt(offset int) int {
	i, found := slices.BinarySearch(s.starts(), uint32(offset))
	if found {
		return min(i+1, max(s.LineCount(), 1))
	}
	return i
}
