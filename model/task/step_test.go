package task

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
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/model/assist/prompt"
	"tandem/workspace"
	"tandem/workspace/redact"
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
		state    string
		step     string
		ms       int64
		checks   int
	}{
		{"the server fails", &model.Error{Code: model.CodeServer, Message: "broke"}, 3, Interrupted, Queued, 2000, 1},
		{"the model refuses", &model.Error{Code: model.CodeRefused, Message: "broke"}, 3, Failed, Failed, 2000, 1},
		{"the answer is no edit", nil, 3, Failed, Failed, 2000, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			deep := &script{First: time.Second, Answer: func(req *model.Request) ([]string, error) {
				if strings.Contains(assisttest.LastOf(req), "Do step 1 now") {
					return []string{"no edit"}, c.err
				}
				return []string{planAlpha}, nil
			}}
			b := newTaskBench(t, lanes{model.Deep: deep}, quiet())
			b.escalate(Request{})
			got := b.expect(c.state, "")
			one := got.Record.Steps[0]
			if len(deep.Requests()) != c.requests || one.State != c.step || one.Ms != c.ms || len(one.Checks) != c.checks || got.Record.Ms != 1000+c.ms {
				t.Errorf("%s: %d requests, %+v, %d ms in all", c.name, len(deep.Requests()), one, got.Record.Ms)
			}
		})
	}
}

// TestAStepThatIsCutIsAskedAgain: the model gets what it has written so far, and what comes of the
// next attempt is the step's; a whole block that came before the cut is no result.
func TestAStepThatIsCutIsAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const half = "main.go\n<<<<<<< SEARCH\nfunc one() int {\n\treturn 1\n}\n=======\n>>>>>>> REPLACE\n"
		deep := &script{}
		deep.Answer = func(req *model.Request) ([]string, error) {
			deep.End = model.End{}
			switch last := assisttest.LastOf(req); {
			case !strings.Contains(last, "Do step 1 now"):
				return []string{planAlpha}, nil
			case len(deep.AskedFor("Do step 1 now")) == 1:
				deep.End = model.Ended(model.WhyLength, "length")
				return []string{half}, nil
			}
			return []string{alpha11.answer}, nil
		}
		b := newTaskBench(t, lanes{model.Deep: deep}, quiet())
		b.escalate(Request{})
		got := b.expect(Done, "").Record.Steps[0]
		asked := deep.AskedFor("Do step 1 now")
		if len(asked) != 2 || len(got.Result) != 1 || len(got.Checks) != 1 || !strings.Contains(got.Checks[0], "stopped at its limit of tokens") {
			t.Fatalf("%d requests, %+v", len(asked), got)
		}
		before := asked[1].Input[len(asked[1].Input)-3 : len(asked[1].Input)-1]
		if before[0].Text.String() != half || !strings.Contains(before[1].Text.String(), "cut off there") {
			t.Errorf("asked again after %q", before)
		}
	})
}

// TestPartOfAStepIsKept: what had come of an answer before the task stopped is given back to the
// model, and so is an answer that cannot be used.
func TestPartOfAStepIsKept(t *testing.T) {
	deep := replies("no edit")
	b := newTaskBench(t, lanes{model.Deep: deep}, quiet())
	run := b.engine.Tasks.newRun(b.Session.Snapshot(), Request{Instruction: "x"})
	run.rec.Steps = []state.Step{{Title: "make alpha", Lane: Deep, Writes: []string{"main.go"}, Partial: "half of it", State: Running}}
	if err := (stepRunner{b.engine.Tasks.costs(), b.engine.Tasks.asker(), &level{running: 1}}).step(t.Context(), run, 0); err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, req := range deep.Requests() {
		for _, m := range req.Input {
			if m.Role == "assistant" {
				said = append(said, m.Text.String())
			}
		}
	}
	if want := []string{"half of it", "half of it", "no edit"}; !slices.Equal(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
	if got := run.record().Steps[0]; got.Partial != "" || got.State != Failed || got.Error == "" {
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
	session, err := workspace.Open(t.Context(), workspace.Options{Folders: []string{b.Root}, Trusted: true, ClientWatches: true, Group: group})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	ready, unready := b.Session.Snapshot(), session.Snapshot()
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
		b.engine.Tasks.deps.Indexed = func(context.Context) *workspace.Snapshot { asked++; return c.indexed }
		if c.none {
			b.engine.Tasks.deps.Indexed = nil
		}
		run := b.engine.Tasks.newRun(c.snap, Request{})
		for i := range c.results {
			run.results[i] = []edits.FileChange{{Path: "main.go"}}
		}
		if b.engine.Tasks.worker().awaitIndex(t.Context(), run); run.snap != c.want || asked != c.asked {
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
		deep := &script{Tools: true}
		deep.Answer = func(*model.Request) ([]string, error) {
			if len(deep.Asked) == 1 && c.err != nil {
				return nil, c.err
			}
			return []string{"fine"}, nil
		}
		b := newBench(t, lanes{model.Deep: deep}, assisttest.Source, nil)
		tasks := b.engine.Tasks
		run := b.engine.Tasks.newRun(b.Session.Snapshot(), Request{})
		ask, err := tasks.prompts.Prompt(t.Context(), run.snap, prompt.Question{Kind: model.KindPlan, Lane: model.Deep, Request: redact.Said("x")})
		if err != nil {
			t.Fatal(err)
		}
		d := &conversation{asker: tasks.asker(), box: &toolbox{costs: tasks.costs(), run: run, tools: taskTools, step: -1, snap: run.snap, ask: ask, seen: map[string]bool{}}, lane: model.Deep, cfg: tasks.costs().deepConfig(), first: ask.Request}
		for i := range c.seen {
			d.box.seen[fmt.Sprint(i)] = true
		}
		answer, err := d.answer(t.Context(), c.how)
		if n := len(deep.Requests()); n != c.requests || (answer == model.Answer(model.Whole{Text: "fine"})) != (c.requests == 2 || c.err == nil) || tasks.refusals.has(d.cfg.Name) != c.refuses {
			t.Errorf("%s: %d requests, %q, %v", c.name, n, answer, err)
		}
	}
}

// TestSelectionOfATask: a selection goes before the cursor.
func TestSelectionOfATask(t *testing.T) {
	for _, c := range []struct{ offset, start, end, first, last int }{{3, 0, 0, 3, 3}, {3, 5, 6, 5, 6}, {3, 5, 9, 5, 9}, {0, 4, 4, 0, 0}} {
		req := Request{Place: core.Place{Offset: c.offset}, Span: edits.Span{Start: c.start, End: c.end}}
		if got := req.span(); got.Start != c.first || got.End != c.last {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// TestRequestOfAStep: the whole text that a model gets for a step.
func TestRequestOfAStep(t *testing.T) {
	rec := state.Task{Instruction: "count", Steps: []state.Step{
		{Lane: Fast, Title: "one", State: Done},
		{Lane: Deep, Title: "two", Writes: []string{"a.go", "b.go"}, Done: "it builds"},
		{Lane: Deep, Title: "three"},
	}}
	plan := "count\n\nThe plan:\n" + planWithStates(&redact.Redactor{}, rec.Steps).String()
	for _, c := range []struct {
		step int
		said string
		want string
	}{
		{1, "", "\nThis step changes no other file than a.go, b.go.\nThe step is done when: it builds\nDo step 2 now and nothing else: two"},
		{2, "", "\nDo step 3 now and nothing else: three"},
		{2, "more", "\nDo step 3 now and nothing else: three\n\nThe user added since; where these differ, the last holds:\n- more\n"},
	} {
		rec.Messages = nil
		if c.said != "" {
			rec.Messages = []state.Message{{Kind: "steer", Text: c.said}}
		}
		if got := stepRequest(&redact.Redactor{}, rec, c.step); got.String() != plan+c.want {
			t.Errorf("%q, want %q", got, plan+c.want)
		}
	}
	if got := stepWords(state.Step{Title: "t", Done: "d", Writes: []string{"w"}, Reads: []string{"r", "s"}}); got != "t\nd\nw\nr\ns" {
		t.Errorf("%q", got)
	}
}

// TestPlaceOfAStep: the document that a step's window is about, and where in it.
func TestPlaceOfAStep(t *testing.T) {
	b := newTaskBench(t, lanes{}, quiet())
	snap := b.Session.Snapshot()
	selected := Request{Place: core.Place{URI: b.URI}, Span: edits.Span{Start: 20, End: 30}}
	for _, c := range []struct {
		name    string
		req     Request
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
		{"no document", Request{Span: edits.Span{Start: 20, End: 30}}, nil, false, " 0"},
		{"a file, and no document", Request{Span: edits.Span{Start: 20, End: 30}}, []string{"main.go"}, false, "main.go 0"},
	} {
		run := b.engine.Tasks.newRun(snap, c.req)
		if c.changed {
			run.rec.Steps = []state.Step{{State: Done}}
			run.results[0] = []edits.FileChange{assisttest.ChangeOf("main.go", assisttest.Source, "return 1", "return 11")}
		}
		uri, span := run.placeOf(snap, state.Step{Writes: c.writes})
		name := ""
		if uri != "" {
			name = snap.Name(uri)
		}
		if got := fmt.Sprint(name, " ", span.Start); got != c.want || span.Len() != 0 {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestStepsThatMayStart: those whose predecessors are done, at most eight; who waits for one that
// failed fails.
func TestStepsThatMayStart(t *testing.T) {
	b := newTaskBench(t, lanes{}, quiet())
	w := b.engine.Tasks.worker()
	for _, c := range []struct {
		states string // Done, Failed, Running, Queued, Interrupted
		waits  [][]int
		want   string
	}{
		{"QQ", [][]int{nil, nil}, "[0 1] RR"}, {"QQ", [][]int{nil, {0}}, "[0] RQ"}, {"DQ", [][]int{nil, {0}}, "[1] DR"}, {"FQQ", [][]int{nil, {0}, {1}}, "[] FFF"}, {"QFQ", [][]int{{2}, nil, {1}}, "[] FFF"}, {"RQ", [][]int{nil, {0}}, "[] RQ"},
		{"IDQ", [][]int{nil, nil, {0, 1}}, "[0] RDQ"}, {"RRRRRRRQQ", make([][]int, 9), "[7] RRRRRRRRQ"}, {"QQQQQQQQQ", make([][]int, 9), "[0 1 2 3 4 5 6 7] RRRRRRRRQ"}, {"DFQ", [][]int{nil, nil, {0, 1}}, "[] DFF"},
	} {
		names := map[rune]string{'D': Done, 'F': Failed, 'R': Running, 'Q': Queued, 'I': Interrupted}
		run := b.engine.Tasks.newRun(b.Session.Snapshot(), Request{})
		for _, s := range c.states {
			run.rec.Steps = append(run.rec.Steps, state.Step{State: string(names[s])})
		}
		got := fmt.Sprint(w.ready(run, c.waits), " ")
		for i, s := range run.record().Steps {
			for letter, name := range names {
				if s.State == name {
					got += string(letter)
				}
			}
			if s.State == Failed && c.states[i] != 'F' && !strings.HasPrefix(s.Error, "It waits for step ") {
				t.Errorf("%s: step %d failed: %q", c.states, i+1, s.Error)
			}
		}
		if got != c.want {
			t.Errorf("%s, %v: %s, want %s", c.states, c.waits, got, c.want)
		}
	}
}
