package nextedit

import (
	"slices"
	"strings"
	"testing"

	"tandem/model/local/complete"
	"tandem/model/local/localtest"
)

// TestBlanksOfALine: what comes into a line that is as two others has the blanks around it that it has
// there, and the line keeps its own elsewhere.
func TestBlanksOfALine(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines string
		made  [2]string // the first two lines as they become
		want  string    // the third one
	}{
		{"a sign right behind a name", "a := make(t, 1)\nb := make(t, 2)\nc := make(t, 3)\n", [2]string{"a, err := make(t, 1)", "b, err := make(t, 2)"}, "c, err := make(t, 3)"},
		{"a sign between blanks", "a = Set[text, bool]\nb = Set[text, bool]\nc = Set[text, bool]\n", [2]string{"a = Set[text, bool | None]", "b = Set[text, bool | None]"}, "c = Set[text, bool | None]"},
		{"an argument", "go(a, 1)\ngo(b, 2)\ngo(c, 3)\n", [2]string{"go(a, 1, true)", "go(b, 2, true)"}, "go(c, 3, true)"},
		{"the first word", "call(a)\ncall(b)\ncall(c)\n", [2]string{"await call(a)", "await call(b)"}, "await call(c)"},
		{"what goes", "x = call(a, old)\ny = call(b, old)\nz = call(c, old)\n", [2]string{"x = call(a)", "y = call(b)"}, "z = call(c)"},
		{"the last word that goes", "x = call(a) or none\ny = call(b) or none\nz = call(c) or none\n", [2]string{"x = call(a)", "y = call(b)"}, "z = call(c)"},
		{"what is aligned stays so", "a   = load(1)\nbb  = load(2)\nccc = load(3)\n", [2]string{"a   = read(1)", "bb  = read(2)"}, "ccc = read(3)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := localtest.New(map[string]string{"a.py": "def f():\n" + indented(c.lines)})
			lines := strings.Split(c.lines, "\n")
			for i, now := range c.made {
				m.ReplaceLine("a.py", lines[i], now)
			}
			if got := offered(m, New(complete.New(nil)), "a.py"); !slices.Contains(got, "a.py: "+c.want) {
				t.Errorf("offered %q, want %q", got, c.want)
			}
		})
	}
}

func indented(lines string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(lines), "\n", "\n    ") + "\n"
}
