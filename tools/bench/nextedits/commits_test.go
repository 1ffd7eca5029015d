package main

import (
	"strings"
	"testing"

	"tandem/edits"
)

// TestStepsLeadToTheCommit: the steps, made one after another, make the later versions.
func TestStepsLeadToTheCommit(t *testing.T) {
	before := map[string]string{"b.go": "one\ntwo\nthree\nfour\n", "a.go": "x\n", "gone.go": "y\n"}
	after := map[string]string{"b.go": "one\n2\n2.5\nthree\n4\n", "a.go": "w\nx\n", "new.go": "z\n"}
	text := map[string]string{"a.go": before["a.go"], "b.go": before["b.go"]}
	steps := stepsOf(before, after)
	for _, s := range steps {
		text[s.Path] = text[s.Path][:s.Edit.Start] + s.Edit.New + text[s.Path][s.Edit.End:]
	}
	if len(steps) != 3 || steps[0].Path != "a.go" || text["a.go"] != after["a.go"] || text["b.go"] != after["b.go"] {
		t.Errorf("%d steps, which make %q", len(steps), text)
	}
}

func TestJudge(t *testing.T) {
	const now, want = "a = load(1)\nb = load(2)\nkeep()\n", "a = read(1)\nb = read(2, x)\nkeep()\n"
	for _, c := range []struct {
		old, new string
		want     verdict
	}{
		{"a = load(1)", "a = read(1)", right},
		{"load(1)", "read(1)", right},
		{"b = load(2)", "b = read(2)", wrong}, // none of its words is the commit's
		{"b = load(2)", "b = read(2, y)", partly},
		{"keep()", "drop()", wrong},
		{"a = load(1)", "a = read(1)\nextra()", partly},
	} {
		at := strings.Index(now, c.old)
		if got := judge(now, want, edits.Edit{Span: edits.Span{Start: at, End: at + len(c.old)}, New: c.new}); got != c.want {
			t.Errorf("%q for %q is %v, want %v", c.new, c.old, got, c.want)
		}
	}
}
