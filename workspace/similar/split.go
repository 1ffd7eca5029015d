package similar

import "strings"

// sharper is how much more a part of a chunk has to be worth for its size.
const sharper = 1.05

// Split divides a chunk where some of its lines are worth much more for their size than
// all of them: into those lines, which come first, and what is left above and
// below. It returns the numbers of the new chunks, none where the chunk is best
// as it is. text is the chunk's, head what any chunk costs besides its text, in bytes.
func (e *Estimate) Split(chunk int, text string, head float32) []int {
	s := &splitter{e: e, lines: e.lines[chunk]}
	if s.lines == nil {
		s.read(chunk, text)
	}
	if e.lines == nil {
		e.lines = map[int][]splitLine{}
	}
	first, last := s.best(head)
	if last < first {
		return nil
	}
	if last-first+1 == len(s.lines) {
		return nil
	}
	c := e.Chunks[chunk]
	var out []int
	for _, r := range [][2]int{{first, last}, {0, first - 1}, {last + 1, len(s.lines) - 1}} {
		if r[1] < r[0] {
			continue
		}
		part := Chunk{File: c.File, First: c.First + r[0], Last: c.First + r[1], Alike: c.Alike}
		from := len(e.split)
		s.begin()
		for i, l := range s.lines[r[0] : r[1]+1] {
			part.Bytes += l.bytes
			s.each(l, i == 0, func(slot int32) { e.split = append(e.split, slot) })
		}
		needs := e.split[from:len(e.split):len(e.split)]
		out = append(out, len(e.Chunks))
		e.lines[len(e.Chunks)] = s.lines[r[0] : r[1]+1]
		e.Chunks, e.needs = append(e.Chunks, part), append(e.needs, needs)
	}
	return out
}

// A splitter knows what the lines of one chunk show.
type splitter struct {
	e     *Estimate
	lines []splitLine
}

type splitLine struct {
	bytes int
	blank bool
	begin bool    // a part of the chunk may begin here
	end   bool    // a part of the chunk may end here
	needs []int32 // what the line shows
	joint []int32 // what it shows below the line above it: pairs of words of both
}

// read notes in which lines a chunk's names and pairs are. A line of few words shows
// no name, because it does not show how the name is used.
func (s *splitter) read(chunk int, text string) {
	words, pairs := s.chunkWords(chunk)
	s.lines = make([]splitLine, 0, strings.Count(text, "\n")+1)
	all := make([]int32, 0, 2*len(s.e.needs[chunk]))
	last := int32(-1)
	var names, joint []int32
	for line := range strings.Lines(text) {
		l := splitLine{bytes: len(line), blank: strings.TrimSpace(line) == ""}
		count, paired, from := 0, false, len(all)
		names, joint = names[:0], joint[:0]
		scanWords(line, func(text string, _ int) {
			if text == "" {
				return
			}
			count++
			id, known := s.e.local[text]
			if !known {
				return
			}
			w := words[id]
			if w.slot >= 0 {
				names = append(names, w.slot)
			}
			if !w.paired {
				return
			}
			for _, p := range pairs {
				if p.a == last && p.b == id && paired {
					all = append(all, p.slot)
				} else if p.a == last && p.b == id {
					joint = append(joint, p.slot)
				}
			}
			last, paired = id, true
		})
		if count >= fewWords {
			all = append(all, names...)
		}
		l.needs = all[from:len(all):len(all)]
		from = len(all)
		all = append(all, joint...)
		l.joint = all[from:len(all):len(all)]
		s.lines = append(s.lines, l)
	}
	s.markParts(text)
}

// How many lines a statement may have that is never shown in part: fewer in a small
// window, which has to show the names first.
const longestAtom, longestAtomFew = 5, 2

// markParts notes where parts may begin and end: not inside a statement of a few lines, and
// not with what closes a statement. Indentation tells, as it does a reader.
func (s *splitter) markParts(text string) {
	type line struct {
		indent int
		closer bool
	}
	lines := make([]line, 0, len(s.lines))
	for t := range strings.Lines(text) {
		rest := strings.TrimLeft(t, " \t")
		lines = append(lines, line{indent: len(t) - len(rest), closer: rest != "" && strings.IndexByte("})]", rest[0]) >= 0})
	}
	for i := 0; i < len(lines); {
		end := i + 1
		for end < len(lines) && (s.lines[end].blank || lines[end].indent > lines[i].indent || lines[end].indent == lines[i].indent && lines[end].closer) {
			end++
		}
		for end > i+1 && s.lines[end-1].blank {
			end--
		}
		if end-i > s.e.atom {
			end = i + 1
		}
		s.lines[i].begin = !s.lines[i].blank && !lines[i].closer
		s.lines[end-1].end = !s.lines[end-1].blank
		i = end
	}
}

// A chunkWord is a word of a chunk.
type chunkWord struct {
	slot   int32 // of the name that it is; -1: of none
	paired bool  // a pair has it
}

// A chunkPair is a pair of a chunk, by the numbers of its words.
type chunkPair struct{ a, b, slot int32 }

// chunkWords numbers the words of a chunk that count, and makes local their numbers.
func (s *splitter) chunkWords(chunk int) (words []chunkWord, pairs []chunkPair) {
	if s.e.local == nil {
		s.e.local = map[string]int32{}
	}
	clear(s.e.local)
	number := func(text string) int32 {
		id, ok := s.e.local[text]
		if !ok {
			id = int32(len(words))
			s.e.local[text] = id
			words = append(words, chunkWord{slot: -1})
		}
		return id
	}
	for _, slot := range s.e.needs[chunk] {
		w := s.e.words[slot]
		a := number(w[0])
		if w[1] == "" {
			words[a].slot = slot
			continue
		}
		b := number(w[1])
		words[a].paired, words[b].paired = true, true
		pairs = append(pairs, chunkPair{a, b, slot})
	}
	return words, pairs
}

// best are the lines that are worth most for their size; last is before first where
// the whole is about as good.
func (s *splitter) best(head float32) (first, last int) {
	first, last = 0, -1
	most := float32(0)
	for i := -1; i < len(s.lines); i++ { // the whole comes first
		from := max(i, 0)
		if i >= 0 && !s.lines[from].begin {
			continue
		}
		s.begin()
		var sum float32
		bytes := head
		for j := from; j < len(s.lines); j++ {
			bytes += float32(s.lines[j].bytes)
			s.each(s.lines[j], j == from, func(slot int32) { sum += s.e.left[slot] })
			whole := from == 0 && j == len(s.lines)-1
			switch d := sum / bytes; {
			case i < 0 && whole:
				most = d * sharper
			case i >= 0 && !whole && s.lines[j].end && d > most:
				first, last, most = i, j, d
			}
		}
	}
	return first, last
}

// begin begins a row of lines.
func (s *splitter) begin() {
	if s.e.marks == nil {
		s.e.marks = make([]uint32, len(s.e.left))
	}
	s.e.mark++
}

// each calls do with what a line shows that no line of the row showed before.
func (s *splitter) each(l splitLine, first bool, do func(slot int32)) {
	for k, list := range [2][]int32{l.needs, l.joint} {
		if k == 1 && first {
			return
		}
		for _, slot := range list {
			if s.e.marks[slot] != s.e.mark {
				s.e.marks[slot] = s.e.mark
				do(slot)
			}
		}
	}
}
