package run

import (
	"context"
	"sync"
)

// A Life is the lifetime of one thing that work is done for, such as an open document: the
// work gets its context, and what waits is forgotten with all that it holds when it ends. Of
// one kind of work one piece runs at a time and one waits, the newest.
type Life struct {
	group *Group
	ctx   context.Context
	end   context.CancelFunc

	mu    sync.Mutex // guards kinds
	kinds map[string]*kind
}

// A kind is the work of one name.
type kind struct {
	running bool
	waiting func(context.Context) // nil where none waits
}

// Life begins a lifetime, which ends with the group at the latest.
func (g *Group) Life() *Life {
	ctx, cancel := context.WithCancel(g.ctx)
	return &Life{group: g, ctx: ctx, end: cancel, kinds: map[string]*kind{}}
}

// Context ends with the life.
func (l *Life) Context() context.Context { return l.ctx }

// End ends the life: what runs for it is told, what waits does not run.
func (l *Life) End() {
	l.end()
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.kinds)
}

// Go does work in the background, after what of its name runs now and instead of what waits.
func (l *Life) Go(work string, f func(ctx context.Context)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx.Err() != nil {
		return
	}
	k := l.kinds[work]
	if k == nil {
		k = &kind{}
		l.kinds[work] = k
	}
	k.waiting = f
	if !k.running {
		k.running = l.group.Go(work, func(context.Context) { l.work(work, k) })
	}
}

// work does what waits of a kind until there is nothing. After a panic in it the kind can be
// asked for again.
func (l *Life) work(work string, k *kind) {
	for f := l.next(k); f != nil; f = l.next(k) {
		if p := Call(work, func() { f(l.ctx) }); p != nil && l.group.report != nil {
			l.group.report(p)
		}
	}
}

func (l *Life) next(k *kind) func(context.Context) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := k.waiting
	k.waiting = nil
	if l.ctx.Err() != nil {
		f = nil
	}
	k.running = f != nil
	return f
}
