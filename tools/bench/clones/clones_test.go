package clones

import (
	"strings"
	"testing"
)

func TestShownWhole(t *testing.T) {
	lines := []string{"func f() {", "", "\treturn 1", "}"}
	for _, c := range []struct {
		prompt string
		whole  bool
	}{
		{"# a.go\nfunc f() {\n\n\treturn 1\n}\nrest", true},
		{"3: func f() {\n5: \treturn 1\n6: }", true},
		{"3\tfunc f() {\n5\t\treturn 1\n6\t}", true},
		{"func f() {\n…\n}", false},
		{"func g() {\n\treturn 1\n}", false},
		{"", false},
	} {
		if got := ShownWhole(c.prompt, lines); got != c.whole {
			t.Errorf("whole in %q: %v", c.prompt, got)
		}
	}
}

func TestBM25PrefersRareWordsOfTheQuery(t *testing.T) {
	tree := TreeOf(map[string]string{
		"common.go": "package a\n\nfunc context() { return value }\n",
		"rare.go":   "package a\n\nfunc frobnicate() { return value }\n",
		"other.go":  "package a\n\nfunc context() { context() }\n",
		"own.go":    "package a\n\nfunc frobnicate() { frobnicate() }\n",
		"long.go":   "package a\n\nfunc context() {\n" + strings.Repeat("\tmany(other, words)\n", 25) + "}\n",
	})
	for _, c := range []struct {
		name, query string
		want        []string
	}{
		{"a rare word before a common one", "context frobnicate", []string{"rare.go", "other.go", "common.go", "long.go"}},
		{"one that no file has", "absent", nil},
		{"twice is better than once", "context", []string{"other.go", "common.go", "long.go"}},
	} {
		var got []string
		for _, p := range BM25(tree, c.query, "own.go") {
			got = append(got, p.File.Path)
		}
		if strings.Join(got, " ") != strings.Join(c.want, " ") {
			t.Errorf("%s: %q ranks %q, want %q", c.name, c.query, got, c.want)
		}
	}
}

func TestFillNeverExceedsItsBudget(t *testing.T) {
	tree := TreeOf(map[string]string{"a.go": "package a\n" + strings.Repeat("\tcall(first, second, third)\n", 100)})
	pieces := BM25(tree, "call", "")
	for _, budget := range []int{0, 1, 10, 50, 400, 5000} {
		text, shown := Fill(pieces, budget)
		if n := Count(text); n > budget {
			t.Errorf("%d tokens for a budget of %d", n, budget)
		}
		if budget == 400 && (len(shown) == 0 || shown[len(shown)-1].Last == pieces[len(shown)-1].Last) {
			t.Error("the last piece is not cut to what is left")
		}
	}
}

func TestAddedRunsOfAPatch(t *testing.T) {
	patch := `diff --git a/a.go b/a.go
index 1..2 100644
--- a/a.go
+++ b/a.go
@@ -3,0 +4,2 @@ func f() {
+one
+++ b/two
@@ -9 +11 @@
-old
+new
@@ -20,4 +20,0 @@
-gone
`
	want := []run{{"a.go", -0, 0}, {"a.go", 3, 2}, {"a.go", 10, 1}, {"a.go", 19, 0}}
	got := addedRuns(patch)
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("run %d is %v, want %v", i, got[i], want[i])
		}
	}
}

func TestSignedByRefusesLongRows(t *testing.T) {
	list := []signed{{90, "a"}, {80, "a"}, {60, "a"}, {50, "b"}}
	for _, c := range []struct {
		add  signed
		want bool
	}{
		{signed{70, "a"}, false},
		{signed{100, "a"}, false},
		{signed{55, "a"}, false},
		{signed{40, "a"}, true},
		{signed{70, "b"}, true},
		{signed{45, "b"}, true},
	} {
		longer, ok := signedBy(list, c.add)
		if ok != c.want || ok && len(longer) != len(list)+1 {
			t.Errorf("%v put in: %v, %v", c.add, longer, ok)
		}
	}
}

func TestPlaceKeepsIndentation(t *testing.T) {
	p := newPlace("func f() {\n\tone()\n\tLoadAll(path)\n\ttwo()\n}\n", run{"a.go", 2, 1})
	if p.Line != 3 || p.Column != 2 || p.Text != "func f() {\n\tone()\n\t\n\ttwo()\n}\n" {
		t.Errorf("place at %d:%d in %q", p.Line, p.Column, p.Text)
	}
	text, line, column := p.Typed("\tLoad")
	if text != "func f() {\n\tone()\n\tLoad\n\ttwo()\n}\n" || line != 3 || column != 6 {
		t.Errorf("typed %q, cursor at %d:%d", text, line, column)
	}
	if p := newPlace("// all\n// of this\n// is prose\n", run{"a.go", 0, 3}); p != nil {
		t.Error("a run without identifiers is a place")
	}
}
