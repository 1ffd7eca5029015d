package disk

import (
	"errors"
	"testing"

	"tandem/workspace/rel"
)

// TestUnlisted: what a folder has beyond the bound is counted.
func TestUnlisted(t *testing.T) {
	defer func(n int) { maxEntries = n }(maxEntries)
	dir := tree(t, "a", "b", "c", "d")
	root, err := OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for most, left := range map[int]int{5: 0, 4: 0, 3: 1, 1: 3} {
		maxEntries = most
		entries, err := root.ReadDir(t.Context(), rel.Path{})
		var u *Unlisted
		if got := errors.As(err, &u); got != (left > 0) || got && u.Entries != left || len(entries) != 4-left {
			t.Errorf("at most %d: %d entries, %v", most, len(entries), err)
		}
	}
}
