package source

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestLexesLossless: the tokens of a line joined together are the line.
func TestLexesLossless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := strings.TrimSpace(rapid.StringMatching(`[ \ta-z0-9"'(){}:=.,\\/*#é-]*`).Draw(t, "line"))
		out := ""
		for _, lexed := range Lex(line, nil) {
			if lexed.Spaced {
				out += " "
			}
			out += lexed.Text
		}
		if out != line {
			t.Fatalf("%q became %q", line, out)
		}
	})
}

func TestIsComment(t *testing.T) {
	for line, want := range map[string]bool{"": false, "/": false, "// a": true, "/* a": true, "#": true, "# a": true, "#include": false, "*": true, "*p = 1": false, "a // b": false} {
		if got := IsComment(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
