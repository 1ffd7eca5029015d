package similar

import "strings"

// leastExcerpt is how many lines of a chunk are shown at least when a part of it is worth
// much more than the whole: fewer do not show how a name is used.
const leastExcerpt = 3

// sharper is how much more a part of a chunk has to be worth for its size.
const sharper = 1.05

// Split divides a chunk where some of its lines are worth much more for their size than
// all of them: into those lines, which come first, and what is left above and
// below. It returns the numbers of the new chunks, none where the chunk is best
// as it is. text is the chunk's, head what any chunk costs besides its text, in bytes.
func (e *Estimate) Split(chunk int, text string, head float32) []int {
	s := &splitter{e: e, slots: map[string]int32{}, pairs: map[[2]string]int32{}}
	s.read(chunk, text)
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
		for _, l := range s.lines[r[0] : r[1]+1] {
			part.Bytes += l.bytes
			for _, slot := range l.needs {
				if !contains(needs, slot) {
					needs = append(needs, slot)
				}
			}
		}
		out = append(out, len(e.Chunks))
		e.Chunks, e.needs = append(e.Chunks, part), append(e.needs, needs)
	}
	return out
}

// A splitter knows what the lines of one chunk show.
type splitter struct {
	e     *Estimate
	slots map[string]int32
	pairs map[[2]string]int32
	lines []splitLine
}

type splitLine struct {
	bytes int
	blank bool
	needs []int32
}

// read notes in which lines a chunk's names and pairs are.
func (s *splitter) read(chunk int, text string) {
	inPair := map[string]bool{}
	for _, slot := range s.e.needs[chunk] {
		if w := s.e.words[slot]; w[1] == "" {
			s.slots[w[0]] = slot
		} else {
			s.pairs[w] = slot
			inPair[w[0]], inPair[w[1]] = true, true
		}
	}
	last := ""
	for line := range strings.Lines(text) {
		l := splitLine{bytes: len(line), blank: strings.TrimSpace(line) == ""}
		scanWords(line, func(word string, _ int) {
			if slot, ok := s.slots[word]; ok {
				l.needs = append(l.needs, slot)
			}
			if !inPair[word] {
				return
			}
			if slot, ok := s.pairs[[2]string{last, word}]; ok {
				l.needs = append(l.needs, slot)
			}
			last = word
		})
		s.lines = append(s.lines, l)
	}
}

// best are the lines that are worth most for their size; last is before first where
// the whole is about as good.
func (s *splitter) best(head float32) (first, last int) {
	first, last = 0, -1
	whole := s.density(0, len(s.lines)-1, head)
	most := whole * sharper
	for i := range s.lines {
		if s.lines[i].blank {
			continue
		}
		for j := i + leastExcerpt - 1; j < len(s.lines) && j-i+1 < len(s.lines); j++ {
			if d := s.density(i, j, head); !s.lines[j].blank && d > most {
				first, last, most = i, j, d
			}
		}
	}
	return first, last
}

func (s *splitter) density(first, last int, head float32) float32 {
	var sum float32
	var seen []int32
	bytes := head
	for _, l := range s.lines[first : last+1] {
		bytes += float32(l.bytes)
		for _, slot := range l.needs {
			if !contains(seen, slot) {
				seen = append(seen, slot)
				sum += s.e.left[slot]
			}
		}
	}
	return sum / bytes
}

func contains(list []int32, x int32) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}
