package assist

import (
	"context"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
)

// How much of the document around the cursor goes into a Fill, in bytes, and
// how much after the cursor is looked at for repetition.
const (
	maxFillPrefix = 48 << 10
	maxFillSuffix = 16 << 10
	shapeAfter    = 8 << 10
)

// Complete answers what the user is about to type at a place. What is cached
// is answered at once; else the fast lane is asked, and if its first line is
// not there within req.Wait, the built-in engine answers and Ready follows.
func (e *Engine) Complete(ctx context.Context, snap *workspace.Snapshot, req CompleteRequest) (Completions, error) {
	o, err := document(snap, req.Place)
	if err != nil {
		return Completions{}, err
	}
	if reason := e.quiet(snap, o, req.Invoked); reason != "" {
		e.because(reason)
		return Completions{Reason: reason}, nil
	}
	if req.Selected != nil && req.Selected.Span.Valid(o.Text.Len()) && req.Selected.Span.End == req.Offset {
		return e.besideMenu(ctx, snap, o, req)
	}
	return e.completeAt(ctx, snap, o, req, e.doc(req.URI))
}

// completeAt answers from the cache, the fast lane or the built-in engine.
func (e *Engine) completeAt(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest, d *inlineDoc) (Completions, error) {
	if items := d.cached(req.Offset, max(req.N, 1)); len(items) > 0 && len(items) >= req.N {
		return Completions{Items: items}, nil
	}
	if _, ok := e.Models.Config(model.Fast); !ok {
		return e.floor(ctx, snap, o, req, d, ""), nil
	}
	return e.await(ctx, snap, o, req, d)
}

// menu is added to a document's URI for what is offered beside a completion
// menu: it is about a text that does not exist yet.
const menu = "\x00menu"

// besideMenu answers as if the completion menu's selected item were in the
// text already, with suggestions that go on from it.
func (e *Engine) besideMenu(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest) (Completions, error) {
	selected := *req.Selected
	with := &workspace.Overlay{URI: o.URI, Language: o.Language, Version: o.Version, Text: o.Text.Replace(selected.Span, selected.Text)}
	req.Offset = selected.Span.Start + len(selected.Text)
	out, err := e.completeAt(ctx, snap, with, req, e.doc(req.URI+menu))
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

// quiet says why nothing may be suggested in a document now, or "".
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

// await asks the fast lane, or joins the request under way, and answers with
// what is there in time.
func (e *Engine) await(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest, d *inlineDoc) (Completions, error) {
	stretch := e.Models.Stretch(model.Fast)
	if stretch == 0 && !req.Invoked {
		return e.floor(ctx, snap, o, req, d, "The fast model's quota is nearly used up: it answers only when asked."), nil
	}
	wait := time.Duration(0)
	if !req.Invoked {
		wait = d.debounce(stretch)
	}
	f := d.board(e.Group.Context(), req.Offset, func(ctx context.Context, f *flight) {
		e.Group.Go("inline completion", func(context.Context) { e.fly(ctx, snap, o, req, d, f, wait) })
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
	return e.land(ctx, snap, o, req, d, f), nil
}

// land turns a flight as it stands into an answer: all of it, its first line,
// or what the built-in engine has instead.
func (e *Engine) land(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest, d *inlineDoc, f *flight) Completions {
	items, reason, pending := f.landed()
	if len(items) > 0 {
		d.keep(items, true)
		return Completions{Items: d.cached(req.Offset, max(req.N, 1)), Pending: pending}
	}
	if f.superseded() {
		return Completions{}
	}
	if !pending {
		e.because(reason)
	}
	out := e.floor(ctx, snap, o, req, d, reason)
	out.Pending = pending
	return out
}

// fly is the flight itself: pause, ask, shape, check, keep.
func (e *Engine) fly(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest, d *inlineDoc, f *flight, wait time.Duration) {
	e.ask(ctx, snap, o, req, d, f, wait)
	if !d.leave(f) || ctx.Err() != nil {
		return
	}
	landed, _, _ := f.landed()
	if d.keep(landed, false) && req.Wait > 0 {
		e.Notify(Event{Ready: &InlineReady{URI: req.URI, Version: d.at()}})
	}
}

// ask pauses, asks and ends the flight, come what may: somebody waits for it.
func (e *Engine) ask(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest, d *inlineDoc, f *flight, wait time.Duration) {
	var items []Completion
	reason := "The suggestion failed inside tandem; its log says how."
	defer func() { f.end(items, reason) }()
	if !pause(ctx, wait) {
		reason = ""
		return
	}
	f.ask()
	items, reason = e.suggest(ctx, snap, o, req, d, f)
}

// pause waits and reports whether ctx still holds.
func pause(ctx context.Context, wait time.Duration) bool {
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

// suggest asks the fast lane for req.N candidates at once and returns those
// that pass the checks, without duplicates, or why there is none.
func (e *Engine) suggest(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest, d *inlineDoc, f *flight) ([]Completion, string) {
	base, err := e.completionPrompt(ctx, snap, o, req.Offset)
	if err != nil {
		return nil, err.Error()
	}
	cfg, _ := e.Models.Config(model.Fast)
	n := max(req.N, cfg.Candidates, 1)
	racing, stop := context.WithCancel(ctx)
	defer stop()
	found := make([]candidate, n)
	e.each(n, "completion candidate", func(i int) {
		found[i] = e.candidate(racing, snap, o, req, base, i, f)
		if found[i].ok && req.N <= 1 && d.unwanted(req.Offset, found[i].completion.Text) == "" {
			stop() // one is enough, and it passed the checks
		}
	})
	return e.choose(found, d, req)
}

// A candidate is one answer of the model to a completion, or why there is none.
type candidate struct {
	completion Completion
	ok         bool
	reason     string
}

// choose keeps the good candidates, the first ones first.
func (e *Engine) choose(found []candidate, d *inlineDoc, req CompleteRequest) (items []Completion, reason string) {
	seen := map[string]bool{}
	for _, c := range found {
		if !c.ok {
			reason = c.reason
			continue
		}
		if why := d.unwanted(req.Offset, c.completion.Text); why != "" {
			reason = "The suggestion was held back: " + why + "."
			continue
		}
		if !seen[c.completion.Text] {
			seen[c.completion.Text] = true
			items = append(items, c.completion)
		}
	}
	if len(items) > 0 {
		reason = ""
	}
	return items, reason
}

// candidate runs one stream to its end. The first one shows its first line as
// soon as that is whole.
func (e *Engine) candidate(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest, base *model.Request, i int, f *flight) candidate {
	ask := *base
	ask.ID = e.newID("c")
	if i > 0 {
		warmer := 0.4 + 0.2*float64(i)
		ask.Temperature = &warmer
	}
	said, err := "", error(nil)
	for delta, failed := range e.Models.Stream(ctx, model.Fast, &ask) {
		if failed != nil {
			err = failed
			break
		}
		said += delta.Text
		if i == 0 && delta.Text != "" {
			said = f.say(delta.Text)
			e.offerLine(snap, o, req, f, said)
		}
	}
	if err != nil {
		return candidate{reason: err.Error()}
	}
	c := e.completion(o, req.Offset, said)
	c.From, _ = e.Models.Usage(ask.ID)
	if first := f.passed(); i == 0 && first != nil && first.Text == c.Text {
		c.Checks = first.Checks // all of it was its first line
		return candidate{completion: c, ok: true}
	}
	return e.vet(snap, o, c)
}

// offerLine gives the first line to whoever waits, once it is whole and good.
func (e *Engine) offerLine(snap *workspace.Snapshot, o *workspace.Overlay, req CompleteRequest, f *flight, said string) {
	line, whole := firstLine(strings.TrimLeft(unfence(said), "\n"))
	if !whole || strings.TrimSpace(line) == "" || f.offered() {
		return
	}
	if c := e.vet(snap, o, e.completion(o, req.Offset, line)); c.ok {
		f.firstLine(c.completion)
	}
}

// completion shapes a model's words into a suggestion for a place.
func (e *Engine) completion(o *workspace.Overlay, at int, said string) Completion {
	line := o.Text.LineOf(at)
	before := o.Text.Slice(edits.Span{Start: o.Text.LineStart(line), End: at})
	after := o.Text.Slice(edits.Span{Start: at, End: min(at+shapeAfter, o.Text.Len())})
	text := shape(before, after, said)
	if strings.HasPrefix(after, "\r\n") || o.Text.LineCount() > 1 && strings.HasSuffix(o.Text.Slice(edits.Span{Start: 0, End: o.Text.LineStart(1)}), "\r\n") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return Completion{ID: e.newID("s"), URI: o.URI, Version: o.Version, Replace: edits.Span{Start: at, End: at}, Text: text}
}

// vet checks a suggestion against the text it would make. One with a made-up
// name is repaired where the real name is plain, else held back.
func (e *Engine) vet(snap *workspace.Snapshot, o *workspace.Overlay, c Completion) candidate {
	if strings.TrimSpace(c.Text) == "" {
		return candidate{reason: "The model had nothing to add here."}
	}
	change := func(text string) edits.FileChange {
		before := e.whole(o)
		edit := edits.Edit{Span: c.Replace, New: text}
		return edits.FileChange{Path: snap.Name(o.URI), Before: before, After: before[:edit.Start] + text + before[edit.End:], Edits: []edits.Edit{edit}}
	}
	c.Checks = e.check(snap, []edits.FileChange{change(c.Text)}, snap.Name(o.URI))
	if bad := failing(c.Checks, edits.CheckNames); bad != nil {
		repaired, ok := repair(c, bad)
		if !ok {
			return candidate{reason: "The suggestion was held back: " + bad[0].Message}
		}
		c.Text = repaired
		c.Checks = e.check(snap, []edits.FileChange{change(c.Text)}, snap.Name(o.URI))
	}
	for _, check := range c.Checks {
		if !check.OK {
			return candidate{reason: "The suggestion was held back: " + check.Findings[0].Message}
		}
	}
	return candidate{completion: c, ok: true}
}

// whole is a document's text in one piece. The last one is kept: the texts
// that are checked for one request have it in common.
func (e *Engine) whole(o *workspace.Overlay) string {
	if last := e.last.Load(); last != nil && last.of == o {
		return last.text
	}
	next := &wholeText{o, o.Text.String()}
	e.last.Store(next)
	return next.text
}

type wholeText struct {
	of   *workspace.Overlay
	text string
}

// repair replaces made-up names in a suggestion by the nearest real ones; it
// is false where one has none.
func repair(c Completion, bad []edits.Finding) (string, bool) {
	text := c.Text
	for i := len(bad) - 1; i >= 0; i-- {
		f := bad[i]
		start := f.Span.Start - c.Replace.Start
		if f.Nearest == "" || start < 0 || start+f.Span.Len() > len(text) || text[start:start+f.Span.Len()] != f.Name {
			return "", false
		}
		text = text[:start] + f.Nearest + text[start+f.Span.Len():]
	}
	return text, true
}

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

// newID names a request or a suggestion of this session.
func (e *Engine) newID(kind string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.serial++
	return kind + strconv.Itoa(e.serial)
}

// each runs f for 0..n-1 at once and waits for all.
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

// matching returns the first glob that matches a slash-separated path: ** is
// any number of folders.
func matching(globs []string, name string) string {
	for _, glob := range globs {
		if globMatch(strings.Split(glob, "/"), strings.Split(name, "/")) {
			return glob
		}
	}
	return ""
}

func globMatch(glob, name []string) bool {
	switch {
	case len(glob) == 0:
		return len(name) == 0
	case glob[0] == "**":
		return globMatch(glob[1:], name) || len(name) > 0 && globMatch(glob, name[1:])
	case len(name) == 0:
		return false
	}
	ok, err := path.Match(glob[0], name[0])
	return err == nil && ok && globMatch(glob[1:], name[1:])
}
