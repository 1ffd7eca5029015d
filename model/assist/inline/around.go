package inline

import (
	"context"
	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/workspace"
)

// completionPrompt renders a completion request for the fast lane's model.
func (c *Completer) completionPrompt(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, at int) (*model.Request, error) {
	q := core.Question{Kind: model.KindComplete, Lane: model.Fast, URI: o.URI, Span: edits.Span{Start: at, End: at}}
	var doc *inlineDoc
	if d := c.open.Of(o); d != nil {
		doc = d.inline
		q.Previous = doc.previous()
	}
	ask, err := c.Prompt(ctx, supposing(snap, o), q)
	if err != nil {
		return nil, err
	}
	if doc != nil {
		doc.showed(ask.Window)
	}
	return ask.Request, nil
}

// fill returns the infill site at a place and the text around it, for the built-in
// engine. That engine sees the original text, because nothing is sent from the machine.
func fill(snap *workspace.Snapshot, o *workspace.Overlay, at int) *model.Fill {
	return &model.Fill{
		Path:   snap.Name(o.URI),
		Prefix: o.Text.Slice(edits.Span{Start: o.Text.RuneStart(max(at-maxFillPrefix, 0)), End: at}),
		Suffix: o.Text.Slice(edits.Span{Start: at, End: o.Text.RuneStart(min(at+maxFillSuffix, o.Text.Len()))}),
	}
}

// supposing returns the snapshot with the text of o. With a completion menu open,
// that text is not the editor's own text.
func supposing(snap *workspace.Snapshot, o *workspace.Overlay) *workspace.Snapshot {
	if known, ok := snap.Overlay(o.URI); ok && known == o {
		return snap
	}
	return snap.Supposing(map[string]edits.Text{o.URI: o.Text})
}
