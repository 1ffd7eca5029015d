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
