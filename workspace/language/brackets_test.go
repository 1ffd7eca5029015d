package language

import "testing"

func TestBracketDepth(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 0, "([{": 3, ")]}": -3, "f(a[i])": 0, "(()": 1} {
		if got := BracketDepth(text); got != want {
			t.Errorf("the depth of %q is %d, want %d", text, got, want)
		}
	}
}
