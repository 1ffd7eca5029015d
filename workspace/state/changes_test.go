package state

import (
	"fmt"
	"sync"
	"testing"
)

// TestMarksOfTwoWindows: what two servers of a folder mark at the same time is all kept.
func TestMarksOfTwoWindows(t *testing.T) {
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const each = 40
	var both sync.WaitGroup
	for window := range 2 {
		both.Go(func() {
			for i := range each {
				if err := s.Changes("/folder").Change(func(r *ChangesRecord) { r.Marks[fmt.Sprint(window, i)] = "kept" }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	both.Wait()
	if got := len(s.Changes("/folder").Read().Marks); got != 2*each {
		t.Errorf("%d marks of %d", got, 2*each)
	}
}
