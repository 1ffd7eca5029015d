package complete

import (
	"context"
	"sync"
	"sync/atomic"

	"tandem/model/local/source"
	"tandem/workspace/index"
	"tandem/workspace/mapped"
)

// A store holds what is learned of one language family of one folder. Nothing is
// learned of a family before somebody types in it.
type store struct {
	family string
	dir    string      // where shards are kept; "" keeps none
	most   int         // see update
	busy   atomic.Bool // a background update is running

	learning sync.Mutex   // held during an update; guards built and removed
	built    *index.Index // the Base of the index of the last update
	removed  int          // files that were removed from it

	mu      sync.Mutex // guards all below
	seen    *index.Index
	without string // the document that was left out when seen was trained
	latest  trained
}

// stale reports whether the corpus changed after the last update, or another
// document is left out.
func (s *store) stale(c source.Corpus, without string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen != source.IndexBut(c, without) || s.without != without
}

// current returns the model as trained so far.
func (s *store) current() trained {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.latest
}

// update trains on all changes. The document that is left out is being typed: its
// text is read with every request anyway.
func (s *store) update(ctx context.Context, c source.Corpus, without string) {
	s.learning.Lock()
	defer s.learning.Unlock()
	if !s.stale(c, without) {
		return
	}
	u := &update{ctx: ctx, corpus: c, ix: source.IndexBut(c, without), family: s.family, dir: s.dir, without: without, most: s.most, old: s.current()}
	u.follow(s.built, s.removed)
	u.fold()
	u.learnLoose()
	if ctx.Err() != nil {
		return
	}
	s.built, s.removed = u.ix.Base(), u.removed
	s.mu.Lock()
	s.seen, s.without, s.latest = u.ix, without, u.result()
	s.mu.Unlock()
	for _, file := range u.useless {
		_ = mapped.Remove(file) // it only takes disk space
	}
}
