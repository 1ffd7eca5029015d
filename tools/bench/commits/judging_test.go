package main

import (
	"strconv"
	"strings"
	"testing"
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
		if got := cannotMean(c.from, languageOf(c.from), c.to, c.name); got != c.want {
			t.Errorf("%s in %s at %s: cannot mean is %v", c.name, c.to, c.from, got)
		}
	}
}

func TestWasteOfAWindow(t *testing.T) {
	w := &window{Tokens: 100, Text: "# b.go\nfunc Load() {}\n# run.sh\n12: load() {\n\nhere\n", Fragments: []fragment{
		{Path: "b.go", Tokens: 20, Kind: "definition", Reason: "defines Load, used at a.go:1"},
		{Path: "run.sh", Tokens: 10, Kind: "definition", Reason: "defines Load, used at a.go:1"},
		{Path: "run.sh", Tokens: 5, Kind: "caller", Reason: "calls Load"},
		{Path: "a.go", Tokens: 40, Kind: "cursor", Reason: "the place"},
	}}
	files := map[string][]string{"b.go": {"func Load() {}"}, "run.sh": {"load() {"}, "a.go": {"here"}}
	got := wasteOf(w, &place{path: "a.go", lang: golang}, func(name string) []string { return files[name] })
	if want := (waste{Context: 60, Unreachable: 10, Headings: count("# b.go\n") + count("# run.sh\n"), Repeated: 10}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestShownWhole(t *testing.T) {
	lines := []string{"func f() {", "", "\treturn 1", "}"}
	for _, c := range []struct {
		prompt string
		whole  bool
		most   int
	}{
		{"# a.go\nfunc f() {\n\n\treturn 1\n}\nrest", true, 3},
		{"3: func f() {\n5: \treturn 1\n6: }", true, 3},
		{"3\tfunc f() {\n5\t\treturn 1\n6\t}", true, 3},
		{"func f() {\n…\n}", false, 1},
		{"func g() {\n\treturn 1\n}", false, 2},
		{"", false, 0},
	} {
		if got := shownWhole(c.prompt, lines); got != c.whole {
			t.Errorf("whole in %q: %v", c.prompt, got)
		}
		if got := longestShown(c.prompt, lines); got != c.most {
			t.Errorf("%d lines in %q, want %d", got, c.prompt, c.most)
		}
	}
}

func TestDefinitionsOfLanguages(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"a.go", "type T struct {\n\tx int\n}\n\nfunc (t *T) Get(\n\tk string,\n) int {\n\treturn t.x\n}\n", "T 0-3, T.Get() 4-9"},
		{"a.py", "class A:\n    def get(\n        self,\n    ):\n        return 1\n\n    x = 2\n\ndef top():\n    pass\n", "A 0-7, A.get() 1-5, top() 8-10"},
		{"a.ts", "export class A {\n  get(k: string): number {\n    return call(() => {\n    })\n  }\n}\nexport const f = (a) => {\n  g()\n}\n", "A 0-6, A.get() 1-5, f() 6-9"},
		{"a.rs", "impl<T> Read for Thing<T> {\n    pub fn get(&self) -> u8\n    where\n        T: Copy,\n    {\n        1\n    }\n}\n", "Thing 0-8, Thing.get() 1-7"},
		{"A.java", "public class A {\n  int get(String k) {\n    return call(k, b -> {\n    });\n  }\n}\n", "A 0-6, A.get() 1-5"},
	} {
		var got []string
		for _, d := range definitions(strings.Split(strings.TrimSuffix(c.text, "\n"), "\n"), languageOf(c.file)) {
			name := d.name
			if d.outer != "" {
				name = d.outer + "." + name
			}
			if d.function {
				name += "()"
			}
			got = append(got, name+" "+strconv.Itoa(d.first)+"-"+strconv.Itoa(d.last))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %s, want %s", c.file, strings.Join(got, ", "), c.want)
		}
	}
}

func TestQuestions(t *testing.T) {
	for message, want := range map[string]string{
		"Read the file again after it was renamed (#12)": "Read the file again after it was renamed",
		"Bump the version of the library to seven":       "",
		"Fix typo": "",
		`Revert "Read the file again after a rename"`: "",
	} {
		h := change{commit: commit{message: message}, files: []string{"a.go"}}
		if got, ok := h.question(); ok != (want != "") || ok && got != want {
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

func TestBodiesOfWindowsAndPieces(t *testing.T) {
	f := treeOf(map[string]string{"a.go": "package a\n\nfunc f() {\n\treturn\n}\n\nfunc g() {\n\tcall()\n}\n"}).byPath["a.go"]
	for _, c := range []struct {
		text  string
		f     fragment
		shown bool
	}{
		{"# a.go\n3: func f() {\n4: \treturn\n5: }\n", fragment{Path: "a.go", StartLine: 3, EndLine: 5, Kind: "code"}, true},
		{"func f() {\n\treturn\n}\n", fragment{Path: "b.go", StartLine: 3, EndLine: 5, Kind: "code"}, false},
		{"func f() {\nfunc g() {\n", fragment{Path: "a.go", StartLine: 1, EndLine: 9, Kind: "code"}, false},
	} {
		if got := shownBody(&window{Text: c.text, Fragments: []fragment{c.f}}, f); got != c.shown {
			t.Errorf("a body in %q: %v", c.text, got)
		}
	}
	if heldBody([]piece{{file: f, first: 3, last: 8}}, f) || !heldBody([]piece{{file: f, first: 2, last: 4}, {file: f, first: 4, last: 6}}, f) {
		t.Error("pieces hold a body where they hold all of its lines")
	}
}
