package run

import "context"

// Each runs f for 0..n-1 in parallel and waits for all. A closed group begins none.
func (g *Group) Each(n int, work string, f func(int)) {
	if n == 1 {
		f(0)
		return
	}
	done := make(chan struct{}, n)
	for i := range n {
		started := g.Go(work, func(context.Context) {
			defer func() { done <- struct{}{} }()
			f(i)
		})
		if !started {
			done <- struct{}{}
		}
	}
	for range n {
		<-done
	}
}
