package edits

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// apply applies an answer to one file called f and returns its text, or the
// code of the refusal.
func apply(t *testing.T, format Format, before, answer string, o Options) string {
	t.Helper()
	files := map[string]string{"f": before}
	after, _, err := applyAnswer(format, files, answer, o)
	var refusal *Error
	if errors.As(err, &refusal) {
		if after != nil {
			t.Errorf("refused with %v and gave %q", err, after)
		}
		return "error " + string(refusal.Code)
	}
	if err != nil {
		t.Fatalf("%v is no *Error", err)
	}
	return after["f"]
}

func searchFor(old, new string) string {
	return "f\n<<<<<<< SEARCH\n" + old + "=======\n" + new + ">>>>>>> REPLACE\n"
}

func TestBytesThatStay(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, before, old, new, want string }{
		{"byte order mark", "\ufeffone\ntwo\n", "one\n", "uno\n", "\ufeffuno\ntwo\n"},
		{"mixed line ends", "one\r\ntwo\nthree\r\n", "two\n", "zwei\n", "one\r\nzwei\r\nthree\r\n"},
		{"line ends of context", "one\ntwo\r\nthree\n", "one\ntwo\nthree\n", "one\ntwo\n3\n", "one\ntwo\r\n3\n"},
		{"no final newline above", "one\ntwo", "one\n", "uno\n", "uno\ntwo"},
		{"last line removed", "one\ntwo", "two\n", "", "one\n"},
		{"all removed", "one\n", "one\n", "", ""},
		{"lines after a last line", "one\ntwo", "two\n", "two\nthree\n", "one\ntwo\nthree"},
		{"form feed and NUL", "\f\x00\none\n", "one\n", "uno\n", "\f\x00\nuno\n"},
		{"invalid UTF-8", "\xff\xfe\none\n", "one\n", "uno\n", "\xff\xfe\nuno\n"},
	}
	for _, c := range tests {
		if got := apply(t, FormatSearchReplace, c.before, searchFor(c.old, c.new), Options{}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestByteOrderMarkCopied: a model that was shown a byte order mark writes it, or leaves
// it out; the file keeps its one.
func TestByteOrderMarkCopied(t *testing.T) {
	t.Parallel()
	const mark = "\ufeff"
	formats := []struct {
		format Format
		answer func(old, new string) string // the marks with which these begin
	}{
		{FormatSearchReplace, func(old, new string) string { return searchFor(old+"one\n", new+"uno\n") }},
		{FormatSearchReplace, func(old, new string) string { return searchFor(old+"one\n...\n", new+"uno\n...\n") }},
		{FormatStrReplace, func(old, new string) string {
			return "<old_text>\n" + old + "one\n</old_text>\n<new_text>\n" + new + "uno\n</new_text>\n"
		}},
		{FormatUnifiedDiff, func(old, new string) string {
			return "--- f\n+++ f\n@@ -1,2 +1,2 @@\n-" + old + "one\n+" + new + "uno\n two\n"
		}},
		{FormatApplyPatch, func(old, new string) string {
			return "*** Begin Patch\n*** Update File: f\n@@\n-" + old + "one\n+" + new + "uno\n two\n*** End Patch\n"
		}},
		{FormatRewrite, func(_, new string) string { return "```\n" + new + "uno\ntwo\n```\n" }},
	}
	for _, f := range formats {
		for _, marks := range [][2]string{{"", ""}, {mark, mark}, {mark, ""}, {"", mark}} {
			answer := f.answer(marks[0], marks[1])
			if got := apply(t, f.format, mark+"one\ntwo\n", answer, Options{}); got != mark+"uno\ntwo\n" {
				t.Errorf("%s: %q gives %q", f.format, answer, got)
			}
		}
	}
	if got := apply(t, FormatSearchReplace, mark+"one\ntwo\n", searchFor(mark+"one\n", ""), Options{}); got != mark+"two\n" {
		t.Errorf("the first line removed: %q", got)
	}
}

func TestLiteral(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, before, old, new, want string
		all                          bool
	}{
		{"inside a line", "a b c", "b", "$1", "a $1 c", false},
		{"across lines", "one\ntwo\n", "e\nt", "E\nT", "onE\nTwo\n", false},
		{"all", "x y x\nx\n", "x", "zz", "zz y zz\nzz\n", true},
		{"all, with new lines", "a,b\nc,d\n", ",", "\n", "a\nb\nc\nd\n", true},
		{"all, lines joined", "a\nb\nc\n", "\n", " ", "a b c ", true},
		{"overlapping are two", "aaa", "aa", "b", "error ambiguous", false},
		{"overlapping, all", "aaaaa", "aa", "b", "bba", true},
		{"crlf", "one\r\ntwo\r\n", "one\ntwo", "1\n2", "1\r\n2\r\n", false},
		{"to the end", "one\ntwo\n", "two\n", "", "one\n", false},
		{"nothing left", "one\n", "one\n", "", "", false},
		{"no old text", "one\n", "", "x", "error not_found", false},
		{"empty file", "", "", "x", "x", false},
		{"not there", "one\n", "two", "x", "error not_found", false},
	}
	for _, c := range tests {
		blocks := ReplacementBlocks([]Replacement{{Path: "f", Old: c.old, New: c.new, All: c.all}})
		after, _, err := applyBlocks(blocks, map[string]string{"f": c.before}, Options{})
		got := after["f"]
		var refusal *Error
		if errors.As(err, &refusal) {
			got = "error " + string(refusal.Code)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestRefusalsNameTheBlockAndThePlaces(t *testing.T) {
	t.Parallel()
	answer := searchFor("b\n", "c\n") + searchFor("same\n", "other\n")
	_, _, err := applyAnswer(FormatSearchReplace, map[string]string{"f": "b\nsame\nx\nsame\n"}, answer, Options{})
	if err == nil || !strings.Contains(err.Error(), "block 2 (f)") || !strings.Contains(err.Error(), "lines 2, 4") {
		t.Errorf("error %v", err)
	}
	_, _, err = applyAnswer(FormatSearchReplace, map[string]string{"f": "alpha := compute(x)\n"}, searchFor("alpha := compute(xs, ys)\n", "y\n"), Options{})
	if err == nil || !strings.Contains(err.Error(), "nearest is line 1") {
		t.Errorf("error %v", err)
	}
}

// findMarks finds «…», which stand for secrets here.
func findMarks(text string) []Span {
	var out []Span
	for at := 0; ; {
		i := strings.Index(text[at:], "«")
		if i < 0 {
			return out
		}
		end := strings.Index(text[at+i:], "»")
		if end < 0 {
			return out
		}
		out = append(out, Span{at + i, at + i + end + len("»")})
		at += i + end + len("»")
	}
}

func TestPlaceholders(t *testing.T) {
	t.Parallel()
	before := "a = 1\nkey = \"«1»\"\nb = 2\ntoken = «2»\nc = 3\n"
	tests := []struct{ name, old, new, want string }{
		{"elsewhere", "b = 2\n", "b = 3\n", strings.Replace(before, "b = 2", "b = 3", 1)},
		{"on its line", "key = \"«1»\"\n", "secret = \"«1»\"\n", strings.Replace(before, "key", "secret", 1)},
		{"in context", "a = 1\nkey = \"«1»\"\n", "a = 2\nkey = \"«1»\"\n", strings.Replace(before, "a = 1", "a = 2", 1)},
		{"added", "b = 2\n", "b = «1»\n", "error unsafe"},
		{"lost", "token = «2»\n", "token = 5\n", "error unsafe"},
		{"altered", "token = «2»\n", "token = «two»\n", "error unsafe"},
		{"swapped", "key = \"«1»\"\nb = 2\ntoken = «2»\n", "key = \"«2»\"\nb = 2\ntoken = «1»\n", "error unsafe"},
		{"moved", "b = 2\ntoken = «2»\nc = 3\n", "token = «2»\nb = 2\nc = 3\n", "error unsafe"},
		{"moved over two lines", "a = 1\nkey = \"«1»\"\nb = 2\ntoken = «2»\n", "token = «2»\na = 1\nkey = \"«1»\"\nb = 2\n", "error unsafe"},
	}
	for _, c := range tests {
		got := apply(t, FormatSearchReplace, before, searchFor(c.old, c.new), Options{Placeholders: findMarks})
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestFileWithASecretStays: a model that was shown a placeholder does not remove the file.
func TestFileWithASecretStays(t *testing.T) {
	t.Parallel()
	blocks, err := Parse(FormatApplyPatch, "*** Begin Patch\n*** Delete File: f\n*** End Patch\n")
	if err != nil {
		t.Fatal(err)
	}
	for before, want := range map[string]Code{"a = 1\n": "", "key = «1»\n": CodeUnsafe} {
		_, _, err := applyBlocks(blocks, map[string]string{"f": before}, Options{Placeholders: findMarks})
		var refused *Error
		if errors.As(err, &refused); (refused != nil) != (want != "") || refused != nil && refused.Code != want {
			t.Errorf("%q: %v", before, err)
		}
	}
}

func TestExactTakesTheNamedLineOrNothing(t *testing.T) {
	t.Parallel()
	before := "x\na\nx\nb \n"
	tests := []struct{ hunk, want string }{
		{"@@ -3 +3 @@\n-x\n+y\n", "x\na\ny\nb \n"},
		{"@@ -2 +2 @@\n-x\n+y\n", "error not_found"},
		{"@@ -4 +4 @@\n-b\n+c\n", "error not_found"},
	}
	for _, c := range tests {
		if got := apply(t, FormatUnifiedDiff, before, "--- f\n+++ f\n"+c.hunk, Options{Exact: true}); got != c.want {
			t.Errorf("%q: %q, want %q", c.hunk, got, c.want)
		}
	}
}

func TestVerbatim(t *testing.T) {
	t.Parallel()
	before := "if x {\n\tone()\n\ttwo()"
	tests := []struct {
		old, new, want string
	}{
		{"one()\ntwo()\n", "one()\nthree()\n", "if x {\n\tone()\nthree()\n"},
		{"two()\n", "", "if x {\n\tone()\n"},
		{"if x {\n", "if y {\n", "if y {\n\tone()\n\ttwo()"},
	}
	for _, c := range tests {
		if got := apply(t, FormatSearchReplace, before, searchFor(c.old, c.new), Options{Verbatim: true}); got != c.want {
			t.Errorf("%q for %q: %q, want %q", c.new, c.old, got, c.want)
		}
	}
}

// lines draws a text whose lines repeat often, are indented in one style, end
// in any way, and may lack the last terminator.
func lines(t *rapid.T, label string) string {
	eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, label+" eol")
	all := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "b", "  c", "  d", "-- e", "++ f", "@@ g", "«h»"}), 0, 30).Draw(t, label)
	text := strings.Join(all, eol)
	if text != "" && rapid.Bool().Draw(t, label+" ends") {
		text += eol
	}
	return text
}

// TestUnifiedRoundTrip prints a difference and applies it again.
func TestUnifiedRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before := strings.ReplaceAll(lines(t, "before"), "\r", "")
		after := strings.ReplaceAll(lines(t, "after"), "\r", "")
		if before == after {
			return
		}
		patch := Unified("f", before, after)
		got, _, err := applyAnswer(FormatUnifiedDiff, map[string]string{"f": before}, patch, Options{})
		if err != nil || got["f"] != after {
			t.Fatalf("%v\n%s", err, cmp.Diff(after, got["f"])+"\n"+patch)
		}
	})
}

// TestUnifiedOfWholeFiles prints changes that make or delete a file and applies them again:
// an empty file has no lines, and its header alone says that it is new.
func TestUnifiedOfWholeFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []FileChange{
		{Path: "a", AbsentBefore: true},
		{Path: "a", AbsentBefore: true, After: "x\n"},
		{Path: "a", AbsentAfter: true},
		{Path: "a", AbsentAfter: true, Before: "x\n"},
	} {
		before := map[string]string{"b": "y\n"}
		if !c.AbsentBefore {
			before["a"] = c.Before
		}
		patch := UnifiedChange(c)
		got, _, err := applyAnswer(FormatUnifiedDiff, before, patch, Options{})
		after, there := got["a"]
		if err != nil || there == c.AbsentAfter || after != c.After {
			t.Errorf("%v: %q, %v of\n%s", err, after, there, patch)
		}
	}
}

// TestLostSignElsewhere: a hunk without a sign, whose lines all stand in one class, says that
// it is about another one, where they stand without a line: that line may be added.
func TestLostSignElsewhere(t *testing.T) {
	t.Parallel()
	const one, two = "class One:\n    def f(self):\n        g(\n            a=a,\n            c=c,\n        )\n", "class Two:\n    def f(self):\n        g(\n            a=a,\n            b=b,\n            c=c,\n        )\n"
	const hunk = "@@ class One:\n         g(\n             a=a,\n%s             c=c,\n         )\n"
	for line, refused := range map[string]bool{"            b=b,\n": true, "": false} {
		patch := "*** Begin Patch\n*** Update File: f.py\n@@ class One:\n-    def f(self):\n+    def f(self, b):\n         g(\n" + fmt.Sprintf(hunk, line) + "*** End Patch\n"
		got, _, err := applyAnswer(FormatApplyPatch, map[string]string{"f.py": one + "\n" + two}, patch, Options{})
		if (err != nil) != refused {
			t.Errorf("%q: %v\n%s", line, err, got["f.py"])
		}
	}
}

// TestHeadersAlone: what the header of a file says, without a line of its text, is done.
func TestHeadersAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		format Format
		answer string
		want   map[string]string
	}{
		{"created from nothing", FormatUnifiedDiff, "--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+y\n", map[string]string{"a": "x\n", "new": "y\n"}},
		{"moved by a patch", FormatApplyPatch, "*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** End Patch\n", map[string]string{"b": "x\n"}},
		{"moved by git", FormatUnifiedDiff, "diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n", map[string]string{"b": "x\n"}},
		{"deleted by a patch", FormatApplyPatch, "*** Begin Patch\n*** Delete File: a\n*** End Patch\n", map[string]string{}},
		{"deleted by git", FormatUnifiedDiff, "diff --git a/a b/a\ndeleted file mode 100644\nindex 587be6b..0000000\n", map[string]string{}},
	} {
		got, _, err := applyAnswer(c.format, map[string]string{"a": "x\n"}, c.answer, Options{})
		if err != nil || !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
}

// TestDiffsOfSeveralFiles: where one file of a diff ends and the next begins, with and without
// numbers, in git's form and in that of diff.
func TestDiffsOfSeveralFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, diff, a, b string }{
		{"without numbers", "--- a\n+++ a\n@@\n-x\n+y\n--- b\n+++ b\n@@\n-u\n+v\n", "y\n", "v\n"},
		{"with numbers", "--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n--- b\n+++ b\n@@ -1 +1 @@\n-u\n+v\n", "y\n", "v\n"},
		{"by git", "diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\ndiff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-u\n+v\n", "y\n", "v\n"},
		{"lines that look like the header of a file", "--- a\n+++ a\n@@ -1 +1,2 @@\n-x\n+y\n+++ z\n--- b\n+++ b\n@@ -1 +1 @@\n-u\n+v\n", "y\n++ z\n", "v\n"},
		{"the first one is deleted", "--- a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n--- b\n+++ b\n@@ -1 +1 @@\n-u\n+v\n", "", "v\n"},
		{"the second one is deleted, without numbers", "--- a\n+++ a\n@@\n-x\n+y\n--- b\n+++ /dev/null\n@@\n-u\n", "y\n", ""},
		{"the second one is deleted, with git's folders", "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n--- a/b\n+++ /dev/null\n@@ -1 +0,0 @@\n-u\n", "y\n", ""},
		{"the first one is deleted without its lines", "--- a\n+++ /dev/null\n--- b\n+++ b\n@@ -1 +1 @@\n-u\n+v\n", "", "v\n"},
		{"the second one is renamed", "--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\ndiff --git a/b b/c\nsimilarity index 100%\nrename from b\nrename to c\n", "y\n", ""},
	} {
		got, tiers, err := applyAnswer(FormatUnifiedDiff, map[string]string{"a": "x\n", "b": "u\n"}, c.diff, Options{})
		if err != nil || got["a"] != c.a || got["b"] != c.b || len(tiers) != 2 {
			t.Errorf("%s: %q, %d blocks, %v", c.name, got, len(tiers), err)
		}
	}
}

// TestPathsAsGitWritesThem: the folders a and b of git's diffs are none of the workspace, also where
// it has one of that name.
func TestPathsAsGitWritesThem(t *testing.T) {
	t.Parallel()
	const diff = "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n"
	for _, c := range []struct{ changed, other string }{{"f", "sub/f"}, {"f", "c/b/f"}, {"f", "b/f"}} {
		for _, diff := range []string{diff, "--- a/f\n+++ a/f\n@@ -1 +1 @@\n-x\n+y\n"} {
			got, _, err := applyAnswer(FormatUnifiedDiff, map[string]string{c.changed: "x\n", c.other: "x\n"}, diff, Options{})
			if err != nil || got[c.changed] != "y\n" || got[c.other] != "x\n" {
				t.Errorf("%s beside %s: %q, %v of\n%s", c.changed, c.other, got, err, diff)
			}
		}
	}
}

// TestMovesEnd: a file that was moved away leaves its path to another one, and the next file is
// not moved.
func TestMovesEnd(t *testing.T) {
	t.Parallel()
	const patch = "*** Begin Patch\n*** Update File: a\n*** Move to: c\n@@\n-x\n+y\n*** Add File: a\n+new\n*** Update File: b\n@@\n-u\n+v\n*** End Patch\n"
	got, _, err := applyAnswer(FormatApplyPatch, map[string]string{"a": "x\n", "b": "u\n"}, patch, Options{})
	if want := map[string]string{"a": "new\n", "b": "v\n", "c": "y\n"}; err != nil || !maps.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestBlocksStay: to apply blocks changes none of them.
func TestBlocksStay(t *testing.T) {
	t.Parallel()
	const block = "f\n<<<<<<< SEARCH\n\ufeffx\n=======\n\ufeffy\n>>>>>>> REPLACE\n"
	blocks, err := Parse(FormatSearchReplace, block)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		got, _, err := applyBlocks(blocks, map[string]string{"f": "\ufeffx\n"}, Options{})
		if err != nil || got["f"] != "\ufeffy\n" {
			t.Errorf("%q, %v", got["f"], err)
		}
		if old, new := blocks[0].OldText(), blocks[0].NewText(); old != "\ufeffx\n" || new != "\ufeffy\n" {
			t.Errorf("the block has become %q, %q", old, new)
		}
	}
}

// TestEachBlockHasATier, also one that is given a second time.
func TestEachBlockHasATier(t *testing.T) {
	t.Parallel()
	const block = "f\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"
	got, tiers, err := applyAnswer(FormatSearchReplace, map[string]string{"f": "x\n"}, block+block, Options{})
	if err != nil || got["f"] != "y\n" || !slices.Equal(tiers, []string{"exact", "exact"}) {
		t.Errorf("%q, %q, %v", got["f"], tiers, err)
	}
}

// TestNoNewlineIsTheEnd: lines that stand twice are those at the end of the file where the
// diff says that no newline follows.
func TestNoNewlineIsTheEnd(t *testing.T) {
	t.Parallel()
	const none = "\\ No newline at end of file\n"
	got, _, err := applyAnswer(FormatUnifiedDiff, map[string]string{"f": "x\ny\nx\ny"}, "--- f\n+++ f\n@@\n-y\n"+none+"+z\n"+none, Options{})
	if err != nil || got["f"] != "x\ny\nx\nz" {
		t.Errorf("%q, %v", got["f"], err)
	}
}

// TestWholeFileBlocks replaces a whole text by another in every format that can.
func TestWholeFileBlocks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before, after := lines(t, "before"), lines(t, "after")
		plain := strings.ReplaceAll(after, "\r", "")
		if strings.TrimSpace(before) == "" || strings.TrimSpace(after) == "" || strings.ReplaceAll(before, "\r", "") == plain {
			return
		}
		blocks := ReplacementBlocks([]Replacement{{Path: "f", Old: before, New: after}})
		got, _, err := applyBlocks(blocks, map[string]string{"f": before}, Options{})
		if err != nil || strings.ReplaceAll(got["f"], "\r", "") != plain {
			t.Fatalf("%v: %q, want %q", err, got["f"], after)
		}
		if strings.Contains(before, "\r\n") && strings.Contains(strings.ReplaceAll(got["f"], "\r\n", ""), "\n") {
			t.Fatalf("the line ends are mixed: %q", got["f"])
		}
	})
}

// TestMissingPaths: a path that leads out of the workspace gets that refusal even if no such file exists, and never matches a file
// inside.
func TestMissingPaths(t *testing.T) {
	t.Parallel()
	before := map[string]string{"a.txt": "a\nb\n", "pkg/b.txt": "a\nb\n"}
	for path, want := range map[string]Code{
		"../a.txt": CodeOutside, "../../pkg/b.txt": CodeOutside, "/etc/passwd": CodeOutside, `C:\x.txt`: CodeOutside,
		"none.txt": CodeNotFound, "pkg/../none.txt": CodeNotFound,
		"/home/me/work/pkg/b.txt": "", "pkg/../a.txt": "",
	} {
		for _, op := range []string{"*** Update File: " + path + "\n@@\n-b\n+c", "*** Delete File: " + path} {
			_, _, err := applyAnswer(FormatApplyPatch, before, "*** Begin Patch\n"+op+"\n*** End Patch\n", Options{})
			var refusal *Error
			if errors.As(err, &refusal); refusal == nil && want != "" || refusal != nil && refusal.Code != want {
				t.Errorf("%s: refused as %v, want %q", op, err, want)
			}
		}
	}
}

// FuzzApply demands that whatever an answer is, applying it does not panic,
// changes nothing on a refusal, and keeps every file it does not name.
func FuzzApply(f *testing.F) {
	for format, answer := range answers {
		f.Add(string(format), answer, "one\ntwo\nx\ny\n", "x\n--- two\nb\n")
	}
	f.Fuzz(func(t *testing.T, format, answer, a, b string) {
		before := map[string]string{"a": a, "b": b, "quite/another": "stays\n"}
		given := maps.Clone(before)
		after, _, err := applyAnswer(Format(format), before, answer, Options{})
		if !maps.Equal(before, given) {
			t.Fatalf("what was given changed: %q", before)
		}
		if err != nil {
			var refusal *Error
			if !errors.As(err, &refusal) || after != nil {
				t.Fatalf("refused by %#v, gave %q", err, after)
			}
			return
		}
		if after["quite/another"] != "stays\n" && !strings.Contains(answer, "another") {
			t.Fatalf("a file that is not named changed: %q", after)
		}
	})
}

// applyAnswer parses an answer and applies it.
func applyAnswer(format Format, before map[string]string, answer string, o Options) (after map[string]string, tiers []string, err error) {
	blocks, err := Parse(format, answer)
	if err != nil {
		return nil, nil, err
	}
	return applyBlocks(blocks, before, o)
}

// applyBlocks returns the texts after blocks, and how each was located.
func applyBlocks(blocks []Block, before map[string]string, o Options) (map[string]string, []string, error) {
	applied, err := ApplyBlocks(blocks, before, o)
	if err != nil {
		return nil, nil, err
	}
	return applied.After, applied.Tiers, nil
}
