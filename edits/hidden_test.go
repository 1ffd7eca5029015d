package edits_test

import (
	"strings"
	"testing"
	"unicode"

	"tandem/edits"
)

// Everything that Unicode counts as ignorable or as a mark of direction is hidden, and letters,
// digits and signs are not.
func TestHiddenKinds(t *testing.T) {
	t.Parallel()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		kind := edits.HiddenKind(r)
		ignorable := unicode.In(r, unicode.Bidi_Control, unicode.Other_Default_Ignorable_Code_Point, unicode.Join_Control, unicode.Zl, unicode.Zp) && !edits.VariationSelector(r)
		switch {
		case ignorable && kind == "":
			t.Errorf("U+%04X is hidden", r)
		case kind != "" && unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) && r != 0x2800:
			t.Errorf("U+%04X is %s", r, kind)
		}
	}
	for _, r := range "\u3164\u2028\ufff9\u180e\u034f\u200b\u00ad\u061c\u2066\U000e0041\x1b\u0085\u2800" {
		if edits.HiddenKind(r) == "" {
			t.Errorf("U+%04X is hidden", r)
		}
	}
}

func TestSafetyOfHiddenCharacters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, before, after, want string }{
		{"a.go", "x", "x\u3164 := 1", "invisible error"},
		{"a.go", "x", "x\u2028y", "line error"},
		{"a.go", "x", "ab\ufff9", "invisible error"},
		{"a.go", "x", "پ\u200cک", "invisible warning"},
		{"a.go", "x", "क्\u200dष", "invisible warning"},
		{"a.go", "x", "a\u200db", "invisible error"},
		{"a.go", "x", "\u2764\ufe0f\u200d\U0001F525", "invisible warning"},
		{"a.go", "x", "var p\u0430ssword", "mixed_script warning"},
		{"m\u0430in.go", "", "x", "mixed_script warning"},
		{"a.go", "p\u0430ssword", "p\u0430ssword = 1", ""},
		{"a.go", "x", "// \u043f\u0430\u0440\u043e\u043b\u044c password", ""},
		{"a.go", "x", "\u0394t := \u03bbx", ""},
		{"a\u202eog.c", "", "x", "outside error"},
		{"a\x1b[2J.go", "", "x", "outside error"},
		{"a\n::error::.go", "", "x", "outside error"},
	} {
		f := edits.FileChange{Path: c.path, Before: c.before, After: c.after, AbsentBefore: c.before == ""}
		var got []string
		for _, found := range edits.Safety([]edits.FileChange{f}, nil).Findings {
			got = append(got, found.Kind+" "+found.Severity)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%q in %q: %q, want %q", c.after, c.path, got, c.want)
		}
	}
}
