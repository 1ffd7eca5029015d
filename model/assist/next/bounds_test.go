package next

import (
	"testing"

	"tandem/edits"
	"tandem/model/assist/core"
)

// TestUndoesTheLastEdit: what brings back the text that the user has just removed, there,
// is no next edit.
func TestUndoesTheLastEdit(t *testing.T) {
	d := &nextDoc{removed: core.Removal{Text: "name", At: 10}}
	at := func(start, end int, text string) edits.Edit {
		return edits.Edit{Span: edits.Span{Start: start, End: end}, New: text}
	}
	for e, want := range map[edits.Edit]bool{
		at(10, 10, "name"): true, at(8, 10, "name"): true, at(10, 12, "name"): true, at(8, 12, "name"): true,
		at(11, 12, "name"): false, at(0, 9, "name"): false, at(10, 10, "names"): false, at(10, 10, ""): false,
	} {
		if got := d.undoes(e); got != want {
			t.Errorf("%+v undoes it: %v", e, got)
		}
	}
	for _, removed := range []string{"", " ", "x", " x\n"} {
		d.removed.Text = removed
		if d.undoes(at(10, 10, removed)) {
			t.Errorf("%q is too little to be taken for an undone edit", removed)
		}
	}
}
