package assist

import (
	"context"
	"sync"

	"tandem/edits"
)

// A flight is one request for a completion that is under way. It outlives the
// request that started it: what comes too late for that one is kept for the
// next. The user's typing ends it unless the text so far agrees.
type flight struct {
	cancel context.CancelFunc
	line   chan struct{} // closed when the first whole line is there, or all is over
	done   chan struct{} // closed when it is over

	mu       sync.Mutex // guards all below
	gone     bool       // a newer text or request ended it
	cursor   int        // where the user's cursor must be
	typed    string     // what was typed since the start, if it agrees
	said     string     // the model's words so far
	sent     bool       // the model was asked: the debounce is over
	lineOnce bool
	first    *Completion // the first line, as soon as it is whole
	items    []Completion
	reason   string
}

func newFlight(cursor int, cancel context.CancelFunc) *flight {
	return &flight{cancel: cancel, cursor: cursor, line: make(chan struct{}), done: make(chan struct{})}
}

// follow carries the flight over an edit and reports whether it goes on.
func (f *flight) follow(e edits.Edit) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	agrees := e.Start == f.cursor && e.Len() == 0 && f.said != "" &&
		len(f.said) >= len(f.typed+e.New) && f.said[:len(f.typed)+len(e.New)] == f.typed+e.New
	if !agrees {
		return false
	}
	f.typed += e.New
	f.cursor += len(e.New)
	return true
}

// stop ends the flight: a newer text or request has come.
func (f *flight) stop() {
	f.mu.Lock()
	f.gone = true
	f.mu.Unlock()
	f.cancel()
}

// superseded reports whether the flight was stopped.
func (f *flight) superseded() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.gone
}

// offered reports whether the first line has been offered.
func (f *flight) offered() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.lineOnce
}

// at reports whether a request for this cursor may wait for the flight.
func (f *flight) at(cursor int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sent && !f.gone && f.cursor == cursor
}

func (f *flight) ask() {
	f.mu.Lock()
	f.sent = true
	f.mu.Unlock()
}

// say adds to the model's words and returns all of them.
func (f *flight) say(piece string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.said += piece
	return f.said
}

// firstLine offers the first whole line to whoever waits.
func (f *flight) firstLine(c Completion) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lineOnce {
		return
	}
	f.lineOnce, f.first = true, &c
	close(f.line)
}

// passed is the first line, if it has been offered.
func (f *flight) passed() *Completion {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.first
}

// end is called once, by the flight's own goroutine.
func (f *flight) end(items []Completion, reason string) {
	f.mu.Lock()
	f.items, f.reason = items, reason
	if !f.lineOnce {
		f.lineOnce = true
		close(f.line)
	}
	f.mu.Unlock()
	close(f.done)
}

// landed returns what there is now: all of it, or the first line with
// pending set, less what the user has typed of it since.
func (f *flight) landed() (items []*typed, reason string, pending bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	found := f.items
	select {
	case <-f.done:
	default:
		if f.first == nil {
			return nil, "", true
		}
		found, pending = []Completion{*f.first}, true
	}
	for _, c := range found {
		t := newTyped(c, f.cursor-len(f.typed))
		if f.typed != "" {
			t.follow(edits.Edit{Span: edits.Span{Start: t.cursor, End: t.cursor}, New: f.typed})
		}
		if !t.dead && t.rest() != "" {
			items = append(items, t)
		}
	}
	return items, f.reason, pending
}
