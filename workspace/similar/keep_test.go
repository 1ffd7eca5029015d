package similar

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tandem/workspace/index"
)

// reading counts the files that are read.
func reading(n *int) Texts {
	return func(ix *index.Index, id index.FileID) (string, bool) {
		*n++
		return indexText(ix, id)
	}
}

// TestKeptCorpus: a second corpus of the same files reads none of them, one of which a file
// has changed reads that alone, and both rank as one that read all.
func TestKeptCorpus(t *testing.T) {
	keep := filepath.Join(t.TempDir(), "learned", "similar")
	ix := shopWith()
	read := 0
	first := NewCorpus(t.Context(), ix, Options{Texts: reading(&read), Keep: keep})
	all := read
	if all == 0 {
		t.Fatal("nothing was read")
	}
	same := func(when string, c *Corpus, ix *index.Index, wantRead int) {
		t.Helper()
		if read != wantRead {
			t.Errorf("%s: %d files were read, want %d", when, read, wantRead)
		}
		want := NewCorpus(t.Context(), ix, Options{Texts: indexText}).Rank(ix, usersQuery())
		got := c.Rank(ix, usersQuery())
		if diff := cmp.Diff(want, got); diff != "" || len(got) == 0 {
			t.Errorf("%s: the order differs:\n%s", when, diff)
		}
	}
	same("at first", first, ix, all)
	read = 0
	same("again", NewCorpus(t.Context(), ix, Options{Texts: reading(&read), Keep: keep}), ix, 0)

	read = 0
	other := slices.Clone(shop)
	other[1].Text = handler("Parcels", "parcels")
	changed := index.New(other...)
	same("after a change", NewCorpus(t.Context(), changed, Options{Texts: reading(&read), Keep: keep}), changed, 1)
	read = 0
	same("after a file went", NewCorpus(t.Context(), ix, Options{Texts: reading(&read), Keep: keep}), ix, 1)

	if err := os.Truncate(keep, 100); err != nil {
		t.Fatal(err)
	}
	read = 0
	same("damaged", NewCorpus(t.Context(), ix, Options{Texts: reading(&read), Keep: keep}), ix, all)
}
