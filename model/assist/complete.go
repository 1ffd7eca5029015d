package assist

import (
	"context"
	"fmt"
	"path"
	"sync/atomic"
	"time"

	"tandem/model"
	"tandem/workspace"
)

// A Completer suggests what the user is about to type.
type Completer struct {
	*core
	last atomic.Pointer[wholeText]
}

// How many bytes of the document around the cursor go into a Fill, and how many after
// the cursor are checked for repetition.
const (
	maxFillPrefix = 48 << 10
	maxFillSuffix = 16 << 10
	shapeAfter    = 8 << 10
)

// Complete returns suggestions for what the user is about to type at a place. Cached
// suggestions are returned at once. Else it sends a request to the fast lane. If its
// first line is not complete within req.Wait, the built-in engine answers and Ready
// follows.
func (c *Completer) Complete(ctx context.Context, snap *workspace.Snapshot, req CompleteRequest) (Completions, error) {
	o, err := openAt(snap, req.Place)
	if err != nil {
		return Completions{}, err
	}
	if reason := c.quiet(snap, o, req.Invoked); reason != "" {
		c.setReason(reason)
		return Completions{Reason: reason}, nil
	}
	d := c.docs.of(o)
	if d == nil {
		return Completions{Reason: path.Base(o.URI) + " was closed."}, nil
	}
	if req.Selected != nil && req.Selected.Span.Valid(o.Text.Len()) && req.Selected.Span.End == req.Offset {
		return c.completeWithMenu(ctx, snap, o, req, d.menu)
	}
	return c.completeAt(ctx, snap, o, req, d.inline)
}

// completeAt answers from the cache, the fast lane or the built-in engine.
func (c *Completer) completeAt(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest, d *inlineDoc) (Completions, error) {
	if items := d.cached(req.Offset, max(req.N, 1)); len(items) > 0 && len(items) >= req.N {
		return Completions{Items: items}, nil
	}
	if _, ok := c.Models.Config(model.Fast); !ok {
		return c.fallback(ctx, snap, o, req, d, ""), nil
	}
	return c.await(ctx, snap, o, req, d)
}

// completeWithMenu answers as if the selected item of the completion menu were in the
// text already. Its suggestions continue that item.
func (c *Completer) completeWithMenu(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest, d *inlineDoc) (Completions, error) {
	selected := *req.Selected
	with := &workspace.Overlay{URI: o.URI, Language: o.Language, Version: o.Version, Text: o.Text.Replace(selected.Span, selected.Text)}
	req.Offset = selected.Span.Start + len(selected.Text)
	out, err := c.completeAt(ctx, snap, with, req, d)
	for i := range out.Items {
		out.Items[i].Text = selected.Text + out.Items[i].Text
		out.Items[i].Replace, out.Items[i].Version = selected.Span, o.Version
	}
	return out, err
}

// openAt returns the open document of a place that lies inside it.
func openAt(snap *workspace.Snapshot, p Place) (*workspace.Overlay, error) {
	o, ok := snap.Overlay(p.URI)
	if !ok {
		return nil, &model.Error{Code: model.CodeBadRequest, Message: fmt.Sprintf("The document %s is not open; open it and ask again.", path.Base(p.URI))}
	}
	if p.Offset < 0 || p.Offset > o.Text.Len() {
		return nil, &model.Error{Code: model.CodeBadRequest, Message: fmt.Sprintf("The place asked about is outside %s; its text may have changed.", path.Base(p.URI))}
	}
	return o, nil
}

// await sends a request to the fast lane or joins the one in flight, and answers with
// the result so far when req.Wait is over.
func (c *Completer) await(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest, d *inlineDoc) (Completions, error) {
	backoff := c.Models.Backoff(model.Fast)
	if backoff == 0 && !req.Invoked {
		return c.fallback(ctx, snap, o, req, d, "The fast model's quota is nearly used up: it answers only when asked."), nil
	}
	wait := time.Duration(0)
	if !req.Invoked {
		wait = d.debounce(backoff)
	}
	f := d.join(c.Group.Context(), req.Offset, func(ctx context.Context, f *inflight) {
		c.Group.Go("inline completion", func(context.Context) { c.runInflight(ctx, snap, o, req, d, f, wait) })
	})
	over := f.done
	var timer <-chan time.Time
	if req.Wait > 0 {
		timer = time.After(req.Wait)
	}
	select {
	case <-over:
	case <-timer:
	case <-ctx.Done():
		return Completions{}, nil
	}
	return c.answerFrom(ctx, snap, o, req, d, f), nil
}

// answerFrom turns the current result of an in-flight request into an answer: all of
// it, its first line, or what the built-in engine has instead.
func (c *Completer) answerFrom(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest, d *inlineDoc, f *inflight) Completions {
	items, reason, pending := f.result()
	if len(items) > 0 {
		d.keep(items, true)
		return Completions{Items: d.cached(req.Offset, max(req.N, 1)), Pending: pending}
	}
	if f.superseded() {
		return Completions{}
	}
	if !pending {
		c.setReason(reason)
	}
	out := c.fallback(ctx, snap, o, req, d, reason)
	out.Pending = pending
	return out
}

// runInflight runs an in-flight request: wait, request, shape, check, cache. Then it
// notifies the host.
func (c *Completer) runInflight(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest, d *inlineDoc, f *inflight, wait time.Duration) {
	if current := c.requestCompletion(ctx, snap, o, req, d, f, wait); !current || ctx.Err() != nil {
		return
	}
	result, _, _ := f.result()
	if d.keep(result, false) && req.Wait > 0 {
		c.Notify(Event{Ready: &InlineReady{URI: req.URI, Version: d.at()}})
		return
	}
	status := c.status(snap)
	c.Notify(Event{Status: &status})
}

// requestCompletion waits for the debounce, sends the request and always ends f,
// because callers wait for it. The document no longer points to f before waiters are
// notified, so a new request never joins a finished one. It reports whether f was
// still the document's current request.
func (c *Completer) requestCompletion(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest, d *inlineDoc, f *inflight, wait time.Duration) (current bool) {
	var items []Completion
	reason := "The suggestion failed inside tandem; its log says how."
	defer func() {
		current = d.detach(f)
		f.end(items, reason)
	}()
	if !sleep(ctx, wait) {
		reason = ""
		return current
	}
	f.markSent()
	items, reason = c.suggest(ctx, snap, o, req, d, f)
	return current
}

// sleep waits and reports whether ctx is still active.
func sleep(ctx context.Context, wait time.Duration) bool {
	if wait <= 0 {
		return ctx.Err() == nil
	}
	select {
	case <-time.After(wait):
		return true
	case <-ctx.Done():
		return false
	}
}

// Snooze stops automatic suggestions until the given time; the zero time ends it.
func (c *Completer) Snooze(until time.Time) {
	c.mu.Lock()
	c.snooze = until
	c.mu.Unlock()
}
