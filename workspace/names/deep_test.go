package names

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestTooDeepIsUnknown: a text that no parser is given is said to be not checked, in the
// file itself and where a change leads.
func TestTooDeepIsUnknown(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 100_000)
	for file, text := range map[string]string{
		"a.go": "package m\n\nvar x = " + deep + "\n",
		"b.go": "package m\n\nfunc f() {\n\tx := " + strings.Repeat("(", 100_000) + "absent" + strings.Repeat(")", 100_000) + "\n}\n",
		"a.ts": "const x = " + deep + "\n",
	} {
		for _, before := range []string{"", "package m\n\nfunc f() {\n}\n"} {
			if before != "" && !strings.HasSuffix(file, ".go") {
				continue
			}
			archive := "-- go.mod --\nmodule m\n-- package.json --\n{}\n-- venv/lib/python3.11/os.py --\n"
			if before != "" {
				archive += "-- " + file + " --\n" + before
			}
			x := writeFixture(t, txtar.Parse([]byte(archive+"-- after/"+file+" --\n"+text)))
			found, unknown := x.names.Check(x.files)
			if len(found) > 0 || !strings.Contains(strings.Join(unknown, " "), "nest too deep") {
				t.Errorf("%s: found %v, unknown %.200q", file, found, unknown)
			}
		}
	}
}
