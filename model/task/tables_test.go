package task

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/assist/prompt"
	"tandem/workspace/redact"
	"tandem/workspace/state"
)

// TestRefusedPaths: which files a model's answer may not write, and why.
func TestRefusedPaths(t *testing.T) {
	b := newBench(t, lanes{}, assisttest.Source, map[string]string{".gitignore": "secret.go\n", "secret.go": "package main\n", ".github/workflows/ci.yml": "on: push\n", "b.go": "package main\n"})
	snap := b.Session.Snapshot()
	for _, c := range []struct {
		path, named string
		want        edits.Code
	}{
		{"b.go", "", ""}, {"new.go", "", ""}, {".github/workflows/ci.yml", "", ""}, {"secret.go", "secret.go", ""},
		{"secret.go", "", edits.CodeProtected}, {"../x.go", "", edits.CodeOutside}, {"/etc/passwd", "", edits.CodeOutside},
	} {
		if code, why := edit.Refuse(snap, c.path, c.named); code != c.want || (why == "") != (c.want == "") {
			t.Errorf("%s, named %q: %q %q", c.path, c.named, code, why)
		}
	}
	run := b.engine.Tasks.newRun(snap, Request{Place: core.Place{URI: b.URI}})
	run.rec.Steps = []state.Step{{State: Done}}
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
	}{{"b.go", false, false}, {"made.go", false, false}, {"../x.go", true, true}, {"/etc/passwd", true, true}, {"secret.go", true, true}, {".github/workflows/ci.yml", false, false}} {
		if read, write := files.Refuse(c.name, false) != "", files.Refuse(c.name, true) != ""; read != c.read || write != c.write {
			t.Errorf("%s: reading is refused %v, writing %v", c.name, read, write)
		}
	}
}

// TestFormatOfAStep: a step that writes other than one file that is there is answered in a
// format that names files.
func TestFormatOfAStep(t *testing.T) {
	deep := replies("x")
	deep.Format = string(edits.FormatRewrite)
	b := newTaskBench(t, lanes{model.Deep: deep}, quiet())
	r := stepRunner{b.engine.Tasks.costs(), b.engine.Tasks.asker(), &level{}}
	snap := b.Session.Snapshot()
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
		q := prompt.Question{Lane: c.lane, Config: c.config}
		r.chooseFormat(&q, snap, state.Step{Writes: c.writes})
		got := ""
		if q.Config != nil {
			got = q.Config.EditFormat
		}
		if got != c.want {
			t.Errorf("%s writes %q: %q, want %q", c.lane, c.writes, got, c.want)
		}
	}
	if rewriting.EditFormat != string(edits.FormatRewrite) {
		t.Error("the configuration of an agent was changed")
	}
	most := b.engine.Tasks.prompts.Budget(model.KindStep.Window())
	for _, c := range []struct {
		step state.Step
		lane model.Lane
		want int
	}{
		{state.Step{}, model.Fast, most}, {state.Step{Writes: []string{"none.go"}}, model.Fast, min(most, contextOfStep)}, {state.Step{Writes: []string{"lib/a.go"}}, model.Fast, min(most, contextOfStep+len(libA)/3)},
		{state.Step{Writes: []string{"none.go"}, Reads: []string{"lib/a.go"}}, model.Fast, min(most, contextOfStep+len(libA)/3)}, {state.Step{Writes: []string{"lib/a.go"}}, model.Deep, min(most, contextOfDeepStep+len(libA)/3)},
	} {
		if got := b.engine.Tasks.costs().stepBudget(snap, c.step, attempt{lane: c.lane}); got != c.want {
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
	p := planner{b.engine.Tasks.costs(), b.engine.Tasks.asker()}
	run := b.engine.Tasks.newRun(b.Session.Snapshot(), Request{Instruction: "x"})
	run.rec.Steps = []state.Step{{Title: "done", Lane: Fast, State: Done}}
	for _, c := range []struct{ text, want string }{
		{"1. [FAST] a", ""}, {"1. [FAST] a\n", "done done"}, {"1. [FAST] a\n2. [FAST] b\n3. [FA", "done done, b queued"}, {"1. [FAST] a\n2. [FAST] b\n3. [FAST] c\n4. [FAST] d\n", "done done, b queued, c queued"},
	} {
		b.Mu.Lock()
		b.Events = nil
		b.Mu.Unlock()
		p.showPartialPlan(run, c.text)
		var got []string
		b.Mu.Lock()
		for _, e := range b.Events {
			for _, s := range e.(*Task).Record.Steps {
				got = append(got, s.Title+" "+s.State)
			}
		}
		b.Mu.Unlock()
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%q shows %q, want %q", c.text, got, c.want)
		}
	}
	for steps, want := range map[int]bool{0: false, 2: false, 3: true} {
		if got := b.engine.Tasks.worker().shows(state.Task{Steps: make([]state.Step, steps)}); got != want {
			t.Errorf("a plan of %d steps is shown: %v", steps, got)
		}
	}
	if !b.engine.Tasks.worker().shows(state.Task{Error: "x"}) || !b.engine.Tasks.worker().shows(state.Task{Hold: true}) {
		t.Error("a plan that cannot be run, or was edited, is not shown")
	}
}

// TestMessagesToATask: what each message changes in a task's record.
func TestMessagesToATask(t *testing.T) {
	b := newTaskBench(t, lanes{model.Deep: replies("x")}, quiet())
	w := b.engine.Tasks.worker()
	step := func(s string) state.Step { return state.Step{Title: "a", Lane: Fast, State: s} }
	for _, c := range []struct {
		name     string
		steps    []state.Step
		approved bool
		message  taskMessage
		replan   bool
	}{
		{"no plan", nil, false, taskMessage{kind: steerMessage, text: "x"}, false},
		{"one step to come, agreed", []state.Step{step(Done), step(Queued)}, true, taskMessage{kind: steerMessage, text: "x"}, false},
		{"one step to come, not agreed", []state.Step{step(Queued)}, false, taskMessage{kind: steerMessage, text: "x"}, true},
		{"two to come", []state.Step{step(Queued), step(Running)}, true, taskMessage{kind: steerMessage, text: "x"}, true},
		{"two, apart", []state.Step{step(Queued), step(Done), step(Queued)}, true, taskMessage{kind: steerMessage, text: "x"}, true},
		{"none", []state.Step{step(Done), step(Failed)}, true, taskMessage{kind: steerMessage, text: "x"}, true},
	} {
		run := b.engine.Tasks.newRun(b.Session.Snapshot(), Request{Instruction: "i"})
		run.rec.Steps, run.rec.Approved, run.rec.Resolved, run.rec.Error = c.steps, c.approved, "accepted", "old"
		run.mail.inbox = []taskMessage{c.message}
		w.readMessages(run)
		rec := run.record()
		if rec.Replan != c.replan || rec.Resolved != "" || rec.Error != "" || len(rec.Messages) != 1 || rec.Messages[0].Text != "x" || rec.Messages[0].From != "user" || rec.Messages[0].Kind != "steer" || len(run.mail.inbox) != 0 {
			t.Errorf("%s: %+v", c.name, rec)
		}
	}
	run := b.engine.Tasks.newRun(b.Session.Snapshot(), Request{})
	run.rec.EstimateUSD, run.rec.Hold = 3, true
	run.mail.inbox = []taskMessage{{kind: resumeMessage}}
	w.readMessages(run)
	if rec := run.record(); rec.AgreedUSD != 3 || rec.Approved || !rec.Hold {
		t.Errorf("agreed to a price: %+v", rec)
	}
	run.rec.Steps, run.rec.AgreedUSD = []state.Step{step(Queued)}, 5
	run.mail.inbox = []taskMessage{{kind: resumeMessage}}
	w.readMessages(run)
	if rec := run.record(); rec.AgreedUSD != 5 || !rec.Approved || rec.Hold {
		t.Errorf("agreed to a plan: %+v", rec)
	}
	run.rec.Approved, run.rec.Error = false, "it cannot be run"
	run.mail.inbox = []taskMessage{{kind: resumeMessage}}
	if w.readMessages(run); run.record().Approved {
		t.Error("a plan that cannot be run is agreed to")
	}
	run.mail.inbox = []taskMessage{{kind: planMessage, text: "1. [DEEP] b | write: main.go"}}
	w.readMessages(run)
	if rec := run.record(); rec.State != Planned || rec.Approved || !rec.Hold || rec.Error != "" || len(rec.Steps) != 1 || rec.Steps[0].Title != "b" || rec.EstimateTokens == 0 {
		t.Errorf("an edited plan: %+v", rec)
	}
}

// TestFiguresOfATask: what is added up of a task, how failures are named, and what is refused.
func TestFiguresOfATask(t *testing.T) {
	b := newBench(t, lanes{}, assisttest.Source, nil)
	run := b.engine.Tasks.newRun(b.Session.Snapshot(), Request{})
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
	steps := []state.Step{{Title: "a", State: Failed, Error: "x"}, {Title: "b", State: Done}, {Title: "c", State: Failed, Error: "y"}}
	if got := failedSteps(steps); got != "step 1 (a): x; step 3 (c): y" {
		t.Error(got)
	}
	for s, want := range map[string]bool{Done: false, Failed: false, Queued: true, Running: true, Interrupted: true} {
		if pending(state.Step{State: s}) != want {
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
	changed := []edits.FileChange{{}}
	check := edits.Check{Kind: edits.CheckNames, Findings: []edits.Finding{finding("a", "error"), finding("a", "error"), finding("hint", "hint"), finding("b", "error")}}
	if err := errorsIn(changed, []edits.Check{{Kind: edits.CheckSyntax}, check}); err == nil || err.Error() != "a b" {
		t.Errorf("%v", err)
	}
	check.Kind = edits.CheckSyntax
	if err := errorsIn(changed, []edits.Check{check}); err == nil || err.Error() != "a b" {
		t.Errorf("%v", err)
	}
	check.Findings = nil
	for i := range 7 {
		check.Findings = append(check.Findings, finding(fmt.Sprint(i), "error"))
	}
	if err := errorsIn(changed, []edits.Check{check}); err == nil || err.Error() != "0 1 2 3 4 5" {
		t.Errorf("%v", err)
	}
	if errorsIn(nil, []edits.Check{check}) != nil {
		t.Error("nothing is wrong")
	}
	if checkFiles(state.Step{}, []edits.FileChange{{Path: "x"}}) != nil || checkFiles(state.Step{Writes: []string{"x"}}, []edits.FileChange{{Path: "x"}}) != nil || checkFiles(state.Step{Writes: []string{"x"}}, []edits.FileChange{{Path: "x"}, {Path: "y"}}) == nil {
		t.Error("a step keeps to its files, or does not")
	}
	at := time.Now()
	said := state.Task{Messages: []state.Message{{Kind: "question", Text: "old?", Time: at}, {Kind: "question", Text: "which?", Time: at.Add(1)}, {Kind: "answer", Text: "both", Time: at.Add(2)}, {Kind: "notice", Text: "no"}, {Kind: "steer", Text: "more"}}}
	if got := steers(&redact.Redactor{}, said).String(); got != "\n\nThe user added since; where these differ, the last holds:\n- (answer to \"which?\") both\n- more\n" {
		t.Errorf("%q", got)
	}
	if none := steers(&redact.Redactor{}, state.Task{}); none.String() != "" {
		t.Errorf("%q", none)
	}
	plan := planWithStates(&redact.Redactor{}, []state.Step{{Lane: Fast, Title: "a", State: Done}, {Lane: Deep, Title: "b", State: Failed}, {Lane: Fast, Title: "c", State: Running}, {Lane: Fast, Title: "d"}})
	if want := "1. [FAST] a (done, its edits are in the files shown)\n2. [DEEP] b (failed)\n3. [FAST] c (under way)\n4. [FAST] d (to do)\n"; plan.String() != want {
		t.Errorf("%q", plan)
	}
}

// TestRunsTakeMessages: a run takes messages and answers while it goes on, and none afterwards.
func TestRunsTakeMessages(t *testing.T) {
	b := newBench(t, lanes{}, assisttest.Source, nil)
	snap := b.Session.Snapshot()
	run := b.engine.Tasks.newRun(snap, Request{Confirmed: true, Place: core.Place{Offset: 3}, Span: edits.Span{Start: 4, End: 6}})
	if run.rec.AgreedUSD != agreedToAll || run.rec.Start != 4 || run.rec.End != 6 || run.rec.Root != snap.Views()[0].Root {
		t.Errorf("%+v", run.rec)
	}
	if at := b.engine.Tasks.newRun(snap, Request{Place: core.Place{Offset: 3}}); at.rec.Start != 3 || at.rec.End != 3 || at.rec.AgreedUSD != 0 {
		t.Errorf("%+v", at.rec)
	}
	phase, over := run.mail.phase(t.Context())
	if !run.mail.post(taskMessage{kind: steerMessage, text: "x"}) || context.Cause(phase) != errSteered || run.mail.wait(t.Context()) != nil {
		t.Error("a message does not end the phase")
	}
	over()
	if run.mail.finish() {
		t.Error("a run ends with a message that was not read")
	}
	second, over := run.mail.phase(t.Context())
	if context.Cause(second) != errSteered {
		t.Error("a phase begins with a message that was not read")
	}
	over()
	if got := run.mail.take(); len(got) != 1 || got[0].text != "x" || len(run.mail.take()) != 0 {
		t.Errorf("%v", got)
	}
	third, over := run.mail.phase(t.Context())
	over()
	if third.Err() == nil {
		t.Error("a phase does not end")
	}
	run.mail.open = true
	if !run.mail.asks() || !run.mail.post(taskMessage{kind: steerMessage, text: "an answer"}) || (<-run.mail.answer).text != "an answer" || run.mail.asks() || len(run.mail.inbox) != 0 {
		t.Error("an answer is taken for a message")
	}
	run.mail.open = true
	if !run.mail.post(taskMessage{kind: resumeMessage, text: ""}) || len(run.mail.inbox) != 1 || !run.mail.asks() {
		t.Error("a message is taken for an answer")
	}
	run.mail.take()
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if run.mail.wait(stopped) == nil {
		t.Error("a run that was stopped waits")
	}
	if !run.mail.cancel() || run.mail.post(taskMessage{kind: steerMessage, text: "x"}) || !run.mail.finish() || run.mail.cancel() || run.mail.post(taskMessage{kind: steerMessage, text: "x"}) {
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
	run.rec.Steps = []state.Step{{State: Done, Order: 2}, {State: Failed, Order: 1}, {State: Done, Order: 1}}
	run.results = map[int][]edits.FileChange{0: changes("a", "late"), 1: changes("b", "failed"), 2: changes("c", "early")}
	var order []string
	for _, list := range run.inOrder() {
		order = append(order, list[0].Path)
	}
	if texts := run.texts(); !slices.Equal(order, []string{"c", "a"}) || len(texts) != 2 || texts["a"].String() != "late" {
		t.Errorf("in order %q, %v", order, texts)
	}
}

// TestEstimateOfAnInstruction: what a small edit asks for needs less context for its plan.
func TestEstimateOfAnInstruction(t *testing.T) {
	deep := replies("x")
	b := newTaskBench(t, lanes{model.Fast: replies("x"), model.Deep: deep}, quiet())
	b.engine.Tasks.prompts.Budget = func(string) int { return 50_000 }
	costs := b.engine.Tasks.costs()
	small := b.engine.Tasks.EstimateTask(Request{Instruction: "rename x"})
	if got, want := small.Tokens, smallPlan+usualInstructions+usualPlan+usualSteps*(25_000+usualInstructions+usualAnswer); got != want {
		t.Errorf("%d tokens, want %d", got, want)
	}
	run := b.engine.Tasks.newRun(b.Session.Snapshot(), Request{Instruction: "x"})
	run.rec.Steps = []state.Step{{Lane: Fast, State: Done, Writes: []string{"main.go"}}, {Lane: Fast, Writes: []string{"none.go"}}}
	if got, want := costs.estimate(run.req, run.snap, run.rec.Steps).Tokens, contextOfStep+usualInstructions+usualAnswer; got != want {
		t.Errorf("%d tokens are left, want %d", got, want)
	}
	run.rec.PromptTokens, run.rec.OutputTokens, run.rec.CostUSD = 10, 5, 1
	if costs.price(run); run.rec.EstimateTokens != contextOfStep+usualInstructions+usualAnswer+15 || run.rec.EstimateUSD != 1 {
		t.Errorf("the estimate is %d, $%v", run.rec.EstimateTokens, run.rec.EstimateUSD)
	}
	limit := quiet()
	b.engine.Tasks.deps.Settings = func() Settings { return limit }
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
	req := &model.Request{Input: []model.Message{{Role: "user", Text: redact.Said(strings.Repeat("word ", 1000))}}}
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
			b.escalate(Request{})
			done := b.expect(Done, "")
			asked := map[model.Lane]*script{model.Fast: fast, model.Deep: deep}[c.lane].AskedFor(judged.holds)
			if !strings.HasSuffix(done.Record.Review, ": fine") || len(asked) == 0 || c.want != "" && !strings.Contains(asked[0].Instructions.String()+fmt.Sprint(asked[0].Input), c.want) {
				t.Errorf("%v: %q, %d requests of %s", c.agents, done.Record.Review, len(asked), c.lane)
			}
			for _, call := range done.Record.Calls {
				if call.Step != -1 {
					t.Errorf("%+v is of a step", call)
				}
			}
			if c.lane == model.Deep && len(done.Record.Calls) != 1 {
				t.Errorf("%d looks", len(done.Record.Calls))
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
		deep.Price = 10
		settings := quiet()
		settings.ConfirmUSD = 0.0001
		b := newTaskBench(t, lanes{model.Deep: deep}, settings)
		id := b.escalate(Request{}).Record.ID
		asked := b.expect(Waiting, "Resume it to start").Record.EstimateUSD
		if _, err := b.engine.Tasks.Resume(b.Session.Snapshot(), id); err != nil {
			t.Fatal(err)
		}
		if got := b.expect(Planned, ""); got.Record.EstimateUSD <= asked || len(got.Record.Steps) != 20 {
			t.Errorf("%+v after %+v", got.Record.EstimateUSD, asked)
		}
	})
}
