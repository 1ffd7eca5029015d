package assist

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/task"
	"tandem/workspace"
	"tandem/workspace/run"
	"tandem/workspace/state"
)

// TestStepsThatDoNotEndWell: a step that cannot be done now stops the task, which goes on later;
// one whose answers cannot be used fails. Both count their time.
func TestStepsThatDoNotEndWell(t *testing.T) {
	for _, c := range []struct {
		name     string
		err      error
		requests int
		state    TaskState
		step     TaskState
		ms       int64
		checks   int
	}{
		{"the server fails", &model.Error{Code: model.CodeServer, Message: "broke"}, 2, TaskInterrupted, TaskQueued, 1000, 0},
		{"the model refuses", &model.Error{Code: model.CodeRefused, Message: "broke"}, 3, TaskFailed, TaskFailed, 2000, 1},
		{"the answer is no edit", nil, 3, TaskFailed, TaskFailed, 2000, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			deep := &script{first: time.Second, answer: func(req *model.Request) ([]string, error) {
				if strings.Contains(lastOf(req), "Do step 1 now") {
					return []string{"no edit"}, c.err
				}
				return []string{planAlpha}, nil
			}}
			b := newTaskBench(t, lanes{model.Deep: deep}, quiet())
			b.escalate(TaskRequest{})
			got := b.expect(c.state, "")
			one := got.Steps[0]
			if len(deep.requests()) != c.requests || one.State != c.step || one.Ms != c.ms || len(one.Checks) != c.checks || got.Ms != 1000+c.ms {
				t.Errorf("%s: %d requests, %+v, %d ms in all", c.name, len(deep.requests()), one, got.Ms)
			}
		})
	}
}

// TestPartOfAStepIsKept: what had come of an answer before the task stopped is given back to the
// model once; an answer that cannot be used takes its place.
func TestPartOfAStepIsKept(t *testing.T) {
	deep := replies("no edit")
	b := newTaskBench(t, lanes{model.Deep: deep}, quiet())
	run := newTaskRun(b.session.Snapshot(), TaskRequest{Instruction: "x"})
	run.rec.Steps = []state.Step{{Title: "make alpha", Lane: task.Deep, Writes: []string{"main.go"}, Partial: "half of it", State: string(TaskRunning)}}
	if err := (stepRunner{workOf(b.engine.Tasks)}).step(t.Context(), run, 0); err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, req := range deep.requests() {
		for _, m := range req.Input[1 : len(req.Input)-1] {
			said = append(said, m.Role+": "+m.Text)
		}
	}
	if want := []string{"assistant: half of it", "assistant: no edit", "user: That answer cannot be used."}; !slices.Equal(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
	if got := run.record().Steps[0]; got.Partial != "" || got.State != string(TaskFailed) || got.Error == "" {
		t.Errorf("%+v", got)
	}
}

// TestWhoLeavesTheQueue: a task that waits for its turn gives up its place, or the turn that it
// was given meanwhile.
func TestWhoLeavesTheQueue(t *testing.T) {
	var s taskSlots
	if err := s.acquire(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	first, second := make(chan struct{}), make(chan struct{})
	s.waiting = []chan struct{}{first, second}
	s.leave(first)
	if s.used != 1 || len(s.waiting) != 1 || s.waiting[0] != second {
		t.Fatalf("%d used, %d wait", s.used, len(s.waiting))
	}
	s.release()
	<-second
	if s.used != 1 || len(s.waiting) != 0 {
		t.Fatalf("%d used, %d wait", s.used, len(s.waiting))
	}
	s.leave(second)
	if s.used != 0 {
		t.Errorf("%d used, %d wait", s.used, len(s.waiting))
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 {
		_ = s.acquire(t.Context(), 2)
	}
	if err := s.acquire(over, 2); err == nil || s.used != 2 || len(s.waiting) != 0 {
		t.Errorf("%v, %d used, %d wait", err, s.used, len(s.waiting))
	}
}

// TestTaskBeginsOnAnIndex: a new task waits for one; a task with results, and one whose folders
// are indexed, keep their snapshot.
func TestTaskBeginsOnAnIndex(t *testing.T) {
	b := newTaskBench(t, lanes{}, quiet())
	group := run.NewGroup(t.Context(), func(*run.Panic) {})
	group.Close() // so nothing is indexed
	session, err := workspace.Open(t.Context(), workspace.Options{Folders: []string{b.root}, Trusted: true, ClientWatches: true, Group: group})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	ready, unready := b.session.Snapshot(), session.Snapshot()
	if unready.Views()[0].Ready() {
		t.Fatal("the folder is indexed")
	}
	for _, c := range []struct {
		name    string
		snap    *workspace.Snapshot
		results int
		none    bool
		indexed *workspace.Snapshot
		asked   int
		want    *workspace.Snapshot
	}{
		{"new", unready, 0, false, ready, 1, ready},
		{"none comes", unready, 0, false, nil, 1, unready},
		{"with a result", unready, 1, false, ready, 0, unready},
		{"indexed", ready, 0, false, unready, 0, ready},
		{"nobody indexes", unready, 0, true, nil, 0, unready},
	} {
		asked := 0
		b.engine.core.Indexed = func(context.Context) *workspace.Snapshot { asked++; return c.indexed }
		if c.none {
			b.engine.core.Indexed = nil
		}
		run := newTaskRun(c.snap, TaskRequest{})
		for i := range c.results {
			run.results[i] = []edits.FileChange{{Path: "main.go"}}
		}
		if workOf(b.engine.Tasks).awaitIndex(t.Context(), run); run.snap != c.want || asked != c.asked {
			t.Errorf("%s: asked %d times, another snapshot: %v", c.name, asked, run.snap != c.want)
		}
	}
}

// TestModelsThatRefuseTools: a model whose server refuses function calls is asked in text, and
// from then on; not where it has made some already, or for another error.
func TestModelsThatRefuseTools(t *testing.T) {
	bad := &model.Error{Code: model.CodeBadRequest, Message: "no"}
	for _, c := range []struct {
		name     string
		how      toolProtocol
		seen     int
		err      error
		requests int
		refuses  bool
	}{
		{"refused", callTools, 0, bad, 2, true}, {"after one call", callTools, 1, bad, 1, false}, {"in text", textTools, 0, bad, 1, false},
		{"delivered", callTools, 0, &model.Error{Code: model.CodeBadRequest, Delivered: true}, 1, false}, {"of the tools", callTools, 0, &model.Error{Code: model.CodeParameter, Param: "tools"}, 2, true},
		{"of something else", callTools, 0, &model.Error{Code: model.CodeParameter, Param: "top_p"}, 1, false}, {"a server's", callTools, 0, &model.Error{Code: model.CodeServer}, 1, false}, {"none", callTools, 0, nil, 1, false},
	} {
		deep := &script{tools: true}
		deep.answer = func(*model.Request) ([]string, error) {
			if len(deep.asked) == 1 && c.err != nil {
				return nil, c.err
			}
			return []string{"fine"}, nil
		}
		b := newBench(t, lanes{model.Deep: deep}, source, nil)
		tasks := b.engine.Tasks
		run := newTaskRun(b.session.Snapshot(), TaskRequest{})
		ask, err := tasks.prompt(t.Context(), run.snap, question{kind: model.KindPlan, lane: model.Deep, request: "x"})
		if err != nil {
			t.Fatal(err)
		}
		d := &conversation{toolbox: toolbox{taskAsker: taskAsker{taskCosts{tasks}}, run: run, tools: taskTools, step: -1, snap: run.snap, ask: ask, seen: map[string]bool{}}, lane: model.Deep, cfg: tasks.deepConfig(), first: ask.Request}
		for i := range c.seen {
			d.seen[fmt.Sprint(i)] = true
		}
		answer, err := d.answer(t.Context(), c.how)
		if n := len(deep.requests()); n != c.requests || (answer == "fine") != (c.requests == 2 || c.err == nil) || tasks.refusals.has(d.cfg.Name) != c.refuses {
			t.Errorf("%s: %d requests, %q, %v", c.name, n, answer, err)
		}
	}
}

// TestSelectionOfATask: a selection goes before the cursor.
func TestSelectionOfATask(t *testing.T) {
	for _, c := range []struct{ offset, start, end, first, last int }{{3, 0, 0, 3, 3}, {3, 5, 6, 5, 6}, {3, 5, 9, 5, 9}, {0, 4, 4, 0, 0}} {
		req := TaskRequest{Place: Place{Offset: c.offset}, Span: edits.Span{Start: c.start, End: c.end}}
		if got := req.span(); got.Start != c.first || got.End != c.last {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}
