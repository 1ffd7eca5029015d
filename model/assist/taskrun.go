package assist

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
	"tandem/workspace/state"
)

// taskRuns are the deep tasks of the session.
type taskRuns struct {
	mu   sync.Mutex // guards all below
	byID map[string]*taskRun
}

// A taskRun is one deep task: the snapshot that it works on and the texts after its
// steps so far.
type taskRun struct {
	mu   sync.Mutex // guards task
	task Task
	req  TaskRequest
	snap *workspace.Snapshot
	took edits.Provenance            // total of all requests so far
	done map[string]edits.FileChange // by path: from the user's text to the text after the steps so far
}

func (r TaskRequest) span() edits.Span {
	if r.Span.Len() > 0 {
		return r.Span
	}
	return edits.Span{Start: r.Offset, End: r.Offset}
}

// record returns the task in its form on disk. Its proposal is stored as edits, without
// the texts that they apply to.
func (r *taskRun) record(e *Editor) state.Task {
	t := r.now()
	out := state.Task{
		ID: t.ID, Title: t.Title, State: string(t.State), Instruction: r.req.Instruction, URI: r.req.URI,
		Start: r.req.span().Start, End: r.req.span().End, Started: t.Started, Updated: time.Now(),
		Steered: t.Steered, Error: t.Err, ProposalID: t.ProposalID,
	}
	if view := r.snap.View(r.req.URI); view != nil {
		out.Root = view.Root
	}
	for _, s := range t.Steps {
		out.Steps = append(out.Steps, state.Step{Title: s.Title, Lane: string(s.Lane), State: string(s.State)})
	}
	if p, err := e.proposals.get(t.ProposalID); err == nil {
		out.CostUSD = p.From.CostUSD
		for _, f := range p.Files {
			out.Result = append(out.Result, state.Change{Path: f.Path, Base: workspace.HashOf(f.Base.String()).String(), Create: f.Create, Delete: f.Delete, Edits: f.Edits})
		}
	}
	return out
}

// taskOf converts a stored task to the form that this session lists.
func taskOf(t state.Task) Task {
	out := Task{ID: t.ID, Title: t.Title, State: TaskState(t.State), ProposalID: t.ProposalID, Err: t.Error, Started: t.Started, Steered: t.Steered}
	for _, s := range t.Steps {
		out.Steps = append(out.Steps, Step{Title: s.Title, Lane: model.Lane(s.Lane), State: TaskState(s.State)})
	}
	return out
}

// now returns the current state of the task.
func (r *taskRun) now() Task {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.task
}

// wanted returns the instruction with the messages that the user added later.
func (r *taskRun) wanted() string {
	added := r.now().Steered
	if len(added) == 0 {
		return r.req.Instruction
	}
	return r.req.Instruction + "\n\nThe user added:\n- " + strings.Join(added, "\n- ")
}

// stepInstruction returns the instruction for one step: the whole plan and the step to
// do now.
func (r *taskRun) stepInstruction(i int) string {
	var b strings.Builder
	b.WriteString(r.wanted())
	b.WriteString("\n\nThe plan:\n")
	t := r.now()
	for n, s := range t.Steps {
		mark := "to do"
		if n < i {
			mark = "done, its edits are in the files shown"
		}
		fmt.Fprintf(&b, "%d. %s (%s)\n", n+1, s.Title, mark)
	}
	fmt.Fprintf(&b, "\nDo step %d now and nothing else: %s", i+1, t.Steps[i].Title)
	return b.String()
}

// spent adds the usage of a request to the usage of the task.
func (r *taskRun) spent(u edits.Provenance) {
	r.took.PromptTokens += u.PromptTokens
	r.took.OutputTokens += u.OutputTokens
	r.took.CachedTokens += u.CachedTokens
	r.took.CostUSD += u.CostUSD
	if r.took.FirstTokenMs == 0 {
		r.took.FirstTokenMs = u.FirstTokenMs
	}
	r.took.Lane, r.took.Reason = string(model.Deep), "a deep task"
	if u.Lane == string(model.Deep) {
		r.took.Model, r.took.ServedModel, r.took.TokensPerSecond = u.Model, u.ServedModel, u.TokensPerSecond
	}
}

// texts returns the files that the steps so far have changed.
func (r *taskRun) texts() map[string]edits.Text {
	out := map[string]edits.Text{}
	for path, c := range r.done {
		if !c.AbsentAfter {
			out[path] = edits.NewText(c.After)
		}
	}
	return out
}

// apply records the changes of a step, after the changes of the steps before it.
func (r *taskRun) apply(changes []edits.FileChange) {
	for _, c := range changes {
		if first, seen := r.done[c.Path]; seen {
			c.Before, c.AbsentBefore = first.Before, first.AbsentBefore
		}
		c.Edits = edits.Diff(c.Before, c.After)
		r.done[c.Path] = c
	}
}

// changes returns all changes of the steps, from the user's text to the last text.
func (r *taskRun) changes() []edits.FileChange {
	var out []edits.FileChange
	for _, path := range slices.Sorted(maps.Keys(r.done)) {
		if c := r.done[path]; c.Before != c.After || c.AbsentBefore != c.AbsentAfter {
			out = append(out, c)
		}
	}
	return out
}

func (t *taskRuns) put(run *taskRun) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byID == nil {
		t.byID = map[string]*taskRun{}
	}
	t.byID[run.task.ID] = run
}

func (t *taskRuns) get(id string) *taskRun {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.byID[id]
}

func (t *taskRuns) all() []*taskRun {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Values(t.byID))
}
