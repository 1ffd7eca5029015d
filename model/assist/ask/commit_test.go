package ask

import (
	"maps"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
	"tandem/workspace/git"
	"tandem/workspace/git/gittest"
	"tandem/workspace/redact"
)

// The message is about what is staged, and not about the document from which it was
// asked for: an editor asks from .git/COMMIT_EDITMSG, which no model may see.
func TestCommitMessage(t *testing.T) {
	lane := replies("```\n", "Return the last price\n", "```")
	b := newBench(t, lanes{model.Fast: lane}, "package main\n", map[string]string{"price.go": "package main\n\nfunc price() int { return 2 }\n"})
	r := gittest.New(t, b.Root)
	files := map[string]string{"price.go": "package main\n\nfunc price() int { return 1 }\n", ".env": "A=1\n"}
	r.Commit("Add a price\n\nBecause it was missing.", r.Files(files))
	r.Stage(files)
	uri := workspace.URIOf(b.Root + "/.git/COMMIT_EDITMSG")
	ask := func() (model.Answer, error) {
		return b.engine.Asker.CommitMessage(t.Context(), b.Session.Snapshot(), uri, nil)
	}

	if _, err := ask(); err == nil || !strings.Contains(err.Error(), "Nothing is staged") {
		t.Errorf("nothing is staged: %v", err)
	}
	staged := maps.Clone(files)
	staged["price.go"] = "package main\n\nfunc price() int { return 2 }\n"
	staged[".env"] = "A=canary\n"
	r.Stage(staged)
	message, err := ask()
	if err != nil || message != (model.Whole{Text: "Return the last price"}) {
		t.Fatalf("%q, %v", message, err)
	}
	sent := ""
	for _, m := range lane.Requests()[0].Input {
		sent += m.Text.String()
	}
	for _, want := range []string{"+func price() int { return 2 }", "-func price() int { return 1 }", "changed .env (not shown)", "Earlier message: Add a price", `<file path="price.go">`} {
		if !strings.Contains(sent, want) {
			t.Errorf("the request has no %q:\n%s", want, sent)
		}
	}
	if strings.Contains(sent, "canary") {
		t.Errorf("a file with keys was sent:\n%s", sent)
	}
}

// TestStagedChangesInWords: what a commit message is written of: diffs up to a bound, else names.
func TestStagedChangesInWords(t *testing.T) {
	diff := edits.Unified("a", "x\n", "y\n")
	filler := git.Change{Path: "f", After: strings.Repeat("z\n", maxCommitDiff/3-100), AbsentBefore: true}
	full := edits.Unified("f", "", filler.After)
	small := git.Change{Path: "a", Before: "x\n", After: "y\n"}
	for _, c := range []struct {
		list []git.Change
		want string
	}{
		{nil, ""}, {[]git.Change{small, small}, diff + diff}, {[]git.Change{{Path: "b", Before: "x", After: "y", Unread: git.ErrBinary}, small}, "changed b (not shown)\n" + diff},
		{[]git.Change{{Path: "b", AbsentBefore: true, Unread: git.ErrBinary}, {Path: "c", AbsentAfter: true, Unread: git.ErrBinary}}, "added b (not shown)\nremoved c (not shown)\n"},
		{[]git.Change{small, filler, {Path: "g", After: filler.After, AbsentBefore: true}, small}, diff + full + "added g (not shown)\n" + diff},
	} {
		if got := describe(&redact.Redactor{}, c.list).String(); got != c.want {
			t.Errorf("%.200q, want %.200q", got, c.want)
		}
	}
	if size, first := changed(git.Change{Before: "abc\n", After: "abXc\n"}); size != 1 || first != 2 {
		t.Errorf("%d bytes changed, from %d", size, first)
	}
	if size, first := changed(git.Change{}); size != 0 || first != 0 {
		t.Errorf("%d bytes changed, from %d", size, first)
	}
}
