package model

import (
	"sync"
	"time"
)

// A Server is what a model's server says of itself. Zero fields were not said.
type Server struct {
	Loaded        string // the model that answers whatever is asked for: its name or its file
	ContextWindow int    // tokens of one request, its answer included
	Slots         int    // requests that it works on at once
}

// A Speed is what a server did for one answer and how long it took. Zero is not known.
type Speed struct {
	Evaluated   int // tokens of the prompt that were not in the server's cache
	EvaluatedIn time.Duration
	Written     int // tokens of the answer
	WrittenIn   time.Duration
}

// A Rate is how fast a server is, in tokens a second; 0 is not known.
type Rate struct {
	Evaluated float64 // of a prompt, without what is cached
	Written   float64
}

// Rates are how fast the models of servers are, by what was measured. The newest count most.
type Rates struct {
	mu    sync.Mutex // guards byKey
	byKey map[string]*measured
}

// A measured is what one model of one server did in which time, decayed.
type measured struct{ evaluated, written work }

type work struct{ tokens, seconds float64 }

// Bounds on measurements. With fewer tokens a request's fixed costs are most of the time.
const (
	leastEvaluated = 32
	leastWritten   = 4
	mostRate       = 1e6
	olderWeight    = 0.8 // of what was measured before, at each new measurement
	restoredTokens = 256 // what a rate from before counts, against what is measured now
)

// Note takes in what a server did.
func (r *Rates) Note(key string, s Speed) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.of(key)
	m.evaluated.add(s.Evaluated, s.EvaluatedIn, leastEvaluated)
	m.written.add(s.Written, s.WrittenIn, leastWritten)
}

// Of is what is known of a model; zero is not known.
func (r *Rates) Of(key string) Rate {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.byKey[key]; m != nil {
		return m.rate()
	}
	return Rate{}
}

// Snapshot is all that is known, to be kept until the next start.
func (r *Rates) Snapshot() map[string]Rate {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := map[string]Rate{}
	for key, m := range r.byKey {
		if rate := m.rate(); rate != (Rate{}) {
			out[key] = rate
		}
	}
	return out
}

// Restore takes in what an earlier Snapshot has kept. What was measured since stays.
func (r *Rates) Restore(kept map[string]Rate) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for key, rate := range kept {
		m := r.of(key)
		m.evaluated.restore(rate.Evaluated)
		m.written.restore(rate.Written)
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

func (w *work) add(tokens int, took time.Duration, least int) {
	if tokens < least || took <= 0 || float64(tokens)/took.Seconds() > mostRate {
		return
	}
	w.tokens = w.tokens*olderWeight + float64(tokens)
	w.seconds = w.seconds*olderWeight + took.Seconds()
}

func (w *work) restore(rate float64) {
	if w.tokens == 0 && rate > 0 && rate <= mostRate {
		w.tokens, w.seconds = restoredTokens, restoredTokens/rate
	}
}

func (w *work) rate() float64 {
	if w.seconds == 0 {
		return 0
	}
	return w.tokens / w.seconds
}
