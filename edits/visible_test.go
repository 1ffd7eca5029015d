package edits_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"tandem/edits"
)

func TestVisible(t *testing.T) {
	for text, want := range map[string][2]string{
		"plain ä 漢 🙂\tx":       {"plain ä 漢 🙂\tx", "plain ä 漢 🙂\tx"},
		"a\nb\r\nc\rd":         {"a\nb\r\nc\\u000dd", `a\nb\r\nc\rd`},
		"\x1b[31m\x07\x7f":     {`\u001b[31m\u0007\u007f`, `\u001b[31m\u0007\u007f`},
		"\u009b31m\x9b31m":     {`\u009b31m\x9b31m`, `\u009b31m\x9b31m`},
		"a\u202eb\u2066\u2028": {`a\u202eb\u2066\u2028`, `a\u202eb\u2066\u2028`},
		"\U000e0041x❤\ufe0f":   {`\udb40\udc41x❤` + "\ufe0f", `\udb40\udc41x❤` + "\ufe0f"},
		"\U000e0100\u3164":     {`\udb40\udd00\u3164`, `\udb40\udd00\u3164`},
	} {
		if got := [2]string{edits.Visible(text), edits.OneLine(text)}; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestVisibleLeavesJSON: nothing hidden is left, doing it again changes nothing, and JSON says
// the same.
func TestVisibleLeavesJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		for _, shown := range []string{edits.Visible(text), edits.OneLine(text)} {
			if i := strings.IndexFunc(shown, func(r rune) bool { return edits.HiddenKind(r) != "" }); i >= 0 {
				t.Fatalf("%q shows %q", text, shown)
			}
			if edits.Visible(shown) != shown {
				t.Fatalf("%q again: %q", shown, edits.Visible(shown))
			}
		}
		if line := edits.OneLine(text); strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) && r != '\t' }) {
			t.Fatalf("%q as a line: %q", text, line)
		}
		coded, err := json.Marshal(text)
		var again string
		if err == nil {
			err = json.Unmarshal([]byte(edits.Visible(string(coded))), &again)
		}
		if err != nil || again != text {
			t.Fatalf("%v: %q is %q in JSON", err, text, again)
		}
	})
}
