package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/workspace/judge"
	"tandem/workspace/names"
	"tandem/workspace/platformtest"
)

// checked runs tandem check in a folder and returns what it printed, problems
// last, and its exit code.
func checked(t *testing.T, dir, stdin string, args ...string) (printed string, code int) {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	root := newRoot()
	var out, problems bytes.Buffer
	root.SetIn(strings.NewReader(stdin))
	root.SetOut(&out)
	root.SetErr(&problems)
	root.SetArgs(append([]string{"--workspace", dir, "check"}, args...))
	code = report(root.Execute(), &problems)
	return out.String() + problems.String(), code
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
	if out, code := checked(t, dir, "", filepath.Join(dir, "good.go")); code != exitDone || out != "tandem: 0 findings, 3 names judged\n" {
		t.Errorf("a right file: code %d, %q", code, out)
	}
	out, code := checked(t, dir, "", filepath.Join(dir, "bad.go"))
	const want = "bad.go:5:36: error: package strings has no TrimSpaces (nearest: TrimSpace in standard library)\ntandem: 1 finding, 2 names judged\n"
	if code != exitFailed || out != want {
		t.Errorf("code %d, got %q, want %q", code, out, want)
	}
	out, code = checked(t, dir, "", "--json", dir)
	var f findingJSON
	out, summary, _ := strings.Cut(out, "\n")
	if summary != "tandem: 1 finding, 5 names judged\n" {
		t.Errorf("the summary is %q", summary)
	}
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
	if out, code := checked(t, dir, binary); code != exitDone || out != "tandem: no text is changed\n" {
		t.Errorf("a patch of a binary file alone: code %d, %q", code, out)
	}
	if out, code := checked(t, dir, binary+"diff --git a/good.go b/good.go\n"+patch+binary); code != exitFailed || !strings.Contains(out, "Trimmed") {
		t.Errorf("a patch with binary files: code %d, %q", code, out)
	}
	if out, code := checked(t, dir, "no patch"); code == exitDone {
		t.Errorf("text that is no patch: code %d, %q", code, out)
	}
}

// TestCheckExitCodes shows every exit code of check, and that what was not done
// is printed.
func TestCheckExitCodes(t *testing.T) {
	const good, bad, warned = "package m\n\nfunc Good() int { return 1 }\n", "package m\n\nfunc Bad() { none() }\n", "len.invented_method()\n"
	large := "package m\n\nvar _ = none()\n" + strings.Repeat("// filler\n", 600_000)
	for _, c := range []struct {
		name  string
		files map[string]string
		args  []string
		stdin string
		code  int
		want  []string // in what is printed
	}{
		{name: "nothing found", files: map[string]string{"a.go": good}, args: []string{"a.go"}, code: exitDone},
		{name: "a folder with an image", files: map[string]string{"a.go": good, "i.png": "\x89PNG\x00"}, args: []string{"."}, code: exitDone},
		{name: "an image", files: map[string]string{"i.png": "\x89PNG\x00"}, args: []string{"i.png"}, code: exitDone},
		{name: "found", files: map[string]string{"a.go": bad}, args: []string{"a.go"}, code: exitFailed, want: []string{"a.go:3:14"}},
		{name: "a warning", files: map[string]string{"a.py": warned}, args: []string{"a.py"}, code: exitDone, want: []string{"a.py:1:5: warning"}},
		{name: "a warning, warnings asked", files: map[string]string{"a.py": warned}, args: []string{"--fail-on", "warning", "a.py"}, code: exitFailed, want: []string{"a.py:1:5: warning"}},
		{name: "left out", files: map[string]string{"testdata/a.go": bad, "vendor/a.go": bad, "a.pb.go": bad, "b.go": "// Code generated by x. DO NOT EDIT.\n\n" + bad}, args: []string{"."}, code: exitDone, want: []string{"4 files left out: generated; test data; vendored"}},
		{name: "silenced", files: map[string]string{"a.py": "# flake8: noqa\nnone()\n"}, args: []string{"a.py"}, code: exitDone, want: []string{"1 file left out: silenced by their authors"}},
		{name: "silenced, all asked", files: map[string]string{"a.py": "# flake8: noqa\nnone()\n"}, args: []string{"--strict", "-v", "a.py"}, code: exitUnchecked, want: []string{"a.py are not judged: its author silenced it with # flake8: noqa"}},
		{name: "test data that is named", files: map[string]string{"testdata/a.go": bad}, args: []string{"testdata/a.go"}, code: exitFailed},
		{name: "an error, errors asked", files: map[string]string{"a.go": bad}, args: []string{"--fail-on", "error", "a.go"}, code: exitFailed},
		{name: "no such level", files: map[string]string{"a.go": good}, args: []string{"--fail-on", "hint", "a.go"}, code: exitUsage, want: []string{"hint"}},
		{name: "no such flag", args: []string{"--none"}, code: exitUsage},
		{name: "no such file", args: []string{"none.go"}, code: exitUsage, want: []string{"none.go"}},
		{name: "no such file in the diff", args: []string{"--diff", "HEAD", "none.go"}, code: exitUsage, want: []string{"none.go"}},
		{name: "no repository", files: map[string]string{"a.go": good}, args: []string{"--diff", "HEAD"}, code: exitUsage},
		{name: "a wrong configuration", files: map[string]string{"a.go": good, "config.toml": "none = 1\n"}, args: []string{"--config", "config.toml", "a.go"}, code: exitConfig},
		{name: "no patch", stdin: "no patch", code: exitFailed},
		{name: "an ambiguous patch", files: map[string]string{"a.txt": "x\nx\n"}, stdin: "--- a/a.txt\n+++ b/a.txt\n@@\n-x\n+y\n", code: exitRefused},
		{name: "a link out of the workspace", files: map[string]string{"a.go -> ": "/etc/hosts"}, args: []string{"a.go"}, code: exitUnchecked, want: []string{"a.go was not checked: "}},
		{name: "a link to itself", files: map[string]string{"a.go -> ": "a.go"}, args: []string{"a.go"}, code: exitUnchecked, want: []string{"a.go was not checked: "}},
		{name: "a file beyond the bound", files: map[string]string{"a.go": large}, args: []string{"a.go"}, code: exitUnchecked, want: []string{"a.go was not checked: it is larger than 5 MB"}},
		{name: "another encoding", files: map[string]string{"a.go": "package m\n\n// caf\xe9\n"}, args: []string{"a.go"}, code: exitUnchecked, want: []string{"no known encoding"}},
		{name: "UTF-16", files: map[string]string{"a.go": "\xff\xfep\x00a\x00"}, args: []string{"a.go"}, code: exitUnchecked, want: []string{"no known encoding"}},
		{name: "a patch in another encoding", files: map[string]string{"a.go": "package m\n"}, stdin: "--- a/a.go\n+++ b/a.go\n@@ -1 +1,2 @@\n package m\n+// caf\xe9\n", code: exitUnchecked, want: []string{"a.go was not checked"}},
		{name: "one that cannot be checked beside one that is right", files: map[string]string{"a.go": "// \xe9", "b.go": good}, args: []string{"."}, code: exitUnchecked, want: []string{"a.go was not checked"}},
		{name: "a finding goes before it", files: map[string]string{"a.go": "// \xe9", "b.go": bad}, args: []string{"."}, code: exitFailed, want: []string{"b.go:3:14", "a.go was not checked", "1 file not checked"}},
		{name: "left unjudged", files: map[string]string{"a.java": "class A {}\n"}, args: []string{"a.java"}, code: exitDone, want: []string{"not judged"}},
		{name: "left unjudged, strict", files: map[string]string{"a.java": "class A {}\n"}, args: []string{"--strict", "a.java"}, code: exitUnchecked, want: []string{"not judged"}},
		{name: "nothing unjudged, strict", files: map[string]string{"a.go": good}, args: []string{"--strict", "a.go"}, code: exitDone},
		{name: "as JSON", files: map[string]string{"a.go": "// \xe9"}, args: []string{"--json", "a.go"}, code: exitUnchecked, want: []string{`"path":"a.go"`, `"kind":"unchecked"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := exec.LookPath("python3"); c.files["a.py"] == warned && err != nil {
				t.Skip("no Python here says what its own names have")
			}
			dir := t.TempDir()
			t.Chdir(dir)
			for name, text := range c.files {
				var err error
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					t.Fatal(err)
				}
				if link, ok := strings.CutSuffix(name, " -> "); ok {
					platformtest.Symlink(t, text, link)
				} else {
					err = os.WriteFile(name, []byte(text), 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			out, code := checked(t, dir, c.stdin, c.args...)
			if code != c.code {
				t.Errorf("exit code %d, want %d:\n%s", code, c.code, out)
			}
			for _, want := range c.want {
				if !strings.Contains(out, want) {
					t.Errorf("%q is not in:\n%s", want, out)
				}
			}
			if summary := strings.HasPrefix(out, "tandem: 0 findings, "); c.code == exitDone && len(c.want) == 0 && !(summary && strings.Count(out, "\n") == 1) {
				t.Errorf("nothing was found, which one line says, and not: %s", out)
			}
		})
	}
}

// TestCheckFailureOfAChecker shows that a checker that fails on one file does
// not hide the others' findings.
func TestCheckFailureOfAChecker(t *testing.T) {
	r := newCheckReport()
	r.fail("a.py", errors.New("planted"))
	if err := r.exit(checkOptions{failOn: severityWarning}); err.(*exitError).code != exitUnchecked {
		t.Errorf("a failed checker: %v", err)
	}
	r.found = []edits.Finding{{Path: "b.py", Severity: severityWarning}}
	for level, code := range map[string]int{severityWarning: exitFailed, severityError: exitUnchecked} {
		if err := r.exit(checkOptions{failOn: level}); err.(*exitError).code != code {
			t.Errorf("a failed checker and a warning, --fail-on %s: %v", level, err)
		}
	}
	r.unchecked = nil
	if err := r.exit(checkOptions{failOn: severityError}); err != nil {
		t.Errorf("a warning below --fail-on: %v", err)
	}
	r.take(nil, nil, &judge.Report{Verdict: names.Verdict{Late: []string{"c.py"}}})
	if err := r.exit(checkOptions{failOn: severityError}); err == nil || err.(*exitError).code != exitUnchecked {
		t.Errorf("a file for which there was no time: %v", err)
	}
}

// TestCheckOfManyUsers: of the files that use what a change declares otherwise 400 are read, and how
// many are left is told: it is no pass, and a finding goes before it.
func TestCheckOfManyUsers(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("lib.py", "def fetched(key):\n    return key\n")
	for n := range 402 {
		write(fmt.Sprintf("u%d.py", n), "from lib import fetched\n\nfetched(1)\n")
	}
	for changed, want := range map[string]int{"def fetched(key, more=1):": exitUnchecked, "def gotten(key):": exitFailed} {
		out, code := checked(t, dir, "--- a/lib.py\n+++ b/lib.py\n@@ -1,2 +1,2 @@\n-def fetched(key):\n+"+changed+"\n     return key\n")
		if code != want || !strings.Contains(out, "not judged: 2 more files use fetched") {
			t.Errorf("%s: code %d, want %d: %.600s", changed, code, want, out)
		}
	}
}

// TestCheckDistant: an error that a change makes in another file is told at its place there.
func TestCheckDistant(t *testing.T) {
	dir := checkTree(t)
	const user = "package m\n\nfunc Use() {\n\tGood()\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "user.go"), []byte(user), 0o644); err != nil {
		t.Fatal(err)
	}
	const patch = "--- a/good.go\n+++ b/good.go\n@@ -2,4 +2,2 @@\n \n import \"strings\"\n \n-func Good() string { return strings.TrimSpace(\" \") }\n+var _ = strings.TrimSpace\n"
	const want = "user.go:4:2: error: Good is declared nowhere in the file, its package or its imports; the change removed it or declares it otherwise"
	if out, code := checked(t, dir, patch); code != exitFailed || !strings.HasPrefix(out, want) {
		t.Errorf("code %d, %q", code, out)
	}
	if out, code := checked(t, dir, patch, "--exclude", "user.go"); code != exitDone || !strings.Contains(out, "excluded") {
		t.Errorf("an excluded file: code %d, %q", code, out)
	}
}
