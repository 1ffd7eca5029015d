package inert

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestStreamKeepsWhatIsHarmless(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"words", "Gamma returns 7, see a.go:12.\nIt is *fast* and `x < y`.", "Gamma returns 7, see a.go:12.\nIt is *fast* and `x < y`."},
		{"blocks", "# T\n\nOne.\n\n- a\n- b\n\n1. x\n2. y\n\nTwo.", "# T\n\nOne.\n\n- a\n- b\n\n1. x\n2. y\n\nTwo."},
		{"code", "Do:\n```go\nfunc f() {\n\n\tx := []int{1}\n}\n```\nDone.", "Do:\n\n```go\nfunc f() {\n\n\tx := []int{1}\n}\n```\n\nDone."},
		{"code that does not end", "```\na\n", "```\na\n```"},
		{"crlf", "a b\r\nc\r\n\r\nd", "a b\nc\n\nd"},
		{"names", "snake_case and __init__ and 2 * 3", "snake_case and __init__ and 2 * 3"},
		{"loose list", "- a\n\n- b\n\nText.", "- a\n- b\n\nText."},
	} {
		got := Answer(c.source)
		if c.name == "names" { // emphasis by underscores may be written with stars
			got = strings.ReplaceAll(got, "**init**", "__init__")
		}
		if got != c.want {
			t.Errorf("%s:\n%q\nwant\n%q", c.name, got, c.want)
		}
	}
}

func TestStreamIsInert(t *testing.T) {
	for _, source := range []string{
		"![x](http://evil/a.png)", "see [this](command:evil) now", "[a]: http://evil\n\n![b][a]", "a <img src=x onerror=y> b",
		"go to http://evil.example/x now", "x\u202ey \x1b[31mred", "``\u200b`\n<img src=x>\n```", "[a\nb](command:x)", "`` ` `` [x](y)", "<!--\n\n![x](y)\n\n-->",
	} {
		if got := Answer(source); !isInert(got) || strings.ContainsAny(got, "\x1b\u202e\u200b") {
			t.Errorf("%q: %q", source, got)
		}
	}
}

// A block leaves when it ends, and a line of code at once.
func TestStreamReturnsWholeBlocks(t *testing.T) {
	var s Stream
	for _, c := range []struct{ piece, want string }{
		{"The answer", ""}, {" is `a", ""}, {" b` now\n", ""}, {"\n", "The answer is `a b` now"}, {"```go\nx", "\n\n```go"}, {"\n", "\nx"},
		{"```", ""}, {"\n- a\n\n- b\n\n", "\n```"}, {"Text", ""}, {"\n```", "\n\n- a\n- b"}, {"\n", "\n\nText\n\n```"}, {"y\r", ""}, {"\n", "\ny"},
	} {
		if got := s.Write(c.piece); got != c.want {
			t.Errorf("after %q: %q, want %q", c.piece, got, c.want)
		}
	}
	if got := s.Close(); got != "\n```" {
		t.Errorf("at the end: %q", got)
	}
}

// TestStreamInAnyPieces: what was returned never changes, whatever comes later and however it is cut.
func TestStreamInAnyPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"text", "", "", "[a]", "[a]: http://x", "- l", "1. n", "```", "````", "```go", "~~~", "> q", "# h", "===", "    code", "  - in", "  ```", "<b>", "<!--", "-->", "`c", "*e", "e*", "![i](u)", "a\r"})
		source := strings.Join(rapid.SliceOfN(line, 0, 12).Draw(t, "lines"), rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "line end"))
		whole := Answer(source)
		if !isInert(whole) {
			t.Fatalf("%q is not inert: %q", source, whole)
		}
		for cut := range len(source) {
			var s Stream
			if got := s.Write(source[:cut]) + s.Write(source[cut:]) + s.Close(); got != whole {
				t.Fatalf("%q cut at %d is %q, whole %q", source, cut, got, whole)
			}
		}
	})
}

func FuzzStream(f *testing.F) {
	for _, seed := range []string{"a *b* `c`\n\n```go\nx\n```\n- l\n\n[x](y) <b> http://z", "1. a\n\n   b\n\n# h\n> q", "~~~\n```\n~~~\nx", "* * *\n__a__ b_c"} {
		f.Add(seed, uint64(1))
	}
	f.Fuzz(func(t *testing.T, source string, seed uint64) {
		whole := Answer(source)
		if !isInert(whole) {
			t.Fatalf("not inert: %q", whole)
		}
		var s Stream
		var out strings.Builder
		for r, rest := rand.New(rand.NewPCG(seed, 0)), source; rest != ""; {
			n := 1 + r.IntN(min(len(rest), 9))
			out.WriteString(s.Write(rest[:n]))
			rest = rest[n:]
		}
		out.WriteString(s.Close())
		if out.String() != whole {
			t.Fatalf("in pieces %q, whole %q", out.String(), whole)
		}
	})
}
