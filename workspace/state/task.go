package state

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"tandem/edits"
	"tandem/workspace/redact"
)

// A Task is a deep task as it was last saved.
type Task struct {
	ID          string    `json:"id"`
	Title       string    `json:"title"`
	State       string    `json:"state"` // queued, planning, planned, running, waiting, done, failed, cancelled, interrupted
	Root        string    `json:"root"`  // folder it works on
	Instruction string    `json:"instruction"`
	Found       bool      `json:"found,omitempty"` // it stands in the document
	URI         string    `json:"uri,omitempty"`
	Start       int       `json:"start,omitempty"` // of the selection, in bytes
	End         int       `json:"end,omitempty"`
	Tests       bool      `json:"tests,omitempty"`        // the user allowed the test command
	SendSecrets bool      `json:"send_secrets,omitempty"` // those that the user wrote
	Started     time.Time `json:"started"`
	Updated     time.Time `json:"updated"`
	Steps       []Step    `json:"steps,omitempty"`
	Approved    bool      `json:"approved,omitempty"`   // the user has started the plan, or need not see it
	Hold        bool      `json:"hold,omitempty"`       // the user has edited the plan and not started it
	AgreedUSD   float64   `json:"agreed_usd,omitempty"` // the estimate that the user has agreed to
	Replan      bool      `json:"replan,omitempty"`     // a message changes what is to do
	Messages    []Message `json:"messages,omitempty"`
	Calls       []Call    `json:"calls,omitempty"`
	Partial     string    `json:"partial,omitempty"` // what had come of a plan
	Error       string    `json:"error,omitempty"`
	Code        string    `json:"code,omitempty"` // class of the error

	EstimateTokens int     `json:"estimate_tokens,omitempty"`
	EstimateUSD    float64 `json:"estimate_usd,omitempty"`
	PromptTokens   int     `json:"prompt_tokens,omitempty"`
	OutputTokens   int     `json:"output_tokens,omitempty"`
	CostUSD        float64 `json:"cost_usd,omitempty"`
	FastUSD        float64 `json:"fast_usd,omitempty"` // what of it the fast lane cost
	Ms             int64   `json:"ms,omitempty"`       // how long it worked, without waiting for the user

	Hidden [][]redact.Reference `json:"hidden,omitempty"` // the places of what the placeholders stand for

	Verdict  edits.Verdict `json:"verdict,omitzero"`   // on the texts of the whole result
	Review   string        `json:"review,omitempty"`   // what the review of the whole found, or why there was none
	Resolved string        `json:"resolved,omitempty"` // accepted, rejected: what the user decided about the result
	Owner    string        `json:"owner,omitempty"`    // the process that runs it

	// Newer is what in its file this version does not know, "" if it knows everything. Such a task
	// is shown, and not changed: what is not known would be lost.
	Newer string `json:"-"`
}

// states are those that this version knows of tasks and steps.
var states = []string{"queued", "planning", "planned", "running", "waiting", "done", "failed", "cancelled", "interrupted"}

// decodeTask reads a task's file.
func decodeTask(data []byte) (Task, error) {
	var task Task
	if err := json.Unmarshal(data, &task); err != nil {
		return Task{}, err
	}
	strict := json.NewDecoder(bytes.NewReader(data))
	strict.DisallowUnknownFields()
	if err := strict.Decode(new(earlierTask)); err != nil {
		task.Newer = strings.TrimPrefix(err.Error(), "json: unknown ")
	}
	of := []string{task.State}
	for _, s := range task.Steps {
		of = append(of, s.State)
	}
	for _, state := range of {
		if !slices.Contains(states, state) {
			task.Newer = fmt.Sprintf("state %q", state)
		}
	}
	return task, nil
}

// An earlierTask has besides what earlier versions wrote and this one does not: a field of Task
// that is removed moves here.
type earlierTask struct {
	Task
	Secrets []string `json:"secrets"`
}

// Foreign is why a task cannot be changed, nil if it can.
func (t Task) Foreign() error {
	if t.Newer == "" {
		return nil
	}
	return fmt.Errorf("the task %s was written by a later tandem: this one does not know the %s; go on with that version", t.ID, t.Newer)
}

// A Step is one part of a task's plan, with its result.
type Step struct {
	Title  string   `json:"title"`
	Lane   string   `json:"lane"`
	State  string   `json:"state"` // queued, running, waiting, done, failed, interrupted
	Reads  []string `json:"reads,omitempty"`
	Writes []string `json:"writes,omitempty"`
	After  []int    `json:"after,omitempty"` // indices of steps
	Done   string   `json:"done,omitempty"`  // what done means

	Order   int      `json:"order,omitempty"`   // when it was done, from 1, among the steps
	Result  []Change `json:"result,omitempty"`  // what it changed
	Partial string   `json:"partial,omitempty"` // what had come of its answer when it was stopped
	Checks  []string `json:"checks,omitempty"`  // what checks said of earlier attempts
	Model   string   `json:"model,omitempty"`   // that answered
	CostUSD float64  `json:"cost_usd,omitempty"`
	Ms      int64    `json:"ms,omitempty"`
	Error   string   `json:"error,omitempty"`
}

// Files are the paths of the files that a step changed.
func (s Step) Files() (paths []string) {
	for _, c := range s.Result {
		paths = append(paths, c.Path)
	}
	return paths
}

// A Message is one sentence between the user and a task.
type Message struct {
	Time time.Time `json:"time"`
	From string    `json:"from"` // user, task
	Kind string    `json:"kind"` // steer, question, answer, notice
	Text string    `json:"text"`

	SendSecrets bool `json:"send_secrets,omitempty"` // the user wants those in the text to be sent
}

// A Call is one use of a tool by the deep model.
type Call struct {
	Step   int    `json:"step"` // index of the step; -1 for the plan and the review
	Tool   string `json:"tool"`
	Args   string `json:"args"`
	Tokens int    `json:"tokens"` // of what it returned
	Error  string `json:"error,omitempty"`
}

// A Change is what a step did to one file. Before and After name texts that the store
// keeps for the task (Tasks.Text); "" is no file.
type Change struct {
	Path   string   `json:"path"` // relative to the task's root, with slashes
	Before string   `json:"before,omitempty"`
	After  string   `json:"after,omitempty"`
	From   string   `json:"from,omitempty"`   // the file that it was moved or copied from
	Mode   uint8    `json:"mode,omitempty"`   // an edits.Mode
	Doubts []string `json:"doubts,omitempty"` // why it may not be what was asked for
}

// LostSecret is the conflict of a change that needs a secret which its file does not have any more.
func LostSecret(path string) edits.Conflict {
	return edits.Conflict{Path: path, Message: path + ": the file that held a secret of this change has changed"}
}

// Running reports whether the task is not over.
func (t Task) Running() bool {
	switch t.State {
	case "queued", "planning", "planned", "running", "waiting":
		return true
	}
	return false
}
