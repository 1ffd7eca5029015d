package local

import (
	"strings"

	"tandem/model"
	"tandem/workspace/index"
)

// A hole is the place that a suggestion is wanted for, and the document around
// it learned as a segment of its own, without the cursor's line.
type hole struct {
	doc    *segment
	at     int // the place in doc of the first line after the hole
	path   string
	lang   string
	typed  string // the cursor's line up to the cursor, without indentation
	tail   string // and from there on, without white space around it
	space  string // the indentation before the cursor
	tokens []lexeme
	mark   uint32 // words of doc from this id on stand only after the hole
	tabs   bool   // the document is indented by tabs
	half   string // the word that the cursor is at the end of; it is not in tokens

	missing map[string]bool // wanted's answer
}

// newHole reads what is around the cursor.
func newHole(f *model.Fill) *hole {
	above, line := cutLast(f.Prefix)
	tail, below, _ := strings.Cut(f.Suffix, "\n")
	typed := strings.TrimLeft(line, " \t")
	h := &hole{path: f.Path, lang: index.Language(f.Path), typed: typed, tail: strings.TrimSpace(tail), tabs: strings.Contains(f.Prefix, "\n\t"), space: line[:len(line)-len(typed)]}
	l := newLearner()
	from := uint32(len(l.lines))
	for line := range strings.Lines(above) {
		l.line(line)
	}
	h.at, h.mark = len(l.lines), uint32(len(l.names))
	for line := range strings.Lines(below) {
		l.line(line)
	}
	l.files = []learned{{f.Path, h.lang, from, uint32(len(l.lines))}}
	l.bound()
	h.doc = l.finish(false)
	h.tokens = lexLine(typed, nil)
	if n := len(h.tokens); n > 0 && h.tokens[n-1].class != punct && h.tokens[n-1].class != text && strings.HasSuffix(typed, h.tokens[n-1].text) {
		h.half = h.tokens[n-1].text
		h.tokens = h.tokens[:n-1]
	}
	return h
}

// cutLast cuts text before its last line.
func cutLast(s string) (above, line string) {
	i := strings.LastIndexByte(s, '\n') + 1
	return s[:i], s[i:]
}

// A bridge says what the words and shapes of a document are in a segment. Each
// is looked up once.
type bridge struct {
	doc, seg *segment
	words    []uint32 // by the document's id, one more than the segment's; 0 is not looked up yet
	shapes   []uint32
	gone     map[string]*segment // files of which the segment's state is not the last
}

// none is the id of what a segment does not have.
const none = spacedBit - 2

// word is the segment's id of a document's word.
func (b *bridge) word(id uint32) uint32 {
	if b.doc == b.seg {
		return id
	}
	if b.words == nil {
		b.words = make([]uint32, len(b.doc.names))
	}
	if b.words[id] == 0 {
		b.words[id] = none + 1
		if there, ok := b.seg.ids[b.doc.names[id]]; ok {
			b.words[id] = there + 1
		}
	}
	return b.words[id] - 1
}

// shapeAt is the segment's id of the shape of the document's line at a place.
func (b *bridge) shapeAt(place int) uint32 {
	id := b.doc.shapeAt(place)
	if b.doc == b.seg || id == 0 {
		return id
	}
	if b.shapes == nil {
		b.shapes = make([]uint32, len(b.doc.hashes))
	}
	if b.shapes[id] == 0 {
		b.shapes[id] = none + 1
		if there, ok := b.seg.shapes[b.doc.hashes[id]]; ok {
			b.shapes[id] = there + 1
		}
	}
	return b.shapes[id] - 1
}

// alike is which part of two lines of one shape is the same.
func (b *bridge) alike(docPlace, segPlace int) float64 {
	ours, theirs := b.doc.line(docPlace), b.seg.line(segPlace)
	if len(ours) != len(theirs) || len(ours) == 0 {
		return 0
	}
	same := 0
	for i := range ours {
		if b.word(ours[i]&^spacedBit) == theirs[i]&^spacedBit {
			same++
		}
	}
	return float64(same) / float64(len(ours))
}
