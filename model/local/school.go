package local

import (
	"context"
	"slices"
	"sync"

	"tandem/workspace/index"
)

// What is not learned: files that are data rather than code, and what would
// take more memory than a suggestion is worth.
const (
	maxFile   = 1 << 20
	maxData   = 64 << 10
	maxCorpus = 160 << 20 // bytes of text of one folder
	maxApart  = 400       // changed files that are learned apart; with more, all is learned anew
)

var dataLanguages = set("json jsonc plaintext csv xml svg toml yaml html")

// A school is what is learned of one folder: everything as it was at one
// build of the index, and apart from it each file that changed since.
type school struct {
	learning sync.Mutex // held by whoever learns

	mu    sync.Mutex // guards all below
	seen  *index.Index
	base  *segment
	since map[string]lesson // files that are not as in base
}

// A lesson is one changed file as it was learned.
type lesson struct {
	sum hash
	seg *segment // nil: the file is gone
}

// missing reports whether the corpus has moved on from what is learned, and
// promises that the caller will learn it.
func (s *school) missing(c Corpus) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen != c.Index()
}

// knows are the segments learned so far.
func (s *school) knows() []*segment {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*segment
	if s.base != nil {
		out = append(out, s.base)
	}
	return out
}

// attend learns what is not learned yet.
func (s *school) attend(ctx context.Context, c Corpus) {
	s.learning.Lock()
	defer s.learning.Unlock()
	ix := c.Index()
	s.mu.Lock()
	seen := s.seen
	s.mu.Unlock()
	if seen == ix {
		return
	}
	base := read(ctx, c, ix.Files())
	if ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	s.seen, s.base = ix, base
	s.mu.Unlock()
}

// read learns files.
func read(ctx context.Context, c Corpus, files []index.FileID) *segment {
	l := newLearner()
	left := maxCorpus
	ix := c.Index()
	for _, id := range files {
		f, ok := ix.File(id)
		if !ok || !worth(f) || left < f.Size {
			continue
		}
		if ctx.Err() != nil {
			break
		}
		text, ok := c.Text(f.Path)
		if !ok {
			continue
		}
		left -= len(text)
		l.file(f.Path, f.Language, text)
	}
	l.known = nil
	slices.SortFunc(l.files, func(a, b learned) int { return compare(a.from, b.from) })
	return l.finish(true)
}

// worth reports whether a file is learned.
func worth(f index.File) bool {
	return f.Size <= maxFile && (f.Size <= maxData || !dataLanguages[f.Language])
}
