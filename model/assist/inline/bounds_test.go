package inline

import (
	"testing"
	"testing/synctest"
	"time"

	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
)

// TestSnoozeEndsWithAStatus: the host is notified when a snooze is over, and not before.
func TestSnoozeEndsWithAStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{}, assisttest.Source, nil)
		statuses := func() (n int) {
			b.Mu.Lock()
			defer b.Mu.Unlock()
			for _, e := range b.Events {
				if _, ok := e.(core.StatusChanged); ok {
					n++
				}
			}
			return n
		}
		before := statuses()
		b.engine.Completer.Snooze(time.Now().Add(time.Hour))
		time.Sleep(time.Hour - time.Second)
		synctest.Wait()
		if n := statuses() - before; n != 0 {
			t.Errorf("%d notifications during the snooze", n)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if n := statuses() - before; n != 1 {
			t.Errorf("%d notifications at its end", n)
		}
		b.engine.Completer.Snooze(time.Now())
		b.engine.Completer.Snooze(time.Time{})
		synctest.Wait()
		if n := statuses() - before; n != 1 {
			t.Errorf("%d notifications of snoozes that are over at once", n-1)
		}
	})
}
