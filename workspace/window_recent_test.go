package workspace

import (
	"slices"
	"testing"

	"tandem/edits"
)

// The region itself shows the new text at the cursor; to predict what follows
// from that edit, the model also needs the text before it.
func TestNextEditsSeeTheChangeAtTheCursor(t *testing.T) {
	s := openSession(t, Options{ClientWatches: true})
	snap := typed(t, s, ten, insert(5, "a"))
	for purpose, want := range map[string]bool{"next_edit": true, "complete": false} {
		w, err := Build(t.Context(), snap, WindowRequest{URI: "untitled:x", Span: edits.Span{Start: 6, End: 6}, Purpose: purpose})
		if err != nil {
			t.Fatal(err)
		}
		got := slices.ContainsFunc(w.Fragments, func(f Fragment) bool { return f.Kind == FragmentRecentEdit })
		if got != want {
			t.Errorf("%s: recent edit shown %v, want %v: %v", purpose, got, want, w.Fragments)
		}
	}
}
