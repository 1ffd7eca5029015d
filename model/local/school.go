package local

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tandem/workspace"
	"tandem/workspace/index"
)

// What is not learned: files that are data rather than code, and what would
// take more memory than a suggestion is worth.
const (
	maxFile   = 1 << 20
	maxData   = 64 << 10
	maxCorpus = 160 << 20 // bytes of text of one folder
	maxApart  = 48        // changed files that are learned apart; with more, all is learned anew
)

var dataLanguages = set("json jsonc plaintext csv xml svg toml yaml html")

// A school is what is learned of one folder: everything as it was at one
// build of the index, and apart from it each file that changed since.
type school struct {
	busy     atomic.Bool // somebody was started to learn
	learning sync.Mutex  // held by whoever learns; guards stamps and built
	stamps   map[string]stamp
	built    *index.Index // the Base of the index that all was learned from

	mu      sync.Mutex // guards all below
	seen    *index.Index
	without string // the document that was left out when seen was learned
	lessons knowledge
	recent  []workspace.RecentEdit // as NextEdits saw them last
	refused map[string]bool        // lines of undone edits
}

// knowledge is what is learned of a folder, as one suggestion sees it. It is
// replaced, never changed.
type knowledge struct {
	base  *segment            // nil until it is learned
	since map[string]*segment // files that are not as in base; nil: gone
}

// A stamp tells whether a file is as it was learned.
type stamp struct {
	size int
	time time.Time
	sum  hash // of an open buffer's text, which has no time
}

// missing reports whether the corpus has moved on from what is learned, but
// for the document that is left out.
func (s *school) missing(c Corpus, without string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen != c.Index() || s.without != without
}

// knows is what is learned so far.
func (s *school) knows() knowledge {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lessons
}

// attend learns what is not learned yet. A document that is left out is what
// is being typed: it is read with every question anyway.
func (s *school) attend(ctx context.Context, c Corpus, without string) {
	s.learning.Lock()
	defer s.learning.Unlock()
	if !s.missing(c, without) {
		return
	}
	ix, known := c.Index(), s.knows()
	var changed []string
	if known.base != nil {
		changed = s.changed(c, without)
	}
	if known.base == nil || len(known.since)+len(changed) > maxApart {
		known = s.all(ctx, c)
	} else {
		known = s.apart(c, known, changed)
	}
	if ctx.Err() != nil {
		return
	}
	s.built = ix.Base()
	s.mu.Lock()
	s.seen, s.without, s.lessons = ix, without, known
	s.mu.Unlock()
}

// changed are the files that are not as they were learned. Only what the index
// says changed is looked at, unless it was built anew.
func (s *school) changed(c Corpus, without string) []string {
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

func stampOf(c Corpus, id index.FileID) stamp {
	f, _ := c.Index().File(id)
	out := stamp{size: f.Size, time: f.ModTime}
	if f.ModTime.IsZero() {
		text, _ := c.Text(f.Path)
		out.sum = noHash.str(text)
	}
	return out
}

// apart learns changed files one by one.
func (s *school) apart(c Corpus, known knowledge, changed []string) knowledge {
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
				l := newLearner()
				l.file(path, f.Language, text)
				since[path] = l.finish(false)
			}
		}
	}
	return knowledge{base: known.base, since: since}
}

// all learns every file anew.
func (s *school) all(ctx context.Context, c Corpus) knowledge {
	l := newLearner()
	left := maxCorpus
	ix := c.Index()
	s.stamps = make(map[string]stamp, ix.NumFiles())
	ids := slices.Clone(ix.Files())
	slices.SortFunc(ids, func(a, b index.FileID) int { return strings.Compare(ix.Path(a), ix.Path(b)) })
	for _, id := range ids {
		if ctx.Err() != nil {
			return knowledge{}
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
			l.file(f.Path, f.Language, text)
		}
	}
	return knowledge{base: l.finish(true)}
}

// worth reports whether a file is learned.
func worth(f index.File) bool {
	return f.Size <= maxFile && (f.Size <= maxData || !dataLanguages[f.Language])
}
