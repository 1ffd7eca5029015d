package inline

import (
	"context"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/assist/prompt"
	"tandem/workspace"
	"tandem/workspace/run"
)

// completionPrompt renders a completion request for the fast lane's model.
func (c *Completer) completionPrompt(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, at int) (*model.Request, error) {
	q := prompt.Question{Kind: model.KindComplete, Lane: model.Fast, URI: o.URI, Span: edits.Span{Start: at, End: at}}
	var doc *inlineDoc
	if d := c.open.Of(o); d != nil {
		doc = d.inline
		q.Previous = doc.previous()
	}
	ask, err := c.Prompts.Prompt(ctx, supposing(snap, o), q)
	if err != nil {
		return nil, err
	}
	if doc != nil {
		doc.storeWindow(ask.Window)
	}
	return ask.Request, nil
}

// restTime is how long a cursor stays where its user reads.
const restTime = 400 * time.Millisecond

// ReadAhead has the server of the model, where it is the user's own, read what a suggestion at
// a place needs, so that the first key there does not wait for it. Where all is said, the place
// may be any: the document is read then if the server reads all of it in time.
func (c *Completer) ReadAhead(snap *workspace.Snapshot, place core.Place, all bool) {
	o, err := core.OpenAt(snap, place)
	if err != nil || c.Wanted.Quiet(snap, o, false) != "" {
		return
	}
	can := core.InTime(c.Prompts.Models, c.Wanted.Preferences(o.Language))
	d := c.open.Of(o)
	if d == nil || !can.Own || can.Off || all && o.Text.Len() > can.Window*smallestToken {
		return
	}
	turn, ctx := d.inline.rests.Add(1), c.Docs.Life(o)
	c.Docs.Group.Go("reading ahead", func(context.Context) {
		if !run.Sleep(ctx, restTime) || d.inline.rests.Load() != turn || d.inline.busy() || d.inline.at() != o.Version {
			return
		}
		req, err := c.completionPrompt(ctx, snap, o, place.Offset)
		if err != nil || req.Fill == nil {
			return
		}
		req.ID, req.Ahead = c.Prompts.NewID("c"), true
		for range c.Prompts.Models.Stream(ctx, model.Fast, req) { // what it reads is in its cache
		}
	})
}

// smallestToken is the least bytes that a token of code has on average.
const smallestToken = 3

// fill returns the infill site at a place and the text around it, for the built-in
// engine. That engine sees the original text, because nothing is sent from the machine.
func fill(snap *workspace.Snapshot, o *workspace.Overlay, at int) *model.Fill {
	return &model.Fill{
		Path:   snap.Name(o.URI),
		Unit:   snap.Style(o.URI).Unit,
		Prefix: o.Text.Slice(edits.Span{Start: o.Text.RuneStart(max(at-maxFillPrefix, 0)), End: at}),
		Suffix: o.Text.Slice(edits.Span{Start: at, End: o.Text.RuneStart(min(at+maxFillSuffix, o.Text.Len()))}),
	}
}

// supposing returns the snapshot with the text of o. With a completion menu open,
// that text is not the editor's own text.
func supposing(snap *workspace.Snapshot, o *workspace.Overlay) *workspace.Snapshot {
	if current, ok := snap.Overlay(o.URI); ok && current == o {
		return snap
	}
	return snap.Supposing(map[string]edits.Text{o.URI: o.Text})
}
