package similar

import (
	"math"

	"tandem/workspace/index"
)

// A Step is one change of the workspace in its history.
type Step struct {
	Files []string // that it changed
	Words []string // that it brought into them
}

// NewWords are the words of a text that the text before it does not have.
func NewWords(before, after string) []string {
	had := map[string]bool{}
	scanWords(before, func(w string, _ int) { had[w] = true })
	var out []string
	scanWords(after, func(w string, _ int) {
		if len(w) >= shortPart && !had[w] {
			had[w] = true
			out = append(out, w)
		}
	})
	return out
}

// A history is steps by the numbers of files and words, the newest first.
type history struct {
	files   [][]index.FileID
	words   [][]word
	touched map[index.FileID][]int // by file: the steps that changed it
	bound   int                    // more than the number of each of the files
}

func (c *Corpus) readHistory(ix *index.Index, steps []Step) history {
	h := history{touched: map[index.FileID][]int{}}
	for i, s := range steps {
		var files []index.FileID
		for _, rel := range s.Files {
			if id, ok := ix.FileID(rel); ok {
				files = append(files, id)
				h.bound = max(h.bound, int(id)+1)
				h.touched[id] = append(h.touched[id], i)
			}
		}
		var words []word
		for _, name := range s.Words {
			if w, ok := c.number(name); ok {
				words = append(words, w)
			}
		}
		h.files, h.words = append(h.files, files), append(h.words, words)
	}
	return h
}

const (
	freshSteps  = 10 // after so many steps, what one brought counts half
	ownSteps    = 4  // and after so many of those that changed the place's file
	joinedSteps = 60 // after so many, that files changed together counts half
	openFiles   = 4  // after so many open files, that one is open counts half
	mostRecent  = 32 // files changed last that are considered for that
)

// readHistory notes which files changed with the place's, which changed last, and which
// names are new.
func (e *estimator) readHistory(files int) {
	s, h := e.s, &e.c.history
	s.joined.Reset(files)
	s.recent.Reset(files)
	s.fresh.Reset(e.numWords)
	s.freshHere.Reset(e.numWords)
	for i, list := range h.files {
		part := 1 / (1 + float32(i)/freshSteps)
		for _, id := range list {
			if len(s.recent.IDs) < mostRecent {
				s.recent.Max(uint32(id), part)
			}
		}
		for _, w := range h.words[i] {
			s.fresh.Max(uint32(w), part)
		}
	}
	if e.known {
		for k, i := range h.touched[e.self] {
			part := 1 / (1 + float32(i)/joinedSteps) / float32(math.Log2(1+float64(len(h.files[i]))))
			for _, id := range h.files[i] {
				s.joined.Add(uint32(id), part)
			}
			for _, w := range h.words[i] {
				s.freshHere.Max(uint32(w), 1/(1+float32(k)/ownSteps))
			}
		}
	}
	for i, rel := range e.q.Open {
		if id, ok := e.ix.FileID(rel); ok {
			part := 1 / (1 + float32(i)/openFiles)
			s.joined.Add(uint32(id), part)
			s.recent.Max(uint32(id), part)
		}
	}
	for _, name := range e.q.Fresh {
		if w, ok := e.c.number(name); ok {
			s.fresh.Set(uint32(w), 1)
			s.freshHere.Set(uint32(w), 1)
		}
	}
}
