package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tandem/workspace/platformtest"
)

// runApply runs the command on an answer and returns what it prints and the
// exit code of the program.
func runApply(t *testing.T, dir, answer string, flags ...string) (printed string, code int) {
	t.Helper()
	var out bytes.Buffer
	root := newRoot()
	root.SetArgs(append([]string{"apply", "--workspace", dir}, flags...))
	root.SetIn(strings.NewReader(answer))
	root.SetOut(&out)
	err := root.Execute()
	var coded *exitError
	if errors.As(err, &coded) {
		code = coded.code
	} else if err != nil {
		t.Fatal(err)
	}
	return out.String(), code
}

func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return "error: " + err.Error()
	}
	return string(text)
}

const threeFiles = "*** Begin Patch\n*** Update File: sub/a.txt\n@@\n-two\n+zwei\n*** Add File: new.txt\n+new\n*** Delete File: old.txt\n*** End Patch\n"

func TestApplyPrintsAndWrites(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "sub/a.txt", "one\r\ntwo\r\n")
	writeFile(t, dir, "old.txt", "old\n")
	printed, code := runApply(t, dir, threeFiles)
	for _, want := range []string{"--- a/sub/a.txt", "+zwei", "+new", "-old", "/dev/null"} {
		if !strings.Contains(printed, want) {
			t.Errorf("the diff lacks %q:\n%s", want, printed)
		}
	}
	if code != exitDone || readFile(t, dir, "sub/a.txt") != "one\r\ntwo\r\n" {
		t.Errorf("without --write: code %d, file %q", code, readFile(t, dir, "sub/a.txt"))
	}
	if _, code := runApply(t, dir, threeFiles, "--write"); code != exitDone {
		t.Fatalf("code %d", code)
	}
	if got := readFile(t, dir, "sub/a.txt"); got != "one\r\nzwei\r\n" {
		t.Errorf("sub/a.txt is %q", got)
	}
	if got := readFile(t, dir, "new.txt"); got != "new\n" {
		t.Errorf("new.txt is %q", got)
	}
	if got := readFile(t, dir, "old.txt"); !strings.HasPrefix(got, "error") {
		t.Errorf("old.txt is still %q", got)
	}
}

func TestApplyRefuses(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "a.txt", "x\ny\nx\n")
	outside := t.TempDir()
	writeFile(t, outside, "secret.txt", "x\n")
	links := platformtest.Symlinks(t)
	if links {
		platformtest.Symlink(t, outside, filepath.Join(dir, "link"))
	}
	tests := []struct {
		name, answer string
		code         int
	}{
		{"twice", "a.txt\n<<<<<<< SEARCH\nx\n=======\nz\n>>>>>>> REPLACE\n", exitRefused},
		{"protected", "*** Begin Patch\n*** Add File: .git/hooks/post-commit\n+x\n*** End Patch\n", exitRefused},
		{"outside", "*** Begin Patch\n*** Add File: ../x\n+x\n*** End Patch\n", exitRefused},
		{"cut off", "a.txt\n<<<<<<< SEARCH\ny\n=======\nz\n", exitFailed},
		{"one of two fails", "a.txt\n<<<<<<< SEARCH\ny\n=======\nz\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nnowhere\n=======\nz\n>>>>>>> REPLACE\n", exitFailed},
		{"through a link", "link/secret.txt\n<<<<<<< SEARCH\nx\n=======\nz\n>>>>>>> REPLACE\n", exitFailed},
		{"talk", "I would leave it.\n", exitFailed},
	}
	for _, c := range tests {
		if c.name == "through a link" && !links {
			continue
		}
		if printed, code := runApply(t, dir, c.answer, "--write"); code != c.code || printed != "" {
			t.Errorf("%s: code %d, printed %q, want code %d", c.name, code, printed, c.code)
		}
	}
	if got := readFile(t, dir, "a.txt"); got != "x\ny\nx\n" {
		t.Errorf("a.txt is %q", got)
	}
	if got := readFile(t, outside, "secret.txt"); got != "x\n" {
		t.Errorf("the file outside is %q", got)
	}
}
