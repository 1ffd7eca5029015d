package assist

import (
	"context"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
)

// floor answers from the built-in engine, which costs nothing and waits for nobody.
func (e *Engine) floor(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest, d *inlineDoc, reason string) Completions {
	out := Completions{Reason: reason}
	if e.Local == nil {
		return out
	}
	fill := fill(snap, o, req.Offset)
	var items []*typed
	for delta, err := range e.Local.For(corpusAround(snap, o.URI)).Stream(ctx, &model.Request{ID: e.newID("l"), Purpose: model.Complete, Fill: fill}) {
		if err != nil {
			break
		}
		if delta.Text == "" {
			continue
		}
		c := e.completion(o, req.Offset, delta.Text)
		c.From = edits.Provenance{Lane: BuiltIn, Model: "built-in", Reason: reason}
		if vetted := e.vet(snap, o, c); vetted.ok && d.unwanted(req.Offset, c.Text) == "" {
			items = append(items, newTyped(vetted.completion, req.Offset))
		}
	}
	if len(items) == 0 {
		if out.Reason == "" {
			out.Reason = "The built-in engine has seen nothing like this line."
		}
		e.because(out.Reason)
		return out
	}
	d.keep(items, true)
	out.Items = d.cached(req.Offset, max(req.N, 1))
	return out
}
