package task

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/workspace"
)

// TestTaskLooksBeforeItAnswers: a model without function calls is shown what its lines ask
// for, as far as it may see it, and learns what is wrong with the others; no more at once,
// and nothing twice.
func TestTaskLooksBeforeItAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deep := answers(
			turn{"you have been shown this already", alpha11.answer},
			turn{"# lib/far.go:3", "LOOK file lib/far.go 3-5\nLOOK file .env\nLOOK diagnostics main.go\nLOOK step 4\nLOOK file lib/long.txt\nLOOK users Nobody\n"},
			turn{alpha11.holds, "`LOOK file lib/far.go 3-5`\n\nlook users Limit\nLOOK implementations Counter\nLOOK definition Limit\nLOOK file ../x.go\nLOOK dance now\nLOOK file lib/count.go\n"},
			turn{"", planAlpha})
		b := newBench(t, lanes{model.Deep: deep}, assisttest.Source, assisttest.LookFiles)
		b.engine.Tasks.deps.Settings = quiet
		at := strings.Index(assisttest.Source, "beta")
		b.Session.Update(workspace.Diagnosed{URI: b.URI, Diagnostics: []workspace.Diagnostic{{Span: edits.Span{Start: at, End: at + 4}, Severity: "warning", Message: "beta is unused"}}})
		b.escalate(Request{})
		done := b.expect(Done, "")
		asked := deep.Requests()
		if len(asked) != 4 {
			t.Fatalf("%d requests, want a plan and a step in three", len(asked))
		}
		ids := map[string]bool{}
		for _, req := range asked {
			ids[req.ID] = true
		}
		if len(ids) != len(asked) {
			t.Errorf("%d requests have %d ids", len(asked), len(ids))
		}
		for n, texts := range map[int][]string{
			2: {"LOOK file lib/far.go 3-5\n# lib/far.go:3\n// Limit is far away.\nfunc Limit() int {\n\treturn 77\n\nLOOK", "LOOK users Limit\nlib/count.go\n", "lib/count.go:7: type Far", "LOOK definition Limit\n# ",
				"../x.go cannot be shown: it lies outside the workspace", "LOOK dance now\nthere is no such tool", "LOOK file lib/count.go\n6 at once are enough"},
			3: {".env cannot be shown", "beta is unused", "step 4 has changed nothing yet", "# lib/long.txt:1\na line", "no file uses Nobody"},
		} {
			for _, text := range texts {
				if last := assisttest.LastOf(asked[n]); !strings.Contains(last, text) {
					t.Errorf("request %d does not hold %q:\n%.3000s", n, text, last)
				}
			}
		}
		if last := assisttest.LastOf(asked[3]); len(last) > maxToolBytes+2000 || strings.Contains(last, "KEY=value") {
			t.Errorf("%d bytes are shown", len(last))
		}
		wrong := 0
		for _, c := range done.Record.Calls {
			if c.Step != 0 {
				t.Errorf("%+v is not of the first step", c)
			}
			if c.Error != "" {
				wrong++
			}
		}
		if len(done.Record.Calls) != 13 || wrong != 7 {
			t.Errorf("%d looks are recorded, %d of them in vain: %+v", len(done.Record.Calls), wrong, done.Record.Calls)
		}
	})
}

// TestTaskCallsFunctions: calls are answered one by one under their ids, text before them is
// repeated, and what is wrong with one is its result.
func TestTaskCallsFunctions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deep := &script{Tools: true}
		deep.Answer = func(req *model.Request) ([]string, error) {
			switch last := req.Input[len(req.Input)-1]; {
			case last.Role == "tool":
				return []string{alpha11.answer}, nil
			case strings.Contains(last.Text.String(), alpha11.holds):
				return []string{"I look first.", `CALL file {"path":"lib/far.go","first":3,"last":5}`, `CALL users {"name":`, `CALL dance {}`}, nil
			}
			return []string{planAlpha}, nil
		}
		b := newBench(t, lanes{model.Deep: deep}, assisttest.Source, assisttest.LookFiles)
		b.engine.Tasks.deps.Settings = quiet
		b.escalate(Request{})
		b.expect(Done, "")
		asked := deep.Requests()
		if len(asked) != 3 || len(asked[1].Tools) != len(taskTools) {
			t.Fatalf("%d requests", len(asked))
		}
		var said []string
		for _, m := range asked[2].Input[len(asked[1].Input):] {
			said = append(said, fmt.Sprintf("%s %s%s %.60s", m.Role, m.Call.ID, m.Call.Name, m.Text))
		}
		want := []string{"assistant  I look first.", "assistant c1file ", "assistant c2users ", "assistant c3dance ", "tool c1 # lib/far.go:3\n// Limit is far away.\nfunc Limit() int {\n\tret", "tool c2 the arguments of users are not a JSON object: unexpected end", "tool c3 there is no such tool"}
		if !slices.Equal(said, want) {
			t.Errorf("the conversation is\n%q, want\n%q", said, want)
		}
	})
}

// TestModelThatRefusesFunctions: it is asked by lines of text, at once and from then on.
func TestModelThatRefusesFunctions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deep := &script{Tools: true}
		deep.Answer = func(req *model.Request) ([]string, error) {
			switch last := assisttest.LastOf(req); {
			case len(req.Tools) > 0:
				return nil, &model.Error{Code: model.CodeParameter, Param: "tools", Message: "no tools here"}
			case strings.Contains(last, "LOOK users"):
				return []string{alpha11.answer}, nil
			case strings.Contains(last, alpha11.holds):
				return []string{"LOOK users Limit"}, nil
			}
			return []string{planAlpha}, nil
		}
		b := newBench(t, lanes{model.Deep: deep}, assisttest.Source, assisttest.LookFiles)
		b.engine.Tasks.deps.Settings = quiet
		b.escalate(Request{})
		b.expect(Done, "")
		var tools []int
		for _, req := range deep.Requests() {
			tools = append(tools, len(req.Tools))
		}
		if want := []int{len(taskTools), 0, 0, 0}; !slices.Equal(tools, want) {
			t.Errorf("the requests had %v tools, want %v", tools, want)
		}
	})
}

// TestTaskThatOnlyLooks: a model that never answers is told to, and then stopped.
func TestTaskThatOnlyLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		deep := &script{}
		deep.Answer = func(req *model.Request) ([]string, error) {
			if len(deep.Requests()) == 1 {
				return []string{planAlpha}, nil
			}
			n++
			return []string{fmt.Sprintf("LOOK users Name%d", n)}, nil
		}
		b := newBench(t, lanes{model.Deep: deep}, assisttest.Source, assisttest.LookFiles)
		b.engine.Tasks.deps.Settings = quiet
		b.escalate(Request{})
		b.expect(Failed, "only looks at code")
		if warned := len(deep.AskedFor("You cannot look any further. Answer now.")); warned != 2 || n != 2*(maxToolRounds+2) {
			t.Errorf("%d requests of the step, and %d of them ask for the answer, want one in each of two attempts", n, warned)
		}
	})
}

// TestTaskRunsTests: the user's test command runs where the user allowed it, and nowhere else.
func TestTaskRunsTests(t *testing.T) {
	for _, c := range []struct {
		name            string
		allowed, failed bool
		want            string
	}{
		{"allowed", true, false, "--- FAIL: TestAlpha"},
		{"not allowed", false, false, "there is no such tool"},
		{"it does not start", true, true, "no such command"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				deep := answers(turn{"LOOK tests", alpha11.answer}, turn{alpha11.holds, "LOOK tests"}, turn{"", planAlpha})
				settings := quiet()
				var roots []string
				settings.Test = func(_ context.Context, root string) (string, error) {
					roots = append(roots, root)
					if c.failed {
						return "", errors.New("no such command")
					}
					return "--- FAIL: TestAlpha\n", nil
				}
				b := newTaskBench(t, lanes{model.Deep: deep}, settings)
				b.escalate(Request{Tests: c.allowed})
				b.expect(Done, "")
				if len(deep.AskedFor("LOOK tests \n"+c.want)) != 1 {
					t.Errorf("the last request holds %q", assisttest.LastOf(deep.Requests()[len(deep.Requests())-1]))
				}
				if c.allowed && (len(roots) != 1 || roots[0] != b.Root) || !c.allowed && len(roots) != 0 {
					t.Errorf("the command ran in %v", roots)
				}
			})
		})
	}
}

// TestStepSeesEarlierSteps: a step works on the texts that the steps before it left, and can
// look at what one of them changed.
func TestStepSeesEarlierSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deep := answers(turn{"+\treturn 11", one111.answer}, turn{one111.holds, "LOOK step 1\nLOOK file main.go 3-4"}, alpha11, turn{"", planBoth + "after: 1\n"})
		b := newTaskBench(t, lanes{model.Deep: deep}, quiet())
		b.escalate(Request{})
		b.expect(Done, "")
		last := assisttest.LastOf(deep.Requests()[3])
		for _, text := range []string{"-\treturn 1\n", "# main.go:3\nfunc alpha() int {\n\treturn 11\n"} {
			if !strings.Contains(last, text) {
				t.Errorf("what the second step is shown does not hold %q:\n%s", text, last)
			}
		}
	})
}
