package next

import (
	"context"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/names"
)

// oneFix knows one fix for every name.
type oneFix struct{ edits.Names }

func (oneFix) Fixes(_ edits.FileChange, found edits.Finding) []names.Fix {
	return []names.Fix{{Title: "import " + found.Name}}
}

// TestMissingImports: for which messages of compilers an import is looked for.
func TestMissingImports(t *testing.T) {
	b := newBench(t, lanes{}, "package main\n\nvar x = fmt.Sprint(a_1, é$)\n", nil)
	n, snap := b.engine.NextEdits, b.Session.Snapshot()
	o, _ := snap.Overlay(b.URI)
	n.Core.Names = func(context.Context, *workspace.Snapshot) edits.Names { return oneFix{} }
	for _, c := range []struct{ part, message, want string }{
		{"fmt", "undefined: fmt", "import fmt"}, {"a_1", "a_1 is not defined", "import a_1"}, {"é$", "Cannot find name 'é$'", "import é$"}, {"fmt", "undeclared name: fmt", "import fmt"}, {"fmt", "Cannot find namespace 'fmt'", "import fmt"},
		{"fmt", "fmt is odd", ""}, {"fmt", "undefined: os", ""}, {"", "undefined: fmt", ""}, {"fmt.Sprint", "undefined: fmt.Sprint", ""}, {"(a", "undefined: (a", ""},
	} {
		at := strings.Index(o.Text.String(), c.part)
		got := ""
		for _, f := range n.missingImport(t.Context(), snap, o, workspace.Diagnostic{Span: edits.Span{Start: at, End: at + len(c.part)}, Message: c.message}) {
			got += f.Title
		}
		if got != c.want {
			t.Errorf("%q of %q: %q, want %q", c.message, c.part, got, c.want)
		}
	}
	n.Core.Names = nil
	if n.missingImport(t.Context(), snap, o, workspace.Diagnostic{Message: "undefined: "}) != nil {
		t.Error("without a checker there is a fix")
	}
}
