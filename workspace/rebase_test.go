package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestManyChangesMakeANewBase: after a checkout of many files what is derived from the base of
// the index is of the tree as it is; a line in .gitignore reads and derives only what it shows.
func TestManyChangesMakeANewBase(t *testing.T) {
	for _, state := range []string{"", t.TempDir()} {
		files := map[string]string{".gitignore": "hidden/\n", "hidden/h.go": "package h\n"}
		for i := range 2 * mostOnTop {
			files[fmt.Sprintf("f%d.go", i)] = fmt.Sprintf("package a\n\nfunc F%d() {}\n", i)
		}
		root := newFolder(t, files)
		s := openSession(t, Options{Folders: []string{root}, StateDir: state, ClientWatches: true})
		before := waitIdle(t, s).View(root).Index().Base()
		write := func(name, text string) string {
			path := filepath.Join(root, name)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}
		s.Update(DiskChanged{Paths: []string{write(".gitignore", "other/\n")}})
		ix := waitIdle(t, s).View(root).Index()
		if _, shown := ix.FileID("hidden/h.go"); !shown || ix.Base() != before {
			t.Errorf("after a change of .gitignore: shown %v, the same base %v", shown, ix.Base() == before)
		}
		var changed []string
		for i := range mostOnTop + 10 {
			changed = append(changed, write(fmt.Sprintf("f%d.go", i), fmt.Sprintf("package a\n\nfunc G%d() {}\n", i)))
		}
		s.Update(DiskChanged{Paths: changed})
		ix = waitIdle(t, s).View(root).Index()
		if n := onTop(ix); ix.Base() == before || n > 0 {
			t.Errorf("after %d changes: the same base %v, with %d files on top", len(changed), ix.Base() == before, n)
		}
		if !indexes(s, root, "f3.go", "G3") || indexes(s, root, "f3.go", "F3") || !indexes(s, root, "f120.go", "F120") {
			t.Error("the index has not what is on disk")
		}
	}
}
