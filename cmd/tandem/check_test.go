package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// checked runs tandem check in a folder and returns what it printed and its
// exit code.
func checked(t *testing.T, dir, stdin string, args ...string) (stdout string, code int) {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	root := newRoot()
	var out, problems bytes.Buffer
	root.SetIn(strings.NewReader(stdin))
	root.SetOut(&out)
	root.SetErr(&problems)
	root.SetArgs(append([]string{"--workspace", dir, "check"}, args...))
	err := root.Execute()
	if err == nil {
		return out.String(), exitDone
	}
	if e, ok := err.(*exitError); ok {
		return out.String() + problems.String() + e.Error(), e.code
	}
	return out.String() + problems.String() + err.Error(), exitUsage
}

// checkTree is a small module with one invented name.
func checkTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module m\n\ngo 1.24\n",
		"good.go": "package m\n\nimport \"strings\"\n\nfunc Good() string { return strings.TrimSpace(\" \") }\n",
		"bad.go":  "package m\n\nimport \"strings\"\n\nfunc Bad() string { return strings.TrimSpaces(\" \") }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestCheckFiles(t *testing.T) {
	dir := checkTree(t)
	if out, code := checked(t, dir, "", filepath.Join(dir, "good.go")); code != exitDone || out != "" {
		t.Errorf("a right file: code %d, %q", code, out)
	}
	out, code := checked(t, dir, "", filepath.Join(dir, "bad.go"))
	const want = "bad.go:5:36: error: package strings has no TrimSpaces (nearest: TrimSpace in standard library)\n"
	if code != exitFailed || out != want {
		t.Errorf("code %d, got %q, want %q", code, out, want)
	}
	out, code = checked(t, dir, "", "--json", dir)
	var f findingJSON
	if err := json.Unmarshal([]byte(out), &f); err != nil {
		t.Fatalf("%q is not one JSON object a line: %v", out, err)
	}
	if f != (findingJSON{"bad.go", 5, 36, "error", "unknown_name", "TrimSpaces", "package strings has no TrimSpaces", "TrimSpace", "standard library"}) || code != exitFailed {
		t.Errorf("code %d, %+v", code, f)
	}
	if out, code = checked(t, dir, "", filepath.Join(dir, "none.go")); code != exitUsage {
		t.Errorf("a file that is not there: code %d, %q", code, out)
	}
}

func TestCheckPatch(t *testing.T) {
	dir := checkTree(t)
	const patch = "--- a/good.go\n+++ b/good.go\n@@ -2,4 +2,4 @@\n \n import \"strings\"\n \n-func Good() string { return strings.TrimSpace(\" \") }\n+func Good() string { return strings.Trimmed(\" \") }\n"
	for _, applied := range []bool{false, true} {
		if applied {
			text := "package m\n\nimport \"strings\"\n\nfunc Good() string { return strings.Trimmed(\" \") }\n"
			if err := os.WriteFile(filepath.Join(dir, "good.go"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		out, code := checked(t, dir, patch)
		if code != exitFailed || !strings.HasPrefix(out, "good.go:5:37: error: package strings has no Trimmed") {
			t.Errorf("applied %v: code %d, %q", applied, code, out)
		}
	}
	const binary = "diff --git a/x.png b/x.png\nnew file mode 100644\nindex 0000000..f76dd23\nBinary files /dev/null and b/x.png differ\n"
	if out, code := checked(t, dir, binary); code != exitDone || out != "" {
		t.Errorf("a patch of a binary file alone: code %d, %q", code, out)
	}
	if out, code := checked(t, dir, binary+"diff --git a/good.go b/good.go\n"+patch+binary); code != exitFailed || !strings.Contains(out, "Trimmed") {
		t.Errorf("a patch with binary files: code %d, %q", code, out)
	}
	if out, code := checked(t, dir, "no patch"); code == exitDone {
		t.Errorf("text that is no patch: code %d, %q", code, out)
	}
}

// TestCheckOwnCode requires that this repository's own code has no finding.
func TestCheckOwnCode(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	var dirs []string
	for _, name := range []string{"cmd", "edits", "model", "lsp", "workspace"} {
		dirs = append(dirs, filepath.Join(root, name))
	}
	if out, code := checked(t, root, "", dirs...); code != exitDone {
		t.Errorf("code %d:\n%s", code, out)
	}
}
