package inline

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
)

// TestWarmsOnOpen: the connection is prepared when a document is opened, not again
// while it stays open at the server.
func TestWarmsOnOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{model.Fast: replies("x")}, assisttest.Source, nil)
		w := &warming{lanes: b.Lanes}
		b.engine.ask(w)
		for _, c := range []struct {
			wait time.Duration
			want int
		}{{0, 1}, {time.Second, 1}, {warmAgain, 2}} {
			time.Sleep(c.wait)
			b.engine.Completer.Warm(b.Session.Snapshot(), b.URI)
			synctest.Wait()
			if w.times != c.want {
				t.Errorf("prepared %d times, want %d", w.times, c.want)
			}
			statuses := 0
			b.Mu.Lock()
			for _, e := range b.Events {
				if _, ok := e.(core.StatusChanged); ok {
					statuses++
				}
			}
			b.Mu.Unlock()
			if statuses != c.want {
				t.Errorf("the host was notified %d times, want %d", statuses, c.want)
			}
		}
		b.engine.Completer.Wanted.Snooze(time.Now().Add(time.Hour))
		time.Sleep(warmAgain)
		b.engine.Completer.Warm(b.Session.Snapshot(), b.URI)
		synctest.Wait()
		if w.times != 2 {
			t.Error("prepared while suggestions are snoozed")
		}
		if paused := b.engine.Completer.Wanted.Paused(); !strings.Contains(paused, "snoozed") {
			t.Errorf("the status while snoozed: %q", paused)
		}
	})
}

type warming struct {
	lanes
	times int
}

func (w *warming) Warm(context.Context, model.Lane) { w.times++ }
