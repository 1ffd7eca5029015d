package assist

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
)

// maxSteps bounds a plan: past it a model drifts, and a person cannot follow.
const maxSteps = 24

// tasks are the deep tasks of the session.
type tasks struct {
	mu   sync.Mutex // guards all below
	byID map[string]*taskRun
}

// A taskRun is one deep task under way: the snapshot it works on and the texts
// as its steps have left them.
type taskRun struct {
	mu   sync.Mutex // guards task
	task Task
	req  TaskRequest
	snap *workspace.Snapshot
	done map[string]edits.FileChange // by path: from the user's text to what the steps so far leave
}

// Escalate hands work to the deep model in the background and returns the
// task. It outlives the request that asked for it, tells its progress in
// Events, is kept on disk, and ends as one proposal.
func (e *Engine) Escalate(snap *workspace.Snapshot, req TaskRequest) (Task, error) {
	if !snap.Trusted() {
		return Task{}, &model.Error{Code: model.CodeForbidden, Message: "Deep tasks are off in a workspace you do not trust; trust it in the editor first."}
	}
	if _, ok := e.Models.Config(Deep); !ok {
		return Task{}, &model.Error{Code: model.CodeNeedsModel, Message: "No deep model is configured; set deep = \"MODEL\" in the configuration (tandem doctor shows which models it finds)."}
	}
	if strings.TrimSpace(req.Instruction) == "" {
		return Task{}, &model.Error{Code: model.CodeBadRequest, Message: "A deep task needs an instruction: say what it should do."}
	}
	if req.Title == "" {
		req.Title = headline(req.Instruction)
	}
	run := &taskRun{req: req, snap: snap, done: map[string]edits.FileChange{}}
	run.task = Task{ID: e.taskID(), Title: req.Title, State: TaskQueued, Started: time.Now()}
	e.tasks.put(run)
	e.tellTask(run)
	ctx, cancel := context.WithCancel(e.Group.Context())
	e.running(run.task.ID, cancel)
	e.Group.Go("deep task", func(context.Context) {
		defer e.ended(run.task.ID)
		e.work(ctx, run)
	})
	return run.now(), nil
}

// taskID names a task so that two sessions never choose the same.
func (e *Engine) taskID() string {
	return "t" + strconv.FormatInt(time.Now().UnixMilli(), 36) + e.newID("-")
}

// work plans, runs the steps and proposes what they made.
func (e *Engine) work(ctx context.Context, run *taskRun) {
	err := e.plan(ctx, run)
	for i := 0; err == nil && i < len(run.now().Steps); i++ {
		err = e.step(ctx, run, i)
	}
	if err == nil {
		err = e.conclude(run)
	}
	e.set(run, func(t *Task) {
		switch {
		case err == nil:
			t.State = TaskDone
		case ctx.Err() != nil:
			t.State, t.Err = TaskCancelled, "Cancelled."
		default:
			t.State, t.Err = TaskFailed, sentence(err)
		}
	})
}

// plan asks the deep model for the steps.
func (e *Engine) plan(ctx context.Context, run *taskRun) error {
	e.set(run, func(t *Task) { t.State = TaskPlanning })
	ask, err := e.prompt(ctx, run.snap, question{
		purpose: model.Task, lane: Deep, uri: run.req.URI, span: run.req.span(), instruction: run.wanted(),
	})
	if err != nil {
		return err
	}
	said, err := e.stream(ctx, Deep, ask.Request, nil)
	if err != nil {
		return err
	}
	steps := planSteps(said)
	if len(steps) == 0 {
		steps = []Step{{Title: run.req.Instruction, Lane: Deep, State: TaskQueued}}
	}
	e.set(run, func(t *Task) { t.State, t.Steps = TaskRunning, steps })
	return nil
}

// planSteps reads the lines of a plan that begin with [FAST] or [DEEP], with
// or without a number or a bullet before.
func planSteps(said string) []Step {
	var out []Step
	for line := range strings.Lines(said) {
		line = strings.TrimLeft(strings.TrimSpace(line), "0123456789.)-*• \t`")
		for tag, lane := range map[string]string{"[fast]": Fast, "[deep]": Deep} {
			if title, ok := cutFold(line, tag); ok && strings.TrimSpace(title) != "" && len(out) < maxSteps {
				out = append(out, Step{Title: strings.TrimSpace(strings.Trim(title, "`*")), Lane: lane, State: TaskQueued})
			}
		}
	}
	return out
}

// step lets the step's lane type it, on the texts as the steps before left
// them. A step of the fast lane that fails its checks is done again by the
// deep one.
func (e *Engine) step(ctx context.Context, run *taskRun, i int) error {
	e.set(run, func(t *Task) { t.Steps[i].State = TaskRunning })
	lane := run.now().Steps[i].Lane
	if _, ok := e.Models.Config(lane); !ok {
		lane = Deep
	}
	err := e.typeStep(ctx, run, i, lane)
	if err != nil && lane == Fast && ctx.Err() == nil {
		e.set(run, func(t *Task) { t.Steps[i].Lane = Deep })
		err = e.typeStep(ctx, run, i, Deep)
	}
	e.set(run, func(t *Task) {
		t.Steps[i].State = TaskDone
		if err != nil {
			t.Steps[i].State = TaskFailed
		}
	})
	if err != nil {
		return fmt.Errorf("step %d (%s): %w", i+1, run.now().Steps[i].Title, err)
	}
	return nil
}

func (e *Engine) typeStep(ctx context.Context, run *taskRun, i int, lane string) error {
	snap := run.snap.With(run.texts())
	ask, err := e.prompt(ctx, snap, question{
		purpose: model.Edit, lane: lane, uri: run.req.URI, span: run.req.span(),
		instruction: run.stepInstruction(i),
	})
	if err != nil {
		return err
	}
	said, err := e.stream(ctx, lane, ask.Request, nil)
	if err != nil {
		return err
	}
	changes, err := e.read(snap, answerAt{uri: run.req.URI, span: run.req.span()}, ask, said)
	if err != nil {
		return err
	}
	for _, check := range e.check(snap, changes) {
		if !check.OK {
			return &model.Error{Code: model.CodeRefused, Message: check.Findings[0].Message}
		}
	}
	run.apply(changes)
	return nil
}

// conclude makes one proposal of all that the steps changed.
func (e *Engine) conclude(run *taskRun) error {
	changes := run.changes()
	if len(changes) == 0 {
		return &model.Error{Code: model.CodeEmpty, Message: "The task ended without a change; say more precisely what it should do."}
	}
	p, err := e.proposeChanges(run.snap, changes, Proposal{
		Proposal: edits.Proposal{Title: run.req.Title, From: edits.Provenance{Lane: Deep, Reason: "a deep task"}},
		Request:  EditRequest{URI: run.req.URI, Instruction: run.req.Instruction, Lane: Deep},
	})
	if err != nil {
		return err
	}
	e.set(run, func(t *Task) { t.ProposalID = p.ID })
	return nil
}

// set changes a task, keeps it on disk and tells about it.
func (e *Engine) set(run *taskRun, change func(*Task)) {
	run.mu.Lock()
	run.task.Steps = slices.Clone(run.task.Steps)
	change(&run.task)
	run.mu.Unlock()
	e.tellTask(run)
}

func (e *Engine) tellTask(run *taskRun) {
	t := run.now()
	e.Notify(Event{Task: &t})
	if e.Tasks == nil {
		return
	}
	record := TaskRecord{Request: run.req}
	if view := run.snap.View(run.req.URI); view != nil {
		record.Root = view.Root
	}
	if p, err := e.proposals.get(t.ProposalID); err == nil {
		record.Proposal = &p.Proposal
	}
	if err := e.Tasks.Save(t, record); err != nil {
		e.notice(fmt.Sprintf("The task cannot be kept on disk, so a crash would lose it: %v.", err))
	}
}

// ListTasks returns the session's tasks and those kept on disk, newest first.
func (e *Engine) ListTasks() []Task {
	out := map[string]Task{}
	if e.Tasks != nil {
		stored, err := e.Tasks.Load()
		if err != nil {
			e.notice(fmt.Sprintf("Older tasks cannot be read: %v.", err))
		}
		for _, t := range stored {
			out[t.ID] = t.Task
		}
	}
	for _, run := range e.tasks.all() {
		t := run.now()
		out[t.ID] = t
	}
	return slices.SortedFunc(maps.Values(out), func(a, b Task) int { return b.Started.Compare(a.Started) })
}

// steerTask adds a sentence to a running task; it is false where id is no task.
func (e *Engine) steerTask(id, text string) bool {
	run := e.tasks.get(id)
	if run == nil {
		return false
	}
	e.set(run, func(t *Task) { t.Steered = append(slices.Clone(t.Steered), text) })
	return true
}

func (r TaskRequest) span() edits.Span {
	if r.Span.Len() > 0 {
		return r.Span
	}
	return edits.Span{Start: r.Offset, End: r.Offset}
}

// now is the task as it stands.
func (r *taskRun) now() Task {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.task
}

// wanted is the instruction with what was said since.
func (r *taskRun) wanted() string {
	said := r.now().Steered
	if len(said) == 0 {
		return r.req.Instruction
	}
	return r.req.Instruction + "\n\nThe user added:\n- " + strings.Join(said, "\n- ")
}

// stepInstruction tells a lane the whole plan and which step is its own.
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

// texts are the files that the steps so far have changed.
func (r *taskRun) texts() map[string]string {
	out := map[string]string{}
	for path, c := range r.done {
		if !c.AbsentAfter {
			out[path] = c.After
		}
	}
	return out
}

// apply keeps what a step changed, on top of the steps before it.
func (r *taskRun) apply(changes []edits.FileChange) {
	for _, c := range changes {
		if first, seen := r.done[c.Path]; seen {
			c.Before, c.AbsentBefore = first.Before, first.AbsentBefore
		}
		c.Edits = edits.Diff(c.Before, c.After)
		r.done[c.Path] = c
	}
}

// changes is all that the steps changed, from the user's text to the last.
func (r *taskRun) changes() []edits.FileChange {
	var out []edits.FileChange
	for _, path := range slices.Sorted(maps.Keys(r.done)) {
		if c := r.done[path]; c.Before != c.After || c.AbsentBefore != c.AbsentAfter {
			out = append(out, c)
		}
	}
	return out
}

func (t *tasks) put(run *taskRun) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byID == nil {
		t.byID = map[string]*taskRun{}
	}
	t.byID[run.task.ID] = run
}

func (t *tasks) get(id string) *taskRun {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.byID[id]
}

func (t *tasks) all() []*taskRun {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Values(t.byID))
}
