package tasks

import (
	"encoding/json"
	"sync"
	"time"

	"tandem/tools/client"
)

// patience ends what waits for what never happens: it is no bound, and holds on a machine
// with much other work.
const patience = 2 * time.Minute

// A taskNote is what this program reads of tandem/task.
type taskNote struct {
	ID, State, Error, Question, Plan, ProposalID, Resolved, Review string
	Tokens                                                         int
	CostUSD                                                        float64
	Steps                                                          []struct {
		Title, Lane, State, Error string
		Files                     []string
	}
	Calls []struct {
		Tool, Args, Error string
		Tokens            int
	}
}

// An editor is a client of tandem serve which remembers the last state of each task.
type editor struct {
	*client.Editor

	mu      sync.Mutex // guards all below
	changed *sync.Cond
	tasks   map[string]taskNote
	skips   map[string]bool // files whose edits are reported as applied, and are not
	ended   bool
}

// edit starts tandem serve on the home's workspace.
func (h *home) edit() (*editor, error) {
	e := &editor{tasks: map[string]taskNote{}, skips: map[string]bool{}}
	e.changed = sync.NewCond(&e.mu)
	var err error
	if e.Editor, err = client.StartEditor(h.command("serve", "--stdio"), h.workspace, true, e.notified, "proposals", "tasks"); err != nil {
		return nil, err
	}
	e.Skip = func(path string) bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		return e.skips[path]
	}
	go e.end()
	return e, nil
}

// end reports to who waits that the server has ended.
func (e *editor) end() {
	<-e.Ended()
	e.mu.Lock()
	e.ended = true
	e.mu.Unlock()
	e.changed.Broadcast()
}

// until waits for a condition, which is called with mu held.
func (e *editor) until(met func() bool) bool {
	late := time.AfterFunc(patience, e.changed.Broadcast)
	defer late.Stop()
	end := time.Now().Add(patience)
	e.mu.Lock()
	defer e.mu.Unlock()
	for !met() {
		if e.ended || time.Now().After(end) {
			return false
		}
		e.changed.Wait()
	}
	return true
}

func (e *editor) notified(method string, params json.RawMessage) any {
	var t taskNote
	if method == "tandem/task" && json.Unmarshal(params, &t) == nil {
		e.mu.Lock()
		e.tasks[t.ID] = t
		e.mu.Unlock()
	}
	e.changed.Broadcast()
	return nil
}

// escalate starts a task and returns its id.
func (e *editor) escalate(name, instruction string, tests bool) (string, error) {
	arg := map[string]any{"instruction": instruction, "tests": tests}
	if name != "" {
		arg["uri"] = e.URI(name)
	}
	raw, err := e.Command("tandem.escalate", arg)
	if err != nil {
		return "", err
	}
	var out struct{ TaskID string }
	return out.TaskID, json.Unmarshal(raw, &out)
}

// forget drops the last state of a task, so that await waits for the next one.
func (e *editor) forget(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.tasks, id)
}

// await waits until a task meets a condition, and returns it.
func (e *editor) await(id string, met func(taskNote) bool) (taskNote, bool) {
	var t taskNote
	ok := e.until(func() bool { t = e.tasks[id]; return t.ID != "" && met(t) })
	return t, ok
}
