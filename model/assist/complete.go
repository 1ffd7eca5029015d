package assist

import (
	"context"
	"fmt"
	"path"
	"strconv"
	"time"

	"tandem/model"
	"tandem/workspace"
)

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
func (e *Engine) Complete(ctx context.Context, snap *workspace.Snapshot, req CompleteRequest) (Completions, error) {
	o, err := document(snap, req.Place)
	if err != nil {
		return Completions{}, err
	}
	if reason := e.quiet(snap, o, req.Invoked); reason != "" {
		e.setReason(reason)
		return Completions{Reason: reason}, nil
	}
	if req.Selected != nil && req.Selected.Span.Valid(o.Text.Len()) && req.Selected.Span.End == req.Offset {
		return e.completeWithMenu(ctx, snap, o, req)
	}
	return e.completeAt(ctx, snap, o, req, e.doc(req.URI))
}

// completeAt answers from the cache, the fast lane or the built-in engine.
func (e *Engine) completeAt(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest, d *inlineDoc) (Completions, error) {
	if items := d.cached(req.Offset, max(req.N, 1)); len(items) > 0 && len(items) >= req.N {
		return Completions{Items: items}, nil
	}
	if _, ok := e.Models.Config(model.Fast); !ok {
		return e.fallback(ctx, snap, o, req, d, ""), nil
	}
	return e.await(ctx, snap, o, req, d)
}

// menuSuffix is added to a document's URI for the suggestions that go with an open
// completion menu: they are for a text that does not exist yet.
const menuSuffix = "\x00menu"

// completeWithMenu answers as if the selected item of the completion menu were in the
// text already. Its suggestions continue that item.
func (e *Engine) completeWithMenu(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest) (Completions, error) {
	selected := *req.Selected
	with := &workspace.Overlay{URI: o.URI, Language: o.Language, Version: o.Version, Text: o.Text.Replace(selected.Span, selected.Text)}
	req.Offset = selected.Span.Start + len(selected.Text)
	out, err := e.completeAt(ctx, snap, with, req, e.doc(req.URI+menuSuffix))
	for i := range out.Items {
		out.Items[i].Text = selected.Text + out.Items[i].Text
		out.Items[i].Replace, out.Items[i].Version = selected.Span, o.Version
	}
	return out, err
}

// document returns the open document of a place that lies inside it.
func document(snap *workspace.Snapshot, p Place) (*workspace.Overlay, error) {
	o, ok := snap.Overlay(p.URI)
	if !ok {
		return nil, &model.Error{Code: model.CodeBadRequest, Message: fmt.Sprintf("The document %s is not open; open it and ask again.", path.Base(p.URI))}
	}
	if p.Offset < 0 || p.Offset > o.Text.Len() {
		return nil, &model.Error{Code: model.CodeBadRequest, Message: fmt.Sprintf("The place asked about is outside %s; its text may have changed.", path.Base(p.URI))}
	}
	return o, nil
}

// quiet returns why nothing may be suggested in a document now, or "".
func (e *Engine) quiet(snap *workspace.Snapshot, o *workspace.Overlay, invoked bool) string {
	if ok, why := snap.Allowed(o.URI); !ok {
		return fmt.Sprintf("No suggestions in %s: %s.", path.Base(o.URI), why)
	}
	editor := e.Editor(o.Language)
	if glob := matching(editor.Disabled, snap.Name(o.URI)); glob != "" {
		return fmt.Sprintf("Suggestions are off for %s in your configuration.", glob)
	}
	if !editor.Enabled {
		return fmt.Sprintf("Suggestions are off for %s in your configuration.", o.Language)
	}
	if invoked {
		return ""
	}
	e.mu.Lock()
	snoozed := e.snooze
	e.mu.Unlock()
	switch {
	case time.Now().Before(snoozed):
		return "Suggestions are snoozed until " + snoozed.Format("15:04") + "."
	case !editor.Automatic:
		return "Suggestions come only when asked for: trigger is \"invoked\" in your configuration."
	}
	return ""
}

// await sends a request to the fast lane or joins the one in flight, and answers with
// the result so far when req.Wait is over.
func (e *Engine) await(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest, d *inlineDoc) (Completions, error) {
	backoff := e.Models.Backoff(model.Fast)
	if backoff == 0 && !req.Invoked {
		return e.fallback(ctx, snap, o, req, d, "The fast model's quota is nearly used up: it answers only when asked."), nil
	}
	wait := time.Duration(0)
	if !req.Invoked {
		wait = d.debounce(backoff)
	}
	f := d.join(e.Group.Context(), req.Offset, func(ctx context.Context, f *inflight) {
		e.Group.Go("inline completion", func(context.Context) { e.runInflight(ctx, snap, o, req, d, f, wait) })
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
	return e.answerFrom(ctx, snap, o, req, d, f), nil
}

// answerFrom turns the current result of an in-flight request into an answer: all of
// it, its first line, or what the built-in engine has instead.
func (e *Engine) answerFrom(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest, d *inlineDoc, f *inflight) Completions {
	items, reason, pending := f.result()
	if len(items) > 0 {
		d.keep(items, true)
		return Completions{Items: d.cached(req.Offset, max(req.N, 1)), Pending: pending}
	}
	if f.superseded() {
		return Completions{}
	}
	if !pending {
		e.setReason(reason)
	}
	out := e.fallback(ctx, snap, o, req, d, reason)
	out.Pending = pending
	return out
}

// runInflight runs an in-flight request: wait, request, shape, check, cache. Then it
// notifies the host.
func (e *Engine) runInflight(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest, d *inlineDoc, f *inflight, wait time.Duration) {
	if current := e.requestCompletion(ctx, snap, o, req, d, f, wait); !current || ctx.Err() != nil {
		return
	}
	result, _, _ := f.result()
	if d.keep(result, false) && req.Wait > 0 {
		e.Notify(Event{Ready: &InlineReady{URI: req.URI, Version: d.at()}})
		return
	}
	status := e.Status(snap)
	e.Notify(Event{Status: &status})
}

// requestCompletion waits for the debounce, sends the request and always ends f,
// because callers wait for it. The document no longer points to f before waiters are
// notified, so a new request never joins a finished one. It reports whether f was
// still the document's current request.
func (e *Engine) requestCompletion(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest, d *inlineDoc, f *inflight, wait time.Duration) (current bool) {
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
	items, reason = e.suggest(ctx, snap, o, req, d, f)
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

// newID returns an id for a request or a suggestion of this session.
func (e *Engine) newID(kind string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.serial++
	return kind + strconv.Itoa(e.serial)
}

// each runs f for 0..n-1 in parallel and waits for all.
func (e *Engine) each(n int, work string, f func(int)) {
	if n == 1 {
		f(0)
		return
	}
	done := make(chan struct{}, n)
	for i := range n {
		started := e.Group.Go(work, func(context.Context) {
			defer func() { done <- struct{}{} }()
			f(i)
		})
		if !started {
			done <- struct{}{}
		}
	}
	for range n {
		<-done
	}
}
