package model

import (
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
	for _, set := range []time.Duration{req.Deadline.Total, m.RequestTimeout, p.RequestTimeout} {
		if set > 0 {
			return set
		}
	}
	switch {
	case !explicit(req.Purpose):
		return inlineTimeout
	case lane == Deep:
		return deepTimeout
	}
	return fastTimeout
}

// bounded is ctx until the call's total deadline. Its cause is then the error
// of the call.
func (c *call) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	cfg := c.channel.config
	limit := requestTimeout(c.lane, c.req, cfg, c.channel.provider)
	return context.WithTimeoutCause(ctx, limit, &Error{Code: CodeTimeout, Provider: cfg.Provider, Model: cfg.Name, Err: context.DeadlineExceeded,
		Message: fmt.Sprintf("%s did not end its answer within %v; ask for less, or raise request_timeout_ms in [models.%s].", cfg.Name, limit, cfg.Name)})
}

// overdue is the error of a call whose total deadline is over, or nil.
func overdue(ctx context.Context) *Error {
	var late *Error
	if ctx.Err() == nil || !errors.As(context.Cause(ctx), &late) {
		return nil
	}
	own := *late
	return &own
}
