package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// How long a request may take in all, where neither its model nor its provider
// says it. What a person waits for while typing is given up first.
const (
	inlineTimeout = 10 * time.Second
	fastTimeout   = time.Minute
	deepTimeout   = 30 * time.Minute
)

// requestTimeout is how long a request may take from its start to its end,
// waiting for its turn and every attempt included.
func requestTimeout(lane Lane, req *Request, m ModelConfig, p ProviderConfig) time.Duration {
	for _, set := range []time.Duration{m.RequestTimeout, p.RequestTimeout} {
		if set > 0 {
			return set
		}
	}
	slack := req.Deadline.Slack
	switch {
	case !explicit(req.Purpose):
		return inlineTimeout + slack
	case lane == Deep:
		return deepTimeout
	}
	return fastTimeout + slack
}

// What a server of the user's may need besides what others do. It may be reading another
// prompt, of which it reads so much at once, or have to load the model; and until its speed
// is known, it may be slow.
const (
	readAtOnce  = 2048 // tokens
	loadingTime = 10 * time.Second
	unknownRate = 50
)

// slack is how much longer a request to the model may take than elsewhere: nothing ends that
// would have come.
func (c *channel) slack(rates *Rates, tokens int) time.Duration {
	if !c.provider.Plain() {
		return 0
	}
	rate, _ := rates.Of(c.rateKey())
	return loadingTime + time.Duration(float64(tokens+readAtOnce)/cmp.Or(rate.Evaluated, unknownRate)*float64(time.Second))
}

// bounded is ctx until the call's total deadline. Its cause is then the error
// of the call.
func (c *call) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	cfg := c.channel.config
	limit := requestTimeout(c.lane, c.req, cfg, c.channel.provider)
	return context.WithTimeoutCause(ctx, limit, &Error{Code: CodeTimeout, Provider: cfg.Provider, Model: cfg.Name, Err: context.DeadlineExceeded,
		Message: fmt.Sprintf("Ask for less, or raise request_timeout_ms in [models.%s]: the answer did not end within %v.", cfg.Name, limit)})
}

// overdue is the error of a call whose total deadline is over, or nil.
func overdue(ctx context.Context) *Error {
	late, ok := errors.AsType[*Error](context.Cause(ctx))
	if ctx.Err() == nil || !ok {
		return nil
	}
	own := *late
	return &own
}

// MaxWait is how long a server may ask a request of a purpose to wait before the request
// fails instead.
func MaxWait(p Purpose) time.Duration {
	if explicit(p) {
		return time.Minute
	}
	return 8 * time.Second
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
