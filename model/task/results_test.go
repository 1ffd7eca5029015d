package task

import (
	"path/filepath"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/edit"
	"tandem/workspace/redact"
	"tandem/workspace/state"
)

// TestWhyAResultIsReviewed: the settings, a step that was done again, a deletion, and what is
// risky; else nothing.
func TestWhyAResultIsReviewed(t *testing.T) {
	settings := quiet()
	b := newTaskBench(t, lanes{}, settings)
	b.engine.Tasks.deps.Settings = func() Settings { return settings }
	w := b.engine.Tasks.worker()
	plain := []edits.FileChange{{Path: "a.go"}}
	for _, c := range []struct {
		setting string
		steps   []state.Step
		changes []edits.FileChange
		want    string
	}{
		{"never", []state.Step{{Checks: []string{"x"}}}, plain, ""}, {"always", nil, plain, "the configuration asks for it"}, {"risk", nil, plain, ""}, {"risk", []state.Step{{}, {Checks: []string{"x"}}}, plain, "step 2 was done again"},
		{"risk", nil, []edits.FileChange{{Path: "a.go"}, {Path: "b.go", AbsentAfter: true}}, "b.go is deleted"}, {"risk", nil, []edits.FileChange{{Path: "auth/token.go"}}, "*"},
	} {
		settings.Review = c.setting
		run := b.engine.Tasks.newRun(b.Session.Snapshot(), Request{Instruction: "rename x"})
		run.rec.Steps = c.steps
		if got := w.reviewReason(run, c.changes); got != c.want && !(c.want == "*" && got != "") {
			t.Errorf("%+v: %q", c, got)
		}
	}
	long := edits.FileChange{Path: "b", After: strings.Repeat("line\n", maxReviewDiff/5)}
	one := edits.FileChange{Path: "a", Before: "x\n", After: "y\n"}
	if got, want := diffOf(&redact.Redactor{}, []edits.FileChange{one, long, one}), edits.Unified("a", "x\n", "y\n")+"(the change of b is too long to show)\n"+edits.Unified("a", "x\n", "y\n"); got.String() != want {
		t.Errorf("%.500q", got)
	}
}

// TestConflictsOfAResult: what does not fit is listed and dropped, the rest stays, and nothing
// that was handed out before changes.
func TestConflictsOfAResult(t *testing.T) {
	b := newTaskBench(t, lanes{}, quiet())
	snap := b.Session.Snapshot()
	changes := []edits.FileChange{assisttest.ChangeOf("main.go", assisttest.Source, "return 1", "return 11"), assisttest.ChangeOf("lib/a.go", libA, "return 1", "return 111")}
	p, err := b.engine.Editor.ProposeChanges(t.Context(), snap, changes, edit.Proposal{Request: edit.Request{URI: b.URI}, Task: edit.TaskResult{ID: "t1"}})
	if err != nil || len(p.Files) != 2 {
		t.Fatal(p, err)
	}
	at := b.At("return ")
	b.Edit(at, at+1, "7")
	now, err := b.engine.Editor.Get(p.ID)
	if err != nil || now.State != edit.Ready || len(now.Task.Conflicts) != 1 || now.Task.Conflicts[0].Path != "main.go" || !now.Files[0].Done() || now.Files[1].Done() {
		t.Fatalf("%+v, %v", now, err)
	}
	if len(p.Task.Conflicts) != 0 || p.Files[0].Done() || p.Files[0].Base.String() != assisttest.Source {
		t.Error("a proposal that was handed out has changed")
	}
	if got := now.ConflictsIn("main.go"); len(got) != 1 || len(now.ConflictsIn("lib/a.go")) != 0 {
		t.Errorf("%v", got)
	}
	list, conflicts, err := b.engine.Editor.AcceptPart(t.Context(), b.Session.Snapshot(), p.ID, edit.Part{}, false)
	if err != nil || len(list) != 1 || filepath.Base(list[0].URI) != "a.go" || len(conflicts) != 1 {
		t.Errorf("%+v, %v, %v", list, conflicts, err)
	}
	if _, _, err := b.engine.Editor.AcceptPart(t.Context(), b.Session.Snapshot(), p.ID, edit.Part{File: "main.go"}, false); err == nil || !strings.HasPrefix(err.Error(), "Nothing of this fits the files as they are now: ") {
		t.Errorf("%v", err)
	}
	if _, _, err := b.engine.Editor.AcceptPart(t.Context(), b.Session.Snapshot(), p.ID, edit.Part{File: "none.go"}, false); err == nil {
		t.Error("a file that there is not is accepted")
	}
	if err := b.engine.Editor.RejectPart(b.Session.Snapshot(), p.ID, edit.Part{File: "lib/a.go"}); err != nil {
		t.Fatal(err)
	}
	if last, _ := b.engine.Editor.Get(p.ID); last.State != edit.Rejected {
		t.Errorf("nothing is left, and it is %s", last.State)
	}
}

// TestResultsInTheirOrder: what steps changed is carried over in the order in which they were done.
func TestResultsInTheirOrder(t *testing.T) {
	b := newTaskBench(t, lanes{}, quiet())
	first := assisttest.ChangeOf("main.go", assisttest.Source, "return 1", "return 11")
	second := assisttest.ChangeOf("main.go", first.After, "return 11", "return 111")
	steps := []state.Step{{State: Done, Order: 2}, {State: Done, Order: 1}, {State: Failed}}
	carried, conflicts := settled(b.Session.Snapshot(), steps, map[int][]edits.FileChange{0: {second}, 1: {first}})
	if len(conflicts) != 0 || len(carried[0]) != 1 || carried[0][0].After != second.After || len(carried[1]) != 1 || carried[1][0].After != first.After {
		t.Errorf("%+v, %v", carried, conflicts)
	}
}
