package assist

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/edits"
	"tandem/workspace"
)

const (
	maxLive    = 8  // suggestions kept a document
	maxRefused = 32 // rejected texts remembered a document
)

// An inlineDoc is the completion state of one document: the suggestions that follow
// the user's typing, the in-flight request, and the pace of the typing.
type inlineDoc struct {
	mu       sync.Mutex // guards all below
	version  int32
	text     edits.Text    // at version; the text that an edit removes is read from it
	live     []*suggestion // newest last
	inflight *inflight
	pace     pace
	refused  map[string]bool // texts the user rejected
	order    []string        // of refused, oldest first
	removed  string          // the text that the last edit removed
	removeAt int
	accepted *accepted         // accepted, but not in the text yet
	window   *workspace.Window // of the last completion: the next one begins the same
}

// previous returns the window of the document's last completion; nil without one.
func (d *inlineDoc) previous() *workspace.Window {
	if d == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.window
}

// showed keeps the window of a completion.
func (d *inlineDoc) showed(w *workspace.Window) {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.window = w
}

// An accepted is the text of an accepted suggestion and where it starts.
type accepted struct {
	at   int
	text string
}

func newInlineDoc() *inlineDoc { return &inlineDoc{refused: map[string]bool{}} }

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
	d.noteRemoved(list)
	d.version, d.text = o.Version, o.Text
	d.pace.key(time.Now())
	for _, e := range list {
		for _, t := range d.live {
			t.follow(e)
		}
		if d.inflight != nil && !d.inflight.follow(e) {
			d.inflight.stop()
			d.inflight = nil
		}
	}
	d.live = slices.DeleteFunc(d.live, func(t *suggestion) bool { return t.ended })
	for _, t := range d.live {
		t.Version = o.Version
	}
}

// noteRemoved records the text that a single edit removed, until the next change.
func (d *inlineDoc) noteRemoved(list []edits.Edit) {
	d.removed = ""
	if len(list) == 1 && list[0].Len() > 0 && list[0].Valid(d.text.Len()) {
		d.removed, d.removeAt = d.text.Slice(list[0].Span), list[0].Start+len(list[0].New)
	}
}

// drop ends the in-flight request and drops the suggestions.
func (d *inlineDoc) drop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.live = nil
	if d.inflight != nil {
		d.inflight.stop()
		d.inflight = nil
	}
}

func (d *inlineDoc) busy() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.inflight != nil
}

// cached returns what can be offered at cursor at once. The suggestion on screen comes
// first: only a text that begins with it may replace it.
func (d *inlineDoc) cached(cursor int, n int) []Completion {
	d.mu.Lock()
	defer d.mu.Unlock()
	here := d.here(cursor)
	if len(here) == 0 {
		return nil
	}
	best := here[0]
	for _, t := range here {
		if strings.HasPrefix(t.rest(), best.rest()) {
			best = t
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

// here lists the live suggestions at cursor with text left to offer, shown ones first,
// then the newest.
func (d *inlineDoc) here(cursor int) []*suggestion {
	var out []*suggestion
	for _, t := range slices.Backward(d.live) {
		if t.cursor == cursor && t.rest() != "" {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b *suggestion) int {
		switch {
		case a.shown == b.shown:
			return 0
		case a.shown:
			return -1
		}
		return 1
	})
	return out
}

// keep adds suggestions to the cache and reports whether they improve what is on
// screen: they begin with it and continue it, or nothing is shown.
func (d *inlineDoc) keep(items []*suggestion, shown bool) (better bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range slices.Backward(items) { // the first one ends up newest
		here := d.here(t.cursor)
		if d.refused[t.Text] {
			continue // refused between its answer and now
		}
		if slices.ContainsFunc(here, func(o *suggestion) bool { return o.rest() == t.rest() }) {
			continue
		}
		if len(here) == 0 || !here[0].shown || strings.HasPrefix(t.rest(), here[0].rest()) {
			better = true
		}
		t.shown = shown
		t.Version = d.version
		d.live = append(d.live, t)
	}
	if over := len(d.live) - maxLive; over > 0 {
		d.live = slices.Delete(d.live, 0, over)
	}
	return better
}

// join returns the request to wait for: the one in flight if it can be joined at
// cursor, else a new one. A new one is started by launch, and the older one ends.
func (d *inlineDoc) join(parent context.Context, cursor int, launch func(context.Context, *inflight)) *inflight {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.inflight != nil && d.inflight.joinable(cursor) {
		return d.inflight
	}
	if d.inflight != nil {
		d.inflight.stop()
	}
	ctx, cancel := context.WithCancel(parent)
	d.inflight = newInflight(cursor, cancel)
	launch(ctx, d.inflight)
	return d.inflight
}

// detach removes a finished request and reports whether it was the current one.
func (d *inlineDoc) detach(f *inflight) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.inflight != f {
		return false
	}
	d.inflight = nil
	return true
}

// at returns the current version of the document.
func (d *inlineDoc) at() int32 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.version
}

// debounce returns how long to wait for a pause in the typing.
func (d *inlineDoc) debounce(backoff float64) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.pace.debounce(backoff)
}

// refuse records that the user rejected a suggestion.
func (d *inlineDoc) refuse(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.live = slices.DeleteFunc(d.live, func(t *suggestion) bool {
		if t.ID != id {
			return false
		}
		d.refused[t.Text] = true
		d.order = append(d.order, t.Text)
		return true
	})
	for len(d.order) > maxRefused {
		delete(d.refused, d.order[0])
		d.order = d.order[1:]
	}
}

// unwanted returns why a suggestion must not be offered: the user rejected it, or it
// brings back what the user's last edit removed.
func (d *inlineDoc) unwanted(cursor int, text string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.refused[text]:
		return "it was just rejected"
	case len(strings.TrimSpace(d.removed)) > 1 && d.removeAt == cursor && strings.HasPrefix(text, d.removed):
		return "it would undo your last edit"
	}
	return ""
}

// accept removes a suggestion from the cache and records its text, so that a request
// can be sent before the user asks for the next one. It is false if there is none.
func (d *inlineDoc) accept(id string) (Completion, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.live, func(t *suggestion) bool { return t.ID == id })
	if i < 0 {
		return Completion{}, false
	}
	c := d.live[i].Completion
	d.accepted = &accepted{at: c.Replace.Start, text: c.Text}
	d.live = slices.Delete(d.live, i, i+1)
	return c, true
}
