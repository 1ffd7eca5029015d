package edit

import (
	"path/filepath"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model/assist/assisttest"
)

// TestProposalsAreJudgedByTheirOwnText: a proposal is about its own documents alone, and one
// that follows an open document is not led back to an older text of it.
func TestProposalsAreJudgedByTheirOwnText(t *testing.T) {
	b := newBench(t, lanes{}, assisttest.Source, map[string]string{"b.go": "package main\n\nvar x = 1\n"})
	old := b.Session.Snapshot()
	changes := []edits.FileChange{assisttest.ChangeOf("main.go", assisttest.Source, "return 2", "return 22"), assisttest.ChangeOf("b.go", "package main\n\nvar x = 1\n", "1", "2")}
	p, err := b.engine.Editor.ProposeChanges(t.Context(), old, changes, Proposal{Request: Request{URI: b.URI}})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(b.engine.Editor.Live(b.URI)); n != 1 {
		t.Errorf("%d proposals on the document", n)
	}
	if n := len(b.engine.Editor.Live("untitled:other")); n != 0 {
		t.Errorf("%d proposals on another document", n)
	}
	b.Edit(0, 0, "// first\n")
	list, err := b.engine.Editor.Accept(t.Context(), old, p.ID, -1, false)
	if err != nil || len(list) != 2 || list[0].Version != b.Version || list[0].Base.String() != b.Text() || list[1].Version != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	for hunk, want := range map[int]string{0: "main.go", 1: "b.go"} {
		list, err := b.engine.Editor.Accept(t.Context(), b.Session.Snapshot(), p.ID, hunk, false)
		if err != nil || len(list) != 1 || filepath.Base(list[0].URI) != want || len(list[0].Edits) != 1 {
			t.Errorf("change %d: %+v, %v", hunk, list, err)
		}
	}
	if _, err := b.engine.Editor.Accept(t.Context(), b.Session.Snapshot(), p.ID, 2, false); err == nil || err.Error() != "The suggestion has no change number 3." {
		t.Errorf("a change that is not there: %v", err)
	}
	if err := b.engine.Editor.RejectPart(b.Session.Snapshot(), p.ID, Part{Hunk: assisttest.HunkNumber(1)}); err != nil {
		t.Fatal(err)
	}
	if list, err := b.engine.Editor.Accept(t.Context(), b.Session.Snapshot(), p.ID, -1, false); err != nil || len(list) != 1 && len(list[1].Edits) != 0 {
		t.Errorf("after a rejection: %+v, %v", list, err)
	}
}

// TestTitles: the first line of an instruction, up to 60 letters.
func TestTitles(t *testing.T) {
	for text, want := range map[string]string{" one \ntwo": "one ", strings.Repeat("é", 60): strings.Repeat("é", 60), strings.Repeat("é", 61): strings.Repeat("é", 59) + "…", "": ""} {
		if got := Headline(text); got != want {
			t.Errorf("%q has the title %q", text, got)
		}
	}
}
