package task

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/model/assist/prompt"
	"tandem/workspace/redact"
)

// TestLooksOfATask: what each look of a model shows, to the line, and how it is recorded.
func TestLooksOfATask(t *testing.T) {
	files := map[string]string{"ten.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n10", "many.txt": strings.Repeat("x\n", 300), "wide.txt": strings.Repeat(strings.Repeat("y", 99)+"\n", 150)}
	b := newBench(t, lanes{model.Deep: replies("x")}, assisttest.Source, files)
	settings := quiet()
	output := ""
	settings.Test = func(context.Context, string) (string, error) { return output, nil }
	b.engine.Tasks.deps.Settings = func() Settings { return settings }
	snap := b.Session.Snapshot()
	asker := b.engine.Tasks.asker()
	run := b.engine.Tasks.newRun(snap, Request{Place: core.Place{URI: b.URI}, Tests: true})
	ask, err := b.engine.Tasks.prompts.Prompt(t.Context(), snap, prompt.Question{Kind: model.KindPlan, Lane: model.Deep, Request: redact.Said("x")})
	if err != nil {
		t.Fatal(err)
	}
	box := &toolbox{costs: asker.costs, run: run, tools: asker.costs.toolsOf(run), step: 1, snap: snap, ask: ask, seen: map[string]bool{}}
	look := func(line string) string {
		uses := usesIn("LOOK " + line)
		return box.result(t.Context(), 0, uses[0]).String()
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
		if box.ask.Seen["ten.txt"].Lines[line] != want {
			t.Errorf("line %d of ten.txt was shown: %v", line, !want)
		}
	}
	if s := box.ask.Seen["wide.txt"]; !s.Lines[maxToolBytes/100] || s.Lines[maxToolBytes/100+2] {
		t.Error("what was cut counts as shown")
	}
	window := b.engine.Tasks.prompts.Models.(lanes)
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
		if got := len(bounded(redact.Said(strings.Repeat("x", n))).String()); got != (maxToolBytes+1-n)*maxToolBytes {
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
	if got := box.result(t.Context(), maxToolsOnce, usesIn("LOOK file ten.txt 5-6")[0]); got.String() != "6 at once are enough; ask for this again if you still need it" {
		t.Errorf("%q", got)
	}
	run.rec.Tests = false
	if got := asker.costs.toolsOf(run); len(got) != len(taskTools) {
		t.Errorf("%d tools without the user's agreement to tests", len(got))
	}
}

// TestQuestionToTheUser: one question at a time; one whose task was stopped waits no longer.
func TestQuestionToTheUser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		settings := quiet()
		b := newBench(t, lanes{model.Deep: replies("x")}, assisttest.Source, nil)
		b.engine.Tasks.deps.Settings = func() Settings { return settings }
		run := b.engine.Tasks.newRun(b.Session.Snapshot(), Request{})
		run.rec.State = Running
		box := &toolbox{costs: b.engine.Tasks.costs(), run: run}
		ask := func(ctx context.Context) string {
			args, err := taskTools[len(taskTools)-1].Parse("which one?")
			if err != nil {
				t.Fatal(err)
			}
			text, err := box.askUser(ctx, args)
			if err != nil {
				return err.Error()
			}
			return text.String()
		}
		ctx, stop := context.WithCancel(t.Context())
		go func() {
			time.Sleep(time.Second)
			if got := run.view(); got.Record.State != Waiting || got.Question() != "which one?" {
				t.Errorf("%+v", got)
			}
			if got := ask(t.Context()); got != "another question waits for the user; decide yourself" {
				t.Errorf("%q", got)
			}
			stop()
		}()
		if got := ask(ctx); got != context.Canceled.Error() || run.mail.asks() {
			t.Errorf("%q", got)
		}
		go func() {
			time.Sleep(time.Second)
			run.mail.post(taskMessage{kind: steerMessage, text: "both"})
		}()
		run.rec.State = Running
		if got := ask(t.Context()); got != "The user answers: both" || run.view().Record.State != Running {
			t.Errorf("%q, and the task is %s", got, run.view().Record.State)
		}
		go func() {
			time.Sleep(time.Second)
			run.mail.post(taskMessage{kind: steerMessage, text: `with password = "hunter22xyz9"`})
		}()
		if got := ask(t.Context()); got != `The user answers: with password = "⟦redacted-1⟧"` {
			t.Errorf("a secret in the user's words: %q", got)
		}
		settings.Unattended = true
		if got := ask(t.Context()); got != "nobody can be asked; decide yourself" {
			t.Errorf("%q", got)
		}
		var said []string
		for _, m := range run.record().Messages {
			said = append(said, m.From+" "+m.Kind+" "+m.Text)
		}
		if want := []string{"task question which one?", "task question which one?", "user answer both", "task question which one?", `user answer with password = "hunter22xyz9"`}; !slices.Equal(said, want) {
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
	said := reply{"first", []model.ToolCall{{ID: "c1", Name: "file", Arguments: redact.Said("{}")}, {ID: "c2", Name: "users"}}}
	turn, uses := said.turn(callTools)
	if len(turn) != 3 || turn[0].Text.String() != "first" || turn[1].Call.ID != "c1" || turn[2].Call.ID != "c2" || len(uses) != 2 || uses[0].name != "file" || uses[0].args != "{}" {
		t.Errorf("%+v, %+v", turn, uses)
	}
	if turn, uses := (reply{text: "LOOK tests", calls: said.calls}).turn(textTools); len(turn) != 1 || turn[0].Role != "assistant" || len(uses) != 1 || uses[0].name != "tests" {
		t.Errorf("%+v, %+v", turn, uses)
	}
	if turn, _ := (reply{calls: said.calls}).turn(callTools); len(turn) != 2 {
		t.Errorf("%+v", turn)
	}
	results := said.results(callTools, uses, []redact.Text{redact.Said("r1"), redact.Said("r2")}, redact.Said("last"))
	if len(results) != 2 || results[0].Text.String() != "r1" || results[0].Call.ID != "c1" || results[0].Role != "tool" || results[1].Text.String() != "r2\nlast" {
		t.Errorf("%+v", results)
	}
	if results := said.results(callTools, uses, []redact.Text{redact.Said("r1"), redact.Said("r2")}, redact.Said("")); results[1].Text.String() != "r2" {
		t.Errorf("%+v", results)
	}
	if results := said.results(textTools, uses, []redact.Text{redact.Said("r1"), redact.Said("r2")}, redact.Said("last")); len(results) != 1 || results[0].Role != "user" || results[0].Text.String() != "LOOK file {}\nr1\nLOOK users \nr2\nlast" {
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
