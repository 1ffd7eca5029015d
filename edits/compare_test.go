package edits

import (
	"strings"
	"testing"
)

func TestCommonEnds(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 3*compared)
	for _, c := range []struct {
		a, b           string
		prefix, suffix int
	}{
		{"", "a", 0, 0},
		{"abc", "abd", 2, 0},
		{"abc", "bc", 0, 2},
		{long + "a", long + "b", len(long), 0},
		{"a" + long, "b" + long, 0, len(long)},
		{long, long + "x", len(long), len(long)},
	} {
		if p, s := CommonPrefix(c.a, c.b), CommonSuffix(c.a, c.b); p != c.prefix || s != c.suffix {
			t.Errorf("%.9q and %.9q: %d, %d, want %d, %d", c.a, c.b, p, s, c.prefix, c.suffix)
		}
	}
}

func TestIndexWord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		from int
		want int
	}{{"ab a", 0, 3}, {"a a", 1, 2}, {"éa", 0, -1}, {"_a a1", 0, -1}, {"(a)", 0, 1}} {
		if got := IndexWord(c.text, "a", c.from); got != c.want {
			t.Errorf("%q from %d: %d, want %d", c.text, c.from, got, c.want)
		}
	}
	if got := IndexWord("a b", "", 0); got != -1 {
		t.Errorf("no name: %d", got)
	}
}
