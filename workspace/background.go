package workspace

import (
	"context"
	"sync"
	"sync/atomic"

	"tandem/workspace/rel"
)

// busy counts pieces of background work, and callers can wait until there are
// none.
type busy struct {
	mu   sync.Mutex
	n    int
	idle chan struct{} // closed when n reaches 0; nil if there are no waiters
}

func (b *busy) add(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n += n
	if b.n == 0 && b.idle != nil {
		close(b.idle)
		b.idle = nil
	}
}

func (b *busy) wait(ctx context.Context) error {
	b.mu.Lock()
	if b.n == 0 {
		b.mu.Unlock()
		return nil
	}
	if b.idle == nil {
		b.idle = make(chan struct{})
	}
	idle := b.idle
	b.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A queue gathers values, each once.
type queue[T comparable] struct {
	mu     sync.Mutex
	values []T
	has    map[T]struct{}
}

func (q *queue[T]) add(values ...T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.has == nil {
		q.has = map[T]struct{}{}
	}
	for _, v := range values {
		if _, has := q.has[v]; !has {
			q.has[v] = struct{}{}
			q.values = append(q.values, v)
		}
	}
}

// take empties the queue and returns what was in it, the first one added first.
func (q *queue[T]) take() []T {
	q.mu.Lock()
	defer q.mu.Unlock()
	values := q.values
	q.values, q.has = nil, nil
	return values
}

// A gathering is what comes while somebody gathers it, each value once. Nothing else is kept.
type gathering[T comparable] struct{ now atomic.Pointer[queue[T]] }

func (g *gathering[T]) begin() { g.now.Store(&queue[T]{}) }

func (g *gathering[T]) add(v T) {
	if q := g.now.Load(); q != nil {
		q.add(v)
	}
}

// take returns what came so far; what comes after it is gathered on.
func (g *gathering[T]) take() []T {
	if q := g.now.Load(); q != nil {
		return q.take()
	}
	return nil
}

// end is the last take.
func (g *gathering[T]) end() []T {
	values := g.take()
	g.now.Store(nil)
	return values
}

// contentSeen remembers the content that events found in ignore files, so that an event
// without a change of content is ignored.
type contentSeen struct {
	mu     sync.Mutex
	hashes map[rel.Path]Hash
}

// changed records a file's content and reports whether it is new.
func (c *contentSeen) changed(at rel.Path, hash Hash) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old, ok := c.hashes[at]; ok && old == hash {
		return false
	}
	if c.hashes == nil {
		c.hashes = map[rel.Path]Hash{}
	}
	c.hashes[at] = hash
	return true
}
