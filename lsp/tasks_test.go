package lsp

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"tandem/model/task"
	"tandem/workspace"
	"tandem/workspace/state"
)

// A resuming returns a task that goes on, or an error.
type resuming struct {
	Tasks
	err error
}

func (r *resuming) Resume(_ *workspace.Snapshot, id string) (task.Task, error) {
	return task.Task{Record: state.Task{ID: id, Title: "rename", State: task.Queued}}, r.err
}

// TestResumedTask: a task that goes on is the answer, and why it does not is the error.
func TestResumedTask(t *testing.T) {
	r := &resuming{}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { r.Tasks = use.Tasks; use.Tasks = r })
	o.initialize(fullClient())
	resume := func() (json.RawMessage, error) {
		one, err := o.call("tandem/resume", object{"id": "t7"})
		other, failed := o.call("workspace/executeCommand", object{"command": "tandem.resume", "arguments": []object{{"id": "t7"}}})
		if string(one) != string(other) || (err == nil) != (failed == nil) {
			t.Errorf("the request answers %s, %v and the command %s, %v", one, err, other, failed)
		}
		return one, err
	}
	if raw, err := resume(); err != nil || asJSON(t, raw) != `{"costUSD":0,"id":"t7","state":"queued","steps":[],"title":"rename"}` {
		t.Errorf("%s, %v", raw, err)
	}
	r.err = errors.New("it is done")
	if _, err := resume(); err == nil || !strings.Contains(err.Error(), "It is done") {
		t.Errorf("the error is %v", err)
	}
}
