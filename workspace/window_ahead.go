package workspace

import (
	"context"

	"tandem/workspace/run"
)

// An ahead is work that is done while the window's own goroutine does something else.
type ahead[T any] struct {
	do    func() T
	done  chan struct{} // nil: it was not begun
	value T
	panic *run.Panic
}

// runAhead begins work in a group.
func runAhead[T any](group *run.Group, work string, do func() T) *ahead[T] {
	a := &ahead[T]{do: do, done: make(chan struct{})}
	started := group.Go(work, func(context.Context) {
		defer close(a.done)
		a.panic = run.Call(work, func() { a.value = do() })
	})
	if !started {
		a.done = nil
	}
	return a
}

// wait returns what the work made. Work that panicked panics here as well, as if it had
// been done in its place.
func (a *ahead[T]) wait() T {
	if a.done == nil {
		return a.do()
	}
	<-a.done
	if a.panic != nil {
		panic(a.panic)
	}
	return a.value
}
