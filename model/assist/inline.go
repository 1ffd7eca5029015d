package assist

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/edits"
)

const (
	maxLive    = 8  // suggestions kept a document
	maxRefused = 32 // rejected texts remembered a document
)

// An inlineDoc is what is offered in one document: the suggestions that follow
// the user's typing, the request under way, and the rhythm of the typing.
type inlineDoc struct {
	mu       sync.Mutex // guards all below
	version  int32
	text     edits.Text // as of version; what an edit takes away is read from it
	live     []*typed   // newest last
	flight   *flight
	pace     pace
	refused  map[string]bool // texts the user rejected
	order    []string        // of refused, oldest first
	removed  string          // what the last edit took away
	removeAt int
	taken    *taken // what was accepted and is about to be in the text
}

// A taken is an accepted suggestion and where its text ends.
type taken struct {
	at   int
	text string
}

// follow carries everything over the edits of one change, which led to text.
func (d *inlineDoc) follow(version int32, text edits.Text, list []edits.Edit) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.noteRemoved(list)
	d.version, d.text = version, text
	d.pace.key(time.Now())
	for _, e := range list {
		for _, t := range d.live {
			t.follow(e)
		}
		if d.flight != nil && !d.flight.follow(e) {
			d.flight.stop()
			d.flight = nil
		}
	}
	d.live = slices.DeleteFunc(d.live, func(t *typed) bool { return t.dead })
	for _, t := range d.live {
		t.Version = version
	}
}

// noteRemoved remembers what a single edit took away, until the next one.
func (d *inlineDoc) noteRemoved(list []edits.Edit) {
	d.removed = ""
	if len(list) == 1 && list[0].Len() > 0 && list[0].Valid(d.text.Len()) {
		d.removed, d.removeAt = d.text.Slice(list[0].Span), list[0].Start+len(list[0].New)
	}
}

// drop ends what is under way.
func (d *inlineDoc) drop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.live = nil
	if d.flight != nil {
		d.flight.stop()
		d.flight = nil
	}
}

func (d *inlineDoc) busy() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.flight != nil
}

// cached returns what can be offered at cursor at once, what is on screen
// first: it may only be replaced by text that begins with it.
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

// here lists what is live at cursor with something left to offer, shown ones
// first, then the newest.
func (d *inlineDoc) here(cursor int) []*typed {
	var out []*typed
	for _, t := range slices.Backward(d.live) {
		if t.cursor == cursor && t.rest() != "" {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b *typed) int {
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

// keep adds suggestions to the cache and reports whether they better what is
// on screen: they begin with it and go on, or nothing is there.
func (d *inlineDoc) keep(items []*typed, shown bool) (better bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range slices.Backward(items) { // the first one ends up newest
		here := d.here(t.cursor)
		if d.refused[t.Text] {
			continue // refused between its answer and now
		}
		if slices.ContainsFunc(here, func(o *typed) bool { return o.rest() == t.rest() }) {
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

// board returns the flight to wait for: the one under way if it goes to
// cursor, else a new one, in which case launch starts it and the older one ends.
func (d *inlineDoc) board(parent context.Context, cursor int, launch func(context.Context, *flight)) *flight {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.flight != nil && d.flight.at(cursor) {
		return d.flight
	}
	if d.flight != nil {
		d.flight.stop()
	}
	ctx, cancel := context.WithCancel(parent)
	d.flight = newFlight(cursor, cancel)
	launch(ctx, d.flight)
	return d.flight
}

// leave forgets a flight that is over and reports whether it was current.
func (d *inlineDoc) leave(f *flight) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.flight != f {
		return false
	}
	d.flight = nil
	return true
}

// at is the version the document has now.
func (d *inlineDoc) at() int32 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.version
}

// debounce is how long to wait for a pause now.
func (d *inlineDoc) debounce(stretch float64) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.pace.debounce(stretch)
}

// refuse remembers that the user rejected a suggestion.
func (d *inlineDoc) refuse(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.live = slices.DeleteFunc(d.live, func(t *typed) bool {
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

// unwanted says why a suggestion must not be offered: the user rejected it, or
// it brings back what the user's last edit took away.
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

// accept takes a suggestion out of the cache and remembers its text, for a
// request ahead of the user's next one; it is false where there is none.
func (d *inlineDoc) accept(id string) (Completion, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.live, func(t *typed) bool { return t.ID == id })
	if i < 0 {
		return Completion{}, false
	}
	c := d.live[i].Completion
	d.taken = &taken{at: c.Replace.Start, text: c.Text}
	d.live = slices.Delete(d.live, i, i+1)
	return c, true
}
