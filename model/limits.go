package model

import (
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Figures of the gate in front of every model.
const (
	breakAfter    = 3                      // failures in a row that open the breaker
	breakFirst    = 5 * time.Second        // how long it stays open the first time; doubles
	breakMost     = 2 * time.Minute        //
	unreachable   = 30 * time.Second       // how long a host that cannot be reached is left alone
	patience      = 250 * time.Millisecond // how long a request made while typing waits for its turn
	stretchAt     = 80.0                   // percent used from which automatic requests come half as often
	explicitAt    = 95.0                   // percent used from which only explicit requests are made
	quotaFallback = 5 * time.Minute        // a quota without a reset time is asked about again after this
)

// A gate decides whether a request to one model may leave now. It is fed by
// what the server says of its limits and by how requests end.
type gate struct {
	mu       sync.Mutex // guards all below
	requests *rate.Limiter
	tokens   *rate.Limiter
	used     float64 // percent of the plan
	usedEnds time.Time
	pool     string

	closed   *Error    // why requests are turned away, or nil
	until    time.Time // zero: until a request the user makes succeeds
	failures int       // in a row
	opened   int       // how often the breaker has opened since a success
	probing  bool      // one request is finding out whether it works again
}

// explicit reports whether the user is waiting for the answer, who may ask
// even where tandem itself holds back.
func explicit(p Purpose) bool { return p != Complete && p != NextEdit }

// admit reports how long the request has to wait, or why it may not leave.
// Whoever was admitted calls done.
func (g *gate) admit(now time.Time, p Purpose, tokens int) (time.Duration, *Error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.refuse(now, p); err != nil {
		return 0, err
	}
	wait := g.reserve(now, tokens)
	if most := maxPatience(p); wait > most {
		g.probing = false
		return 0, &Error{Code: CodeRateLimit, RetryAfter: wait,
			Message: fmt.Sprintf("The server's rate limit is used up for %s; try again then.", roughly(wait))}
	}
	return wait, nil
}

func maxPatience(p Purpose) time.Duration {
	if explicit(p) {
		return maxWait(p)
	}
	return patience
}

// refuse is why the gate is closed to this request. The first one after the
// time is over, or one that the user makes, goes through as a probe.
func (g *gate) refuse(now time.Time, p Purpose) *Error {
	if g.closed == nil {
		return nil
	}
	over := !g.until.IsZero() && !now.Before(g.until)
	asks := explicit(p) && g.closed.Code != CodeQuota
	if g.probing || !over && !asks {
		e := *g.closed
		if !g.until.IsZero() {
			e.RetryAfter = max(0, g.until.Sub(now))
		}
		return &e
	}
	g.probing = true
	return nil
}

// reserve takes a request and its tokens out of the buckets and returns how
// long it has to wait for them; a wait that is too long takes nothing.
func (g *gate) reserve(now time.Time, tokens int) time.Duration {
	var wait time.Duration
	var taken []*rate.Reservation
	for _, b := range []struct {
		bucket *rate.Limiter
		n      int
	}{{g.requests, 1}, {g.tokens, tokens}} {
		if b.bucket == nil {
			continue
		}
		r := b.bucket.ReserveN(now, min(b.n, b.bucket.Burst()))
		taken = append(taken, r)
		wait = max(wait, r.DelayFrom(now))
	}
	if wait > patience {
		for _, r := range taken {
			r.CancelAt(now)
		}
	}
	return wait
}

// limits notes what the server said.
func (g *gate) limits(now time.Time, l Limits) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if l.Requests.Known {
		g.requests = bucket(now, l.Requests)
	}
	if l.Tokens.Known {
		g.tokens = bucket(now, l.Tokens)
	}
	if l.UsedKnown {
		g.used, g.usedEnds = l.UsedPercent, l.ResetsAt
	}
	if l.Pool != "" {
		g.pool = l.Pool
	}
}

// bucket is a limiter in the state that the server described: it holds what
// remains and fills up to the limit by the time of the reset.
func bucket(now time.Time, a Allowance) *rate.Limiter {
	if a.Limit <= 0 {
		return nil
	}
	missing := max(0, a.Limit-a.Remaining)
	perSecond := rate.Inf
	if a.Reset > 0 && missing > 0 {
		perSecond = rate.Limit(float64(missing) / a.Reset.Seconds())
	}
	l := rate.NewLimiter(perSecond, a.Limit)
	l.AllowN(now, missing)
	return l
}

// release ends an admitted request that told nothing about the server.
func (g *gate) release() {
	g.mu.Lock()
	g.probing = false
	g.mu.Unlock()
}

// done notes how an admitted request ended: nil is well.
func (g *gate) done(now time.Time, err *Error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.probing = false
	switch {
	case err == nil:
		g.closed, g.until, g.failures, g.opened = nil, time.Time{}, 0, 0
	case err.Code == CodeAuth, err.Code == CodeForbidden, err.Code == CodeNotFound:
		g.close(err, time.Time{})
	case err.Code == CodeQuota:
		until := err.ResetsAt
		if !until.After(now) {
			until = now.Add(quotaFallback)
		}
		g.close(err, until)
	case err.Code == CodeRateLimit && err.RetryAfter > 0:
		g.close(err, now.Add(err.RetryAfter))
	case err.Code == CodeUnreachable, err.Code == CodeTLS, err.Code == CodeProxy:
		g.close(err, now.Add(unreachable))
	case countsAgainst(err.Code):
		g.fail(now, err)
	}
}

// countsAgainst reports whether an error says that the server is not well.
func countsAgainst(c Code) bool {
	switch c {
	case CodeServer, CodeOverloaded, CodeTimeout, CodeProtocol, CodeInterrupted, CodeRateLimit:
		return true
	}
	return false
}

func (g *gate) fail(now time.Time, err *Error) {
	g.failures++
	if g.failures < breakAfter && g.opened == 0 {
		return
	}
	g.close(err, now.Add(min(breakFirst<<min(g.opened, 8), breakMost)))
	g.opened++
}

func (g *gate) close(err *Error, until time.Time) { g.closed, g.until = err, until }

// Stretch is how many times longer than usual automatic requests wait: 1, 2,
// or 0 when only explicit ones may be made.
func (g *gate) stretch(now time.Time) float64 {
	used, _ := g.usage(now)
	return stretchFor(used)
}

func stretchFor(usedPercent float64) float64 {
	switch {
	case usedPercent > explicitAt:
		return 0
	case usedPercent > stretchAt:
		return 2
	}
	return 1
}

// usage is the percentage of the plan's window that is used, and when it ends.
func (g *gate) usage(now time.Time) (float64, time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.usedEnds.IsZero() && !now.Before(g.usedEnds) {
		return 0, time.Time{}
	}
	return g.used, g.usedEnds
}

// shut is why the gate is closed now, and until when; nil when it is open.
func (g *gate) shut(now time.Time) (*Error, time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed == nil || !g.until.IsZero() && !now.Before(g.until) {
		return nil, time.Time{}
	}
	return g.closed, g.until
}

// roughly writes a duration as a person says it.
func roughly(d time.Duration) string {
	switch {
	case d < 2*time.Second:
		return "a second"
	case d < 2*time.Minute:
		return fmt.Sprintf("%d seconds", int(d.Round(time.Second).Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d minutes", int(d.Round(time.Minute).Minutes()))
	}
	return fmt.Sprintf("%d hours", int(d.Round(time.Hour).Hours()))
}
