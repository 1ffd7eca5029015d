package run

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestBegin: the work runs before anybody waits for it, and a wait ends with its context
// although the work goes on; every wait gets the result; a closed group begins nothing.
func TestBegin(t *testing.T) {
	g := NewGroup(context.Background(), nil)
	begun, end := make(chan bool), make(chan bool)
	wait := Begin(g, "work", func() (int, error) {
		begun <- true
		<-end
		return 7, nil
	})
	<-begun
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(stopped)
	if n, err := wait(ctx); n != 0 || !errors.Is(err, stopped) {
		t.Errorf("a wait that was stopped returned %d, %v", n, err)
	}
	close(end)
	for range 2 {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		if n, err := wait(ctx); n != 7 || err != nil {
			t.Errorf("the result is %d, %v", n, err)
		}
		cancel()
	}
	g.Close()
	if _, err := Begin(g, "work", func() (int, error) { return 1, nil })(context.Background()); !errors.Is(err, context.Canceled) {
		t.Errorf("a closed group returned %v", err)
	}
}
