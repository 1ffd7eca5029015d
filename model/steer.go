package model

import (
	"context"
	"slices"
)

// A Steerer is a Client that can add a sentence to a running answer. The
// stream it returns is what follows; the one that runs ends as steered. ok is
// false where the server cannot.
type Steerer interface {
	Steer(ctx context.Context, requestID, text string) (next Stream, ok bool)
}

// Steer adds the user's words to a running request where its server offers
// that, and accounts for what follows like for a request. ok is false where it
// does not: cancel and ask again with what was said.
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
	req.Input = append(slices.Clone(req.Input), Message{"user", text})
	return func(yield func(Delta, error) bool) {
		c := l.begin(running.lane, running.channel, &req)
		c.sent = 1 // with the request that was steered
		if c.channel.enter(ctx) != nil {
			yield(Delta{}, c.refused(cancelled(ctx)))
			return
		}
		c.run(ctx, stream, yield)
	}, true
}
