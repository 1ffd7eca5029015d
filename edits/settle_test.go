package edits_test

import (
	"maps"
	"slices"
	"testing"

	"tandem/edits"
)

// TestVerdictHoldsForWhatIsLeft: where any of the files hold their new text already, because the
// process that wrote them was killed, the verdict on all texts is that on what is left.
func TestVerdictHoldsForWhatIsLeft(t *testing.T) {
	t.Parallel()
	steps := [][]edits.FileChange{
		{{Path: "changed", Before: "1\n", After: "2\n", Edits: edits.Diff("1\n", "2\n")}, {Path: "created", After: "new\n", AbsentBefore: true, Edits: edits.Diff("", "new\n")}},
		{{Path: "deleted", Before: "old\n", AbsentAfter: true}, {Path: "changed", Before: "2\n", After: "3\n", Edits: edits.Diff("2\n", "3\n")}},
	}
	old, next := map[string]string{"changed": "1\n", "deleted": "old\n"}, map[string]string{"changed": "3\n", "created": "new\n"}
	verdict := edits.Judge(edits.JoinChanges(steps...))
	names := []string{"changed", "created", "deleted"}
	for written := range 1 << len(names) {
		disk := maps.Clone(old)
		for i, name := range names {
			if text, ok := next[name]; written>>i&1 == 0 {
				continue
			} else if delete(disk, name); ok {
				disk[name] = text
			}
		}
		files, conflicts := edits.Pick(steps, -1, func(path string) (edits.Text, bool) {
			text, ok := disk[path]
			return edits.NewText(text), ok
		})
		p := edits.Proposal{Files: files, Verdict: verdict}
		if len(conflicts) > 0 || !p.Judged().Passed() || p.Done() != (written == 1<<len(names)-1) {
			t.Errorf("written %03b: %+v, %v, %s", written, files, conflicts, p.Judged().Reason())
		}
		for _, f := range files {
			diff, err := f.Unified()
			if i := slices.Index(names, f.Path); err != nil || f.Done() != (written>>i&1 == 1) || f.Done() != (diff == "") {
				t.Errorf("written %03b: %s is done: %t, %v\n%s", written, f.Path, f.Done(), err, diff)
			}
		}
	}
	steps[0][0].After = "other\n"
	files, _ := edits.Pick(steps[:1], -1, func(string) (edits.Text, bool) { return edits.NewText("1\n"), true })
	if p := (edits.Proposal{Files: files, Verdict: verdict}); p.Judged().Passed() {
		t.Error("the verdict passes another text")
	}
}
