package judge_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"golang.org/x/tools/txtar"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/deps"
	"tandem/workspace/judge"
	"tandem/workspace/names"
	"tandem/workspace/run"
	"tandem/workspace/syntax"
)

// stateDir keeps the vocabularies of this machine's runtimes for all tests: reading one costs
// seconds.
var stateDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "judge-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, "the tests need a folder for temporary files:", err)
		os.Exit(1)
	}
	stateDir = dir
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(dir) // what is left is temporary
		os.Exit(code)
	}))
}

// A tree is a fixture on disk with the change that it holds.
type tree struct {
	root    string
	session *workspace.Session
	judge   *judge.Judge
	changes []edits.FileChange
	want    string
}

// treeOf writes a fixture: its files, and as a change those below after/; gone/ names files
// that the change deletes. With applied the disk has the change already.
func treeOf(t testing.TB, a *txtar.Archive, applied bool) *tree {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	out := &tree{root: root}
	before, after, gone := map[string]string{}, map[string]string{}, map[string]bool{}
	for _, f := range a.Files {
		rest, proposed := strings.CutPrefix(f.Name, "after/")
		deleted, deletes := strings.CutPrefix(f.Name, "gone/")
		switch {
		case f.Name == "want":
			out.want = string(f.Data)
		case proposed:
			after[rest] = string(f.Data)
		case deletes:
			gone[deleted] = true
		default:
			before[f.Name] = string(f.Data)
		}
	}
	disk := maps.Clone(before)
	if applied {
		maps.Copy(disk, after)
		maps.DeleteFunc(disk, func(name, _ string) bool { return gone[name] })
	}
	for name, text := range disk {
		write(t, filepath.Join(root, name), text)
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		old, had := before[name]
		out.changes = append(out.changes, edits.FileChange{Path: name, Before: old, After: after[name], AbsentBefore: !had, Edits: edits.Diff(old, after[name])})
	}
	for _, name := range slices.Sorted(maps.Keys(gone)) {
		out.changes = append(out.changes, edits.FileChange{Path: name, Before: before[name], AbsentAfter: true})
	}
	group := run.NewGroup(t.Context(), nil)
	out.session, err = workspace.Open(t.Context(), workspace.Options{Folders: []string{root}, Group: group, ClientWatches: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		group.Close()
		_ = out.session.Close() // of a folder that goes with the test
	})
	for !out.session.Snapshot().Views()[0].Ready() {
		time.Sleep(time.Millisecond)
	}
	// Without PATH: which runtimes this machine has decides nothing.
	env := map[string]string{"GOMODCACHE": filepath.Join(root, "modcache"), "GOROOT": os.Getenv("GOROOT"), "VIRTUAL_ENV": filepath.Join(root, "venv")}
	resolver := deps.New(deps.Options{StateDir: stateDir, Home: root, Getenv: func(k string) string { return env[k] }, Gate: func() deps.Gate { return out.session.Snapshot().Installed() }})
	out.judge = &judge.Judge{Syntax: syntax.Parsers{}, Names: judge.OfNames(names.New(names.Options{Deps: resolver}))}
	return out
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (x *tree) report(t testing.TB, reach judge.Reach) *judge.Report {
	return x.judge.Report(t.Context(), x.session.Snapshot(), x.changes, reach)
}

// describe formats findings, one a line.
func (x *tree) describe(t testing.TB, found []edits.Finding) string {
	var out strings.Builder
	for _, f := range found {
		text := ""
		if i := slices.IndexFunc(x.changes, func(c edits.FileChange) bool { return c.Path == f.Path }); i >= 0 {
			text = x.changes[i].After
		} else if data, err := os.ReadFile(filepath.Join(x.root, f.Path)); err != nil {
			t.Fatal(err)
		} else {
			text = string(data)
		}
		fmt.Fprintln(&out, strings.TrimRight(fmt.Sprintf("%s:%d %s %s %s %s", f.Path, 1+strings.Count(text[:f.Span.Start], "\n"), f.Kind, f.Name, f.Nearest, f.Where), " "))
	}
	return out.String()
}

// TestFixtures judges the change of each fixture, also where the disk has it already.
func TestFixtures(t *testing.T) {
	t.Parallel()
	found, err := filepath.Glob("testdata/judge/*.txtar")
	if err != nil || len(found) == 0 {
		t.Fatalf("there are no fixtures: %v", err)
	}
	for _, file := range found {
		for _, applied := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/applied=%t", filepath.Base(file), applied), func(t *testing.T) {
				a, err := txtar.ParseFile(file)
				if err != nil {
					t.Fatal(err)
				}
				x := treeOf(t, a, applied)
				r := x.report(t, judge.Users)
				if diff := cmp.Diff(x.want, x.describe(t, r.Found())); diff != "" {
					t.Errorf("want, got:\n%s\nunknown: %v %v %v", diff, r.Unknown, r.Unparsed, r.Failed)
				}
			})
		}
	}
}

// TestUntitledIsJudged: a document that is no file yet is judged as a file of the folder with
// its language and text: by what it holds and by what it imports.
func TestUntitledIsJudged(t *testing.T) {
	for _, of := range []struct{ lang, ending, has, right, wrong string }{
		{"python", ".py", "import shop\n\ndef own():\n    return 1\n", "own()\nshop.pay()\n", "owm()\nshop.pai()\n"},
		{"typescript", ".ts", "import { pay } from './web/shop';\nfunction own() {}\n", "own(); pay();\n", "owm(); pai();\n"},
		{"go", ".go", "package main\n\nimport \"m/store\"\n\nfunc own() {}\n\nfunc main() {\n}\n", "func one() { own(); store.Pay() }\n", "func one() { owm(); store.Pai() }\n"},
	} {
		files := "-- shop.py --\ndef pay():\n    pass\n-- web/shop.ts --\nexport function pay() {}\n-- go.mod --\nmodule m\n\ngo 1.22\n-- store/store.go --\npackage store\n\nfunc Pay() {}\n"
		x := treeOf(t, txtar.Parse([]byte(files+"-- twin"+of.ending+" --\n"+of.has)), false)
		uri := x.session.Document("untitled:Untitled-1", of.lang)
		x.session.Update(workspace.Opened{URI: uri, Name: "untitled:Untitled-1", Language: of.lang, Version: 1, Text: edits.NewText(of.has)})
		found := func(path, added string) string {
			x.changes = []edits.FileChange{{Path: path, Before: of.has, After: of.has + added, Edits: edits.Diff(of.has, of.has+added)}}
			var words []string
			for _, f := range x.report(t, judge.Files).Found() {
				words = append(words, f.Name)
			}
			return strings.Join(words, " ")
		}
		if got := found(uri, of.right); got != "" {
			t.Errorf("%s: wrong in what is right: %s", of.lang, got)
		}
		if got, want := found(uri, of.wrong), found("twin"+of.ending, of.wrong); got != want || want == "" {
			t.Errorf("%s: wrong in what is made up: %q, in a file %q", of.lang, got, want)
		}
	}
}
