package model

import (
	"math"
	"slices"
	"sync"
	"time"
)

// A Server is what is known of a model's server, most of it from itself. Zero fields are not known.
type Server struct {
	Own           bool   // it is the user's: it costs nothing, and its speed is what there is to wait for
	Loaded        string // the model that answers whatever is asked for: its name or its file
	ContextWindow int    // tokens of one request, its answer included
	Slots         int    // requests that it works on at once
	Measured      int    // times that its reading was measured since the start
}

// A Speed is what a server did for one answer and how long it took. Zero is not known.
type Speed struct {
	Evaluated   int // tokens of the prompt that were not in the server's cache
	EvaluatedIn time.Duration
	Written     int // tokens of the answer
	WrittenIn   time.Duration
	Shared      bool // it worked on another request meanwhile: alone it would have been as fast or faster
}

// A Rate is how fast a server is, in tokens a second; 0 is not known.
type Rate struct {
	Evaluated float64 // of a prompt, without what is cached
	Written   float64
}

// InTime is what a server does in the time that a person waits for a suggestion. 0 is any
// number.
type InTime struct {
	Window int           // tokens of a window that it has nothing of
	Key    int           // tokens that are new to it at a key
	Lines  int           // of a suggestion
	Wait   time.Duration // to expect after a key
	Own    bool          // it is the user's
	Slow   bool          // a line and a short suffix take it longer
	Off    bool          // so surely that it is not asked while the user types
}

// Bounds of what is asked for while a person waits.
const (
	MostLines   = 40              // of a suggestion: nobody reads more than a screenful
	lineTokens  = 8               // of a line that is suggested
	LeastKey    = 64              // tokens of a line and of a short suffix
	writingTime = 2 * time.Second // for a block, of which the first line is read meanwhile
	ReadingTime = 3 * time.Second // for a place that the cursor has come to
)

// InTime is what the model's server does where a person waits so long after a key. All of it
// follows from its measured speed.
func (m ModelConfig) InTime(wait time.Duration) InTime {
	out, r, seconds := InTime{Lines: MostLines, Own: m.Server.Own}, m.Rate, wait.Seconds()
	if m.Server.Own {
		out.Window, out.Key = LeastKey, LeastKey // until its speed is known
	}
	if r.Evaluated > 0 {
		out.Slow = seconds*r.Evaluated < LeastKey
		out.Off = out.Slow && (m.Server.Measured >= sureMeasured || 2*seconds*r.Evaluated < LeastKey)
		out.Window = int(ReadingTime.Seconds() * r.Evaluated)
	}
	if r.Written > 0 {
		out.Lines = max(min(int(writingTime.Seconds()*r.Written)/lineTokens, MostLines), 1)
		seconds -= lineTokens / r.Written
	}
	if r.Evaluated > 0 {
		out.Key = max(int(math.Round(seconds*r.Evaluated)), LeastKey/2)
		read := min(out.Key, LeastKey)
		if out.Slow {
			read = LeastKey
		}
		out.Wait = wait - time.Duration((seconds-float64(read)/r.Evaluated)*float64(time.Second))
	}
	return out
}

// Rates are how fast the models of servers are, by what was measured.
type Rates struct {
	mu    sync.Mutex // guards byKey
	byKey map[string]*measured
}

// A measured is what is known of one model of one server, and what was last stored of it.
type measured struct {
	evaluated, written history
	stored             Rate
}

// A history is what was measured, the newest last, and the rate of an earlier start. Other work
// of the machine makes a server look slower than it is, at a start above all, when tandem itself
// reads the workspace; a count may be wrong. So no single measurement decides.
type history struct {
	before float64
	last   []float64
}

// Bounds on measurements. With fewer tokens a request's fixed costs are most of the time.
const (
	leastEvaluated = 32
	leastWritten   = 4
	mostRate       = 1e6
	mostMeasured   = 5 // that are kept
	// At a start, when tandem itself reads the workspace, a server looks half as fast as it is.
	sureMeasured = 3
)

// Note takes in what a server did. changed is true where the rate is worth keeping until the
// next start: it is new, or has changed by a tenth.
func (r *Rates) Note(key string, s Speed) (rate Rate, changed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.of(key)
	m.evaluated.add(s.Evaluated, s.EvaluatedIn, leastEvaluated, s.Shared)
	m.written.add(s.Written, s.WrittenIn, leastWritten, s.Shared)
	rate = m.rate()
	if changed = differs(rate.Evaluated, m.stored.Evaluated) || differs(rate.Written, m.stored.Written); changed {
		m.stored = rate
	}
	return rate, changed
}

func differs(rate, stored float64) bool { return math.Abs(rate-stored) > stored/10 }

// Of is what is known of a model, zero where nothing is, and how often the reading of its
// server was measured since the start, at most five.
func (r *Rates) Of(key string) (rate Rate, measured int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.byKey[key]; m != nil {
		return m.rate(), len(m.evaluated.last)
	}
	return Rate{}, 0
}

// Restore takes in what was stored before. What was measured since stays.
func (r *Rates) Restore(stored map[string]Rate) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for key, rate := range stored {
		m := r.of(key)
		m.evaluated.restore(rate.Evaluated)
		m.written.restore(rate.Written)
		m.stored = rate
	}
}

// of is the entry of a key, made if needed. The caller holds r.mu.
func (r *Rates) of(key string) *measured {
	m := r.byKey[key]
	if m == nil {
		m = &measured{}
		if r.byKey == nil {
			r.byKey = map[string]*measured{}
		}
		r.byKey[key] = m
	}
	return m
}

func (m *measured) rate() Rate { return Rate{m.evaluated.rate(), m.written.rate()} }

// add takes in so many tokens in that time. What a server did for one of several requests at
// once says how fast it is at least, which is nothing where nothing is known.
func (h *history) add(tokens int, took time.Duration, least int, shared bool) {
	now, before := float64(tokens)/took.Seconds(), h.rate()
	if tokens < least || took <= 0 || now > mostRate || shared && (before == 0 || now <= before) {
		return
	}
	h.last = append(h.last, now)
	h.last = h.last[max(len(h.last)-mostMeasured, 0):]
}

func (h *history) restore(rate float64) {
	if len(h.last) == 0 && rate > 0 && rate <= mostRate {
		h.before = rate
	}
}

// rate is the median of what was measured, the faster one of two; what was measured once counts
// as much as what was known before.
func (h *history) rate() float64 {
	switch {
	case len(h.last) == 0:
		return h.before
	case len(h.last) == 1 && h.before > 0:
		return 2 / (1/h.before + 1/h.last[0])
	}
	return slices.Sorted(slices.Values(h.last))[len(h.last)/2]
}
