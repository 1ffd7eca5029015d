package complete

import (
	"slices"

	"tandem/model/local/source"
	"tandem/workspace/language"
	"tandem/workspace/mapped"
)

// A segment is the trained model of some files: each distinct line once, as
// interned tokens, and for every file the sequence of its lines. Two sorted
// orders of all places, by the lines before and by the lines after, find the
// longest common context in logarithmic time. A built segment never changes.
// All of it is flat, so that a segment in a mapped file is used as it is.
type segment struct {
	nameBytes []byte
	nameAt    []uint32 // where each token's text begins, and one more; token 0 is no token
	nameSlots []uint32 // hash table of the texts: 0 is free, else the token's number+1
	classes   []source.Class

	tokens    []uint32 // of all distinct lines, one after the other; the top bit is Lexeme.Spaced
	start     []uint32 // of each distinct line; line 0 is empty: it separates files
	shape     []uint32 // of each distinct line; shape 0 is line 0's
	first     []uint32 // the first place of a distinct line
	count     []uint16 // how often it occurs
	text      []hash   // of a distinct line
	textSlots []uint32 // hash table of text, as nameSlots

	hashes     []hash   // of each shape
	shapeSlots []uint32 // hash table of hashes, as nameSlots

	lines  []uint32 // the distinct line at every place, without blank lines
	indent []uint8

	back, fore []uint32 // places by the shapes of the lines before and after them

	imports []uint32 // the distinct lines that import

	bucket []uint32 // start of each hash's places in grams
	grams  []uint32 // indexes into tokens, by the hash of the two tokens before

	files []fileRow // in the order of paths
	paths []byte    // texts that files refers to
}

// A fileRow is one file of a segment: a run of places, and what it was learned from.
type fileRow struct {
	stamp            stamp
	from, to         uint32
	path, lang, stop uint32 // in paths: the path is [path, lang), the language [lang, stop)
}

// A stamp distinguishes one text of a file from another.
type stamp struct {
	size uint64
	hash uint64
}

const (
	spacedBit = 1 << 31
	deepest   = 8 // lines of context that the orders compare
)

// format is the file of a kept segment.
var format = mapped.Format{Kind: "tandem learned\n", Version: 1}

// columns are the parts of a segment in the order of the file.
func (s *segment) columns() []mapped.Column {
	return []mapped.Column{
		mapped.Of(&s.nameBytes), mapped.Of(&s.nameAt), mapped.Of(&s.nameSlots), mapped.Of(&s.classes),
		mapped.Of(&s.tokens), mapped.Of(&s.start), mapped.Of(&s.shape), mapped.Of(&s.first), mapped.Of(&s.count), mapped.Of(&s.text), mapped.Of(&s.textSlots),
		mapped.Of(&s.hashes), mapped.Of(&s.shapeSlots), mapped.Of(&s.lines), mapped.Of(&s.indent), mapped.Of(&s.back), mapped.Of(&s.fore),
		mapped.Of(&s.imports), mapped.Of(&s.bucket), mapped.Of(&s.grams), mapped.Of(&s.files), mapped.Of(&s.paths),
	}
}

func (s *segment) numNames() int { return len(s.nameAt) - 1 }

// name is the text of a token.
func (s *segment) name(id uint32) string {
	return mapped.String(s.nameBytes[s.nameAt[id]:s.nameAt[id+1]])
}

// id finds a token by its text.
func (s *segment) id(name string) (uint32, bool) {
	slot := s.nameSlot(name)
	id := s.nameSlots[slot]
	return id - 1, id != 0
}

// nameSlot is where a text is in nameSlots, or where it would be put.
func (s *segment) nameSlot(name string) uint32 {
	mask := uint32(len(s.nameSlots) - 1)
	at := language.Hash(name) & mask
	for s.nameSlots[at] != 0 && s.name(s.nameSlots[at]-1) != name {
		at = (at + 1) & mask
	}
	return at
}

// slotOf is where a hash is in a hash table of hashes, or where it would be put.
func slotOf(slots []uint32, hashes []hash, h hash) uint32 {
	mask := uint32(len(slots) - 1)
	at := uint32(h^h>>32) & mask
	for slots[at] != 0 && hashes[slots[at]-1] != h {
		at = (at + 1) & mask
	}
	return at
}

// shapeOf finds a shape by its hash.
func (s *segment) shapeOf(h hash) (uint32, bool) {
	id := s.shapeSlots[slotOf(s.shapeSlots, s.hashes, h)]
	return id - 1, id != 0
}

// occurrences is how often a line with a text occurs.
func (s *segment) occurrences(text hash) int {
	if id := s.textSlots[slotOf(s.textSlots, s.text, text)]; id != 0 {
		return int(s.count[id-1])
	}
	return 0
}

// shapeAt returns the shape of the line at a place.
func (s *segment) shapeAt(place int) uint32 {
	if place < 0 || place >= len(s.lines) {
		return 0
	}
	return s.shape[s.lines[place]]
}

// line returns the tokens of the line at a place.
func (s *segment) line(place int) []uint32 {
	if place < 0 || place >= len(s.lines) {
		return nil
	}
	return s.distinctLine(s.lines[place])
}

func (s *segment) distinctLine(id uint32) []uint32 { return s.tokens[s.start[id]:s.start[id+1]] }

// gram returns the bucket of tokens that follow two tokens; 0 is the line start.
func (s *segment) gram(a, b uint32) uint32 {
	return (a*0x9E3779B1 ^ b*0x85EBCA77) >> 7 % uint32(len(s.bucket)-1)
}

// lineOf returns the distinct line that a token index belongs to.
func (s *segment) lineOf(token uint32) uint32 {
	i, _ := slices.BinarySearch(s.start, token+1)
	return uint32(i - 1)
}

// path is the path of a file.
func (s *segment) path(row int) string {
	f := &s.files[row]
	return mapped.String(s.paths[f.path:f.lang])
}

// rowAt returns the file that contains a place.
func (s *segment) rowAt(place int) int {
	i, _ := slices.BinarySearchFunc(s.files, uint32(place), func(f fileRow, p uint32) int {
		switch {
		case f.to <= p:
			return -1
		case f.from > p:
			return 1
		}
		return 0
	})
	return min(i, len(s.files)-1)
}

// rowOf returns the file with a path, or the one that would follow it.
func (s *segment) rowOf(path string) (row int, found bool) {
	lo, hi := 0, len(s.files)
	for lo < hi {
		mid := (lo + hi) / 2
		if s.path(mid) < path {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(s.files) && s.path(lo) == path
}

// write appends tokens as text.
func (s *segment) write(out []byte, tokens []uint32) []byte {
	for i, t := range tokens {
		if t&spacedBit != 0 && i > 0 {
			out = append(out, ' ')
		}
		out = append(out, s.name(t&^spacedBit)...)
	}
	return out
}
