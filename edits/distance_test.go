package edits

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDistance(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ab", distanceStack)
	for _, c := range []struct {
		a, b       string
		most, want int
	}{
		{"", "", 9, 0}, {"", "abc", 9, 3}, {"abc", "", 2, 3}, {"kitten", "sitting", 9, 3}, {"kitten", "sitting", 2, 3},
		{"form", "from", 9, 1}, {"ab", "ba", 1, 1}, {"abcd", "badc", 9, 2}, {long, long + "c", 9, 1}, {long, "b" + long[:len(long)-1], 5, 2},
	} {
		if got := Distance(c.a, c.b, c.most); got != c.want {
			t.Errorf("Distance(%.20q, %.20q, %d) = %d, want %d", c.a, c.b, c.most, got, c.want)
		}
	}
}

// TestDistanceDefinition compares Distance with the recursion that defines it.
func TestDistanceDefinition(t *testing.T) {
	t.Parallel()
	var defined func(a, b string) int
	defined = func(a, b string) int {
		switch {
		case a == "" || b == "":
			return max(len(a), len(b))
		case a[0] == b[0]:
			return defined(a[1:], b[1:])
		}
		d := 1 + min(defined(a[1:], b), defined(a, b[1:]), defined(a[1:], b[1:]))
		if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
			d = min(d, 1+defined(a[2:], b[2:]))
		}
		return d
	}
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching("[abc]{0,6}")
		a, b, most := word.Draw(t, "a"), word.Draw(t, "b"), rapid.IntRange(0, 7).Draw(t, "most")
		if got, want := Distance(a, b, most), min(defined(a, b), most+1); got != want {
			t.Fatalf("Distance(%q, %q, %d) = %d, want %d", a, b, most, got, want)
		}
	})
}
