package model

import (
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Figures of the limiter of every model.
const (
	breakAfter       = 3                      // failures in a row that open the breaker
	breakFirst       = 5 * time.Second        // how long it stays open the first time; doubles
	breakMost        = 2 * time.Minute        //
	unreachable      = 30 * time.Second       // longest time without a request to a host that cannot be reached; the first is breakFirst
	maxAutomaticWait = 250 * time.Millisecond // how long a request made while typing waits for the rate limit
	backoffAt        = 80.0                   // percent used above which automatic requests wait twice as long
	explicitAt       = 95.0                   // percent used above which only explicit requests are sent
	keyAgain         = 10 * time.Second       // after this a key that was missing is looked for again
)

// A limiter decides whether a request to one model may be sent now. It is a rate
// limiter and a circuit breaker. Its inputs are the limits that the server reports
// and how requests end.
type limiter struct {
	mu       sync.Mutex // guards all below
	requests *rate.Limiter
	tokens   *rate.Limiter
	used     float64 // percent of the plan
	usedEnds time.Time

	blockedBy *Error    // why requests are refused, or nil
	until     time.Time // zero: until a request the user makes succeeds
	trouble   *Error    // what the server answered last, if it failed; requests are still sent
	failures  int       // in a row
	opened    int       // how often the breaker has opened since a success
	probing   bool      // one request tests whether the server works again
}

// explicit reports whether the user waits for the answer. Such a request may be
// sent even when automatic requests may not.
func explicit(p Purpose) bool { return p != Complete && p != NextEdit }

// admit returns how long the request has to wait, or why it may not be sent. The
// caller of an admitted request calls done or release.
func (lim *limiter) admit(now time.Time, p Purpose, tokens int) (time.Duration, *Error) {
	lim.mu.Lock()
	defer lim.mu.Unlock()
	if err := lim.refuse(now, p); err != nil {
		return 0, err
	}
	wait, most := lim.reserve(now, tokens), maxAutomaticWait
	if explicit(p) {
		most = MaxWait(p)
	}
	if wait > most {
		lim.probing = false
		return 0, &Error{Code: CodeRateLimit, RetryAfter: wait,
			Message: fmt.Sprintf("Try again in %s: the server's rate limit is used up until then.", roughly(wait))}
	}
	return wait, nil
}

// refuse returns why this request is refused, or nil. The first request after the
// time is over, or one that the user makes, is admitted as a probe.
func (lim *limiter) refuse(now time.Time, p Purpose) *Error {
	if lim.blockedBy == nil {
		return nil
	}
	over := !lim.until.IsZero() && !now.Before(lim.until)
	asks := explicit(p) && (lim.blockedBy.Code != CodeQuota || lim.until.IsZero())
	if lim.probing || !over && !asks {
		e := *lim.blockedBy
		if !lim.until.IsZero() {
			e.RetryAfter = max(0, lim.until.Sub(now))
		}
		return &e
	}
	lim.probing = true
	return nil
}

// reserve takes a request and its tokens out of the buckets and returns how long it
// has to wait for them. If the wait is too long, it takes nothing.
func (lim *limiter) reserve(now time.Time, tokens int) time.Duration {
	var wait time.Duration
	var reservations []*rate.Reservation
	for _, b := range []struct {
		bucket *rate.Limiter
		n      int
	}{{lim.requests, 1}, {lim.tokens, tokens}} {
		if b.bucket == nil {
			continue
		}
		r := b.bucket.ReserveN(now, min(b.n, b.bucket.Burst()))
		reservations = append(reservations, r)
		wait = max(wait, r.DelayFrom(now))
	}
	if wait > maxAutomaticWait {
		for _, r := range reservations {
			r.CancelAt(now)
		}
	}
	return wait
}

// limits records the limits that the server reported.
func (lim *limiter) limits(now time.Time, l Limits) {
	lim.mu.Lock()
	defer lim.mu.Unlock()
	if l.Requests.Known {
		lim.requests = bucket(now, l.Requests)
	}
	if l.Tokens.Known {
		lim.tokens = bucket(now, l.Tokens)
	}
	if l.UsedKnown {
		lim.used, lim.usedEnds = l.UsedPercent, l.ResetsAt
	}
}

// bucket returns a token bucket in the state that the server reported: it holds
// what remains and is full again at the time of the reset.
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

// release ends an admitted request that showed nothing about the server.
func (lim *limiter) release() {
	lim.mu.Lock()
	lim.probing = false
	lim.mu.Unlock()
}

// done records how an admitted request ended: nil is success.
func (lim *limiter) done(now time.Time, err *Error) {
	lim.mu.Lock()
	defer lim.mu.Unlock()
	lim.probing = false
	switch {
	case err == nil:
		lim.blockedBy, lim.trouble, lim.until, lim.failures, lim.opened = nil, nil, time.Time{}, 0, 0
	case err.Code == CodeAuth, err.Code == CodeForbidden, err.Code == CodeNotFound:
		lim.block(err, time.Time{})
	case err.Code == CodeNotConfigured:
		lim.block(err, now.Add(keyAgain))
	case err.Code == CodeQuota:
		until := err.ResetsAt
		if !until.After(now) {
			until = time.Time{} // nobody knows when: it is asked again when the user asks
		}
		lim.block(err, until)
	case err.Code == CodeRateLimit && err.RetryAfter > 0:
		lim.block(err, now.Add(err.RetryAfter))
	case err.Code == CodeUnreachable, err.Code == CodeTLS, err.Code == CodeProxy:
		lim.trouble = err // when the time is over, it is still not known to be reachable
		lim.open(now, err, unreachable)
	case countsAgainst(err.Code):
		lim.fail(now, err)
	}
}

// countsAgainst reports whether an error shows a fault of the server.
func countsAgainst(c Code) bool {
	switch c {
	case CodeServer, CodeOverloaded, CodeTimeout, CodeProtocol, CodeInterrupted, CodeRateLimit:
		return true
	}
	return false
}

func (lim *limiter) fail(now time.Time, err *Error) {
	lim.failures++
	lim.trouble = err
	if lim.failures < breakAfter && lim.opened == 0 {
		return
	}
	lim.open(now, err, breakMost)
}

// open opens the breaker: each time for twice as long, and for most at the longest.
func (lim *limiter) open(now time.Time, err *Error, most time.Duration) {
	lim.block(err, now.Add(min(breakFirst<<min(lim.opened, 8), most)))
	lim.opened++
}

// failing records a fault of the server in a request that goes on.
func (lim *limiter) failing(err *Error) {
	lim.mu.Lock()
	defer lim.mu.Unlock()
	lim.trouble = err
}

// keysChanged forgets that a key was missing or refused.
func (lim *limiter) keysChanged() {
	lim.mu.Lock()
	defer lim.mu.Unlock()
	if lim.blockedBy != nil && stateFor(lim.blockedBy.Code) == LaneDisabled {
		lim.blockedBy, lim.until = nil, time.Time{}
	}
}

func (lim *limiter) block(err *Error, until time.Time) { lim.blockedBy, lim.until = err, until }

// usage returns the percentage of the plan's window that is used, and when the
// window ends.
func (lim *limiter) usage(now time.Time) (float64, time.Time) {
	lim.mu.Lock()
	defer lim.mu.Unlock()
	if !lim.usedEnds.IsZero() && !now.Before(lim.usedEnds) {
		return 0, time.Time{}
	}
	return lim.used, lim.usedEnds
}

// blocked returns why requests are refused now, and until when; nil if they are not. A
// missing key is missing until a request has one.
func (lim *limiter) blocked(now time.Time) (*Error, time.Time) {
	lim.mu.Lock()
	defer lim.mu.Unlock()
	if lim.blockedBy == nil || !lim.until.IsZero() && !now.Before(lim.until) && lim.blockedBy.Code != CodeNotConfigured {
		return nil, time.Time{}
	}
	return lim.blockedBy, lim.until
}

// roughly formats a duration for a person.
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
