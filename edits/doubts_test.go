package edits_test

import (
	"slices"
	"testing"

	"tandem/edits"
)

// TestDoubtsGoWithTheChange: why a text may not be meant is known as long as the change is, however
// it is joined, carried over or picked, and no verdict passes it.
func TestDoubtsGoWithTheChange(t *testing.T) {
	t.Parallel()
	const before, after = "one\ntwo\nthree\nfour\n", "one\n2\nthree\nfour\n"
	doubts := []edits.Doubt{{Why: "it lacks something"}, {Why: "it was cut", Kind: edits.Cut}}
	step := []edits.FileChange{{Path: "a", Before: before, After: after, Edits: edits.Diff(before, after), Doubts: doubts}}
	now := func(string) (edits.Text, bool) { return edits.NewText(before + "five\n"), true }
	all, _ := edits.Pick([][]edits.FileChange{step}, -1, now)
	one, _ := edits.Pick([][]edits.FileChange{step}, 0, now)
	settled, _ := edits.Settle(step[0], edits.NewText(before+"five\n"), true)
	rebased, err := settled.RebaseOn([]edits.Edit{{New: "zero\n"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, files := range map[string][]edits.ProposedFile{"all steps": all, "one step": one, "settled": {settled}, "rebased": {rebased}} {
		if len(files) != 1 || !slices.Equal(files[0].Doubts, doubts) {
			t.Errorf("%s: %+v", name, files)
			continue
		}
		change, err := files[0].Change()
		if err != nil || edits.Judge([]edits.FileChange{change}).Passed() {
			t.Errorf("%s: %v, the verdict passes", name, err)
		}
	}
	again := []edits.FileChange{{Path: "a", Before: after, After: "2\n", Edits: edits.Diff(after, "2\n")}}
	if joined := edits.JoinChanges(step, again); !slices.Equal(joined[0].Doubts, doubts) {
		t.Errorf("joined: %+v", joined)
	}
}
