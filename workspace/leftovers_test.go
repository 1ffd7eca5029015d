package workspace

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"tandem/edits"
	"tandem/workspace/run"
)

// rewrite writes a file of the sandbox, and so removes the leftovers beside it.
func (p sandbox) rewrite(t *testing.T, name, old, text string) {
	t.Helper()
	change := &edits.Proposal{Files: []edits.ProposedFile{edits.FileChange{Path: name, Before: old, After: text}.Proposed()}}
	if err := WriteProposal(p.root, change, nil, edits.Consent{}); err != nil {
		t.Fatal(err)
	}
}

// TestLeftoversGo removes what a killed program left beside the user's files, and nothing
// that only looks like it.
func TestLeftoversGo(t *testing.T) {
	const ours = ".tandem-ABCDEFGHIJKLMNOPQRSTUVWX23.tmp"
	names := []string{"a.txt", ours, ".tandem-OLD.tmp", ".tandem-ABCDEFGHIJKLMNOPQRSTUVWX23.txt", "x.tandem-ABCDEFGHIJKLMNOPQRSTUVWX23.tmp", ".tandem-ABCDEFGHIJKLMNOPQRSTUVWX2_.tmp"}
	files := map[string]string{}
	for _, name := range names {
		files["pkg/"+name] = "text\n"
	}
	p := newSandbox(t, files)
	old := time.Now().Add(-2 * leftoverAge)
	for _, name := range names {
		if err := os.Chtimes(filepath.Join(p.root, "pkg", name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	p.rewrite(t, "pkg/a.txt", "text\n", "new\n")
	for _, name := range names {
		_, err := os.Lstat(filepath.Join(p.root, "pkg", name))
		if gone := os.IsNotExist(err); gone != (name == ours) {
			t.Errorf("%s is gone: %v", name, gone)
		}
	}
}

// left counts the temporary files of the sandbox's top folder.
func (p sandbox) left(t *testing.T) int {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(p.root, temporaryPrefix+"*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// writing starts a program that writes a temporary file and waits, until it is killed.
func (p sandbox) writing(t *testing.T) (kill func()) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^TestWriteAndWait$")
	c.Env = append(os.Environ(), "TANDEM_WRITE_BELOW="+p.root)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := c.StdinPipe() // open until the program is killed
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait() // it was killed
		_ = in.Close()
	}
}

// TestLeftoverOfAKilledProgram: a temporary file stays while the program that writes it
// lives, and goes with the first write beside it once that program was killed.
func TestLeftoverOfAKilledProgram(t *testing.T) {
	p := newSandbox(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	kill := p.writing(t)
	p.rewrite(t, "b.txt", "b\n", "c\n")
	if p.left(t) != 1 {
		t.Errorf("%d temporary files while a program writes one", p.left(t))
	}
	if kill(); p.left(t) != 1 {
		t.Fatalf("%d temporary files after the program was killed", p.left(t))
	}
	if p.rewrite(t, "b.txt", "c\n", "d\n"); p.left(t) != 0 {
		t.Errorf("%d temporary files after another write", p.left(t))
	}
}

// TestLeftoversGoWhenAFolderIsOpened: the first index of a folder that the user trusts removes
// what killed programs left there, and nothing that a program is writing or that only looks
// like it.
func TestLeftoversGoWhenAFolderIsOpened(t *testing.T) {
	const below, other = "pkg/.tandem-ABCDEFGHIJKLMNOPQRSTUVWX23.tmp", "pkg/.tandem-OTHER.tmp"
	p := newSandbox(t, map[string]string{"a.txt": "a\n", below: "text\n", other: "text\n", "ignored/" + filepath.Base(below): "text\n", ".gitignore": "ignored/\n"})
	kill := p.writing(t)
	open := func(trusted bool, want map[string]bool, left int) {
		t.Helper()
		group := run.NewGroup(t.Context(), nil)
		defer group.Close()
		s, err := Open(t.Context(), Options{Folders: []string{p.root}, Trusted: trusted, ClientWatches: true, Group: group})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if err := s.WaitIdle(t.Context()); err != nil {
			t.Fatal(err)
		}
		for name, stays := range want {
			if _, err := os.Lstat(filepath.Join(p.root, name)); (err == nil) != stays {
				t.Errorf("trusted %v: %s: %v", trusted, name, err)
			}
		}
		if got := p.left(t); got != left {
			t.Errorf("trusted %v: %d temporary files at the top, want %d", trusted, got, left)
		}
	}
	open(false, map[string]bool{below: true, other: true}, 1)
	open(true, map[string]bool{below: false, other: true, "ignored/" + filepath.Base(below): true}, 1)
	kill()
	open(true, map[string]bool{"a.txt": true}, 0)
}

// TestWriteAndWait is the program that TestLeftoverOfAKilledProgram kills.
func TestWriteAndWait(t *testing.T) {
	root := os.Getenv("TANDEM_WRITE_BELOW")
	if root == "" {
		t.Skip("another test runs it")
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	w := &writer{root: dir}
	for _, f := range []edits.ProposedFile{edits.FileChange{Path: "a.txt", Before: "a\n", After: "new\n"}.Proposed()} {
		if err := w.stage(f); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Println("staged")
	_, _ = os.Stdin.Read(make([]byte, 1)) // until it is killed, or the other test ends
}
