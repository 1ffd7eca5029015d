package complete

import (
	"strings"

	"tandem/model"
	"tandem/model/local/source"
	"tandem/workspace/language"
)

// An infill is the site for which a suggestion is requested, with the document
// around it trained as its own segment, without the cursor's line.
type infill struct {
	doc    *segment
	at     int // the place in doc of the first line after the infill site
	path   string
	lang   string
	typed  string // the cursor's line up to the cursor, without indentation
	tail   string // the cursor's line after the cursor, without white space around it; "" if it only closes
	space  string // the indentation before the cursor
	tokens []source.Lexeme
	mark   uint32 // words of doc from this id on occur only after the infill site
	unit   string // one level of the document's indentation
	half   string // the partly typed word before the cursor; it is not in tokens

	missing map[string]bool // the cached result of wanted
	learned trained         // that finds come from
}

// newInfill builds the infill site from the text around the cursor.
func newInfill(f *model.Fill) *infill {
	above, line := cutLast(f.Prefix)
	tail, below, _ := strings.Cut(f.Suffix, "\n")
	typed := strings.TrimLeft(line, " \t")
	in := &infill{path: f.Path, lang: language.OfFile(f.Path), typed: typed, tail: strings.TrimSpace(tail), unit: f.Unit, space: line[:len(line)-len(typed)]}
	if strings.Trim(in.tail, ")]}\"'`;,") == "" {
		in.tail = "" // an editor has closed what is typed; the suggestion is fitted to it
	}
	tr := newTrainer()
	from := len(tr.lines)
	for line := range strings.Lines(above) {
		tr.line(line)
	}
	in.at, in.mark = len(tr.lines), uint32(tr.numNames())
	for line := range strings.Lines(below) {
		tr.line(line)
	}
	tr.bound(f.Path, in.lang, from, stamp{})
	in.doc = tr.finish(false)
	in.tokens = source.Lex(typed, nil)
	if n := len(in.tokens); n > 0 && in.tokens[n-1].Class != source.Punct && in.tokens[n-1].Class != source.Literal && strings.HasSuffix(typed, in.tokens[n-1].Text) {
		in.half = in.tokens[n-1].Text
		in.tokens = in.tokens[:n-1]
	}
	return in
}

// cutLast splits text before its last line.
func cutLast(s string) (above, line string) {
	i := strings.LastIndexByte(s, '\n') + 1
	return s[:i], s[i:]
}

// A bridge maps the words and shapes of a document to those of a segment. Each is
// looked up once.
type bridge struct {
	doc, seg *segment
	words    []uint32 // by the document's id, one more than the segment's; 0 is not looked up yet
	shapes   []uint32
	shard    *shard // that seg belongs to, or nil
}

// none is the id of a word or shape that a segment does not have.
const none = spacedBit - 2

// word returns the segment's id of a document's word.
func (b *bridge) word(id uint32) uint32 {
	if b.doc == b.seg {
		return id
	}
	if b.words == nil {
		b.words = make([]uint32, b.doc.numNames())
	}
	if b.words[id] == 0 {
		b.words[id] = none + 1
		if there, ok := b.seg.id(b.doc.name(id)); ok {
			b.words[id] = there + 1
		}
	}
	return b.words[id] - 1
}

// shapeAt returns the segment's id of the shape of the document's line at a place.
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
		if there, ok := b.seg.shapeOf(b.doc.hashes[id]); ok {
			b.shapes[id] = there + 1
		}
	}
	return b.shapes[id] - 1
}

// alike returns the share of equal tokens in two lines of one shape.
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
