package assist

import (
	"sync"
	"sync/atomic"
	"testing"

	"tandem/edits"
)

// TestVets shows that suggestions of the same text are checked once, and that each stays
// itself: what the check repaired is in all of them.
func TestVets(t *testing.T) {
	var v vets
	var checked atomic.Int32
	check := func(item Completion) candidate {
		checked.Add(1)
		if item.Text == "bad" {
			return candidate{reason: "held back"}
		}
		item.Text += " repaired"
		item.Imports = true
		return candidate{completion: item, ok: true}
	}
	var all sync.WaitGroup
	for _, id := range []string{"a", "b", "c"} {
		all.Go(func() {
			got := v.of(Completion{ID: id, Text: "x"}, check)
			if c := got.completion; !got.ok || c.ID != id || c.Text != "x repaired" || !c.Imports {
				t.Errorf("%s became %+v", id, got)
			}
		})
	}
	all.Wait()
	if n := checked.Load(); n != 1 {
		t.Errorf("one text was checked %d times", n)
	}
	if got := v.of(Completion{ID: "d", Text: "bad"}, check); got.ok || got.reason != "held back" {
		t.Errorf("another text: %+v", got)
	}
	v.of(Completion{ID: "e", Text: "x", Replace: edits.Span{Start: 0, End: 1}}, check)
	if n := checked.Load(); n != 3 {
		t.Errorf("three texts were checked %d times", n)
	}
}
