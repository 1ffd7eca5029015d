package model

import (
	"math"
	"sync"
	"time"
)

// A Server is what a model's server says of itself. Zero fields were not said.
type Server struct {
	Own           bool   // it is the user's: it costs nothing, and its speed is what there is to wait for
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
}

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

// A measured is the rate of one model of one server, and what was last kept of it.
type measured struct{ rate, kept Rate }

// Bounds on measurements. With fewer tokens a request's fixed costs are most of the time.
const (
	leastEvaluated = 32
	leastWritten   = 4
	mostRate       = 1e6
)

// How far a rate follows a measurement. Other work of the machine makes a server look slower
// than it is, at the start above all, when tandem itself reads the workspace, and nothing makes
// it look faster but a mistaken count.
const (
	followsFaster = 0.5
	followsSlower = 0.2
	mostFaster    = 2 // times the rate, as one measurement counts
)

// Note takes in what a server did. changed is true where the rate is worth keeping until the
// next start: it is new, or has changed by a tenth.
func (r *Rates) Note(key string, s Speed) (rate Rate, changed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.of(key)
	follow(&m.rate.Evaluated, s.Evaluated, s.EvaluatedIn, leastEvaluated, s.Shared)
	follow(&m.rate.Written, s.Written, s.WrittenIn, leastWritten, s.Shared)
	rate = m.rate
	if changed = differs(rate.Evaluated, m.kept.Evaluated) || differs(rate.Written, m.kept.Written); changed {
		m.kept = rate
	}
	return rate, changed
}

func differs(rate, kept float64) bool { return math.Abs(rate-kept) > kept/10 }

// Of is what is known of a model; zero is not known.
func (r *Rates) Of(key string) Rate {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.byKey[key]; m != nil {
		return m.rate
	}
	return Rate{}
}

// Restore takes in what was kept before. What was measured since stays.
func (r *Rates) Restore(kept map[string]Rate) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for key, rate := range kept {
		m := r.of(key)
		restore(&m.rate.Evaluated, rate.Evaluated)
		restore(&m.rate.Written, rate.Written)
		m.kept = rate
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

// follow takes in so many tokens in that time. What a server did for one of several requests at
// once says how fast it is at least, which is nothing where nothing is known.
func follow(rate *float64, tokens int, took time.Duration, least int, shared bool) {
	now := float64(tokens) / took.Seconds()
	switch {
	case tokens < least || took <= 0 || now > mostRate || shared && (*rate == 0 || now <= *rate):
	case *rate == 0:
		*rate = now
	case now > *rate:
		*rate += (min(now, *rate*mostFaster) - *rate) * followsFaster
	default:
		*rate += (now - *rate) * followsSlower
	}
}

func restore(rate *float64, kept float64) {
	if *rate == 0 && kept > 0 && kept <= mostRate {
		*rate = kept
	}
}
