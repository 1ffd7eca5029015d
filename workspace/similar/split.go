package similar

import "strings"

// leastExcerpt is how many lines of a chunk are shown at least when a part of it is worth
// much more than the whole.
const leastExcerpt = 1

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
	if first < leastExcerpt {
		first = 0
	}
	if len(s.lines)-1-last < leastExcerpt {
		last = len(s.lines) - 1
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
		var needs []int32
		s.begin()
		for i, l := range s.lines[r[0] : r[1]+1] {
			part.Bytes += l.bytes
			s.each(l, i == 0, func(slot int32) { needs = append(needs, slot) })
		}
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
	needs []int32 // what the line shows
	joint []int32 // what it shows below the line above it: pairs of words of both
}

// read notes in which lines a chunk's names and pairs are. A line of few words shows
// no name, because it does not show how the name is used.
func (s *splitter) read(chunk int, text string) {
	slots, pairs, inPair := map[string]int32{}, map[[2]string]int32{}, map[string]bool{}
	for _, slot := range s.e.needs[chunk] {
		if w := s.e.words[slot]; w[1] == "" {
			slots[w[0]] = slot
		} else {
			pairs[w] = slot
			inPair[w[0]], inPair[w[1]] = true, true
		}
	}
	last := ""
	var names []int32
	for line := range strings.Lines(text) {
		l := splitLine{bytes: len(line), blank: strings.TrimSpace(line) == ""}
		words, paired := 0, false
		names = names[:0]
		scanWords(line, func(word string, _ int) {
			if word == "" {
				return
			}
			words++
			if slot, ok := slots[word]; ok {
				names = append(names, slot)
			}
			if !inPair[word] {
				return
			}
			if slot, ok := pairs[[2]string{last, word}]; ok && paired {
				l.needs = append(l.needs, slot)
			} else if ok {
				l.joint = append(l.joint, slot)
			}
			last, paired = word, true
		})
		if words >= fewWords {
			l.needs = append(l.needs, names...)
		}
		s.lines = append(s.lines, l)
	}
}

// best are the lines that are worth most for their size; last is before first where
// the whole is about as good.
func (s *splitter) best(head float32) (first, last int) {
	first, last = 0, -1
	most := float32(0)
	for i := -1; i < len(s.lines); i++ { // the whole comes first
		from := max(i, 0)
		if s.lines[from].blank && i >= 0 {
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
			case i >= 0 && !whole && !s.lines[j].blank && j-i+1 >= leastExcerpt && d > most:
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
