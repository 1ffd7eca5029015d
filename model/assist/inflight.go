package assist

import (
	"context"
	"sync"

	"tandem/edits"
)

// An inflight is a completion request to a model that is still running. Several
// callers can wait for it, and it continues after the caller that started it: a
// result that is too late for that caller is kept for the next one. The user's typing
// ends it unless the typed text matches the answer so far.
type inflight struct {
	cancel context.CancelFunc
	line   chan struct{} // closed when the first line is complete, or the request is over
	done   chan struct{} // closed when the request is over

	mu       sync.Mutex // guards all below
	stopped  bool       // a newer text or request stopped it
	cursor   int        // where the user's cursor must be
	typed    string     // what the user has typed since the start; it matches the answer
	text     string     // the answer so far
	sent     bool       // the request was sent: the debounce is over
	lineDone bool
	first    *Completion // the first line, as soon as it is complete
	items    []Completion
	reason   string
}

func newInflight(cursor int, cancel context.CancelFunc) *inflight {
	return &inflight{cancel: cancel, cursor: cursor, line: make(chan struct{}), done: make(chan struct{})}
}

// follow applies an edit to the request and reports whether the request continues.
func (f *inflight) follow(e edits.Edit) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	agrees := e.Start == f.cursor && e.Len() == 0 && f.text != "" &&
		len(f.text) >= len(f.typed+e.New) && f.text[:len(f.typed)+len(e.New)] == f.typed+e.New
	if !agrees {
		return false
	}
	f.typed += e.New
	f.cursor += len(e.New)
	return true
}

// stop ends the request because of a newer text or request.
func (f *inflight) stop() {
	f.mu.Lock()
	f.stopped = true
	f.mu.Unlock()
	f.cancel()
}

// superseded reports whether the request was stopped.
func (f *inflight) superseded() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stopped
}

// offered reports whether the first line has been offered.
func (f *inflight) offered() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.lineDone
}

// joinable reports whether a caller with this cursor may wait for the request.
func (f *inflight) joinable(cursor int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sent && !f.stopped && f.cursor == cursor
}

func (f *inflight) markSent() {
	f.mu.Lock()
	f.sent = true
	f.mu.Unlock()
}

// add appends a piece to the answer and returns the answer so far.
func (f *inflight) add(piece string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.text += piece
	return f.text
}

// firstLine offers the first complete line to the waiting callers.
func (f *inflight) firstLine(c Completion) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lineDone {
		return
	}
	f.lineDone, f.first = true, &c
	close(f.line)
}

// offeredLine returns the first line, if it has been offered.
func (f *inflight) offeredLine() *Completion {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.first
}

// end stores the result and wakes the waiting callers. The request's own goroutine
// calls it once.
func (f *inflight) end(items []Completion, reason string) {
	f.mu.Lock()
	f.items, f.reason = items, reason
	if !f.lineDone {
		f.lineDone = true
		close(f.line)
	}
	f.mu.Unlock()
	close(f.done)
}

// result returns the current result: all of it, or the first line with pending set,
// without what the user has typed of it since.
func (f *inflight) result() (items []*suggestion, reason string, pending bool) {
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
		t := newSuggestion(c, f.cursor-len(f.typed))
		if f.typed != "" {
			t.follow(edits.Edit{Span: edits.Span{Start: t.cursor, End: t.cursor}, New: f.typed})
		}
		if !t.ended && t.rest() != "" {
			items = append(items, t)
		}
	}
	return items, f.reason, pending
}
