package inline

import (
	"cmp"
	"context"
	"path"
	"slices"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/assist/prompt"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/judge"
	"tandem/workspace/run"
)

// A Completer suggests what the user is about to type. Its exported fields are what it needs, all set.
type Completer struct {
	Prompts *prompt.Maker
	Local   core.Local // nil: there is no built-in engine
	Judge   *judge.Judge
	Docs    *core.Documents
	Wanted  *core.Wanted
	Notify  func(core.Event)

	open   core.Lives[inlineDocs]
	timing timing
	single singles
	warm   warmth
}

// Busy reports whether a completion is being made.
func (c *Completer) Busy() bool {
	return slices.ContainsFunc(c.open.All(), func(d *inlineDocs) bool { return d.inline.busy() || d.menu.busy() })
}

func (c *Completer) newDoc(uri string) *inlineDoc {
	return &inlineDoc{uri: uri, refusals: &c.Docs.Refusals}
}

// inlineDocs are the completions of one document.
type inlineDocs struct {
	uri    string
	inline *inlineDoc // suggestions at the cursor
	menu   *inlineDoc // suggestions that continue the selected item of a completion menu
}

// Opened begins the life of a document.
func (c *Completer) Opened(o *workspace.Overlay) {
	c.Closed(o.URI)
	d := &inlineDocs{uri: o.URI, inline: c.newDoc(o.URI), menu: c.newDoc(o.URI)}
	d.inline.begin(o)
	c.open.Begin(o, d)
}

// Changed brings the suggestions of a document along: they follow the change or end, so that
// none is ever shown for an outdated text.
func (c *Completer) Changed(snap *workspace.Snapshot, o *workspace.Overlay, steps []workspace.Step) {
	d := c.open.Of(o)
	if d == nil {
		return
	}
	list := core.StepEdits(steps)
	c.timing.typed(list, c.Wanted.Preferences(o.Language).TokensPerKey)
	d.inline.follow(o, list)
	d.inline.adopt(d.menu, o)
	c.speculate(snap, o)
}

// Closed ends the life of a document.
func (c *Completer) Closed(uri string) {
	if d := c.open.End(uri); d != nil {
		d.inline.reset()
		d.menu.reset()
	}
}

// How many bytes of the document around the cursor go into a Fill, and how many after
// the cursor are checked for repetition.
const (
	maxFillPrefix = 48 << 10
	maxFillSuffix = 16 << 10
	shapeAfter    = 8 << 10
)

// Complete returns suggestions for what the user is about to type at a place. Cached
// suggestions are returned at once, and a guess of the built-in engine that is nearly
// sure. Else it sends a request to the fast lane after a pause in the typing and waits
// for its first complete line (pace.go has the numbers).
func (c *Completer) Complete(ctx context.Context, snap *workspace.Snapshot, req Request) (Completions, error) {
	o, err := core.OpenAt(snap, req.Place)
	if err != nil {
		return Completions{}, err
	}
	if reason := c.Wanted.Quiet(snap, o, req.Invoked); reason != "" {
		c.Notify(core.Reason(reason))
		return Completions{Reason: reason}, nil
	}
	d := c.open.Of(o)
	if d == nil {
		return Completions{Reason: path.Base(o.URI) + " was closed."}, nil
	}
	var out Completions
	if req.Selected != nil && req.Selected.Span.Valid(o.Text.Len()) && req.Selected.Span.End == req.Offset {
		out, err = c.completeWithMenu(ctx, snap, o, req, d.menu)
	} else {
		out, err = c.completeAt(ctx, snap, o, req, d.inline)
	}
	if !req.Invoked && d.inline.hides(c.Wanted.Preferences(o.Language)) {
		out.Marked, out.Items = len(out.Items) > 0, nil
	}
	return out, err
}

// Reveal shows what a mark in a document stands for.
func (c *Completer) Reveal(o *workspace.Overlay) {
	if d := c.open.Of(o); d != nil {
		d.inline.reveal()
		c.Notify(Ready{URI: o.URI, Version: o.Version})
	}
}

// completeAt answers from the cache, the fast lane or the built-in engine.
func (c *Completer) completeAt(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req Request, d *inlineDoc) (Completions, error) {
	if req.have = min(d.candidates(questionOf(o, req)), req.N); req.have == 0 && req.Gradually {
		// Several cost one prompt where the model takes it, and no prompt was sent for this place yet.
		if cfg, ok := c.Prompts.Models.ConfigFor(model.Complete); !ok || !c.single.several(cfg) || d.canJoin(req.Offset) {
			req.N = 1
		}
	}
	reason, isAnswered := d.answeredBefore(questionOf(o, req), req.N)
	if c.holds(req) && d.unread(req.Offset) {
		if c.guess(ctx, snap, o, req, d, local.Likely, ""); d.unread(req.Offset) && !c.rested(ctx) {
			return Completions{}, nil
		}
	}
	items := d.cached(req.Offset, max(req.N, 1), req.Invoked, c.holds(req))
	if len(items) > 0 && (isAnswered || !req.Invoked) {
		return Completions{Items: items}, nil
	}
	if _, ok := c.Prompts.Models.ConfigFor(model.Complete); !ok {
		return c.fallback(ctx, snap, o, req, d, ""), nil
	}
	if isAnswered {
		return c.fallback(ctx, snap, o, req, d, cmp.Or(reason, "What the model suggests here was just rejected.")), nil
	}
	return c.await(ctx, snap, o, req, d)
}

// linesOf is how many lines a suggestion may have: as many as the user reads while typing.
func linesOf(p core.Preferences, req Request) int {
	if p.Lines > 0 && !req.Invoked {
		return p.Lines
	}
	return model.MostLines
}

// questionOf is what a request asks a model.
func questionOf(o *workspace.Overlay, req Request) inlineQuestion {
	q := inlineQuestion{version: o.Version, cursor: req.Offset}
	if req.Selected != nil {
		q.selected = req.Selected.Text
	}
	return q
}

// completeWithMenu answers as if the selected item of the completion menu were in the
// text already. Its suggestions continue that item, and replace what the item replaces and
// the closing brackets after it that they close themselves.
func (c *Completer) completeWithMenu(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req Request, d *inlineDoc) (Completions, error) {
	selected := *req.Selected
	with := &workspace.Overlay{URI: o.URI, Language: o.Language, Version: o.Version, Text: o.Text.Replace(selected.Span, selected.Text)}
	req.Offset = selected.Span.Start + len(selected.Text)
	d.suppose(with)
	out, err := c.completeAt(ctx, snap, with, req, d)
	for i := range out.Items {
		item := &out.Items[i]
		over := max(item.Replace.End-req.Offset, 0)
		item.Text = selected.Text + item.Text
		item.Replace, item.Version = edits.Span{Start: selected.Span.Start, End: selected.Span.End + over}, o.Version
	}
	return out, err
}

// await answers with a guess that is nearly sure, or sends a request to the fast lane or
// joins the one in flight, and waits for its first line.
func (c *Completer) await(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req Request, d *inlineDoc) (Completions, error) {
	backoff := c.Prompts.Models.BackoffFor(model.Complete)
	if backoff == 0 && !req.Invoked {
		return c.fallback(ctx, snap, o, req, d, nearlyUsedUp), nil
	}
	var sure []Completion
	if !req.Invoked {
		least, reason := local.Sure, ""
		if c.holds(req) {
			least = local.Likely
		}
		if cfg, _ := c.Prompts.Models.ConfigFor(model.Complete); core.InTime(c.Prompts.Models, c.Wanted.Preferences(o.Language)).Off {
			least, reason = local.Likely, tooSlow(cfg)
			c.Notify(core.Once(reason))
			c.Notify(core.Reason(reason))
		}
		c.guess(ctx, snap, o, req, d, least, reason)
		sure = d.cached(req.Offset, 1, false, c.holds(req))
	}
	if len(sure) > 0 && !req.Follows {
		return Completions{Items: sure}, nil // the model's text could not be shown
	}
	f := d.join(ctx, c.Docs.Group.Context(), req.Offset, req.N, req.Invoked, func(ctx context.Context, f *inflight) {
		c.Docs.Group.Go("inline completion", func(context.Context) { c.runInflight(ctx, snap, o, req, d, f, backoff) })
	})
	if f == nil {
		return Completions{}, nil
	}
	if len(sure) > 0 {
		f.markLate()
		return Completions{Items: sure, Pending: true}, nil
	}
	if !c.waitFor(ctx, o, req, f) {
		if f.leave() {
			c.Docs.Group.Go("a request that nobody awaits", func(ctx context.Context) {
				if run.Sleep(ctx, leftWait) {
					d.stopLeft(f)
				}
			})
		}
		return Completions{}, nil
	}
	return c.answerFrom(ctx, snap, o, req, d, f), nil
}

const nearlyUsedUp = "The fast model's quota is nearly used up: it answers only when asked."

// waitFor waits until a request has an answer that can be shown, and reports whether the
// caller still wants it. A user who asks gets all candidates whole.
func (c *Completer) waitFor(ctx context.Context, o *workspace.Overlay, req Request, f *inflight) bool {
	if req.Invoked {
		return received(ctx, f.on.done, nil)
	}
	if !received(ctx, f.on.paused, nil) {
		return false
	}
	most := firstLineWait
	if !req.Follows {
		most = timeoutOf(c.Wanted.Preferences(o.Language), core.InTime(c.Prompts.Models, c.Wanted.Preferences(o.Language)))
	}
	timer := time.NewTimer(most)
	defer timer.Stop()
	return received(ctx, f.on.line, timer.C) && (!c.holds(req) || f.sure() || c.rested(ctx))
}

// holds reports whether a model's text waits until the user looks up, unless the model is sure.
func (c *Completer) holds(req Request) bool {
	cfg, ok := c.Prompts.Models.ConfigFor(model.Complete)
	return ok && !req.Invoked && !model.ShownBetweenKeys(cfg)
}

// rested waits until no key was typed for a while; false if the caller no longer wants to know.
func (c *Completer) rested(ctx context.Context) bool {
	return run.Sleep(ctx, readPause-c.timing.pace.sinceKey(time.Now()))
}

// received waits for one of two channels and reports whether ctx was still active then.
func received(ctx context.Context, what <-chan struct{}, timer <-chan time.Time) bool {
	select {
	case <-what:
	case <-timer:
	case <-ctx.Done():
		return false
	}
	return true
}

// answerFrom turns the current result of an in-flight request into an answer: all of
// it, its first line, or what the built-in engine has instead. While the model's answer
// is due, a caller that follows gets nothing instead.
func (c *Completer) answerFrom(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req Request, d *inlineDoc, f *inflight) Completions {
	got, _ := d.storeResult(f, !req.Invoked, replaces(c.Prompts.Models, c.Wanted.Preferences(o.Language), req))
	items, reason, pending := got.items, got.reason, got.pending
	if found := d.cached(req.Offset, max(req.N, 1), req.Invoked, c.holds(req)); len(found) > 0 && !req.Invoked || len(items) > 0 {
		return Completions{Items: found, Pending: pending}
	}
	if f.superseded() {
		return Completions{}
	}
	if pending && req.Follows {
		return Completions{Pending: true}
	}
	if !pending {
		c.Notify(core.Reason(reason))
	}
	out := c.fallback(ctx, snap, o, req, d, reason)
	out.Pending = pending
	return out
}

// runInflight runs an in-flight request: pause, request, shape, check, cache. Then it
// notifies the host.
func (c *Completer) runInflight(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req Request, d *inlineDoc, f *inflight, backoff float64) {
	var items []Completion
	reason := "The suggestion failed inside tandem; its log says how."
	defer func() {
		better, current := d.finish(f, items, reason, replaces(c.Prompts.Models, c.Wanted.Preferences(o.Language), req))
		switch {
		case !current || ctx.Err() != nil:
		case better && f.isLate():
			c.Notify(Ready{URI: req.URI, Version: d.at()})
		default:
			c.Notify(core.StatusChanged{})
		}
	}()
	items, reason = c.requestCompletion(ctx, snap, o, req, d, f, backoff)
}

// requestCompletion waits for a pause, sends the request and returns what it has made.
func (c *Completer) requestCompletion(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req Request, d *inlineDoc, f *inflight, backoff float64) (items []Completion, reason string) {
	prefers, can := c.Wanted.Preferences(o.Language), core.InTime(c.Prompts.Models, c.Wanted.Preferences(o.Language))
	if can.Own {
		prefers.TokensPerKey, prefers.Debounce = 0, min(cmp.Or(prefers.Debounce, ownPause), ownPause)
	}
	wait := c.timing.wait(prefers, backoff)
	if can.Off {
		wait = max(wait, restPause-c.timing.pace.sinceKey(time.Now()))
	}
	if !req.Invoked && !req.ahead && !run.Sleep(ctx, wait) {
		return nil, ""
	}
	f.markPaused()
	if !req.Invoked && d.settle(ctx, req.Offset, can.Own) || ctx.Err() != nil {
		if ctx.Err() == nil && f.isLate() {
			c.Notify(Ready{URI: req.URI, Version: d.at()})
		}
		return nil, ""
	}
	f.wants.onLine = func() {
		if _, better := d.storeResult(f, false, replaces(c.Prompts.Models, c.Wanted.Preferences(o.Language), req)); better {
			c.Notify(Ready{URI: req.URI, Version: d.at()})
		}
	}
	f.markSent()
	items, reason, count := c.suggest(ctx, snap, o, req, d, f)
	if count > 0 {
		d.recordAnswered(questionOf(o, req), count, reason)
	}
	return items, reason
}

// replaces reports whether a model's text may replace a guess on screen: not a tiny model's, which
// is right less often than guesses are. A user who asks gets both.
func replaces(m core.Models, p core.Preferences, req Request) bool {
	cfg, _ := m.ConfigFor(model.Complete)
	return !req.Invoked && !p.KeepGuesses && model.WritesBlocks(cfg)
}

// Snooze stops automatic suggestions until the given time; the zero time ends it. The
// host is notified when it is over.
func (c *Completer) Snooze(until time.Time) {
	c.Wanted.Snooze(until)
	if wait := time.Until(until); wait > 0 {
		c.Docs.Group.Go("end of a snooze", func(ctx context.Context) {
			if run.Sleep(ctx, wait) {
				c.Notify(core.StatusChanged{})
			}
		})
	}
}
