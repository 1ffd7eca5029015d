package core

import (
	"context"
	"slices"
	"sync"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/run"
)

// Lives keeps what one package knows of each open document for one life of the document,
// from its opening to its closing: nothing of it is left when the life ends, and nothing of
// it is used for a later life of the same file. The zero value has none.
type Lives[T any] struct {
	mu    sync.Mutex // guards byKey
	byKey map[string]life[T]
}

type life[T any] struct {
	generation uint64
	value      *T
}

// Begin begins the life of an open document.
func (l *Lives[T]) Begin(o *workspace.Overlay, value *T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byKey == nil {
		l.byKey = map[string]life[T]{}
	}
	l.byKey[workspace.Key(o.URI)] = life[T]{o.Generation, value}
}

// End ends a life and returns its value, or nil.
func (l *Lives[T]) End(uri string) *T {
	l.mu.Lock()
	defer l.mu.Unlock()
	value := l.byKey[workspace.Key(uri)].value
	delete(l.byKey, workspace.Key(uri))
	return value
}

// Of returns the value of the life that a text belongs to; nil if that life has ended.
func (l *Lives[T]) Of(o *workspace.Overlay) *T {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at := l.byKey[workspace.Key(o.URI)]; at.generation == o.Generation {
		return at.value
	}
	return nil
}

// At returns the value of the document with a key that is open now, or nil.
func (l *Lives[T]) At(key string) *T {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.byKey[key].value
}

// All lists the values of the open documents.
func (l *Lives[T]) All() []*T {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]*T, 0, len(l.byKey))
	for _, at := range l.byKey {
		out = append(out, at.value)
	}
	return out
}

// Documents are the texts of the open documents and their last changes, and the work that is
// done for them.
type Documents struct {
	Lives[Document]
	Group    *run.Group // of which the work is; nil: none is done
	Refusals Refusals
	Uses     Uses
	Texts    sync.Mutex // guards the texts and logs of all documents, and orders their changes with proposals
}

// A Document is the text of an open document and how it came to be.
type Document struct {
	Key        string
	Generation uint64
	Text       edits.Text
	Version    int32
	Log        textLog

	life *run.Life // of the work for it; nil where there is no group
}

// Opened begins the life of a document and calls then with it, before any change.
func (d *Documents) Opened(o *workspace.Overlay, then func(*Document)) {
	d.Texts.Lock()
	defer d.Texts.Unlock()
	doc := &Document{Key: workspace.Key(o.URI), Generation: o.Generation, Text: o.Text, Version: o.Version, Log: textLog{first: o.Revision}}
	if d.Group != nil {
		doc.life = d.Group.Life()
	}
	d.End(o.URI).ended()
	d.Begin(o, doc)
	then(doc)
}

// Changed brings a document to the text of o and calls then with it and the text before, before any
// other change.
func (d *Documents) Changed(o *workspace.Overlay, steps []workspace.Step, then func(d *Document, before edits.Text)) {
	d.Texts.Lock()
	defer d.Texts.Unlock()
	if doc := d.Of(o); doc != nil {
		before := doc.Text
		d.Refusals.follow(o.URI, before, steps)
		doc.Text, doc.Version = o.Text, o.Version
		doc.Log.add(logged{revision: o.Revision, edits: StepEdits(steps)})
		then(doc, before)
	}
}

// Closed ends the life of a document and calls then with its last state.
func (d *Documents) Closed(uri string, then func(*Document)) {
	d.Texts.Lock()
	defer d.Texts.Unlock()
	if doc := d.End(uri); doc != nil {
		d.Refusals.closed(uri)
		doc.ended()
		then(doc)
	}
}

// ended ends the work for a document; nil is none.
func (d *Document) ended() {
	if d != nil && d.life != nil {
		d.life.End()
	}
}

// During does work in the background for the document that o is a text of, which ends with it:
// one piece of its name at a time, the newest.
func (d *Documents) During(o *workspace.Overlay, work string, f func(ctx context.Context)) {
	if doc := d.Of(o); doc != nil && doc.life != nil {
		doc.life.Go(work, f)
	}
}

// Life is over when the document that o is a text of is closed.
func (d *Documents) Life(o *workspace.Overlay) context.Context {
	if doc := d.Of(o); doc != nil && doc.life != nil {
		return doc.life.Context()
	}
	return closedLife
}

// closedLife is that of a document which is closed.
var closedLife = func() context.Context {
	ctx, end := context.WithCancel(context.Background())
	end()
	return ctx
}()

// Since returns what led from a revision of an open document to its text as it is now; false
// where the changes are no longer all known or the document was closed.
func (d *Documents) Since(o *workspace.Overlay, revision uint64) (list []edits.Edit, now Document, known bool) {
	d.Texts.Lock()
	defer d.Texts.Unlock()
	doc := d.Of(o)
	if doc == nil {
		return nil, Document{}, false
	}
	list, known = doc.Log.Since(revision)
	return list, *doc, known
}

// StepEdits are the edits of steps.
func StepEdits(steps []workspace.Step) []edits.Edit {
	out := make([]edits.Edit, 0, len(steps))
	for _, step := range steps {
		out = append(out, step.Edit)
	}
	return out
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

// Last is the revision of the document's current text.
func (l *textLog) Last() uint64 {
	if n := len(l.changes); n > 0 {
		return l.changes[n-1].revision
	}
	return l.first
}

// Since returns the edits that came after a revision, one after another. It is false if
// they are no longer all known.
func (l *textLog) Since(revision uint64) (out []edits.Edit, known bool) {
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
