package workspace

import (
	"context"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"tandem/workspace/git"
	"tandem/workspace/index"
	"tandem/workspace/similar"
)

// Corpus is the folder's code and history, by which the content of windows is chosen; nil
// while they are still being read, for which it waits a moment, and a shorter one where
// the user is typing.
func (v *View) Corpus(ctx context.Context, typing bool) *similar.Corpus {
	return v.folder.learned.wait(ctx, v.Index(), typing)
}

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

// indexedText reads a file for the corpus. The index has only files that passed the gate.
func indexedText(ix *index.Index, id index.FileID) (string, bool) {
	text, err := ix.Text(id)
	return text, err == nil
}

// HistoryBounds are what is read of a repository's history to choose code by.
var HistoryBounds = struct {
	Steps int   // commits whose paths are compared
	Files int   // a commit that changed more says nothing of how they belong together
	Read  int   // the newest commits, whose texts are read for new names
	Texts int   // files of one commit that are read
	Bytes int64 // of one text
	Time  time.Duration
}{Steps: 300, Files: 40, Read: 60, Texts: 10, Bytes: 256 << 10, Time: 5 * time.Second}

// historyOf reads what lately changed a folder, the newest first: nil where it is in no
// repository. Of the texts only the words that came into them are kept, and of those
// only what the folder's own files have is ever used.
func (f *folder) historyOf(ctx context.Context) []similar.Step {
	ctx, cancel := context.WithTimeout(ctx, HistoryBounds.Time)
	defer cancel()
	r, err := git.Open(ctx, f.root)
	if err != nil {
		return nil
	}
	defer r.Close()
	touched, err := r.Touched(ctx, "HEAD", HistoryBounds.Steps, HistoryBounds.Files)
	if err != nil && len(touched) == 0 {
		return nil
	}
	below, ok := relativeTo(f.root, r.Root)
	if !ok {
		return nil
	}
	steps := make([]similar.Step, 0, len(touched))
	for i, t := range touched {
		var s similar.Step
		for k, name := range t.Paths {
			rel, ok := strings.CutPrefix(name, below)
			if !ok {
				continue
			}
			s.Files = append(s.Files, rel)
			if i < HistoryBounds.Read && k < HistoryBounds.Texts {
				if before, after, ok := r.Texts(ctx, t, k, HistoryBounds.Bytes); ok {
					s.Words = append(s.Words, similar.NewWords(before, after)...)
				}
			}
		}
		steps = append(steps, s)
	}
	return steps
}

// relativeTo is what precedes the paths of a folder in the repository that holds it.
func relativeTo(root, top string) (prefix string, ok bool) {
	if root == top {
		return "", true
	}
	v := &View{Root: top}
	rel, ok := v.Rel(root)
	return path.Clean(rel) + "/", ok
}
