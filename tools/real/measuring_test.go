package main

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"tandem/tools/bench/clones"
)

// What Python's difflib says of these pairs.
func TestRatioIsThatOfDifflib(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"", "", 1},
		{"abc", "abc", 1},
		{"abc", "", 0},
		{"return x", "return y", 0.875},
		{"for i in range(n):", "for item in items:", 0.611111},
		{"abcd", "bcde", 0.75},
		{"WIKIMEDIA", "WIKIMANIA", 0.777778},
		{"a.b(c, d)", "d(c).b.a", 0.235294},
		{"if err != nil { return err }", "if err := f(); err != nil { return nil, err }", 0.767123},
		{"ä ö", "ö ä", 0.333333},
	} {
		if got := ratio(c.a, c.b); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%q and %q: %.6f, want %.6f", c.a, c.b, got, c.want)
		}
	}
}

func TestIntervalHoldsTheMean(t *testing.T) {
	if low, high := interval([]float64{3, 3, 3}); low != 3 || high != 3 {
		t.Errorf("%v … %v of equal values", low, high)
	}
	values := make([]float64, 100)
	for i := range values {
		values[i] = float64(i % 2)
	}
	// The normal approximation says 0.5 ± 1.96 × 0.05.
	if low, high := interval(values); low < 0.37 || low > 0.43 || high < 0.57 || high > 0.63 {
		t.Errorf("%v … %v of a hundred halves", low, high)
	}
}

// Wilson's interval as tables have it.
func TestShareIntervalOfFewSamples(t *testing.T) {
	for _, c := range []struct{ share, n, low, high float64 }{{0, 10, 0, 0.278}, {1, 10, 0.722, 1}, {0.5, 100, 0.404, 0.596}, {0.1, 20, 0.028, 0.301}} {
		if low, high := shareInterval(c.share, int(c.n)); math.Abs(low-c.low) > 0.0005 || math.Abs(high-c.high) > 0.0005 {
			t.Errorf("%v of %v: %.3f … %.3f, want %v … %v", c.share, c.n, low, high, c.low, c.high)
		}
	}
}

func TestKeysRestWhereSomethingIsLeft(t *testing.T) {
	keys := keysOf("if one := two(); one {\n\t\treturn é\n\t}\n\tx := fourth(call, with, much)\n")
	if keys[22].key != "\n\t\t" || keys[30].key != "é" {
		t.Errorf("keys %q and %q", keys[22].key, keys[30].key)
	}
	var left []string
	for _, k := range keys {
		if k.rest {
			left = append(left, k.left)
		}
	}
	if got := strings.Join(left, "|"); len(keys) != typedKeys || got != " one {|x := fourth(call, with, much)" {
		t.Errorf("%d keys, rests before %q", len(keys), got)
	}
}

func TestCursorStandsBeforeTheForeignName(t *testing.T) {
	tree := clones.TreeOf(map[string]string{"own.go": "package a\n\nfunc f(known int) {\n}\n", "other.go": "package a\n\nfunc Foreign() {}\n"})
	p := &clones.Place{Path: "own.go", Line: 4, Column: 2, Text: "package a\n\nfunc f(known int) {\n\t\n}\n", Run: "\tlocal := known + 12\n\tlocal = local + Foreign(known)\n\tlocal++"}
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 1))
		typed, left, ok := cursorIn(p, tree, needsFile, random)
		if !ok || !strings.Contains(left, "Foreign(known)") || !strings.HasPrefix(p.Run, typed+left+"\n") {
			t.Fatalf("%q, %q, %v", typed, left, ok)
		}
		if typed, left, ok = cursorIn(p, tree, ordinary, random); !ok || strings.Contains(left, "Foreign") || !strings.HasPrefix(p.Run, typed+left) {
			t.Fatalf("ordinary: %q, %q, %v", typed, left, ok)
		}
	}
}

func TestRegionIsTandemsOwn(t *testing.T) {
	before, after := "1\n2\n3\n4 be", "hind\n5\n6\n7"
	for _, c := range []struct {
		from, to int
		want     region
	}{
		{3, 5, region{"3\n4 be", "hind\n5\n"}},
		{1, 7, region{before, after}},
		{4, 4, region{"4 be", "hind\n"}},
	} {
		w := &clones.Window{Fragments: []clones.Fragment{{Kind: "code", StartLine: 1, EndLine: 9}, {Kind: "cursor", StartLine: c.from, EndLine: c.to}}}
		if got := regionOf(w, before, after); got != c.want {
			t.Errorf("lines %d to %d: %q, want %q", c.from, c.to, got, c.want)
		}
	}
}

func TestEditCasesNameFunctions(t *testing.T) {
	var cases []editCase
	if err := json.Unmarshal(editCases, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		text, err := os.ReadFile("testdata/files/" + c.File)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := linesOf(string(text), &c); err != nil {
			t.Errorf("%s: %v", c.File, err)
		}
		if c.follows(string(text)) {
			t.Errorf("%s: the file as it is follows %q", c.id(), c.Instruction)
		}
	}
}

func TestAnEditIsJudgedByWhatItSays(t *testing.T) {
	c := editCase{Want: []string{`return sum\( ?a for`}, Never: []string{`\+=`}}
	for text, want := range map[string]bool{
		"return sum(\n    a for a in b)": true,
		"return sum(b)":                  false,
		"x += 1\nreturn sum(a for a in)": false,
	} {
		if c.follows(text) != want {
			t.Errorf("%q", text)
		}
	}
	if got := reindented("def f():\n    pass\n", "    def f():\n"); got != "    def f():\n        pass\n" {
		t.Errorf("%q", got)
	}
}
