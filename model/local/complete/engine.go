package complete

import (
	"context"
	"sync"

	"tandem/model"
	"tandem/model/local/source"
	"tandem/workspace/language"
	"tandem/workspace/run"
)

// An Engine completes code in one session. It learns the languages that are typed in,
// folder by folder, and follows the folder's changes in the background.
type Engine struct {
	group *run.Group
	most  int // see update

	mu    sync.Mutex // guards roots
	roots map[root]*store
	dirOf func(root string) string
}

// A root is the files of one language family of a folder.
type root struct{ folder, family string }

// New returns an engine whose background work runs in group. With a
// nil group, training runs before each answer: for commands and tests.
func New(group *run.Group) *Engine {
	return &Engine{group: group, most: maxCorpus, roots: map[root]*store{}, dirOf: func(string) string { return "" }}
}

// KeepIn sets where what is learned of a folder is kept for the next start: in the
// folder that dir returns for Corpus.Root, "" for nowhere. It is called before the
// engine is used.
func (e *Engine) KeepIn(dir func(root string) string) { e.dirOf = dir }

// store returns what is learned of a language in the corpus' folder.
func (e *Engine) store(c source.Corpus, lang string) *store {
	e.mu.Lock()
	defer e.mu.Unlock()
	key := root{c.Root(), language.Family(lang)}
	s := e.roots[key]
	if s == nil {
		s = &store{family: key.family, dir: e.dirOf(key.folder), most: e.most}
		e.roots[key] = s
	}
	return s
}

// Consider returns every candidate for an infill site, the most confident first,
// whether it would be shown or not.
func (e *Engine) Consider(c source.Corpus, f *model.Fill) []Candidate {
	in := newInfill(f)
	return in.candidates(e.learn(c, f.Path))
}

// learn returns what is learned so far of a document's language, and starts a background
// update if it is stale. The document, which is being typed, is left out.
func (e *Engine) learn(c source.Corpus, without string) trained {
	s := e.store(c, language.OfFile(without))
	if e.group == nil {
		s.update(context.Background(), c, without)
	} else if s.stale(c, without) && !s.busy.Swap(true) {
		started := e.group.Go("learning the workspace", func(ctx context.Context) {
			defer s.busy.Store(false)
			s.update(ctx, c, without)
		})
		if !started {
			s.busy.Store(false)
		}
	}
	return s.current()
}
