package assist

import (
	"context"

	"tandem/edits"
	"tandem/workspace"
)

// fallback answers from the built-in engine, which costs nothing and never waits.
func (c *Completer) fallback(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest, d *inlineDoc, reason string) Completions {
	out := Completions{Reason: reason}
	if c.Local == nil {
		return out
	}
	fill := fill(snap, o, req.Offset)
	var items []*suggestion
	for _, text := range c.Local.Suggest(ctx, corpusAround(snap, o.URI), fill, max(req.N, 1), req.Invoked) {
		item := c.completion(o, req.Offset, text)
		item.From = edits.Provenance{Lane: BuiltIn, Model: "built-in", Reason: reason}
		if vetted := c.vet(snap, o, item); vetted.ok && d.unwanted(req.Offset, item.Text) == "" {
			items = append(items, newSuggestion(vetted.completion, req.Offset))
		}
	}
	if len(items) == 0 {
		if out.Reason == "" {
			out.Reason = "The built-in engine has seen nothing like this line often enough."
		}
		c.setReason(out.Reason)
		return out
	}
	d.keep(items, true)
	out.Items = d.cached(req.Offset, max(req.N, 1))
	return out
}
