package questions_test

import (
	"fmt"
	"strings"
	"testing"

	"tandem/model/local/localtest"
	"tandem/model/local/questions"
)

func workspaceOf() *localtest.Memory {
	many := "package many\n\nimport \"example.com/m/store\"\n"
	for i := range 15 {
		many += fmt.Sprintf("\nfunc f%d() { store.Repeated(%d) }\n", i, i)
	}
	return localtest.New(map[string]string{
		"go.mod":              "module example.com/m\n",
		"store/store.go":      "package store\n\nimport \"os\"\n\n// Store keeps files.\ntype Store struct{ dir string }\n\n// Open opens one.\nfunc Open(n int) *Store {\n\treturn &Store{path(n)}\n}\n\nfunc Repeated(int) {}\n\nfunc path(n int) string { return os.TempDir() }\n\n// Close calls nothing; Open is a comment here.\nfunc (s *Store) Close() {}\n",
		"store/store_test.go": "package store\n\nfunc TestOpen() { Open(1) }\n",
		"main.go":             "package main\n\nimport \"example.com/m/store\"\n\nfunc main() {\n\topen := store.Open\n\topen(1)\n\tstore.Open(2).Close()\n}\n",
		"config/open.go":      "package config\n\nvar open = Open\n",
		"secret.go":           "package main\n\nfunc hidden() { Open(3) }\n",
		"many/many.go":        many,
		"unused.go":           "package main\n\n// Lonely is used by nobody.\nfunc Lonely() {}\n",
	})
}

// TestAnswers: each form of question gets the places that the index knows, and only those.
func TestAnswers(t *testing.T) {
	t.Parallel()
	c := workspaceOf()
	c.Secret["secret.go"] = true
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
		{"who calls Open()?", []string{"`Open` (defined at store/store.go:9) is called at 2 places in 2 files", "main.go:8 in `main`: `store.Open(2).Close()`"}, []string{"main.go:6", "config/open.go", "store/store.go:17", "secret.go", "store/store.go:9 in"}},
		{"where is Open used?", []string{"is used at 4 places in 3 files", "main.go:6 in `main`"}, []string{"secret.go"}},
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
		got, ok := questions.Answer(t.Context(), c, q.asked)
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
	c.ReplaceLine("main.go", "open(1)", "open(7)")
	if got, ok := questions.Answer(t.Context(), c, "What did I just change?"); !ok || !strings.Contains(got, "main.go:") || !strings.Contains(got, "+\topen(7)") {
		t.Errorf("after an edit: %v\n%s", ok, got)
	}
}

// TestQuestionsForAModel: what the index cannot answer is refused, and not guessed.
func TestQuestionsForAModel(t *testing.T) {
	t.Parallel()
	c := workspaceOf()
	for _, asked := range []string{"", "Why is Open so slow?", "where is the code that opens stores", "what is love", "rewrite main.go", "who calls"} {
		if got, ok := questions.Answer(t.Context(), c, asked); ok {
			t.Errorf("%q is answered by\n%s", asked, got)
		}
	}
}
