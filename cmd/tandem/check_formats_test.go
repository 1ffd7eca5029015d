package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/workspace/git/gittest"
	"tandem/workspace/platformtest"
)

func TestCheckFormats(t *testing.T) {
	dir := checkTree(t)
	name, inGitHub, inSARIF := "a b%,:c.go", "a b%25%2C%3Ac.go", "./a%20b%25,:c.go"
	if runtime.GOOS == "windows" { // no name has a colon there
		name, inGitHub, inSARIF = "a b%,c.go", "a b%25%2Cc.go", "a%20b%25,c.go"
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte("package m\n\nimport \"strings\"\n\nvar _ = strings.Trimmed\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out, code := checked(t, dir, "", "--format", "github", filepath.Join(dir, name))
	if want := "::error file=" + inGitHub + ",line=5,col=17,title=tandem%3A unknown_name::package strings has no Trimmed (nearest: Trim in standard library)\ntandem: 1 finding, 1 name judged\n"; out != want || code != exitFailed {
		t.Errorf("github: code %d, %q, want %q", code, out, want)
	}
	for _, files := range [][]string{{"good.go"}, {name, "bad.go"}} {
		var paths []string
		for _, f := range files {
			paths = append(paths, filepath.Join(dir, f))
		}
		out, _ := checked(t, dir, "", append([]string{"--format", "sarif"}, paths...)...)
		out, _, _ = strings.Cut(out, "\ntandem: ") // the summary
		var log struct {
			Version string
			Runs    []struct {
				Results []struct {
					RuleID, Level string
					Locations     []struct {
						PhysicalLocation struct {
							ArtifactLocation struct{ URI string }
							Region           struct{ StartLine, StartColumn int }
						}
					}
				}
			}
		}
		if err := json.Unmarshal([]byte(out), &log); err != nil || log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].Results == nil {
			t.Fatalf("%v: %v in %s", files, err, out)
		}
		if len(files) == 1 {
			continue
		}
		first := log.Runs[0].Results[0]
		at := first.Locations[0].PhysicalLocation
		if at.ArtifactLocation.URI != inSARIF || at.Region.StartLine != 5 || at.Region.StartColumn != 17 || first.RuleID != "unknown_name" || first.Level != "error" || len(log.Runs[0].Results) != 2 {
			t.Errorf("sarif: %s", out)
		}
	}
	for _, args := range [][]string{{"--format", "xml"}, {"--only", "style"}, {"--staged", "--diff", "HEAD"}, {"--baseline", filepath.Join(dir, "none")}} {
		if out, code := checked(t, dir, "", append(args, filepath.Join(dir, "good.go"))...); code != exitUsage {
			t.Errorf("%v: code %d, %s", args, code, out)
		}
	}
}

// TestCheckLeavesOut shows each way of not being told of a finding.
func TestCheckLeavesOut(t *testing.T) {
	dir := checkTree(t)
	bad, baseline := filepath.Join(dir, "bad.go"), filepath.Join(t.TempDir(), "known.jsonl")
	for _, args := range [][]string{{"--only", "syntax"}, {"--exclude", "b*.go"}, {"--write-baseline", baseline}, {"--baseline", baseline}} {
		if out, code := checked(t, dir, "", append(args, dir)...); code != exitDone || strings.Contains(out, "TrimSpaces") {
			t.Errorf("%v: code %d, %s", args, code, out)
		}
	}
	text := "package m\n\nimport \"strings\"\n\n// tandem:ignore unknown_name it is there on Plan 9\nfunc Bad() string { return strings.TrimSpaces(\" \") }\n"
	for comment, code := range map[string]int{"unknown_name it is there": exitDone, "unknown_name": exitFailed, "arguments it is there": exitFailed} {
		if err := os.WriteFile(bad, []byte(strings.Replace(text, "unknown_name it is there on Plan 9", comment, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, got := checked(t, dir, "", bad); got != code {
			t.Errorf("%q: code %d, want %d: %s", comment, got, code, out)
		}
	}
}

// TestCheckChanges shows --staged, --diff A...B and a comment that the change itself adds.
func TestCheckChanges(t *testing.T) {
	const good, wrong = "package m\n\nfunc F() {}\n", "package m\n\nfunc F() { staged() }\n"
	dir := t.TempDir()
	t.Chdir(dir)
	repo := gittest.New(t, dir)
	commit := func(text string, parents ...string) string {
		return repo.Commit("c", repo.Files(map[string]string{"go.mod": moduleFile, "a.go": text, "go.sum": "before", "key.pem": "before"}), parents...)
	}
	base := commit(good)
	side := commit("package m\n\nfunc F() { side() }\n", base)
	top := commit("package m\n\nfunc F() { top() }\n", base)
	repo.Write("refs/heads/main", base+"\n")
	repo.Write("refs/heads/side", side+"\n")
	repo.Write("refs/heads/top", top+"\n")
	repo.Stage(map[string]string{"go.mod": moduleFile, "a.go": wrong, "go.sum": "x", "key.pem": "y"})
	write := func(text string) {
		t.Helper()
		for name, text := range map[string]string{"go.mod": moduleFile, "a.go": text, "go.sum": "x", "key.pem": "y"} {
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(good)
	for _, c := range []struct {
		args []string
		want string // "" is no finding
		code int
	}{
		{[]string{"--diff", "HEAD"}, "", exitDone},
		{[]string{"--staged"}, "staged is declared nowhere", exitFailed},
		{[]string{"--diff", "side...top"}, "top is declared nowhere", exitFailed},
		{[]string{"--diff", "top..main"}, "", exitDone},
		{[]string{"--diff", "main...none"}, "no revision", exitUsage},
	} {
		if out, code := checked(t, dir, "", c.args...); code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("%v: code %d, %s", c.args, code, out)
		}
	}
	write("package m\n\nfunc F() { staged() } // tandem:ignore unknown_name because\n")
	if out, code := checked(t, dir, "", "--diff", "HEAD"); code != exitDone || !strings.Contains(out, "warning: the change itself suppresses: staged is declared nowhere") {
		t.Errorf("a suppression of the change: code %d, %s", code, out)
	}
	repo.Write("shallow", base+"\n")
	if out, code := checked(t, dir, "", "--diff", "HEAD~3"); code != exitUsage || !strings.Contains(out, "shallow") {
		t.Errorf("a shallow clone: code %d, %s", code, out)
	}
}

// TestCheckLink: a link in a repository is no change, and its text not one of its own folder.
func TestCheckLink(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	repo := gittest.New(t, dir)
	for name, text := range map[string]string{"real/data.js": "export const d = 1\n", "real/index.js": "import { d } from './data'\nd()\n"} {
		if err := os.MkdirAll("real", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	platformtest.Symlink(t, "real/index.js", "linked.js")
	repo.Commit("c", repo.Tree(gittest.Entry{Mode: "120000", Name: "linked.js", Hash: repo.Object("blob", []byte("real/index.js"))}))
	if out, code := checked(t, dir, "", "--diff", "HEAD"); code != exitDone {
		t.Errorf("code %d, %s", code, out)
	}
}

// TestLogBeyond: findings that have no place in the log are counted.
func TestLogBeyond(t *testing.T) {
	r := newCheckReport()
	r.sarif = 1
	for _, name := range []string{"a", "b", "c"} {
		r.found = append(r.found, edits.Finding{Path: "a.go", Kind: "unknown_name", Name: name, Severity: severityError})
	}
	var out, problems strings.Builder
	if err := r.print(&out, &problems, checkOptions{format: formatSARIF}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), `"ruleId"`); n != 1 || !strings.Contains(problems.String(), "2 more findings are not in the log") {
		t.Errorf("%d results, problems %q", n, problems.String())
	}
}
