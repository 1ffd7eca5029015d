package edits

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// applied is a text, as lines, with hunks made.
func applied(lines []string, hunks []LineHunk) []string {
	lines = slices.Clone(lines)
	for _, h := range slices.Backward(hunks) {
		lines = slices.Replace(lines, h.Start, h.End, h.Lines...)
	}
	return lines
}

const draftText = "package a\n\nfunc one() int {\n\tx := 1\n\treturn x\n}\n\nfunc two() int {\n\treturn 2\n}\n"

// draftCases are answers about draftText and what they make of it.
var draftCases = []struct {
	name     string
	format   Format
	selected string // "" is the whole text
	answer   string
}{
	{"blocks", FormatAuto, "", "I change both.\n\na.go\n<<<<<<< SEARCH\n\tx := 1\n\treturn x\n=======\n\treturn 1\n>>>>>>> REPLACE\n\na.go\n<<<<<<< SEARCH\n\treturn 2\n=======\n\ty := 2\n\treturn y\n>>>>>>> REPLACE\n"},
	{"the last place first", FormatAuto, "", "a.go\n<<<<<<< SEARCH\n\treturn 2\n=======\n\ty := 2\n\treturn y\n>>>>>>> REPLACE\n\na.go\n<<<<<<< SEARCH\n\tx := 1\n\treturn x\n=======\n\treturn 1\n>>>>>>> REPLACE\n"},
	{"a patch", FormatAuto, "", "*** Begin Patch\n*** Update File: a.go\n@@\n func one() int {\n-\tx := 1\n-\treturn x\n+\treturn 1\n }\n*** End Patch\n"},
	{"other indentation", FormatAuto, "", "a.go\n<<<<<<< SEARCH\nreturn 2\n=======\nreturn 3\n>>>>>>> REPLACE\n"},
	{"a selection", FormatRewrite, "\tx := 1\n\treturn x\n", "```go\n\tx := 1\n\tx++\n\treturn x\n```\n"},
	{"part of a line", FormatRewrite, "x := 1\n\treturn x", "```\ny := 1\n\treturn y\n```\n"},
	{"the whole text", FormatRewrite, "", "```go\n" + strings.Replace(draftText, "one", "uno", 1) + "```\n"},
}

// TestDraftEndsAsTheAnswer: a draft of the whole answer is what the answer makes, however
// it is cut, and every draft on the way can be applied.
func TestDraftEndsAsTheAnswer(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(draftCases).Draw(t, "case")
		eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
		text, selected := strings.ReplaceAll(draftText, "\n", eol), strings.ReplaceAll(c.selected, "\n", eol)
		at := strings.Index(text, selected)
		d := NewDraft(c.format, "a.go", text, Span{at, at + len(selected)})
		for rest := c.answer; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			d.Write(rest[:n])
			rest = rest[n:]
			applied(SplitLines(text), d.Hunks()) // panics where hunks are out of order or bounds
		}
		want := strings.Split(wholeAnswer(t, c.format, text, selected, c.answer), "\n")
		if got := applied(SplitLines(text), d.Hunks()); !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: the draft ends as\n%q\nwant\n%q", c.name, got, want)
		}
	})
}

// wholeAnswer is the text that an answer makes, with "\n" alone.
func wholeAnswer(t *rapid.T, format Format, text, selected, answer string) string {
	if format == FormatRewrite {
		blocks, err := Parse(format, answer)
		if err != nil {
			t.Fatal(err)
		}
		next := blocks[0].NewText()
		if !strings.HasSuffix(selected, "\n") && selected != "" {
			next = strings.TrimSuffix(next, "\n")
		}
		if selected == "" {
			return next
		}
		return strings.ReplaceAll(strings.Replace(text, selected, next, 1), "\r\n", "\n")
	}
	after, _, err := applyAnswer(format, map[string]string{"a.go": text}, answer, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(after["a.go"], "\r\n", "\n")
}

// TestDraftGrows: while a new text is written, the rest of the old one stays, and lines
// that both have do not change.
func TestDraftGrows(t *testing.T) {
	t.Parallel()
	const region = "\ta := 1\n\tb := 2\n\tc := 3\n"
	for _, c := range []struct {
		answer string
		want   []LineHunk
	}{
		{"```\n", nil},
		{"```\n\ta := 1\n", nil},
		{"```\n\ta := 1\n\tb := 20\n", []LineHunk{{1, 2, []string{"\tb := 20"}}}},
		{"```\n\ta := 1\n\tb := 20\n\tb2 := 2\n", []LineHunk{{1, 3, []string{"\tb := 20", "\tb2 := 2"}}}},
		{"```\n\ta := 1\n\tb := 20\n\tb2 := 2\n\tc := 3\n", []LineHunk{{1, 2, []string{"\tb := 20", "\tb2 := 2"}}}},
		{"```\n\ta := 1\n\tb := 20\n```\n", []LineHunk{{1, 3, []string{"\tb := 20"}}}},
	} {
		d := NewDraft(FormatRewrite, "a.go", region, Span{0, len(region)})
		d.Write(c.answer)
		if got := d.Hunks(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %v, want %v", c.answer, got, c.want)
		}
	}
}

// TestDraftShowsOnlyWhatIsCertain: a block that names no place, or several, or another
// file, shows nothing.
func TestDraftShowsOnlyWhatIsCertain(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{
		"a.go\n<<<<<<< SEARCH\n}\n=======\n} // end\n>>>>>>> REPLACE\n",
		"a.go\n<<<<<<< SEARCH\n\treturn 9\n=======\n\treturn 8\n>>>>>>> REPLACE\n",
		"b.go\n<<<<<<< SEARCH\n\treturn 2\n=======\n\treturn 8\n>>>>>>> REPLACE\n",
		"a.go\n<<<<<<< SEARCH\n\treturn 2\n=======\n",
		"I would write\n\treturn 8\n",
	} {
		d := NewDraft(FormatAuto, "a.go", draftText, Span{})
		d.Write(answer)
		if got := d.Hunks(); got != nil {
			t.Errorf("%q shows %v", answer, got)
		}
	}
	if NewDraft(FormatAuto, "a.go", "a\rb\n", Span{}) != nil {
		t.Error("a text with lone carriage returns has lines that editors count in different ways")
	}
}
