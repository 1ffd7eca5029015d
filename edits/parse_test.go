package edits

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// answers are well-formed answers in every format, with blocks enough to cut.
var answers = map[Format]string{
	FormatSearchReplace: "Sure.\n\na.go\n```go\n<<<<<<< SEARCH\none\n=======\nuno\n>>>>>>> REPLACE\n```\n\nb.go\n<<<<<<< SEARCH\n:start_line:3\n-------\ntwo\n=======\n=======\n>>>>>>> REPLACE\n",
	FormatApplyPatch:    "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@ class A\n@@ def f\n x\n-y\n+z\n\n@@ -3,1 +3,1 @@\ntab\n-q\n*** End of File\n*** Add File: n\n+1\n\n*** Delete File: d\n*** End Patch\nEOF\n",
	FormatUnifiedDiff:   "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n--- two\n+++ three\n four\n@@ -9,2 +9,1 @@ f()\n-a\n b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n\\ No newline at end of file\n+d\n",
	FormatStrReplace:    "<edit path=\"a.go\">\n<old_text line=4>\none\ntwo\n</old_text>\n<new_text>\nuno\n</new_text>\n</edit>\n<path>b</path>\n<old_str>x</old_str>\n<new_str>y</new_str>\n<replace_all>true</replace_all>\n",
	FormatRewrite:       "a.md\n````markdown\n# T\n```sh\nmake\n```\n````\n",
}

// parsed is everything that a parse returns.
func parsed(format Format, chunks ...string) string {
	var s strings.Builder
	p := NewParser(format)
	for _, chunk := range chunks {
		p.Write(chunk)
	}
	blocks, err := p.Close()
	fmt.Fprintf(&s, "%+v %v", blocks, err)
	return s.String()
}

func cutAtRandom(text string, random *rand.Rand) []string {
	var out []string
	for text != "" {
		n := min(len(text), 1+random.IntN(1+random.IntN(30)))
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}

func TestChunksDoNotMatter(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 7))
	for own, answer := range answers {
		for _, format := range []Format{own, FormatAuto} {
			want := parsed(format, answer)
			for range 50 {
				if got := parsed(format, cutAtRandom(answer, random)...); got != want {
					t.Fatalf("%s: in chunks\n%s\nwhole\n%s", format, got, want)
				}
			}
			if got := parsed(format, strings.Split(answer, "")...); got != want {
				t.Errorf("%s: byte by byte\n%s\nwhole\n%s", format, got, want)
			}
			if got := parsed(format, strings.ReplaceAll(answer, "\n", "\r\n")); got != want {
				t.Errorf("%s: with CRLF\n%s\nwith LF\n%s", format, got, want)
			}
		}
	}
}

// TestCutAnswers cuts each answer at every byte: what is left is refused, or is
// the blocks that were complete before the cut and nothing of the next.
func TestCutAnswers(t *testing.T) {
	t.Parallel()
	for own, answer := range answers {
		for _, format := range []Format{own, FormatAuto} {
			whole, err := Parse(format, answer)
			if err != nil {
				t.Fatalf("%s: %v", format, err)
			}
			refusedAsCut := 0
			for n := range len(answer) {
				if own == FormatUnifiedDiff && n > 0 && answer[n-1] != '\n' {
					continue // a diff has no end marker: nothing shows whether its last line is whole
				}
				blocks, err := Parse(format, answer[:n])
				var refusal *Error
				switch {
				case errors.As(err, &refusal):
					if refusal.Code == CodeTruncated {
						refusedAsCut++
					}
				case err == nil && !isPrefix(blocks, whole) && !bareText(blocks):
					t.Errorf("%s cut after %q: %+v", format, answer[:n], blocks)
				}
			}
			if refusedAsCut < strings.Count(answer, "\n")/4 {
				t.Errorf("%s: only %d of %d cuts were recognised as such", format, refusedAsCut, len(answer))
			}
		}
	}
}

// isPrefix compares what blocks do; for a diff's block, the cut may only remove
// the information about the final newline.
func isPrefix(part, whole []Block) bool {
	return len(part) <= len(whole) && slices.EqualFunc(part, whole[:len(part)], func(a, b Block) bool {
		return a.Path == b.Path && a.Action == b.Action && a.Old == b.Old && a.New == b.New && slices.Equal(a.Lines, b.Lines)
	})
}

// bareText reports whether an answer without any sign of a format was taken
// for a whole text, which is all that rewrite and auto can do.
func bareText(blocks []Block) bool {
	return len(blocks) == 1 && blocks[0].Action == Rewrite
}

// TestLinesCountWhenTheyEnd: what a draft shows while an answer streams.
func TestLinesCountWhenTheyEnd(t *testing.T) {
	t.Parallel()
	p := NewParser(FormatSearchReplace)
	steps := []struct {
		chunk string
		want  []string
	}{
		{"f.go\n<<<<<<< SEA", nil},
		{"RCH\nol", nil},
		{"d\n====", []string{"-old"}},
		{"===\nnew", []string{"-old"}},
		{"er\n>>>>", []string{"-old", "+newer"}},
		{">>> REPLACE", []string{"-old", "+newer"}},
	}
	for _, s := range steps {
		p.Write(s.chunk)
		var seen []string
		for _, line := range p.out.inHand.Lines {
			seen = append(seen, string(line.Op)+line.Text)
		}
		if !slices.Equal(seen, s.want) {
			t.Errorf("after %q: %q, want %q", s.chunk, seen, s.want)
		}
	}
	if blocks, err := p.Close(); err != nil || len(blocks) != 1 {
		t.Errorf("blocks %v, error %v", blocks, err)
	}
}

func TestMarkersOnlyAtLineStart(t *testing.T) {
	t.Parallel()
	blocks, err := Parse(FormatSearchReplace, "f.md\n<<<<<<< SEARCH\nx ======= y\n  =======\n> >>>>>>> REPLACE\n=======\nz <<<<<<< SEARCH\n>>>>>>> REPLACE\n")
	if err != nil {
		t.Fatal(err)
	}
	if want := "x ======= y\n  =======\n> >>>>>>> REPLACE\n"; blocks[0].OldText() != want {
		t.Errorf("old text %q, want %q", blocks[0].OldText(), want)
	}
	if want := "z <<<<<<< SEARCH\n"; blocks[0].NewText() != want {
		t.Errorf("new text %q, want %q", blocks[0].NewText(), want)
	}
}

func FuzzParse(f *testing.F) {
	for _, answer := range answers {
		f.Add(answer, uint64(1))
	}
	f.Add("--- a\n+++ b\n--- c\n+++ d\n@@\n--- e", uint64(3))
	f.Fuzz(func(t *testing.T, answer string, seed uint64) {
		for _, format := range []Format{FormatAuto, FormatApplyPatch, FormatSearchReplace, FormatStrReplace, FormatUnifiedDiff, FormatRewrite} {
			want := parsed(format, answer)
			if got := parsed(format, cutAtRandom(answer, rand.New(rand.NewPCG(seed, 1)))...); got != want {
				t.Errorf("%s: in chunks\n%s\nwhole\n%s", format, got, want)
			}
		}
	})
}

// FuzzTruncation cuts an answer and demands that no block comes out of it that
// the whole answer does not have.
func FuzzTruncation(f *testing.F) {
	for _, answer := range answers {
		f.Add(answer, 20)
	}
	f.Fuzz(func(t *testing.T, answer string, at int) {
		if at < 0 || at > len(answer) {
			return
		}
		for _, format := range []Format{FormatApplyPatch, FormatSearchReplace, FormatStrReplace} {
			whole, err := Parse(format, answer)
			if err != nil {
				continue
			}
			if part, err := Parse(format, answer[:at]); err == nil && !isPrefix(part, whole) {
				t.Errorf("%s: cut after %q it is %+v, whole %+v", format, answer[:at], part, whole)
			}
		}
	})
}
