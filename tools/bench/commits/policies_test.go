package main

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestBM25PrefersRareWordsOfTheQuery(t *testing.T) {
	tree := treeOf(map[string]string{
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
		for _, p := range bm25(tree, c.query, "own.go") {
			got = append(got, p.file.path)
		}
		if strings.Join(got, " ") != strings.Join(c.want, " ") {
			t.Errorf("%s: %q ranks %q, want %q", c.name, c.query, got, c.want)
		}
	}
}

func TestFillNeverExceedsItsBudget(t *testing.T) {
	tree := treeOf(map[string]string{"a.go": "package a\n" + strings.Repeat("\tcall(first, second, third)\n", 100)})
	pieces := bm25(tree, "call", "")
	for _, budget := range []int{0, 1, 10, 50, 400, 5000} {
		text, shown := fill(pieces, budget)
		if n := count(text); n > budget {
			t.Errorf("%d tokens for a budget of %d", n, budget)
		}
		if budget == 400 && (len(shown) == 0 || shown[len(shown)-1].last == pieces[len(shown)-1].last) {
			t.Error("the last piece is not cut to what is left")
		}
	}
}

func TestOracleTakesWhatCoversMost(t *testing.T) {
	tree := treeOf(map[string]string{
		"a.go":   "package a\n\nfunc LoadAll(path string) error {\n\treturn nil\n}\n",
		"b.go":   "package b\n\nfunc SaveAll(path string, value Setting) error {\n\treturn LoadAll(path, value)\n}\n",
		"own.go": "package own\n",
	})
	g := newGoals(tree, &place{path: "own.go", lang: golang, words: []string{"LoadAll", "SaveAll", "Setting"}})
	text := oracle(g, 200)
	if s := g.judge(text); s.words.size() != 3 || strings.Contains(text, "a.go") {
		t.Errorf("%d of 3 targets in %q", s.words.size(), text)
	}
	if text := oracle(g, 5); text != "" {
		t.Errorf("%q in 5 tokens", text)
	}
}

func TestVariedEndsRowsOfOneAuthor(t *testing.T) {
	for in, want := range map[string]string{"": "", "aaa": "aaa", "aaaa": "aaa", "aabaaaa": "aabaaa", "aaaabaaaa": "aaabaaa"} {
		var got strings.Builder
		for _, c := range varied(strings.Split(in, ""), func(s string) string { return s }) {
			got.WriteString(c)
		}
		if got.String() != want {
			t.Errorf("%q becomes %q, want %q", in, got.String(), want)
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

func TestIntervalOfADifference(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	same := make([]sample, 50)
	for i := range same {
		same[i] = sample{ours: 2, theirs: 1, trials: 4}
	}
	if low, high := interval([][]sample{same}, random); low != 25 || high != 25 {
		t.Errorf("%v … %v, want 25 … 25", low, high)
	}
	for i := range same {
		same[i].theirs = 4 * (i % 2)
	}
	if low, high := interval([][]sample{same}, random); low >= 0 || high <= 0 {
		t.Errorf("%v … %v does not hold 0", low, high)
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
