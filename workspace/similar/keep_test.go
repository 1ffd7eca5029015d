package similar

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tandem/workspace/index"
)

// TestStoredCorpus: a second corpus of the same files reads none of them, one of which a file
// has changed reads that alone, and both rank as one that read all.
func TestStoredCorpus(t *testing.T) {
	file, root := filepath.Join(t.TempDir(), "learned", "similar"), t.TempDir()
	write := func(list ...index.Change) {
		t.Helper()
		for _, c := range list {
			path := filepath.Join(root, c.Path)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(c.Text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	indexed := func() *index.Index {
		t.Helper()
		ix, _, err := index.Build(t.Context(), index.Options{Root: root})
		if err != nil {
			t.Fatal(err)
		}
		return ix
	}
	// rank compares a corpus for which only some files can be read with one that reads all.
	rank := func(when string, ix *index.Index, readable ...index.Change) {
		t.Helper()
		want := NewCorpus(t.Context(), ix, "").Rank(ix, usersQuery())
		if err := os.RemoveAll(root); err != nil {
			t.Fatal(err)
		}
		write(readable...)
		got := NewCorpus(t.Context(), ix, file).Rank(ix, usersQuery())
		if diff := cmp.Diff(want, got); diff != "" || len(got) == 0 {
			t.Errorf("%s: the order differs:\n%s", when, diff)
		}
		write(shop...)
	}
	write(shop...)
	first := indexed()
	rank("at first", first, shop...)
	rank("again", indexed())

	other := index.Change{Path: shop[1].Path, Text: handler("Parcels", "parcels")}
	write(other)
	rank("after a change", indexed(), other)
	rank("after it was taken back", indexed(), shop[1])

	if err := os.Truncate(file, 100); err != nil {
		t.Fatal(err)
	}
	rank("damaged", indexed(), shop...)
}
