// Package run starts goroutines and waits for them.
//
// Invariant: this is the only package that contains a go statement. The code that
// starts work holds the Group that waits for it, and a panic in it is reported and
// ends that piece of work alone.
package run

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// A Group is a set of goroutines that share a lifetime: they get its context
// and Close cancels it and waits for all of them.
type Group struct {
	ctx    context.Context // the lifetime, not a request's
	cancel context.CancelFunc
	wg     sync.WaitGroup
	mu     sync.Mutex // guards closed against wg.Add racing wg.Wait
	closed bool
	report func(*Panic)
}

// A Panic is a recovered panic: the name of the work, the value and the stack.
type Panic struct {
	Work  string
	Value any
	Stack []byte
}

// Error names what panicked, without the stack.
func (p *Panic) Error() string { return fmt.Sprintf("internal error in %s: %v", p.Work, p.Value) }

// NewGroup returns a group whose goroutines end with parent. report, which may
// be nil, is called for each recovered panic, on the goroutine that panicked.
func NewGroup(parent context.Context, report func(*Panic)) *Group {
	ctx, cancel := context.WithCancel(parent)
	return &Group{ctx: ctx, cancel: cancel, report: report}
}

// Go runs f in a goroutine and reports whether it was started: a closed group
// starts nothing.
func (g *Group) Go(work string, f func(ctx context.Context)) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		if p := Call(work, func() { f(g.ctx) }); p != nil && g.report != nil {
			g.report(p)
		}
	}()
	return true
}

// Call runs f and returns what it panicked with, or nil.
func Call(work string, f func()) (p *Panic) {
	defer func() {
		if v := recover(); v != nil {
			p = &Panic{Work: work, Value: v, Stack: debug.Stack()}
		}
	}()
	f()
	return nil
}

// Context is the group's lifetime.
func (g *Group) Context() context.Context { return g.ctx }

// Close cancels the group's context, refuses new work and waits for running work.
func (g *Group) Close() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.cancel()
	g.wg.Wait()
}

// Wait waits for running work without cancelling it.
func (g *Group) Wait() { g.wg.Wait() }
