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
)

// rewrite writes a file of the sandbox, and so removes the leftovers beside it.
func (p sandbox) rewrite(t *testing.T, name, old, text string) {
	t.Helper()
	change := &edits.Proposal{Files: edits.ProposeFiles(map[string]string{name: old}, map[string]string{name: text}, nil)}
	if err := WriteProposal(p.root, change, nil); err != nil {
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

// TestLeftoverOfAKilledProgram: a temporary file stays while the program that writes it
// lives, and goes with the first write beside it once that program was killed.
func TestLeftoverOfAKilledProgram(t *testing.T) {
	p := newSandbox(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
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
	defer in.Close()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	left := func() int {
		names, err := filepath.Glob(filepath.Join(p.root, temporaryPrefix+"*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	p.rewrite(t, "b.txt", "b\n", "c\n")
	if left() != 1 {
		t.Errorf("%d temporary files while a program writes one", left())
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // it was killed
	if left() != 1 {
		t.Fatalf("%d temporary files after the program was killed", left())
	}
	p.rewrite(t, "b.txt", "c\n", "d\n")
	if left() != 0 {
		t.Errorf("%d temporary files after another write", left())
	}
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
	for _, f := range edits.ProposeFiles(map[string]string{"a.txt": "a\n"}, map[string]string{"a.txt": "new\n"}, nil) {
		if err := w.stage(f); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Println("staged")
	_, _ = os.Stdin.Read(make([]byte, 1)) // until it is killed, or the other test ends
}
