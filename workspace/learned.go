package workspace

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"tandem/workspace/index"
	"tandem/workspace/similar"
)

// Corpus is the folder's code, by which the content of windows is chosen; nil
// while they are still being read, for which it waits a moment, and a shorter one where
// the user is typing.
func (v *View) Corpus(ctx context.Context, typing bool) *similar.Corpus {
	return v.folder.learned.wait(ctx, v.Index(), typing)
}

// A learned is the code of a folder, as it chooses what resembles a place. Reading it
// takes seconds of a large tree, so it is done in the background, once for each index
// that was built, and what it says of files is kept for the next start.
type learned struct {
	mu      sync.Mutex   // held for moments
	patient bool         // windows wait for it
	of      *index.Index // that corpus is of, or is being made of
	corpus  *similar.Corpus
	done    chan struct{} // closed when making it has ended; nil: it was never begun
	begin   func()        // starts making it at the first window; nil: it was started
}

// startLearning reads a folder's code in the background, unless it is read already.
func (s *Session) startLearning(f *folder, built *index.Index) {
	l := &f.learned
	l.mu.Lock()
	known := l.of == built.Base() && l.done != nil
	l.mu.Unlock()
	if known {
		return
	}
	done := make(chan struct{})
	begin := func() {
		started := s.spawn("learning "+f.root, func(ctx context.Context) {
			defer close(done)
			file := ""
			if s.opts.StateDir != "" {
				file = filepath.Join(LearnedDir(s.opts.StateDir, f.root), "similar")
			}
			if corpus := similar.NewCorpus(ctx, built, file); corpus != nil {
				l.store(built.Base(), corpus)
			}
		})
		if !started {
			close(done)
		}
	}
	l.mu.Lock()
	l.patient, l.of, l.corpus, l.done, l.begin = s.opts.Patient, built.Base(), nil, done, nil
	if s.opts.Lazy {
		l.begin, begin = begin, func() {}
	}
	l.mu.Unlock()
	begin()
}

// store publishes a corpus, unless another index was built meanwhile.
func (l *learned) store(of *index.Index, corpus *similar.Corpus) {
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
	corpus, done, of, patient, begin := l.corpus, l.done, l.of, l.patient, l.begin
	l.begin = nil
	l.mu.Unlock()
	if begin != nil {
		begin()
	}
	if corpus != nil && of == ix.Base() {
		return corpus
	}
	if done == nil || of != ix.Base() {
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
	case <-done:
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of != ix.Base() {
		return nil
	}
	return l.corpus
}
