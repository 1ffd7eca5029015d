package nextedit

import (
	"strings"
	"testing"

	"tandem/model/local/localtest"
)

// TestStillAt: who is in a function, or at the imports, may write there what a place needs.
func TestStillAt(t *testing.T) {
	const text = "import os\nfrom sys import (\n    path,\n)\n\n\ndef one(a):\n    b = a\n    return b\n\n\ndef two(a):\n    return a\n"
	m := localtest.New(map[string]string{"a.py": text})
	for _, c := range []struct {
		at, place string
		want      bool
	}{
		{"b = a", "return b", true},
		{"def one", "return b", true},
		{"return a", "return b", false},
		{"path", "return b", true},
		{"\n\n\ndef one", "return b", true}, // below the imports
		{"\ndef one", "return b", false},
	} {
		if got := StillAt(m, "a.py", strings.Index(text, c.at), strings.Index(text, c.place)); got != c.want {
			t.Errorf("at %q, for %q: %v", c.at, c.place, got)
		}
	}
}
