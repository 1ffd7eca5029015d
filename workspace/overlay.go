package workspace

import (
	"maps"
	"sync"

	"tandem/edits"
)

// An Overlay is an open document: its text is the editor's, whatever is on disk.
// It is immutable.
type Overlay struct {
	URI      string // as the editor spelled it
	Language string // the editor's language id
	Version  int32
	Text     edits.Text
	Saved    bool // the text is what the editor last wrote to disk, or opened

	// Generation is the document's life, from one open to the close after it; no other
	// life in the session has the same. It is 0 for a text that is only supposed.
	// Revision counts the texts of that life, whatever versions the editor gives them.
	Generation, Revision uint64

	key     string
	once    sync.Once // guards hash
	hash    Hash
	joined  sync.Once // guards content
	content string
}

// Hash is the hash of the overlay's bytes.
func (o *Overlay) Hash() Hash {
	o.once.Do(func() { o.hash = hashText(o.Text) })
	return o.hash
}

// Content is Text as one string. It is made once, since the use cases read all of a
// document many times for one answer.
func (o *Overlay) Content() string {
	o.joined.Do(func() { o.content = o.Text.String() })
	return o.content
}

// with returns the overlay after another edit.
func (o *Overlay) with(version int32, text edits.Text) *Overlay {
	return &Overlay{URI: o.URI, Language: o.Language, Version: version, Text: text, key: o.key, Generation: o.Generation, Revision: o.Revision + 1}
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
