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

	key  string
	once sync.Once // guards hash
	hash Hash
}

// Hash is the hash of the overlay's bytes.
func (o *Overlay) Hash() Hash {
	o.once.Do(func() { o.hash = hashText(o.Text) })
	return o.hash
}

// with returns the overlay after another edit.
func (o *Overlay) with(version int32, text edits.Text) *Overlay {
	return &Overlay{URI: o.URI, Language: o.Language, Version: version, Text: text, key: o.key}
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

// apply returns text after edits that were each made to the text the one
// before left; it is false where one of them lies outside its text.
func apply(text edits.Text, list []edits.Edit) (edits.Text, bool) {
	for _, e := range list {
		if !e.Valid(text.Len()) {
			return text, false
		}
		text = text.Replace(e.Span, e.New)
	}
	return text, true
}
