package lsp

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/workspace"
)

// TestReviewOfChanges: hunks are listed where they are, with what check found in them; a mark
// ends where its hunk changes; a revert brings back the base's lines and nothing else, and not
// those of a hunk that has changed.
func TestReviewOfChanges(t *testing.T) {
	dir := t.TempDir()
	uri := workspace.URIOf(filepath.Join(dir, "a.go"))
	const base = "package a\n\nfunc one() {}\n\nfunc two() {}\n"
	marks := map[string]string{}
	var e *editor
	d := deps(t, &cassette{none: true})
	d.Changes = func(_ context.Context, _ string, check bool) ([]ChangedFile, []string, error) {
		now := e.text(uri)
		f := ChangedFile{URI: uri, Change: edits.FileChange{Path: "a.go", Before: base, After: now}}
		if at := strings.Index(now, "nowhere"); check && at >= 0 {
			f.Findings = []edits.Finding{{Path: "a.go", Span: edits.Span{Start: at, End: at + 7}, Severity: "error", Message: "There is no nowhere."}}
		}
		return []ChangedFile{f}, []string{"b.go was not checked"}, nil
	}
	d.Marks = func() map[string]string { return marks }
	d.Mark = func(id, mark string) error { marks[id] = mark; return nil }
	e = start(t, d)
	e.initialize(fullClient(), dir)
	e.open(uri, "go", "package a\n\nfunc one() { nowhere() }\n\nfunc two() {}\n\nfunc three() {}\n")
	list := func() (hunks []changedHunk) {
		t.Helper()
		raw, err := e.call("workspace/executeCommand", object{"command": "tandem.changes", "arguments": []any{object{}}})
		var answer struct {
			Files    []changedFile
			Unjudged []string
		}
		if err != nil || json.Unmarshal(raw, &answer) != nil || len(answer.Files) != 1 || len(answer.Unjudged) != 1 {
			t.Fatalf("%s: %v", raw, err)
		}
		return answer.Files[0].Hunks
	}
	do := func(action, id string) error {
		_, err := e.call("workspace/executeCommand", object{"command": "tandem.changes", "arguments": []any{object{"action": action, "id": id}}})
		return err
	}
	first := list()
	if len(first) != 2 || first[0].Range.Start.Line != 2 || first[0].Range.End.Line != 3 || first[0].Removed != "func one() {}\n" || len(first[0].Findings) != 1 || len(first[1].Findings) != 0 || first[1].Range.End.Line != 7 {
		t.Fatalf("%+v", first)
	}
	for i, mark := range []string{"reviewed", "kept"} {
		if err := do(mark, first[i].ID); err != nil {
			t.Fatal(err)
		}
	}
	e.change(uri, wireRange{position{6, 0}, position{6, 0}}, "// More.\n")
	if now := list(); now[0].Mark != "reviewed" || now[1].Mark != "" || now[1].ID == first[1].ID {
		t.Errorf("after typing in the second: %+v", now)
	}
	if err := do("revert", first[1].ID); err == nil || !strings.Contains(err.Error(), "is not as it was shown") {
		t.Errorf("a hunk that has changed is reverted: %v", err)
	}
	if err := do("revert", first[0].ID); err != nil {
		t.Fatal(err)
	}
	if got := e.text(uri); got != base+"\n// More.\nfunc three() {}\n" {
		t.Errorf("after the revert:\n%s", got)
	}
	if err := do("explode", list()[0].ID); err == nil || !strings.Contains(err.Error(), "reviewed, kept, unmark, revert") {
		t.Errorf("an unknown action: %v", err)
	}
}
