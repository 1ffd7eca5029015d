package window

import (
	"math/rand/v2"
	"strings"
	"testing"

	"tandem/workspace/redact"
)

// TestBordersAreReserved holds that no border costs more than mostBorder, and that a choice
// takes that much, with or without choices around it.
func TestBordersAreReserved(t *testing.T) {
	c := costsOf(nil)
	random := rand.New(rand.NewPCG(5, 6))
	above := []string{"# a.go\n", "# a.go (similar)\n", gapMark, "x |=\n", "**/\n", "}\n", "})\n\n"}
	for range 2_000 {
		above = append(above, symbolsOf(random, "})({;,/*=-[]<>\"'`#!?|&+:%$@~^.…\\")+[]string{"\n", "\n\n", "\r\n"}[random.IntN(3)])
	}
	for _, text := range []string{"// a\n", "//*[\n", "//*[@id='x']\n", "/* a */\n", "/** a\n", "//\n// a\n", "///\n/// a\n", "//\n\nx\n", "/x\n", "//////*[\n", "//go:build a\n", "x\n"} {
		most, reserved := 0, c.mostBorder(text)
		for _, a := range above {
			if got := c.border(a, text); got > reserved {
				t.Fatalf("%q below %q: %d tokens, %d are reserved", text, a, got, reserved)
			} else if got > most {
				most = got
			}
		}
		b := &builder{costs: c, secrets: &redact.Redactor{}, left: 1_000}
		b.chosen.files = map[string][]choice{}
		b.choose("a.go", choice{first: 5, last: 5, text: redact.Said(text)}, b.left)
		if got := b.chosen.files["a.go"][0].gap; got < gapCost+most {
			t.Errorf("%q: %d tokens are taken for its borders, its own may cost %d", text, got, most)
		}
	}
}

// symbolsOf are up to five of some symbols.
func symbolsOf(r *rand.Rand, of string) string {
	var out strings.Builder
	list := []rune(of)
	for range 1 + r.IntN(5) {
		out.WriteRune(list[r.IntN(len(list))])
	}
	return out.String()
}
