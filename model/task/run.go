package task

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/workspace"
	"tandem/workspace/redact"
	"tandem/workspace/state"
)

// live is the run of a task that began in this session, or nil.
func (t *Tasks) live(id string) *taskRun {
	run, _ := t.runs.Load(id)
	live, _ := run.(*taskRun)
	return live
}

// A taskRun is one deep task that this process runs: its record, the snapshot that it
// works on, and what its steps changed so far.
type taskRun struct {
	records records
	snap    *workspace.Snapshot
	req     Request
	secrets *redact.Redactor // of the conversation with the models
	mail    *mailbox

	saving  sync.Mutex // orders what is written to disk
	drawing sync.Mutex // orders what is proposed

	mu         sync.Mutex // guards all below
	rec        state.Task
	results    map[int][]edits.FileChange // by step
	conflicts  []edits.Conflict           // of what was kept on disk with the files as they are now
	proposalID string
}

func (t *Tasks) newRun(snap *workspace.Snapshot, req Request) *taskRun {
	run := &taskRun{records: records{t.editor.Notify, t.deps.Store}, snap: snap, req: req, secrets: &redact.Redactor{}, results: map[int][]edits.FileChange{}, mail: newMailbox()}
	now := time.Now()
	run.rec = state.Task{
		ID: state.NewID(), Title: run.secrets.Redact(req.Title).String(), State: Queued, Instruction: req.Instruction, Found: req.Found, URI: req.URI,
		Start: req.span().Start, End: req.span().End, Tests: req.Tests, SendSecrets: req.SendSecrets, Started: now, Updated: now,
	}
	if req.Confirmed {
		run.rec.AgreedUSD = agreedToAll
	}
	if view := run.folder(); view != nil {
		run.rec.Root = view.Root
	}
	return run
}

// records are where runs are stored, and who is notified of them.
type records struct {
	notify func(core.Event)
	store  Store // nil keeps none
}

// change changes the record, in a way that need not be stored at once.
func (r *taskRun) change(do func(*state.Task)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	do(&r.rec)
}

// set changes a task, stores it on disk and notifies the host.
func (r *taskRun) set(do func(*state.Task)) {
	r.change(do)
	r.save()
}

// save stores a task on disk and notifies the host, of nothing that is not stored: what
// another step does meanwhile is for its own save.
func (r *taskRun) save() {
	r.saving.Lock()
	defer r.saving.Unlock()
	now := r.view()
	if r.records.store != nil {
		if err := r.records.store.Save(now.Record); err != nil {
			r.records.notify(core.Once(fmt.Sprintf("The task cannot be kept on disk, so a crash would lose it: %v.", err)))
		}
	}
	r.records.notify(&now)
}

// addMessage adds what the user or the task says to a record.
func addMessage(rec *state.Task, from, kind string, m taskMessage) {
	rec.Messages = append(slices.Clone(rec.Messages), state.Message{Time: time.Now(), From: from, Kind: kind, Text: m.text, SendSecrets: m.sendSecrets})
}

// agreedToAll is more than every estimate: the user has agreed to any price.
const agreedToAll = 1e9

// folder is the one that the task works on: that of its document, else the first.
func (r *taskRun) folder() *workspace.View {
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

// record returns the task as it is at one moment.
func (r *taskRun) record() state.Task {
	r.mu.Lock()
	defer r.mu.Unlock()
	rec := r.rec
	rec.Steps = slices.Clone(r.rec.Steps)
	rec.Updated = time.Now()
	return rec
}

// view returns the task as it is stored and as its users see it.
func (r *taskRun) view() Task {
	rec := sealed(r.secrets, r.record())
	r.mu.Lock()
	defer r.mu.Unlock()
	return Task{rec, r.proposalID}
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
	return resultsInOrder(r.rec.Steps, r.results)
}

func resultsInOrder(steps []state.Step, results map[int][]edits.FileChange) (out [][]edits.FileChange) {
	for _, i := range doneInOrder(steps) {
		out = append(out, results[i])
	}
	return out
}

// doneInOrder are the steps that are done, in the order in which they were.
func doneInOrder(steps []state.Step) (done []int) {
	for i, s := range steps {
		if s.State == Done {
			done = append(done, i)
		}
	}
	slices.SortStableFunc(done, func(a, b int) int { return steps[a].Order - steps[b].Order })
	return done
}

// spent adds the usage of a request to the task, and to a step if i is one.
func (r *taskRun) spent(i int, u edits.Provenance) {
	r.change(func(rec *state.Task) {
		rec.PromptTokens += u.PromptTokens
		rec.OutputTokens += u.OutputTokens
		rec.CostUSD += u.CostUSD
		if u.Lane == string(model.Fast) {
			rec.FastUSD += u.CostUSD
		}
		if i >= 0 && i < len(rec.Steps) {
			rec.Steps[i].CostUSD += u.CostUSD
			rec.Steps[i].Model = u.Model
		}
	})
}
