package complete

import (
	"cmp"
	"slices"
	"strings"

	"tandem/model/local/source"
)

// A segment is the trained model of some files: each distinct line once, as
// interned tokens, and for every file the sequence of its lines. Two sorted
// orders of all places, by the lines before and by the lines after, find the
// longest common context in logarithmic time. A built segment never changes.
type segment struct {
	names   []string // token texts by id; id 0 is no token
	classes []source.Class
	ids     map[string]uint32

	tokens []uint32 // of all distinct lines, one after the other; the top bit is lexeme.spaced
	start  []uint32 // of each distinct line; line 0 is empty: it separates files
	shape  []uint32 // of each distinct line; shape 0 is line 0's
	first  []uint32 // the first place of a distinct line
	count  []uint16 // how often it occurs

	shapes map[hash]uint32
	hashes []hash // of each shape

	lines  []uint32 // the distinct line at every place, without blank lines
	indent []uint8
	files  []learned

	back, fore []uint32 // places by the shapes of the lines before and after them

	imports []uint32 // the distinct lines that import

	bucket []uint32 // start of each hash's places in grams
	grams  []uint32 // indexes into tokens, by the hash of the two tokens before
}

// A learned file is a run of places.
type learned struct {
	path     string
	lang     string
	from, to uint32
}

const (
	spacedBit = 1 << 31
	deepest   = 8 // lines of context that the orders compare
)

// A trainer builds a segment.
type trainer struct {
	*segment
	known map[hash]uint32 // distinct lines
	buf   []source.Lexeme
}

func newTrainer() *trainer {
	s := &segment{ids: map[string]uint32{}, shapes: map[hash]uint32{}, names: []string{""}, classes: []source.Class{source.Punct},
		start: []uint32{0, 0}, shape: []uint32{0}, first: []uint32{0}, count: []uint16{0}, hashes: []hash{0}}
	s.lines, s.indent = []uint32{0}, []uint8{0}
	return &trainer{segment: s, known: map[hash]uint32{}}
}

// file adds one file.
func (tr *trainer) file(path, lang, src string) {
	from := uint32(len(tr.lines))
	for line := range strings.Lines(src) {
		tr.line(line)
	}
	tr.files = append(tr.files, learned{path, lang, from, uint32(len(tr.lines))})
	tr.bound()
}

// bound adds the empty line that separates files.
func (tr *trainer) bound() {
	tr.lines, tr.indent = append(tr.lines, 0), append(tr.indent, 0)
}

// line adds the next line of a file.
func (tr *trainer) line(line string) {
	line = strings.TrimRight(line, " \t\r\n")
	body := strings.TrimLeft(line, " \t")
	if body == "" {
		return
	}
	if len(body) > source.MaxLineBytes {
		body = "\x00" // opaque: never suggested, and unlike any line of code
	}
	id := tr.distinct(body)
	if tr.count[id] == 0 {
		tr.first[id] = uint32(len(tr.lines))
	}
	if tr.count[id] < 1<<16-1 {
		tr.count[id]++
	}
	tr.lines = append(tr.lines, id)
	tr.indent = append(tr.indent, uint8(min(width(line[:max(len(line)-len(body), 0)]), 255)))
}

// width returns the width of indentation, with four for a tab.
func width(space string) int {
	return len(space) + 3*strings.Count(space, "\t")
}

// distinct returns the id of a line's text.
func (tr *trainer) distinct(body string) uint32 {
	h := noHash.str(body)
	if id, ok := tr.known[h]; ok {
		return id
	}
	tr.buf = source.Lex(body, tr.buf[:0])
	if len(tr.buf) > maxLineTokens {
		tr.buf = tr.buf[:0]
	}
	id := uint32(len(tr.shape))
	tr.known[h] = id
	for _, t := range tr.buf {
		tr.tokens = append(tr.tokens, tr.intern(t))
	}
	tr.start = append(tr.start, uint32(len(tr.tokens)))
	tr.shape = append(tr.shape, tr.shapeID(shapeOf(body, tr.buf)))
	tr.first = append(tr.first, 0)
	tr.count = append(tr.count, 0)
	return id
}

func (tr *trainer) intern(t source.Lexeme) uint32 {
	id, ok := tr.ids[t.Text]
	if !ok {
		id = uint32(len(tr.names))
		name := strings.Clone(t.Text)
		tr.ids[name] = id
		tr.names = append(tr.names, name)
		tr.classes = append(tr.classes, t.Class)
	}
	if t.Spaced {
		id |= spacedBit
	}
	return id
}

func (tr *trainer) shapeID(h hash) uint32 {
	id, ok := tr.shapes[h]
	if !ok {
		id = uint32(len(tr.hashes))
		tr.shapes[h] = id
		tr.hashes = append(tr.hashes, h)
	}
	return id
}

// finish builds the indexes and returns the segment. sorted is false for a single
// document, which is scanned and needs no orders.
func (tr *trainer) finish(sorted bool) *segment {
	s := tr.segment
	s.index()
	if sorted {
		s.back = s.order(-1)
		s.fore = s.order(+1)
		s.collectImports()
		s.tokens, s.start, s.lines = slices.Clip(s.tokens), slices.Clip(s.start), slices.Clip(s.lines)
		s.indent, s.shape = slices.Clip(s.indent), slices.Clip(s.shape)
	}
	return s
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

// order sorts all places by the shapes of the lines that follow them in a
// direction, the nearest first; equal ones keep the order of the files.
func (s *segment) order(dir int) []uint32 {
	out := s.byNeighbour(dir)
	for from := 0; from < len(out); {
		to, near := from+1, s.shapeAt(int(out[from])+dir)
		for to < len(out) && s.shapeAt(int(out[to])+dir) == near {
			to++
		}
		if near != 0 && to-from > 1 {
			s.sortDeeper(out[from:to], dir)
		}
		from = to
	}
	return out
}

// byNeighbour sorts all places by the shape of the next line in a direction.
func (s *segment) byNeighbour(dir int) []uint32 {
	starts := make([]uint32, len(s.hashes)+1)
	for p := range s.lines {
		if s.lines[p] != 0 {
			starts[s.shapeAt(p+dir)+1]++
		}
	}
	for i := 1; i < len(starts); i++ {
		starts[i] += starts[i-1]
	}
	out := make([]uint32, starts[len(starts)-1])
	for p := range s.lines {
		if s.lines[p] == 0 {
			continue
		}
		shape := s.shapeAt(p + dir)
		out[starts[shape]] = uint32(p)
		starts[shape]++
	}
	return out
}

// sortDeeper sorts places with the same neighbour by the lines beyond it.
func (s *segment) sortDeeper(places []uint32, dir int) {
	slices.SortFunc(places, func(a, b uint32) int {
		for depth := 2; depth <= deepest; depth++ {
			x, y := s.shapeAt(int(a)+dir*depth), s.shapeAt(int(b)+dir*depth)
			if x != y {
				return cmp.Compare(x, y)
			}
			if x == 0 {
				break
			}
		}
		return cmp.Compare(a, b)
	})
}

// index indexes every token of the distinct lines by the two tokens before it.
func (s *segment) index() {
	bits := 8
	for 1<<bits < len(s.tokens) && bits < 22 {
		bits++
	}
	s.bucket = make([]uint32, 1<<bits+1)
	s.eachGram(func(h, _ uint32) { s.bucket[h+1]++ })
	for i := 1; i < len(s.bucket); i++ {
		s.bucket[i] += s.bucket[i-1]
	}
	s.grams = make([]uint32, len(s.tokens))
	next := slices.Clone(s.bucket[:len(s.bucket)-1])
	s.eachGram(func(h, at uint32) {
		s.grams[next[h]] = at
		next[h]++
	})
}

func (s *segment) eachGram(do func(h, at uint32)) {
	for id := range len(s.start) - 1 {
		a, b := uint32(0), uint32(0)
		for at := s.start[id]; at < s.start[id+1]; at++ {
			do(s.gram(a, b), at)
			a, b = b, s.tokens[at]&^spacedBit
		}
	}
}

// gram returns the bucket of tokens that follow two tokens; 0 is the line start.
func (s *segment) gram(a, b uint32) uint32 {
	return (a*0x9E3779B1 ^ b*0x85EBCA77) >> 7 % uint32(len(s.bucket)-1)
}

// lineOf returns the distinct line that a token index belongs to.
func (s *segment) lineOf(token uint32) uint32 {
	i, _ := slices.BinarySearch(s.start, token+1)
	return uint32(i - 1)
}

// fileAt returns the file that contains a place.
func (s *segment) fileAt(place uint32) *learned {
	i, _ := slices.BinarySearchFunc(s.files, place, func(f learned, p uint32) int {
		switch {
		case f.to <= p:
			return -1
		case f.from > p:
			return 1
		}
		return 0
	})
	if i >= len(s.files) {
		return &learned{}
	}
	return &s.files[i]
}

// write appends tokens as text.
func (s *segment) write(out []byte, tokens []uint32) []byte {
	for i, t := range tokens {
		if t&spacedBit != 0 && i > 0 {
			out = append(out, ' ')
		}
		out = append(out, s.names[t&^spacedBit]...)
	}
	return out
}
