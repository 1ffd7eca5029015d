package main

import (
	"strings"
	"testing"
)

func TestPiecesJoinToTheText(t *testing.T) {
	for _, text := range []string{"", "a", "func (c *Cart) Total() int {\n\treturn 1\n}\n", "wörld → 世界, 👩‍👩‍👧 x", strings.Repeat("x", 100)} {
		if got := strings.Join(pieces(text), ""); got != text {
			t.Errorf("pieces of %q join to %q", text, got)
		}
	}
}
