package assist

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
	"tandem/workspace/state"
)

// maxSteps bounds a plan: with more steps a model drifts, and a person cannot follow.
const maxSteps = 24

// messageInterval is how often a running task checks for messages of other processes.
const messageInterval = 500 * time.Millisecond

// Tasks are the background tasks of the deep model. Each ends as a proposal of editor.
type Tasks struct {
	*core
	editor *Editor
	live   taskRuns
}

// Escalate starts a task of the deep model in the background and returns the task. It
// continues after the request that started it, reports its progress in Events, is kept
// on disk, and ends as one proposal.
func (t *Tasks) Escalate(snap *workspace.Snapshot, req TaskRequest) (Task, error) {
	if !snap.Trusted() {
		return Task{}, &model.Error{Code: model.CodeForbidden, Message: "Deep tasks are off in a workspace you do not trust; trust it in the editor first."}
	}
	if err := t.Allow(escalate); err != nil {
		return Task{}, &model.Error{Code: model.CodePolicy, Message: err.Error(), Err: err}
	}
	if _, ok := t.Models.Config(model.Deep); !ok {
		if t.Mistake() != "" {
			return Task{}, t.needsModel("run a deep task")
		}
		return Task{}, &model.Error{Code: model.CodeNeedsModel, Message: "No deep model is configured; set deep = \"MODEL\" in the configuration (tandem doctor shows which models it finds)."}
	}
	if strings.TrimSpace(req.Instruction) == "" {
		return Task{}, &model.Error{Code: model.CodeBadRequest, Message: "A deep task needs an instruction: say what it should do."}
	}
	if req.Title == "" {
		req.Title = headline(req.Instruction)
	}
	run := &taskRun{req: req, snap: snap, done: map[string]edits.FileChange{}}
	run.task = Task{ID: state.NewID(), Title: req.Title, State: TaskQueued, Started: time.Now()}
	t.live.put(run)
	t.notifyTask(run)
	t.start("deep task", run.task.ID, func(ctx context.Context) { t.work(ctx, run) })
	return run.now(), nil
}

// work plans, runs the steps and proposes their result.
func (t *Tasks) work(ctx context.Context, run *taskRun) {
	if t.TaskStore != nil {
		t.Group.Go("messages for a deep task", func(context.Context) { t.receiveMessages(ctx, run) })
	}
	err := t.plan(ctx, run)
	for i := 0; err == nil && i < len(run.now().Steps); i++ {
		err = t.step(ctx, run, i)
	}
	if err == nil {
		err = t.conclude(run)
	}
	t.set(run, func(t *Task) {
		switch {
		case err == nil:
			t.State = TaskDone
		case ctx.Err() != nil:
			t.State, t.Err = TaskCancelled, "Cancelled."
		default:
			t.State, t.Err = TaskFailed, err.Error()
		}
	})
}

// plan asks the deep model for the steps.
func (t *Tasks) plan(ctx context.Context, run *taskRun) error {
	t.set(run, func(t *Task) { t.State = TaskPlanning })
	ask, err := t.prompt(ctx, run.snap, question{
		kind: model.KindPlan, lane: model.Deep, uri: run.req.URI, span: run.req.span(), request: run.wanted(),
	})
	if err != nil {
		return err
	}
	answer, err := t.streamFor(ctx, run, model.Deep, ask)
	if err != nil {
		return err
	}
	steps := planSteps(answer)
	if len(steps) == 0 {
		steps = []Step{{Title: run.req.Instruction, Lane: model.Deep, State: TaskQueued}}
	}
	t.set(run, func(t *Task) { t.State, t.Steps = TaskRunning, steps })
	return nil
}

// planSteps parses the lines of a plan that begin with [FAST] or [DEEP], with or
// without a number or a bullet before.
func planSteps(answer string) []Step {
	var out []Step
	for line := range strings.Lines(answer) {
		line = strings.TrimLeft(strings.TrimSpace(line), "0123456789.)-*• \t`")
		for tag, lane := range map[string]model.Lane{"[fast]": model.Fast, "[deep]": model.Deep} {
			if title, ok := cutFold(line, tag); ok && strings.TrimSpace(title) != "" && len(out) < maxSteps {
				out = append(out, Step{Title: strings.TrimSpace(strings.Trim(title, "`*")), Lane: lane, State: TaskQueued})
			}
		}
	}
	return out
}

// step runs one step on its lane, on the texts after the steps before it. If a step of
// the fast lane fails, the deep lane does it again.
func (t *Tasks) step(ctx context.Context, run *taskRun, i int) error {
	t.set(run, func(t *Task) { t.Steps[i].State = TaskRunning })
	lane := run.now().Steps[i].Lane
	if _, ok := t.Models.Config(lane); !ok {
		lane = model.Deep
	}
	err := t.typeStep(ctx, run, i, lane)
	if err != nil && lane == model.Fast && ctx.Err() == nil {
		t.set(run, func(t *Task) { t.Steps[i].Lane = model.Deep })
		err = t.typeStep(ctx, run, i, model.Deep)
	}
	t.set(run, func(t *Task) {
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

func (t *Tasks) typeStep(ctx context.Context, run *taskRun, i int, lane model.Lane) error {
	snap := run.snap.Supposing(run.texts())
	ask, err := t.prompt(ctx, snap, question{
		kind: model.KindStep, lane: lane, uri: run.req.URI, span: run.req.span(), request: run.stepInstruction(i),
	})
	if err != nil {
		return err
	}
	answer, err := t.streamFor(ctx, run, lane, ask)
	if err != nil {
		return err
	}
	changes, _, err := read(snap, run.req.URI, run.req.span(), ask, answer)
	if err != nil {
		return err
	}
	for _, check := range t.check(snap, changes, snap.Name(run.req.URI)) {
		if !check.OK {
			return &model.Error{Code: model.CodeRefused, Message: check.Findings[0].Message}
		}
	}
	run.apply(changes)
	return nil
}

// streamFor sends a request to a lane and adds its cost to a task.
func (t *Tasks) streamFor(ctx context.Context, run *taskRun, lane model.Lane, ask *request) (string, error) {
	answer, err := t.stream(ctx, lane, ask.Request, nil)
	if took, ok := t.Models.Usage(ask.ID); ok {
		run.spent(took)
	}
	return answer, err
}

// conclude makes one proposal of all that the steps changed.
func (t *Tasks) conclude(run *taskRun) error {
	changes := run.changes()
	if len(changes) == 0 {
		return &model.Error{Code: model.CodeEmpty, Message: "The task ended without a change; say more precisely what it should do."}
	}
	p, err := t.editor.proposeChanges(run.snap, changes, Proposal{
		Proposal: edits.Proposal{Title: run.req.Title, From: run.took},
		Request:  EditRequest{URI: run.req.URI, Instruction: run.req.Instruction, Lane: model.Deep},
	})
	if err != nil {
		return err
	}
	t.set(run, func(t *Task) { t.ProposalID = p.ID })
	return nil
}

// set changes a task, stores it on disk and notifies the host.
func (t *Tasks) set(run *taskRun, change func(*Task)) {
	run.mu.Lock()
	run.task.Steps = slices.Clone(run.task.Steps)
	change(&run.task)
	run.mu.Unlock()
	t.notifyTask(run)
}

func (t *Tasks) notifyTask(run *taskRun) {
	now := run.now()
	t.Notify(Event{Task: &now})
	if t.TaskStore == nil {
		return
	}
	if err := t.TaskStore.Save(run.record(t.editor)); err != nil {
		t.notice(fmt.Sprintf("The task cannot be kept on disk, so a crash would lose it: %v.", err))
	}
}

// List returns the tasks of the session and those kept on disk, newest
// first.
func (t *Tasks) List() []Task {
	out := map[string]Task{}
	if t.TaskStore != nil {
		kept, err := t.TaskStore.List()
		if err != nil {
			t.notice(fmt.Sprintf("Some older tasks cannot be read: %v.", err))
		}
		for _, t := range kept {
			out[t.ID] = taskOf(t)
		}
	}
	for _, run := range t.live.all() {
		now := run.now()
		out[now.ID] = now
	}
	return slices.SortedFunc(maps.Values(out), func(a, b Task) int { return b.Started.Compare(a.Started) })
}

// receiveMessages reads the messages that other processes send to a task (tandem tasks
// steer, cancel) until the task ends.
func (t *Tasks) receiveMessages(ctx context.Context, run *taskRun) {
	id := run.now().ID
	for sleep(ctx, messageInterval) {
		messages, err := t.TaskStore.Receive(id)
		if err != nil {
			t.notice(fmt.Sprintf("The task cannot be steered from the command line: %v.", err))
			return
		}
		for _, m := range messages {
			if m.Action == "cancel" {
				t.runs.stop(id)
				return
			}
			t.Steer(id, m.Text)
		}
	}
}

// Steer adds a message to a running task, which it reads before its next step. It is
// false if id is not a task.
func (t *Tasks) Steer(id, text string) bool {
	run := t.live.get(id)
	if run == nil {
		return false
	}
	t.set(run, func(t *Task) { t.Steered = append(slices.Clone(t.Steered), text) })
	return true
}

// Cancel stops a running task at once.
func (t *Tasks) Cancel(id string) error { return t.runs.cancel(id) }
