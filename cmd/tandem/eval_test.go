package main

import (
	"bytes"
	"errors"
	"strings"
	"tandem/cmd/tandem/config"
	"tandem/edits"
	"tandem/edits/hunks"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/assist/inline"
	"tandem/model/assist/next"
	"tandem/workspace"
	"tandem/workspace/git"
	"testing"
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

// TestReplayedCommits: commits that only add, remove or replace binary files, and too large
// ones, are not replayed.
func TestReplayedCommits(t *testing.T) {
	edit := git.Change{Path: "a.go", Before: "one\ntwo\n", After: "one\n2\n"}
	large := git.Change{Path: "a.go", Before: strings.Repeat("a\nb\n", maxEvalHunks+1), After: strings.Repeat("c\nb\n", maxEvalHunks+1)}
	all, inPlace := replayedCommits([]git.Commit{
		{Changes: []git.Change{edit, {Path: "new.go", After: "x\n", AbsentBefore: true}}},
		{Changes: []git.Change{{Path: "gone.go", Before: "x\n", AbsentAfter: true}, {Path: "i.png", Unread: git.ErrBinary}}},
		{Changes: []git.Change{large}},
	})
	if inPlace != 1 || len(all) != 3 || len(all[0].steps) != 1 || all[0].steps[0].Path != "a.go" || all[0].after["a.go"] != edit.After || len(all[1].steps)+len(all[2].steps) > 0 {
		t.Errorf("replayed %d: %+v", inPlace, all)
	}
	if text, known := all[0].undone["new.go"]; !known || text != "" || all[1].undone["gone.go"] != "x\n" || len(all[1].undone) != 1 {
		t.Errorf("undone %+v", all)
	}
}

// TestScoreNextEdit: only the model's own edits count for it, an edit of a file that the
// commit does not touch is wrong, and what is shown where nothing follows is noise.
func TestScoreNextEdit(t *testing.T) {
	row := nextEditRow{Model: "m"}
	next := &next.Offer{URI: "file:///nowhere/a.go"}
	next.From.Lane = core.BuiltIn
	one, two := replayedCommit{steps: make([]hunks.Step, 1)}, replayedCommit{steps: make([]hunks.Step, 2)}
	row.score(nil, next, "", two)
	row.score(nil, nil, "quiet", two)
	row.Model = config.Local
	row.score(nil, next, "", one)
	if row.Hunks != 2 || row.Shown != 0 || row.Single != 1 || row.Noise != 1 || row.Failed != "quiet" {
		t.Errorf("scored %+v", row)
	}
}

// TestScoreEdit: an edit obeys where the code stays and a comment comes; the format with the
// most of these is recommended.
func TestScoreEdit(t *testing.T) {
	before := "package a\n\nfunc f() int {\n\treturn 1\n}\n"
	o := &workspace.Overlay{Language: "go", Text: edits.NewText(before)}
	proposal := func(after string) *edit.Proposal {
		return &edit.Proposal{Proposal: edits.Proposal{Files: []edits.ProposedFile{{Path: "a.go", Base: o.Text, Edits: edits.Diff(before, after)}}}}
	}
	whole, blocks := editRow{Model: "m", Format: "rewrite"}, editRow{Model: "m", Format: "search_replace"}
	whole.score(o, proposal(strings.Replace(before, "\treturn", "\t// It is one.\n\treturn", 1)), nil)
	whole.score(o, proposal(strings.Replace(before, "return 1", "return 2 // two", 1)), nil)
	blocks.score(o, nil, errors.New("no block"))
	blocks.score(o, proposal(strings.Replace(before, "\treturn", "\tprintln()\n\treturn", 1)), nil)
	if whole.Asked != 2 || whole.Read != 2 || whole.Obeyed != 1 || blocks.Read != 1 || blocks.Obeyed != 0 || blocks.Failed != "no block" {
		t.Errorf("%+v, %+v", whole, blocks)
	}
	var out bytes.Buffer
	if err := printEdits(&out, []editRow{blocks, whole}); err != nil || !strings.Contains(out.String(), `m: write edit_format = "rewrite" into [models.m]`) {
		t.Errorf("printed %q, %v", out.String(), err)
	}
}
