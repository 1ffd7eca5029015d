package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"tandem/edits"
	"tandem/workspace/run"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newFolder writes files (path below the folder -> content) to a new folder.
func newFolder(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	t.Cleanup(func() { // Linux says what is open; Windows does not remove it
		open, _ := os.ReadDir("/proc/self/fd")
		for _, f := range open {
			if path, _ := os.Readlink(filepath.Join("/proc/self/fd", f.Name())); path == root || strings.HasPrefix(path, root+"/") {
				t.Errorf("%s is still open", path)
			}
		}
	})
	for name, content := range files {
		writeFile(t, filepath.Join(root, filepath.FromSlash(name)), content)
	}
	return root
}

// TestRootMayMove: a folder that is open as a workspace can be renamed and removed, on Windows too.
func TestRootMayMove(t *testing.T) {
	root := newFolder(t, map[string]string{"w/a.go": "package a\n"})
	s := openSession(t, Options{Folders: []string{filepath.Join(root, "w")}, ClientWatches: true})
	waitIdle(t, s)
	if err := os.Rename(filepath.Join(root, "w"), filepath.Join(root, "moved")); err != nil {
		t.Error(err)
	}
}

func writeFile(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func openSession(t testing.TB, o Options) *Session {
	t.Helper()
	s, err := Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func textOf(t testing.TB, s *Snapshot, name string) string {
	t.Helper()
	f, err := s.File(name)
	if err != nil {
		t.Fatal(err)
	}
	return f.Text()
}

func TestOverlayIsReadBeforeDisk(t *testing.T) {
	root := newFolder(t, map[string]string{"a.go": "disk"})
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
	path := filepath.Join(root, "a.go")
	uri := URIOf(path)

	opened := s.Update(Opened{URI: uri, Language: "go", Version: 1, Text: edits.NewText("one")})
	edited := s.Update(editedBy(s, uri, 2, edits.Edit{Span: edits.Span{Start: 3, End: 3}, New: "!"}))
	closed := s.Update(Closed{URI: uri})

	for _, c := range []struct {
		s    *Snapshot
		want string
	}{{opened, "one"}, {edited, "one!"}, {closed, "disk"}} {
		if got := textOf(t, c.s, path); got != c.want {
			t.Errorf("snapshot %d: %s has %q, want %q", c.s.ID(), path, got, c.want)
		}
		if got := textOf(t, c.s, "a.go"); got != c.want {
			t.Errorf("snapshot %d: a.go has %q, want %q", c.s.ID(), got, c.want)
		}
	}
}

func TestMissingFileIsNotExist(t *testing.T) {
	s := openSession(t, Options{Folders: []string{t.TempDir()}, ClientWatches: true})
	for _, name := range []string{"nothing.go", "untitled:Untitled-1"} {
		if _, err := s.Snapshot().File(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("File(%q) = %v, want fs.ErrNotExist", name, err)
		}
	}
}

// TestPanicKeepsTheSession makes one change panic: the session continues
// unchanged.
func TestPanicKeepsTheSession(t *testing.T) {
	s := openSession(t, Options{ClientWatches: true})
	before := s.Snapshot()
	if p := run.Call("change", func() { s.publish(func(draft) { panic("broken") }) }); p == nil {
		t.Fatal("the panic did not arrive")
	}
	if s.Snapshot() != before || s.SetTrusted(true).ID() != before.ID()+1 {
		t.Error("after a panic nothing goes on")
	}
}

// TestOwnFindingsAreNoDiagnostics: an editor shows them and sends them back as those of others.
func TestOwnFindingsAreNoDiagnostics(t *testing.T) {
	s := openSession(t, Options{ClientWatches: true})
	s.Update(Opened{URI: "untitled:a", Version: 1, Text: edits.NewText("x\n")})
	got := s.Update(Diagnosed{URI: "untitled:a", Diagnostics: []Diagnostic{{Source: "tandem check"}, {Source: "compiler"}, {Source: "tandem"}, {Source: "tandemly"}}}).Diagnostics("untitled:a")
	if len(got) != 2 || got[0].Source != "compiler" || got[1].Source != "tandemly" {
		t.Errorf("%v", got)
	}
	if left := s.Update(Diagnosed{URI: "untitled:a", Diagnostics: []Diagnostic{{Source: "tandem"}}}).Diagnostics("untitled:a"); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestDiagnosticsEndWithTheirDocument(t *testing.T) {
	s := openSession(t, Options{ClientWatches: true})
	s.Update(Opened{URI: "untitled:a", Version: 1, Text: edits.NewText("x\n")})
	if got := s.Update(Diagnosed{URI: "untitled:a", Diagnostics: []Diagnostic{{Message: "m"}}}); len(got.Diagnostics("untitled:a")) != 1 {
		t.Fatal("the diagnostic is not known")
	}
	s.Update(Closed{URI: "untitled:a"})
	if got := s.Update(Opened{URI: "untitled:a", Version: 1, Text: edits.NewText("y\n")}).Diagnostics("untitled:a"); len(got) != 0 {
		t.Errorf("the next life has %v", got)
	}
}
