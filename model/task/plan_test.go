package task

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"tandem/model"
	"tandem/workspace/state"
)

// TestPlansThatCannotBeRun: which of them the user may edit, and which end the task.
func TestPlansThatCannotBeRun(t *testing.T) {
	b := newTaskBench(t, lanes{}, quiet())
	settings := quiet()
	b.engine.Tasks.deps.Settings = func() Settings { return settings }
	whole, order, one := Problem{Step: -1, Message: "All."}, Problem{Step: 1, Message: "Order.", Order: true}, Problem{Step: 0, Message: "One."}
	for _, c := range []struct {
		problems   []Problem
		unattended bool
		err, shown string
	}{
		{nil, false, "", ""}, {nil, true, "", ""}, {[]Problem{one, order}, false, "", "One. Order."}, {[]Problem{one}, true, "One.", ""}, {[]Problem{whole}, false, "All.", ""}, {[]Problem{order}, true, "", ""},
	} {
		settings.Unattended = c.unattended
		run := b.engine.Tasks.newRun(b.Session.Snapshot(), Request{})
		run.rec.Approved, run.rec.Replan, run.rec.Partial = true, true, "1. [D"
		err := planner{b.engine.Tasks.costs(), b.engine.Tasks.asker()}.planned(run, []state.Step{{Title: "a", Lane: Deep}}, c.problems)
		got := ""
		if err != nil {
			got = err.Error()
		}
		rec := run.record()
		if got != c.err || rec.Error != c.shown || err == nil && (len(rec.Steps) != 1 || rec.Replan || rec.Partial != "" || rec.Approved != (c.shown == "") || rec.EstimateTokens == 0) {
			t.Errorf("%v, unattended %v: %q, %+v", c.problems, c.unattended, got, rec)
		}
	}
}

// TestPartOfAPlanIsKept: what had come of a plan when its task was cancelled goes to the model when
// the task goes on.
func TestPartOfAPlanIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deep := &script{Gap: time.Minute, Answer: func(*model.Request) ([]string, error) { return []string{"1. [DEEP] make", " alpha return 11\n"}, nil }}
		b := newTaskBench(t, lanes{model.Deep: deep}, quiet())
		id := b.escalate(Request{}).Record.ID
		time.Sleep(time.Second)
		if err := b.engine.Tasks.Cancel(id); err != nil {
			t.Fatal(err)
		}
		b.expect(Cancelled, "Cancelled.")
		if rec, err := b.engine.Tasks.deps.Store.Get(id); err != nil || rec.Partial != "1. [DEEP] make" {
			t.Errorf("%q is kept, %v", rec.Partial, err)
		}
		if _, err := b.engine.Tasks.Resume(b.Session.Snapshot(), id); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		input := deep.Requests()[1].Input
		if !slices.ContainsFunc(input, func(m model.Message) bool { return m.Role == "assistant" && m.Text.String() == "1. [DEEP] make" }) {
			t.Errorf("the plan is asked for again with %+v", input)
		}
		if err := b.engine.Tasks.Cancel(id); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
	})
}
