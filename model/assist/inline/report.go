package inline

import (
	"context"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/workspace"
	"tandem/workspace/judge"
)

// Shown records that the editor displays a suggestion: from now on only a text that
// begins with it replaces it.
func (c *Completer) Shown(id string) {
	for _, d := range c.open.All() {
		for _, inline := range []*inlineDoc{d.inline, d.menu} {
			if lane, shown := inline.show(id); shown {
				c.Docs.Uses.Shown(id, d.uri, lane, core.UseCompletion)
			}
		}
	}
}

// Accepted records that the user accepted a suggestion. A request for what follows it
// is sent as soon as its text is in the document. The result is the change that adds
// the imports that it needs, or nil.
func (c *Completer) Accepted(snap *workspace.Snapshot, id string) *core.DocumentEdit {
	for _, d := range c.open.All() {
		for _, inline := range []*inlineDoc{d.inline, d.menu} {
			if accepted, ok := inline.accept(id); ok {
				if o, open := snap.Overlay(d.uri); open {
					c.Docs.Uses.Accepted(id, d.uri, accepted.From.Lane, core.UseCompletion, core.At(o.Text, edits.Edit{Span: accepted.Replace, New: accepted.Text}))
					c.speculate(snap, o)
				}
				return c.importsOf(snap, accepted)
			}
		}
	}
	return nil
}

// importsOf returns the change that adds the imports of a suggestion whose text is now
// in its document.
func (c *Completer) importsOf(snap *workspace.Snapshot, item Completion) *core.DocumentEdit {
	o, ok := snap.Overlay(item.URI)
	span := edits.Span{Start: item.Replace.Start, End: item.Replace.Start + len(item.Text)}
	if !item.Imports || !ok || !span.Valid(o.Text.Len()) || o.Text.Slice(span) != item.Text {
		return nil
	}
	change := edits.FileChange{
		Path: snap.Name(o.URI), Before: o.Text.Replace(span, "").String(), After: o.Text.String(),
		Edits: []edits.Edit{{Span: edits.Span{Start: span.Start, End: span.Start}, New: item.Text}},
	}
	ctx, cancel := context.WithTimeout(c.Docs.Group.Context(), core.WhileTyping)
	defer cancel()
	with := c.Judge.WithImports(ctx, snap, []edits.FileChange{change}, judge.Typed)[0]
	if with.After == change.After {
		return nil
	}
	return &core.DocumentEdit{URI: o.URI, Version: o.Version, Base: o.Text, Edits: edits.Diff(change.After, with.After)}
}

// PartlyAccepted records that the user accepted a part of a suggestion by key. The
// change that follows advances it.
func (c *Completer) PartlyAccepted(id string) {
	c.Shown(id)
	for _, d := range c.open.All() {
		d.inline.taking(id)
		d.menu.taking(id)
	}
}

// Rejected records that the user rejected a suggestion: its text is not
// offered there again.
func (c *Completer) Rejected(id string) {
	for _, d := range c.open.All() {
		d.inline.refuse(id)
		d.menu.refuse(id)
	}
}

// speculate sends a request for what follows an accepted suggestion, once its text is
// in the document, so that the next suggestion can be offered without a wait.
func (c *Completer) speculate(snap *workspace.Snapshot, o *workspace.Overlay) {
	doc := c.open.Of(o)
	if doc == nil {
		return
	}
	d := doc.inline
	cursor, ok := d.acceptedEnd(o.Text)
	if !ok || c.Wanted.Quiet(snap, o, false) != "" || c.Prompts.Models.BackoffFor(model.Complete) == 0 {
		return
	}
	if _, configured := c.Prompts.Models.ConfigFor(model.Complete); !configured {
		return
	}
	req := Request{Place: core.Place{URI: o.URI, Offset: cursor}, ahead: true}
	d.join(c.Docs.Group.Context(), c.Docs.Group.Context(), cursor, 1, true, func(ctx context.Context, f *inflight) {
		c.Docs.Group.Go("completion ahead", func(context.Context) { c.runInflight(ctx, snap, o, req, d, f, 1) })
	})
}

// show marks a suggestion as on screen, and returns its lane if it is one of the document's.
func (d *inlineDoc) show(id string) (lane string, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range d.live {
		if t.completion.ID == id {
			t.shown, lane, ok = true, t.completion.From.Lane, true
		}
	}
	return lane, ok
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
