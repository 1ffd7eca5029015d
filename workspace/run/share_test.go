package run

import (
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

func TestShareDoesEachPartOnce(t *testing.T) {
	group := NewGroup(t.Context(), nil)
	closed := NewGroup(t.Context(), nil)
	closed.Close()
	for name, g := range map[string]*Group{"a group": group, "no group": nil, "a closed group": closed} {
		for _, n := range []int{0, 1, 2, 100} {
			counts := make([]atomic.Int32, n)
			g.Share("counting", n, func(_, part int) { counts[part].Add(1) })
			for i := range counts {
				if got := counts[i].Load(); got != 1 {
					t.Errorf("%s did part %d of %d %d times", name, i, n, got)
				}
			}
		}
	}
	group.Close()
}

// TestShareHelps lets each worker wait until the other has a part as well.
func TestShareHelps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		group := NewGroup(t.Context(), nil)
		met := make(chan struct{})
		var workers [2]int
		group.Share("meeting", 2, func(worker, part int) {
			workers[part] = worker
			if worker == 0 {
				met <- struct{}{}
			} else {
				<-met
			}
		})
		if slices.Sort(workers[:]); workers != [2]int{0, 1} {
			t.Errorf("the parts were done by %v", workers)
		}
		group.Close()
	})
}

func TestSharePanicsWhereItIsCalled(t *testing.T) {
	for _, breaks := range []int{0, 1} {
		synctest.Test(t, func(t *testing.T) {
			group := NewGroup(t.Context(), func(p *Panic) { t.Errorf("reported as well: %v", p) })
			met := make(chan struct{})
			ended := 0
			p := Call("caller", func() {
				group.Share("meeting", 2, func(worker, _ int) {
					if worker == breaks {
						met <- struct{}{} // each has one part
						panic("broken")
					}
					<-met
					ended++
				})
			})
			if p == nil {
				t.Errorf("worker %d panicked and the caller did not", breaks)
			}
			group.Close()
			if ended != 1 {
				t.Errorf("the other part ended %d times", ended)
			}
		})
	}
}
