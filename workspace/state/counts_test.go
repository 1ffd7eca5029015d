package state

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// TestCounts holds that counts of several sessions add up, and that a damaged file
// costs the counts and nothing else.
func TestCounts(t *testing.T) {
	store, err := Open(filepath.Join(t.TempDir(), "state"))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := store.Filtered().Change(func(all map[string]int) { all["undoes your last edit"]++ }); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	all, err := store.Filtered().All()
	if err != nil || all["undoes your last edit"] != 8 {
		t.Errorf("%v, %v, want 8", all, err)
	}
	if err := os.WriteFile(store.Filtered().path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := store.Filtered().Change(func(all map[string]int) { all["x"]++ }); err != nil {
		t.Fatal(err)
	}
	if all, _ := store.Filtered().All(); len(all) != 1 || all["x"] != 1 {
		t.Errorf("after damage: %v, want one x", all)
	}
}
