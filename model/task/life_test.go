package task

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/workspace/redact"
	"tandem/workspace/state"
)

// TestTaskTakenUp: of a task that was kept on disk, what is done stays done, and the rest is to
// do again, without its errors.
func TestTaskTakenUp(t *testing.T) {
	b := newTaskBench(t, lanes{}, quiet())
	snap := b.Session.Snapshot()
	if err := os.WriteFile(filepath.Join(b.Root, "held.env"), []byte("PASSWORD=second22xyz9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var first redact.Redactor
	first.Seal(filepath.Join(b.Root, "held.env"), "PASSWORD=second22xyz9\n")
	held := first.References()[0]
	rec := state.Task{ID: "t1", Title: "x", State: Failed, Error: "broke", Code: "server", Start: 3, End: 3, Root: b.Root, Hidden: [][]redact.Reference{{{Path: filepath.Join(b.Root, "gone"), Hash: "0", End: 5}}, held}, Steps: []state.Step{
		{Title: "a", State: Done, Order: 1}, {Title: "b", State: Failed, Error: "no"}, {Title: "c", State: Running}, {Title: "d", State: Interrupted, Error: "cut"},
	}}
	run, err := b.engine.Tasks.restored(snap, rec)
	if err != nil {
		t.Fatal(err)
	}
	got := run.record()
	if stepStates(run.view()) != "done queued queued queued" || got.State != Queued || got.Error+got.Code != "" || got.Steps[1].Error+got.Steps[3].Error != "" || got.Start != 3 || got.ID != "t1" {
		t.Errorf("%+v", got)
	}
	run.secrets.Redact(`password = "hunter22xyz9"`)
	if restored := run.secrets.Restore("⟦redacted-1⟧ ⟦redacted-2⟧ ⟦redacted-3⟧"); restored != "⟦redacted-1⟧ second22xyz9 hunter22xyz9" {
		t.Errorf("the secrets come back as %q", restored)
	}
	if places := run.view().Record.Hidden; len(places) != 3 || !slices.Equal(places[1], held) || len(places[2]) != 0 {
		t.Errorf("the places %v are kept", places)
	}
	if rec.Steps[1].State != Failed {
		t.Error("the record that was read has changed")
	}
	rec.Root = filepath.Join(b.Root, "other")
	if _, err := b.engine.Tasks.restored(snap, rec); err == nil || !strings.Contains(err.Error(), "open that folder first") {
		t.Errorf("in another folder: %v", err)
	}
	for _, c := range []struct {
		steps     []state.Step
		conflicts []edits.Conflict
		want      string
	}{
		{nil, []edits.Conflict{{Path: "a", Message: "a differs"}, {Path: "b", Message: "b differs"}}, "Nothing of the result fits the files as they are now: a differs; b differs."},
		{[]state.Step{{}, {Result: []state.Change{{Path: "a"}}}}, nil, "The files hold the whole result of the task already."},
		{[]state.Step{{}}, nil, "The task is failed and has no result."},
	} {
		if got := noResult(state.Task{State: Failed, Steps: c.steps}, c.conflicts); got.Error() != c.want {
			t.Errorf("%v", got)
		}
	}
}

// TestQuestionOfATask: a task asks its last question, while it waits.
func TestQuestionOfATask(t *testing.T) {
	said := []state.Message{{Kind: "question", Text: "a"}, {Kind: "question", Text: "b"}, {Kind: "notice", Text: "c"}}
	for _, c := range []struct {
		rec  state.Task
		want string
	}{{state.Task{State: Waiting, Messages: said}, "b"}, {state.Task{State: Running, Messages: said}, ""}, {state.Task{State: Waiting}, ""}} {
		if got := (Task{Record: c.rec}).Question(); got != c.want {
			t.Errorf("%+v asks %q", c.rec, got)
		}
	}
}

// TestTasksOfAFolder: which tasks are listed, and that another process's state of a task goes
// before that of a run that has ended here.
func TestTasksOfAFolder(t *testing.T) {
	b := newTaskBench(t, lanes{}, quiet())
	tasks, snap := b.engine.Tasks, b.Session.Snapshot()
	kept := func(id, root string, s string, at int64) {
		if err := tasks.deps.Store.Save(state.Task{ID: id, Root: root, State: s, Started: time.Unix(at, 0)}); err != nil {
			t.Fatal(err)
		}
	}
	runs := func(id string, s string, at int64) {
		run := b.engine.Tasks.newRun(snap, Request{})
		run.rec.ID, run.rec.State, run.rec.Started = id, s, time.Unix(at, 0)
		tasks.runs.Store(run.id(), run)
	}
	kept("elsewhere", "/elsewhere", Done, 9)
	kept("nowhere", "", Done, 1)
	kept("resumed", b.Root, Running, 2)
	runs("resumed", Failed, 2)
	kept("goes on", b.Root, Planned, 3)
	runs("goes on", Running, 3)
	kept("over", b.Root, Interrupted, 4)
	runs("over", Done, 4)
	runs("not kept", Failed, 5)
	var got []string
	for _, one := range tasks.List(snap) {
		got = append(got, one.Record.ID+" "+one.Record.State)
	}
	if want := []string{"not kept failed", "over done", "goes on running", "resumed running", "nowhere done"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestNoticesOfATask: a price is asked for once, and steps that only their order can part are
// said to run in it.
func TestNoticesOfATask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deep := answers(alpha11, turn{"now and nothing else: make beta", assisttest.Swap("main.go", "\treturn 2", "\treturn 22")}, turn{"", planAlpha + "2. [DEEP] make beta return 22 | write: main.go\n"})
		b := newTaskBench(t, lanes{model.Deep: deep}, quiet())
		b.escalate(Request{})
		done := b.expect(Done, "")
		if len(done.Record.Messages) != 1 || done.Record.Messages[0].Kind != "notice" || done.Record.Messages[0].From != "task" || done.Record.Messages[0].Text != "Step 2 and step 1 both write main.go, and none is after the other. They run in the order of the plan." {
			t.Errorf("%+v", done.Record.Messages)
		}
		run := b.engine.Tasks.newRun(b.Session.Snapshot(), Request{})
		run.rec.EstimateTokens, run.rec.EstimateUSD = 1200, 0.5
		for range 2 {
			b.engine.Tasks.costs().askForPrice(run)
		}
		const price = "This task is expected to use 1200 tokens and to cost about $0.50. Resume it to start, or cancel it."
		if rec := run.record(); len(rec.Messages) != 1 || rec.Messages[0].Text != price || rec.Messages[0].Kind != "question" || rec.State != Waiting {
			t.Errorf("%+v", rec)
		}
	})
}
