package edits_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"tandem/edits"
)

func proposedFile(path, before, after string) edits.ProposedFile {
	return edits.ProposedFile{Path: path, Version: 7, Base: edits.NewText(before), Edits: edits.Diff(before, after)}
}

func TestHunksAreApartByALine(t *testing.T) {
	t.Parallel()
	f := proposedFile("a", "one\ntwo\nthree\nfour\nfive\nsix\n", "One\nTwo\nthree\nfour\nFive\nsix\n")
	hunks := f.Hunks()
	if len(hunks) != 2 || len(hunks[0].Edits) != 2 || hunks[0].LastLine != 1 || hunks[1].FirstLine != 4 || hunks[0].Span != (edits.Span{0, 5}) {
		t.Errorf("got %+v", hunks)
	}
}

func TestChangesOfCreateAndDelete(t *testing.T) {
	t.Parallel()
	p := &edits.Proposal{Files: []edits.ProposedFile{
		{Path: "new", Create: true, Edits: []edits.Edit{{New: "x\n"}}},
		{Path: "old", Delete: true, Base: edits.NewText("y\n")},
	}}
	changes, err := p.Changes()
	if err != nil || !changes[0].AbsentBefore || changes[0].After != "x\n" || !changes[1].AbsentAfter || changes[1].Before != "y\n" {
		t.Fatalf("got %+v, %v", changes, err)
	}
}

func TestRebaseOnRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file edits.ProposedFile
		user []edits.Edit
	}{
		"typed inside":                  {proposedFile("a", "foo(a)\n", "foo(a, b)\n"), []edits.Edit{{edits.Span{5, 5}, "zzz"}}},
		"typed in a file to be deleted": {edits.ProposedFile{Path: "old", Delete: true, Base: edits.NewText("y\n")}, []edits.Edit{{edits.Span{0, 0}, "z"}}},
	} {
		if _, err := c.file.RebaseOn(c.user); !errors.Is(err, edits.ErrStale) {
			t.Errorf("%s: error %v, want %v", name, err, edits.ErrStale)
		}
	}
}

func TestRebaseOn(t *testing.T) {
	t.Parallel()
	f := proposedFile("a", "foo(a)\n", "foo(a, b)\n")
	next, err := f.RebaseOn([]edits.Edit{{edits.Span{0, 0}, "// c\n"}})
	if err != nil {
		t.Fatal(err)
	}
	if change, err := next.Change(); err != nil || change.After != "// c\nfoo(a, b)\n" {
		t.Errorf("got %+v, %v", change, err)
	}
	done, err := f.RebaseOn([]edits.Edit{{edits.Span{0, 7}, "foo(a, b)\n"}})
	if err != nil || !done.Done() {
		t.Errorf("the user typed all of it, and %+v is left, %v", done, err)
	}
}

func TestSafety(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("line\n", 100)
	for _, c := range []struct {
		name   string
		change edits.FileChange
		want   []string // kinds, in order
	}{
		{"fine", edits.FileChange{Path: "a.go", Before: "a\n", After: "b é 日本 👍🏽 ❤️\n"}, nil},
		{"outside", edits.FileChange{Path: "../a.go", After: "b\n"}, []string{"outside"}},
		{"refused", edits.FileChange{Path: ".github/workflows/ci.yml", After: "b\n"}, []string{"protected"}},
		{"gutted", edits.FileChange{Path: "a", Before: long, After: "// the rest as before\n"}, []string{"deletion"}},
		{"emptied", edits.FileChange{Path: "a", Before: "a\nb\n", After: " \n"}, []string{"deletion"}},
		{"deleted on purpose", edits.FileChange{Path: "a", Before: long, AbsentAfter: true}, nil},
		{"rewritten", edits.FileChange{Path: "a", Before: long, After: strings.Repeat("other\n", 80)}, nil},
		{"a part goes", edits.FileChange{Path: "a", Before: long, After: long[:60*5]}, nil},
		{"bidi", edits.FileChange{Path: "a", Before: "a\n", After: "a\u202e\n"}, []string{"bidi"}},
		{"isolate", edits.FileChange{Path: "a", Before: "a\n", After: "a\u2066\n"}, []string{"bidi"}},
		{"tag", edits.FileChange{Path: "a", Before: "a\n", After: "a\U000E0041\U000E0042\n"}, []string{"tag", "tag"}},
		{"zero width", edits.FileChange{Path: "a", Before: "a\n", After: "a\u200bb\n"}, []string{"invisible"}},
		{"soft hyphen", edits.FileChange{Path: "a", Before: "a\n", After: "a\u00adb\n"}, []string{"invisible"}},
		{"byte order mark inside", edits.FileChange{Path: "a", Before: "a\n", After: "a\ufeffb\n"}, []string{"invisible"}},
		{"byte order mark in front", edits.FileChange{Path: "a", AbsentBefore: true, After: "\ufeffa\n"}, nil},
		{"byte order mark added in front", edits.FileChange{Path: "a", Before: "a\n", After: "\ufeffa\n"}, []string{"invisible"}},
		{"byte order mark kept", edits.FileChange{Path: "a", Before: "\ufeffa\n", After: "\ufeffb\n"}, nil},
		{"escape", edits.FileChange{Path: "a", Before: "a\n", After: "a\x1b[2J\n"}, []string{"control"}},
		{"bell and next line", edits.FileChange{Path: "a", Before: "a\n", After: "a\a\u0085\n"}, []string{"control", "control"}},
		{"escape was there", edits.FileChange{Path: "a", Before: "a\x1b[1m\n", After: "ab\x1b[1m\n"}, nil},
		{"line ends and tabs", edits.FileChange{Path: "a", Before: "a\r\n", After: "a\r\n\tb\r\n"}, nil},
		{"selectors in a row", edits.FileChange{Path: "a", Before: "a\n", After: "a\ufe0f\ufe0f\n"}, []string{"invisible"}},
		{"supplementary selectors", edits.FileChange{Path: "a", Before: "a\n", After: "a\U000E0101\U000E0102\n"}, []string{"invisible"}},
		{"was there before", edits.FileChange{Path: "a", Before: "a\u200b\n", After: "ab\u200b\n"}, nil},
		{"one more", edits.FileChange{Path: "a", Before: "a\u200b\n", After: "a\u200b\nb\u200b\n"}, []string{"invisible"}},
	} {
		got := edits.Safety([]edits.FileChange{c.change}, func(path string) (edits.Code, string) {
			switch {
			case edits.Outside(path):
				return edits.CodeOutside, "is outside"
			case path[0] == '.':
				return edits.CodeProtected, "needs your word"
			}
			return "", ""
		})
		var kinds []string
		for _, f := range got.Findings {
			kinds = append(kinds, f.Kind)
			if f.Message == "" || f.Path != c.change.Path {
				t.Errorf("%s: finding %+v", c.name, f)
			}
		}
		if !slices.Equal(kinds, c.want) || got.OK() != (len(c.want) == 0) {
			t.Errorf("%s: got %v, OK %v, want %v", c.name, kinds, got.OK(), c.want)
		}
	}
}

func TestSafetyOfFamilyEmojiIsAWarning(t *testing.T) {
	t.Parallel()
	got := edits.Safety([]edits.FileChange{{Path: "a", Before: "a\n", After: "👨\u200d👩\n"}}, nil)
	if !got.OK() || len(got.Findings) != 1 || got.Findings[0].Severity != "warning" {
		t.Errorf("got %+v", got)
	}
}

// TestHiddenCharactersAreAllSeen checks every character of the list.
func TestHiddenCharactersAreAllSeen(t *testing.T) {
	t.Parallel()
	for _, r := range [][2]rune{{0xE0000, 0xE007F}, {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x2064}, {0x2066, 0x2069}, {0x206A, 0x206F}, {0xFEFF, 0xFEFF}, {0xAD, 0xAD}} {
		for c := r[0]; c <= r[1]; c++ {
			got := edits.Safety([]edits.FileChange{{Path: "a", Before: "x := 1\n", After: "x := 1 // " + string(c) + "\n"}}, nil)
			if got.OK() || got.Findings[0].Span != (edits.Span{10, 10 + len(string(c))}) {
				t.Errorf("U+%04X: got %+v", c, got)
			}
		}
	}
}
