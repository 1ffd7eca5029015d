package assist

import (
	"slices"
	"strings"
	"sync"

	"tandem/edits"
	"tandem/workspace"
)

// lives keeps what one package knows of each open document for one life of the document,
// from its opening to its closing: nothing of it is left when the life ends, and nothing of
// it is used for a later life of the same file. The zero value has none.
type lives[T any] struct {
	mu    sync.Mutex // guards byKey
	byKey map[string]life[T]
}

type life[T any] struct {
	generation uint64
	value      *T
}

// begin begins the life of an open document.
func (l *lives[T]) begin(o *workspace.Overlay, value *T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byKey == nil {
		l.byKey = map[string]life[T]{}
	}
	l.byKey[workspace.Key(o.URI)] = life[T]{o.Generation, value}
}

// end ends a life and returns its value, or nil.
func (l *lives[T]) end(uri string) *T {
	l.mu.Lock()
	defer l.mu.Unlock()
	value := l.byKey[workspace.Key(uri)].value
	delete(l.byKey, workspace.Key(uri))
	return value
}

// of returns the value of the life that a text belongs to; nil if that life has ended.
func (l *lives[T]) of(o *workspace.Overlay) *T {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at := l.byKey[workspace.Key(o.URI)]; at.generation == o.Generation {
		return at.value
	}
	return nil
}

// at returns the value of the document with a key that is open now, or nil.
func (l *lives[T]) at(key string) *T {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.byKey[key].value
}

// all lists the values of the open documents.
func (l *lives[T]) all() []*T {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]*T, 0, len(l.byKey))
	for _, at := range l.byKey {
		out = append(out, at.value)
	}
	return out
}

// documents are the texts of the open documents and their last changes.
type documents struct {
	lives[document]
	texts sync.Mutex // guards the texts and logs of all documents, and orders their changes with proposals
}

// A document is the text of an open document and how it came to be.
type document struct {
	key        string
	generation uint64
	text       edits.Text
	version    int32
	log        textLog
}

// opened begins the life of a document and calls then with it, before any change.
func (d *documents) opened(o *workspace.Overlay, then func(*document)) {
	d.texts.Lock()
	defer d.texts.Unlock()
	doc := &document{key: workspace.Key(o.URI), generation: o.Generation, text: o.Text, version: o.Version, log: textLog{first: o.Revision}}
	d.begin(o, doc)
	then(doc)
}

// changed brings a document to the text of o and calls then with it, before any other
// change.
func (d *documents) changed(o *workspace.Overlay, steps []workspace.Step, then func(*document)) {
	d.texts.Lock()
	defer d.texts.Unlock()
	if doc := d.of(o); doc != nil {
		doc.text, doc.version = o.Text, o.Version
		doc.log.add(logged{revision: o.Revision, edits: stepEdits(steps)})
		then(doc)
	}
}

// closed ends the life of a document and calls then with its last state.
func (d *documents) closed(uri string, then func(*document)) {
	d.texts.Lock()
	defer d.texts.Unlock()
	if doc := d.end(uri); doc != nil {
		then(doc)
	}
}

// since returns what led from a revision of an open document to its text as it is now; false
// where the changes are no longer all known or the document was closed.
func (d *documents) since(o *workspace.Overlay, revision uint64) (list []edits.Edit, now document, known bool) {
	d.texts.Lock()
	defer d.texts.Unlock()
	doc := d.of(o)
	if doc == nil {
		return nil, document{}, false
	}
	list, known = doc.log.since(revision)
	return list, *doc, known
}

// stepEdits are the edits of steps.
func stepEdits(steps []workspace.Step) []edits.Edit {
	out := make([]edits.Edit, 0, len(steps))
	for _, step := range steps {
		out = append(out, step.Edit)
	}
	return out
}

// A removal is what a user's edit took away, and where.
type removal struct {
	text string
	at   int // behind what was written in its place
}

// removedBy returns what a change of a text removed, where it is a single edit.
func removedBy(text edits.Text, list []edits.Edit) removal {
	if len(list) == 1 && list[0].Len() > 0 && list[0].Valid(text.Len()) {
		return removal{text.Slice(list[0].Span), list[0].Start + len(list[0].New)}
	}
	return removal{}
}

// undoneBy reports whether an edit brings it back.
func (r removal) undoneBy(e edits.Edit) bool {
	return len(strings.TrimSpace(r.text)) > 1 && e.Start <= r.at && r.at <= e.End && e.New == r.text
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
