package judge_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/deps"
	"tandem/workspace/dynamic"
	"tandem/workspace/judge"
	"tandem/workspace/language"
	"tandem/workspace/run"
	"tandem/workspace/terms"
)

var (
	treeLines = flag.Int("lines", 40_000, "how many lines the tree of TestUsualNames has")
	clones    = flag.String("clones", "", "`DIRS`, with spaces between them, of which TestDeletedAndUsed deletes what is used")
)

// openedTree is a folder as a program has it open, with the judge that it asks.
func openedTree(t testing.TB, root string) (*workspace.Session, *judge.Judge) {
	t.Helper()
	group := run.NewGroup(t.Context(), nil)
	session, err := workspace.Open(t.Context(), workspace.Options{Folders: []string{root}, Group: group, ClientWatches: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		group.Close()
		_ = session.Close() // nothing was written
	})
	for !session.Snapshot().Views()[0].Ready() {
		time.Sleep(time.Millisecond)
	}
	env := map[string]string{"GOROOT": os.Getenv("GOROOT"), "PATH": os.Getenv("PATH"), "HOME": os.Getenv("HOME"), "VIRTUAL_ENV": filepath.Join(root, "venv")}
	return session, judge.New(deps.New(deps.Options{StateDir: stateDir, Home: env["HOME"], Getenv: func(k string) string { return env[k] }, Gate: func() deps.Gate { return session.Snapshot().Installed() }}), nil)
}

// usualName is a module that declares a name as half of all modules do, and files that use it.
type usualName struct {
	file, declared, changed string // with what stands in it, before and after
	user, uses              string // a user's path with its number, and its text
	filler                  string // a file of the same language that has the name and uses another one's
}

var usualNames = map[string]usualName{
	"go":     {"DIR/lib.go", "package lib\n\nfunc New() int { return 1 }\n", "package lib\n\nfunc New(size int) int { return size }\n", "DIR/u%d/u.go", "package u\n\nimport \"m/DIR\"\n\nvar _ = lib.New()\n", "package f\n\nimport \"m/filler\"\n\nvar _ = filler.New()\n\nfunc New() int { return 1 }\n"},
	"python": {"DIR/lib.py", "def get():\n    return 1\n", "def fetch():\n    return 1\n", "DIR/u%d.py", "from DIR.lib import get\n\nget()\n", "from filler.other import get\n\n\ndef put():\n    return get()\n"},
	"script": {"DIR/lib.ts", "export function run() { return 1 }\n", "export function run(size: number) { return size }\n", "DIR/u%d.ts", "import { run } from './lib'\n\nrun()\n", "import { run } from '../filler/other'\n\nexport const ran = run()\n"},
}

// TestUsualNames: in a tree in which every file has a usual name, all users of one module's are
// named, up to 400, and beyond that their number is told.
func TestUsualNames(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	counts := []int{1, 2, 3, 5, 8, 13, 21, 34, 55, 78, 89, 100, 144, 199, 201, 233, 300, 395, 400, 403}
	write(t, filepath.Join(root, "go.mod"), "module m\n\ngo 1.24\n")
	write(t, filepath.Join(root, "package.json"), "{}")
	write(t, filepath.Join(root, "venv/lib/python3.11/os.py"), "")
	write(t, filepath.Join(root, "filler/other.py"), "def get():\n    return 1\n")
	write(t, filepath.Join(root, "filler/other.ts"), "export function run() { return 1 }\n")
	write(t, filepath.Join(root, "filler/filler.go"), "package filler\n\nfunc New() int { return 1 }\n")
	langs := []string{"go", "python", "script"}
	for n := range *treeLines / 1000 {
		u := usualNames[langs[n%3]]
		comment := map[string]string{"python": "# what it does\n"}[langs[n%3]]
		if comment == "" {
			comment = "// what it does\n"
		}
		write(t, filepath.Join(root, fmt.Sprintf("f%d/f%s", n, filepath.Ext(u.file))), u.filler+strings.Repeat(comment, 1000))
	}
	dirOf := func(n int) func(string) string {
		return strings.NewReplacer("DIR", fmt.Sprintf("d%d", n)).Replace
	}
	for n, users := range counts {
		u, in := usualNames[langs[n%3]], dirOf(n)
		write(t, filepath.Join(root, in(u.file)), u.declared)
		write(t, filepath.Join(root, in("DIR/__init__.py")), "")
		for i := range users {
			write(t, filepath.Join(root, fmt.Sprintf(in(u.user), i)), in(u.uses))
		}
	}
	session, j := openedTree(t, root)
	for n, users := range counts {
		u, in := usualNames[langs[n%3]], dirOf(n)
		change := edits.FileChange{Path: in(u.file), Before: u.declared, After: u.changed}
		start := time.Now()
		r := j.Report(t.Context(), session.Snapshot(), []edits.FileChange{change}, judge.Users)
		named := map[string]bool{}
		for _, f := range r.Found() {
			named[f.Path] = f.Kind == judge.Callee
		}
		t.Logf("%s, %d users: %d ms", langs[n%3], users, time.Since(start).Milliseconds())
		if left := strings.Join(r.Unread, " "); len(named) != min(users, 400) || (left != "") != (users > 400) || left != "" && !strings.HasPrefix(left, fmt.Sprintf("%d more files use", users-400)) {
			t.Errorf("%s: of %d users %d are named, %q, %v", langs[n%3], users, len(named), left, r.Unknown)
		}
	}
}

// BenchmarkUsersOfARename renames a function of a tree of 100,000 lines that 78 files use: the first
// verdict reads their packages, the others find them read.
func BenchmarkUsersOfARename(b *testing.B) {
	root, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	const declared = "package lib\n\nimport \"strings\"\n\nfunc New(s string) string { return strings.TrimSpace(s) }\n"
	write(b, filepath.Join(root, "go.mod"), "module m\n\ngo 1.24\n")
	write(b, filepath.Join(root, "lib/lib.go"), declared)
	for n := range 200 {
		var text strings.Builder
		fmt.Fprintf(&text, "package p%d\n\nimport (\n\t\"fmt\"\n\t\"strings\"\n\n\t\"m/lib\"\n)\n\nvar _ = lib.Kept\n", n)
		for f := range 50 {
			called := "strings.ToUpper"
			if n < 78 && f%10 == 0 {
				called = "lib.New"
			}
			fmt.Fprintf(&text, "\n// F%d puts a list together.\nfunc F%d(list []string) string {\n\tout := \"\"\n\tfor i, s := range list {\n\t\tout += fmt.Sprint(i, %s(s))\n\t}\n\treturn out\n}\n", f, f, called)
		}
		write(b, filepath.Join(root, fmt.Sprintf("p%d/p.go", n)), text.String())
	}
	write(b, filepath.Join(root, "lib/kept.go"), "package lib\n\nconst Kept = 1\n")
	session, j := openedTree(b, root)
	change := []edits.FileChange{{Path: "lib/lib.go", Before: declared, After: strings.Replace(declared, "New", "Make", 1)}}
	verdict := func() {
		files := map[string]bool{}
		for _, f := range j.Report(b.Context(), session.Snapshot(), change, judge.Users).Found() {
			files[f.Path] = true
		}
		if len(files) != 78 {
			b.Fatalf("%d files are named", len(files))
		}
	}
	start := time.Now()
	verdict()
	first := time.Since(start)
	for b.Loop() {
		verdict()
	}
	b.ReportMetric(float64(first.Milliseconds()), "first-ms")
}

// TestDeletedAndUsed deletes, of each clone, forty imports and functions that something uses: what
// is left without them is named.
func TestDeletedAndUsed(t *testing.T) {
	found, deleted := 0, 0
	for _, root := range strings.Fields(*clones) {
		session, j := openedTree(t, root)
		snap := session.Snapshot()
		list := deletions(snap)
		random := rand.New(rand.NewPCG(1, 1))
		random.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
		list = list[:min(len(list), 40)]
		seen := 0
		for _, d := range list {
			r := j.Report(t.Context(), snap, []edits.FileChange{d.change}, judge.Users)
			if len(r.Found()) > 0 {
				seen++
			} else {
				t.Logf("%s: %s, which %s uses, is deleted unseen; unread %v, unknown %v", root, d.name, d.change.Path, r.Unread, r.Unknown)
			}
		}
		t.Logf("%s: %d of %d", filepath.Base(root), seen, len(list))
		if found, deleted = found+seen, deleted+len(list); len(list) == 0 {
			t.Errorf("%s: nothing is deleted", root)
		}
	}
	if found*120 < deleted*118 {
		t.Errorf("only %d of %d deletions are found", found, deleted)
	}
}

type deletion struct {
	name   string
	change edits.FileChange
}

var (
	imported = map[string]*regexp.Regexp{
		"go":         regexp.MustCompile(`(?m)^\t"(?:[\w./-]+/)?([a-z]\w*)"\n`),
		"python":     regexp.MustCompile(`(?m)^(?:import (\w+)|from [\w.]+ import (\w+))\n`),
		"typescript": regexp.MustCompile(`(?m)^import (?:\{ (\w+) \}|(\w+)) from .*\n`),
	}
	called = map[string]string{"go": `\.\w`, "python": `[.(]`, "typescript": `[.(]`}
)

// runtime are names that Node.js and browsers give every file and that some import all the same.
var runtime = sync.OnceValue(func() map[string]bool {
	declared, _ := os.ReadFile("../names/globals.txt") // in the repository
	return terms.Set("process Buffer setImmediate " + string(declared))
})

// deletions are the imports, and the functions, of all files that their own file uses.
func deletions(snap *workspace.Snapshot) (out []deletion) {
	v := snap.Views()[0]
	ix := v.Index()
	for _, id := range ix.Files() {
		file, lang := ix.Path(id), ix.Language(id)
		f, err := snap.Unfiltered(v.Abs(file))
		if err != nil || imported[lang] == nil || strings.Contains(file, "testdata") {
			continue
		}
		text := f.Raw().String()
		tokens := language.Tokens(lang, text)
		add := func(name string, at edits.Span, use string) {
			after := text[:at.Start] + text[at.End:]
			if runtime()[name] || lang == "python" && dynamic.PythonBuiltin(name) { // without its import the name is the runtime's own
				return
			}
			if !slices.ContainsFunc(tokens, func(t language.Token) bool { return at.Start <= t.Start && t.Start < at.End }) { // within a string
				return
			}
			uses := regexp.MustCompile(`(?m)^[^/#*"'\n]*\b` + regexp.QuoteMeta(name) + use)
			if uses.MatchString(after) && !regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b\s*(?::?=|:)|(?:func|def|function|import|as)\s.*\b`+regexp.QuoteMeta(name)+`\b`).MatchString(after) {
				out = append(out, deletion{name, edits.FileChange{Path: snap.Name(v.Abs(file)), Before: text, After: after}})
			}
		}
		for _, m := range imported[lang].FindAllStringSubmatchIndex(text, -1) {
			group := 2
			if m[2] < 0 {
				group = 4
			}
			add(text[m[group]:m[group+1]], edits.Span{Start: m[0], End: m[1]}, called[lang])
		}
		for _, d := range language.Scan("", filepath.Base(file), text).Defs {
			if d.Kind == language.KindFunc && !d.Local && d.Container == "" && !slices.Contains([]string{"main", "init"}, d.Name) {
				add(d.Name, edits.Span{Start: f.Raw().LineStart(d.DocLine - 1), End: min(f.Raw().LineEnd(d.EndLine-1)+1, len(text))}, `\(`)
			}
		}
	}
	return out
}
