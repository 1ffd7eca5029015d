package core

import (
	"context"
	"fmt"
	"sync"

	"tandem/model"
	"tandem/workspace/run"
)

// Runs are the running edits and tasks, by id.
type Runs struct {
	Group *run.Group // of what Start runs

	mu   sync.Mutex // guards byID
	byID map[string]*running
}

// A running is a running request that can be stopped.
type running struct {
	cancel context.CancelFunc
	over   chan struct{}
}

// Start runs do in the background under an id: it continues after the request that started it.
func (r *Runs) Start(work, id string, do func(context.Context)) {
	r.Group.Go(work, func(ctx context.Context) { r.Track(ctx, id, do) })
}

// Track runs do under an id, so that Stop can end it.
func (r *Runs) Track(parent context.Context, id string, do func(context.Context)) {
	ctx, cancel := context.WithCancel(parent)
	one := &running{cancel: cancel, over: make(chan struct{})}
	r.mu.Lock()
	if r.byID == nil {
		r.byID = map[string]*running{}
	}
	r.byID[id] = one
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		if r.byID[id] == one {
			delete(r.byID, id)
		}
		r.mu.Unlock()
		cancel()
		close(one.over)
	}()
	do(ctx)
}

// Stop ends what runs under an id and waits until it is over. It is false if nothing
// runs.
func (r *Runs) Stop(id string) bool {
	r.mu.Lock()
	one := r.byID[id]
	r.mu.Unlock()
	if one == nil {
		return false
	}
	one.cancel()
	<-one.over
	return true
}

// Cancel is Stop for a user, with an error if nothing runs.
func (r *Runs) Cancel(id string) error {
	if r.Stop(id) {
		return nil
	}
	return &model.Error{Code: model.CodeBadRequest, Message: fmt.Sprintf("Nothing is running under %q; it may have ended.", id)}
}

// Any reports whether something runs.
func (r *Runs) Any() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.byID) > 0
}
