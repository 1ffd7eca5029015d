package run

import (
	"context"
	"sync"
	"sync/atomic"
)

// Share calls do for each part from 0 to n-1 and returns when all calls have ended. The
// caller's goroutine takes one part after the other, as worker 0, and another one of the
// group helps, as worker 1, as soon as it runs: the parts that it takes are not in any
// order. The caller waits for parts that are being done, never for a helper that has not
// begun. A panic in do is one of the caller's. A nil group has no helper.
func (g *Group) Share(work string, n int, do func(worker, part int)) {
	s := &shared{parts: n, do: do}
	s.ended.Add(n)
	if g != nil && n > 1 {
		g.Go(work, func(context.Context) { s.help(work) })
	}
	for part := s.take(); part < n; part = s.take() {
		func() {
			defer s.ended.Done()
			do(0, part)
		}()
	}
	s.ended.Wait()
	if p := s.panicked.Load(); p != nil {
		panic(p)
	}
}

// shared is the work of one call of Share.
type shared struct {
	parts    int
	do       func(worker, part int)
	next     atomic.Int64
	ended    sync.WaitGroup // of the parts
	panicked atomic.Pointer[Panic]
}

// take returns the next part that nobody has taken; it is no part when there is none.
func (s *shared) take() int { return int(s.next.Add(1)) - 1 }

func (s *shared) help(work string) {
	for part := s.take(); part < s.parts; part = s.take() {
		if p := Call(work, func() { s.do(1, part) }); p != nil {
			s.panicked.Store(p)
		}
		s.ended.Done()
	}
}
