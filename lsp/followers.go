package lsp

import (
	"sync"

	"tandem/model/assist"
)

// followers are the progresses that show a task. Each has room for one task
// value, the latest: what came before it is no news.
type followers struct {
	mu   sync.Mutex // guards byID
	byID map[string]chan assist.Task
}

// join returns the channel on which the task's states arrive.
func (f *followers) join(id string) <-chan assist.Task {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byID == nil {
		f.byID = map[string]chan assist.Task{}
	}
	c := make(chan assist.Task, 1)
	f.byID[id] = c
	return c
}

func (f *followers) leave(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.byID, id)
}

func (f *followers) tell(t assist.Task) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.byID[t.ID]
	if c == nil {
		return
	}
	select {
	case <-c:
	default:
	}
	c <- t
}
