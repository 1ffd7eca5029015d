package edits_test

import (
	"strings"
	"testing"

	"tandem/edits"
)

// TestPartsOfAnswers: the blocks of an answer that was cut are those whose end came. The cut is
// tried at every place: there is never a block that the whole answer does not have.
func TestPartsOfAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format edits.Format
		answer string // ‖ ends a block
	}{
		{edits.FormatSearchReplace, "I do it.\na.go\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE‖\n\n<<<<<<< SEARCH\ntwo\n=======\n>>>>>>> REPLACE‖\n"},
		{edits.FormatSearchReplace, "a.go\n<<<<<<< SEARCH\none\n=======\n1\n=======\n\nb.go\n<<<<<<< SEARCH\n‖two\n=======\n2\n>>>>>>> REPLACE‖\n"},
		{edits.FormatApplyPatch, "*** Begin Patch\n*** Update File: a.go\n@@\n-one\n+1\n@@\n‖-two\n+2\n*** Delete File: b.go\n‖‖*** Add File: c.go\n+x\n*** End Patch‖\n"},
		{edits.FormatStrReplace, "<edit path=\"a.go\">\n<old_text>\none\n</old_text>\n<new_text>\n1\n</new_text>‖\n</edit>\n"},
		{edits.FormatUnifiedDiff, "--- a/a.go\n+++ b/a.go\n@@ -1,1 +1,1 @@\n-one\n+1\n‖@@ -9,1 +9,2 @@\n nine\n+ten\n‖"},
		{edits.FormatUnifiedDiff, "--- a/a.go\n+++ b/a.go\n@@ first @@\n-one\n+1\n@@ second @@\n‖-two\n+2\n"},
		{edits.FormatRewrite, "a.go\n```go\npackage a\n```‖\n"},
		{edits.FormatRewrite, "package a\n\nfunc F() {}\n"},
	} {
		for _, format := range []edits.Format{c.format, edits.FormatAuto} {
			if format == edits.FormatAuto && c.format == edits.FormatRewrite {
				continue
			}
			plain := strings.ReplaceAll(c.answer, "‖", "")
			all, _ := edits.Parse(format, plain)
			for at := range len(plain) + 1 {
				got, err := edits.ParsePart(format, plain[:at])
				ended, rest := 0, at
				for before := range strings.SplitSeq(c.answer, "‖") {
					if rest -= len(before); rest < 0 || len(before) == 0 && rest < 0 {
						break
					}
					ended++
				}
				ended = min(ended, strings.Count(c.answer, "‖"))
				if len(got) != ended || (err == nil) != (ended > 0) {
					t.Fatalf("%s: %d blocks, want %d, %v, of\n%s", format, len(got), ended, err, plain[:at])
				}
				for i, b := range got {
					if b.Path != all[i].Path || b.OldText() != all[i].OldText() || b.NewText() != all[i].NewText() {
						t.Fatalf("%s: block %d of a part is another one:\n%s", format, i, plain[:at])
					}
				}
			}
		}
	}
}
