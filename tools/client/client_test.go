package client

import "testing"

func TestOffsetCountsUTF16(t *testing.T) {
	const text = "ab\né😀x\n"
	for _, c := range []struct{ line, character, want int }{
		{0, 0, 0}, {0, 1, 1}, {0, 9, 2}, {1, 1, 5}, {1, 3, 9}, {1, 4, 10}, {2, 0, 11}, {9, 0, 11},
	} {
		if got := Offset(text, Position{c.line, c.character}); got != c.want {
			t.Errorf("%d:%d is byte %d, want %d", c.line, c.character, got, c.want)
		}
	}
}
