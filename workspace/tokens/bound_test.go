package tokens_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tandem/workspace/tokens"
)

// TestBoundsAddUp holds for the counters that are not exact that counts of parts add up
// to at least that of the whole, that none counts less than o200k_base or more
// than bytes, and that digits count as their vocabularies count them.
func TestBoundsAddUp(t *testing.T) {
	part := rapid.SampledFrom([]string{"x", "word", "12", "3456789", " ", "\n", "\n\t", "é", "ß", "имя", "م", "中文", "ไทย", "नाम", "😀", "→", "\xff", "(", "//", "_"})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(part).Draw(t, "parts"), "")
		for _, c := range []tokens.Counter{tokens.Large, tokens.LargeByDigits, tokens.Small, tokens.SmallByDigits} {
			whole := c.Count(s)
			if whole < tokens.Count(s) || whole > tokens.Bytes.Count(s) {
				t.Fatalf("%s counts %d, o200k_base %d, bytes %d", c.Name(), whole, tokens.Count(s), tokens.Bytes.Count(s))
			}
			for at := 1; at < len(s); at++ {
				if tokens.SafeCut(s, at) && c.Count(s[:at])+c.Count(s[at:]) < whole {
					t.Fatalf("%s: the parts at %d of %q count less than the %d of the whole", c.Name(), at, s, whole)
				}
			}
		}
	})
	for text, want := range map[string]int{"1": 1, "123": 3, "1234567": 7} {
		if got := tokens.LargeByDigits.Count(text); got != want {
			t.Errorf("%q has %d digits apart, want %d", text, got, want)
		}
	}
}
