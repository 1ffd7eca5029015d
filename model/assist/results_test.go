package assist

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/accept"
	"tandem/model/local"
	"tandem/model/task"
	"tandem/workspace"
	"tandem/workspace/git"
	"tandem/workspace/names"
	"tandem/workspace/redact"
	"tandem/workspace/state"
)

// TestRequestOfAStep: the whole text that a model gets for a step.
func TestRequestOfAStep(t *testing.T) {
	rec := state.Task{Instruction: "count", Steps: []state.Step{
		{Lane: task.Fast, Title: "one", State: string(TaskDone)},
		{Lane: task.Deep, Title: "two", Writes: []string{"a.go", "b.go"}, Done: "it builds"},
		{Lane: task.Deep, Title: "three"},
	}}
	plan := "count\n\nThe plan:\n" + planWithStates(rec.Steps)
	for _, c := range []struct {
		step    int
		refused error
		said    string
		want    string
	}{
		{1, nil, "", "\nThis step changes no other file than a.go, b.go.\nThe step is done when: it builds\nDo step 2 now and nothing else: two"},
		{2, nil, "", "\nDo step 3 now and nothing else: three"},
		{2, errors.New("no block"), "more", "\nDo step 3 now and nothing else: three\n\nAn earlier answer to this step could not be used: no block\nWrite the whole answer to the step again.\n\nThe user added since; where these differ, the last holds:\n- more\n"},
	} {
		rec.Messages = nil
		if c.said != "" {
			rec.Messages = []state.Message{{Kind: "steer", Text: c.said}}
		}
		if got := stepRequest(rec, c.step, c.refused); got != plan+c.want {
			t.Errorf("%q, want %q", got, plan+c.want)
		}
	}
	if got := stepWords(task.Step{Title: "t", Done: "d", Writes: []string{"w"}, Reads: []string{"r", "s"}}); got != "t\nd\nw\nr\ns" {
		t.Errorf("%q", got)
	}
}

// TestPlaceOfAStep: the document that a step's window is about, and where in it.
func TestPlaceOfAStep(t *testing.T) {
	b := newTaskBench(t, lanes{}, quiet())
	snap := b.session.Snapshot()
	selected := TaskRequest{Place: Place{URI: b.uri}, Span: edits.Span{Start: 20, End: 30}}
	for _, c := range []struct {
		name    string
		req     TaskRequest
		writes  []string
		changed bool
		want    string
	}{
		{"what the user named", selected, nil, false, "main.go 20"},
		{"its own file", selected, []string{"lib/a.go"}, false, "lib/a.go 0"},
		{"the user's file", selected, []string{"main.go"}, false, "main.go 20"},
		{"the first that there is", selected, []string{"none.go", "main.go", "lib/a.go"}, false, "main.go 20"},
		{"files that there are not", selected, []string{"none.go"}, false, " 0"},
		{"a file that a step has changed", selected, []string{"main.go"}, true, "main.go 0"},
		{"no document", TaskRequest{Span: edits.Span{Start: 20, End: 30}}, nil, false, " 0"},
		{"a file, and no document", TaskRequest{Span: edits.Span{Start: 20, End: 30}}, []string{"main.go"}, false, "main.go 0"},
	} {
		run := newTaskRun(snap, c.req)
		if c.changed {
			run.rec.Steps = []state.Step{{State: string(TaskDone)}}
			run.results[0] = []edits.FileChange{changeOf("main.go", source, "return 1", "return 11")}
		}
		uri, span := run.placeOf(snap, task.Step{Writes: c.writes})
		name := ""
		if uri != "" {
			name = snap.Name(uri)
		}
		if got := fmt.Sprint(name, " ", span.Start); got != c.want || span.Len() != 0 {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestTaskTakenUp: of a task that was kept on disk, what is done stays done, and the rest is to
// do again, without its errors.
func TestTaskTakenUp(t *testing.T) {
	b := newTaskBench(t, lanes{}, quiet())
	snap := b.session.Snapshot()
	rec := state.Task{ID: "t1", Title: "x", State: string(TaskFailed), Error: "broke", Code: "server", Start: 3, End: 3, Root: b.root, Steps: []state.Step{
		{Title: "a", State: string(TaskDone), Order: 1}, {Title: "b", State: string(TaskFailed), Error: "no"}, {Title: "c", State: string(TaskRunning)}, {Title: "d", State: string(TaskInterrupted), Error: "cut"},
	}}
	run, err := b.engine.Tasks.restored(snap, rec)
	if err != nil {
		t.Fatal(err)
	}
	got := run.record()
	if stepStates(run.view()) != "done queued queued queued" || got.State != string(TaskQueued) || got.Error+got.Code != "" || got.Steps[1].Error+got.Steps[3].Error != "" || got.Start != 3 || got.ID != "t1" {
		t.Errorf("%+v", got)
	}
	if rec.Steps[1].State != string(TaskFailed) {
		t.Error("the record that was read has changed")
	}
	rec.Root = filepath.Join(b.root, "other")
	if _, err := b.engine.Tasks.restored(snap, rec); err == nil || !strings.Contains(err.Error(), "open that folder first") {
		t.Errorf("in another folder: %v", err)
	}
	for _, c := range []struct {
		steps     []state.Step
		conflicts []task.Conflict
		want      string
	}{
		{nil, []task.Conflict{{Path: "a", Message: "a differs"}, {Path: "b", Message: "b differs"}}, "Nothing of the result fits the files as they are now: a differs; b differs."},
		{[]state.Step{{}, {Result: []state.Change{{Path: "a"}}}}, nil, "The files hold the whole result of the task already."},
		{[]state.Step{{}}, nil, "The task is failed and has no result."},
	} {
		if got := noResult(state.Task{State: string(TaskFailed), Steps: c.steps}, c.conflicts); got.Error() != c.want {
			t.Errorf("%v", got)
		}
	}
}

// TestTaskForHosts: what a host is shown of a stored task.
func TestTaskForHosts(t *testing.T) {
	at := time.Unix(1000, 0)
	got := taskOf(state.Task{ID: "i", Root: "r", Title: "t", Instruction: "do", State: string(TaskWaiting), Error: "e", Code: "c", Started: at, PromptTokens: 3, CostUSD: 2, FastUSD: 1, Ms: 7, Review: "fine", Resolved: "accepted", EstimateTokens: 9, EstimateUSD: 4,
		Messages: []state.Message{{Kind: "question", Text: "which?"}}, Calls: []state.Call{{Tool: "file"}},
		Steps: []state.Step{{Title: "one", Lane: task.Fast, State: string(TaskFailed), Model: "m", CostUSD: 0.5, Ms: 5, Checks: []string{"bad"}, Error: "no", Result: []state.Change{{Path: "a"}, {Path: "b"}}, Writes: []string{"a"}, Reads: []string{"z"}, Done: "d"}}})
	step := Step{Step: task.Step{Lane: task.Fast, Title: "one", Writes: []string{"a"}, Reads: []string{"z"}, Done: "d"}, State: TaskFailed, Model: "m", CostUSD: 0.5, Ms: 5, Checks: []string{"bad"}, Err: "no", Files: []string{"a", "b"}}
	want := Task{ID: "i", Root: "r", Title: "t", Instruction: "do", State: TaskWaiting, Err: "e", Code: "c", Started: at, Tokens: 3, CostUSD: 2, FastUSD: 1, Ms: 7, Review: "fine", Resolved: "accepted", Question: "which?",
		Estimate: TaskEstimate{Tokens: 9, USD: 4}, Messages: []state.Message{{Kind: "question", Text: "which?"}}, Calls: []state.Call{{Tool: "file"}}, Steps: []Step{step}, Plan: task.Format([]task.Step{step.Step})}
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("%+v, want\n%+v", got, want)
	}
	if got := taskOf(state.Task{State: string(TaskRunning), Messages: []state.Message{{Kind: "question", Text: "which?"}}}); got.Question != "" {
		t.Errorf("a task that runs asks %q", got.Question)
	}
}

// TestTasksOfAFolder: which tasks are listed, and that another process's state of a task goes
// before that of a run that has ended here.
func TestTasksOfAFolder(t *testing.T) {
	b := newTaskBench(t, lanes{}, quiet())
	tasks, snap := b.engine.Tasks, b.session.Snapshot()
	kept := func(id, root string, s TaskState, at int64) {
		if err := tasks.TaskStore.Save(state.Task{ID: id, Root: root, State: string(s), Started: time.Unix(at, 0)}); err != nil {
			t.Fatal(err)
		}
	}
	runs := func(id string, s TaskState, at int64) {
		run := newTaskRun(snap, TaskRequest{})
		run.rec.ID, run.rec.State, run.rec.Started = id, string(s), time.Unix(at, 0)
		tasks.live.put(run)
	}
	kept("elsewhere", "/elsewhere", TaskDone, 9)
	kept("nowhere", "", TaskDone, 1)
	kept("resumed", b.root, TaskRunning, 2)
	runs("resumed", TaskFailed, 2)
	kept("goes on", b.root, TaskPlanned, 3)
	runs("goes on", TaskRunning, 3)
	kept("over", b.root, TaskInterrupted, 4)
	runs("over", TaskDone, 4)
	runs("not kept", TaskFailed, 5)
	var got []string
	for _, one := range tasks.List(snap) {
		got = append(got, one.ID+" "+string(one.State))
	}
	if want := []string{"not kept failed", "over done", "goes on running", "resumed running", "nowhere done"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestLooksOfATask: what each look of a model shows, to the line, and how it is recorded.
func TestLooksOfATask(t *testing.T) {
	files := map[string]string{"ten.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n10", "many.txt": strings.Repeat("x\n", 300), "wide.txt": strings.Repeat(strings.Repeat("y", 99)+"\n", 150)}
	b := newBench(t, lanes{model.Deep: replies("x")}, source, files)
	settings := quiet()
	output := ""
	settings.Test = func(context.Context, string) (string, error) { return output, nil }
	b.engine.TaskSettings = func() TaskSettings { return settings }
	snap := b.session.Snapshot()
	asker := taskAsker{taskCosts{b.engine.Tasks}}
	run := newTaskRun(snap, TaskRequest{Place: Place{URI: b.uri}, Tests: true})
	ask, err := b.engine.Tasks.prompt(t.Context(), snap, question{kind: model.KindPlan, lane: model.Deep, request: "x"})
	if err != nil {
		t.Fatal(err)
	}
	box := &toolbox{taskAsker: asker, run: run, tools: asker.toolsOf(run), step: 1, snap: snap, ask: ask, seen: map[string]bool{}}
	look := func(line string) string {
		uses := usesIn("LOOK " + line)
		return box.result(t.Context(), 0, uses[0])
	}
	for _, c := range []struct{ line, want string }{
		{"file ten.txt 2-4", "# ten.txt:2\n2\n3\n4\n"}, {"file ten.txt 9-99", "# ten.txt:9\n9\n10"}, {"file ten.txt 99-99", "# ten.txt:10\n10"}, {"file ten.txt 3-3", "# ten.txt:3\n3\n"}, {"file ten.txt", "# ten.txt:1\n" + files["ten.txt"]},
		{"file many.txt", "# many.txt:1\n" + strings.Repeat("x\n", maxToolLines)}, {"file many.txt 100-400", "# many.txt:100\n" + strings.Repeat("x\n", 300-99)}, {"file wide.txt", "# wide.txt:1\n" + strings.Repeat(strings.Repeat("y", 99)+"\n", maxToolBytes/100)},
		{"file ten.txt 2-4", "you have been shown this already"}, {"file none.txt", "none.txt cannot be shown"}, {"dance", "there is no such tool"}, {"users nobody", "no file uses nobody"}, {"implementations nobody", "nothing implements nobody"},
		{"diagnostics ten.txt", "nothing is reported about ten.txt"}, {"step 1", "step 1 has changed nothing yet"},
	} {
		if got := look(c.line); got != c.want && !(strings.HasPrefix(c.want, "none.txt") && strings.HasPrefix(got, c.want)) {
			t.Errorf("%s: %.300q, want %.300q", c.line, got, c.want)
		}
	}
	for line, want := range map[int]bool{1: true, 10: true, 11: false} {
		if box.ask.seen["ten.txt"].lines[line] != want {
			t.Errorf("line %d of ten.txt was shown: %v", line, !want)
		}
	}
	if s := box.ask.seen["wide.txt"]; !s.lines[maxToolBytes/100] || s.lines[maxToolBytes/100+2] {
		t.Error("what was cut counts as shown")
	}
	window := b.engine.Models.(lanes)
	most, _ := window.Config(model.Deep)
	for _, c := range []struct {
		made int
		want string
	}{{5, "zzzzz"}, {most.ContextWindow, strings.Repeat("z", most.ContextWindow)}, {most.ContextWindow + 1, "…" + strings.Repeat("z", most.ContextWindow)}} {
		output = strings.Repeat("z", c.made)
		delete(box.seen, testsName+" ")
		box.size = 0
		if got := look(testsName); got != c.want {
			t.Errorf("of %d bytes of output %d are shown: %.60q", c.made, len(got), got)
		}
	}
	for range maxTestRuns {
		delete(box.seen, testsName+" ")
		box.size, output = 0, "ok"
		look(testsName)
	}
	delete(box.seen, testsName+" ")
	if got := look(testsName); got != "the tests have been run 6 times for this task, which is as often as they may" {
		t.Errorf("%q", got)
	}
	look("users " + strings.Repeat("n", 300))
	look(strings.Repeat("d", 50) + " x")
	calls := run.record().Calls
	if last := calls[len(calls)-2]; len(last.Args) != 200 || last.Tool != "users" || last.Step != 1 || last.Error == "" {
		t.Errorf("%+v", last)
	}
	if last := calls[len(calls)-1]; last.Tool != strings.Repeat("d", 40) || last.Args != "x" {
		t.Errorf("%+v", last)
	}
	if first := calls[0]; first.Tool != "file" || first.Args != "ten.txt 2-4" || first.Error != "" || first.Tokens != len("# ten.txt:2\n2\n3\n4\n")/4 {
		t.Errorf("%+v", first)
	}
	for _, n := range []int{maxToolBytes, maxToolBytes + 1} {
		if got := len(bounded(strings.Repeat("x", n))); got != (maxToolBytes+1-n)*maxToolBytes {
			t.Errorf("of one line of %d bytes %d are shown", n, got)
		}
	}
	box.size = maxToolTotal
	if got := look("file ten.txt 1-1"); got != "# ten.txt:1\n1\n" {
		t.Errorf("%q", got)
	}
	if got := look("file ten.txt 1-2"); got != "you have looked at as much as one answer may; answer now" {
		t.Errorf("%q", got)
	}
	if got := box.result(t.Context(), maxToolsOnce, usesIn("LOOK file ten.txt 5-6")[0]); got != "6 at once are enough; ask for this again if you still need it" {
		t.Errorf("%q", got)
	}
	run.rec.Tests = false
	if got := asker.toolsOf(run); len(got) != len(taskTools) {
		t.Errorf("%d tools without the user's agreement to tests", len(got))
	}
}

// TestQuestionToTheUser: one question at a time; one whose task was stopped waits no longer.
func TestQuestionToTheUser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		settings := quiet()
		b := newBench(t, lanes{model.Deep: replies("x")}, source, nil)
		b.engine.TaskSettings = func() TaskSettings { return settings }
		run := newTaskRun(b.session.Snapshot(), TaskRequest{})
		run.rec.State = string(TaskRunning)
		box := &toolbox{taskAsker: taskAsker{taskCosts{b.engine.Tasks}}, run: run}
		ask := func(ctx context.Context) string {
			args, err := taskTools[len(taskTools)-1].Parse("which one?")
			if err != nil {
				t.Fatal(err)
			}
			text, err := box.askUser(ctx, args)
			if err != nil {
				return err.Error()
			}
			return text
		}
		ctx, stop := context.WithCancel(t.Context())
		go func() {
			time.Sleep(time.Second)
			if got := run.view(); got.State != TaskWaiting || got.Question != "which one?" {
				t.Errorf("%+v", got)
			}
			if got := ask(t.Context()); got != "another question waits for the user; decide yourself" {
				t.Errorf("%q", got)
			}
			stop()
		}()
		if got := ask(ctx); got != context.Canceled.Error() || run.asks() {
			t.Errorf("%q", got)
		}
		go func() {
			time.Sleep(time.Second)
			run.post(taskMessage{steerMessage, "both"})
		}()
		run.rec.State = string(TaskRunning)
		if got := ask(t.Context()); got != "The user answers: both" || run.view().State != TaskRunning {
			t.Errorf("%q, and the task is %s", got, run.view().State)
		}
		settings.Unattended = true
		if got := ask(t.Context()); got != "nobody can be asked; decide yourself" {
			t.Errorf("%q", got)
		}
		var said []string
		for _, m := range run.record().Messages {
			said = append(said, m.From+" "+m.Kind+" "+m.Text)
		}
		if want := []string{"task question which one?", "task question which one?", "user answer both"}; !slices.Equal(said, want) {
			t.Errorf("%q", said)
		}
	})
}

// TestWhatAnAnswerAsksFor: which answers are looks, and how a conversation goes on.
func TestWhatAnAnswerAsksFor(t *testing.T) {
	for answer, want := range map[string]string{
		"LOOK file a.go 1-2\n`look Users x`\n\n```\nLOOK definition y": "file(a.go 1-2) users(x) definition(y)", "LOOK file a\nSo I answer.": "", "": "", "LOOK tests": "tests()", "LOOKING": "", "file a": "",
	} {
		var got []string
		for _, u := range usesIn(answer) {
			got = append(got, u.name+"("+u.args+")")
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q asks for %q, want %q", answer, got, want)
		}
	}
	said := reply{"first", []model.ToolCall{{ID: "c1", Name: "file", Arguments: "{}"}, {ID: "c2", Name: "users"}}}
	turn, uses := said.turn(callTools)
	if len(turn) != 3 || turn[0].Text != "first" || turn[1].Call.ID != "c1" || turn[2].Call.ID != "c2" || len(uses) != 2 || uses[0].name != "file" || uses[0].args != "{}" {
		t.Errorf("%+v, %+v", turn, uses)
	}
	if turn, uses := (reply{text: "LOOK tests", calls: said.calls}).turn(textTools); len(turn) != 1 || turn[0].Role != "assistant" || len(uses) != 1 || uses[0].name != "tests" {
		t.Errorf("%+v, %+v", turn, uses)
	}
	if turn, _ := (reply{calls: said.calls}).turn(callTools); len(turn) != 2 {
		t.Errorf("%+v", turn)
	}
	results := said.results(callTools, uses, []string{"r1", "r2"}, "last")
	if len(results) != 2 || results[0].Text != "r1" || results[0].Call.ID != "c1" || results[0].Role != "tool" || results[1].Text != "r2\nlast" {
		t.Errorf("%+v", results)
	}
	if results := said.results(callTools, uses, []string{"r1", "r2"}, ""); results[1].Text != "r2" {
		t.Errorf("%+v", results)
	}
	if results := said.results(textTools, uses, []string{"r1", "r2"}, "last"); len(results) != 1 || results[0].Role != "user" || results[0].Text != "LOOK file {}\nr1\nLOOK users \nr2\nlast" {
		t.Errorf("%+v", results)
	}
	for _, c := range []struct {
		err  error
		want bool
	}{
		{nil, false}, {errors.New("x"), false}, {&model.Error{Code: model.CodeBadRequest}, true}, {&model.Error{Code: model.CodeBadRequest, Delivered: true}, false}, {&model.Error{Code: model.CodeParameter, Param: "tools"}, true},
		{&model.Error{Code: model.CodeParameter, Param: "temperature"}, false}, {&model.Error{Code: model.CodeServer, Param: "tools"}, false},
	} {
		if refusesTools(c.err) != c.want {
			t.Errorf("%v means that it takes no tools: %v", c.err, !c.want)
		}
	}
}

// TestCollectedAnswers: how a stream ends, and what came of it.
func TestCollectedAnswers(t *testing.T) {
	broke := &model.Error{Code: model.CodeServer, Message: "broke"}
	for _, c := range []struct {
		name   string
		pieces []string
		err    error
		want   string
		code   model.Code
	}{
		{"whole", []string{"a", "b"}, nil, "ab", ""}, {"broken", []string{"a"}, broke, "a", model.CodeServer}, {"empty", nil, nil, "", model.CodeEmpty}, {"blank", []string{" \n"}, nil, "", model.CodeEmpty},
		{"as long as it may be", []string{strings.Repeat("x", maxAnswer)}, nil, strings.Repeat("x", maxAnswer), ""}, {"longer", []string{strings.Repeat("x", maxAnswer), "y", "z"}, nil, strings.Repeat("x", maxAnswer) + "y", model.CodeInterrupted},
	} {
		b := newBench(t, lanes{model.Deep: {answer: func(*model.Request) ([]string, error) { return c.pieces, c.err }}}, source, nil)
		var streamed strings.Builder
		got, err := taskAsker{taskCosts{b.engine.Tasks}}.collect(t.Context(), model.Deep, &model.Request{}, func(piece string) { streamed.WriteString(piece) })
		if got.text != c.want || model.Code(codeOf(err)) != c.code || c.want != "" && streamed.String() != c.want {
			t.Errorf("%s: %d bytes, %v", c.name, len(got.text), err)
		}
		plain, err := b.engine.Tasks.stream(t.Context(), model.Deep, &model.Request{}, nil)
		if c.name != "longer" && (plain != c.want || model.Code(codeOf(err)) != c.code) {
			t.Errorf("%s of no task: %d bytes, %v", c.name, len(plain), err)
		}
	}
}

// TestStepsThatMayStart: those whose predecessors are done, at most eight; who waits for one that
// failed fails.
func TestStepsThatMayStart(t *testing.T) {
	b := newTaskBench(t, lanes{}, quiet())
	w := workOf(b.engine.Tasks)
	for _, c := range []struct {
		states string // Done, Failed, Running, Queued, Interrupted
		waits  [][]int
		want   string
	}{
		{"QQ", [][]int{nil, nil}, "[0 1] RR"}, {"QQ", [][]int{nil, {0}}, "[0] RQ"}, {"DQ", [][]int{nil, {0}}, "[1] DR"}, {"FQQ", [][]int{nil, {0}, {1}}, "[] FFF"}, {"QFQ", [][]int{{2}, nil, {1}}, "[] FFF"}, {"RQ", [][]int{nil, {0}}, "[] RQ"},
		{"IDQ", [][]int{nil, nil, {0, 1}}, "[0] RDQ"}, {"RRRRRRRQQ", make([][]int, 9), "[7] RRRRRRRRQ"}, {"QQQQQQQQQ", make([][]int, 9), "[0 1 2 3 4 5 6 7] RRRRRRRRQ"}, {"DFQ", [][]int{nil, nil, {0, 1}}, "[] DFF"},
	} {
		names := map[rune]TaskState{'D': TaskDone, 'F': TaskFailed, 'R': TaskRunning, 'Q': TaskQueued, 'I': TaskInterrupted}
		run := newTaskRun(b.session.Snapshot(), TaskRequest{})
		for _, s := range c.states {
			run.rec.Steps = append(run.rec.Steps, state.Step{State: string(names[s])})
		}
		got := fmt.Sprint(w.ready(run, c.waits), " ")
		for i, s := range run.record().Steps {
			for letter, name := range names {
				if s.State == string(name) {
					got += string(letter)
				}
			}
			if s.State == string(TaskFailed) && c.states[i] != 'F' && !strings.HasPrefix(s.Error, "It waits for step ") {
				t.Errorf("%s: step %d failed: %q", c.states, i+1, s.Error)
			}
		}
		if got != c.want {
			t.Errorf("%s, %v: %s, want %s", c.states, c.waits, got, c.want)
		}
	}
}

// TestWhyAResultIsReviewed: the settings, a step that was done again, a deletion, and what is
// risky; else nothing.
func TestWhyAResultIsReviewed(t *testing.T) {
	settings := quiet()
	b := newTaskBench(t, lanes{}, settings)
	b.engine.TaskSettings = func() TaskSettings { return settings }
	w := workOf(b.engine.Tasks)
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
		run := newTaskRun(b.session.Snapshot(), TaskRequest{Instruction: "rename x"})
		run.rec.Steps = c.steps
		if got := w.reviewReason(run, c.changes); got != c.want && !(c.want == "*" && got != "") {
			t.Errorf("%+v: %q", c, got)
		}
	}
	long := edits.FileChange{Path: "b", After: strings.Repeat("line\n", maxReviewDiff/5)}
	one := edits.FileChange{Path: "a", Before: "x\n", After: "y\n"}
	if got, want := diffOf([]edits.FileChange{one, long, one}), edits.Unified("a", "x\n", "y\n")+"(the change of b is too long to show)\n"+edits.Unified("a", "x\n", "y\n"); got != want {
		t.Errorf("%.500q", got)
	}
}

// TestLogOfADocument: the changes since a revision, as long as all of them are known; no more are
// kept than the bound.
func TestLogOfADocument(t *testing.T) {
	l := textLog{first: 5}
	if got, known := l.since(5); !known || len(got) != 0 || l.last() != 5 {
		t.Errorf("%v, %v, last %d", got, known, l.last())
	}
	if _, known := l.since(4); known {
		t.Error("what was before the first revision is known")
	}
	for i := range uint64(3 * maxLog) {
		l.add(logged{6 + i, []edits.Edit{{New: fmt.Sprint(6 + i)}}})
	}
	end := uint64(5 + 3*maxLog)
	first := end - maxLog
	if len(l.changes) != maxLog || l.last() != end || l.first != first {
		t.Errorf("%d changes are kept, from %d to %d", len(l.changes), l.first, l.last())
	}
	if _, known := l.since(first - 1); known {
		t.Error("what was dropped is known")
	}
	if got, known := l.since(first); !known || len(got) != maxLog || got[0].New != fmt.Sprint(first+1) {
		t.Errorf("%d edits, %v", len(got), known)
	}
	if got, known := l.since(end - 2); !known || len(got) != 2 || got[0].New != fmt.Sprint(end-1) || got[1].New != fmt.Sprint(end) {
		t.Errorf("%v, %v", got, known)
	}
}

// TestConflictsOfAResult: what does not fit is listed and dropped, the rest stays, and nothing
// that was handed out before changes.
func TestConflictsOfAResult(t *testing.T) {
	b := newTaskBench(t, lanes{}, quiet())
	snap := b.session.Snapshot()
	changes := []edits.FileChange{changeOf("main.go", source, "return 1", "return 11"), changeOf("lib/a.go", libA, "return 1", "return 111")}
	p, err := b.engine.Editor.proposeChanges(snap, changes, Proposal{Request: EditRequest{URI: b.uri}, Task: "t1"})
	if err != nil || len(p.Files) != 2 {
		t.Fatal(p, err)
	}
	at := b.at("return ")
	b.edit(at, at+1, "7")
	now, err := b.engine.Editor.Get(p.ID)
	if err != nil || now.State != Ready || len(now.Conflicts) != 1 || now.Conflicts[0].Path != "main.go" || !now.Files[0].Done() || now.Files[1].Done() {
		t.Fatalf("%+v, %v", now, err)
	}
	if len(p.Conflicts) != 0 || p.Files[0].Done() || p.Files[0].Base.String() != source {
		t.Error("a proposal that was handed out has changed")
	}
	if got := now.conflictsIn("main.go"); len(got) != 1 || len(now.conflictsIn("lib/a.go")) != 0 {
		t.Errorf("%v", got)
	}
	list, conflicts, err := b.engine.Editor.AcceptPart(b.session.Snapshot(), p.ID, Part{})
	if err != nil || len(list) != 1 || filepath.Base(list[0].URI) != "a.go" || len(conflicts) != 1 {
		t.Errorf("%+v, %v, %v", list, conflicts, err)
	}
	if _, _, err := b.engine.Editor.AcceptPart(b.session.Snapshot(), p.ID, Part{File: "main.go"}); err == nil || !strings.HasPrefix(err.Error(), "Nothing of this fits the files as they are now: ") {
		t.Errorf("%v", err)
	}
	if _, _, err := b.engine.Editor.AcceptPart(b.session.Snapshot(), p.ID, Part{File: "none.go"}); err == nil {
		t.Error("a file that there is not is accepted")
	}
	if err := b.engine.Editor.RejectPart(b.session.Snapshot(), p.ID, Part{File: "lib/a.go"}); err != nil {
		t.Fatal(err)
	}
	if last, _ := b.engine.Editor.Get(p.ID); last.State != Rejected {
		t.Errorf("nothing is left, and it is %s", last.State)
	}
}

// TestNothingFollowsAClosedDocument: what is left of an accepted text is not looked at after its
// document closed, and the repository's head is asked for once a minute.
func TestNothingFollowsAClosedDocument(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{model.Fast: replies("compute(1)")}, program, nil)
		kept := &keptOutcomes{}
		b.engine.Outcomes = kept
		asked := 0
		b.engine.Commit = func(context.Context, string) string { asked++; return "one" }
		at := b.at("x := ")
		item := b.complete(at, plain).Items[0]
		b.edit(at, at, item.Text)
		b.engine.Completer.Accepted(b.session.Snapshot(), item.ID)
		time.Sleep(3*time.Minute + 2*time.Second)
		synctest.Wait()
		if asked != 3 && asked != 4 {
			t.Errorf("the head was asked for %d times in three minutes", asked)
		}
		b.close()
		time.Sleep(time.Hour)
		synctest.Wait()
		var got []string
		for _, o := range kept.list {
			if o.Since != "" {
				got = append(got, o.Since)
			}
		}
		if !slices.Equal(got, []string{"30s"}) {
			t.Errorf("recorded after %q", got)
		}
	})
}

// TestTypingEarnsRequests: what is typed is counted in keys; what is pasted is one.
func TestTypingEarnsRequests(t *testing.T) {
	b := newBench(t, lanes{}, source, nil)
	b.engine.Preferences = func(string) Preferences { return Preferences{TokensPerKey: 10} }
	o, _ := b.session.Snapshot().Overlay(b.uri)
	b.engine.core.allowance.take(2000, 10)
	for _, c := range []struct {
		list []edits.Edit
		want float64
	}{{nil, 0}, {[]edits.Edit{{New: "a"}}, 10}, {[]edits.Edit{{New: "pasted"}, {New: "é"}}, 30}, {[]edits.Edit{{Span: edits.Span{End: 3}}}, 30}} {
		b.engine.core.typed(o, c.list)
		if got := b.engine.core.allowance.left; got != c.want {
			t.Errorf("after %v: %v tokens, want %v", c.list, got, c.want)
		}
	}
}

// TestRunsByID: stopping ends the newest work under an id, and the end of older work does not
// forget it.
func TestRunsByID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r runs
		older, over := make(chan struct{}), make(chan struct{})
		go r.track(t.Context(), "a", func(context.Context) { <-older })
		synctest.Wait()
		go func() {
			r.track(t.Context(), "a", func(ctx context.Context) { <-ctx.Done() })
			close(over)
		}()
		synctest.Wait()
		close(older)
		synctest.Wait()
		if !r.any() || !r.stop("a") {
			t.Error("the newer work is forgotten")
		}
		<-over
		if r.any() || r.stop("a") || r.cancel("a") == nil {
			t.Error("work that has ended is stopped")
		}
	})
}

// oneFix knows one fix for every name.
type oneFix struct{ edits.Names }

func (oneFix) Fixes(_ edits.FileChange, found edits.Finding) []names.Fix {
	return []names.Fix{{Title: "import " + found.Name}}
}

// TestMissingImports: for which messages of compilers an import is looked for.
func TestMissingImports(t *testing.T) {
	b := newBench(t, lanes{}, "package main\n\nvar x = fmt.Sprint(a_1, é$)\n", nil)
	n, snap := b.engine.NextEdits, b.session.Snapshot()
	o, _ := snap.Overlay(b.uri)
	n.Names = func(*workspace.Snapshot) edits.Names { return oneFix{} }
	for _, c := range []struct{ part, message, want string }{
		{"fmt", "undefined: fmt", "import fmt"}, {"a_1", "a_1 is not defined", "import a_1"}, {"é$", "Cannot find name 'é$'", "import é$"}, {"fmt", "undeclared name: fmt", "import fmt"}, {"fmt", "Cannot find namespace 'fmt'", "import fmt"},
		{"fmt", "fmt is odd", ""}, {"fmt", "undefined: os", ""}, {"", "undefined: fmt", ""}, {"fmt.Sprint", "undefined: fmt.Sprint", ""}, {"(a", "undefined: (a", ""},
	} {
		at := strings.Index(o.Text.String(), c.part)
		got := ""
		for _, f := range n.missingImport(snap, o, workspace.Diagnostic{Span: edits.Span{Start: at, End: at + len(c.part)}, Message: c.message}) {
			got += f.Title
		}
		if got != c.want {
			t.Errorf("%q of %q: %q, want %q", c.message, c.part, got, c.want)
		}
	}
	n.Names = nil
	if n.missingImport(snap, o, workspace.Diagnostic{Message: "undefined: "}) != nil {
		t.Error("without a checker there is a fix")
	}
}

// TestAllNumbersOfAPlace: every number of some places and suggestions; a model that was trained
// reads them by index.
func TestAllNumbersOfAPlace(t *testing.T) {
	written := func(list []accept.Number) string {
		var out []string
		for _, n := range list {
			out = append(out, fmt.Sprintf("%d:%.3f", n.Index, n.Value))
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct{ language, text, place, answer string }{ // | is the place
		{"go", "package a\n\nfunc f() {\n\tx := f(\"a|\")\n}\n",
			"0:1.000 2:0.576 3:0.231 5:1.000 6:0.250 7:0.243 10:1.000 12:1.000 26:1.000 47:1.000 98:1.000 132:1.000 163:0.667 179:1.000",
			"140:0.576 141:0.549 143:0.667 144:0.693 145:1.000 146:1.000 147:1.000 148:1.000"},
		{"go", "package a\n\nfunc f() {\n\t|\n}\n",
			"0:1.000 1:1.000 6:0.250 7:0.243 9:1.000 23:1.000 26:1.000 28:1.000 98:1.000 132:1.000 166:1.000 171:1.000",
			"140:0.576 141:0.549 143:0.667 144:0.693 145:1.000 146:1.000 147:1.000 148:1.000"},
		{"python", "def f(a):\n    \"\"\"words of a doc| here\n",
			"0:1.000 2:0.723 3:0.462 4:1.000 5:1.000 6:0.125 7:0.173 11:1.000 12:1.000 26:1.000 64:1.000 107:1.000 137:1.000 162:0.693 163:0.250 192:1.000",
			"140:0.576 141:0.549 143:0.667 144:0.693 145:1.000 147:1.000 148:1.000"},
		{"python", "x = \"a\" + \"b\" + |c\n",
			"0:1.000 2:0.708 7:0.137 11:1.000 13:1.000 24:1.000 47:1.000 92:1.000 137:1.000 216:1.000",
			"140:0.576 141:0.549 143:0.333 144:1.099 145:1.000 147:1.000 148:1.000"},
		{"c", "/* one */\n/* two\n|\n",
			"0:1.000 1:1.000 7:0.201 9:1.000 23:1.000 25:1.000 28:1.000 107:1.000 133:1.000 161:1.000 165:1.000 171:1.000",
			"140:0.576 141:0.549 144:1.386 145:1.000 147:1.000 148:1.000"},
		{"c", "int a = '`' + `b`,\nint a = |",
			"0:1.000 2:0.549 7:0.137 9:1.000 13:1.000 27:1.000 31:1.000 108:1.000 133:1.000 162:0.347 163:1.000 186:1.000",
			"140:0.576 141:0.549 143:0.333 144:1.099 145:1.000 147:1.000 148:1.000"},
	} {
		before, after, _ := strings.Cut(c.text, "|")
		o := &workspace.Overlay{URI: "untitled:a", Language: c.language, Text: edits.NewText(before + after)}
		if got := written(placeNumbers(o, len(before))); got != c.place {
			t.Errorf("%q: %s, want %s", c.text, got, c.place)
		}
		item := Completion{Text: "new f(a {\nb\n}", Replace: edits.Span{Start: len(before), End: len(before)}, Imports: c.language == "go"}
		if got := written(answerNumbers(o, item)); got != c.answer {
			t.Errorf("%q: %s, want %s", c.text, got, c.answer)
		}
	}
}

// TestRewrittenLinesWereShown: a selection is rewritten only where each of its lines was shown.
func TestRewrittenLinesWereShown(t *testing.T) {
	b := newBench(t, lanes{}, "one\n\nthree\nfour\n", nil)
	snap := b.session.Snapshot()
	for _, c := range []struct {
		start, end int
		shown      []int
		want       string // the line that was not
	}{
		{0, 0, []int{1, 3, 4}, ""}, {0, 0, []int{1, 3}, "line 4"}, {0, 0, []int{3, 4}, "line 1"}, {0, 4, []int{1}, ""}, {0, 5, []int{1}, ""}, {0, 6, []int{1}, "line 3"}, {5, 11, []int{3}, ""}, {5, 12, []int{3}, "line 4"}, {5, 11, nil, "line 3"},
		{6, 8, []int{3}, ""},
	} {
		lines := map[int]bool{}
		for _, n := range c.shown {
			lines[n] = true
		}
		ask := &request{secrets: &redact.Redactor{}, seen: map[string]*seen{"main.go": {lines: lines}}}
		got := ""
		if err := ask.refuseCut(snap, question{uri: b.uri, span: edits.Span{Start: c.start, End: c.end}}); err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%d to %d of what shows %v: %q", c.start, c.end, c.shown, got)
		}
	}
}

// TestAlternativesAreWarmer: the first answer is asked for at the model's own temperature, each
// other one at a higher one.
func TestAlternativesAreWarmer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for attempt, want := range []string{"none 0.6 0.8", "0.6 0.8 1.0"} {
			fast := replies("<<<<<<< SEARCH\n\treturn 1\n=======\n\treturn 11\n>>>>>>> REPLACE\n")
			b := newBench(t, lanes{model.Fast: fast}, source, nil)
			if _, err := b.engine.Editor.Edit(t.Context(), b.session.Snapshot(), EditRequest{URI: b.uri, Instruction: "x", Alternatives: 2, Attempt: attempt}); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, req := range fast.requests() {
				warm := "none"
				if req.Temperature != nil {
					warm = fmt.Sprintf("%.1f", *req.Temperature)
				}
				got = append(got, warm)
			}
			slices.SortFunc(got, func(a, b string) int {
				return strings.Compare(strings.Replace(a, "none", "", 1), strings.Replace(b, "none", "", 1))
			})
			if strings.Join(got, " ") != want {
				t.Errorf("attempt %d: the temperatures are %q, want %s", attempt, got, want)
			}
		}
	})
}

// TestNothingToShowIsAnOutcome: a request that the user's typing sent and that has nothing to
// show counts, one that they asked for does not.
func TestNothingToShowIsAnOutcome(t *testing.T) {
	for invoked, want := range map[bool]int{false: 1, true: 0} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, lanes{model.Fast: replies(" \n")}, program, nil)
			kept := &keptOutcomes{}
			b.engine.Outcomes = kept
			if _, err := b.engine.Completer.Complete(t.Context(), b.session.Snapshot(), CompleteRequest{Place: Place{URI: b.uri, Offset: b.at("x := ")}, Invoked: invoked}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if n := len(kept.list); n != want || n > 0 && (kept.list[0].End != endNothing || kept.list[0].Model != "fake-fast" || kept.list[0].Language != "go" || len(kept.list[0].Place) == 0) {
				t.Errorf("invoked %v: %+v", invoked, kept.list)
			}
		})
	}
}

// TestNoticesOfATask: a price is asked for once, and steps that only their order can part are
// said to run in it.
func TestNoticesOfATask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deep := answers(alpha11, turn{"now and nothing else: make beta", swap("main.go", "\treturn 2", "\treturn 22")}, turn{"", planAlpha + "2. [DEEP] make beta return 22 | write: main.go\n"})
		b := newTaskBench(t, lanes{model.Deep: deep}, quiet())
		b.escalate(TaskRequest{})
		done := b.expect(TaskDone, "")
		if len(done.Messages) != 1 || done.Messages[0].Kind != "notice" || done.Messages[0].From != "task" || done.Messages[0].Text != "Step 2 and step 1 both write main.go, and none is after the other. They run in the order of the plan." {
			t.Errorf("%+v", done.Messages)
		}
		run := newTaskRun(b.session.Snapshot(), TaskRequest{})
		run.rec.EstimateTokens, run.rec.EstimateUSD = 1200, 0.5
		for range 2 {
			taskCosts{b.engine.Tasks}.askForPrice(run)
		}
		const price = "This task is expected to use 1200 tokens and to cost about $0.50. Resume it to start, or cancel it."
		if rec := run.record(); len(rec.Messages) != 1 || rec.Messages[0].Text != price || rec.Messages[0].Kind != "question" || rec.State != string(TaskWaiting) {
			t.Errorf("%+v", rec)
		}
	})
}

// TestPlansThatCannotBeRun: which of them the user may edit, and which end the task.
func TestPlansThatCannotBeRun(t *testing.T) {
	b := newTaskBench(t, lanes{}, quiet())
	settings := quiet()
	b.engine.TaskSettings = func() TaskSettings { return settings }
	whole, order, one := task.Problem{Step: -1, Message: "All."}, task.Problem{Step: 1, Message: "Order.", Order: true}, task.Problem{Step: 0, Message: "One."}
	for _, c := range []struct {
		problems   []task.Problem
		unattended bool
		err, shown string
	}{
		{nil, false, "", ""}, {nil, true, "", ""}, {[]task.Problem{one, order}, false, "", "One. Order."}, {[]task.Problem{one}, true, "One.", ""}, {[]task.Problem{whole}, false, "All.", ""}, {[]task.Problem{order}, true, "", ""},
	} {
		settings.Unattended = c.unattended
		run := newTaskRun(b.session.Snapshot(), TaskRequest{})
		run.rec.Approved, run.rec.Replan, run.rec.Partial = true, true, "1. [D"
		err := taskPlanner{workOf(b.engine.Tasks)}.planned(run, []state.Step{{Title: "a", Lane: task.Deep}}, c.problems)
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

// knows is a built-in engine that knows what it is given, and keeps what it was asked.
type knows struct {
	Local
	all    local.AllNextEdits
	broken []local.NextEdit
	lines  []local.Lines
}

func (k *knows) AllNextEdits(context.Context, local.Corpus, []workspace.RecentEdit, string, int) (local.AllNextEdits, bool) {
	return k.all, true
}

func (k *knows) Broken(_ context.Context, _ local.Corpus, _ []workspace.RecentEdit, lines []local.Lines) []local.NextEdit {
	k.lines = lines
	return k.broken
}

// TestLinesOfErrors: the built-in engine is asked about the lines of the errors, and the first of
// its edits that was not refused is taken.
func TestLinesOfErrors(t *testing.T) {
	b := newBench(t, lanes{}, source, nil)
	n, snap := b.engine.NextEdits, b.session.Snapshot()
	o, _ := snap.Overlay(b.uri)
	d := n.docs.of(o)
	text := edits.NewText(source)
	start, end := text.LineStart(2), text.LineStart(3)+2
	list := []causedError{{b.uri, workspace.Diagnostic{Span: edits.Span{Start: start, End: end}}}, {b.uri, workspace.Diagnostic{Span: edits.Span{End: 9999}}}, {"untitled:closed", workspace.Diagnostic{}}}
	at := b.at("return 1")
	engine := &knows{broken: []local.NextEdit{{Path: "main.go", Edit: edits.Edit{Span: edits.Span{Start: at - 1, End: at}, New: "7"}, Title: "first"}, {Path: "main.go", Edit: edits.Edit{Span: edits.Span{Start: at - 1, End: at}, New: "8"}, Title: "second"}}}
	n.Local = engine
	next, ok := n.inLine(t.Context(), snap, NextEditRequest{Place: Place{URI: b.uri}}, d, list)
	if !ok || next.Title != "first" || next.Line != 3 || fmt.Sprint(engine.lines) != fmt.Sprint([]local.Lines{{Path: "main.go", First: 3, Last: 4}}) {
		t.Errorf("%+v, %v, asked about %v", next, ok, engine.lines)
	}
	next.ID = "n1"
	d.next.offer(next)
	d.next.reject("n1")
	if next, ok := n.inLine(t.Context(), snap, NextEditRequest{Place: Place{URI: b.uri}}, d, list); !ok || next.Title != "second" {
		t.Errorf("after a rejection: %+v, %v", next, ok)
	}
	n.Local = nil
	if next, ok := n.inLine(t.Context(), snap, NextEditRequest{Place: Place{URI: b.uri}}, d, list); ok {
		t.Errorf("without an engine: %+v", next)
	}
}

// TestAllPlacesAsOne: the title and the reason of a proposal of all places, and how many there
// must be.
func TestAllPlacesAsOne(t *testing.T) {
	b := newBench(t, lanes{}, source, map[string]string{"b.go": "package main\n"})
	place := func(path string, reason string) local.NextEdit {
		return local.NextEdit{Path: path, Edit: edits.Edit{New: "// x\n"}, Reason: reason}
	}
	for _, c := range []struct {
		all   local.AllNextEdits
		least int
		want  string
	}{
		{local.AllNextEdits{Title: "Rename a", Edits: []local.NextEdit{place("main.go", "first")}}, 1, "Rename a: 1 place|first|1"},
		{local.AllNextEdits{Title: "Rename a", Edits: []local.NextEdit{place("main.go", "first")}}, 2, "none"},
		{local.AllNextEdits{Title: "Rename a", Proof: "type-checked", Left: 3, Edits: []local.NextEdit{place("main.go", "first"), place("b.go", "second")}}, 2, "Rename a: 2 places, type-checked, 3 left to you|first|2"},
		{local.AllNextEdits{Title: "Rename a", Edits: []local.NextEdit{place("none.go", "first")}}, 1, "none"},
		{local.AllNextEdits{Title: "Rename a", Left: 1, Edits: []local.NextEdit{{Path: "main.go", Edit: insert(9, "b")}, {Path: "main.go", Edit: insert(0, "a")}}}, 1, "Rename a: 2 places, 1 left to you||1"},
	} {
		b.engine.Editor.Local = &knows{all: c.all}
		got := "none"
		if p, err := b.engine.Editor.NextEverywhere(t.Context(), b.session.Snapshot(), Place{URI: b.uri}, c.least); err == nil {
			got = fmt.Sprintf("%s|%s|%d", p.Title, p.From.Reason, len(p.Files))
		}
		if got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	b.engine.Editor.Local = nil
	if _, err := b.engine.Editor.NextEverywhere(t.Context(), b.session.Snapshot(), Place{URI: b.uri}, 1); err == nil {
		t.Error("without an engine there are places")
	}
}

// TestFirstLineBecomesTheWhole: a suggestion on screen that a longer one begins with is one with
// it; two that differ are not.
func TestFirstLineBecomesTheWhole(t *testing.T) {
	d := inlineOf("0123456789")
	short, long, other := suggested("s", "ab", 5, "fast"), suggested("l", "abc\nd", 5, "fast"), suggested("o", "xyz", 5, "fast")
	d.live = []*suggestion{other, short}
	if got := d.cached(5, 1, false); len(got) != 1 || got[0].Text != "ab" || !short.shown || other.shown {
		t.Fatalf("%+v", got)
	}
	short.begun, short.part = true, true
	at := short.shownAt
	d.live = append(d.live, long)
	got := d.cached(5, 3, false)
	if len(got) != 3 || got[0].Text != "abc\nd" || !long.shown || long.shownAt != at || !long.begun || !long.part || !short.settled || long.settled || other.settled {
		t.Errorf("%+v: %+v, %+v", got, short, long)
	}
}

// TestPartOfAMenuSuggestion: a part taken of what continues a menu's item counts as of any other.
func TestPartOfAMenuSuggestion(t *testing.T) {
	b := newBench(t, lanes{}, source, nil)
	o, _ := b.session.Snapshot().Overlay(b.uri)
	d := b.engine.docs.of(o)
	here, menu := suggested("i", "abc", 5, "fast"), suggested("m", "abc", 5, "fast")
	d.inline.live, d.menu.live = []*suggestion{here}, []*suggestion{menu}
	b.engine.Completer.PartlyAccepted("m")
	if !menu.part || !menu.begun || here.part {
		t.Errorf("%+v, %+v", menu, here)
	}
	b.engine.Completer.PartlyAccepted("i")
	if !here.part || !here.begun {
		t.Errorf("%+v", here)
	}
}

// TestStagedChangesInWords: what a commit message is written of: diffs up to a bound, else names.
func TestStagedChangesInWords(t *testing.T) {
	diff := edits.Unified("a", "x\n", "y\n")
	filler := git.Change{Path: "f", After: strings.Repeat("z\n", maxCommitDiff/3-100), AbsentBefore: true}
	full := edits.Unified("f", "", filler.After)
	small := git.Change{Path: "a", Before: "x\n", After: "y\n"}
	for _, c := range []struct {
		list []git.Change
		want string
	}{
		{nil, ""}, {[]git.Change{small, small}, diff + diff}, {[]git.Change{{Path: "b", Before: "x", After: "y", Binary: true}, small}, "changed b (not shown)\n" + diff},
		{[]git.Change{{Path: "b", AbsentBefore: true, Binary: true}, {Path: "c", AbsentAfter: true, Binary: true}}, "added b (not shown)\nremoved c (not shown)\n"},
		{[]git.Change{small, filler, {Path: "g", After: filler.After, AbsentBefore: true}, small}, diff + full + "added g (not shown)\n" + diff},
	} {
		if got := describe(c.list); got != c.want {
			t.Errorf("%.200q, want %.200q", got, c.want)
		}
	}
	if size, first := changed(git.Change{Before: "abc\n", After: "abXc\n"}); size != 1 || first != 2 {
		t.Errorf("%d bytes changed, from %d", size, first)
	}
	if size, first := changed(git.Change{}); size != 0 || first != 0 {
		t.Errorf("%d bytes changed, from %d", size, first)
	}
}

// addsImports adds a line at the start of each file with a name in it.
type addsImports struct{ edits.Names }

func (addsImports) Imports(f edits.FileChange) []edits.Edit {
	if !strings.Contains(f.After, "lib.") {
		return nil
	}
	return []edits.Edit{{New: "import lib\n"}}
}

// TestImportsOfAResult: each file that lacks an import gets it, as one change of the file.
func TestImportsOfAResult(t *testing.T) {
	c := newCore(Deps{Names: func(*workspace.Snapshot) edits.Names { return addsImports{} }})
	list := []edits.FileChange{changeOf("a", "x\n", "x", "lib.x"), changeOf("b", "x\n", "x", "y"), {Path: "c", Before: "lib.x\n", AbsentAfter: true}}
	got := c.withImports(nil, list)
	if got[0].After != "import lib\nlib.x\n" || got[1].After != "y\n" || got[2].After != "" || list[0].After != "lib.x\n" {
		t.Errorf("%+v", got)
	}
	for _, f := range got {
		if after, err := edits.Apply(edits.NewText(f.Before), f.Edits); err != nil || !f.AbsentAfter && after.String() != f.After {
			t.Errorf("the edits of %s make %q, %v", f.Path, after, err)
		}
	}
	if got := newCore(Deps{}).withImports(nil, list); len(got) != 3 || got[0].After != "lib.x\n" {
		t.Errorf("%+v", got)
	}
}

// says is a built-in engine with one answer, or none.
type says struct {
	Local
	answer string
}

func (s says) Answer(context.Context, local.Corpus, string) (string, bool) {
	return s.answer, s.answer != ""
}

// TestWhoAnswersAQuestion: the model, with its figures; without one the index, or an error that
// one is needed.
func TestWhoAnswersAQuestion(t *testing.T) {
	for _, c := range []struct {
		models lanes
		local  Local
		want   string
	}{
		{lanes{model.Fast: replies("see ", "main.go:1")}, says{answer: "index"}, "see main.go:1|fake|fast|main.go 1|see ;main.go:1"}, {lanes{}, says{answer: "in main.go:3"}, "in main.go:3|built-in|local|main.go 3|in main.go:3"},
		{lanes{}, says{}, "needs_model"}, {lanes{}, nil, "needs_model"},
	} {
		b := newBench(t, c.models, source, nil)
		b.engine.Asker.Local = c.local
		var pieces []string
		got := ""
		answer, err := b.engine.Asker.Ask(t.Context(), b.session.Snapshot(), AskRequest{Place: Place{URI: b.uri}, Question: "where?", Lane: model.Fast, Piece: func(p string) { pieces = append(pieces, p) }})
		if err != nil {
			got = codeOf(err)
		} else {
			got = fmt.Sprintf("%s|%s|%s|%s %d|%s", answer.Text, answer.From.Model, answer.From.Lane, answer.Citations[0].Path, answer.Citations[0].Line, strings.Join(pieces, ";"))
		}
		if got != c.want || answer.Interrupted || (err == nil) != (answer.From.Reason != "") {
			t.Errorf("%s, want %s: %+v", got, c.want, answer)
		}
	}
}

// TestRewrites: the whole document or the selection becomes the answer, with the line ends and
// the last line end that it has.
func TestRewrites(t *testing.T) {
	for _, c := range []struct {
		text       string
		start, end int
		answer     string
		want       string
	}{
		{"one\ntwo\n", 0, 0, "uno\ndos", "uno\ndos\n"}, {"one\ntwo\n", 4, 8, "```\ndos\n```", "one\ndos\n"}, {"one\ntwo", 4, 7, "dos\n\n", "one\ndos"}, {"one\r\ntwo\r\n", 0, 0, "uno\ndos\n", "uno\r\ndos\r\n"}, {"one\n", 0, 0, "one\n", "unchanged"}, {"one\ntwo\n", 0, 3, "", "\ntwo\n"},
	} {
		b := newBench(t, lanes{}, c.text, nil)
		changes, err := readRewrite(b.session.Snapshot(), b.uri, edits.Span{Start: c.start, End: c.end}, &request{secrets: &redact.Redactor{}}, c.answer)
		got := ""
		var refused *edits.Error
		switch {
		case errors.As(err, &refused):
			got = string(refused.Code)
		case err != nil:
			got = err.Error()
		default:
			after, failed := edits.Apply(edits.NewText(c.text), changes[0].Edits)
			if got = changes[0].After; failed != nil || after.String() != got || changes[0].Before != c.text || changes[0].Path != "main.go" {
				t.Errorf("%+v, %v", changes, failed)
			}
		}
		if got != c.want {
			t.Errorf("%q of %q becomes %q, want %q", c.answer, c.text, got, c.want)
		}
	}
}

// TestWhoMayBeCut: only an edit whose answer replaces all of its text is refused where the window
// does not show all of it.
func TestWhoMayBeCut(t *testing.T) {
	text := large()
	for _, c := range []struct {
		kind    model.Kind
		format  edits.Format
		refused bool
	}{{model.KindEdit, edits.FormatRewrite, true}, {model.KindEdit, edits.FormatSearchReplace, false}, {model.KindAsk, edits.FormatRewrite, false}, {model.KindNextEdit, edits.FormatRewrite, false}, {model.KindFix, edits.FormatRewrite, true}} {
		s := replies("x")
		s.format = string(c.format)
		b := newBench(t, lanes{model.Fast: s}, text, nil)
		_, err := b.engine.Editor.prompt(t.Context(), b.session.Snapshot(), question{kind: c.kind, lane: model.Fast, uri: b.uri, request: "x"})
		if (err != nil) != c.refused || c.refused && !strings.Contains(err.Error(), "select less") {
			t.Errorf("%s in %s: %v", c.kind, c.format, err)
		}
	}
}

// TestWhatIsRetained: only an accepted text with an outcome that is kept is followed, and no more
// at once than the bound.
func TestWhatIsRetained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{}, source, nil)
		d := &document{key: "k", uri: "u"}
		r := &retention{outcomes: &b.engine.core.outcomes}
		for _, c := range []struct {
			kept OutcomeStore
			id   string
			span edits.Span
			want int
		}{{nil, "i", edits.Span{End: 3}, 0}, {&keptOutcomes{}, "", edits.Span{End: 3}, 0}, {&keptOutcomes{}, "i", edits.Span{Start: 3, End: 3}, 0}, {&keptOutcomes{}, "i", edits.Span{End: 3}, 1}} {
			b.engine.Outcomes = c.kept
			r.retain(d, c.id, c.span)
			if len(r.list) != c.want {
				t.Errorf("%+v: %d texts are followed", c, len(r.list))
			}
		}
		for range maxRetained + 2 {
			r.retain(d, "i", edits.Span{End: 3})
		}
		if len(r.list) != maxRetained {
			t.Errorf("%d texts are followed", len(r.list))
		}
	})
}

// suggests is a built-in engine with texts for every place.
type suggests struct {
	Local
	texts []string
}

func (s suggests) Suggest(context.Context, local.Corpus, *model.Fill, int, local.Certainty) []string {
	return s.texts
}

// TestReasonOfTheBuiltInEngine: where it has nothing to suggest, the answer and the status say why.
func TestReasonOfTheBuiltInEngine(t *testing.T) {
	for _, c := range []struct {
		engine Local
		reason string
		want   string
	}{
		{suggests{}, "", "0 The built-in engine has seen nothing like this line often enough. The built-in engine has seen nothing like this line often enough."}, {suggests{}, "offline", "0 offline offline"}, {suggests{texts: []string{"compute(1)"}}, "offline", "1 offline "}, {nil, "offline", "0 offline "},
	} {
		b := newBench(t, lanes{}, program, nil)
		b.engine.Completer.Local = c.engine
		snap := b.session.Snapshot()
		o, _ := snap.Overlay(b.uri)
		got := b.engine.Completer.fallback(t.Context(), snap, o, CompleteRequest{Place: Place{URI: b.uri, Offset: b.at("x := ")}}, b.engine.docs.of(o).inline, c.reason)
		if text := fmt.Sprintf("%d %s %s", len(got.Items), got.Reason, b.engine.Status(snap).Reason); text != c.want {
			t.Errorf("%q, want %q", text, c.want)
		}
	}
}

// TestPartOfAPlanIsKept: what had come of a plan when its task was cancelled goes to the model when
// the task goes on.
func TestPartOfAPlanIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deep := &script{gap: time.Minute, answer: func(*model.Request) ([]string, error) { return []string{"1. [DEEP] make", " alpha return 11\n"}, nil }}
		b := newTaskBench(t, lanes{model.Deep: deep}, quiet())
		id := b.escalate(TaskRequest{}).ID
		time.Sleep(time.Second)
		if err := b.engine.Tasks.Cancel(id); err != nil {
			t.Fatal(err)
		}
		b.expect(TaskCancelled, "Cancelled.")
		if rec, err := b.engine.Tasks.TaskStore.Get(id); err != nil || rec.Partial != "1. [DEEP] make" {
			t.Errorf("%q is kept, %v", rec.Partial, err)
		}
		if _, err := b.engine.Tasks.Resume(b.session.Snapshot(), id); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		input := deep.requests()[1].Input
		if !slices.ContainsFunc(input, func(m model.Message) bool { return m.Role == "assistant" && m.Text == "1. [DEEP] make" }) {
			t.Errorf("the plan is asked for again with %+v", input)
		}
		if err := b.engine.Tasks.Cancel(id); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
	})
}

// TestPlacesOfRequests: a request is about a place of an open document, or is refused.
func TestPlacesOfRequests(t *testing.T) {
	b := newBench(t, lanes{}, source, nil)
	snap := b.session.Snapshot()
	for _, c := range []struct {
		uri    string
		offset int
		want   string
	}{{b.uri, 0, ""}, {b.uri, len(source), ""}, {b.uri, -1, "is outside main.go"}, {b.uri, len(source) + 1, "is outside main.go"}, {"untitled:none", 0, "is not open"}} {
		_, err := openAt(snap, Place{URI: c.uri, Offset: c.offset})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d of %s: %v", c.offset, c.uri, err)
		}
	}
	if got, want := fmt.Sprintf("%+v", defaultTaskSettings()), fmt.Sprintf("%+v", TaskSettings{Running: 2, MaxSteps: 64, LimitUSD: 2, ConfirmUSD: 0.25, ShowPlan: 3, Review: "risk"}); got != want {
		t.Errorf("the settings of tasks are %s", got)
	}
	if got := lead("a b"); got != "a" {
		t.Errorf("the first word is %q", got)
	}
}

// TestNewProposals: a proposal that begins has a title, and the host is notified of it.
func TestNewProposals(t *testing.T) {
	for title, want := range map[string]string{"": "count", "Debug": "Debug"} {
		b := newBench(t, lanes{model.Fast: replies("x")}, source, nil)
		run, err := b.engine.Editor.begin(b.session.Snapshot(), EditRequest{URI: b.uri, Instruction: "count\nmore", Title: title})
		if err != nil {
			t.Fatal(err)
		}
		b.mu.Lock()
		var got []string
		for _, e := range b.events {
			if e.Proposal != nil {
				got = append(got, e.Proposal.ID+" "+e.Proposal.Title+" "+string(e.Proposal.State))
			}
		}
		b.mu.Unlock()
		if !slices.Equal(got, []string{run.id + " " + want + " " + string(Streaming)}) {
			t.Errorf("%q", got)
		}
	}
}

// TestResultsInTheirOrder: what steps changed is carried over in the order in which they were done.
func TestResultsInTheirOrder(t *testing.T) {
	b := newTaskBench(t, lanes{}, quiet())
	first := changeOf("main.go", source, "return 1", "return 11")
	second := changeOf("main.go", first.After, "return 11", "return 111")
	steps := []state.Step{{State: string(TaskDone), Order: 2}, {State: string(TaskDone), Order: 1}, {State: string(TaskFailed)}}
	carried, conflicts := settled(b.session.Snapshot(), steps, map[int][]edits.FileChange{0: {second}, 1: {first}})
	if len(conflicts) != 0 || len(carried[0]) != 1 || carried[0][0].After != second.After || len(carried[1]) != 1 || carried[1][0].After != first.After {
		t.Errorf("%+v, %v", carried, conflicts)
	}
}
