package complete

import "testing"

// TestClosers: which tails close what is typed, and where a suggestion ends before them.
func TestClosers(t *testing.T) {
	for _, c := range []struct {
		typed, tail, text string
		closes            bool
		want              string
	}{
		{"f(", ")", "a, b)", true, "a, b"},
		{"f(", ")", "a, g(b)) {", true, "a, g(b)"},
		{"f(g(", "))", "x), y)", true, "x"},
		{"f(\"", "\")", "a(b\", c)", true, "a(b"},
		{"f(\"a\", [", "])", "1, 2])", true, "1, 2"},
		{"f(", ");", "a);", true, "a"},
		{"f('it\\'s", "')", " b')", true, " b"},
		{"f(", "x)", "a)", false, "a"},
		{"f()", ")", "", false, ""},
		{"f(", "]", "a", false, "a"},
		{"f(", "", "a)", false, "a"},
		{"f(", "))", "a)", false, "a"},
	} {
		if got := closes(c.typed, c.tail); got != c.closes {
			t.Errorf("%q closes %q: %v", c.tail, c.typed, got)
		}
		if got := beforeCloser(c.typed, c.text); got != c.want {
			t.Errorf("behind %q: %q, want %q", c.typed, got, c.want)
		}
	}
}
