package role_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"tandem/workspace/role"
)

// listed are the names of a list that tests of every road share: steering are files that make programs run
// or decide what is seen, a third of them code that tools run; harmless are read by what names them alone.
func listed(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "allowed", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}

func TestOf(t *testing.T) {
	t.Parallel()
	steering, harmless := listed(t, "steering"), listed(t, "harmless")
	if len(steering) < 120 || len(harmless) < 60 {
		t.Fatalf("%d and %d files", len(steering), len(harmless))
	}
	for _, name := range steering {
		if role.Of(name).Ordinary() {
			t.Errorf("%s makes programs run or decides what is seen, and is ordinary", name)
		}
	}
	for _, name := range harmless {
		if !role.Of(name).Ordinary() {
			t.Errorf("%s is not ordinary", name)
		}
	}
}

// TestDisguises changes the spelling of names in every way that some file system undoes.
func TestDisguises(t *testing.T) {
	t.Parallel()
	steering := listed(t, "steering")
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(steering).Draw(t, "name")
		var out strings.Builder
		for _, r := range name {
			s := string(r)
			if rapid.Bool().Draw(t, "upper") {
				s = strings.ToUpper(s)
			}
			if r == '/' && rapid.Bool().Draw(t, "trailing") {
				s = rapid.SampledFrom([]string{"./", " /", `\`, "//", "::$INDEX_ALLOCATION/", "/./"}).Draw(t, "slash")
			}
			if r != '/' && rapid.IntRange(0, 9).Draw(t, "hidden") == 0 {
				s += rapid.SampledFrom([]string{"\u200c", "\u200d", "\ufeff", "\u202e", "\u2064", "\ufe0f"}).Draw(t, "ignored")
			}
			out.WriteString(s)
		}
		out.WriteString(rapid.SampledFrom([]string{"", ".", " ", "...", ". .", "::$DATA", ":stream"}).Draw(t, "end"))
		disguised := out.String()
		switch rapid.IntRange(0, 2).Draw(t, "form") {
		case 1:
			disguised = norm.NFD.String(disguised)
		case 2:
			disguised = norm.NFC.String(disguised)
		}
		if role.Of(disguised).Ordinary() {
			t.Fatalf("%q, which may name %q, is ordinary", disguised, name)
		}
	})
}
