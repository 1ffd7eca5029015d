package main

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"tandem/edits"
	"tandem/tools/client"
)

// TestPairs: an editor closes what is typed, what it closed is typed over, and the text is the hunk's in
// the end. A suggestion is right if it leaves no closer too many.
func TestPairs(t *testing.T) {
	const before = "func a() {\n}\n"
	const added = "\tif b(c[0], \"d\") {\n\t\te(\"don't – ✅\")\n\t}\n"
	var states []string
	k := &keyboard{ghostTally: &ghostTally{}, change: func(text string) error { states = append(states, text); return nil },
		accepted: func(*client.Suggestion) error { return nil },
		ask: func(at int) (*client.Suggestion, error) {
			if text := states[len(states)-1]; strings.HasSuffix(text[:at], "if b(c[") {
				return &client.Suggestion{Start: at, End: at, Text: "0"}, nil
			}
			return nil, nil
		}}
	at := strings.Index(before, "\n") + 1
	if err := k.hunk(step{"a.go", edits.Edit{Span: edits.Span{Start: at, End: at}, New: added}}, before); err != nil {
		t.Fatal(err)
	}
	if got, want := states[len(states)-1], before[:at]+added+before[at:]; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if i := slices.IndexFunc(states, func(text string) bool { return !utf8.ValidString(text) }); i >= 0 {
		t.Errorf("a key types half a character: %q", states[i])
	}
	for _, want := range []string{"if b()\n}", "if b(c[])\n}", "if b(c[0], \"\")\n}", "{\n\t\t\n\t}\n}", "e(\"don't – ✅\")\n\t}\n}"} {
		if !strings.Contains(strings.Join(states, "\x00"), want) {
			t.Errorf("never %q in %q", want, states)
		}
	}
}

func TestWrites(t *testing.T) {
	for _, c := range []struct {
		made, closers, behind string
		want                  bool
	}{
		{"call(a, b)", "", "\nnext()\n", true},
		{"call(a, b", ")", ")\nnext()\n", true},
		{"call(a", ")", ")\nnext()\n", false},
		{"call(a, b)", ")", ")\nnext()\n", false},
		{"call(a, c)", "", "\nnext()\n", false},
	} {
		if got := writes(c.made, c.closers, c.behind, "call(a, b)\nnext()\n"); got != c.want {
			t.Errorf("%q before %q: %v", c.made, c.behind, got)
		}
	}
}
