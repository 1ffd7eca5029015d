package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestRulesReadNothingAgain: files that a line in .gitignore hides come back as they were, and
// nothing of the index is written anew.
func TestRulesReadNothingAgain(t *testing.T) {
	files := map[string]string{".gitignore": "none\n"}
	for i := range 200 {
		files[fmt.Sprintf("%s/f%d.go", []string{"here", "there", "far"}[i%3], i)] = fmt.Sprintf("package a\n\nfunc F%d() {}\n", i)
	}
	root, state := newFolder(t, files), t.TempDir()
	past := time.Now().Add(-time.Hour)
	for name := range files {
		if err := os.Chtimes(filepath.Join(root, name), past, past); err != nil {
			t.Fatal(err)
		}
	}
	s := openSession(t, Options{Folders: []string{root}, StateDir: state, ClientWatches: true})
	before := waitIdle(t, s).View(root).Index().Base()
	written := func() time.Time {
		info, err := os.Stat(IndexFile(state, root))
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime()
	}
	first, ignore := written(), filepath.Join(root, ".gitignore")
	for _, rules := range []string{"there/\n", "none\n", "there/\nf3*\n", "none\n"} {
		writeFile(t, ignore, rules)
		s.Update(DiskChanged{Paths: []string{ignore}})
		view := waitIdle(t, s).View(root)
		all := rules == "none\n"
		if shown := indexes(s, root, "there/f4.go", "F4"); shown != all {
			t.Errorf("%q: the file is shown: %v", rules, shown)
		}
		// The rule file itself has changed.
		if n := len(view.Index().Changed()); view.Index().Base() != before || !written().Equal(first) || all && n != 1 {
			t.Errorf("%q: the same base %v, the index was written at %v and %v, %d files on top", rules, view.Index().Base() == before, first, written(), n)
		}
	}
}

// TestManyChangesMakeANewBase: after a checkout of many files what is derived from the base of
// the index is of the tree as it is; a line in .gitignore reads and derives only what it shows.
func TestManyChangesMakeANewBase(t *testing.T) {
	for _, state := range []string{"", t.TempDir()} {
		files := map[string]string{".gitignore": "hidden/\n", "hidden/h.go": "package h\n"}
		for i := range 160 {
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
		for i := range 80 {
			changed = append(changed, write(fmt.Sprintf("f%d.go", i), fmt.Sprintf("package a\n\nfunc G%d() {}\n", i)))
		}
		s.Update(DiskChanged{Paths: changed})
		ix = waitIdle(t, s).View(root).Index()
		if n := len(ix.Changed()); ix.Base() == before || n > 0 {
			t.Errorf("after %d changes: the same base %v, with %d files on top", len(changed), ix.Base() == before, n)
		}
		if !indexes(s, root, "f3.go", "G3") || indexes(s, root, "f3.go", "F3") || !indexes(s, root, "f120.go", "F120") {
			t.Error("the index has not what is on disk")
		}
	}
}
