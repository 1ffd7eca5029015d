package ask

import (
	"fmt"
	"strings"
	"testing"

	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/workspace/git/gittest"
)

// TestCommitMessageOfWhatIsStaged: the message is written of what is staged, wherever it is now;
// what may not be shown or is too long is named only, and what cannot be written has a reason.
func TestCommitMessageOfWhatIsStaged(t *testing.T) {
	fast := replies("```\nCount from two\n\nOne was too few.\n```\n")
	b := newBench(t, lanes{model.Fast: fast}, assisttest.Source, assisttest.LookFiles)
	message := func() (model.Answer, error) {
		return b.engine.Asker.CommitMessage(t.Context(), b.Session.Snapshot(), b.URI, nil)
	}
	if _, err := message(); err == nil || !strings.Contains(err.Error(), "in no git repository") {
		t.Errorf("without a repository: %v", err)
	}
	repo := gittest.New(t, b.Root)
	before := map[string]string{"main.go": assisttest.Source, "gone.go": "package main\n", ".env": "KEY=value\n"}
	repo.Commit("first", repo.Files(before))
	repo.Stage(before)
	if _, err := message(); err == nil || !strings.Contains(err.Error(), "Nothing is staged") {
		t.Errorf("with nothing staged: %v", err)
	}
	long := strings.Repeat("a line of a generated file\n", maxCommitDiff/26)
	repo.Stage(map[string]string{"main.go": strings.Replace(assisttest.Source, "return 1", "return 2", 1), "new.go": "package main\n", "long.txt": long, ".env": "KEY=other\n"})
	got, err := message()
	if err != nil || got != (model.Whole{Text: "Count from two\n\nOne was too few."}) {
		t.Errorf("%q, %v", got, err)
	}
	shown := fmt.Sprint(fast.Requests()[0].Input)
	for _, text := range []string{"-\treturn 1\n+\treturn 2\n", "+package main", "-package main", "changed .env (not shown)", "added long.txt (not shown)"} {
		if !strings.Contains(shown, text) {
			t.Errorf("the request does not hold %q", text)
		}
	}
	if strings.Contains(shown, "KEY=") {
		t.Error("the request holds what may not be shown")
	}
	delete(b.engine.Asker.Prompts.Models.(lanes), model.Fast)
	if _, err := message(); err == nil || !strings.Contains(err.Error(), "commit message") {
		t.Errorf("without a model: %v", err)
	}
}

// TestSymbol: what the index holds about a name at a place.
func TestSymbol(t *testing.T) {
	text := "package main\n\nimport (\n\t\"example.com/m/lib\"\n\t\"example.com/m/other\"\n)\n\nfunc use() int {\n\treturn lib.Limit() + other.Limit()\n}\n\n// Two is two.\n// It is more than one.\nfunc Two() int { return 2 }\n\nfunc héllo() {}\n"
	files := map[string]string{"other/far.go": "package other\n\nfunc Limit() int { return 1 }\n", "zz/use.go": "package zz\n\nvar _ = lib.LimitX\n\nfunc f() {\n\t_ = lib.Limit()\n}\n", "zz/far_test.go": "package zz\n\nfunc Limit() {}\n"}
	for name, content := range assisttest.LookFiles {
		files[name] = content
	}
	b := newBench(t, lanes{}, text, files)
	b.engine.Asker.Wanted.Preferences = func(string) core.Preferences { return core.Preferences{HoverDocumentation: true} }
	symbol := func(mark string) (Symbol, bool) {
		return b.engine.Asker.Symbol(b.Session.Snapshot(), core.Place{URI: b.URI, Offset: b.At(mark)})
	}
	got, ok := symbol("lib.Li")
	if !ok || got.Name != "Limit" || text[got.Span.Start:got.Span.End] != "Limit" || got.Doc != "Limit is far away." || !strings.Contains(got.Signature, "func Limit() int") || got.Language != "go" {
		t.Fatalf("%+v, %v", got, ok)
	}
	if len(got.Defined) != 3 || got.Defined[0].Path != "lib/far.go" || got.Defined[0].Line != 4 || got.Defined[2].Path != "zz/far_test.go" {
		t.Errorf("defined in %+v", got.Defined)
	}
	lines := map[string]int{}
	for _, u := range got.Used.First {
		lines[u.Path] = u.Line
	}
	if lines["zz/use.go"] != 6 || lines["main.go"] != 9 || lines["lib/count.go"] != 9 || lines["lib/far.go"] != 0 {
		t.Errorf("used in %+v", got.Used)
	}
	if got.Tested.Places != 0 || got.Used.Places != 4 { // one each, and two in main.go; the test file only defines one of the name
		t.Errorf("used %+v, tested %+v", got.Used, got.Tested)
	}
	if got, ok := symbol("other.Limit"); !ok || got.Defined[0].Path != "other/far.go" || got.Doc != "" {
		t.Errorf("after another name and a dot: %+v, %v", got, ok)
	}
	if got, ok := symbol("func T"); !ok || got.Doc != "Two is two.\nIt is more than one." || got.Used.Places != 0 {
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
	if _, ok := b.engine.Asker.Symbol(b.Session.Snapshot(), core.Place{URI: "untitled:none"}); ok {
		t.Error("a closed document has a symbol")
	}
}
