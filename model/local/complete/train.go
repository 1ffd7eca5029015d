package complete

import (
	"cmp"
	"slices"
	"strings"

	"tandem/model/local/source"
	"tandem/workspace/redact"
)

// A trainer builds segments, one after another.
type trainer struct {
	*segment
	buf    []source.Lexeme
	hidden bool // the text has placeholders in place of secrets
}

func newTrainer() *trainer {
	tr := &trainer{segment: &segment{}}
	tr.reset()
	return tr
}

// reset begins another segment, in the memory of the one before.
func (tr *trainer) reset() {
	s := tr.segment
	s.nameBytes, s.nameAt, s.nameSlots, s.classes = s.nameBytes[:0], append(s.nameAt[:0], 0, 0), zeroed(s.nameSlots), append(s.classes[:0], source.Punct)
	s.tokens, s.start, s.shape, s.first, s.count = s.tokens[:0], append(s.start[:0], 0, 0), append(s.shape[:0], 0), append(s.first[:0], 0), append(s.count[:0], 0)
	s.text, s.textSlots, s.hashes, s.shapeSlots = append(s.text[:0], 0), zeroed(s.textSlots), append(s.hashes[:0], 0), zeroed(s.shapeSlots)
	s.lines, s.indent, s.imports = append(s.lines[:0], 0), append(s.indent[:0], 0), s.imports[:0]
	s.files, s.paths = s.files[:0], s.paths[:0]
}

// zeroed is an empty hash table, in the memory of another.
func zeroed(slots []uint32) []uint32 {
	if slots == nil {
		return make([]uint32, 512)
	}
	clear(slots)
	return slots
}

// file adds one file.
func (tr *trainer) file(path, lang, src string, st stamp) {
	from := len(tr.lines)
	for line := range strings.Lines(src) {
		tr.line(line)
	}
	tr.bound(path, lang, from, st)
}

// bound ends a file, whose places are those since from.
func (tr *trainer) bound(path, lang string, from int, st stamp) {
	row := fileRow{stamp: st, from: uint32(from), to: uint32(len(tr.lines)), path: uint32(len(tr.paths))}
	tr.paths = append(tr.paths, path...)
	row.lang = uint32(len(tr.paths))
	tr.paths = append(tr.paths, lang...)
	row.stop = uint32(len(tr.paths))
	tr.files = append(tr.files, row)
	tr.lines, tr.indent = append(tr.lines, 0), append(tr.indent, 0) // the empty line separates files
}

// line adds the next line of a file.
func (tr *trainer) line(line string) {
	line = strings.TrimRight(line, " \t\r\n")
	body := strings.TrimLeft(line, " \t")
	if body == "" {
		return
	}
	if len(body) > source.MaxLineBytes || tr.hidden && len(redact.Placeholders(body)) > 0 {
		body = opaque
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

// opaque stands for a line that is never suggested, and is unlike any line of code.
const opaque = "\x00"

// width returns the width of indentation, with four for a tab.
func width(space string) int {
	return len(space) + 3*strings.Count(space, "\t")
}

// distinct returns the id of a line's text.
func (tr *trainer) distinct(body string) uint32 {
	h := noHash.str(body)
	slot := slotOf(tr.textSlots, tr.text, h)
	if id := tr.textSlots[slot]; id != 0 {
		return id - 1
	}
	tr.buf = source.Lex(body, tr.buf[:0])
	if len(tr.buf) > maxLineTokens {
		tr.buf = tr.buf[:0]
	}
	id := uint32(len(tr.shape))
	for _, t := range tr.buf {
		tr.tokens = append(tr.tokens, tr.intern(t))
	}
	tr.start = append(tr.start, uint32(len(tr.tokens)))
	tr.shape = append(tr.shape, tr.shapeID(shapeHash(body, tr.buf)))
	tr.first = append(tr.first, 0)
	tr.count = append(tr.count, 0)
	tr.text = append(tr.text, h)
	tr.textSlots[slot] = id + 1
	tr.textSlots = grown(tr.textSlots, tr.text)
	return id
}

func (tr *trainer) intern(t source.Lexeme) uint32 {
	slot := tr.nameSlot(t.Text)
	id := tr.nameSlots[slot]
	if id == 0 {
		id = uint32(len(tr.nameAt))
		tr.nameSlots[slot] = id
		tr.nameBytes = append(tr.nameBytes, t.Text...)
		tr.nameAt = append(tr.nameAt, uint32(len(tr.nameBytes)))
		tr.classes = append(tr.classes, t.Class)
		if 2*tr.numNames() > len(tr.nameSlots) {
			tr.growNames()
		}
	}
	if id--; t.Spaced {
		id |= spacedBit
	}
	return id
}

func (tr *trainer) growNames() {
	tr.nameSlots = make([]uint32, 2*len(tr.nameSlots))
	for id := 1; id < tr.numNames(); id++ {
		tr.nameSlots[tr.nameSlot(tr.name(uint32(id)))] = uint32(id) + 1
	}
}

func (tr *trainer) shapeID(h hash) uint32 {
	slot := slotOf(tr.shapeSlots, tr.hashes, h)
	id := tr.shapeSlots[slot]
	if id != 0 {
		return id - 1
	}
	tr.hashes = append(tr.hashes, h)
	tr.shapeSlots[slot] = uint32(len(tr.hashes))
	tr.shapeSlots = grown(tr.shapeSlots, tr.hashes)
	return uint32(len(tr.hashes)) - 1
}

// grown is a hash table of hashes with room for more.
func grown(slots []uint32, hashes []hash) []uint32 {
	if 2*len(hashes) <= len(slots) {
		return slots
	}
	slots = make([]uint32, 2*len(slots))
	for id := 1; id < len(hashes); id++ {
		slots[slotOf(slots, hashes, hashes[id])] = uint32(id) + 1
	}
	return slots
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
	}
	return s
}

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
