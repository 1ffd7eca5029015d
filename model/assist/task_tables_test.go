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
	"tandem/model/task"
	"tandem/workspace"
	"tandem/workspace/state"
)

// ownCompletions are lanes whose completions and next edits have a model of their own.
type ownCompletions struct{ lanes }

func (ownCompletions) ConfigFor(p model.Purpose) (model.ModelConfig, bool) {
	return model.ModelConfig{Name: "own for " + string(p)}, true
}

// TestModelOfAQuestion: which model a kind of question goes to, and which lane and why.
func TestModelOfAQuestion(t *testing.T) {
	c := newCore(SharedDeps{Models: ownCompletions{lanes{model.Fast: replies("x"), model.Deep: replies("x")}}})
	for _, x := range []struct {
		lane model.Lane
		kind model.Kind
		want string
	}{
		{model.Fast, model.KindComplete, "own for " + string(model.Complete)}, {model.Fast, model.KindNextEdit, "own for " + string(model.NextEdit)}, {model.Fast, model.KindEdit, "fake-fast"},
		{model.Deep, model.KindComplete, "fake-deep"}, {model.Deep, model.KindEdit, "fake-deep"},
	} {
		if got, ok := c.configOf(question{lane: x.lane, kind: x.kind}); got.Name != x.want || !ok {
			t.Errorf("%s of %s goes to %s, want %s", x.kind, x.lane, got.Name, x.want)
		}
	}
	for path, want := range map[string]model.Lane{"a.go": model.Fast, "auth/token.go": model.Deep, "": model.Fast} {
		if got := c.route(model.Edit, "", "x", path, 0); got.Lane != want {
			t.Errorf("an edit of %q goes to %s: %s", path, got.Lane, got.Reason)
		}
	}
	if got := c.route(model.Edit, "", "x", "a.go", 128001*bytesPerToken); got.Lane != model.Deep {
		t.Errorf("too large an edit goes to %s: %s", got.Lane, got.Reason)
	}
	for kind, want := range map[model.Kind]string{model.KindEdit: "edit as an instruction says", model.KindFix: "edit as an instruction says", model.KindAsk: "answer this question", model.KindReview: "review", model.KindStep: "run a deep task", model.KindComplete: "do this"} {
		if got := whatNeedsModel(kind); got != want {
			t.Errorf("%s: %q, want %q", kind, got, want)
		}
	}
	policy := errors.New("The administrator does not allow it.")
	for _, x := range []struct {
		models  lanes
		mistake string
		allow   error
		want    model.Code
	}{
		{lanes{}, "", nil, model.CodeNeedsModel}, {lanes{model.Fast: replies("x")}, "", nil, model.CodeNeedsModel}, {lanes{model.Fast: replies("x")}, "", policy, model.CodePolicy}, {lanes{}, "", policy, model.CodeNeedsModel}, {lanes{model.Fast: replies("x")}, "line 3", policy, model.CodeNotConfigured},
	} {
		c := newCore(SharedDeps{Models: x.models, Mistake: func() string { return x.mistake }, Allow: func(string) error { return x.allow }})
		if got := c.needsModel("do it"); got.Code != x.want || (x.want == model.CodePolicy) != errors.Is(got, policy) {
			t.Errorf("%+v: %s %v", x, got.Code, got)
		}
	}
}

// TestPartsOfAPrompt: line numbers, the tokens besides the window, and diagnostics as compilers
// print them.
func TestPartsOfAPrompt(t *testing.T) {
	cfg := model.ModelConfig{}
	count := model.Counter(cfg).Count
	p := model.Prompt{Request: "do it", Diff: "+x", History: []model.Message{{Text: "before"}}, Diagnostics: []string{"a.go:1: error: x"}, Earlier: []string{"Add x", "Add y"}}
	if got, want := otherTokens(cfg, p), count("do it")+count("+x")+count("before")+count("a.go:1: error: x")+count("Add x")+count("Add y")+wrapping+4*perMessage; got != want {
		t.Errorf("%d tokens, want %d", got, want)
	}
	for _, c := range []struct{ above, chosen, below, want string }{
		{"a\nb", "c", "d\n", "7\ta\n8\tb|c|d\n"}, {"a\n", "b\n", "c", "7\ta\n|8\tb\n|9\tc"}, {"", "", "a\nb\n", "||7\ta\n8\tb\n"}, {"", "", "", "||"},
	} {
		before, selected, after := numbered(7, c.above, c.chosen, c.below)
		if got := before + "|" + selected + "|" + after; got != c.want {
			t.Errorf("%q", got)
		}
	}
	w := &workspace.Window{Fragments: []workspace.Fragment{{Kind: workspace.FragmentCode, StartLine: 3}, {Kind: workspace.FragmentCursor, StartLine: 9}}}
	if regionStart(w) != 9 || regionStart(&workspace.Window{}) != 1 {
		t.Error("the region begins elsewhere")
	}
	b := newBench(t, lanes{}, source, nil)
	snap := b.session.Snapshot()
	for at, want := range map[int]string{0: "main.go:1: error: no x", b.at("return 1"): "main.go:4: error: no x", 9999: "main.go:10: error: no x"} {
		if got := diagnosticLine(snap, b.uri, workspace.Diagnostic{Span: edits.Span{Start: at}, Severity: "error", Message: "no x"}); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := diagnosticLine(snap, "untitled:none", workspace.Diagnostic{Severity: "error", Message: "no x"}); got != "untitled:none:0: error: no x" {
		t.Errorf("of no document: %s", got)
	}
	if open, none := textLen(snap, b.uri), textLen(snap, "untitled:none"); open != len(source) || none != 0 {
		t.Errorf("the document has %d bytes, and none %d", open, none)
	}
	if got := cacheKey(snap, question{uri: "untitled:x"}); got != "tandem" {
		t.Errorf("the key of no folder is %q", got)
	}
	if got := cacheKey(snap, question{uri: b.uri}); got != "tandem-"+snap.View(b.uri).Name()+"-go" {
		t.Errorf("the key is %q", got)
	}
}

// TestRefusedPaths: which files a model's answer may not write, and why.
func TestRefusedPaths(t *testing.T) {
	b := newBench(t, lanes{}, source, map[string]string{".gitignore": "secret.go\n", "secret.go": "package main\n", ".github/workflows/ci.yml": "on: push\n", "b.go": "package main\n"})
	snap := b.session.Snapshot()
	for _, c := range []struct {
		path, named string
		want        edits.Code
	}{
		{"b.go", "", ""}, {"new.go", "", ""}, {".github/workflows/ci.yml", "", edits.CodeProtected}, {".github/workflows/ci.yml", ".github/workflows/ci.yml", ""}, {".github/workflows/ci.yml", "b.go", edits.CodeProtected},
		{"secret.go", "", edits.CodeProtected}, {"../x.go", "", edits.CodeOutside}, {"/etc/passwd", "", edits.CodeOutside},
	} {
		if code, why := refuse(snap, c.path, c.named); code != c.want || (why == "") != (c.want == "") {
			t.Errorf("%s, named %q: %q %q", c.path, c.named, code, why)
		}
	}
	run := newTaskRun(snap, TaskRequest{Place: Place{URI: b.uri}})
	run.rec.Steps = []state.Step{{State: string(TaskDone)}}
	run.results[0] = []edits.FileChange{{Path: "made.go", After: "package main\n", AbsentBefore: true, Edits: edits.Diff("", "package main\n")}}
	files := taskFiles{run}
	for name, want := range map[string]bool{"b.go": true, "main.go": true, "made.go": true, "none.go": false, "": false} {
		if files.Exists(name) != want {
			t.Errorf("%s is there: %v", name, !want)
		}
	}
	for _, c := range []struct {
		name        string
		read, write bool // refused
	}{{"b.go", false, false}, {"made.go", false, false}, {"../x.go", true, true}, {"/etc/passwd", true, true}, {"secret.go", true, true}, {".github/workflows/ci.yml", false, true}} {
		if read, write := files.Refuse(c.name, false) != "", files.Refuse(c.name, true) != ""; read != c.read || write != c.write {
			t.Errorf("%s: reading is refused %v, writing %v", c.name, read, write)
		}
	}
}

// TestFormatOfAStep: a step that writes other than one file that is there is answered in a
// format that names files.
func TestFormatOfAStep(t *testing.T) {
	deep := replies("x")
	deep.format = string(edits.FormatRewrite)
	b := newTaskBench(t, lanes{model.Deep: deep}, quiet())
	r := stepRunner{workOf(b.engine.Tasks)}
	snap := b.session.Snapshot()
	other := model.ModelConfig{EditFormat: string(edits.FormatUnifiedDiff)}
	rewriting := model.ModelConfig{Name: "own", EditFormat: string(edits.FormatRewrite)}
	for _, c := range []struct {
		lane   model.Lane
		config *model.ModelConfig
		writes []string
		want   string // format of another configuration, "" for none
	}{
		{model.Deep, nil, nil, ""}, {model.Deep, nil, []string{"main.go"}, ""}, {model.Deep, nil, []string{"none.go"}, "search_replace"}, {model.Deep, nil, []string{"main.go", "lib/a.go"}, "search_replace"},
		{model.Fast, nil, []string{"none.go"}, ""}, {model.Deep, &other, []string{"none.go"}, string(edits.FormatUnifiedDiff)}, {model.Fast, &rewriting, []string{"none.go"}, "search_replace"}, {model.Deep, &rewriting, []string{"main.go"}, string(edits.FormatRewrite)},
	} {
		q := question{lane: c.lane, config: c.config}
		r.chooseFormat(&q, snap, task.Step{Writes: c.writes})
		got := ""
		if q.config != nil {
			got = q.config.EditFormat
		}
		if got != c.want {
			t.Errorf("%s writes %q: %q, want %q", c.lane, c.writes, got, c.want)
		}
	}
	if rewriting.EditFormat != string(edits.FormatRewrite) {
		t.Error("the configuration of an agent was changed")
	}
	most := b.engine.Budget(model.KindStep.Window())
	for _, c := range []struct {
		step task.Step
		lane model.Lane
		want int
	}{
		{task.Step{}, model.Fast, most}, {task.Step{Writes: []string{"none.go"}}, model.Fast, min(most, contextOfStep)}, {task.Step{Writes: []string{"lib/a.go"}}, model.Fast, min(most, contextOfStep+len(libA)/3)},
		{task.Step{Writes: []string{"none.go"}, Reads: []string{"lib/a.go"}}, model.Fast, min(most, contextOfStep+len(libA)/3)}, {task.Step{Writes: []string{"lib/a.go"}}, model.Deep, min(most, contextOfDeepStep+len(libA)/3)},
	} {
		if got := r.stepBudget(snap, c.step, attempt{lane: c.lane}); got != c.want {
			t.Errorf("%+v on %s: %d tokens, want %d", c.step, c.lane, got, c.want)
		}
	}
}

// TestPlanAsItComes: the steps of a plan that have come whole are shown behind those that are
// known, up to the bound.
func TestPlanAsItComes(t *testing.T) {
	settings := quiet()
	settings.MaxSteps, settings.ShowPlan = 3, 3
	b := newTaskBench(t, lanes{model.Deep: replies("x")}, settings)
	p := taskPlanner{workOf(b.engine.Tasks)}
	run := newTaskRun(b.session.Snapshot(), TaskRequest{Instruction: "x"})
	run.rec.Steps = []state.Step{{Title: "done", Lane: task.Fast, State: string(TaskDone)}}
	for _, c := range []struct{ text, want string }{
		{"1. [FAST] a", ""}, {"1. [FAST] a\n", "done done"}, {"1. [FAST] a\n2. [FAST] b\n3. [FA", "done done, b queued"}, {"1. [FAST] a\n2. [FAST] b\n3. [FAST] c\n4. [FAST] d\n", "done done, b queued, c queued"},
	} {
		b.mu.Lock()
		b.events = nil
		b.mu.Unlock()
		p.showPartialPlan(run, c.text)
		var got []string
		b.mu.Lock()
		for _, e := range b.events {
			for _, s := range e.(*Task).Steps {
				got = append(got, s.Title+" "+string(s.State))
			}
		}
		b.mu.Unlock()
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%q shows %q, want %q", c.text, got, c.want)
		}
	}
	for steps, want := range map[int]bool{0: false, 2: false, 3: true} {
		if got := p.shows(state.Task{Steps: make([]state.Step, steps)}); got != want {
			t.Errorf("a plan of %d steps is shown: %v", steps, got)
		}
	}
	if !p.shows(state.Task{Error: "x"}) || !p.shows(state.Task{Hold: true}) {
		t.Error("a plan that cannot be run, or was edited, is not shown")
	}
}

// TestMessagesToATask: what each message changes in a task's record.
func TestMessagesToATask(t *testing.T) {
	b := newTaskBench(t, lanes{model.Deep: replies("x")}, quiet())
	w := workOf(b.engine.Tasks)
	step := func(s TaskState) state.Step { return state.Step{Title: "a", Lane: task.Fast, State: string(s)} }
	for _, c := range []struct {
		name     string
		steps    []state.Step
		approved bool
		message  taskMessage
		replan   bool
	}{
		{"no plan", nil, false, taskMessage{steerMessage, "x"}, false},
		{"one step to come, agreed", []state.Step{step(TaskDone), step(TaskQueued)}, true, taskMessage{steerMessage, "x"}, false},
		{"one step to come, not agreed", []state.Step{step(TaskQueued)}, false, taskMessage{steerMessage, "x"}, true},
		{"two to come", []state.Step{step(TaskQueued), step(TaskRunning)}, true, taskMessage{steerMessage, "x"}, true},
		{"two, apart", []state.Step{step(TaskQueued), step(TaskDone), step(TaskQueued)}, true, taskMessage{steerMessage, "x"}, true},
		{"none", []state.Step{step(TaskDone), step(TaskFailed)}, true, taskMessage{steerMessage, "x"}, true},
	} {
		run := newTaskRun(b.session.Snapshot(), TaskRequest{Instruction: "i"})
		run.rec.Steps, run.rec.Approved, run.rec.Resolved, run.rec.Error = c.steps, c.approved, "accepted", "old"
		run.inbox = []taskMessage{c.message}
		w.readMessages(run)
		rec := run.record()
		if rec.Replan != c.replan || rec.Resolved != "" || rec.Error != "" || len(rec.Messages) != 1 || rec.Messages[0].Text != "x" || rec.Messages[0].From != "user" || rec.Messages[0].Kind != "steer" || len(run.inbox) != 0 {
			t.Errorf("%s: %+v", c.name, rec)
		}
	}
	run := newTaskRun(b.session.Snapshot(), TaskRequest{})
	run.rec.EstimateUSD, run.rec.Hold = 3, true
	run.inbox = []taskMessage{{kind: resumeMessage}}
	w.readMessages(run)
	if rec := run.record(); rec.AgreedUSD != 3 || rec.Approved || !rec.Hold {
		t.Errorf("agreed to a price: %+v", rec)
	}
	run.rec.Steps, run.rec.AgreedUSD = []state.Step{step(TaskQueued)}, 5
	run.inbox = []taskMessage{{kind: resumeMessage}}
	w.readMessages(run)
	if rec := run.record(); rec.AgreedUSD != 5 || !rec.Approved || rec.Hold {
		t.Errorf("agreed to a plan: %+v", rec)
	}
	run.rec.Approved, run.rec.Error = false, "it cannot be run"
	run.inbox = []taskMessage{{kind: resumeMessage}}
	if w.readMessages(run); run.record().Approved {
		t.Error("a plan that cannot be run is agreed to")
	}
	run.inbox = []taskMessage{{planMessage, "1. [DEEP] b | write: main.go"}}
	w.readMessages(run)
	if rec := run.record(); rec.State != string(TaskPlanned) || rec.Approved || !rec.Hold || rec.Error != "" || len(rec.Steps) != 1 || rec.Steps[0].Title != "b" || rec.EstimateTokens == 0 {
		t.Errorf("an edited plan: %+v", rec)
	}
}

// TestFiguresOfATask: what is added up of a task, how failures are named, and what is refused.
func TestFiguresOfATask(t *testing.T) {
	run := newTaskRun(newBench(t, lanes{}, source, nil).session.Snapshot(), TaskRequest{})
	run.rec.Steps = make([]state.Step, 2)
	usage := edits.Provenance{Lane: string(model.Fast), Model: "m", PromptTokens: 10, OutputTokens: 3, CostUSD: 0.5}
	for _, i := range []int{-1, 0, 1, 2} {
		run.spent(i, usage)
	}
	usage.Lane = string(model.Deep)
	run.spent(0, usage)
	rec := run.record()
	if rec.PromptTokens != 50 || rec.OutputTokens != 15 || rec.CostUSD != 2.5 || rec.FastUSD != 2 || rec.Steps[0].CostUSD != 1 || rec.Steps[1].CostUSD != 0.5 || rec.Steps[1].Model != "m" {
		t.Errorf("%+v", rec)
	}
	steps := []state.Step{{Title: "a", State: string(TaskFailed), Error: "x"}, {Title: "b", State: string(TaskDone)}, {Title: "c", State: string(TaskFailed), Error: "y"}}
	if got := failedSteps(steps); got != "step 1 (a): x; step 3 (c): y" {
		t.Error(got)
	}
	for s, want := range map[TaskState]bool{TaskDone: false, TaskFailed: false, TaskQueued: true, TaskRunning: true, TaskInterrupted: true} {
		if pending(state.Step{State: string(s)}) != want {
			t.Errorf("%s is to be done: %v", s, !want)
		}
	}
	for code, want := range map[model.Code]bool{model.CodeInterrupted: false, model.CodeEmpty: false, model.CodeRefused: false, model.CodeContextLength: false, model.CodeBadRequest: false, model.CodeDailyLimit: true, model.CodeUnreachable: true, model.CodeServer: true} {
		if blocked(fmt.Errorf("more: %w", &model.Error{Code: code})) != want {
			t.Errorf("%s is no fault of the answer: %v", code, !want)
		}
	}
	if blocked(errors.New("x")) || codeOf(errors.New("x")) != "" || codeOf(fmt.Errorf("x: %w", &model.Error{Code: model.CodeServer})) != string(model.CodeServer) {
		t.Error("an error without a code has one")
	}
	finding := func(message, severity string) edits.Finding {
		return edits.Finding{Message: message, Severity: severity}
	}
	check := edits.Check{Kind: edits.CheckNames, Findings: []edits.Finding{finding("a", "error"), finding("a", "error"), finding("hint", "hint"), finding("b", "error")}}
	if err := passes([]edits.Check{{Kind: edits.CheckSyntax, OK: true, Findings: check.Findings}, check}); err == nil || err.Error() != "a b" {
		t.Errorf("%v", err)
	}
	check.Kind = edits.CheckSyntax
	if err := passes([]edits.Check{check}); err == nil || err.Error() != "a hint b" {
		t.Errorf("%v", err)
	}
	check.Findings = nil
	for i := range maxFindings + 1 {
		check.Findings = append(check.Findings, finding(fmt.Sprint(i), "error"))
	}
	if err := passes([]edits.Check{check}); err == nil || err.Error() != "0 1 2 3 4 5" {
		t.Errorf("%v", err)
	}
	if passes(nil) != nil {
		t.Error("nothing is wrong")
	}
	if keepsToFiles(task.Step{}, []edits.FileChange{{Path: "x"}}) != nil || keepsToFiles(task.Step{Writes: []string{"x"}}, []edits.FileChange{{Path: "x"}}) != nil || keepsToFiles(task.Step{Writes: []string{"x"}}, []edits.FileChange{{Path: "x"}, {Path: "y"}}) == nil {
		t.Error("a step keeps to its files, or does not")
	}
	long := saidAgain(strings.Repeat("x", 9000), "why")
	if len(long) != 2 || len(long[0].Text) != 8<<10 || long[1].Text != "why" || saidAgain(" ", "why")[0].Text != "(nothing)" {
		t.Errorf("%d bytes are repeated", len(long[0].Text))
	}
	at := time.Now()
	said := state.Task{Messages: []state.Message{{Kind: "question", Text: "old?", Time: at}, {Kind: "question", Text: "which?", Time: at.Add(1)}, {Kind: "answer", Text: "both", Time: at.Add(2)}, {Kind: "notice", Text: "no"}, {Kind: "steer", Text: "more"}}}
	var b strings.Builder
	if writeSteers(&b, said); b.String() != "\n\nThe user added since; where these differ, the last holds:\n- (answer to \"which?\") both\n- more\n" {
		t.Errorf("%q", b.String())
	}
	var none strings.Builder
	if writeSteers(&none, state.Task{}); none.String() != "" {
		t.Errorf("%q", none.String())
	}
	plan := planWithStates([]state.Step{{Lane: task.Fast, Title: "a", State: string(TaskDone)}, {Lane: task.Deep, Title: "b", State: string(TaskFailed)}, {Lane: task.Fast, Title: "c", State: string(TaskRunning)}, {Lane: task.Fast, Title: "d"}})
	if want := "1. [FAST] a (done, its edits are in the files shown)\n2. [DEEP] b (failed)\n3. [FAST] c (under way)\n4. [FAST] d (to do)\n"; plan != want {
		t.Errorf("%q", plan)
	}
}

// TestRunsTakeMessages: a run takes messages and answers while it goes on, and none afterwards.
func TestRunsTakeMessages(t *testing.T) {
	snap := newBench(t, lanes{}, source, nil).session.Snapshot()
	run := newTaskRun(snap, TaskRequest{Confirmed: true, Place: Place{Offset: 3}, Span: edits.Span{Start: 4, End: 6}})
	if run.rec.AgreedUSD != agreedToAll || run.rec.Start != 4 || run.rec.End != 6 || run.rec.Root != snap.Views()[0].Root || run.named() != "" {
		t.Errorf("%+v", run.rec)
	}
	if at := newTaskRun(snap, TaskRequest{Place: Place{Offset: 3}}); at.rec.Start != 3 || at.rec.End != 3 || at.rec.AgreedUSD != 0 {
		t.Errorf("%+v", at.rec)
	}
	phase, over := run.phase(t.Context())
	if !run.post(taskMessage{steerMessage, "x"}) || context.Cause(phase) != errSteered || run.wait(t.Context()) != nil {
		t.Error("a message does not end the phase")
	}
	over()
	if run.finish() {
		t.Error("a run ends with a message that was not read")
	}
	second, over := run.phase(t.Context())
	if context.Cause(second) != errSteered {
		t.Error("a phase begins with a message that was not read")
	}
	over()
	if got := run.take(); len(got) != 1 || got[0].text != "x" || len(run.take()) != 0 {
		t.Errorf("%v", got)
	}
	third, over := run.phase(t.Context())
	over()
	if third.Err() == nil {
		t.Error("a phase does not end")
	}
	run.open = true
	if !run.asks() || !run.post(taskMessage{steerMessage, "an answer"}) || <-run.answer != "an answer" || run.asks() || len(run.inbox) != 0 {
		t.Error("an answer is taken for a message")
	}
	run.open = true
	if !run.post(taskMessage{resumeMessage, ""}) || len(run.inbox) != 1 || !run.asks() {
		t.Error("a message is taken for an answer")
	}
	run.take()
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if run.wait(stopped) == nil {
		t.Error("a run that was stopped waits")
	}
	if !run.cancel() || run.post(taskMessage{steerMessage, "x"}) || !run.finish() || run.cancel() || run.post(taskMessage{steerMessage, "x"}) {
		t.Error("a run that has ended takes messages")
	}
	var slots taskSlots
	if slots.acquire(t.Context(), 0) != nil || slots.used != 1 || slots.acquire(stopped, 1) == nil || len(slots.waiting) != 0 || slots.used != 1 || slots.acquire(t.Context(), 2) != nil {
		t.Errorf("%+v", slots.used)
	}
	slots.release()
	slots.release()
	if slots.used != 0 {
		t.Errorf("%d slots are used", slots.used)
	}
	changes := func(path, after string) []edits.FileChange {
		return []edits.FileChange{{Path: path, After: after, AbsentBefore: true, Edits: edits.Diff("", after)}}
	}
	run.rec.Steps = []state.Step{{State: string(TaskDone), Order: 2}, {State: string(TaskFailed), Order: 1}, {State: string(TaskDone), Order: 1}}
	run.results = map[int][]edits.FileChange{0: changes("a", "late"), 1: changes("b", "failed"), 2: changes("c", "early")}
	var order []string
	for _, list := range run.inOrder() {
		order = append(order, list[0].Path)
	}
	if texts := run.texts(); !slices.Equal(order, []string{"c", "a"}) || len(texts) != 2 || texts["a"].String() != "late" {
		t.Errorf("in order %q, %v", order, texts)
	}
	if got := lastQuestion([]state.Message{{Kind: "question", Text: "a"}, {Kind: "question", Text: "b"}, {Kind: "notice", Text: "c"}}); got != "b" || lastQuestion(nil) != "" {
		t.Errorf("the last question is %q", got)
	}
}

// TestEstimateOfAnInstruction: what a small edit asks for needs less context for its plan.
func TestEstimateOfAnInstruction(t *testing.T) {
	deep := replies("x")
	b := newTaskBench(t, lanes{model.Fast: replies("x"), model.Deep: deep}, quiet())
	b.engine.Budget = func(string) int { return 50_000 }
	costs := taskCosts{b.engine.Tasks}
	small := b.engine.Tasks.EstimateTask(TaskRequest{Instruction: "rename x"})
	if got, want := small.Tokens, smallPlan+usualInstructions+usualPlan+usualSteps*(25_000+usualInstructions+usualAnswer); got != want {
		t.Errorf("%d tokens, want %d", got, want)
	}
	run := newTaskRun(b.session.Snapshot(), TaskRequest{Instruction: "x"})
	run.rec.Steps = []state.Step{{Lane: task.Fast, State: string(TaskDone), Writes: []string{"main.go"}}, {Lane: task.Fast, Writes: []string{"none.go"}}}
	if got, want := costs.estimate(run, run.rec.Steps).Tokens, contextOfStep+usualInstructions+usualAnswer; got != want {
		t.Errorf("%d tokens are left, want %d", got, want)
	}
	run.rec.PromptTokens, run.rec.OutputTokens, run.rec.CostUSD = 10, 5, 1
	if costs.price(run); run.rec.EstimateTokens != contextOfStep+usualInstructions+usualAnswer+15 || run.rec.EstimateUSD != 1 {
		t.Errorf("the estimate is %d, $%v", run.rec.EstimateTokens, run.rec.EstimateUSD)
	}
	limit := quiet()
	b.engine.Tasks.deps.Settings = func() TaskSettings { return limit }
	for _, c := range []struct {
		confirm, estimate, agreed float64
		want                      bool
	}{{0, 9, 0, false}, {1, 1, 0, false}, {1, 1.5, 0, true}, {1, 1.5, 1.5, false}, {1, 1.5, 1.25, true}} {
		limit.ConfirmUSD = c.confirm
		if got := costs.confirms(state.Task{EstimateUSD: c.estimate, AgreedUSD: c.agreed}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	cfg := model.ModelConfig{InputPrice: 1}
	req := &model.Request{Input: []model.Message{{Role: "user", Text: strings.Repeat("word ", 1000)}}}
	next := model.Cost(cfg, model.Usage{Input: model.EstimateTokens(req)})
	for _, c := range []struct {
		limit float64
		want  bool
	}{{0, true}, {1 + next, true}, {1 + 2*next, true}, {1 + next/2, false}} {
		limit.LimitUSD, run.rec.CostUSD = c.limit, 1
		if err := costs.affordable(run, cfg, req); (err == nil) != c.want {
			t.Errorf("of $%v: %v", c.limit, err)
		}
	}
	for _, c := range []struct {
		lane   model.Lane
		window int
		tools  bool
		want   toolProtocol
	}{{model.Fast, 128000, true, noTools}, {model.Deep, leastToolWindow, true, callTools}, {model.Deep, leastToolWindow, false, textTools}, {model.Deep, leastToolWindow - 1, true, noTools}} {
		if got := costs.protocol(c.lane, model.ModelConfig{Name: "m", ContextWindow: c.window, Tools: c.tools}); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	costs.refusals.add("m")
	if costs.protocol(model.Deep, model.ModelConfig{Name: "m", ContextWindow: leastToolWindow, Tools: true}) != textTools || costs.protocol(model.Deep, model.ModelConfig{Name: "n", ContextWindow: leastToolWindow, Tools: true}) != callTools {
		t.Error("the wrong model refuses function calls")
	}
}

// TestProposalsAreJudgedByTheirOwnText: a proposal is about its own documents alone, and one
// that follows an open document is not led back to an older text of it.
func TestProposalsAreJudgedByTheirOwnText(t *testing.T) {
	b := newBench(t, lanes{}, source, map[string]string{"b.go": "package main\n\nvar x = 1\n"})
	old := b.session.Snapshot()
	changes := []edits.FileChange{changeOf("main.go", source, "return 2", "return 22"), changeOf("b.go", "package main\n\nvar x = 1\n", "1", "2")}
	p, err := b.engine.Editor.proposeChanges(old, changes, Proposal{Request: EditRequest{URI: b.uri}})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(b.engine.Editor.Live(b.uri)); n != 1 {
		t.Errorf("%d proposals on the document", n)
	}
	if n := len(b.engine.Editor.Live("untitled:other")); n != 0 {
		t.Errorf("%d proposals on another document", n)
	}
	b.edit(0, 0, "// first\n")
	list, err := b.engine.Editor.Accept(old, p.ID, -1)
	if err != nil || len(list) != 2 || list[0].Version != b.version || list[0].Base.String() != b.text() || list[1].Version != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	for hunk, want := range map[int]string{0: "main.go", 1: "b.go"} {
		list, err := b.engine.Editor.Accept(b.session.Snapshot(), p.ID, hunk)
		if err != nil || len(list) != 1 || filepath.Base(list[0].URI) != want || len(list[0].Edits) != 1 {
			t.Errorf("change %d: %+v, %v", hunk, list, err)
		}
	}
	if _, err := b.engine.Editor.Accept(b.session.Snapshot(), p.ID, 2); err == nil || err.Error() != "The suggestion has no change number 3." {
		t.Errorf("a change that is not there: %v", err)
	}
	if err := b.engine.Editor.RejectPart(b.session.Snapshot(), p.ID, Part{Hunk: hunkNumber(1)}); err != nil {
		t.Fatal(err)
	}
	if list, err := b.engine.Editor.Accept(b.session.Snapshot(), p.ID, -1); err != nil || len(list) != 1 && len(list[1].Edits) != 0 {
		t.Errorf("after a rejection: %+v, %v", list, err)
	}
}

// TestThreads: a thread keeps its last turns, and one without a name none.
func TestThreads(t *testing.T) {
	a := newAsker(newCore(SharedDeps{}))
	a.remember("", "q", "a")
	for i := range maxThread + 2 {
		a.remember("t", fmt.Sprint("q", i), fmt.Sprint("a", i))
	}
	got := a.thread("t")
	if len(got) != 2*maxThread || got[0].Text != "q2" || got[0].Role != "user" || got[1].Text != "a2" || got[1].Role != "assistant" || a.thread("") != nil || len(a.threads) != 1 {
		t.Errorf("%d messages, from %+v", len(got), got[0])
	}
	if got := shownTo(&model.Request{Instructions: "be kind", Input: []model.Message{{Role: "user", Text: "why?"}, {Role: "tool", Text: "x"}}}); got != "be kind\n\nuser:\nwhy?\n\ntool:\nx" {
		t.Errorf("%q", got)
	}
	for word, want := range map[string]string{
		"a.go:3": "a.go 3", "a/b:3": "a/b 3", "a.go:3:7": "a.go 3", "a.go:3-9": "a.go 3", "a.go:3.": "a.go 3", "a.go:": "none", "a.go": "none", ":3": "none", "a:3": "none", "a.go:x": "none", "a.go:0": "none", "a.go:-1": "none",
		"a.go:3:": "a.go 3", "a.go:99999999999999999999": "none",
	} {
		name, line, ok := splitCitation(word)
		if !ok && strings.Trim(word, ":") != "" && !strings.Contains(word, ":") && (name != "" || line != 0) {
			t.Errorf("%q names no place, and %q, %d", word, name, line)
		}
		if got := map[bool]string{true: fmt.Sprint(name, " ", line), false: "none"}[ok]; got != want {
			t.Errorf("%q names %s, want %s", word, got, want)
		}
	}
	b := newBench(t, lanes{}, source, map[string]string{"b.go": "package main\n"})
	var cited []string
	for _, c := range citations(b.session.Snapshot(), "see b.go:1, (main.go:3) and main.go:3; b.go:2 b.go:3 /etc/hosts:1 none.go:1") {
		cited = append(cited, fmt.Sprint(c.Path, " ", c.Line))
	}
	if !slices.Equal(cited, []string{"b.go 1", "main.go 3", "b.go 2"}) {
		t.Errorf("cited %q", cited)
	}
}

// TestFindingsInAnAnswer: each form in which a model writes a finding, and what is none.
func TestFindingsInAnAnswer(t *testing.T) {
	text := edits.NewText("one\n\ttwo\nthree")
	for line, want := range map[string]string{
		"a.go:2: error: bad": "error 5-8 bad ", "a.go:2:1: error: bad": "error 5-8 bad ", "- a.go:2: Warning: bad": "warning 5-8 bad ", "`a.go:2: hint: bad`": "hint 5-8 bad ", "a.go:2: bad": "warning 5-8 bad ",
		"a.go:2: this: bad": "warning 5-8 this: bad ", "a.go:1: note: x: y": "note 0-3 x: y ", "a.go:3: error: bad\nfix: do it": "error 9-14 bad do it", "a.go:3: error: bad\n  FIX: do it": "error 9-14 bad do it",
		"a.go:0: error: bad": "", "a.go:4: error: bad": "", "b.go:2: error: bad": "", "a.go:x: error: bad": "", "a.go:2: error: ": "", "a.go:2": "", "fix: do it": "", "": "",
	} {
		got := ""
		for _, f := range findings("a.go", "untitled:a", text, line) {
			got += fmt.Sprintf("%s %d-%d %s %s", f.Severity, f.Span.Start, f.Span.End, f.Message, f.Fix)
			if f.URI != "untitled:a" || f.Path != "a.go" || f.Code != "review" {
				t.Errorf("%q: %+v", line, f)
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	for _, c := range []struct{ s, prefix, rest string }{{"Fix: x", "fix:", " x"}, {"fix", "fix:", "none"}, {"fix:", "fix:", ""}} {
		rest, ok := workspace.CutPrefixFold(c.s, c.prefix)
		if !ok {
			rest = "none"
		}
		if rest != c.rest {
			t.Errorf("%q without %q: %q", c.s, c.prefix, rest)
		}
	}
}

// TestTitles: the first line of an instruction, up to 60 letters.
func TestTitles(t *testing.T) {
	for text, want := range map[string]string{" one \ntwo": "one ", strings.Repeat("é", 60): strings.Repeat("é", 60), strings.Repeat("é", 61): strings.Repeat("é", 59) + "…", "": ""} {
		if got := headline(text); got != want {
			t.Errorf("%q has the title %q", text, got)
		}
	}
}

// TestNamesAtAPlace: the name at an offset, and the one before its dot.
func TestNamesAtAPlace(t *testing.T) {
	for text, want := range map[string]string{ // | is the place
		"a.na|me(b)": "name a", "a.|name": "name a", "a.name|": "name a", "name|": "name ", "|": " ", "a |+ b": " ", "x_$1|é.y": "x_$1é ", "a\nb.c|\nd": "c b", "f().c|": "c ", "é.c|": "c é", "(ab.c|": "c ab",
	} {
		before, after, _ := strings.Cut(text, "|")
		whole := edits.NewText(before + after)
		span := nameAt(whole, len(before))
		if got := whole.Slice(span) + " " + qualifierBefore(whole, span.Start); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	b := newBench(t, lanes{}, source, map[string]string{"b.txt": "names name_ name\nname\n", "c.txt": "names\n", "d.txt": "name\nother\nname", "e.txt": "a\nnamename name"})
	for file, want := range map[string]int{"b.txt": 1, "c.txt": 0, "d.txt": 1, "e.txt": 2, "none.txt": 0} {
		if line, ok := firstUse(b.session.Snapshot(), file, "name"); line != want || ok != (want > 0) {
			t.Errorf("the first use in %s is on line %d", file, line)
		}
	}
}

// TestReviewer: the agent that is named reviewer reads the whole result, on its lane, with its
// model and instructions, and what it looks at is of no step.
func TestReviewer(t *testing.T) {
	for _, c := range []struct {
		agents []Agent
		lane   model.Lane
		want   string
	}{
		{nil, model.Deep, ""},
		{[]Agent{{Name: "docs", Lane: model.Fast, Model: model.ModelConfig{Name: "writer", ContextWindow: 128000}, Instructions: "Write."}}, model.Deep, ""},
		{[]Agent{{Name: "docs", Lane: model.Deep}, {Name: "reviewer", Lane: model.Fast, Model: model.ModelConfig{Name: "judge", ContextWindow: 128000}, Instructions: "Judge hard."}}, model.Fast, "Judge hard."},
	} {
		synctest.Test(t, func(t *testing.T) {
			judged := turn{"\n+\treturn 11", "fine"}
			looks := turn{judged.holds, "LOOK file lib/a.go"}
			deep, fast := answers(turn{"# lib/a.go:1", "fine"}, looks, alpha11, turn{"", planAlpha}), answers(judged)
			settings := quiet()
			settings.Review, settings.Agents = "always", c.agents
			b := newTaskBench(t, lanes{model.Fast: fast, model.Deep: deep}, settings)
			b.escalate(TaskRequest{})
			done := b.expect(TaskDone, "")
			asked := map[model.Lane]*script{model.Fast: fast, model.Deep: deep}[c.lane].askedFor(judged.holds)
			if !strings.HasSuffix(done.Review, ": fine") || len(asked) == 0 || c.want != "" && !strings.Contains(asked[0].Instructions+fmt.Sprint(asked[0].Input), c.want) {
				t.Errorf("%v: %q, %d requests of %s", c.agents, done.Review, len(asked), c.lane)
			}
			for _, call := range done.Calls {
				if call.Step != -1 {
					t.Errorf("%+v is of a step", call)
				}
			}
			if c.lane == model.Deep && len(done.Calls) != 1 {
				t.Errorf("%d looks", len(done.Calls))
			}
		})
	}
}

// TestDearPlanIsShown: a plan that is expected to cost more than was agreed to is shown as a
// plan, not asked about as a price.
func TestDearPlanIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var plan strings.Builder
		for i := range 20 {
			fmt.Fprintf(&plan, "%d. [DEEP] make %d | write: new%d.go\n", i+1, i, i)
		}
		deep := answers(turn{"", plan.String()})
		deep.price = 10
		settings := quiet()
		settings.ConfirmUSD = 0.0001
		b := newTaskBench(t, lanes{model.Deep: deep}, settings)
		id := b.escalate(TaskRequest{}).ID
		asked := b.expect(TaskWaiting, "Resume it to start").Estimate
		if _, err := b.engine.Tasks.Resume(b.session.Snapshot(), id); err != nil {
			t.Fatal(err)
		}
		if got := b.expect(TaskPlanned, ""); got.Estimate.USD <= asked.USD || len(got.Steps) != 20 {
			t.Errorf("%+v after %+v", got.Estimate, asked)
		}
	})
}
