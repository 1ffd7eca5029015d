package next

import (
	"strings"
	"testing"

	"tandem/edits"
	"tandem/workspace"
)

// TestMissingImports: for which messages of compilers an import is looked for.
func TestMissingImports(t *testing.T) {
	b := newBench(t, lanes{}, "package main\n\nvar x = fmt.Sprint(a_1, é$)\n", nil)
	o, _ := b.Session.Snapshot().Overlay(b.URI)
	for _, c := range []struct{ part, message, want string }{
		{"fmt", "undefined: fmt", "import fmt"}, {"a_1", "a_1 is not defined", "import a_1"}, {"é$", "Cannot find name 'é$'", "import é$"}, {"fmt", "undeclared name: fmt", "import fmt"}, {"fmt", "Cannot find namespace 'fmt'", "import fmt"},
		{"fmt", "fmt is odd", ""}, {"fmt", "undefined: os", ""}, {"", "undefined: fmt", ""}, {"fmt.Sprint", "undefined: fmt.Sprint", ""}, {"(a", "undefined: (a", ""},
	} {
		at := strings.Index(o.Text.String(), c.part)
		got := ""
		if f := unknownName("main.go", o.Text.String(), workspace.Diagnostic{Span: edits.Span{Start: at, End: at + len(c.part)}, Message: c.message}); f.Kind != "" {
			got = "import " + f.Name
		}
		if got != c.want {
			t.Errorf("%q of %q: %q, want %q", c.message, c.part, got, c.want)
		}
	}
}
