package task

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
	"tandem/workspace/redact"
	"tandem/workspace/state"
)

// taskRuns are the deep tasks of the session.
type taskRuns struct {
	mu   sync.Mutex // guards all below
	byID map[string]*taskRun
}

func (t *taskRuns) put(run *taskRun) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byID == nil {
		t.byID = map[string]*taskRun{}
	}
	t.byID[run.id()] = run
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

// The kinds of message to a task, as other processes write them.
const (
	steerMessage  = "steer"
	resumeMessage = "resume"
	planMessage   = "plan"
	cancelMessage = "cancel"
)

// A taskMessage is what the user wants of a running task.
type taskMessage struct {
	kind, text  string
	sendSecrets bool // those in the text
}

// errSteered ends the work of a task before its time.
var errSteered = errors.New("the user has a message for the task")

// A taskRun is one deep task that this process runs: its record, the snapshot that it
// works on, and what its steps changed so far.
type taskRun struct {
	snap    *workspace.Snapshot
	req     Request
	secrets *redact.Redactor // of the conversation with the models

	saving sync.Mutex // orders what is written to disk

	mu         sync.Mutex // guards all below
	rec        state.Task
	results    map[int][]edits.FileChange // by step
	conflicts  []edits.Conflict           // of what was kept on disk with the files as they are now
	proposalID string
	inbox      []taskMessage
	wake       chan struct{} // has a value when inbox has one, or cancelled is set
	interrupt  context.CancelCauseFunc
	open       bool // a question waits for the user's answer
	answer     chan taskMessage
	cancelled  bool
	ended      bool
}

func newTaskRun(snap *workspace.Snapshot, req Request) *taskRun {
	run := &taskRun{snap: snap, req: req, secrets: &redact.Redactor{}, results: map[int][]edits.FileChange{}, wake: make(chan struct{}, 1), answer: make(chan taskMessage, 1)}
	now := time.Now()
	run.rec = state.Task{
		ID: state.NewID(), Title: req.Title, State: string(Queued), Instruction: req.Instruction, URI: req.URI,
		Start: req.span().Start, End: req.span().End, Tests: req.Tests, SendSecrets: req.SendSecrets, Started: now, Updated: now,
	}
	if req.Confirmed {
		run.rec.AgreedUSD = agreedToAll
	}
	if view := run.view0(); view != nil {
		run.rec.Root = view.Root
	}
	return run
}

// agreedToAll is more than every estimate: the user has agreed to any price.
const agreedToAll = 1e9

// view0 is the folder that the task works on: that of its document, else the first.
func (r *taskRun) view0() *workspace.View {
	if view := r.snap.View(r.req.URI); view != nil {
		return view
	}
	if views := r.snap.Views(); len(views) > 0 {
		return views[0]
	}
	return nil
}

func (r Request) span() edits.Span {
	if r.Span.Len() > 0 {
		return r.Span
	}
	return edits.Span{Start: r.Offset, End: r.Offset}
}

func (r *taskRun) id() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rec.ID
}

// current returns the task as it is at one moment, in its form on disk and in that of hosts.
func (r *taskRun) current() (state.Task, Task) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rec := r.rec
	rec.Steps = slices.Clone(r.rec.Steps)
	rec.Updated = time.Now()
	rec.Secrets = r.secrets.Known()
	now := taskOf(r.rec)
	now.ProposalID = r.proposalID
	return rec, now
}

// record returns the task in its form on disk.
func (r *taskRun) record() state.Task {
	rec, _ := r.current()
	return rec
}

// view returns the current state of the task.
func (r *taskRun) view() Task {
	_, now := r.current()
	return now
}

// taskOf converts a stored task to the form that hosts get.
func taskOf(rec state.Task) Task {
	out := Task{
		ID: rec.ID, Root: rec.Root, Title: rec.Title, Instruction: rec.Instruction, State: State(rec.State), Err: rec.Error, Code: rec.Code, Started: rec.Started,
		Messages: slices.Clone(rec.Messages), Calls: slices.Clone(rec.Calls), Tokens: rec.PromptTokens, CostUSD: rec.CostUSD, FastUSD: rec.FastUSD,
		Ms: rec.Ms, Review: rec.Review, Resolved: rec.Resolved, Estimate: Estimate{Tokens: rec.EstimateTokens, USD: rec.EstimateUSD},
	}
	if out.State == Waiting {
		out.Question = lastQuestion(rec.Messages)
	}
	for i, spec := range specs(rec.Steps) {
		s := rec.Steps[i]
		step := StepStatus{Step: spec, State: State(s.State), Model: s.Model, CostUSD: s.CostUSD, Ms: s.Ms, Checks: s.Checks, Err: s.Error}
		for _, c := range s.Result {
			step.Files = append(step.Files, c.Path)
		}
		out.Steps = append(out.Steps, step)
	}
	out.Plan = Format(specs(rec.Steps))
	return out
}

func lastQuestion(list []state.Message) string {
	for _, m := range slices.Backward(list) {
		if m.Kind == "question" {
			return m.Text
		}
	}
	return ""
}

// specs are the steps of a record as a plan.
func specs(steps []state.Step) []Step {
	out := make([]Step, len(steps))
	for i, s := range steps {
		out[i] = Step{Lane: s.Lane, Title: s.Title, Reads: s.Reads, Writes: s.Writes, After: s.After, Done: s.Done}
	}
	return out
}

// post adds a message and stops what runs, so that it is read; it is false if the task
// has ended. A sentence that comes while a question is open is its answer.
func (r *taskRun) post(m taskMessage) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended || r.cancelled {
		return false
	}
	if r.open && m.kind == steerMessage {
		r.open = false
		r.answer <- m
		return true
	}
	r.inbox = append(r.inbox, m)
	if r.interrupt != nil {
		r.interrupt(errSteered)
	}
	r.wakeUp()
	return true
}

// wakeUp is called with mu held.
func (r *taskRun) wakeUp() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// cancel marks the task as cancelled by the user; it is false if it has ended.
func (r *taskRun) cancel() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return false
	}
	r.cancelled = true
	return true
}

func (r *taskRun) asks() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.open
}

// take returns the messages that were not read yet.
func (r *taskRun) take() []taskMessage {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.inbox
	r.inbox = nil
	return out
}

// phase is a context that a message ends with the cause errSteered.
func (r *taskRun) phase(ctx context.Context) (context.Context, func()) {
	inner, cancel := context.WithCancelCause(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.interrupt = cancel
	if len(r.inbox) > 0 {
		cancel(errSteered)
	}
	return inner, func() {
		r.mu.Lock()
		r.interrupt = nil
		r.mu.Unlock()
		cancel(nil)
	}
}

// wait returns when there is a message, or with the context's error.
func (r *taskRun) wait(ctx context.Context) error {
	for {
		r.mu.Lock()
		some := len(r.inbox) > 0
		r.mu.Unlock()
		if some {
			return nil
		}
		select {
		case <-r.wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// finish marks the run as ended: no message is taken from now on. It is false if one is
// left to be read.
func (r *taskRun) finish() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.inbox) > 0 && !r.cancelled {
		return false
	}
	r.ended = true
	return true
}

// texts returns the files as the steps so far have left them.
func (r *taskRun) texts() map[string]edits.Text {
	out := map[string]edits.Text{}
	for _, c := range edits.JoinChanges(r.inOrder()...) {
		if !c.AbsentAfter {
			out[c.Path] = edits.NewText(c.After)
		}
	}
	return out
}

// inOrder returns the results of the steps in the order in which they were done.
func (r *taskRun) inOrder() [][]edits.FileChange {
	r.mu.Lock()
	defer r.mu.Unlock()
	var done []int
	for i, s := range r.rec.Steps {
		if s.State == string(Done) {
			done = append(done, i)
		}
	}
	slices.SortStableFunc(done, func(a, b int) int { return r.rec.Steps[a].Order - r.rec.Steps[b].Order })
	out := make([][]edits.FileChange, len(done))
	for n, i := range done {
		out[n] = r.results[i]
	}
	return out
}

// named is the file that the user's own request names: the one that may be changed
// although it is protected.
func (r *taskRun) named() string {
	if r.req.URI == "" {
		return ""
	}
	return r.snap.Name(r.req.URI)
}

// spent adds the usage of a request to the task, and to a step if i is one.
func (r *taskRun) spent(i int, u edits.Provenance) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rec.PromptTokens += u.PromptTokens
	r.rec.OutputTokens += u.OutputTokens
	r.rec.CostUSD += u.CostUSD
	if u.Lane == string(model.Fast) {
		r.rec.FastUSD += u.CostUSD
	}
	if i >= 0 && i < len(r.rec.Steps) {
		r.rec.Steps[i].CostUSD += u.CostUSD
		r.rec.Steps[i].Model = u.Model
	}
}

// taskSlots lets a set number of tasks work at once, in the order in which they came.
type taskSlots struct {
	mu      sync.Mutex // guards all below
	used    int
	waiting []chan struct{}
}

// acquire waits for a slot; most is read again for each caller.
func (s *taskSlots) acquire(ctx context.Context, most int) error {
	s.mu.Lock()
	if s.used < max(most, 1) {
		s.used++
		s.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	s.waiting = append(s.waiting, turn)
	s.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
		s.leave(turn)
		return ctx.Err()
	}
}

// leave ends a wait, or passes on the slot that it was given meanwhile.
func (s *taskSlots) leave(turn chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	waiting := len(s.waiting)
	s.waiting = slices.DeleteFunc(s.waiting, func(c chan struct{}) bool { return c == turn })
	if len(s.waiting) == waiting {
		s.pass()
	}
}

func (s *taskSlots) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pass()
}

// pass gives a slot to the next in line; it is called with mu held.
func (s *taskSlots) pass() {
	if len(s.waiting) > 0 {
		close(s.waiting[0])
		s.waiting = s.waiting[1:]
		return
	}
	s.used--
}
