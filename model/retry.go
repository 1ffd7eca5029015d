package model

import "time"

// A RetryRule is how one class of error is retried while nothing of the answer has
// been delivered. After text was delivered, nothing is sent again.
type RetryRule struct {
	Attempts int           // further requests at most
	Base     time.Duration // wait before the first of them; doubles each time
	Server   bool          // the server's own RetryAfter applies
}

// retryRules is the policy for every provider. A code that is not listed is not
// retried: a retry does not solve a wrong key, a used quota or a refusal.
var retryRules = map[Code]RetryRule{
	CodeServer:      {Attempts: 2, Base: 500 * time.Millisecond},
	CodeOverloaded:  {Attempts: 2, Base: 500 * time.Millisecond, Server: true},
	CodeRateLimit:   {Attempts: 1, Base: time.Second, Server: true},
	CodeUnreachable: {Attempts: 1, Base: 200 * time.Millisecond},
	CodeInterrupted: {Attempts: 1},
	CodeProtocol:    {Attempts: 1},
	CodeParameter:   {Attempts: 1}, // without the refused parameter
}

// maxWait is how long a server may ask each purpose to wait before the request
// fails instead.
func maxWait(p Purpose) time.Duration {
	switch p {
	case Complete, NextEdit:
		return 8 * time.Second
	}
	return time.Minute
}

// Retry decides whether a request that failed is sent again, and after how
// long. tries counts the requests so far; jitter is a random number in [0, 1)
// that takes up to a quarter off the wait, so that many clients do not return
// together.
func Retry(failed *Error, p Purpose, tries int, jitter float64) (wait time.Duration, again bool) {
	rule := retryRules[failed.Code]
	if failed.Delivered || tries > rule.Attempts {
		return 0, false
	}
	wait = rule.Base << (tries - 1)
	wait -= time.Duration(float64(wait) * jitter / 4)
	if rule.Server && failed.RetryAfter > 0 {
		wait = failed.RetryAfter
	}
	return wait, wait <= maxWait(p)
}

// DefaultDeadlines returns the time limits of a stream's phases for a purpose. A
// request that a person waits for is given up early; a background one is not.
func DefaultDeadlines(p Purpose) Deadlines {
	switch p {
	case Complete, NextEdit:
		return Deadlines{Connect: 3 * time.Second, FirstByte: 5 * time.Second, Stall: 3 * time.Second}
	case Task:
		return Deadlines{Connect: 10 * time.Second, FirstByte: time.Minute, Stall: 2 * time.Minute}
	}
	return Deadlines{Connect: 3 * time.Second, FirstByte: 15 * time.Second, Stall: 10 * time.Second}
}
