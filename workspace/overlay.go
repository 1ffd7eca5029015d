package workspace

import (
	"maps"
	"path"
	"path/filepath"
	"sync"
	"sync/atomic"

	"tandem/edits"
	"tandem/workspace/language"
	"tandem/workspace/redact"
)

// An Overlay is an open document: its text is the editor's, whatever is on disk.
// It is immutable.
type Overlay struct {
	URI      string // as the editor spelled it, but for Name
	Name     string // the editor's URI where the document is known by another, its real path
	Language string // the editor's language id
	Version  int32
	Text     edits.Text
	Saved    bool // the text is what the editor last wrote to disk, or opened

	// Generation is the document's life, from one open to the close after it; no other
	// life in the session has the same. It is 0 for a text that is only supposed.
	// Revision counts the texts of that life, whatever versions the editor gives them.
	Generation, Revision uint64

	key     string
	earlier *language.Analysis // of an earlier text of the same life, or nil

	hash     lazy[Hash]
	content  lazy[string]
	source   lazy[*redact.Source]
	analysis lazy[*language.Analysis]
	style    lazy[edits.Style]
}

// A lazy value is made at its first use.
type lazy[T any] struct {
	once     sync.Once
	computed atomic.Bool
	value    T
}

func (l *lazy[T]) get(make func() T) T {
	l.once.Do(func() {
		l.value = make()
		l.computed.Store(true)
	})
	return l.value
}

// Hash is the hash of the overlay's bytes.
func (o *Overlay) Hash() Hash { return o.hash.get(func() Hash { return hashText(o.Text) }) }

// Content is Text as one string. It is made once, since the use cases read all of a
// document many times for one answer.
func (o *Overlay) Content() string { return o.content.get(o.Text.String) }

// Analysis is the analysis of the text as it is shown: of what an earlier text of the same
// life had, only what an edit touched since is read again.
func (o *Overlay) Analysis() *language.Analysis {
	return o.analysis.get(func() *language.Analysis {
		text := FileHandle{overlay: o}.Text()
		if o.earlier != nil {
			return o.earlier.Next(text)
		}
		return language.Analyze(languageHint(o.Language), path.Base(filepath.ToSlash(o.key)), text)
	})
}

// with returns the overlay after another edit.
func (o *Overlay) with(version int32, text edits.Text) *Overlay {
	next := &Overlay{URI: o.URI, Name: o.Name, Language: o.Language, Version: version, Text: text, key: o.key, Generation: o.Generation, Revision: o.Revision + 1}
	if next.earlier = o.earlier; o.analysis.computed.Load() {
		next.earlier = o.analysis.value
	}
	return next
}

// overlays are the open documents by key: a map that is copied before it is
// changed, since snapshots share it.
type overlays map[string]*Overlay

func (m overlays) with(o *Overlay) overlays {
	next := make(overlays, len(m)+1)
	maps.Copy(next, m)
	next[o.key] = o
	return next
}

func (m overlays) without(key string) overlays {
	next := maps.Clone(m)
	delete(next, key)
	return next
}

// follows reports whether steps were made one after another from text.
func follows(text edits.Text, steps []Step) bool {
	for _, step := range steps {
		if !step.Valid(text.Len()) || step.After.Len() != text.Len()-step.Len()+len(step.New) {
			return false
		}
		text = step.After
	}
	return true
}
