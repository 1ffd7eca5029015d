package provider

import (
	"cmp"
	"sync"
	"time"

	"tandem/model"
)

// A timing is what is known of how fast a server answered one request.
type timing struct {
	reported    model.Speed // by the server
	usage       model.Usage
	bodyBytes   int     // of the request
	newShare    float64 // the part of the body that the request before it did not begin with
	sent        time.Time
	first, last time.Time // text
	isLate      bool      // it did not come in time
}

// text notes that text has come.
func (t *timing) text() {
	t.last = time.Now()
	if t.first.IsZero() {
		t.first = t.last
	}
}

// What says something by the clock: the network and what a request has besides its prompt
// count less then.
const (
	leastByClock    = 128 // tokens
	shortestByClock = 200 * time.Millisecond
)

// bytesPerToken is a usual number for code, for servers that count nothing.
const bytesPerToken = 4

// speed is what the server did and in which time: as it says, else by the clock. What a
// server has cached, and does not say, is what the request before this one began with. A
// server that was too late is at most so fast as if it had just been ready.
func (t *timing) speed(textBytes int) model.Speed {
	s := t.reported
	if t.isLate && t.first.IsZero() {
		t.first = time.Now()
		t.last = t.first
	}
	if t.first.IsZero() || t.sent.IsZero() {
		return s
	}
	if s.Evaluated == 0 {
		tokens := float64(t.bodyBytes) / bytesPerToken
		if t.usage.Known {
			tokens = float64(t.usage.Input)
		}
		if s.Evaluated = int(tokens * t.newShare); t.usage.Cached > 0 {
			s.Evaluated = t.usage.Input - t.usage.Cached
		}
		if s.Evaluated < leastByClock {
			s.Evaluated = 0
		}
	}
	s.EvaluatedIn = cmp.Or(s.EvaluatedIn, t.first.Sub(t.sent))
	if s.Written == 0 && t.last.Sub(t.first) >= shortestByClock {
		s.Written = cmp.Or(t.usage.Output, textBytes/bytesPerToken)
	}
	s.WrittenIn = cmp.Or(s.WrittenIn, t.last.Sub(t.first))
	return s
}

// A load counts the requests that a client's server works on. The zero value has none.
type load struct {
	mu              sync.Mutex // guards all
	running, begun  int
	lastInterrupted time.Time // when the last one ended whose prompt was being read
}

// finishing is how long a server may go on with a prompt that nobody waits for any more:
// llama.cpp's looks for that between batches, and the prompt of a key is less than one.
const finishing = 3 * time.Second

// begin notes a request. The caller ends it, once, and learns whether another one ran meanwhile;
// interrupted: while its prompt was read.
func (l *load) begin() (end func(interrupted bool) (shared bool)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	others := l.running > 0 || !l.lastInterrupted.IsZero() && time.Since(l.lastInterrupted) < finishing
	l.running++
	l.begun++
	begun := l.begun
	return func(interrupted bool) bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.running--
		if interrupted {
			l.lastInterrupted = time.Now()
		}
		return others || l.begun > begun
	}
}
