package task

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"tandem/model"
	"tandem/model/assist/core"
	"tandem/workspace"
	"tandem/workspace/state"
)

// A faultyTasks is a store in memory of which what is named fails.
type faultyTasks struct {
	keptTasks
	fails string
}

func (f *faultyTasks) fault(name string) error {
	if strings.Contains(f.fails, name) {
		return errors.New("no disk")
	}
	return nil
}

func (f *faultyTasks) Save(t state.Task) error {
	if err := f.fault("save"); err != nil {
		return err
	}
	return f.keptTasks.Save(t)
}

func (f *faultyTasks) Change(id string, change func(*state.Task)) error {
	if err := f.fault("change"); err != nil {
		return err
	}
	return f.keptTasks.Change(id, change)
}

func (f *faultyTasks) List() ([]state.Task, error) {
	list, err := f.keptTasks.List()
	return list, errors.Join(err, f.fault("list"))
}

func (f *faultyTasks) Send(id string, m state.TaskMessage) error {
	return errors.Join(f.keptTasks.Send(id, m), f.fault("send"))
}

func (f *faultyTasks) Receive(id string) ([]state.TaskMessage, error) {
	list, err := f.keptTasks.Receive(id)
	return list, errors.Join(err, f.fault("receive"))
}

func (f *faultyTasks) Text(id, name string) (string, error) {
	if err := f.fault("text"); err != nil {
		return "", err
	}
	return f.keptTasks.Text(id, name)
}

// notices are the sentences that the user was shown so far, each once.
func (b *bench) notices() (out []string) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	for _, e := range b.Events {
		if sentence, ok := e.(core.Once); ok && !slices.Contains(out, string(sentence)) {
			out = append(out, string(sentence))
		}
	}
	return out
}

// TestTasksOfOtherProcesses: what a user does to a task that this process does not run goes to
// the process that runs it; a task that no process runs changes on disk.
func TestTasksOfOtherProcesses(t *testing.T) {
	resume := func(tasks *Tasks, snap *workspace.Snapshot, id string) error {
		got, err := tasks.Resume(snap, id)
		if err == nil && got.Record.ID != id {
			err = fmt.Errorf("resumed %q", got.Record.ID)
		}
		return err
	}
	steer := func(tasks *Tasks, snap *workspace.Snapshot, id string) error {
		known, err := tasks.Steer(snap, id, "more", false)
		if !known {
			err = errors.Join(err, errors.New("unknown"))
		}
		return err
	}
	plan := func(tasks *Tasks, snap *workspace.Snapshot, id string) error {
		return tasks.SetPlan(snap, id, planAlpha)
	}
	cancel := func(tasks *Tasks, _ *workspace.Snapshot, id string) error { return tasks.Cancel(id) }
	get := func(tasks *Tasks, _ *workspace.Snapshot, id string) error {
		got, err := tasks.Get(id)
		if err == nil && got.Record.ID != id {
			err = fmt.Errorf("got %q", got.Record.ID)
		}
		return err
	}
	decide := func(tasks *Tasks, _ *workspace.Snapshot, id string) error { tasks.Resolved(id, "accepted"); return nil }
	propose := func(tasks *Tasks, snap *workspace.Snapshot, id string) error {
		_, err := tasks.Propose(t.Context(), snap, id)
		return err
	}
	const (
		none    = `There is no task "t"; list the tasks again.`
		nothing = `Nothing is running under "t"; it may have ended.`
		full    = "no disk"
	)
	for _, c := range []struct {
		name  string
		do    func(*Tasks, *workspace.Snapshot, string) error
		state string // "" is no such task
		fails string
		err   string
		sent  string
		after string // state, error and decision
	}{
		{"resume", resume, Running, "", "", "resume ", "running  "},
		{"resume", resume, Waiting, "send", full, "resume ", "waiting  "},
		{"resume", resume, Done, "", "The task is done; steer it to change its result, or accept it.", "", "done  "},
		{"resume", resume, Done, "save", full, "", "done  "},
		{"resume", resume, Failed, "text", full, "", "failed  "},
		{"resume", resume, "", "", none, "", ""},
		{"steer", steer, Running, "", "", "steer more", "running  "},
		{"steer", steer, Queued, "send", full, "steer more", "queued  "},
		{"steer", steer, Interrupted, "text", full, "", "interrupted  "},
		{"steer", steer, "", "", "unknown", "", ""},
		{"plan", plan, Planned, "", "", "plan " + planAlpha, "planned  "},
		{"plan", plan, "", "", none, "", ""},
		{"cancel", cancel, Planning, "", "", "cancel ", "planning  "},
		{"cancel", cancel, Planning, "send", full, "cancel ", "planning  "},
		{"cancel", cancel, Interrupted, "", "", "", "cancelled Cancelled. "},
		{"cancel", cancel, Interrupted, "change", full, "", "interrupted  "},
		{"cancel", cancel, Done, "", "The task is already done.", "", "done  "},
		{"cancel", cancel, Failed, "", "The task is already failed.", "", "failed  "},
		{"cancel", cancel, "", "", nothing, "", ""},
		{"get", get, Running, "", "", "", "running  "},
		{"get", get, "", "", none, "", ""},
		{"decide", decide, Done, "", "", "", "done  accepted"},
		{"decide", decide, Done, "change", "", "", "done  "},
		{"propose", propose, Interrupted, "", "The task is interrupted and has no result.", "", "interrupted  "},
		{"propose", propose, Interrupted, "text", full, "", "interrupted  "},
		{"propose", propose, "", "", none, "", ""},
	} {
		b := newTaskBench(t, lanes{model.Deep: replies("x")}, quiet())
		store := &faultyTasks{}
		tasks, snap := b.engine.Tasks, b.Session.Snapshot()
		tasks.deps.Store = store
		if c.state != "" {
			rec := state.Task{ID: "t", State: c.state, Root: b.Root}
			if strings.Contains(c.fails, "text") {
				rec.Steps = []state.Step{{State: Done, Result: []state.Change{{Path: "main.go", Before: "x", After: "y"}}}}
			}
			if err := store.Save(rec); err != nil {
				t.Fatal(err)
			}
		}
		store.fails = c.fails
		err := c.do(tasks, snap, "t")
		got, sent, after := "", "", ""
		if err != nil {
			got = err.Error()
		}
		for _, m := range store.Messages {
			sent += m.Action + " " + m.Text
		}
		if kept, err := store.Get("t"); err == nil {
			after = fmt.Sprintf("%s %s %s", kept.State, kept.Error, kept.Resolved)
		}
		if got != c.err || sent != c.sent || after != c.after {
			t.Errorf("%s, %q, %q: error %q, sent %q, then %q; want %q, %q, %q", c.name, c.state, c.fails, got, sent, after, c.err, c.sent, c.after)
		}
		if noticed := len(b.notices()) > 0; noticed != (c.name == "decide" && c.fails != "") {
			t.Errorf("%s, %q: notices %q", c.name, c.fails, b.notices())
		}
	}
	b := newTaskBench(t, lanes{model.Deep: replies("x")}, quiet())
	b.engine.Tasks.deps.Store = nil
	for want, list := range map[string][]func(*Tasks, *workspace.Snapshot, string) error{none: {resume, plan, get, propose}, nothing: {cancel}, "unknown": {steer}} {
		for i, do := range list {
			if err := do(b.engine.Tasks, b.Session.Snapshot(), "t"); err == nil || err.Error() != want {
				t.Errorf("without a store, %d: %v, want %q", i, err, want)
			}
		}
	}
	b.engine.Tasks.Resolved("t", "accepted")
	if list := b.engine.Tasks.List(b.Session.Snapshot()); len(list) != 0 {
		t.Errorf("without a store: %+v", list)
	}
}

// TestTasksThatCannotBeKept: a disk that fails is a notice, once, and the task goes on.
func TestTasksThatCannotBeKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newTaskBench(t, lanes{model.Deep: answers(alpha11, turn{"", planAlpha})}, quiet())
		b.engine.Tasks.deps.Store = &faultyTasks{fails: "save receive list"}
		b.escalate(Request{})
		synctest.Wait()
		b.settled()
		list := b.engine.Tasks.List(b.Session.Snapshot())
		if len(list) != 1 || list[0].Record.State != Done {
			t.Errorf("%+v", list)
		}
		got := b.notices()
		slices.Sort(got)
		if want := []string{"Some older tasks cannot be read: no disk.", "The task cannot be kept on disk, so a crash would lose it: no disk."}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

// TestDecisionsAboutATask: what the user decides about a task of this process is kept with it.
func TestDecisionsAboutATask(t *testing.T) {
	b := newTaskBench(t, lanes{}, quiet())
	tasks := b.engine.Tasks
	run := b.engine.Tasks.newRun(b.Session.Snapshot(), Request{})
	tasks.runs.Store(run.id(), run)
	tasks.Resolved(run.id(), "accepted")
	if _, err := tasks.deps.Store.Get(run.id()); err == nil || run.record().Resolved != "accepted" {
		t.Errorf("while it runs: %v, %+v", err, run.record())
	}
	run.mail.finish()
	tasks.Resolved(run.id(), "rejected")
	if kept, err := tasks.deps.Store.Get(run.id()); err != nil || kept.Resolved != "rejected" {
		t.Errorf("after its end: %v, %+v", err, kept)
	}
}
