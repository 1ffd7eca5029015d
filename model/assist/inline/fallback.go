package inline

import (
	"context"

	"tandem/edits"
	"tandem/model/assist/core"
	"tandem/model/local"
	"tandem/workspace"
)

// fallback answers from the built-in engine, which costs nothing and never waits.
func (c *Completer) fallback(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req Request, d *inlineDoc, reason string) Completions {
	out := Completions{Reason: reason}
	least := local.Likely
	if req.Invoked {
		least = local.Possible
	}
	c.guess(ctx, snap, o, req, d, least, reason)
	out.Items = d.cached(req.Offset, max(req.N, 1), req.Invoked, c.holds(req))
	if len(out.Items) > 0 || c.Local == nil {
		return out
	}
	if out.Reason == "" {
		out.Reason = "The built-in engine has seen nothing like this line often enough."
	}
	c.Notify(core.Reason(out.Reason))
	return out
}

// guess puts what the built-in engine suggests, if it is certain enough and passes the
// checks, into the cache. reason is why the engine is asked.
func (c *Completer) guess(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req Request, d *inlineDoc, least local.Certainty, reason string) {
	if c.Local == nil {
		return
	}
	var items []*suggestion
	folder, at := core.CorpusAround(snap, o.URI), fill(snap, o, req.Offset)
	at.Path = folder.Path(o.URI)
	for _, text := range c.Local.Suggest(ctx, folder, at, max(req.N, 1), least) {
		if !req.Invoked && d.wasLeft(req.Offset, text) {
			continue
		}
		item, err := c.completion(snap, o, req.Offset, text, linesOf(c.Wanted.Preferences(o.Language), req))
		if err != nil {
			continue
		}
		item.From = edits.Provenance{Lane: core.BuiltIn, Model: "built-in", Reason: reason}
		if vetted := c.vet(ctx, snap, o, req, item); vetted.ok && d.unwanted(req.Offset, item.Text) == "" {
			items = append(items, newSuggestion(vetted.completion, req.Offset))
		}
	}
	d.store(items, !req.Invoked, false)
}
