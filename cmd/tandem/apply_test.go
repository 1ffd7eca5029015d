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

// TestApplyFits: what an answer writes anew is fitted to its file, printed as it is written; of blocks
// with exact context imports are, and a diff with exact context is as the answer has it.
func TestApplyFits(t *testing.T) {
	const code = "package a\n\nfunc one(n int) int {\n\tif n > 1 {\n\t\tn--\n\t}\n\treturn n\n}\n\nfunc two(n int) int {\n\tif n > 2 {\n\t\tn--\n\t}\n\treturn n\n}\n"
	for _, c := range []struct{ name, answer, file, want string }{
		{"a whole text in spaces", "a.go\n```go\n" + code + "\nfunc three() int {\n    return 3\n}\n```\n", "a.go", code + "\nfunc three() int {\n\treturn 3\n}\n"},
		{"a new file", "sub/new.txt\n```\nnew\nfile\n```\n", "sub/new.txt", "new\r\nfile\r\n"},
		{"a diff with exact context", "--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,3 @@\n+import b from 'b'\n 'use client'\n   import a from 'a'\n", "a.ts", "import b from 'b'\n'use client'\n  import a from 'a'\n"},
		{"a patch with exact context", "*** Begin Patch\n*** Update File: a.ts\n@@\n+import b from 'b'\n 'use client'\n*** End Patch\n", "a.ts", "'use client'\n\nimport b from 'b'\n  import a from 'a'\n"},
		{"a block with exact context", "a.ts\n<<<<<<< SEARCH\n'use client'\n=======\nimport b from 'b'\n'use client'\n>>>>>>> REPLACE\n", "a.ts", "'use client'\n\nimport b from 'b'\n  import a from 'a'\n"},
		{"lines in spaces in a block with exact context", "a.go\n<<<<<<< SEARCH\nfunc two(n int) int {\n=======\nfunc three() int {\n\treturn 3\n}\n\nfunc two(n int) int {\n>>>>>>> REPLACE\n", "a.go", strings.Replace(code, "func two", "func three() int {\n\treturn 3\n}\n\nfunc two", 1)},
		{"an import above what must be first", "a.ts\n```ts\nimport b from 'b'\n'use client'\n  import a from 'a'\n```\n", "a.ts", "'use client'\n\nimport b from 'b'\n  import a from 'a'\n"},
	} {
		dir := t.TempDir()
		writeFile(t, dir, "a.go", code)
		writeFile(t, dir, "a.ts", "'use client'\n  import a from 'a'\n")
		writeFile(t, dir, ".editorconfig", "root = true\n[sub/*]\nend_of_line = crlf\n")
		printed, _ := runApply(t, dir, c.answer)
		again, code := runApply(t, dir, c.answer, "--write", "--force")
		if got := readFile(t, dir, c.file); got != c.want || printed != again || code != exitDone {
			t.Errorf("%s: exit %d\n%q\nwant\n%q\nprinted\n%s\nand\n%s", c.name, code, got, c.want, printed, again)
		}
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
