package workspace

import (
	"path/filepath"
	"strings"
	"testing"

	"tandem/workspace/cut"
)

// TestAbsent: absence is claimed of whole indexes of all folders alone.
func TestAbsent(t *testing.T) {
	view := func(root string, r reading) *View {
		return &View{Root: root, folder: &folder{root: root}, indexed: &indexed{reading: r, base: emptyIndex}}
	}
	halfway := view("/w/b", unread)
	halfway.folder.done.Store(31000)
	halfway.folder.listed.Store(78000)
	const claim = "there is no such thing"
	for _, c := range []struct {
		name  string
		views []*View
		want  string
	}{
		{"no folder", nil, claim},
		{"whole", []*View{view("/w/a", read)}, claim},
		{"nothing read", []*View{view("/w/a", unread)}, "the files are not read yet"},
		{"one of two folders", []*View{view("/w/a", read), halfway}, "of b, 31,000 of 78,000 files are read"},
	} {
		s := &Snapshot{views: c.views}
		if got := s.Absent(claim); !strings.Contains(got, c.want) || (got == claim) != (c.want == claim) {
			t.Errorf("%s: %q", c.name, got)
		}
		if more := cut.Left(2, "", "files are not searched"); s.Absent(claim, more) == claim {
			t.Errorf("%s: over a cut it is claimed that %s", c.name, claim)
		}
		if s.Unread().None() != (c.want == claim) {
			t.Errorf("%s: unread %q", c.name, s.Unread())
		}
	}
}

// TestEnough: a session that is told that it read enough has an index, which is not ready.
func TestEnough(t *testing.T) {
	root, state := t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(root, "a.go"), "package a\n\nfunc A() {}\n")
	s, err := Open(t.Context(), Options{Folders: []string{root}, StateDir: state, ClientWatches: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.WaitIdle(t.Context()); err != nil || s.Snapshot().Absent("none") != "none" {
		t.Fatalf("a whole index does not say what there is not: %v, %q", err, s.Snapshot().Absent("none"))
	}
	s.enough.say()
	later := t.TempDir()
	writeFile(t, filepath.Join(later, "b.go"), "package b\n")
	if err := s.AddFolders(later); err != nil {
		t.Fatal(err)
	}
	if err := s.Enough(t.Context()); err != nil {
		t.Fatal(err)
	}
	snap := s.Snapshot()
	if v := snap.View(later); v.Ready() || v.Cut("").None() || snap.Absent("none") == "none" {
		t.Errorf("ready %v, cut %q: %s", v.Ready(), v.Cut(""), snap.Absent("none"))
	}
}
