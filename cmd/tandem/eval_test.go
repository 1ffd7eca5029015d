package main

import (
	"bytes"
	"strings"
	"testing"

	"tandem/model/assist/core"
	"tandem/model/assist/inline"
	"tandem/workspace/git"
)

// TestTypedLines: of a run of new lines, those before the requested line are in
// the text and those after it are not; every line can be rebuilt from its three
// parts.
func TestTypedLines(t *testing.T) {
	before := "package a\n\nfunc one() {\n\tfirst()\n}\n"
	after := "package a\n\nfunc one() {\n\tfirst()\n\tsecond(1)\n\tthird(2)\n}\n\nfunc two() {}\n"
	got := typedLines([]git.Commit{{Changes: []git.Change{
		{Path: "a.go", Before: before, After: after},
		{Path: "gone.go", Before: before, AbsentAfter: true},
		{Path: "image.png", Unread: git.ErrBinary},
	}}}, 100)
	var wants []string
	for _, line := range got {
		wants = append(wants, line.want)
		if whole := line.before + line.want; !strings.HasPrefix(after, whole) {
			t.Errorf("%q is not how the file begins", whole)
		}
		if !strings.HasSuffix(after, line.after) {
			t.Errorf("%q is not how the file ends", line.after)
		}
		if strings.Contains(line.after, line.want) {
			t.Errorf("%q stands after itself already", line.want)
		}
	}
	if strings.Join(wants, "|") != "second(1)|third(2)|func two() {}" {
		t.Errorf("lines %q", wants)
	}
	if n := len(typedLines([]git.Commit{{Changes: []git.Change{{Path: "a.go", Before: before, After: after}}}}, 2)); n > 2 {
		t.Errorf("%d lines of one commit, asked for 2", n)
	}
}

// TestEvalScore: only the model's own suggestions count for it, and a suggestion
// is exact only if the whole first line is.
func TestEvalScore(t *testing.T) {
	line := typedLine{want: "second(1)"}
	item := func(lane, text string) inline.Completions {
		c := inline.Completion{Text: text}
		c.From.Lane = lane
		return inline.Completions{Items: []inline.Completion{c}}
	}
	r := evalRow{Model: "m"}
	r.score(line, item("fast", "second(1)\nthird(2)"), nil)
	r.score(line, item("fast", "second(2)"), nil)
	r.score(line, item(core.BuiltIn, "second(1)"), nil)
	r.score(line, inline.Completions{Reason: "quiet"}, nil)
	if r.Lines != 4 || r.Shown != 2 || r.Exact != 1 || r.Failed != "quiet" {
		t.Errorf("scored %+v", r)
	}
	var out bytes.Buffer
	if err := printEval(&out, []evalRow{r}); err != nil || !strings.Contains(out.String(), "50.0 %") {
		t.Errorf("printed %q, %v", out.String(), err)
	}
}
