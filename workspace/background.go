package workspace

import (
	"context"
	"maps"
	"slices"
	"sync"
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

// A pathQueue gathers paths, each once.
type pathQueue struct {
	mu    sync.Mutex
	paths map[string]struct{}
}

func (q *pathQueue) add(paths ...string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.paths == nil {
		q.paths = map[string]struct{}{}
	}
	for _, p := range paths {
		q.paths[p] = struct{}{}
	}
}

// take empties the queue and returns what was in it, sorted.
func (q *pathQueue) take() []string {
	q.mu.Lock()
	paths := q.paths
	q.paths = nil
	q.mu.Unlock()
	return slices.Sorted(maps.Keys(paths))
}

// contentSeen remembers the content that events found in files, so that an event
// without a change of content is ignored.
type contentSeen struct {
	mu     sync.Mutex
	hashes map[string]Hash
}

// changed records a file's content and reports whether it is new.
func (c *contentSeen) changed(rel string, hash Hash) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old, ok := c.hashes[rel]; ok && old == hash {
		return false
	}
	if c.hashes == nil {
		c.hashes = map[string]Hash{}
	}
	c.hashes[rel] = hash
	return true
}

// gone records that a file no longer exists and reports whether it was known.
func (c *contentSeen) gone(rel string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, was := c.hashes[rel]
	delete(c.hashes, rel)
	return was
}
