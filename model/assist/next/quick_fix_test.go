package next

import (
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model/assist/assisttest"
	"tandem/workspace"
	"tandem/workspace/judge"
	"tandem/workspace/names"
)

// TestMissingImports: for which messages of compilers an import is looked for.
func TestMissingImports(t *testing.T) {
	b := newBench(t, lanes{}, "package main\n\nvar x = fmt.Sprint(a_1, é$)\n", nil)
	n, snap := b.engine.NextEdits, b.Session.Snapshot()
	o, _ := snap.Overlay(b.URI)
	n.Core.Judge = assisttest.Judging(assisttest.Names{Fixed: func(found edits.Finding) []names.Fix { return []names.Fix{{Title: "import " + found.Name}} }})
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
	n.Core.Judge = &judge.Judge{}
	if n.missingImport(snap, o, workspace.Diagnostic{Message: "undefined: "}) != nil {
		t.Error("without a checker there is a fix")
	}
}
