package run

import "context"

// A Turn lets one at a time do something; those in a hurry go before the others.
type Turn struct {
	free chan struct{} // holds a value while nobody has the turn
	next chan struct{} // of those in a hurry
}

// NewTurn returns a turn that is free.
func NewTurn() Turn {
	t := Turn{make(chan struct{}, 1), make(chan struct{})}
	t.free <- struct{}{}
	return t
}

// Take waits for the turn until ctx ends, and reports whether it came.
func (t Turn) Take(ctx context.Context, hurry bool) bool {
	var next chan struct{}
	if hurry {
		next = t.next
	}
	select {
	case <-t.free:
	case <-next:
	case <-ctx.Done():
		return false
	}
	return true
}

// Give ends a turn that was taken.
func (t Turn) Give() {
	select {
	case t.next <- struct{}{}:
	default:
		t.free <- struct{}{}
	}
}
