package model

import (
	"context"
	"slices"
)

// A Steerer is a Client that can add a message to a running request. It returns the
// stream of the rest of the answer; the running stream ends as steered. ok is false
// if the server does not support it.
type Steerer interface {
	Steer(ctx context.Context, requestID, text string) (next Stream, ok bool)
}

// Steer adds the user's message to a running request if its server supports that,
// and accounts for the rest of the answer like for a request. If it does not, ok is
// false: cancel and send a new request with the message.
func (l *Lanes) Steer(ctx context.Context, requestID, text string) (next Stream, ok bool) {
	l.mu.Lock()
	running := l.calls[requestID]
	l.mu.Unlock()
	if running == nil {
		return nil, false
	}
	steerer, ok := running.channel.client.(Steerer)
	if !ok {
		return nil, false
	}
	stream, ok := steerer.Steer(ctx, requestID, visible(text))
	if !ok {
		return nil, false
	}
	req := *running.req
	req.Input = append(slices.Clone(req.Input), Message{Role: "user", Text: text})
	return func(yield func(Delta, error) bool) {
		c := l.begin(running.lane, running.channel, &req)
		c.sent = dispatch{bodies: 1, held: true} // with the request that was steered
		ctx, done := c.bounded(ctx)
		defer done()
		if c.channel.acquire(ctx) != nil {
			yield(Delta{}, c.refused(cancelled(ctx)))
			return
		}
		c.run(ctx, stream, yield)
	}, true
}
