package inline

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tandem/edits"
	"tandem/model/assist/core"
	"tandem/workspace"
	"tandem/workspace/window"
)

// maxLive bounds the suggestions that are kept of a document.
const maxLive = 8

// An inlineDoc is the completion state of one document: the suggestions that follow
// the user's typing, and the requests in flight.
type inlineDoc struct {
	uri      string
	refusals *core.Refusals

	mu       sync.Mutex // guards all below
	version  int32
	text     edits.Text     // at version; the text that an edit removes is read from it
	live     []*suggestion  // newest last
	inflight *inflight      // waits for a pause, or runs and agrees with the typing
	older    *inflight      // runs while the user has typed more than its answer has so far
	answered answered       // the last question that a model answered
	replaced bool           // text on screen was replaced since the last key
	accepts  time.Time      // when a suggestion was last accepted, in part or whole
	revealed bool           // what a mark stands for is to be seen
	accepted *accepted      // accepted, but not in the text yet
	window   *window.Window // of the last completion: the next one begins the same

	rests atomic.Int64 // places that the cursor has come to without typing; needs no lock
}

// previous returns the window of the document's last completion; nil without one.
func (d *inlineDoc) previous() *window.Window {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.window
}

// storeWindow stores the window of a completion.
func (d *inlineDoc) storeWindow(w *window.Window) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.window = w
}

// An accepted is the text of an accepted suggestion and where it starts.
type accepted struct {
	at   int
	text string
}

// begin sets the text of a document that was just opened.
func (d *inlineDoc) begin(o *workspace.Overlay) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.version, d.text = o.Version, o.Text
}

// follow applies the edits of one change, which led to the text of o, to the whole state.
func (d *inlineDoc) follow(o *workspace.Overlay, list []edits.Edit) {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := d.text
	d.version, d.text, d.answered, d.replaced = o.Version, o.Text, answered{}, false
	for _, e := range list {
		for _, t := range d.live {
			t.follow(e)
		}
		for _, f := range []**inflight{&d.inflight, &d.older} {
			if *f != nil && !(*f).follow(e) {
				(*f).stop()
				*f = nil
			}
		}
	}
	for _, t := range d.live {
		if t.ended && t.shown && t.guess() {
			d.refusals.TypedOver(o.URI, t.cursor, core.Makes(before, firstLine(before, t.cursor, t.rest())))
		}
	}
	d.live = slices.DeleteFunc(d.live, func(t *suggestion) bool { return t.ended })
	d.revealed = d.revealed && len(d.live) > 0
	for _, t := range d.live {
		t.completion.Version = o.Version
	}
}

// suppose sets the text that the requests to come are about, that of o, and drops what is
// about another one: what continues one item of a menu is not offered for the next.
func (d *inlineDoc) suppose(o *workspace.Overlay) {
	d.mu.Lock()
	same := d.version == o.Version && d.text.Len() == o.Text.Len() && d.text.String() == o.Text.String()
	d.version, d.text = o.Version, o.Text
	d.mu.Unlock()
	if !same {
		d.reset()
	}
}

// adopt takes over what continues the selected item of a completion menu, when the
// change that led to o has accepted that item, and ends all else of the menu.
func (d *inlineDoc) adopt(menu *inlineDoc, o *workspace.Overlay) {
	menu.mu.Lock()
	live, supposed := menu.live, menu.text
	menu.mu.Unlock()
	menu.reset()
	if len(live) == 0 || supposed.Len() != o.Text.Len() || supposed.String() != o.Text.String() {
		return
	}
	for _, t := range live {
		t.completion.Version = o.Version
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.live = append(d.live, live...)
}

// reset ends the in-flight request and drops the suggestions.
func (d *inlineDoc) reset() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.live, d.answered = nil, answered{}
	for _, f := range []**inflight{&d.inflight, &d.older} {
		if *f != nil {
			(*f).stop()
			*f = nil
		}
	}
}

// reveal lets what a mark stands for be shown, until the user types something else.
func (d *inlineDoc) reveal() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.revealed = len(d.live) > 0
}

// hides reports whether suggestions are only marked.
func (d *inlineDoc) hides(p core.Preferences) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return p.Subtle && !d.revealed
}

func (d *inlineDoc) busy() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.inflight != nil || d.older != nil
}

// An answered question is a place of a text, with what a completion menu had selected
// there. It is not asked again: its answers are in the cache.
type answered struct {
	question inlineQuestion
	n        int    // candidates that were asked for
	reason   string // why there are none
}

type inlineQuestion struct {
	version  int32
	cursor   int
	selected string
}

// recordAnswered records that a model has answered a question about this text.
func (d *inlineDoc) recordAnswered(q inlineQuestion, n int, reason string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.answered = answered{q, max(n, 1), reason}
}

// answeredBefore returns why a question has no more answers than the cache has; false if a model
// has not answered it, or was asked for less.
func (d *inlineDoc) answeredBefore(q inlineQuestion, n int) (reason string, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.answered.question != q || d.answered.n < max(n, 1) {
		return "", false
	}
	return d.answered.reason, true
}

// candidates is how many candidates a model has written for a question.
func (d *inlineDoc) candidates(q inlineQuestion) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.answered.question != q {
		return 0
	}
	return d.answered.n
}

// canJoin reports whether a request that was sent can still answer at cursor.
func (d *inlineDoc) canJoin(cursor int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.inflight != nil && d.inflight.joinable(cursor, 1, true)
}

// cached returns what can be offered at cursor at once. The suggestion on screen comes
// first, or the longest one that begins with it. To a user who asks, a model's comes
// before a guess. Where a model's text waits until the user looks up (holds), none that was never
// shown takes the place of a guess, also of one that it begins with.
func (d *inlineDoc) cached(cursor, n int, invoked, holds bool) []Completion {
	d.mu.Lock()
	defer d.mu.Unlock()
	here := d.here(cursor)
	if invoked {
		here = toFront(here, func(t *suggestion) bool { return !t.guess() })
	}
	if len(here) == 0 {
		return nil
	}
	best := here[0]
	for _, t := range here {
		if strings.HasPrefix(t.rest(), best.rest()) && (!holds || t.shown || t.guess() || !best.guess()) {
			best = t
		}
	}
	for _, t := range here { // the first line of what is offered now
		if t.shown && strings.HasPrefix(best.rest(), t.rest()) {
			best.begun = best.begun || t.begun
		}
	}
	best.shown = true
	out := []Completion{best.offer()}
	for _, t := range here {
		if len(out) < n && !slices.ContainsFunc(out, func(c Completion) bool { return c.Text == t.rest() }) {
			out = append(out, t.offer())
		}
	}
	return out
}

// unread reports whether a model's text that was never on the screen, and of which the model is
// not sure, would be offered at cursor.
func (d *inlineDoc) unread(cursor int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	here := d.here(cursor)
	return len(here) > 0 && !here[0].guess() && !here[0].shown && !here[0].sure()
}

// toFront moves the suggestions that is holds for to the front; the order is kept otherwise.
func toFront(list []*suggestion, is func(*suggestion) bool) []*suggestion {
	var front, back []*suggestion
	for _, t := range list {
		if is(t) {
			front = append(front, t)
		} else {
			back = append(back, t)
		}
	}
	return append(front, back...)
}

// here lists the live suggestions at cursor with text left to offer, shown ones first,
// then the newest.
func (d *inlineDoc) here(cursor int) []*suggestion {
	var out []*suggestion
	for _, t := range slices.Backward(d.live) {
		if t.reach(d.text, cursor) && t.rest() != "" {
			out = append(out, t)
		}
	}
	return toFront(out, func(t *suggestion) bool { return t.shown })
}

// store adds suggestions to the cache and reports whether they improve what is on
// screen: nothing is shown, or they begin with it and continue it, or they are a
// model's and may replace a guess.
func (d *inlineDoc) store(items []*suggestion, shown, replace bool) (better bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.add(items, shown, replace)
}

// add is keep for a caller that holds d.mu.
func (d *inlineDoc) add(items []*suggestion, shown, replace bool) (better bool) {
	for _, t := range slices.Backward(items) { // the first one ends up newest
		here := d.here(t.cursor)
		if d.refusals.Refused(d.uri, d.text, t.edit()) {
			continue // refused between its answer and now
		}
		if slices.ContainsFunc(here, func(o *suggestion) bool { return o.rest() == t.rest() }) {
			continue
		}
		switch {
		case len(here) == 0 || !here[0].shown || strings.HasPrefix(t.rest(), here[0].rest()):
			better = true
		case replace && !t.guess() && d.mayReplace(here[0]):
			d.live = slices.DeleteFunc(d.live, func(o *suggestion) bool { return o == here[0] })
			d.replaced, better = true, true
		}
		t.shown = shown
		t.completion.Version = d.version
		d.live = append(d.live, t)
	}
	d.live = d.live[max(0, len(d.live)-maxLive):]
	return better
}

// mayReplace reports whether a model's text may replace the text on screen: a guess
// that the user has not begun to take, once, and not just after a key that accepts.
func (d *inlineDoc) mayReplace(on *suggestion) bool {
	return on.guess() && !on.begun && !d.replaced && time.Since(d.accepts) >= acceptQuiet
}

// taking records a key that accepts a part of a suggestion.
func (d *inlineDoc) taking(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range d.live {
		if t.completion.ID == id {
			d.accepts, t.begun = time.Now(), true
		}
	}
}

// join returns the request to wait for: the one in flight if it can be joined, else a
// new one, which launch starts. The older one ends, except where the user has typed
// more than its answer has so far: it may still be right (see settle). A caller that has
// ended gets nil: a newer one may be waiting already, and its request must not be stopped.
func (d *inlineDoc) join(ctx, parent context.Context, cursor, n int, atOnce bool, launch func(context.Context, *inflight)) *inflight {
	d.mu.Lock()
	defer d.mu.Unlock()
	if ctx.Err() != nil {
		return nil
	}
	if f := d.inflight; f != nil {
		if f.joinable(cursor, n, atOnce) {
			f.await()
			return f
		}
		if f.undecided(cursor) {
			if d.older != nil {
				d.older.stop()
			}
			d.older = f
		} else {
			f.stop()
		}
	}
	running, cancel := context.WithCancel(parent)
	d.inflight = newInflight(cursor, n, cancel)
	d.inflight.await()
	launch(running, d.inflight)
	return d.inflight
}

// stopLeft ends a request that its callers have left, so that the server does not go on.
func (d *inlineDoc) stopLeft(f *inflight) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.inflight == f && f.left() {
		f.stop()
		d.inflight = nil
	}
}

// settle ends the older request, and reports whether that one has made the newer
// request needless: its answer continues what the user has typed. wait is whether its
// answer is awaited to know that: a server that is reading a prompt reads it to its end
// also where nobody wants the answer.
func (d *inlineDoc) settle(ctx context.Context, cursor int, wait bool) (needless bool) {
	d.mu.Lock()
	older := d.older
	d.mu.Unlock()
	if older != nil && wait && !received(ctx, older.on.begins, nil) {
		return true // a newer one waits now
	}
	if older != nil && older.begun(cursor) {
		received(ctx, older.on.line, nil)
		d.storeResult(older, false, false)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if slices.ContainsFunc(d.here(cursor), func(t *suggestion) bool { return !t.guess() }) {
		return true
	}
	if d.older != nil {
		d.older.stop()
		d.older = nil
	}
	return false
}

// storeResult stores what a request has so far, as long as the document points to the request: only
// then has the request followed every edit.
func (d *inlineDoc) storeResult(f *inflight, shown, replace bool) (got result, better bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	got = f.result()
	if f == d.inflight || f == d.older {
		better = d.add(got.items, shown, replace)
	}
	return got, better
}

// finish ends a request: it removes it, keeps what it has made, and wakes its callers, all at
// once, so that no edit and no newer request comes between. current is whether the document still
// pointed to it.
func (d *inlineDoc) finish(f *inflight, items []Completion, reason string, replace bool) (better, current bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f.end(items, reason)
	for _, at := range []**inflight{&d.inflight, &d.older} {
		if *at == f {
			*at, current = nil, true
			better = d.add(f.result().items, false, replace)
		}
	}
	return better, current
}

// at returns the current version of the document.
func (d *inlineDoc) at() int32 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.version
}

// refuse records that the user rejected a suggestion.
func (d *inlineDoc) refuse(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.live = slices.DeleteFunc(d.live, func(t *suggestion) bool {
		if t.completion.ID == id {
			d.refusals.Refuse(d.uri, t.cursor, core.Makes(d.text, t.edit()))
		}
		return t.completion.ID == id
	})
}

// unwanted returns why a suggestion must not be offered: the user rejected it, or took it away there.
func (d *inlineDoc) unwanted(cursor int, text string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.refusals.Refused(d.uri, d.text, edits.Edit{Span: edits.Span{Start: cursor, End: cursor}, New: text}) {
		return "it was not wanted here"
	}
	return ""
}

// wasLeft reports whether a guess is not to be shown to a user who does not ask, since it or another
// one was typed over.
func (d *inlineDoc) wasLeft(cursor int, guess string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return cursor <= d.text.Len() && d.refusals.Left(d.uri, d.text, firstLine(d.text, cursor, guess))
}

// firstLine is the edit that writes the first line of a suggestion, without what is behind the cursor.
func firstLine(text edits.Text, cursor int, rest string) edits.Edit {
	first, _, _ := strings.Cut(rest, "\n")
	return edits.Edit{Span: edits.Span{Start: cursor, End: text.LineEnd(text.LineOf(cursor))}, New: first}
}

// accept removes a suggestion from the cache and records its text, so that a request
// can be sent before the user asks for the next one. It is false if there is none.
func (d *inlineDoc) accept(id string) (Completion, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.live, func(t *suggestion) bool { return t.completion.ID == id })
	if i < 0 {
		return Completion{}, false
	}
	c := d.live[i].completion
	d.accepted, d.accepts = &accepted{at: c.Replace.Start, text: c.Text}, time.Now()
	d.live = slices.Delete(d.live, i, i+1)
	return c, true
}
