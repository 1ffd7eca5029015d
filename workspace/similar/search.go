package similar

import (
	"cmp"
	"math"
	"math/bits"
	"path"
	"slices"

	"tandem/workspace/index"
	"tandem/workspace/terms"
)

// A Hit is a file that words may mean.
type Hit struct {
	File  index.FileID
	Score float32
}

// What a stem counts more in the names that a file defines, and in its own.
const (
	inDefined = 2
	inStem    = 4
	inFolder  = 1
	searchB   = 0.5 // bm25B of files, which say more where they are long
)

// Search ranks the files that words may mean, at most so many, by the stems of the words
// in their names, in what they define and in what they use; the best come first.
func (c *Corpus) Search(ix *index.Index, words *terms.Query, most int) []Hit {
	c.mu.Lock()
	defer c.mu.Unlock()
	files := make([]*file, len(c.files))
	copy(files, c.files)
	for _, id := range ix.Changed() {
		for int(id) >= len(files) {
			files = append(files, nil)
		}
		files[id] = c.at(ix, id)
	}
	s := &searcher{c: c, words: words}
	s.matchWords()
	return s.rank(files, most)
}

// A searcher ranks files for one search.
type searcher struct {
	c     *Corpus
	words *terms.Query
	match []uint64 // by word: the terms that it has
}

// matchWords notes which terms each word of the corpus has.
func (s *searcher) matchWords() {
	names := s.c.scanner.Names()
	s.match = make([]uint64, names.Len())
	for w := range s.match {
		s.match[w] = s.words.Match(names.Name(word(w)))
	}
}

// A counted file has how often it has each term.
type countedFile struct {
	id     index.FileID
	length float32
	counts []float32
}

func (s *searcher) rank(files []*file, most int) []Hit {
	n := s.words.Len()
	found := make([]float32, n)
	var list []countedFile
	var sum float32
	total := 0
	for id, f := range files {
		if f == nil || len(f.pieces) == 0 {
			continue
		}
		total++
		sum += float32(len(f.words))
		x := countedFile{id: index.FileID(id), length: float32(len(f.words)), counts: make([]float32, n)}
		if !s.count(f, x.counts) {
			continue
		}
		for t, v := range x.counts {
			if v > 0 {
				found[t]++
			}
		}
		list = append(list, x)
	}
	for t := range n {
		s.words.Weights[t] = float32(math.Log(1 + (float64(total)-float64(found[t])+0.5)/(float64(found[t])+0.5)))
	}
	mean := sum / float32(max(1, total))
	out := make([]Hit, 0, len(list))
	for _, x := range list {
		norm := bm25K * (1 - searchB + searchB*x.length/mean)
		var score float32
		for t, v := range x.counts {
			score += s.words.Weights[t] * v * (bm25K + 1) / (v + norm)
		}
		out = append(out, Hit{x.id, score})
	}
	slices.SortFunc(out, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.File, b.File)) })
	return out[:min(len(out), most)]
}

// count counts a file's terms; it is false where it has none.
func (s *searcher) count(f *file, counts []float32) (any bool) {
	add := func(match uint64, v float32) {
		for ; match != 0; match &= match - 1 {
			any = true
			counts[bits.TrailingZeros64(match)] += v
		}
	}
	s.c.distinct(f, func(w word) {
		add(s.match[w], 1)
	})
	for _, d := range f.defs {
		add(s.match[d], inDefined)
	}
	base := path.Base(f.path)
	add(s.words.Match(base[:len(base)-len(path.Ext(base))]), inStem)
	add(s.words.Match(path.Dir(f.path)), inFolder)
	return any
}
