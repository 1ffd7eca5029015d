package lsp

import (
	"sync"

	"tandem/model/task"
)

// followers are the channels of the progresses that show a task. Each holds one
// task value, the latest: a new value replaces the one that was not read.
type followers struct {
	mu   sync.Mutex // guards byID
	byID map[string]chan task.Task
}

// add returns the channel on which the task's states arrive.
func (f *followers) add(id string) <-chan task.Task {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byID == nil {
		f.byID = map[string]chan task.Task{}
	}
	c := make(chan task.Task, 1)
	f.byID[id] = c
	return c
}

func (f *followers) remove(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.byID, id)
}

func (f *followers) publish(t task.Task) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.byID[t.Record.ID]
	if c == nil {
		return
	}
	select {
	case <-c:
	default:
	}
	c <- t
}
