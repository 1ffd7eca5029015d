package workspace

import (
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/redact"
)

// A shownFile is the text of a file as windows show it: with its lines, and
// with where its secrets are. It is immutable.
type shownFile struct {
	text    string
	starts  []uint32 // offsets of the lines, and the length of text
	secrets []edits.Span
}

func newShownFile(text string) *shownFile {
	f := &shownFile{text: text, secrets: redact.Find(text), starts: []uint32{0}}
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		f.starts = append(f.starts, uint32(at))
	}
	if int(f.starts[len(f.starts)-1]) < len(text) {
		f.starts = append(f.starts, uint32(len(text)))
	}
	return f
}

func (f *shownFile) count() int { return len(f.starts) - 1 }

// span is the bytes of lines, which are clamped to the file's.
func (f *shownFile) span(first, last int) edits.Span {
	first = min(max(first, 1), len(f.starts))
	last = min(max(last, first-1), f.count())
	return edits.Span{Start: int(f.starts[first-1]), End: int(f.starts[last])}
}

// raw is lines as they are in the file: never shown.
func (f *shownFile) raw(first, last int) string {
	sp := f.span(first, last)
	return f.text[sp.Start:sp.End]
}

// lineAt is the line of an offset, from 1.
func (f *shownFile) lineAt(offset int) int {
	i, found := slices.BinarySearch(f.starts, uint32(offset))
	if found {
		return min(i+1, max(f.count(), 1))
	}
	return i
}

// lines is lines with a placeholder in place of each secret. One that begins
// above them belongs to where it begins.
func (b *builder) lines(f *shownFile, first, last int) string {
	sp := f.span(first, last)
	if len(f.secrets) == 0 {
		return f.text[sp.Start:sp.End]
	}
	return b.hideIn(f.text, sp.Start, sp.End, f.secrets)
}

// file returns a file of the view through the gate, or nil when nothing of it may
// be shown.
func (b *builder) file(rel string) *shownFile {
	if f, known := b.opened[rel]; known {
		return f
	}
	read, begun := b.ahead[rel]
	if !begun {
		read = &ahead[*shownFile]{do: func() *shownFile { return b.readFile(rel) }}
	}
	f := read.wait()
	b.opened[rel] = f
	return f
}

// readFile changes nothing of the builder, so that files can be read ahead.
func (b *builder) readFile(rel string) *shownFile {
	if b.view == nil || b.withheld(rel) {
		return nil
	}
	h, err := b.snap.file(b.view.Abs(rel), b.folders)
	if err != nil || h.Binary() || h.Large() {
		return nil
	}
	if h.Open() {
		return h.overlay.shown.get(func() *shownFile { return newShownFile(h.Text()) })
	}
	return h.disk.shown.get(func() *shownFile { return newShownFile(h.Text()) })
}
