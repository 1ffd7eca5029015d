package local

import (
	"cmp"
	"slices"
	"strings"
)

// A segment is what was learned of some files: each distinct line once, as
// interned tokens, and for every file the sequence of its lines. Two orders of
// all places, by the lines before and by the lines after, find the longest
// context in common in logarithmic time. A built segment never changes.
type segment struct {
	names   []string // token texts by id; id 0 is no token
	classes []class
	ids     map[string]uint32

	tokens []uint32 // of all distinct lines, one after the other; the top bit is lexeme.spaced
	start  []uint32 // of each distinct line; line 0 is empty: it bounds files
	shape  []uint32 // of each distinct line; shape 0 is line 0's
	first  []uint32 // the place where a distinct line stands first
	count  []uint16 // how often it stands anywhere

	shapes map[hash]uint32
	hashes []hash // of each shape

	lines  []uint32 // the distinct line at every place; blank lines are left out
	indent []uint8
	files  []learned

	back, fore []uint32 // places by the shapes of the lines before and after them

	imports []uint32 // the distinct lines that import

	bucket []uint32 // where the places in grams of one hash begin
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
	deepest   = 8 // lines of context that the orders tell apart
)

// A learner builds a segment.
type learner struct {
	*segment
	known map[hash]uint32 // distinct lines
	buf   []lexeme
}

func newLearner() *learner {
	s := &segment{ids: map[string]uint32{}, shapes: map[hash]uint32{}, names: []string{""}, classes: []class{punct},
		start: []uint32{0, 0}, shape: []uint32{0}, first: []uint32{0}, count: []uint16{0}, hashes: []hash{0}}
	s.lines, s.indent = []uint32{0}, []uint8{0}
	return &learner{segment: s, known: map[hash]uint32{}}
}

// file learns one file.
func (l *learner) file(path, lang, src string) {
	from := uint32(len(l.lines))
	for line := range strings.Lines(src) {
		l.line(line)
	}
	l.files = append(l.files, learned{path, lang, from, uint32(len(l.lines))})
	l.bound()
}

// bound puts the empty line that separates files.
func (l *learner) bound() {
	l.lines, l.indent = append(l.lines, 0), append(l.indent, 0)
}

// line learns the next line of a file.
func (l *learner) line(line string) {
	line = strings.TrimRight(line, " \t\r\n")
	body := strings.TrimLeft(line, " \t")
	if body == "" {
		return
	}
	if len(body) > maxLineBytes {
		body = "\x00" // opaque: never suggested, like no other line of code
	}
	id := l.distinct(body)
	if l.count[id] == 0 {
		l.first[id] = uint32(len(l.lines))
	}
	if l.count[id] < 1<<16-1 {
		l.count[id]++
	}
	l.lines = append(l.lines, id)
	l.indent = append(l.indent, uint8(min(width(line[:max(len(line)-len(body), 0)]), 255)))
}

// width is the width of indentation, a tab counting as four.
func width(space string) int {
	return len(space) + 3*strings.Count(space, "\t")
}

// distinct is the id of a line's text.
func (l *learner) distinct(body string) uint32 {
	h := noHash.str(body)
	if id, ok := l.known[h]; ok {
		return id
	}
	l.buf = lexLine(body, l.buf[:0])
	if len(l.buf) > maxLineTokens {
		l.buf = l.buf[:0]
	}
	id := uint32(len(l.shape))
	l.known[h] = id
	for _, t := range l.buf {
		l.tokens = append(l.tokens, l.intern(t))
	}
	l.start = append(l.start, uint32(len(l.tokens)))
	l.shape = append(l.shape, l.shapeID(shapeOf(body, l.buf)))
	l.first = append(l.first, 0)
	l.count = append(l.count, 0)
	return id
}

func (l *learner) intern(t lexeme) uint32 {
	id, ok := l.ids[t.text]
	if !ok {
		id = uint32(len(l.names))
		name := strings.Clone(t.text)
		l.ids[name] = id
		l.names = append(l.names, name)
		l.classes = append(l.classes, t.class)
	}
	if t.spaced {
		id |= spacedBit
	}
	return id
}

func (l *learner) shapeID(h hash) uint32 {
	id, ok := l.shapes[h]
	if !ok {
		id = uint32(len(l.hashes))
		l.shapes[h] = id
		l.hashes = append(l.hashes, h)
	}
	return id
}

// finish orders what was learned. sorted says whether the orders are wanted: a
// single document is scanned instead.
func (l *learner) finish(sorted bool) *segment {
	s := l.segment
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

// shapeAt is the shape of the line at a place.
func (s *segment) shapeAt(place int) uint32 {
	if place < 0 || place >= len(s.lines) {
		return 0
	}
	return s.shape[s.lines[place]]
}

// line is the tokens of the line at a place.
func (s *segment) line(place int) []uint32 {
	if place < 0 || place >= len(s.lines) {
		return nil
	}
	return s.distinctLine(s.lines[place])
}

func (s *segment) distinctLine(id uint32) []uint32 { return s.tokens[s.start[id]:s.start[id+1]] }

// order sorts all places by the shapes of the lines that follow them in a
// direction, the nearest first; equal ones stay in the order of the files.
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

// byNeighbour is all places by the shape of the next line in a direction.
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

// sortDeeper sorts places with the same neighbour by those beyond it.
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

// index finds every token of the distinct lines by the two before it.
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

// gram is the bucket of what follows two tokens; 0 is the start of the line.
func (s *segment) gram(a, b uint32) uint32 {
	return (a*0x9E3779B1 ^ b*0x85EBCA77) >> 7 % uint32(len(s.bucket)-1)
}

// lineOf is the distinct line that a token index belongs to.
func (s *segment) lineOf(token uint32) uint32 {
	i, _ := slices.BinarySearch(s.start, token+1)
	return uint32(i - 1)
}

// fileAt is the file that a place is in.
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
