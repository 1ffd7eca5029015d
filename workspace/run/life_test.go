package run

import (
	"context"
	"testing"
)

// TestLife: one piece of a work runs and the newest waits; when the life ends, what runs is
// told and what waits is not done.
func TestLife(t *testing.T) {
	g := NewGroup(context.Background(), nil)
	l := g.Life()
	begun, proceed, done := make(chan int), make(chan bool), make(chan int, 9)
	piece := func(n int) func(context.Context) {
		return func(ctx context.Context) {
			begun <- n
			select {
			case <-proceed:
				done <- n
			case <-ctx.Done():
				done <- -n
			}
		}
	}
	for n := 1; n <= 3; n++ {
		l.Go("work", piece(n))
		if n == 1 {
			<-begun
		}
	}
	proceed <- true
	if n := <-begun; n != 3 {
		t.Errorf("after the first the %dth runs, want the newest", n)
	}
	l.Go("work", piece(4))
	l.End()
	l.Go("work", piece(5))
	g.Wait()
	if a, b := <-done, <-done; a != 1 || b != -3 || len(done) > 0 {
		t.Errorf("%d, %d and %d more ended, want 1, and 3 told of the end", a, b, len(done))
	}
}

// TestLifeAfterAPanic: work that panicked is reported and can be asked for again.
func TestLifeAfterAPanic(t *testing.T) {
	reported := make(chan string, 1)
	g := NewGroup(context.Background(), func(p *Panic) { reported <- p.Work })
	l := g.Life()
	l.Go("work", func(context.Context) { panic("broken") })
	if work := <-reported; work != "work" {
		t.Errorf("%q was reported", work)
	}
	again := make(chan bool)
	l.Go("work", func(context.Context) { close(again) })
	<-again
	l.End()
	g.Close()
}
