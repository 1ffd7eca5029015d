package inline

import (
	"context"
	"strings"
	"sync"

	"tandem/edits"
)

// An inflight is a completion request to a model: it waits for a pause, is sent, and
// runs until its answer is whole. Several callers can wait for it, and it continues
// after the caller that started it: a result that is too late for that caller is kept
// for the next one. The user's typing ends it unless the typed text matches the answer
// so far.
type inflight struct {
	cancel context.CancelFunc
	wants  wanted
	on     moments
	vets   vets

	mu       sync.Mutex // guards all below
	stopped  bool       // a newer text or request stopped it
	cursor   int        // where the user's cursor must be
	start    int        // where the cursor was when it was asked
	typed    string     // what the user has typed since the start, without closers that the editor added
	edits    []edits.Edit
	text     string // the answer so far
	sent     bool   // the pause is over
	lineDone bool
	callers  callers
	first    *Completion // the first line, as soon as it is complete
	items    []Completion
	reason   string
}

// A wanted is what a request is to answer.
type wanted struct {
	n      int    // candidates
	lines  int    // that one may have
	onLine func() // called when there is a first line that a caller was answered without
}

// Moments of a request; each is also over with the request.
type moments struct {
	paused chan struct{} // closed when the pause is over
	begins chan struct{} // closed when the answer begins
	line   chan struct{} // closed when the first line is complete
	done   chan struct{} // closed when the request is over
}

// The callers of a request.
type callers struct {
	awaiting int  // that have not left
	leftAt   int  // of edits, when the last one left
	late     bool // one was answered with less than the whole answer
}

func newInflight(cursor, n int, cancel context.CancelFunc) *inflight {
	return &inflight{cancel: cancel, wants: wanted{n: n}, cursor: cursor, start: cursor,
		on: moments{make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan struct{})}}
}

// follow applies an edit to the request and reports whether the request continues:
// it was sent, and what the user has typed since and the answer so far agree.
func (f *inflight) follow(e edits.Edit) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	typed := e.New
	if autoClosing(typed) && !strings.HasPrefix(f.text, f.typed+typed) {
		typed = typed[:1]
	}
	if !f.sent || f.stopped || e.Start != f.cursor || e.Len() != 0 || !agree(f.text, f.typed+typed) {
		return false
	}
	f.typed += typed
	f.cursor += len(typed)
	f.edits = append(f.edits, e)
	return true
}

// agree reports whether one of two texts begins with the other.
func agree(a, b string) bool {
	n := min(len(a), len(b))
	return a[:n] == b[:n]
}

// leave notes that a caller wants the answer no more, and reports whether it was the last.
func (f *inflight) leave() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.callers.awaiting--
	f.callers.leftAt = len(f.edits)
	return f.callers.awaiting == 0
}

// left reports whether nobody awaits the request, and nobody has typed since.
func (f *inflight) left() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.callers.awaiting == 0 && len(f.edits) == f.callers.leftAt
}

// await notes another caller.
func (f *inflight) await() {
	f.mu.Lock()
	f.callers.awaiting++
	f.mu.Unlock()
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

// joinable reports whether a caller with this cursor may wait for the request: nothing
// was typed since it was asked, or what was typed is in the answer. A caller that asks
// for more candidates, or does not want to wait for a pause, starts its own.
func (f *inflight) joinable(cursor, n int, atOnce bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return !f.stopped && f.cursor == cursor && f.wants.n >= n && (f.sent || !atOnce) && (len(f.text) >= len(f.typed))
}

// undecided reports whether the request runs at cursor while the user has typed more
// than its answer has so far.
func (f *inflight) undecided(cursor int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sent && !f.stopped && f.cursor == cursor && len(f.text) < len(f.typed)
}

// begun reports whether the answer has begun and continues what was typed.
func (f *inflight) begun(cursor int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return !f.stopped && f.cursor == cursor && len(f.text) > len(f.typed)
}

func (f *inflight) markSent() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.sent {
		f.sent = true
		f.pauseOver()
	}
}

// pauseOver lets the callers wait for the answer; f.mu is held.
func (f *inflight) pauseOver() {
	select {
	case <-f.on.paused:
	default:
		close(f.on.paused)
	}
}

// markPaused notes that the pause is over, while the request still waits for its turn.
func (f *inflight) markPaused() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pauseOver()
}

// add appends a piece to the answer and returns the answer so far. ok is false if the
// user has typed something else.
func (f *inflight) add(piece string) (answer string, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.text == "" && piece != "" {
		close(f.on.begins)
	}
	f.text += piece
	return f.text, agree(f.text, f.typed)
}

// firstLine offers the first complete line to the waiting callers.
func (f *inflight) firstLine(c Completion) {
	f.mu.Lock()
	wasOffered, late := f.lineDone, f.callers.late
	if !wasOffered {
		f.lineDone, f.first = true, &c
		close(f.on.line)
	}
	f.mu.Unlock()
	if !wasOffered && late && f.wants.onLine != nil {
		f.wants.onLine()
	}
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
	if !f.sent {
		f.sent = true
		f.pauseOver()
	}
	if !f.lineDone {
		f.lineDone = true
		close(f.on.line)
	}
	if f.text == "" {
		close(f.on.begins)
	}
	close(f.on.done) // before a caller that f.on.line has woken can look at the result
	f.mu.Unlock()
}

// markLate records that a caller was answered without it.
func (f *inflight) markLate() {
	f.mu.Lock()
	f.callers.late = true
	f.mu.Unlock()
}

// isLate reports whether a caller was answered before the whole answer was there.
func (f *inflight) isLate() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.callers.late
}

// A result is what a request has so far.
type result struct {
	items   []*suggestion
	reason  string
	pending bool // there may be more
}

// result returns the current result: all of it, or the first line with pending set,
// without what the user has typed of it since. A caller that gets less than all is
// answered early.
func (f *inflight) result() (out result) {
	f.mu.Lock()
	defer f.mu.Unlock()
	found := f.items
	select {
	case <-f.on.done:
	default:
		f.callers.late = true
		if f.first == nil {
			return result{pending: true}
		}
		found, out.pending = []Completion{*f.first}, true
	}
	for _, c := range found {
		if t := f.followed(c); !t.ended && t.rest() != "" {
			out.items = append(out.items, t)
		}
	}
	out.reason = f.reason
	return out
}

// followed is a suggestion of the request after what the user has typed since; f.mu is held.
func (f *inflight) followed(c Completion) *suggestion {
	t := newSuggestion(c, f.start)
	for _, e := range f.edits {
		t.follow(e)
	}
	return t
}

// sure reports whether the model takes what is left of its answer, or of the first line, for
// nearly certain.
func (f *inflight) sure() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	answer := f.first
	if len(f.items) > 0 {
		answer = &f.items[0]
	}
	if answer == nil {
		return false
	}
	t := f.followed(*answer)
	return !t.ended && t.sure()
}
