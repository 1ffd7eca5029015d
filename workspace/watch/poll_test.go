package watch

import (
	"testing"
	"time"
)

func TestNextWait(t *testing.T) {
	for _, c := range []struct {
		wait, took time.Duration
		changed    bool
		want       time.Duration
	}{
		{time.Second, time.Millisecond, false, 2 * time.Second},
		{time.Minute, time.Millisecond, false, time.Minute},
		{time.Minute, time.Millisecond, true, time.Second},
		{time.Second, time.Second, true, 20 * time.Second},
	} {
		if got := nextWait(c.wait, c.took, c.changed); got != c.want {
			t.Errorf("nextWait(%v, %v, %v) = %v, want %v", c.wait, c.took, c.changed, got, c.want)
		}
	}
}
