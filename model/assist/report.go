package assist

import (
	"context"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
)

// Shown records that the editor displays a suggestion: from now on only a text that
// begins with it replaces it.
func (e *Engine) Shown(id string) { e.eachDoc(func(d *inlineDoc) { d.show(id) }) }

// Accepted records that the user accepted a suggestion. A request for what follows it
// is sent as soon as its text is in the document. The result is the change that adds
// the imports that it needs, or nil.
func (e *Engine) Accepted(snap *workspace.Snapshot, id string) *DocumentEdit {
	e.mu.Lock()
	docs := make(map[string]*inlineDoc, len(e.docs))
	for uri, d := range e.docs {
		docs[uri] = d
	}
	e.mu.Unlock()
	for uri, d := range docs {
		if c, ok := d.accept(id); ok {
			e.speculate(snap, uri)
			return e.importsOf(snap, c)
		}
	}
	e.next.accept(id)
	return nil
}

// importsOf returns the change that adds the imports of a suggestion whose text is now
// in its document.
func (e *Engine) importsOf(snap *workspace.Snapshot, c Completion) *DocumentEdit {
	o, ok := snap.Overlay(c.URI)
	span := edits.Span{Start: c.Replace.Start, End: c.Replace.Start + len(c.Text)}
	if !c.Imports || !ok || !span.Valid(o.Text.Len()) || o.Text.Slice(span) != c.Text {
		return nil
	}
	change := edits.FileChange{
		Path: snap.Name(o.URI), Before: o.Text.Replace(span, "").String(), After: o.Text.String(),
		Edits: []edits.Edit{{Span: edits.Span{Start: span.Start, End: span.Start}, New: c.Text}},
	}
	list := e.Names(snap).Imports(change)
	if len(list) == 0 {
		return nil
	}
	return &DocumentEdit{URI: o.URI, Version: o.Version, Base: o.Text, Edits: list}
}

// RejectedSuggestion records that the user rejected a suggestion: its text is not
// offered there again.
func (e *Engine) RejectedSuggestion(id string) {
	e.eachDoc(func(d *inlineDoc) { d.refuse(id) })
	e.next.reject(id)
}

func (e *Engine) eachDoc(f func(*inlineDoc)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, d := range e.docs {
		f(d)
	}
}

// speculate sends a request for what follows an accepted suggestion, once its text is
// in the document, so that the next suggestion can be offered without a wait.
func (e *Engine) speculate(snap *workspace.Snapshot, uri string) {
	o, ok := snap.Overlay(uri)
	if !ok {
		return
	}
	d := e.doc(uri)
	cursor, ok := d.acceptedEnd(o.Text)
	if !ok || e.quiet(snap, o, false) != "" || e.Models.Backoff(model.Fast) == 0 {
		return
	}
	if _, configured := e.Models.Config(model.Fast); !configured {
		return
	}
	req := CompleteRequest{Place: Place{URI: uri, Offset: cursor}}
	d.join(e.Group.Context(), cursor, func(ctx context.Context, f *inflight) {
		e.Group.Go("completion ahead", func(context.Context) { e.runInflight(ctx, snap, o, req, d, f, 0) })
	})
}

// show marks a suggestion as on screen.
func (d *inlineDoc) show(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range d.live {
		t.shown = t.shown || t.ID == id
	}
}

// acceptedEnd returns where the accepted suggestion ends, once text holds it.
func (d *inlineDoc) acceptedEnd(text edits.Text) (cursor int, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.accepted == nil {
		return 0, false
	}
	span := edits.Span{Start: d.accepted.at, End: d.accepted.at + len(d.accepted.text)}
	if !span.Valid(text.Len()) || text.Slice(span) != d.accepted.text {
		return 0, false
	}
	d.accepted = nil
	return span.End, true
}
