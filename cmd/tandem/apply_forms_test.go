package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tandem/edits"
)

// TestApplyKeepsWhatAFileIsBesideItsText: moves, copies, modes, links, submodules and what stands in the
// way are applied or refused in one sentence, and counted.
func TestApplyKeepsWhatAFileIsBesideItsText(t *testing.T) {
	move := func(from, to, old, next string) string {
		return "*** Begin Patch\n*** Update File: " + from + "\n*** Move to: " + to + "\n@@\n-" + old + "\n+" + next + "\n*** End Patch\n"
	}
	for name, c := range map[string]struct {
		answer string
		says   string            // on stderr
		files  map[string]string // name -> mode and text; all others are as they were
		gone   string
	}{
		"a moved script":               {move("run.txt", "sub/go.txt", "one", "uno"), "wrote 2 file(s)", map[string]string{"sub/go.txt": "755 uno\n"}, "run.txt"},
		"a renamed script":             {"diff --git a/run.txt b/go.txt\nsimilarity index 100%\nrename from run.txt\nrename to go.txt\n", "wrote 2 file(s)", map[string]string{"go.txt": "755 one\n"}, "run.txt"},
		"renamed, with another mode":   {"diff --git a/run.txt b/go.txt\nold mode 100755\nnew mode 100644\nsimilarity index 100%\nrename from run.txt\nrename to go.txt\n", "wrote 2 file(s)", map[string]string{"go.txt": "644 one\n"}, "run.txt"},
		"a copied script":              {"diff --git a/run.txt b/go.txt\nsimilarity index 100%\ncopy from run.txt\ncopy to go.txt\n", "wrote 1 file(s)", map[string]string{"go.txt": "755 one\n"}, ""},
		"copied and changed":           {"diff --git a/run.txt b/go.txt\nsimilarity index 10%\ncopy from run.txt\ncopy to go.txt\n--- a/run.txt\n+++ b/go.txt\n@@ -1 +1 @@\n-one\n+uno\n", "wrote 1 file(s)", map[string]string{"go.txt": "755 uno\n"}, ""},
		"a mode alone":                 {"diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n", "wrote 1 file(s)", map[string]string{"a.txt": "755 two\n"}, ""},
		"a mode and a text":            {"diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\nindex 1..2\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-two\n+zwei\n", "wrote 1 file(s)", map[string]string{"a.txt": "755 zwei\n"}, ""},
		"a script that is none":        {"diff --git a/run.txt b/run.txt\nold mode 100755\nnew mode 100644\n", "wrote 1 file(s)", map[string]string{"run.txt": "644 one\n"}, ""},
		"a new script":                 {"diff --git a/go.txt b/go.txt\nnew file mode 100755\n--- /dev/null\n+++ b/go.txt\n@@ -0,0 +1 @@\n+new\n", "wrote 1 file(s)", map[string]string{"go.txt": "755 new\n"}, ""},
		"a new link":                   {"diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+a.txt\n\\ No newline at end of file\n", "a symbolic link", nil, ""},
		"a link that is deleted":       {"diff --git a/link.txt b/link.txt\ndeleted file mode 120000\n--- a/link.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a.txt\n\\ No newline at end of file\n", "a symbolic link", nil, ""},
		"a change through a link":      {"--- a/link.txt\n+++ b/link.txt\n@@ -1 +1 @@\n-two\n+zwei\n", "is a link or no plain file", nil, ""},
		"a submodule":                  {"diff --git a/m b/m\nindex 1..2 160000\n--- a/m\n+++ b/m\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n", "a submodule", nil, ""},
		"a binary file":                {"diff --git a/i.png b/i.png\nindex 1..2 100644\nBinary files a/i.png and b/i.png differ\n", "a binary change", nil, ""},
		"a text that becomes a link":   {"diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 120000\n", "a symbolic link", nil, ""},
		"a move onto a file":           {move("a.txt", "b.txt", "two", "zwei"), "b.txt, which exists already", nil, ""},
		"a move onto a link":           {move("a.txt", "link.txt", "two", "zwei"), "exists already", nil, ""},
		"a move onto an empty file":    {move("a.txt", "empty.txt", "two", "zwei"), "exists already", nil, ""},
		"a move onto what has no text": {move("a.txt", "folder", "two", "zwei"), "", nil, ""},
		"a copy onto a file":           {"diff --git a/a.txt b/b.txt\nsimilarity index 100%\ncopy from a.txt\ncopy to b.txt\n", "exists already", nil, ""},
		"a rename onto a file":         {"diff --git a/a.txt b/b.txt\nsimilarity index 100%\nrename from a.txt\nrename to b.txt\n", "exists already", nil, ""},
		"an addition onto a file":      {"*** Begin Patch\n*** Add File: b.txt\n+other\n*** End Patch\n", "exists already", nil, ""},
		"a move to another case":       {move("a.txt", "A.txt", "two", "zwei"), "wrote 2 file(s)", map[string]string{"A.txt": "644 zwei\n"}, "a.txt"},
		"moves that change places":     {"*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n*** Update File: b.txt\n*** Move to: a.txt\n*** End Patch\n", "exists already", nil, ""},
		"deleted and made anew":        {"*** Begin Patch\n*** Delete File: b.txt\n*** Add File: b.txt\n+other\n*** End Patch\n", "wrote 1 file(s)", map[string]string{"b.txt": "644 other\n"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" {
				t.Skip("there are no modes, and not every user may make links")
			}
			h := newHome(t)
			before := map[string]string{"run.txt": "755 one\n", "a.txt": "644 two\n", "b.txt": "644 three\n", "empty.txt": "644 "}
			for name, want := range before {
				mode, text, _ := strings.Cut(want, " ")
				writeFile(t, h.workspace, name, text)
				if err := os.Chmod(filepath.Join(h.workspace, name), map[string]fs.FileMode{"755": 0o755, "644": 0o644}[mode]); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Mkdir(filepath.Join(h.workspace, "folder"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("a.txt", filepath.Join(h.workspace, "link.txt")); err != nil {
				t.Fatal(err)
			}
			h.stdin = strings.NewReader(c.answer)
			code, _, stderr := h.run("apply", "--write", "--require-judged=false")
			if !strings.Contains(stderr, c.says) || (code == 0) != (c.files != nil) {
				t.Errorf("exit code %d, %s", code, stderr)
			}
			want := []string{}
			for name, text := range before {
				if changed, ok := c.files[name]; ok {
					text = changed
				}
				if name != c.gone {
					want = append(want, name+" "+text)
				}
			}
			for name, text := range c.files {
				if before[name] == "" {
					want = append(want, name+" "+text)
				}
			}
			slices.Sort(want)
			if got := modesIn(t, h.workspace); !slices.Equal(got, want) {
				t.Errorf("there is %q, want %q", got, want)
			}
			if target, err := os.Readlink(filepath.Join(h.workspace, "link.txt")); target != "a.txt" {
				t.Errorf("the link leads to %q, %v", target, err)
			}
		})
	}
}

// modesIn lists the regular files below a folder with mode and text.
func modesIn(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		mode := "644"
		if info.Mode().Perm()&0o111 != 0 {
			mode = "755"
		}
		name, err := filepath.Rel(dir, path)
		out = append(out, filepath.ToSlash(name)+" "+mode+" "+readFile(t, dir, name))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

// TestPrintedModesApply: what apply prints of a moved script, a copy and a mode gives the same files.
func TestPrintedModesApply(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no modes")
	}
	const answer = "diff --git a/run.txt b/go.txt\nsimilarity index 100%\nrename from run.txt\nrename to go.txt\ndiff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n"
	var made [2][]string
	for i := range made {
		h := newHome(t)
		writeFile(t, h.workspace, "run.txt", "one\n")
		writeFile(t, h.workspace, "a.txt", "two\n")
		if err := os.Chmod(filepath.Join(h.workspace, "run.txt"), 0o755); err != nil {
			t.Fatal(err)
		}
		text := answer
		if i == 1 {
			printed, code := runApply(t, h.workspace, answer)
			if code != 0 {
				t.Fatal(printed)
			}
			text = printed
		}
		if _, code := runApply(t, h.workspace, text, "--write", "--require-judged=false"); code != 0 {
			t.Fatalf("exit code %d of %s", code, text)
		}
		made[i] = modesIn(t, h.workspace)
	}
	if want := []string{"a.txt 755 two\n", "go.txt 755 one\n"}; !slices.Equal(made[0], want) || !slices.Equal(made[1], want) {
		t.Errorf("made %q, and of what is printed %q; want %q", made[0], made[1], want)
	}
}

// TestStepsKeepForms: a file that a step moves and a later one moves again comes from where it was.
func TestStepsKeepForms(t *testing.T) {
	gone := func(name string) edits.FileChange {
		return edits.FileChange{Path: name, Before: "one\n", AbsentAfter: true}
	}
	made := func(name, from string) edits.FileChange {
		return edits.FileChange{Path: name, After: "one\n", AbsentBefore: true, Form: edits.Form{From: from, Mode: edits.Executable}}
	}
	joined := edits.JoinChanges([]edits.FileChange{gone("a"), made("b", "a")}, []edits.FileChange{gone("b"), made("c", "b")}, []edits.FileChange{{Path: "d", Before: "two\n", After: "two\n", Form: edits.Form{Mode: edits.Plain}}})
	var got []string
	for _, c := range joined {
		got = append(got, c.Path+" from "+c.Form.From+" "+c.Form.Mode.String())
	}
	if want := []string{"a from  100644", "c from a 100755", "d from  100644"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
