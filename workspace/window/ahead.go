package window

import (
	"context"
	"sync/atomic"

	"tandem/workspace/index"
	"tandem/workspace/redact"
	"tandem/workspace/run"
	"tandem/workspace/similar"
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

// Bounds of reading ahead.
const (
	firstFiles     = 3  // of the estimate that are nearly always shown
	nextCandidates = 32 // those in front that may be next
	mostReading    = 2  // files at a time, besides the first
)

// A prefetcher reads files that the picker will probably look at, while it does something
// else.
type prefetcher struct {
	*builder
	group   *run.Group
	begun   map[index.FileID]bool // those that it need not read
	reading atomic.Int32          // how many are being read
}

// first begins reading the files of the code that is worth most, before what else is worth
// something is known.
func (p *prefetcher) first(chunks []similar.Chunk) {
	if !p.purpose.typing {
		return
	}
	for i := 0; i < len(chunks) && len(p.begun) < firstFiles; i++ {
		p.read(chunks[i].File)
	}
}

// next begins reading the files of the candidates that probably come next, while the one
// in front is divided and shown.
func (p *prefetcher) next(list []candidate, heap []int32) {
	for _, id := range heap[1:min(len(heap), nextCandidates)] {
		if c := &list[id]; c.chunk > 0 && c.looked && !c.divided && !p.begun[c.file] {
			if p.reading.Load() >= mostReading {
				return
			}
			p.read(c.file)
		}
	}
}

// read begins reading a file, unless that was done.
func (p *prefetcher) read(file index.FileID) {
	if p.begun[file] {
		return
	}
	p.begun[file] = true
	rel := p.ix.Path(file)
	if _, known := p.opened[rel]; known {
		return
	}
	if p.ahead == nil {
		p.ahead = map[string]*ahead[*redact.Source]{}
	}
	p.reading.Add(1)
	p.ahead[rel] = runAhead(p.group, "reading "+rel, func() *redact.Source {
		defer p.reading.Add(-1)
		return p.readFile(rel)
	})
}
