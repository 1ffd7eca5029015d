package assist

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
	"tandem/workspace"
	"tandem/workspace/git/gittest"
)

// lookFiles are what a model can look at besides main.go.
var lookFiles = map[string]string{
	"go.mod":       "module example.com/m\n",
	".env":         "KEY=value\n",
	"lib/far.go":   "package lib\n\n// Limit is far away.\nfunc Limit() int {\n\treturn 77\n}\n",
	"lib/count.go": "package lib\n\ntype Counter interface {\n\tCount() int\n}\n\ntype Far struct{}\n\nfunc (f Far) Count() int { return Limit() }\n",
	"lib/long.txt": strings.Repeat("a line that is as long as lines of code are, about eighty letters, so far so good\n", 400),
}

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
		b := newBench(t, lanes{model.Deep: deep}, source, lookFiles)
		b.engine.Tasks.deps.Settings = quiet
		at := strings.Index(source, "beta")
		b.session.Update(workspace.CauseDiagnostics, workspace.Diagnosed{URI: b.uri, Diagnostics: []workspace.Diagnostic{{Span: edits.Span{Start: at, End: at + 4}, Severity: "warning", Message: "beta is unused"}}})
		b.escalate(TaskRequest{})
		done := b.expect(TaskDone, "")
		asked := deep.requests()
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
				if last := lastOf(asked[n]); !strings.Contains(last, text) {
					t.Errorf("request %d does not hold %q:\n%.3000s", n, text, last)
				}
			}
		}
		if last := lastOf(asked[3]); len(last) > maxToolBytes+2000 || strings.Contains(last, "KEY=value") {
			t.Errorf("%d bytes are shown", len(last))
		}
		wrong := 0
		for _, c := range done.Calls {
			if c.Step != 0 {
				t.Errorf("%+v is not of the first step", c)
			}
			if c.Error != "" {
				wrong++
			}
		}
		if len(done.Calls) != 13 || wrong != 7 {
			t.Errorf("%d looks are recorded, %d of them in vain: %+v", len(done.Calls), wrong, done.Calls)
		}
	})
}

// TestTaskCallsFunctions: calls are answered one by one under their ids, text before them is
// repeated, and what is wrong with one is its result.
func TestTaskCallsFunctions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deep := &script{tools: true}
		deep.answer = func(req *model.Request) ([]string, error) {
			switch last := req.Input[len(req.Input)-1]; {
			case last.Role == "tool":
				return []string{alpha11.answer}, nil
			case strings.Contains(last.Text, alpha11.holds):
				return []string{"I look first.", `CALL file {"path":"lib/far.go","first":3,"last":5}`, `CALL users {"name":`, `CALL dance {}`}, nil
			}
			return []string{planAlpha}, nil
		}
		b := newBench(t, lanes{model.Deep: deep}, source, lookFiles)
		b.engine.Tasks.deps.Settings = quiet
		b.escalate(TaskRequest{})
		b.expect(TaskDone, "")
		asked := deep.requests()
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
		deep := &script{tools: true}
		deep.answer = func(req *model.Request) ([]string, error) {
			switch last := lastOf(req); {
			case len(req.Tools) > 0:
				return nil, &model.Error{Code: model.CodeParameter, Param: "tools", Message: "no tools here"}
			case strings.Contains(last, "LOOK users"):
				return []string{alpha11.answer}, nil
			case strings.Contains(last, alpha11.holds):
				return []string{"LOOK users Limit"}, nil
			}
			return []string{planAlpha}, nil
		}
		b := newBench(t, lanes{model.Deep: deep}, source, lookFiles)
		b.engine.Tasks.deps.Settings = quiet
		b.escalate(TaskRequest{})
		b.expect(TaskDone, "")
		var tools []int
		for _, req := range deep.requests() {
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
		deep.answer = func(req *model.Request) ([]string, error) {
			if len(deep.requests()) == 1 {
				return []string{planAlpha}, nil
			}
			n++
			return []string{fmt.Sprintf("LOOK users Name%d", n)}, nil
		}
		b := newBench(t, lanes{model.Deep: deep}, source, lookFiles)
		b.engine.Tasks.deps.Settings = quiet
		b.escalate(TaskRequest{})
		b.expect(TaskFailed, "only looks at code")
		if warned := len(deep.askedFor("You cannot look any further. Answer now.")); warned != 2 || n != 2*(maxToolRounds+2) {
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
				b.escalate(TaskRequest{Tests: c.allowed})
				b.expect(TaskDone, "")
				if len(deep.askedFor("LOOK tests \n"+c.want)) != 1 {
					t.Errorf("the last request holds %q", lastOf(deep.requests()[len(deep.requests())-1]))
				}
				if c.allowed && (len(roots) != 1 || roots[0] != b.root) || !c.allowed && len(roots) != 0 {
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
		b.escalate(TaskRequest{})
		b.expect(TaskDone, "")
		last := lastOf(deep.requests()[3])
		for _, text := range []string{"-\treturn 1\n", "# main.go:3\nfunc alpha() int {\n\treturn 11\n"} {
			if !strings.Contains(last, text) {
				t.Errorf("what the second step is shown does not hold %q:\n%s", text, last)
			}
		}
	})
}

// TestCommitMessageOfWhatIsStaged: the message is written of what is staged, wherever it is now;
// what may not be shown or is too long is named only, and what cannot be written has a reason.
func TestCommitMessageOfWhatIsStaged(t *testing.T) {
	fast := replies("```\nCount from two\n\nOne was too few.\n```\n")
	b := newBench(t, lanes{model.Fast: fast}, source, lookFiles)
	message := func() (string, error) {
		return b.engine.Asker.CommitMessage(t.Context(), b.session.Snapshot(), b.uri, nil)
	}
	if _, err := message(); err == nil || !strings.Contains(err.Error(), "in no git repository") {
		t.Errorf("without a repository: %v", err)
	}
	repo := gittest.New(t, b.root)
	before := map[string]string{"main.go": source, "gone.go": "package main\n", ".env": "KEY=value\n"}
	repo.Commit("first", repo.Files(before))
	repo.Stage(before)
	if _, err := message(); err == nil || !strings.Contains(err.Error(), "Nothing is staged") {
		t.Errorf("with nothing staged: %v", err)
	}
	long := strings.Repeat("a line of a generated file\n", maxCommitDiff/26)
	repo.Stage(map[string]string{"main.go": strings.Replace(source, "return 1", "return 2", 1), "new.go": "package main\n", "long.txt": long, ".env": "KEY=other\n"})
	got, err := message()
	if err != nil || got != "Count from two\n\nOne was too few." {
		t.Errorf("%q, %v", got, err)
	}
	shown := fmt.Sprint(fast.requests()[0].Input)
	for _, text := range []string{"-\treturn 1\n+\treturn 2\n", "+package main", "-package main", "changed .env (not shown)", "added long.txt (not shown)"} {
		if !strings.Contains(shown, text) {
			t.Errorf("the request does not hold %q", text)
		}
	}
	if strings.Contains(shown, "KEY=") {
		t.Error("the request holds what may not be shown")
	}
	delete(b.engine.Models.(lanes), model.Fast)
	if _, err := message(); err == nil || !strings.Contains(err.Error(), "commit message") {
		t.Errorf("without a model: %v", err)
	}
}

// TestSymbol: what the index holds about a name at a place.
func TestSymbol(t *testing.T) {
	text := "package main\n\nimport (\n\t\"example.com/m/lib\"\n\t\"example.com/m/other\"\n)\n\nfunc use() int {\n\treturn lib.Limit() + other.Limit()\n}\n\n// Two is two.\n// It is more than one.\nfunc Two() int { return 2 }\n\nfunc héllo() {}\n"
	files := map[string]string{"other/far.go": "package other\n\nfunc Limit() int { return 1 }\n", "zz/use.go": "package zz\n\nvar _ = lib.LimitX\n\nfunc f() {\n\t_ = lib.Limit()\n}\n", "zz/far_test.go": "package zz\n\nfunc Limit() {}\n"}
	for name, content := range lookFiles {
		files[name] = content
	}
	b := newBench(t, lanes{}, text, files)
	symbol := func(mark string) (Symbol, bool) {
		return b.engine.Asker.Symbol(b.session.Snapshot(), Place{URI: b.uri, Offset: b.at(mark)})
	}
	got, ok := symbol("lib.Li")
	if !ok || got.Name != "Limit" || text[got.Span.Start:got.Span.End] != "Limit" || got.Doc != "Limit is far away." || !strings.Contains(got.Signature, "func Limit() int") || got.Language != "go" {
		t.Fatalf("%+v, %v", got, ok)
	}
	if len(got.Defined) != 3 || got.Defined[0].Path != "lib/far.go" || got.Defined[0].Line != 4 || got.Defined[2].Path != "zz/far_test.go" {
		t.Errorf("defined in %+v", got.Defined)
	}
	lines := map[string]int{}
	for _, u := range got.Users {
		lines[u.Path] = u.Line
	}
	if lines["zz/use.go"] != 6 || lines["main.go"] != 9 || lines["lib/count.go"] != 9 || lines["lib/far.go"] != 0 {
		t.Errorf("used in %+v", got.Users)
	}
	if got, ok := symbol("other.Limit"); !ok || got.Defined[0].Path != "other/far.go" || got.Doc != "" {
		t.Errorf("after another name and a dot: %+v, %v", got, ok)
	}
	if got, ok := symbol("func T"); !ok || got.Doc != "Two is two.\nIt is more than one." || !strings.Contains(strings.Join(got.Neighbours, " "), "use") {
		t.Errorf("%+v, %v", got, ok)
	}
	if got, ok := symbol("hél"); !ok || got.Name != "héllo" {
		t.Errorf("%+v, %v", got, ok)
	}
	for _, mark := range []string{"return 2 ", "(\n\t", "package m"} {
		if got, ok := symbol(mark); ok {
			t.Errorf("after %q there is %+v", mark, got)
		}
	}
	if _, ok := b.engine.Asker.Symbol(b.session.Snapshot(), Place{URI: "untitled:none"}); ok {
		t.Error("a closed document has a symbol")
	}
}

// TestDraftFollowsTheAnswer: while an edit is written, what it makes of the document so far
// grows with each piece, and holds the document's own bytes in place of hidden ones.
func TestDraftFollowsTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const key = "sk-proj-Zx8Qw3Rt7Yu1Io5Pa9Sd2Fg6Hj4Kl0Zx8Cv3Bn7Mq1We5Rt9Yu2Io6P"
		text := strings.Replace(source, "return 1", "return len(\""+key+"\")", 1)
		fast := &script{answer: func(req *model.Request) ([]string, error) {
			shown := lastOf(req)
			from := strings.Index(shown, "\treturn len(")
			line := shown[from : from+strings.IndexByte(shown[from:], '\n')]
			return []string{"<<<<<<< SEARCH\n", line + "\n=======\n", "\t// counted\n", line + " + 1\n", ">>>>>>> REPLACE\n"}, nil
		}}
		b := newBench(t, lanes{model.Fast: fast}, text, nil)
		var seen []string
		p, err := b.engine.Editor.Edit(context.Background(), b.session.Snapshot(), EditRequest{URI: b.uri, Span: b.selection("package main"), Instruction: "count", Draft: true, Watch: func(p Progress) {
			if p.Draft == nil {
				return
			}
			var lines []string
			for _, h := range p.Draft.Hunks() {
				lines = append(lines, h.Lines...)
			}
			if all := strings.Join(lines, "|"); len(seen) == 0 || seen[len(seen)-1] != all {
				seen = append(seen, all)
			}
		}})
		if err != nil || p.State != Ready {
			t.Fatal(p, err)
		}
		last := ""
		for _, lines := range seen {
			if !strings.HasPrefix(lines, last) {
				t.Errorf("%q does not go on from %q", lines, last)
			}
			last = lines
		}
		if want := "\t// counted|\treturn len(\"" + key + "\") + 1"; len(seen) < 3 || last != want {
			t.Errorf("the draft was %q, want %q at the end", seen, want)
		}
		if list, err := b.engine.Editor.Accept(b.session.Snapshot(), p.ID, -1); err != nil || len(list) != 0 {
			t.Errorf("what the host has drafted is sent again: %+v, %v", list, err)
		}
	})
}
