package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist"
	"tandem/model/assist/ask"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/task"
	"tandem/workspace"
	"tandem/workspace/state"
)

// A listing has tasks, and accepts every escalation.
type listing struct {
	Tasks
	list      []task.Task
	cancelled chan string
}

func (l *listing) List(*workspace.Snapshot) []task.Task { return l.list }
func (l *listing) Cancel(id string) error               { l.cancelled <- id; return nil }
func (l *listing) Escalate(*workspace.Snapshot, task.Request) (task.Task, error) {
	return task.Task{Record: state.Task{ID: "t1", Title: "rename", State: task.Queued}}, nil
}

// TestTaskOnTheWire: what of a task a client gets, inert in every field, with numbers from 1.
func TestTaskOnTheWire(t *testing.T) {
	const hostile = "a\x1b[31m\u202eb"
	whole := task.Task{ProposalID: "p1", Record: state.Task{
		ID: "t1", Title: hostile, State: task.Waiting, Error: hostile, Review: hostile,
		PromptTokens: 7, CostUSD: 0.5, FastUSD: 0.25, Ms: 9, Resolved: "accepted", EstimateTokens: 1, EstimateUSD: 2,
		Steps: []state.Step{
			{Lane: hostile, Title: hostile, Done: hostile, Reads: []string{hostile}, Writes: []string{"planned.go"}, State: task.Done, Result: []state.Change{{Path: hostile}}, Model: "m", CostUSD: 1, Ms: 3, Checks: []string{hostile}},
			{Lane: "fast", Title: "two", Writes: []string{hostile}, After: []int{0}, State: task.Failed, Error: hostile},
		},
		Messages: []state.Message{{From: "user", Kind: "steer", Text: hostile}, {From: "task", Kind: "question", Text: hostile}},
		Calls:    []state.Call{{Step: -1, Tool: hostile, Args: hostile, Tokens: 4, Error: hostile}, {Step: 1, Tool: "file", Args: "a.go"}},
	}}
	bare := task.Task{Record: state.Task{ID: "t2", Title: "bare", State: task.Done, Steps: []state.Step{{Title: "nothing", State: task.Done}}}}
	unfinished := task.Task{Record: state.Task{ID: "t3", State: task.Running, Steps: []state.Step{{State: task.Running, Result: []state.Change{{Path: "a.go"}}}}}}
	tasks := &listing{list: []task.Task{whole, bare, unfinished}}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { tasks.Tasks = use.Tasks; use.Tasks = tasks })
	o.initialize(fullClient(), t.TempDir())
	raw, err := o.call("tandem/tasks", object{})
	if err != nil {
		t.Fatal(err)
	}
	clean := "ab" // each hostile text
	var got struct{ Tasks []json.RawMessage }
	if err := json.Unmarshal(raw, &got); err != nil || len(got.Tasks) != 3 {
		t.Fatalf("%s: %v", raw, err)
	}
	if bytes.ContainsAny(raw, "\x1b\u202e") || strings.Contains(string(raw), `\u001b`) || strings.Contains(string(raw), `\u202e`) {
		t.Errorf("what hides text is in %s", raw)
	}
	inertly := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(string(b), "HOSTILE", clean)
	}
	want := []any{
		object{"id": "t1", "title": "HOSTILE", "state": "waiting", "plan": "1. [A[31MB] HOSTILE | read: HOSTILE | write: planned.go | done: HOSTILE\n2. [FAST] two | write: HOSTILE | after: 1\n", "question": "HOSTILE", "error": "HOSTILE", "review": "HOSTILE", "tokens": 7, "costUSD": 0.5, "fastUSD": 0.25, "ms": 9,
			"proposalId": "p1", "resolved": "accepted", "hasResult": true, "estimate": object{"tokens": 1, "costUSD": 2},
			"steps": []object{
				{"title": "HOSTILE", "lane": "HOSTILE", "state": "done", "files": []string{"HOSTILE"}, "reads": []string{"HOSTILE"}, "done": "HOSTILE", "model": "m", "costUSD": 1, "ms": 3, "checks": []string{"HOSTILE"}},
				{"title": "two", "lane": "fast", "state": "failed", "files": []string{"HOSTILE"}, "after": []int{1}, "costUSD": 0, "error": "HOSTILE"}},
			"messages": []object{{"from": "user", "kind": "steer", "text": "HOSTILE"}, {"from": "task", "kind": "question", "text": "HOSTILE"}},
			"calls":    []object{{"step": 0, "tool": "HOSTILE", "args": "HOSTILE", "tokens": 4, "error": "HOSTILE"}, {"step": 2, "tool": "file", "args": "a.go", "tokens": 0}}},
		object{"id": "t2", "title": "bare", "state": "done", "plan": "1. [] nothing\n", "costUSD": 0, "steps": []object{{"title": "nothing", "lane": "", "state": "done", "files": []string{}, "costUSD": 0}}},
		object{"id": "t3", "title": "", "state": "running", "plan": "1. [] \n", "costUSD": 0, "steps": []object{{"title": "", "lane": "", "state": "running", "files": []string{}, "costUSD": 0}}},
	}
	for i, w := range want {
		var sent any
		if err := json.Unmarshal(got.Tasks[i], &sent); err != nil {
			t.Fatal(err)
		}
		if a, b := strings.ReplaceAll(inertly(sent), inertText(t, hostile), clean), inertly(w); a != b {
			t.Errorf("task %d is sent as\n%s, want\n%s", i+1, a, b)
		}
	}
	if raw, err := o.call("workspace/executeCommand", object{"command": "tandem.tasks"}); err != nil || !strings.Contains(string(raw), `"t2"`) {
		t.Errorf("%s, %v", raw, err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if shown := o.contentOf["tandem:/tasks.txt"]; !strings.Contains(shown, "t2  done         bare\n") || strings.Count(shown, "\n") != 3 {
		t.Errorf("a client without a view of tasks is shown %q", shown)
	}
}

// inertText is what the server makes of a hostile text: asked of a title alone, so that
// every other field has to agree with it.
func inertText(t *testing.T, text string) string {
	t.Helper()
	b, err := json.Marshal(noteOfTask(task.Task{Record: state.Task{Title: text}}).Title)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Trim(string(b), `"`)
}

// TestTaskProgress: a client without a view of tasks sees the steps of the task that it
// started as a progress, which ends with the task; cancelling the progress cancels it.
func TestTaskProgress(t *testing.T) {
	tasks := &listing{cancelled: make(chan string, 1)}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { tasks.Tasks = use.Tasks; use.Tasks = tasks })
	o.initialize(fullClient(), t.TempDir())
	escalate := func() {
		t.Helper()
		if _, err := o.call("workspace/executeCommand", object{"command": "tandem.escalate", "arguments": []object{{"instruction": "rename"}}}); err != nil {
			t.Fatal(err)
		}
	}
	steps := func(states ...string) core.Event {
		now := task.Task{Record: state.Task{ID: "t1", Title: "rename", State: task.Running}}
		for i, s := range states {
			now.Record.Steps = append(now.Record.Steps, state.Step{Title: []string{"one", "two", "three"}[i], State: s})
		}
		return &now
	}
	shown := func(text string) func(json.RawMessage) bool {
		return func(raw json.RawMessage) bool { return strings.Contains(string(raw), text) }
	}
	escalate()
	token := func(raw json.RawMessage) (out json.RawMessage) {
		var p struct{ Token json.RawMessage }
		if err := json.Unmarshal(raw, &p); err != nil {
			t.Fatal(err)
		}
		return p.Token
	}
	o.until("$/progress", shown(`"title":"tandem: rename"`))
	for _, c := range []struct {
		event core.Event
		want  string
	}{
		{steps(), `"message":"running"`},
		{steps(task.Running, task.Queued), `"message":"step 1 of 2: one"`},
		{steps(task.Done, task.Running, task.Running), `"message":"step 2 of 3: two, and 1 more at once (1 done)"`},
		{&task.Task{Record: state.Task{ID: "t1", State: task.Done}}, `"kind":"end","message":"done"`},
	} {
		o.setup.OnEngine(c.event)
		o.until("$/progress", shown(c.want))
	}
	escalate()
	raw := o.until("$/progress", func(raw json.RawMessage) bool {
		return strings.Contains(string(raw), `"kind":"begin"`) && !strings.Contains(string(raw), string(token(o.until("$/progress", shown(`"kind":"begin"`)))))
	})
	o.notify("window/workDoneProgress/cancel", object{"token": token(raw)})
	select {
	case id := <-tasks.cancelled:
		if id != "t1" {
			t.Errorf("task %q was cancelled", id)
		}
	case <-time.After(time.Minute):
		t.Fatal("nothing was cancelled")
	}
	o.until("$/progress", shown(`"kind":"end","message":"stopped"`))
}

// A fixing editor has quick fixes, proposals that wait, and next edits everywhere.
type fixing struct {
	Editor
	fixes []edit.QuickFix
	live  []*edit.Proposal
}

// An everywhere is the proposal of all places, or nil.
type everywhere struct {
	NextEdits
	proposal *edit.Proposal
}

func (f *fixing) QuickFixes(*workspace.Snapshot, string, edits.Span) []edit.QuickFix {
	return f.fixes
}
func (f *fixing) Live(string) []*edit.Proposal { return f.live }
func (f *everywhere) NextEverywhere(context.Context, *workspace.Snapshot, core.Place, int) (*edit.Proposal, error) {
	if f.proposal == nil {
		return nil, errors.New("You have changed nothing that could be repeated.")
	}
	return f.proposal, nil
}

// actionsAt are the titles of the code actions on the second line of a document.
func (o *observed) actionsAt(diagnostics ...object) (titles []string, raw json.RawMessage) {
	o.t.Helper()
	raw, err := o.call("textDocument/codeAction", object{"textDocument": object{"uri": "untitled:a.go"}, "range": wireRange{position{1, 0}, position{1, 0}}, "context": object{"diagnostics": append([]object{}, diagnostics...)}})
	if err != nil {
		o.t.Fatal(err)
	}
	return titlesIn(o.t, raw), raw
}

func titlesIn(t testing.TB, actions json.RawMessage) (titles []string) {
	t.Helper()
	var list []struct{ Title string }
	if err := json.Unmarshal(actions, &list); err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		titles = append(titles, a.Title)
	}
	return titles
}

// TestQuickFixesInTheMenu: fixes that touch what is reported are in the menu once, with
// their edit; a client that takes commands alone gets none.
func TestQuickFixesInTheMenu(t *testing.T) {
	fix := func(title string, start, end int) edit.QuickFix {
		return edit.QuickFix{Title: title, Finding: edits.Finding{Span: edits.Span{Start: start, End: end}}, Edits: []edits.Edit{{Span: edits.Span{Start: start, End: end}, New: "fixed"}}}
	}
	f := &fixing{fixes: []edit.QuickFix{fix("Fix inside", 11, 13), fix("Fix inside", 11, 13), fix("Fix at the end", 14, 16), fix("Fix at the start", 8, 10), fix("Fix behind", 15, 16), fix("Fix before", 8, 9)}}
	problem := object{"range": wireRange{position{1, 0}, position{1, 4}}, "severity": 1, "message": "undefined: wrng"}
	for _, literals := range []bool{true, false} {
		o := observe(t, deps(t, &cassette{}), func(use *UseCases) { f.Editor = use.Editor; use.Editor = f })
		capabilities := fullClient()
		if !literals {
			capabilities["textDocument"].(object)["codeAction"] = object{}
		}
		o.initialize(capabilities)
		o.open("untitled:a.go", "go", "package a\nwrng more\n")
		o.settled()
		titles, raw := o.actionsAt(problem)
		var got []string
		for _, title := range titles {
			if rest, ok := strings.CutPrefix(title, "Fix "); ok && slices.Contains([]string{"inside", "at the end", "at the start", "behind", "before"}, rest) {
				got = append(got, rest)
			}
		}
		var want []string
		if literals {
			want = []string{"inside", "at the end", "at the start"}
			if !strings.Contains(string(raw), `"newText":"fixed"`) || !strings.Contains(string(raw), "undefined: wrng") {
				t.Errorf("the actions are %s", raw)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("with literals %v: %q, want %q", literals, got, want)
		}
	}
}

// TestProblemsInTheMenu: each problem has an action that fixes it and says which it fixes, and
// the first of each kind one for all of the kind.
func TestProblemsInTheMenu(t *testing.T) {
	o := observe(t, deps(t, &cassette{}), nil)
	o.initialize(fullClient())
	o.open("untitled:a.go", "go", "package a\nwrng wrng more\n")
	problem := func(start, end uint32, message, code string) object {
		return object{"range": wireRange{position{1, start}, position{1, end}}, "severity": 1, "message": message, "source": "compiler", "code": code}
	}
	problems := []object{problem(0, 4, "undefined: wrng", "U"), problem(5, 9, "undefined: wrng", "U"), problem(10, 14, "unused: more", "V")}
	o.settled()
	_, raw := o.actionsAt(problems...)
	var list []struct {
		Title       string
		Diagnostics []struct {
			Range   wireRange
			Message string
		}
		Command struct {
			Command   string
			Arguments []struct {
				URI         string
				Range       wireRange
				Diagnostics []struct{ Message string }
				All         bool
			}
		}
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range list {
		if a.Command.Command != "tandem.fix" || len(a.Command.Arguments) != 1 {
			continue
		}
		line := a.Title
		for _, d := range a.Diagnostics {
			line += fmt.Sprintf(", of %q at %d", d.Message, d.Range.Start.Character)
		}
		arg := a.Command.Arguments[0]
		got = append(got, fmt.Sprintf("%s: %s %d-%d, %d problems, all %v", line, arg.URI, arg.Range.Start.Character, arg.Range.End.Character, len(arg.Diagnostics), arg.All))
	}
	want := []string{
		`Fix with tandem: undefined: wrng, of "undefined: wrng" at 0: untitled:a.go 0-4, 1 problems, all false`,
		`Fix with tandem: all 2 of this kind, of "undefined: wrng" at 0: untitled:a.go 0-9, 2 problems, all true`,
		`Fix with tandem: undefined: wrng, of "undefined: wrng" at 5: untitled:a.go 5-9, 1 problems, all false`,
		`Fix with tandem: unused: more, of "unused: more" at 10: untitled:a.go 10-14, 1 problems, all false`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("offered %s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestResultOfATask: a client without a view of proposals is shown what a task made, asked to ask
// for its lenses, and told how to accept it; one with a view, or with a decided task, is not.
func TestResultOfATask(t *testing.T) {
	for _, c := range []struct {
		proposals bool
		resolved  string
		want      bool
	}{{false, "", true}, {true, "", false}, {false, "accepted", false}} {
		p := pending()
		f := &parting{known: map[string]*edit.Proposal{p.ID: p}}
		o := observe(t, deps(t, &cassette{}), func(use *UseCases) { f.Editor = use.Editor; use.Editor = f })
		capabilities := fullClient()
		capabilities["experimental"] = object{"tandem": object{"proposals": c.proposals}}
		o.initialize(capabilities)
		o.settled()
		o.setup.OnEngine(&task.Task{ProposalID: p.ID, Record: state.Task{ID: "t1", State: task.Done, Resolved: c.resolved}})
		if c.want {
			o.until("window/showMessage", func(raw json.RawMessage) bool { return strings.Contains(string(raw), " is ready ("+p.ID+")") })
		}
		o.settled()
		o.mu.Lock()
		asked := slices.ContainsFunc(o.asked, func(m message) bool { return m.Method == "workspace/codeLens/refresh" })
		shown := false
		for uri, content := range o.contentOf {
			shown = shown || strings.Contains(uri, p.ID+".diff") && content == unified(p)
		}
		o.mu.Unlock()
		if asked != c.want || shown != c.want {
			t.Errorf("%+v: lenses asked for %v, result shown %v", c, asked, shown)
		}
	}
}

// TestProposalsInTheMenu: where a client has no view of proposals, those that wait are accepted,
// shown and rejected in the menu, whether it knows lenses or not: it may hide them.
func TestProposalsInTheMenu(t *testing.T) {
	f := &fixing{live: []*edit.Proposal{{Proposal: edits.Proposal{ID: "p1", Title: "count"}, State: edit.Ready}}}
	for _, c := range []struct{ lenses, proposals, want bool }{{true, true, false}, {true, false, true}, {false, true, false}, {false, false, true}} {
		o := observe(t, deps(t, &cassette{}), func(use *UseCases) { f.Editor = use.Editor; use.Editor = f })
		capabilities := fullClient()
		if !c.lenses {
			delete(capabilities["textDocument"].(object), "codeLens")
		}
		capabilities["experimental"] = object{"tandem": object{"proposals": c.proposals}}
		o.initialize(capabilities)
		o.open("untitled:a.go", "go", "package a\n\n")
		o.settled()
		titles, raw := o.actionsAt()
		if c.want && !strings.HasPrefix(asJSON(t, raw), `[{"command":{"arguments":[{"id":"p1"}],"command":"tandem.accept","title":"Accept: count"},"isPreferred":true,"kind":"quickfix","title":"Accept: count"}`) {
			t.Errorf("the menu is %s", raw)
		}
		if got := slices.Contains(titles, "Accept: count") && slices.Contains(titles, "Show: count") && slices.Contains(titles, "Reject: count"); got != c.want {
			t.Errorf("lenses %v, proposals %v: in the menu %v, want %v: %q", c.lenses, c.proposals, got, c.want, titles)
		}
	}
}

// TestMenuByTriggerAndModel: a lightbulb, which the editor asks for by itself, is for what is to
// be fixed; without a model the menu has nothing that needs one.
func TestMenuByTriggerAndModel(t *testing.T) {
	all := []string{"Edit with tandem…", "Document with tandem", "Write a test with tandem", "Explain with tandem", "Review this file with tandem"}
	fix := []string{"Fix with tandem: undefined: wrng"}
	problem := object{"range": wireRange{position{1, 0}, position{1, 4}}, "severity": 1, "message": "undefined: wrng"}
	for _, c := range []struct {
		state   model.LaneState
		trigger int
		problem bool
		want    []string
	}{
		{model.LaneReady, 0, false, all},
		{model.LaneReady, 1, true, append(slices.Clone(fix), all...)},
		{model.LaneReady, automatic, false, nil},
		{model.LaneReady, automatic, true, fix},
		{model.LaneUnreachable, 1, false, all},
		{model.LaneBuiltIn, 1, true, nil},
		{model.LaneBuiltIn, automatic, true, nil},
	} {
		o := observe(t, deps(t, &cassette{}), func(use *UseCases) {
			use.Engine = &laned{use.Engine, []model.LaneStatus{{Lane: model.Fast, State: c.state}, {Lane: model.Deep, State: model.LaneBuiltIn}}}
		})
		capabilities := fullClient()
		capabilities["experimental"] = object{"tandem": object{"proposals": true}}
		o.initialize(capabilities)
		o.open("untitled:a.go", "go", "package a\nwrng more\n")
		o.settled()
		diagnostics := []object{}
		if c.problem {
			diagnostics = append(diagnostics, problem)
		}
		raw, err := o.call("textDocument/codeAction", object{"textDocument": object{"uri": "untitled:a.go"}, "range": wireRange{position{1, 0}, position{1, 0}}, "context": object{"diagnostics": diagnostics, "triggerKind": c.trigger}})
		if err != nil {
			t.Fatal(err)
		}
		if got := titlesIn(t, raw); !slices.Equal(got, c.want) {
			t.Errorf("%s, trigger %d, a problem %v: %q, want %q", c.state, c.trigger, c.problem, got, c.want)
		}
	}
}

// A laned engine has the lanes of a test.
type laned struct {
	Engine
	lanes []model.LaneStatus
}

func (l *laned) State() assist.State {
	st := l.Engine.State()
	st.Lanes = l.lanes
	return st
}

// TestNextEditEverywhere: the command returns the proposal of all places, or why there is
// none.
func TestNextEditEverywhere(t *testing.T) {
	f := &everywhere{}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { f.NextEdits = use.NextEdits; use.NextEdits = f })
	capabilities := fullClient()
	capabilities["experimental"] = object{"tandem": object{"proposals": true}}
	o.initialize(capabilities)
	o.open("untitled:a.go", "go", "package a\n")
	command := func() (json.RawMessage, error) {
		return o.call("workspace/executeCommand", object{"command": "tandem.nextEditAll", "arguments": []object{{"uri": "untitled:a.go", "range": wireRange{}}}})
	}
	if raw, err := command(); err == nil || !strings.Contains(err.Error(), "could be repeated") {
		t.Errorf("%s, %v", raw, err)
	}
	f.proposal = &edit.Proposal{Proposal: edits.Proposal{ID: "p1", Title: "Everywhere"}, State: edit.Ready}
	raw, err := command()
	var answer struct{ ProposalID, Title string }
	if err != nil || json.Unmarshal(raw, &answer) != nil || answer.ProposalID != "p1" || answer.Title != "Everywhere" {
		t.Errorf("%s, %v", raw, err)
	}
}

// TestNamesArePrintable: what a client sends as a method's name stands in the error without
// control characters.
func TestNamesArePrintable(t *testing.T) {
	e := start(t, deps(t, &cassette{}))
	e.initialize(fullClient())
	_, err := e.call("a b\x1fc\x7fd\u0080e\u009ff\u00a0~"+strings.Repeat("z", 100), nil)
	if err == nil || !strings.Contains(err.Error(), `"a b?c?d?e?f\u00a0~`) || strings.Contains(err.Error(), strings.Repeat("z", 80)) {
		t.Errorf("the error is %v", err)
	}
}

// TestDocumentGrowsTooLarge: a document is served up to the largest size, and left alone
// beyond it.
func TestDocumentGrowsTooLarge(t *testing.T) {
	o := observe(t, deps(t, &cassette{}), nil)
	o.initialize(fullClient())
	line := "0123456789abcde\n"
	o.open("untitled:a.go", "go", strings.Repeat(line, maxDocument/len(line)-1))
	at := wireRange{}
	o.change("untitled:a.go", at, line)
	o.settled()
	if d, open := o.session.Snapshot().Overlay("untitled:a.go"); !open || d.Text.Len() != maxDocument {
		t.Error("a document of the largest size is not served")
	}
	o.change("untitled:a.go", at, "x")
	o.until("window/showMessage", func(raw json.RawMessage) bool { return strings.Contains(string(raw), "leaves this one alone") })
	if _, open := o.session.Snapshot().Overlay("untitled:a.go"); open {
		t.Error("one that is larger is served")
	}
}

// TestFindingsFollowTyping: findings of a review move with the text, and one whose lines are
// changed is dropped; whole lines around it leave it.
func TestFindingsFollowTyping(t *testing.T) {
	const text = "one\ntwo\nthree\n"
	for _, c := range []struct {
		name       string
		start, end int
		new        string
		want       int // where the finding on two begins; -1 is dropped
	}{
		{"a line above", 0, 0, "zero\n", 9},
		{"the line above it removed", 0, 4, "", -1},
		{"a line removed farther above", 0, 3, "", 1},
		{"inside", 5, 5, "x", -1},
		{"a part removed", 5, 6, "", -1},
		{"at its end", 7, 7, "x", -1},
		{"a line after it", 7, 7, "\nx", 4},
		{"a line after it, CRLF", 7, 7, "\r\nx", 4},
		{"directly before it", 4, 4, "x", -1},
		{"a line directly before it", 4, 4, "x\n", 6},
		{"below", 8, 8, "x", 4},
		{"the line break after it removed", 7, 8, "", -1},
	} {
		var f findings
		f.set("u", []ask.ReviewFinding{{Span: edits.Span{Start: 4, End: 7}}})
		steps, err := workspace.Steps(edits.NewText(text), edits.Edit{Span: edits.Span{Start: c.start, End: c.end}, New: c.new})
		if err != nil {
			t.Fatal(err)
		}
		left, dropped := f.follow("u", steps)
		got := -1
		if len(left) == 1 {
			got = left[0].Span.Start
			if left[0].Span.Len() != 3 {
				t.Errorf("%s: it is %d bytes long", c.name, left[0].Span.Len())
			}
		}
		if got != c.want || dropped != (c.want < 0) {
			t.Errorf("%s: the finding is at %d, dropped %v, want %d", c.name, got, dropped, c.want)
		}
		if _, again := f.follow("u", steps); c.want < 0 && again {
			t.Errorf("%s: it is dropped twice", c.name)
		}
	}
}
