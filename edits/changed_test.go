package edits_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tandem/edits"
)

// TestChangedHunks: each hunk is its lines as they are, all undone make
// the base, and each has an id of its own.
func TestChangedHunks(t *testing.T) {
	t.Parallel()
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\r\n", "\n", "d\n", "e"}), 0, 12).Draw(t, "lines"), "")
	})
	rapid.Check(t, func(t *rapid.T) {
		base, now := text.Draw(t, "base"), text.Draw(t, "now")
		list := edits.ChangedHunks("p", edits.FileChange{Before: base, After: now}, strings.Clone)
		ids := map[string]bool{}
		var undo []edits.Edit
		for _, h := range list {
			e := h.Undo(edits.NewText(now))
			if ids[h.ID] || now[e.Start:e.End] != h.After {
				t.Fatalf("%q -> %q: %+v undoes %q", base, now, h, now[e.Start:e.End])
			}
			ids[h.ID] = true
			undo = append(undo, e)
		}
		back, err := edits.Apply(edits.NewText(now), undo)
		if err != nil || back.String() != base {
			t.Fatalf("%q -> %q: all undone is %q, %v", base, now, back.String(), err)
		}
	})
}

// TestChangedHunksOfWholeFiles: a file that comes or goes is one hunk.
func TestChangedHunksOfWholeFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []edits.FileChange{{After: "a\nb\n", AbsentBefore: true}, {Before: "a\nb\n", AbsentAfter: true}, {AbsentBefore: true}} {
		if list := edits.ChangedHunks("p", c, strings.Clone); len(list) != 1 || list[0].Before != c.Before || list[0].After != c.After {
			t.Errorf("%+v: %+v", c, list)
		}
	}
}
