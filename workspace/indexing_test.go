package workspace

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"tandem/edits"
)

// TestUnkeptIndexIsReportedOnce shows that a state folder that cannot be written
// is reported once, in one sentence, however often the folder is indexed.
func TestUnkeptIndexIsReportedOnce(t *testing.T) {
	root, stateDir := newFolder(t, map[string]string{"a.go": "package a\n"}), t.TempDir()
	if err := os.WriteFile(filepath.Join(stateDir, "index"), nil, 0o600); err != nil { // where the folder of indexes belongs
		t.Fatal(err)
	}
	var mu sync.Mutex // guards problems
	var problems []string
	s, err := Open(context.Background(), Options{Folders: []string{root}, StateDir: stateDir, ClientWatches: true, Notify: func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		if strings.Contains(e.Problem, "No index is kept") {
			problems = append(problems, e.Problem)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for range 3 {
		waitIdle(t, s)
		s.rescan(s.Snapshot().views[0].folder)
	}
	waitIdle(t, s)
	mu.Lock()
	defer mu.Unlock()
	if len(problems) != 1 || strings.Count(problems[0], "next start") != 1 {
		t.Errorf("reported: %q", problems)
	}
}

// TestIndexButDoesNotWait shows that typing in a document changes neither the index that
// leaves it out nor the number of files for display, and that any other change does.
func TestIndexButDoesNotWait(t *testing.T) {
	root := newFolder(t, map[string]string{"a.go": "package a\n", "b.go": "package a\n"})
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
	waitIdle(t, s)
	first := s.Snapshot().Views()[0].Index()
	open := func(name string, text string) *View {
		s.Update(CauseEditor, Opened{URI: URIOf(filepath.Join(root, name)), Version: 1, Language: "go", Text: edits.NewText(text)})
		return s.Snapshot().Views()[0]
	}
	v := open("a.go", "package a\n\nfunc New() {}\n")
	if v.IndexBut("a.go") != first || v.NumFiles() != 2 {
		t.Errorf("an open document was indexed for others; %d files", v.NumFiles())
	}
	if got := v.Index().Lookup("New"); len(got) != 1 || v.IndexBut("a.go") != v.Index() {
		t.Errorf("the index has %v", got)
	}
	v = open("b.go", "package a\n\nfunc Other() {}\n")
	if got := v.IndexBut("a.go").Lookup("Other"); len(got) != 1 {
		t.Errorf("the index without a.go has %v of b.go", got)
	}
}

// TestLazyFolderIsReadForTheFirstWindow shows that where no model waits for windows, what
// chooses their content is read when the first one is asked for.
func TestLazyFolderIsReadForTheFirstWindow(t *testing.T) {
	root := newFolder(t, map[string]string{"a.go": "package a\n\nfunc Old() {}\n", "b.go": "package a\n"})
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true, Lazy: true})
	waitIdle(t, s)
	l := &s.Snapshot().Views()[0].folder.learned
	if l.corpus != nil {
		t.Fatal("the code was read before a window was asked for")
	}
	ix := s.Snapshot().Views()[0].Index()
	if l.wait(context.Background(), ix, false) == nil {
		t.Error("the first window has no code to choose from")
	}
}
