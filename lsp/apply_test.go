package lsp

import (
	"testing"

	"tandem/edits"
	"tandem/workspace"
)

// TestAQuietEditorHasSaidNothing: an editor that has sent no text since an edit, but for what it opens
// a new file with, has not said that its text is another.
func TestAQuietEditorHasSaidNothing(t *testing.T) {
	s, err := workspace.Open(t.Context(), workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	text := func(uri, to string) { s.Update(workspace.Edited{URI: uri, Version: 2, Text: edits.NewText(to)}) }
	s.Update(workspace.Opened{URI: "untitled:a", Text: edits.NewText("a")})
	before := s.Snapshot()
	came := func(uri string, want bool) {
		t.Helper()
		if got := textCame(before, s.Snapshot(), uri); got != want {
			t.Errorf("the text of %s came: %v", uri, got)
		}
	}
	came("untitled:a", false)
	came("untitled:none", true) // on disk, which is looked at
	s.Update(workspace.Opened{URI: "untitled:new", Text: edits.NewText("")})
	came("untitled:new", false)
	text("untitled:a", "b")
	text("untitled:new", "b")
	came("untitled:a", true)
	came("untitled:new", true)
}
