package workspace

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"tandem/workspace/index"
	"tandem/workspace/similar"
)

// A learned is the code and the history of a folder, as they choose what resembles a
// place. Reading it takes seconds of a large tree, so it is done in the background, once
// for each index that was built, and what it says of files is kept for the next start.
type learned struct {
	mu      sync.Mutex   // held for moments
	patient bool         // windows wait for it
	of      *index.Index // that corpus is of, or is being made of
	corpus  *similar.Corpus
	made    chan struct{} // closed when making it has ended; nil: it was never begun
	begin   func()        // starts making it at the first window; nil: it was started
}

// startLearning reads a folder's code and history in the background.
func (s *Session) startLearning(f *folder, built *index.Index) {
	l := &f.learned
	made := make(chan struct{})
	begin := func() {
		started := s.spawn("learning "+f.root, func(ctx context.Context) {
			defer close(made)
			o := similar.Options{Texts: indexedText, Steps: f.historyOf(ctx)}
			if s.opts.StateDir != "" {
				o.Keep = filepath.Join(LearnedDir(s.opts.StateDir, f.root), "similar")
			}
			if corpus := similar.NewCorpus(ctx, built, o); corpus != nil {
				l.keep(built.Base(), corpus)
			}
		})
		if !started {
			close(made)
		}
	}
	l.mu.Lock()
	l.patient, l.of, l.corpus, l.made, l.begin = s.opts.Patient, built.Base(), nil, made, nil
	if s.opts.Lazy {
		l.begin, begin = begin, func() {}
	}
	l.mu.Unlock()
	begin()
}

// keep publishes a corpus, unless another index was built meanwhile.
func (l *learned) keep(of *index.Index, corpus *similar.Corpus) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of == of {
		l.corpus = corpus
	}
}

// How long a window waits for what is still being read.
const (
	learnWait       = 2 * time.Second
	learnWaitTyping = 100 * time.Millisecond
)

// wait returns the corpus of an index; nil while there is none.
func (l *learned) wait(ctx context.Context, ix *index.Index, typing bool) *similar.Corpus {
	l.mu.Lock()
	corpus, made, of, patient, begin := l.corpus, l.made, l.of, l.patient, l.begin
	l.begin = nil
	l.mu.Unlock()
	if begin != nil {
		begin()
	}
	if corpus != nil && of == ix.Base() {
		return corpus
	}
	if made == nil || of != ix.Base() {
		return nil
	}
	if !patient {
		most := learnWait
		if typing {
			most = learnWaitTyping
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, most)
		defer cancel()
	}
	select {
	case <-made:
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of != ix.Base() {
		return nil
	}
	return l.corpus
}

// estimate judges the code that may be worth showing; where nothing was read yet, it
// knows of none.
func (b *builder) estimate(q similar.Query) *similar.Estimate {
	if b.corpus == nil {
		return &similar.Estimate{}
	}
	return b.corpus.Estimate(b.ix, q)
}

// openFiles are the documents that are open besides the request's, by path below the
// folder, the latest first where that is known.
func (b *picker) openFiles() []string {
	var out []string
	put := func(key string) {
		if rel, ok := b.view.Rel(key); ok && rel != b.rel && !slices.Contains(out, rel) && len(out) < mostOpen {
			out = append(out, rel)
		}
	}
	for _, name := range b.req.Open {
		put(b.snap.Resolve(name))
	}
	for _, e := range slices.Backward(b.recentEdits()) {
		put(b.snap.Resolve(e.URI))
	}
	for _, o := range b.snap.Overlays() {
		put(o.key)
	}
	return out
}

// mostOpen is how many open documents count.
const mostOpen = 32

// typedLately are the words that came into documents by the user's last edits.
func (b *picker) typedLately() []string {
	var out []string
	for _, e := range slices.Backward(b.recentEdits()) {
		out = append(out, similar.NewWords(e.Old, e.New)...)
	}
	return out
}

// indexedText reads a file for the corpus. The index has only files that passed the gate.
func indexedText(ix *index.Index, id index.FileID) (string, bool) {
	text, err := ix.Text(id)
	return text, err == nil
}
