package nextedit

import (
	"strings"
	"testing"

	"tandem/model/local/complete"
	"tandem/model/local/localtest"
)

// TestNewNameWasAbsent: what was deleted beside a declaration that stayed is not renamed to it.
func TestNewNameWasAbsent(t *testing.T) {
	m := localtest.New(map[string]string{"a.go": "package a\n\nconst maxRetries = 3\nconst maxWait = 5\n\nfunc f() int { return maxRetries }\n"})
	m.ReplaceLine("a.go", "const maxRetries = 3", "")
	r := &m.Recent[0]
	r.Old, r.New = "const maxRetries = 3\nconst maxWait = 5\n", "const maxWait = 5\nconst limit = 3\n"
	m.Write("a.go", strings.Replace(m.Texts["a.go"], "const maxWait = 5\n", r.New, 1))
	r.Place.End = r.Place.Start + len(r.New)
	for _, n := range offered(m, New(complete.New(nil)), "a.go") {
		if !strings.Contains(n, "-> ") {
			t.Errorf("offered %q", n)
		}
	}
}
