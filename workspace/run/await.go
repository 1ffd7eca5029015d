package run

import (
	"context"
	"errors"
	"time"
)

// errPanicked is the result of work that panicked.
var errPanicked = errors.New("tandem failed inside")

// Await returns what f returns, or the cause of ctx's end if that comes first:
// a caller that stops does not wait for what cannot be interrupted. f then ends
// in the group. work names f in a Panic.
func Await[T any](ctx context.Context, g *Group, work string, f func() (T, error)) (T, error) {
	return Begin(g, work, f)(ctx)
}

// Begin starts f, and returns what waits for its result as Await does. Every wait gets it.
func Begin[T any](g *Group, work string, f func() (T, error)) (wait func(context.Context) (T, error)) {
	var value T
	err := errPanicked
	done := make(chan struct{})
	started := g.Go(work, func(context.Context) {
		defer close(done)
		value, err = f()
	})
	return func(ctx context.Context) (none T, _ error) {
		if !started {
			return none, context.Canceled
		}
		select {
		case <-done:
			return value, err
		case <-ctx.Done():
			return none, context.Cause(ctx)
		}
	}
}

// Sleep waits and reports whether ctx is still active.
func Sleep(ctx context.Context, wait time.Duration) bool {
	if wait <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// Closed reports whether done is closed, at the latest when ctx ends.
func Closed(ctx context.Context, done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
	}
	select {
	case <-done:
		return true
	case <-ctx.Done():
		return false
	}
}
