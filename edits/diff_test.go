package edits

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sourcegraph/go-diff/diff"
	"pgregory.net/rapid"
)

func TestDiffKeepsWhatDoesNotChange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, before, after, want string }{
		{"nothing", "a\nb\n", "a\nb\n", ""},
		{"insert a word", "x := foo(a)\n", "x := foo(a, b)\n", `[10,10)", b"`},
		{"a line", "a\nb\nc\n", "a\nc\n", `[2,4)""`},
		{"final newline", "a", "a\n", `[1,1)"\n"`},
		{"byte order mark", "\ufeffa\nb\n", "\ufeffa\nc\n", `[5,6)"c"`},
		{"line ends kept", "a\r\nb\r\nc\r\n", "a\r\nx\r\nc\r\n", `[3,4)"x"`},
		{"line ends changed", "a\r\n", "a\n", `[1,3)"\n"`},
		{"line end completed", "a\r", "a\r\n", `[1,2)"\r\n"`},
		{"runes whole", "é\n", "è\n", `[0,2)"è"`},
		{"pairs whole", "😀\n", "😁\n", `[0,4)"😁"`},
		{"two places in a line", "alpha = one + two\n", "alpha = 1 + 2\n", `[8,11)"1" [14,17)"2"`},
		{"invalid bytes", "a\xffb\xfe\n", "a\xffc\xfe\n", `[2,3)"c"`},
	} {
		var got []string
		for _, e := range Diff(c.before, c.after) {
			got = append(got, e.String())
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: Diff(%q, %q) = %s, want %s", c.name, c.before, c.after, s, c.want)
		}
	}
}

func checkDiff(t interface{ Fatalf(string, ...any) }, before, after string) []Edit {
	es := Diff(before, after)
	if got := mustApply(t, before, es); got != after {
		t.Fatalf("Diff(%q, %q) makes %q", before, after, got)
	}
	delta := 0
	for _, e := range es {
		for _, at := range []int{e.Start, e.End} {
			if !cuttable(before, at) {
				t.Fatalf("Diff(%q, %q): edit %v %q divides a rune or a line end", before, after, e.Span, e.New)
			}
		}
		for _, at := range []int{e.Start + delta, e.Start + delta + len(e.New)} {
			if !cuttable(after, at) {
				t.Fatalf("Diff(%q, %q): edit %v %q leaves half a rune or line end", before, after, e.Span, e.New)
			}
		}
		delta += e.Delta()
	}
	return es
}

func TestDiffIsApplied(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before := anyText(t, "before")
		after := spliced(before, anyEdits(t, "edits", before, 8, pieces))
		if rapid.Bool().Draw(t, "unrelated") {
			after = anyText(t, "after")
		}
		checkDiff(t, before, after)
	})
}

func FuzzDiff(f *testing.F) {
	f.Add("a\r\nb€c", "a\nb\u20adc")
	f.Add("a\r", "a\r\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		checkDiff(t, before, after)
		checkUnified(t, before, after)
	})
}

// scattered changes one word in every nth of many lines, more than the lcs
// package compares exactly.
func scattered(lines, every int) (before, after string) {
	random := rand.New(rand.NewPCG(3, 4))
	var a, b strings.Builder
	for i := range lines {
		line := fmt.Sprintf("\tvalue%d := compute(%d, %d)\n", random.IntN(500), random.IntN(50), i%7)
		a.WriteString(line)
		if i%every == 0 {
			line = strings.Replace(line, "compute", "measure", 1)
		}
		b.WriteString(line)
	}
	return a.String(), b.String()
}

func TestDiffStaysSmallBeyondHundredChanges(t *testing.T) {
	t.Parallel()
	before, after := scattered(5000, 10)
	deleted := 0
	for _, e := range checkDiff(t, before, after) {
		deleted += e.Len()
	}
	if most := 500 * len("compute"); deleted > most {
		t.Errorf("500 changed words delete %d bytes, want %d at most", deleted, most)
	}
}

// pathological is input that makes comparing costly: repeats without anchors,
// everything moved, nothing in common, one endless line.
var pathological = map[string][2]string{
	"repeats":  {strings.Repeat("a\nb\n", 5000), strings.Repeat("b\na\na\n", 4000)},
	"reversed": {countedLines(5000, 1), countedLines(5000, -1)},
	"foreign":  {countedLines(5000, 1), strings.ReplaceAll(countedLines(5000, 1), "line", "zeile")},
	"one line": {strings.Repeat("ab", 500_000), strings.Repeat("ba", 500_000) + "c"},
}

func countedLines(n, step int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d of text\n", i*step+n)
	}
	return b.String()
}

func TestDiffOfPathologicalInput(t *testing.T) {
	t.Parallel()
	for _, c := range pathological {
		checkDiff(t, c[0], c[1])
	}
}

func BenchmarkDiff(b *testing.B) {
	scatteredBefore, scatteredAfter := scattered(5000, 10)
	oneBefore, _ := scattered(5000, 10)
	cases := map[string][2]string{
		"scattered": {scatteredBefore, scatteredAfter},
		"one edit":  {oneBefore, strings.Replace(oneBefore, "compute", "c", 1)},
	}
	for name, c := range pathological {
		cases[name] = c
	}
	for name, c := range cases {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(c[0]) + len(c[1])))
			for b.Loop() {
				Diff(c[0], c[1])
			}
		})
	}
}

// checkUnified reads a printed diff back and applies it.
func checkUnified(t interface{ Fatalf(string, ...any) }, before, after string) {
	printed := Unified("dir/a.txt", before, after)
	if before == after {
		if printed != "" {
			t.Fatalf("no change is printed as %q", printed)
		}
		return
	}
	parsed, err := diff.ParseFileDiff([]byte(printed))
	if err != nil {
		t.Fatalf("%v in %q", err, printed)
	}
	if got := patched(before, printed); got != after {
		t.Fatalf("diff of %q and %q gives %q:\n%s", before, after, got, printed)
	}
	for _, h := range parsed.Hunks {
		if h.OrigLines+h.NewLines == 0 {
			t.Fatalf("empty hunk in %q", printed)
		}
	}
}

// patched applies a unified diff the plain way: it copies lines up to each
// hunk, checks what the hunk keeps and deletes, and takes what it adds.
func patched(before, printed string) string {
	old := splitLF(before)
	var out []string
	at, last := 0, &out
	var gone []string
	for _, line := range splitLF(printed)[2:] {
		text := line[1:]
		switch line[0] {
		case '@':
			var start, count int
			_, _ = fmt.Sscanf(line, "@@ -%d,%d", &start, &count)
			if count > 0 {
				start--
			}
			out = append(out, old[at:start]...)
			at = start
		case '+':
			out, last = append(out, text), &out
		case '\\':
			(*last)[len(*last)-1] = strings.TrimSuffix((*last)[len(*last)-1], "\n")
		case ' ', '-':
			if strings.TrimSuffix(old[at], "\n") != strings.TrimSuffix(text, "\n") {
				return "mismatch at " + line
			}
			at++
			if line[0] == ' ' {
				out, last = append(out, text), &out
			} else {
				gone, last = append(gone, text), &gone
			}
		}
	}
	return strings.Join(append(out, old[at:]...), "")
}

func TestUnifiedReadsBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before := anyText(t, "before")
		checkUnified(t, before, spliced(before, anyEdits(t, "edits", before, 8, pieces)))
	})
}

func TestUnified(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change FileChange
		want   string
	}{
		{"no final newline", FileChange{Path: "a", Before: "x\ny", After: "x\nz"},
			"--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n x\n-y\n\\ No newline at end of file\n+z\n\\ No newline at end of file\n"},
		{"create", FileChange{Path: "a", AbsentBefore: true, After: "x\n"},
			"diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+x\n"},
		{"delete", FileChange{Path: "a", Before: "x\n", AbsentAfter: true},
			"diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n"},
		{"create empty", FileChange{Path: "a", AbsentBefore: true}, "diff --git a/a b/a\nnew file mode 100644\n"},
		{"quoted", FileChange{Path: "a\tb", Before: "", After: "x\n"}, "--- \"a/a\\tb\"\n+++ \"b/a\\tb\"\n@@ -0,0 +1,1 @@\n+x\n"},
	} {
		if got := UnifiedChange(c.change); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestAtomsAreWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := anyText(t, "text")
		ids, at := atoms(s)
		if len(at) != len(ids)+1 || at[len(ids)] != len(s) {
			t.Fatalf("%d atoms start at %v", len(ids), at)
		}
		if utf8.ValidString(s) && len(ids) != utf8.RuneCountInString(s)-strings.Count(s, "\r\n") {
			t.Fatalf("%d atoms in %q", len(ids), s)
		}
	})
}
