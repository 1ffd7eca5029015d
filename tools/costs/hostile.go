package main

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"tandem/tools/client"
)

// A hostileTree is written into an empty folder.
type hostileTree struct {
	*rand.Rand
	root string
	err  error // the first of all
}

func (t *hostileTree) do(err error) { t.err = cmp.Or(t.err, err) }

func (t *hostileTree) at(path string) string { return filepath.Join(t.root, path) }

// file writes a file whose text is a part, repeated.
func (t *hostileTree) file(path, part string, times int) {
	t.do(client.Write(t.at(path), strings.Repeat(part, times)))
}

// many writes n files of a text; their name has two numbers, the first of which repeats after 50.
func (t *hostileTree) many(n int, name, text string) {
	for i := range n {
		t.file(fmt.Sprintf(name, i%50, i), text, 1)
	}
}

func (t *hostileTree) link(to, path string) { t.do(os.Symlink(to, t.at(path))) }

// nested makes folders one in another, each with an ignore file of a text, or without one.
func (t *hostileTree) nested(depth int, rules string) {
	was, err := os.Getwd()
	t.do(errors.Join(err, os.Chdir(t.root))) // the system takes no path of so many
	for range depth {
		if rules != "" {
			t.do(os.WriteFile(".gitignore", []byte(rules), 0o600))
		}
		t.do(errors.Join(os.Mkdir("d", 0o755), os.Chdir("d")))
	}
	t.do(os.Chdir(was))
}

// hostiles are kinds of trees that cost much whoever is linear in the wrong thing.
var hostiles = []struct {
	name  string
	write func(*hostileTree)
}{
	{"nested folders", func(t *hostileTree) { t.nested(2000+t.IntN(8000), "") }},
	{"nested folders with ignore files", func(t *hostileTree) { t.nested(300+t.IntN(1000), "*.x\n!y\n") }},
	{"an ignore file of long classes", func(t *hostileTree) {
		t.file(".gitignore", fmt.Sprintf("*[%s]*q*\n", strings.Repeat("a-zA-Z_", 50+t.IntN(200))), 300)
		t.many(2000, "%d/"+strings.Repeat("a", 120)+"%d.py", "x = 1\n")
	}},
	{"an ignore file of stars", func(t *hostileTree) {
		t.file(".gitignore", strings.Repeat("*a", 5+t.IntN(20))+"*b\n", 300)
		t.many(500, strings.Repeat("a", 150)+"%d_%d.py", "x = 1\n")
	}},
	{"an ignore file of 300,000 patterns", func(t *hostileTree) {
		var b strings.Builder
		for i := range 300_000 {
			fmt.Fprintf(&b, []string{"name%d\n", "*.e%d\n", "/d%d/*/x\n", "a**%d\n"}[t.IntN(4)], i)
		}
		t.file(".gitignore", b.String(), 1)
		t.many(2000, "k%d/f%d.go", "package p\n")
	}},
	{"a line without an end", func(t *hostileTree) {
		part := []string{"x", "f(", "a.b[c].", "\"q\"+", "{", "<T,", "`${"}[t.IntN(7)]
		t.file("line"+[]string{".js", ".py", ".go", ".ts", ".json", ".md"}[t.IntN(6)], part, (1+t.IntN(4))<<20/len(part))
	}},
	{"links in circles", func(t *hostileTree) {
		for i := range 200 + t.IntN(500) {
			t.file(fmt.Sprintf("d%d/a.py", i), "x = 1\n", 1)
			t.link(t.root, fmt.Sprintf("d%d/up", i))
			t.link(fmt.Sprintf("l%d.py", (i+1)%7), fmt.Sprintf("d%d/l%d.py", i, i%7))
			t.link("/", fmt.Sprintf("d%d/all", i))
		}
	}},
	{"names that are no text", func(t *hostileTree) {
		t.many(3000, "d%d/"+string(rune('a'+t.IntN(26)))+"\xff\xfe\n%d\x01.py", "def f(): pass\n")
	}},
	{"a folder of 70,000", func(t *hostileTree) { t.many(70_000, "f%d_%d.py", "") }},
	{"a file of gigabytes", func(t *hostileTree) {
		name := "huge" + []string{".py", ".go", ".ts"}[t.IntN(3)]
		t.file(name, "x = 1\n", 1)
		t.do(os.Truncate(t.at(name), int64(1+t.IntN(40))<<30))
	}},
	{"git folders that lead astray", func(t *hostileTree) {
		t.file(".git/objects/info/alternates", "../objects\n", 100)
		t.file(".git/HEAD", "ref: refs/heads/main\n", 1)
		t.file(".git/refs/heads/main", "ref: refs/heads/main\n", 1)
		for i := range 100 + t.IntN(300) {
			t.file(fmt.Sprintf("m%d/.git", i), []string{"gitdir: .\n", "gitdir: ../m0\n", "gitdir: /dev\n", "gitdir: " + strings.Repeat("x/", 4000)}[i%4], 1)
			t.file(fmt.Sprintf("m%d/a.go", i), "package a\n", 1)
			t.file(fmt.Sprintf(".git/worktrees/w%d/gitdir", i), "../../..\n", 1)
		}
	}},
	{"no files: pipes", func(t *hostileTree) {
		for i := range 200 + t.IntN(200) {
			t.do(syscall.Mkfifo(t.at(fmt.Sprintf("p%d.go", i)), 0o600))
		}
		t.do(syscall.Mkfifo(t.at("go.mod"), 0o600))
		t.link("/dev/zero", "zero.py")
		t.link("/dev/zero", ".ignore")
	}},
	{"code nested without end", func(t *hostileTree) {
		n := 20_000 + t.IntN(200_000)
		for name, part := range map[string]string{"a.go": "(", "b.ts": "[{a:", "c.py": "(", "d.json": "[", "e.md": "> ", "f.js": "a=>"} {
			t.file(name, part, n)
		}
	}},
	{"one name 20,000 times", func(t *hostileTree) {
		t.many(2000, "d%d/same%d.py", strings.Repeat("def same(same):\n    return same(same)\n\n", 10))
	}},
	{"settings that name each other", func(t *hostileTree) {
		for i := range 400 {
			t.file(fmt.Sprintf("p%d/tsconfig.json", i), fmt.Sprintf(`{"extends": "../p%d/tsconfig.json", "references": [{"path": "../p%d"}]}`, (i+1)%400, t.IntN(400)), 1)
		}
		t.file("package.json", `{"workspaces": ["**/**/**/*", "p*/**"]}`, 1)
		t.file("p0/a.ts", "import { x } from '../p1/a';\n", 2000)
		t.file("go.work", "use ./p0\n", 20_000)
		t.file("go.mod", "replace a => ./\n", 20_000)
	}},
}

// hostile serves drawn trees: each costs at most 2 s of processor time and 300 MB.
func (o *options) hostile(scratch string) error {
	for i := range o.trees {
		kind := hostiles[i%len(hostiles)]
		if o.kind != "" && kind.name != o.kind {
			continue
		}
		t := &hostileTree{Rand: rand.New(rand.NewPCG(o.seed, uint64(i))), root: filepath.Join(scratch, fmt.Sprint("tree", i))}
		t.do(os.Mkdir(t.root, 0o755))
		kind.write(t)
		if t.err != nil {
			return fmt.Errorf("%s: %w", kind.name, t.err)
		}
		spent, peak, err := o.serve(t.root, filepath.Join(scratch, fmt.Sprint("home", i)))
		if err = errors.Join(err, os.RemoveAll(t.root)); err != nil {
			return fmt.Errorf("tree %d, %s: %w", i, kind.name, err)
		}
		o.say(fmt.Sprintf("%d, %s: processor time", i, kind.name), spent.Seconds(), 2, "s")
		o.say(fmt.Sprintf("%d, %s: memory", i, kind.name), peak, 300, "MB")
	}
	return nil
}

// serve serves a folder to an editor that opens a document of its own there and asks about it, and
// returns what that took.
func (o *options) serve(root, home string) (spent time.Duration, peak float64, err error) {
	e, err := client.StartUser(o.tandem, home, root)
	if err != nil {
		return 0, 0, err
	}
	defer e.Kill()
	const own = "own.py"
	text := "def one():\n    return same(1)\n"
	if err := e.Open(own, text); err != nil {
		return 0, 0, err
	}
	where := client.Object{"textDocument": e.Document(own), "position": client.PositionAt(text, strings.Index(text, "same")), "purpose": "edit"}
	for _, method := range []string{"textDocument/hover", "tandem/window"} {
		if _, err := e.Call(method, where); errors.Is(err, client.ErrEnded) { // a refusal is an answer
			return 0, 0, err
		}
	}
	spent = settle(e.Pid())
	return spent, memory(e.Pid(), "VmHWM"), e.Quit()
}
