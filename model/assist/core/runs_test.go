package core

import (
	"context"
	"testing"
	"testing/synctest"
)

// TestRunsByID: stopping ends the newest work under an id, and the end of older work does not
// forget it.
func TestRunsByID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r Runs
		older, over := make(chan struct{}), make(chan struct{})
		go r.Track(t.Context(), "a", func(context.Context) { <-older })
		synctest.Wait()
		go func() {
			r.Track(t.Context(), "a", func(ctx context.Context) { <-ctx.Done() })
			close(over)
		}()
		synctest.Wait()
		close(older)
		synctest.Wait()
		if !r.Any() || !r.Stop("a") {
			t.Error("the newer work is forgotten")
		}
		<-over
		if r.Any() || r.Stop("a") || r.Cancel("a") == nil {
			t.Error("work that has ended is stopped")
		}
	})
}
