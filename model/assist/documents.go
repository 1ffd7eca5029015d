package assist

import (
	"slices"
	"sync"

	"tandem/edits"
	"tandem/workspace"
)

// documents are the open documents, by their session's key.
type documents struct {
	mu    sync.Mutex // guards byKey
	byKey map[string]*document

	texts sync.Mutex // guards the texts and logs of all documents, and orders their changes with proposals
}

// A document is one life of an open document, from its opening to its closing, and all
// that is kept about it: nothing of it is left when it ends, and nothing of it is used
// for a later life of the same file.
type document struct {
	key, uri   string
	generation uint64

	inline *inlineDoc // suggestions at the cursor
	menu   *inlineDoc // suggestions that continue the selected item of a completion menu
	next   nextOffers

	text    edits.Text
	version int32
	log     textLog
}

// opened begins a life and returns it. A life of the same file ends, if one is left.
func (d *documents) opened(o *workspace.Overlay) *document {
	key := workspace.Key(o.URI)
	d.closed(o.URI)
	doc := &document{
		key: key, uri: o.URI, generation: o.Generation, inline: newInlineDoc(), menu: newInlineDoc(),
		text: o.Text, version: o.Version, log: textLog{first: o.Revision},
	}
	doc.inline.begin(o)
	d.mu.Lock()
	d.byKey[key] = doc
	d.mu.Unlock()
	return doc
}

// closed ends a life and returns it, or nil.
func (d *documents) closed(uri string) *document {
	d.mu.Lock()
	doc := d.byKey[workspace.Key(uri)]
	delete(d.byKey, workspace.Key(uri))
	d.mu.Unlock()
	if doc != nil {
		doc.inline.drop()
		doc.menu.drop()
	}
	return doc
}

// of returns the life that a text belongs to; nil if that life has ended.
func (d *documents) of(o *workspace.Overlay) *document {
	if doc := d.open(workspace.Key(o.URI)); doc != nil && doc.generation == o.Generation {
		return doc
	}
	return nil
}

// open returns the life of the file with a key, or nil.
func (d *documents) open(key string) *document {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.byKey[key]
}

// all lists the open documents.
func (d *documents) all() []*document {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]*document, 0, len(d.byKey))
	for _, doc := range d.byKey {
		out = append(out, doc)
	}
	return out
}

func (d *documents) busy() bool {
	for _, doc := range d.all() {
		if doc.inline.busy() || doc.menu.busy() {
			return true
		}
	}
	return false
}

// maxLog bounds how many changes of a document are kept for proposals that were
// requested before the changes and arrive after them.
const maxLog = 2000

// A textLog holds the changes of one life of a document.
type textLog struct {
	first   uint64 // the revision that the oldest change was made to
	changes []logged
}

// A logged change made a revision by edits, one after another.
type logged struct {
	revision uint64
	edits    []edits.Edit
}

func (l *textLog) add(c logged) {
	l.changes = append(l.changes, c)
	if over := len(l.changes) - maxLog; over > 0 {
		l.first = l.changes[over-1].revision
		l.changes = slices.Delete(l.changes, 0, over)
	}
}

// last is the revision of the document's current text.
func (l *textLog) last() uint64 {
	if n := len(l.changes); n > 0 {
		return l.changes[n-1].revision
	}
	return l.first
}

// since returns the edits that came after a revision, one after another. It is false if
// they are no longer all known.
func (l *textLog) since(revision uint64) (out []edits.Edit, known bool) {
	if revision < l.first {
		return nil, false
	}
	for _, c := range l.changes {
		if c.revision > revision {
			out = append(out, c.edits...)
		}
	}
	return out, true
}
