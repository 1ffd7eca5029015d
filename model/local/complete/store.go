package complete

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tandem/model/local/source"
	"tandem/workspace/index"
)

// Limits of training. Large data files and very large files are skipped: they
// would use more memory than the suggestions are worth.
const (
	maxData     = 64 << 10
	maxCorpus   = 160 << 20 // bytes of text of one folder
	maxSeparate = 48        // changed files with their own segments; with more, everything is trained again
)

var dataLanguages = source.Set("json jsonc plaintext csv xml svg toml yaml html")

// A store holds the trained model of one folder: a base of all files at one build
// of the index, and a separate segment for each file that changed since.
type store struct {
	busy     atomic.Bool // a background update is running
	learning sync.Mutex  // held during an update; guards stamps and built
	stamps   map[string]stamp
	built    *index.Index // the Base of the index that the base was trained from

	mu      sync.Mutex // guards all below
	seen    *index.Index
	without string // the document that was left out when seen was trained
	latest  trained
}

// trained is one immutable version of a folder's model. An update replaces it.
type trained struct {
	base  *segment            // nil until the first training
	since map[string]*segment // files that differ from base; nil: removed or not learned
}

// A stamp detects whether a file changed after it was learned.
type stamp struct {
	size int
	time time.Time
	sum  hash // of an open buffer's text, which has no modification time
}

// stale reports whether the corpus changed after the last update, or another
// document is left out.
func (s *store) stale(c source.Corpus, without string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen != c.Index() || s.without != without
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
	ix, known := c.Index(), s.current()
	var changed []string
	if known.base != nil {
		changed = s.changed(c, without)
	}
	if known.base == nil || len(known.since)+len(changed) > maxSeparate {
		known = s.trainAll(ctx, c)
	} else {
		known = s.trainChanged(c, known, changed)
	}
	if ctx.Err() != nil {
		return
	}
	s.built = ix.Base()
	s.mu.Lock()
	s.seen, s.without, s.latest = ix, without, known
	s.mu.Unlock()
}

// changed returns the files that changed after they were learned. It checks only
// the files that the index lists as changed, unless the index was rebuilt.
func (s *store) changed(c source.Corpus, without string) []string {
	ix := c.Index()
	var out []string
	gone := false
	ids := ix.Changed()
	if ix.Base() != s.built {
		ids, gone = ix.Files(), true
	}
	for _, id := range ids {
		path := ix.Path(id)
		gone = gone || path == ""
		if path != "" && path != without && s.stamps[path] != stampOf(c, id) {
			out = append(out, path)
		}
	}
	if !gone {
		return out
	}
	for path := range s.stamps {
		if _, ok := ix.FileID(path); !ok {
			out = append(out, path)
		}
	}
	return out
}

func stampOf(c source.Corpus, id index.FileID) stamp {
	f, _ := c.Index().File(id)
	out := stamp{size: f.Size, time: f.ModTime}
	if f.ModTime.IsZero() {
		text, _ := c.Text(f.Path)
		out.sum = noHash.str(text)
	}
	return out
}

// trainChanged trains a separate segment for each changed file.
func (s *store) trainChanged(c source.Corpus, known trained, changed []string) trained {
	since := maps.Clone(known.since)
	if since == nil {
		since = map[string]*segment{}
	}
	for _, path := range changed {
		since[path] = nil
		id, ok := c.Index().FileID(path)
		if !ok {
			delete(s.stamps, path)
			continue
		}
		s.stamps[path] = stampOf(c, id)
		if f, ok := c.Index().File(id); ok && worth(f) {
			if text, ok := c.Text(path); ok {
				tr := newTrainer()
				tr.file(path, f.Language, text)
				since[path] = tr.finish(false)
			}
		}
	}
	return trained{base: known.base, since: since}
}

// trainAll trains a new base on every file.
func (s *store) trainAll(ctx context.Context, c source.Corpus) trained {
	tr := newTrainer()
	left := maxCorpus
	ix := c.Index()
	s.stamps = make(map[string]stamp, ix.NumFiles())
	ids := slices.Clone(ix.Files())
	slices.SortFunc(ids, func(a, b index.FileID) int { return strings.Compare(ix.Path(a), ix.Path(b)) })
	for _, id := range ids {
		if ctx.Err() != nil {
			return trained{}
		}
		f, ok := ix.File(id)
		if !ok {
			continue
		}
		s.stamps[f.Path] = stampOf(c, id)
		if !worth(f) || left < f.Size {
			continue
		}
		if text, ok := c.Text(f.Path); ok {
			left -= len(text)
			tr.file(f.Path, f.Language, text)
		}
	}
	return trained{base: tr.finish(true)}
}

// worth reports whether a file is small enough to learn.
func worth(f index.File) bool {
	return f.Size <= source.MaxFile && (f.Size <= maxData || !dataLanguages[f.Language])
}
