package assist

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/names"
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
	snap := session.Update(workspace.CauseEditor, workspace.Opened{URI: uri, Version: 1, Language: "go", Text: edits.NewText(text)})
	checker := names.New(names.Options{Private: true})
	e := New(Deps{SharedDeps: SharedDeps{Names: func(s *workspace.Snapshot) edits.Names { return checker.For(names.Of(s)) }}})
	for mark, want := range map[string]string{"ToUper": "strings.ToUpper(\"\")", "Sprint": "import \"strings\"\nimport \"fmt\"\n"} {
		at := strings.Index(text, mark)
		fixes := e.Editor.QuickFixes(snap, uri, edits.Span{Start: at, End: at})
		if len(fixes) == 0 {
			t.Errorf("%s: no fix", mark)
			continue
		}
		after, err := edits.Apply(edits.NewText(text), fixes[0].Edits)
		if err != nil || !strings.Contains(after.String(), want) {
			t.Errorf("%s: %q gives %q, %v; want %q in it", mark, fixes[0].Title, after.String(), err, want)
		}
	}
	if fixes := e.Editor.QuickFixes(snap, uri, edits.Span{}); len(fixes) != 0 {
		t.Errorf("fixes of a right line: %+v", fixes)
	}
}

// oneFix knows one fix for every name.
type oneFix struct{ edits.Names }

func (oneFix) Fixes(_ edits.FileChange, found edits.Finding) []names.Fix {
	return []names.Fix{{Title: "import " + found.Name}}
}

// TestMissingImports: for which messages of compilers an import is looked for.
func TestMissingImports(t *testing.T) {
	b := newBench(t, lanes{}, "package main\n\nvar x = fmt.Sprint(a_1, é$)\n", nil)
	n, snap := b.engine.NextEdits, b.session.Snapshot()
	o, _ := snap.Overlay(b.uri)
	n.Names = func(*workspace.Snapshot) edits.Names { return oneFix{} }
	for _, c := range []struct{ part, message, want string }{
		{"fmt", "undefined: fmt", "import fmt"}, {"a_1", "a_1 is not defined", "import a_1"}, {"é$", "Cannot find name 'é$'", "import é$"}, {"fmt", "undeclared name: fmt", "import fmt"}, {"fmt", "Cannot find namespace 'fmt'", "import fmt"},
		{"fmt", "fmt is odd", ""}, {"fmt", "undefined: os", ""}, {"", "undefined: fmt", ""}, {"fmt.Sprint", "undefined: fmt.Sprint", ""}, {"(a", "undefined: (a", ""},
	} {
		at := strings.Index(o.Text.String(), c.part)
		got := ""
		for _, f := range n.missingImport(snap, o, workspace.Diagnostic{Span: edits.Span{Start: at, End: at + len(c.part)}, Message: c.message}) {
			got += f.Title
		}
		if got != c.want {
			t.Errorf("%q of %q: %q, want %q", c.message, c.part, got, c.want)
		}
	}
	n.Names = nil
	if n.missingImport(snap, o, workspace.Diagnostic{Message: "undefined: "}) != nil {
		t.Error("without a checker there is a fix")
	}
}
