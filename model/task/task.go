package task

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/assist/prompt"
	"tandem/workspace"
	"tandem/workspace/run"
	"tandem/workspace/state"
)

// The states of a task and of its steps, as the protocol prints them. A planned task waits until the user
// has seen its plan, a waiting one for an answer of the user's, and an interrupted one can
// go on where it was.
const (
	Queued      = "queued"
	Planning    = "planning"
	Planned     = "planned"
	Running     = "running"
	Waiting     = "waiting"
	Done        = "done"
	Failed      = "failed"
	Cancelled   = "cancelled"
	Interrupted = "interrupted"
)

// Request asks for a background task of the deep model.
type Request struct {
	Title       string
	Instruction string
	Found       bool // it stands in the document
	core.Place
	Span edits.Span
	// Tests is true if the user allows the deep model to have the test command run.
	Tests bool
	// SendSecrets is true if the user wants the secrets in the words of the task to be sent.
	SendSecrets bool
	// Confirmed is true if the user has agreed to the price.
	Confirmed bool
}

// A Task is a deep task at one moment.
type Task struct {
	Record     state.Task
	ProposalID string // of its result in this session, "" before there is one
}

// Question is what the task waits for the user to answer, or "".
func (t Task) Question() string {
	if t.Record.State == Waiting {
		for _, m := range slices.Backward(t.Record.Messages) {
			if m.Kind == "question" {
				return m.Text
			}
		}
	}
	return ""
}

// A Store keeps deep tasks on disk, so that a crash loses none and other processes
// can steer them; *state.Tasks is one.
type Store interface {
	Save(state.Task) error
	Take(id string) (state.Task, error)
	Change(id string, change func(*state.Task)) error
	Get(id string) (state.Task, error)
	List() ([]state.Task, error)
	Send(id string, m state.TaskMessage) error
	Receive(id string) ([]state.TaskMessage, error)
	PutText(id, text string) (name string, err error)
	Text(id, name string) (string, error)
}

// An Agent is a lane that the user has named: a model with instructions of its own.
type Agent struct {
	Name         string // in lower case
	Lane         model.Lane
	Model        model.ModelConfig
	Instructions string
}

// Settings is the user's configuration of deep tasks.
type Settings struct {
	Running    int     // how many run at once; the others wait
	MaxSteps   int     // of a plan
	LimitUSD   float64 // of one task; 0 is no limit
	ConfirmUSD float64 // from this estimate on the user is asked first; 0 never asks
	ShowPlan   int     // from so many steps on the plan is shown before it runs; 0 never
	Quiet      bool    // what steps change is proposed when the task is over
	Review     string  // of the whole result: risk, always, never
	Agents     []Agent
	// Unattended is true if nobody can be asked: a plan runs without being shown, and what
	// costs more than ConfirmUSD is refused unless the request says that it may.
	Unattended bool
	// Test runs the user's test command in a folder and returns its output, bounded; nil if
	// there is none. It is called only for tasks whose user allowed it.
	Test func(ctx context.Context, root string) (string, error)
}

func (s Settings) agentNames() (out []string) {
	for _, a := range s.Agents {
		out = append(out, a.Name)
	}
	return out
}

func defaultSettings() Settings {
	return Settings{Running: 2, MaxSteps: 64, LimitUSD: 2, ConfirmUSD: 0.25, ShowPlan: 3, Review: "risk"}
}

// messageInterval is how often a running task checks for messages of other processes.
const messageInterval = 500 * time.Millisecond

// Deps are what tasks depend on besides what all use cases do.
type Deps struct {
	Store Store // nil keeps none
	// Settings is the user's configuration; nil: the defaults.
	Settings func() Settings
	// Indexed waits until the folders are indexed, within reason, and returns the files as
	// they are then; nil: a task begins with the snapshot that it was given.
	Indexed func(ctx context.Context) *workspace.Snapshot
}

// Tasks are the background tasks of the deep model. Each ends as a proposal of editor.
type Tasks struct {
	prompts *prompt.Maker
	deps    Deps
	editor  *edit.Editor
	runs    sync.Map // the session's *taskRun by id
	slots   taskSlots

	refusals toolRefusals
}

// New returns the tasks of a session; their results are proposals of the editor's.
func New(e *edit.Editor, d Deps) *Tasks {
	t := &Tasks{prompts: e.Prompts, editor: e, deps: d}
	t.prompts.Beside = t.beside
	return t
}

// Escalate starts a task of the deep model in the background and returns the task. It
// continues after the request that started it, reports its progress in Events, is kept
// on disk, and ends as one proposal.
func (t *Tasks) Escalate(snap *workspace.Snapshot, req Request) (Task, error) {
	if err := t.allowed(snap); err != nil {
		return Task{}, err
	}
	if strings.TrimSpace(req.Instruction) == "" {
		return Task{}, &model.Error{Code: model.CodeBadRequest, Message: "A deep task needs an instruction: say what it should do."}
	}
	if req.Title == "" {
		req.Title = edit.Headline(req.Instruction)
	}
	if e, most := t.EstimateTask(req), t.settings().ConfirmUSD; t.settings().Unattended && !req.Confirmed && most > 0 && e.USD > most {
		return Task{}, &model.Error{Code: model.CodeRefused, Message: fmt.Sprintf(
			"The task is expected to cost about $%.2f (%d tokens), more than the $%.2f of confirm_above_usd; agree to the price to run it.", e.USD, e.Tokens, most)}
	}
	run := t.newRun(snap, req)
	t.begin(run)
	return run.view(), nil
}

// allowed returns why no deep task may run, or nil.
func (t *Tasks) allowed(snap *workspace.Snapshot) error {
	if !snap.Trusted() {
		return &model.Error{Code: model.CodeForbidden, Message: "Deep tasks are off in a workspace you do not trust; trust it in the editor first."}
	}
	if err := t.prompts.Allowed(); err != nil {
		return err
	}
	if _, ok := t.prompts.Models.Config(model.Deep); !ok {
		if t.prompts.Mistake() != "" {
			return t.prompts.NeedsModel("run a deep task")
		}
		return &model.Error{Code: model.CodeNeedsModel, Message: "No deep model is configured; set deep = \"MODEL\" in the configuration (tandem doctor shows which models it finds)."}
	}
	return nil
}

// begin lets a run work in the background.
func (t *Tasks) begin(run *taskRun) {
	if t.settings().Unattended {
		run.change(func(rec *state.Task) { rec.Approved = true })
	}
	t.runs.Store(run.id(), run)
	run.save()
	t.editor.Runs.Start("deep task", run.id(), func(ctx context.Context) { t.worker().work(ctx, run) })
}

// Resume lets a task go on: one that waits for the user to agree to its price or to its
// plan starts, and one that was interrupted, cancelled or has failed steps continues
// with what is not done, on the files as they are now.
func (t *Tasks) Resume(snap *workspace.Snapshot, id string) (Task, error) {
	if run := t.live(id); run != nil && run.record().Running() {
		if run.mail.asks() {
			return run.view(), &model.Error{Code: model.CodeBadRequest, Message: "The task waits for your answer; steer it with the answer."}
		}
		if now := run.view(); now.Record.State == Planned && now.Record.Error != "" {
			return now, &model.Error{Code: model.CodeBadRequest, Message: "The plan cannot be run; edit it, or say what it should do. " + now.Record.Error}
		}
		run.mail.post(taskMessage{kind: resumeMessage})
		return run.view(), nil
	}
	if err := t.allowed(snap); err != nil {
		return Task{}, err
	}
	rec, err := t.take(id)
	if err == errOwnedElsewhere {
		return t.Get(id)
	}
	if err != nil {
		return Task{}, err
	}
	if rec.State == Done && !rec.Replan {
		return Task{}, t.giveBack(rec, "The task is done; steer it to change its result, or accept it.")
	}
	return t.reopen(snap, rec)
}

// errOwnedElsewhere means that a message went to the process that runs the task.
var errOwnedElsewhere = fmt.Errorf("sent to the process that runs the task")

// take claims a task that this process does not run. A task that another process runs
// gets the message to go on, and the error is errOwnedElsewhere.
func (t *Tasks) take(id string) (state.Task, error) {
	if t.deps.Store == nil {
		return state.Task{}, unknownTask(id)
	}
	rec, err := t.deps.Store.Take(id)
	if err == state.ErrOwned {
		if err := t.deps.Store.Send(id, state.TaskMessage{Action: resumeMessage}); err != nil {
			return state.Task{}, err
		}
		return state.Task{}, errOwnedElsewhere
	}
	if err == state.ErrNoTask {
		return state.Task{}, unknownTask(id)
	}
	return rec, err
}

// ErrNoTask means that an id names no task.
var ErrNoTask = state.ErrNoTask

func unknownTask(id string) error {
	return &model.Error{Code: model.CodeBadRequest, Message: fmt.Sprintf("There is no task %q; list the tasks again.", id), Err: ErrNoTask}
}

// giveBack ends a claim and returns why the task does not go on.
func (t *Tasks) giveBack(rec state.Task, why string) error {
	if err := t.deps.Store.Save(rec); err != nil {
		return err
	}
	return &model.Error{Code: model.CodeBadRequest, Message: why}
}

// reopen runs a task that was kept on disk, with messages for it.
func (t *Tasks) reopen(snap *workspace.Snapshot, rec state.Task, messages ...taskMessage) (Task, error) {
	run, err := t.restored(snap, rec)
	if err != nil {
		return Task{}, t.giveBack(rec, err.Error())
	}
	for _, m := range messages {
		run.mail.post(m)
	}
	t.begin(run)
	return run.view(), nil
}

// SetPlan replaces the steps of a task that are not done by those of an edited plan. The
// task shows the plan again; Resume starts it.
func (t *Tasks) SetPlan(snap *workspace.Snapshot, id, text string) error {
	steps := Parse(text, t.settings().agentNames()...)
	if len(steps) == 0 {
		return &model.Error{Code: model.CodeBadRequest, Message: "The plan has no step; write one a line, such as: 1. [FAST] rename x | write: a.go"}
	}
	return t.message(snap, id, taskMessage{kind: planMessage, text: text})
}

// Steer adds a sentence of the user's to a task. What runs is asked again with the
// sentence last; a plan that has more steps to come is written again; a task that has
// ended goes on from its result. It is false if id is not a task.
func (t *Tasks) Steer(snap *workspace.Snapshot, id, text string, sendSecrets bool) (bool, error) {
	if t.live(id) == nil && !t.isStored(id) {
		return false, nil
	}
	return true, t.message(snap, id, taskMessage{steerMessage, text, sendSecrets})
}

func (t *Tasks) isStored(id string) bool {
	if t.deps.Store == nil {
		return false
	}
	_, err := t.deps.Store.Get(id)
	return err == nil
}

// message gives a message to a task in the process that runs it. A task that no process
// runs continues in this one.
func (t *Tasks) message(snap *workspace.Snapshot, id string, m taskMessage) error {
	if run := t.live(id); run != nil && run.mail.post(m) {
		return nil
	}
	if t.deps.Store == nil {
		return unknownTask(id)
	}
	rec, err := t.deps.Store.Get(id)
	if err != nil {
		return unknownTask(id)
	}
	if rec.Running() {
		return t.deps.Store.Send(id, state.TaskMessage{Action: m.kind, Text: m.text, SendSecrets: m.sendSecrets})
	}
	if err := t.allowed(snap); err != nil {
		return err
	}
	if rec, err = t.take(id); err != nil {
		return err
	}
	_, err = t.reopen(snap, rec, m)
	return err
}

// Cancel stops a task at once, wherever it runs. What its steps have done is kept.
func (t *Tasks) Cancel(id string) error {
	if run := t.live(id); run != nil && run.mail.cancel() {
		t.editor.Runs.Stop(id)
		return nil
	}
	if t.deps.Store == nil {
		return t.editor.Runs.Cancel(id)
	}
	rec, err := t.deps.Store.Get(id)
	if err != nil {
		return t.editor.Runs.Cancel(id) // it may be an edit's
	}
	switch {
	case rec.Running():
		return t.deps.Store.Send(id, state.TaskMessage{Action: cancelMessage})
	case rec.State == Interrupted:
		return t.deps.Store.Change(id, func(rec *state.Task) { rec.State, rec.Error = Cancelled, "Cancelled." })
	}
	return &model.Error{Code: model.CodeBadRequest, Message: fmt.Sprintf("The task is already %s.", rec.State)}
}

// Get returns a task of this session, or one that is kept on disk.
func (t *Tasks) Get(id string) (Task, error) {
	if run := t.live(id); run != nil {
		return run.view(), nil
	}
	if t.deps.Store != nil {
		if rec, err := t.deps.Store.Get(id); err == nil {
			return Task{Record: rec}, nil
		}
	}
	return Task{}, unknownTask(id)
}

// List returns the tasks of the session and those kept on disk for the snapshot's
// folders, newest first.
func (t *Tasks) List(snap *workspace.Snapshot) []Task {
	out := map[string]Task{}
	if t.deps.Store != nil {
		stored, err := t.deps.Store.List()
		if err != nil {
			t.editor.Notify(core.Once(fmt.Sprintf("Some older tasks cannot be read: %v.", err)))
		}
		for _, rec := range stored {
			if rec.Root == "" || slices.ContainsFunc(snap.Views(), func(v *workspace.View) bool { return v.Root == rec.Root }) {
				out[rec.ID] = Task{Record: rec}
			}
		}
	}
	for _, run := range t.runs.Range {
		now := run.(*taskRun).view()
		if stored, ok := out[now.Record.ID]; !ok || now.Record.Running() || !stored.Record.Running() { // another process may have resumed it
			out[now.Record.ID] = now
		}
	}
	return slices.SortedFunc(maps.Values(out), func(a, b Task) int { return b.Record.Started.Compare(a.Record.Started) })
}

// receiveMessages reads the messages that other processes send to a task (tandem tasks
// steer, cancel) until the task ends.
func (t *Tasks) receiveMessages(ctx context.Context, running *taskRun) {
	id := running.id()
	for run.Sleep(ctx, messageInterval) {
		messages, err := t.deps.Store.Receive(id)
		if err != nil {
			t.editor.Notify(core.Once(fmt.Sprintf("The task cannot be steered from the command line: %v.", err)))
			return
		}
		for _, m := range messages {
			if m.Action == cancelMessage {
				if running.mail.cancel() {
					t.editor.Runs.Stop(id)
				}
				return
			}
			running.mail.post(taskMessage{m.Action, m.Text, m.SendSecrets})
		}
	}
}

func (t *Tasks) settings() Settings {
	if t.deps.Settings == nil {
		return defaultSettings()
	}
	return t.deps.Settings()
}

// IsEvent makes it an Event.
func (*Task) IsEvent() {}
