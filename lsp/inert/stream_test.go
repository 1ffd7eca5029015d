package inert

import (
	"math/rand/v2"
	"strings"
	"testing"
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

// A piece leaves as soon as it cannot change any more: streaming does not wait for
// the end of a paragraph.
func TestStreamReturnsWordsAtOnce(t *testing.T) {
	var s Stream
	for _, c := range []struct{ piece, want string }{
		{"The answer", "The"}, {" is `a", " answer is"}, {" b` now", " `a b`"}, {"\n", " now"}, {"```go\nx", "\n\n```go"}, {"\n", "\nx"},
	} {
		if got := s.Write(c.piece); got != c.want {
			t.Errorf("after %q: %q, want %q", c.piece, got, c.want)
		}
	}
	if got := s.Close(); got != "\n```" {
		t.Errorf("at the end: %q", got)
	}
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
