package edit_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model/assist/edit"
	"tandem/workspace"
	"tandem/workspace/judge"
	"tandem/workspace/run"
)

func TestQuickFixes(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	group := run.NewGroup(t.Context(), nil)
	session, err := workspace.Open(t.Context(), workspace.Options{Folders: []string{dir}, Group: group})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		group.Close()
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	}()
	const text = "package m\n\nimport \"strings\"\n\nvar a = strings.ToUper(\"\")\n\nvar b = fmt.Sprint(a)\n"
	uri := workspace.URIOf(filepath.Join(dir, "a.go"))
	snap := session.Update(workspace.Opened{URI: uri, Version: 1, Language: "go", Text: edits.NewText(text)})
	e := &edit.Editor{Judge: judge.New(nil, nil)}
	for mark, want := range map[string]string{"ToUper": "strings.ToUpper(\"\")", "Sprint": "import \"strings\"\nimport \"fmt\"\n"} {
		at := strings.Index(text, mark)
		fixes := e.QuickFixes(snap, uri, edits.Span{Start: at, End: at})
		if len(fixes) == 0 {
			t.Errorf("%s: no fix", mark)
			continue
		}
		after, err := edits.Apply(edits.NewText(text), fixes[0].Edits)
		if err != nil || !strings.Contains(after.String(), want) {
			t.Errorf("%s: %q gives %q, %v; want %q in it", mark, fixes[0].Title, after.String(), err, want)
		}
	}
	if fixes := e.QuickFixes(snap, uri, edits.Span{}); len(fixes) != 0 {
		t.Errorf("fixes of a right line: %+v", fixes)
	}
}
