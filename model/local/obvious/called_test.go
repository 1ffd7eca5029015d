package obvious

import (
	"slices"
	"strings"
	"testing"

	"tandem/model"
	"tandem/model/local/localtest"
)

// offered are the candidates at the cursor, which is marked by |, in a package that makes
// values by functions.
func offered(text string) (out []string) {
	before, after, _ := strings.Cut("package a\n\n"+text, "|")
	files := localtest.New(map[string]string{
		"a/make.go": "package a\n\ntype Lookback struct{ bins int }\n\ntype Watch struct {\n\tName string\n\tThrottles *Lookback\n\tSeen map[string]int\n\tLimit int\n}\n\nconst defaultLimit = 12\n\nfunc newLookback(bins, width int) *Lookback { return nil }\n",
		"go.mod":    "module m\n",
	})
	for _, c := range At(files, nil, &model.Fill{Path: "a/a.go", Prefix: before, Suffix: after}).Candidates(nil) {
		out = append(out, c.Text)
	}
	return out
}

// TestCalled: a field may be given what a function of the package makes from variables that
// are named as its parameters, and the package's default.
func TestCalled(t *testing.T) {
	literal := func(params, above string) string {
		return "func f(" + params + ") Watch {\n" + above + "\treturn Watch{\n\t\tName: \"\",\n\t\t|\n\t}\n}\n"
	}
	for _, c := range []struct {
		params, above, line string
		want                bool
	}{
		{"bins, width int", "", "Throttles: newLookback(bins, width),", true},
		{"bins, height int", "", "Throttles: newLookback(bins, height),", false},
		{"", "", "Limit: defaultLimit,", true},
		{"", "", "Seen: make(map[string]int),", true},
		{"", "", "Seen: map[string]int{},", true},
		{"", "\tall := map[int]*Watch{}\n", "Seen: make(map[string]int),", false},
		{"", "\tall := map[int]*Watch{}\n", "Seen: map[string]int{},", true},
		{"", "\tall := make(map[int]*Watch)\n", "Seen: make(map[string]int),", true},
		{"", "\tall := make(map[int]*Watch)\n", "Seen: map[string]int{},", false},
	} {
		if got := offered(literal(c.params, c.above)); slices.Contains(got, c.line) != c.want {
			t.Errorf("with (%s) and %q: %q, %q among them: want %v", c.params, c.above, got, c.line, c.want)
		}
	}
}
