package edits

import (
	"strings"
	"testing"

	"github.com/sourcegraph/go-diff/diff"
	"pgregory.net/rapid"
)

// TestWellFormedDiffsReadAsGoDiffReadsThem prints random differences of two
// files and compares what our parser reads with what go-diff reads. It is the
// judge and not the parser because it cannot stream and reads on over errors.
func TestWellFormedDiffsReadAsGoDiffReadsThem(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var patch strings.Builder
		for _, name := range []string{"a", "dir/b c"} {
			before := strings.ReplaceAll(lines(t, "before "+name), "\r", "")
			after := strings.ReplaceAll(lines(t, "after "+name), "\r", "")
			patch.WriteString(Unified(name, before, after))
		}
		files, err := diff.ParseMultiFileDiff([]byte(patch.String()))
		if err != nil {
			t.Fatal(err)
		}
		blocks, err := Parse(FormatUnifiedDiff, patch.String())
		if err != nil {
			t.Fatalf("%v\n%s", err, patch.String())
		}
		n := 0
		for _, file := range files {
			for _, h := range file.Hunks {
				if n == len(blocks) || hunkText(blocks[n].Lines) != strings.TrimSuffix(string(h.Body), "\n")+"\n" {
					t.Fatalf("hunk %d is not\n%s\nin\n%s", n, h.Body, patch.String())
				}
				n++
			}
		}
		if n != len(blocks) {
			t.Fatalf("%d hunks, go-diff reads %d", len(blocks), n)
		}
	})
}

func hunkText(lines []Line) string {
	var s strings.Builder
	for _, l := range lines {
		s.WriteString(string(l.Op) + l.Text + "\n")
	}
	return s.String()
}
