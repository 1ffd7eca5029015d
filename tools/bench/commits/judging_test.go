package main

import (
	"testing"

	"tandem/tools/bench/clones"
)

func TestCannotMean(t *testing.T) {
	for _, c := range []struct {
		from, to, name string
		want           bool
	}{
		{"a/a.go", "b/b.go", "Exported", false},
		{"a/a.go", "b/b.go", "hidden", true},
		{"a/a.go", "a/b.go", "hidden", false},
		{"a/a.go", "b/b.go", "Type.method", true},
		{"a/a.go", "a/b_test.go", "helper", true},
		{"a/a_test.go", "a/b_test.go", "helper", false},
		{"a/a.go", "a/run.sh", "Exported", true},
		{"a/a.go", "a/b.go", "error", true},
		{"a.ts", "b.js", "load", false},
		{"A.java", "B.kt", "load", false},
		{"a.py", "b.sh", "None", true},
		{"a.py", "docs/b.md", "load", true},
	} {
		if got := cannotMean(c.from, clones.LanguageOf(c.from), c.to, c.name); got != c.want {
			t.Errorf("%s in %s at %s: cannot mean is %v", c.name, c.to, c.from, got)
		}
	}
}

func TestWasteOfAWindow(t *testing.T) {
	w := &clones.Window{Tokens: 100, Text: "# b.go\nfunc Load() {}\n# run.sh\n12: load() {\n\nhere\n", Fragments: []clones.Fragment{
		{Path: "b.go", Tokens: 20, Kind: "definition", Reason: "defines Load, used at a.go:1"},
		{Path: "run.sh", Tokens: 10, Kind: "definition", Reason: "defines Load, used at a.go:1"},
		{Path: "run.sh", Tokens: 5, Kind: "caller", Reason: "calls Load"},
		{Path: "a.go", Tokens: 40, Kind: "cursor", Reason: "the place"},
	}}
	files := map[string][]string{"b.go": {"func Load() {}"}, "run.sh": {"load() {"}, "a.go": {"here"}}
	got := wasteOf(w, &clones.Place{Path: "a.go", Lang: clones.Golang}, func(name string) []string { return files[name] })
	if want := (waste{Context: 60, Unreachable: 10, Headings: clones.Count("# b.go\n") + clones.Count("# run.sh\n"), Repeated: 10}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestQuestions(t *testing.T) {
	for message, want := range map[string]string{
		"Read the file again after it was renamed (#12)": "Read the file again after it was renamed",
		"Bump the version of the library to seven":       "",
		"Fix typo": "",
		`Revert "Read the file again after a rename"`: "",
	} {
		h := clones.Change{Commit: clones.Commit{Message: message}, Files: []string{"a.go"}}
		if got, ok := question(&h); ok != (want != "") || ok && got != want {
			t.Errorf("%q becomes %q, %v", message, got, ok)
		}
	}
}

func TestSharedPrefixIsMeasuredUpToTheCursor(t *testing.T) {
	before := "line one\nline two\n\tcall(x"
	if got := cursorIn("# ctx\nrest\nline two\n\tcall(x\n}\n", before); got != len("# ctx\nrest\nline two\n\tcall(x") {
		t.Errorf("the cursor is at %d", got)
	}
	if got := wordEnds("\tfoo.bar(x)\n", 1); len(got) != 4 || got[1] != 4 || got[3] != 10 {
		t.Errorf("words end at %v", got)
	}
}
