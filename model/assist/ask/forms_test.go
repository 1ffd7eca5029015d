package ask

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tandem/model"
	"tandem/model/assist/core"
	"tandem/workspace"
)

const mainOfStores = "package main\n\nimport \"example.com/m/store\"\n\nfunc main() {\n\topen := store.Open\n\topen(1)\n\tstore.Open(2).Close()\n}\n"

func stores() map[string]string {
	many := "package many\n\nimport \"example.com/m/store\"\n"
	for i := range 15 {
		many += fmt.Sprintf("\nfunc f%d() { store.Repeated(%d) }\n", i, i)
	}
	return map[string]string{
		"go.mod":              "module example.com/m\n",
		"store/store.go":      "package store\n\nimport \"os\"\n\n// Store keeps files.\ntype Store struct{ dir string }\n\n// Open opens one.\nfunc Open(n int) *Store {\n\treturn &Store{path(n)}\n}\n\nfunc Repeated(int) {}\n\nfunc path(n int) string { return os.TempDir() }\n\n// Close calls nothing; Open is a comment here.\nfunc (s *Store) Close() {}\n",
		"store/store_test.go": "package store\n\nfunc TestOpen() { Open(1) }\n",
		"config/open.go":      "package config\n\nvar open = Open\n",
		"many/many.go":        many,
		"unused.go":           "package main\n\n// Lonely is used by nobody.\nfunc Lonely() {}\n",
	}
}

// TestForms: each form of question gets the places that the index knows, and only those.
func TestForms(t *testing.T) {
	b := newBench(t, lanes{}, mainOfStores, stores())
	for _, q := range []struct {
		asked   string
		holds   []string
		without []string
	}{
		{"Where is Open defined?", []string{"`Open` is a func defined at store/store.go:9", "```go\nfunc Open(n int) *Store"}, nil},
		{"please show me the `Store` type", []string{"`Store` is a struct defined at store/store.go:6"}, nil},
		{"definition of Store.Close", []string{"store/store.go:18"}, nil},
		{"where is store.go?", []string{"`store.go` is here", "store/store.go:1 (18 lines)"}, []string{"store_test.go"}},
		{"where is many used", []string{"No file of this workspace imports `many`"}, nil},
		{"who imports store/store.go?", []string{"is imported by 2 files", "main.go:3: `example.com/m/store`", "many/many.go:3"}, nil},
		{"who calls Open()?", []string{"`Open` (defined at store/store.go:9) is called at 2 places in 2 files", "main.go:8 in `main`: `store.Open(2).Close()`"}, []string{"main.go:6", "config/open.go", "store/store.go:17", "store/store.go:9 in"}},
		{"where is Open used?", []string{"is used at 4 places in 3 files", "main.go:6 in `main`"}, nil},
		{"which tests cover Open?", []string{"is used by tests at 1 place in 1 file", "store/store_test.go:3"}, []string{"main.go"}},
		{"where is Lonely used", []string{"`Lonely` (defined at unused.go:4) is not used anywhere"}, nil},
		{"usages of Repeated", []string{"is used at 15 places in 1 file", "many/many.go:5 in `f0`", "- and 3 more"}, nil},
		{"how is Open configured?", []string{"is named in configuration at 1 place in 1 file", "config/open.go:3"}, []string{"main.go"}},
		{"what does Open depend on?", []string{"`Open` (store/store.go:9) uses", "`Store`, struct at store/store.go:6", "`path`, func at store/store.go:15", "`os` (store/store.go:3)"}, []string{"`Open`, func"}},
		{"imports of main.go", []string{"`example.com/m/store` (main.go:3), here: store/store.go:1"}, nil},
		{"imports of unused.go", []string{"unused.go:1 imports nothing"}, nil},
		{"where is Opne", []string{"no definition and no file named `Opne`", "`Open`, func at store/store.go:9"}, nil},
		{"what changed?", []string{"Nothing was edited"}, nil},
	} {
		got, ok := answered(t.Context(), b.Session.Snapshot(), b.URI, q.asked)
		if !ok {
			t.Errorf("%s: no answer", q.asked)
			continue
		}
		for _, want := range q.holds {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is not in\n%s", q.asked, want, got)
			}
		}
		for _, not := range q.without {
			if strings.Contains(got, not) {
				t.Errorf("%s: %q is in\n%s", q.asked, not, got)
			}
		}
	}
	at := b.At("open(1)")
	b.Edit(at-2, at-1, "7")
	if got, ok := answered(t.Context(), b.Session.Snapshot(), b.URI, "What did I just change?"); !ok || !strings.Contains(got, "main.go:7") || !strings.Contains(got, "+\topen(7)") {
		t.Errorf("after an edit: %v\n%s", ok, got)
	}
	for _, asked := range []string{"", "Why is Open so slow?", "where is the code that opens stores", "what is love", "rewrite main.go", "who calls"} {
		if got, ok := answered(t.Context(), b.Session.Snapshot(), b.URI, asked); ok {
			t.Errorf("%q is answered by\n%s", asked, got)
		}
	}
}

// TestFunctionsAreTheAnswer: without a model a question is answered by the functions that its
// words are about, each whole with its place; without words, by the function at the place.
func TestFunctionsAreTheAnswer(t *testing.T) {
	files := map[string]string{
		"retry/wait.go": "package retry\n\n// delay grows until it reaches the limit.\nfunc delay(attempt int) int {\n\treturn min(1<<attempt, 60)\n}\n",
		"notes.md":      "# Notes\n\n```sh\nmake\n```\n\nThe frobnicator needs oil.\n",
	}
	b := newBench(t, lanes{}, mainOfStores, files)
	ask := func(question, mark string) (Answer, error) {
		return b.engine.Asker.Ask(t.Context(), b.Session.Snapshot(), Request{Question: question, Place: core.Place{URI: b.URI, Offset: b.At(mark)}})
	}
	for _, c := range []struct{ asked, mark, want string }{
		{"How does the delay between two attempts grow?", "", "retry/wait.go:3-6: similar to your words: "},
		{"How does the delay between two attempts grow?", "", "\n```go\n// delay grows until it reaches the limit.\nfunc delay(attempt int) int {\n\treturn min(1<<attempt, 60)\n}\n```\n"},
		{"what is this", "open(1)", "9: defines main, at main.go:7 in your words"},
		{"Where does the frobnicator get oil?", "", "\n````markdown\n# Notes\n\n```sh\nmake\n```\n\nThe frobnicator needs oil.\n````\n"},
	} {
		got, err := ask(c.asked, c.mark)
		if err != nil || !strings.Contains(got.Text, c.want) || len(got.Citations) == 0 || got.From.Lane != core.BuiltIn || !got.End.Whole() {
			t.Errorf("%s: %v, %q is not in\n%s", c.asked, err, c.want, got.Text)
		}
	}
	var known *model.Error
	for _, req := range []Request{{Question: "xyzzy?", Place: core.Place{URI: b.URI}}, {Place: core.Place{URI: b.URI}, Explains: true}} {
		if got, err := b.engine.Asker.Ask(t.Context(), b.Session.Snapshot(), req); !errors.As(err, &known) || known.Code != model.CodeNeedsModel {
			t.Errorf("%+v is answered by %q, %v", req, got.Text, err)
		}
	}
}

// TestANamedFunctionAndWhatUsesIt: where the words name a function, of the code that is only
// like them what uses the function is the answer too, and nothing else.
func TestANamedFunctionAndWhatUsesIt(t *testing.T) {
	b := newBench(t, lanes{}, mainOfStores, map[string]string{
		"retry/wait.go":  "package retry\n\n// delayFor grows until it reaches the limit.\nfunc delayFor(attempt int) int {\n\treturn min(1<<attempt, 60)\n}\n",
		"retry/call.go":  "package retry\n\n// call waits for the delay of each attempt.\nfunc call() {\n\tattempt := delayFor(1)\n\t_ = attempt\n}\n",
		"retry/other.go": "package retry\n\n// attempts counts each attempt and its delay.\nfunc attempts(delay int) int {\n\treturn delay\n}\n",
	})
	got, err := b.engine.Asker.Ask(t.Context(), b.Session.Snapshot(), Request{Question: "What does delayFor do for the delay of an attempt?", Place: core.Place{URI: b.URI}})
	if err != nil || !strings.Contains(got.Text, "defines delayFor") || !strings.Contains(got.Text, "attempt := delayFor(1)") || strings.Contains(got.Text, "func attempts") {
		t.Errorf("%v:\n%s", err, got.Text)
	}
}

// TestNoFunctionsWhereAModelIsMissing: a person with a fast model who asks the deep one, which
// is not there, or whose hovers a model describes, gets no other answer in its place.
func TestNoFunctionsWhereAModelIsMissing(t *testing.T) {
	b := newBench(t, lanes{model.Fast: replies("x")}, mainOfStores, nil)
	if got, err := b.engine.Asker.Ask(t.Context(), b.Session.Snapshot(), Request{Question: "How does main open it?", Lane: model.Deep}); err == nil && got.From.Lane == core.BuiltIn {
		t.Errorf("without the deep model: %q", got.Text)
	}
	b = newBench(t, lanes{}, mainOfStores, nil)
	if got, err := b.engine.Asker.Describe(t.Context(), b.Session.Snapshot(), core.Place{URI: b.URI}, Symbol{Name: "main"}); err == nil {
		t.Errorf("a hover is described by %q", got.Text)
	}
}

// TestFunctionsOfTheFolder: a question from a document is about the folder that has it.
func TestFunctionsOfTheFolder(t *testing.T) {
	b := newBench(t, lanes{}, mainOfStores, nil)
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "pump.go"), []byte("package pump\n\nfunc pump() int {\n\tpressure := 3\n\treturn pressure\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.Session.AddFolders(other); err != nil {
		t.Fatal(err)
	}
	if err := b.Session.WaitIdle(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := b.engine.Asker.Ask(t.Context(), b.Session.Snapshot(), Request{Question: "How does the pump get its pressure?", Place: core.Place{URI: workspace.URIOf(filepath.Join(other, "pump.go"))}})
	if err != nil || !strings.Contains(got.Text, "return pressure") || len(got.Citations) != 1 {
		t.Errorf("%v, %d citations:\n%s", err, len(got.Citations), got.Text)
	}
}

// TestEveryFolderIsAsked: a question finds what any folder has, and absence is claimed when all of
// them are read alone.
func TestEveryFolderIsAsked(t *testing.T) {
	b := newBench(t, lanes{}, mainOfStores, nil)
	add := func(name, text string) {
		root := t.TempDir()
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(b.Session.AddFolders(root), b.Session.WaitIdle(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
	asks := func(question, want, not string) {
		t.Helper()
		got, _ := answered(t.Context(), b.Session.Snapshot(), b.URI, question)
		if !strings.Contains(got, want) || not != "" && strings.Contains(got, not) {
			t.Errorf("%s: %q is not in, or %q is, in\n%s", question, want, not, got)
		}
	}
	add("far.go", "package far\n\nfunc Elsewhere() {}\n\nfunc use() { Elsewhere() }\n\nfunc Unused() {}\n")
	asks("where is Elsewhere defined?", "far.go:3", "")
	asks("who calls Elsewhere?", "far.go:5", "")
	asks("who calls Unused?", "not called anywhere", "")
	asks("where is No_where?", "no definition and no file", "")
	add("open.go", "package store\n\nfunc Open(int) {}\n")
	add("uses.go", "package other\n\nfunc use() { store.Open(1) }\n")
	symbol := func() Symbol {
		y, _ := b.engine.Asker.Symbol(b.Session.Snapshot(), core.Place{URI: b.URI, Offset: b.At("store.Op")})
		return y
	}
	if y := symbol(); y.Used.Files != 2 || y.Used.Places != 3 { // two in main.go
		t.Errorf("used %+v in all folders", y.Used)
	}
	if err := b.Session.Enough(t.Context()); err != nil {
		t.Fatal(err)
	}
	add("late.go", "package late\n") // is not read: it was enough
	asks("where is Elsewhere defined?", "files are read", "")
	asks("who calls Unused?", "may be there all the same", "not called anywhere")
	asks("where is No_where?", "may be there all the same", "no definition and no file")
}

// TestUsersBeyond: files that have a name and were not read are counted.
func TestUsersBeyond(t *testing.T) {
	files := map[string]string{"a.go": "package main\n\nfunc Everywhere() {}\n"}
	for i := range maxUserFiles + 1 {
		files[fmt.Sprintf("u%03d.go", i)] = fmt.Sprintf("package main\n\nfunc f%d() { Everywhere() }\n", i)
	}
	b := newBench(t, lanes{}, mainOfStores, files)
	if got, _ := answered(t.Context(), b.Session.Snapshot(), b.URI, "who calls Everywhere?"); !strings.Contains(got, "2 more files have the name and were not read") {
		t.Errorf("%.300s", got)
	}
}
