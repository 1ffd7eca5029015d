package nextedit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tandem/edits"
	"tandem/model/local/complete"
	"tandem/model/local/localtest"
	"tandem/model/local/source"
	"tandem/workspace"
)

// first is the first place that a change may have to reach, however improbable; false if
// nothing is written there.
func first(m *localtest.Memory, e *Engine, path string) (NextEdit, bool) {
	for _, n := range e.Candidates(context.Background(), m, m.Recent, path, 0) {
		return n, n.Jump == ""
	}
	return NextEdit{}, false
}

func next(m *localtest.Memory, e *Engine, path string) string {
	n, ok := first(m, e, path)
	if !ok {
		return ""
	}
	text := m.Texts[n.Path]
	now := text[:n.Edit.Start] + n.Edit.New + text[n.Edit.End:]
	from := strings.LastIndexByte(text[:n.Edit.Start], '\n') + 1
	end := n.Edit.Start + len(n.Edit.New)
	if i := strings.IndexByte(now[end:], '\n'); i >= 0 {
		end += i
	}
	return n.Path + ": " + strings.TrimSpace(now[from:end])
}

func TestNextEdits(t *testing.T) {
	for _, c := range []struct {
		name, text string
		edits      [][2]string
		want       string
	}{
		{"removed line", "a := 1\n// old: {}\nb := 2\n// old: {}\nc := 3\n// old: {}\nd := 4\n// old: {}\ne := 5\n", [][2]string{{"// old: {}", ""}, {"// old: {}", ""}, {"// old: {}", ""}}, "a.go: e := 5"},
		{"punctuation", "fn one\nfn two\nfn three\n", [][2]string{{"fn one", "fn: one"}, {"fn two", "fn: two"}}, ""},
		{"rename", "count := 1\nuse(count)\nmore(count, 2)\n", [][2]string{{"count := 1", "total := 1"}, {"use(count)", "use(total)"}}, "a.go: more(total, 2)"},
		{"casts taken away", "put(one as T, v as T)\nput(two as T, v as T)\nput(three as T, v as T)\n", [][2]string{{"put(one as T, v as T)", "put(one, v)"}, {"put(two as T, v as T)", "put(two, v)"}}, "a.go: put(three, v)"},
		{"added argument", "load(a)\nload(b)\nload(c)\n", [][2]string{{"load(a)", "load(ctx, a)"}, {"load(b)", "load(ctx, b)"}}, "a.go: load(ctx, c)"},
		{"wrapped call", "x := read(a)\ny := read(b.c)\nz := read(d(1, 2))\n", [][2]string{{"x := read(a)", "x := must(read(a))"}, {"y := read(b.c)", "y := must(read(b.c))"}}, "a.go: z := must(read(d(1, 2)))"},
		{"moved import", "import \"a/v4/x\"\nimport \"a/v4/y\"\nimport \"a/v4/z\"\n", [][2]string{{"import \"a/v4/x\"", "import \"a/v6/x\""}, {"import \"a/v4/y\"", "import \"a/v6/y\""}}, "a.go: import \"a/v6/z\""},
		{"once is not twice", "use(count)\nmore(count)\n", [][2]string{{"use(count)", "use(total)"}}, ""},
		{"nothing left", "use(count)\nmore(count)\n", [][2]string{{"use(count)", "use(total)"}, {"more(count)", "more(total)"}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := localtest.New(map[string]string{"a.go": c.text})
			for _, e := range c.edits {
				m.ReplaceLine("a.go", e[0], e[1])
			}
			if got := next(m, New(complete.New(nil)), "a.go"); got != c.want {
				t.Errorf("offered %q, want %q", got, c.want)
			}
		})
	}
}

// TestBlanksAroundInsertions: an insertion has the blanks of its examples before and after
// it, also where the place has others.
func TestBlanksAroundInsertions(t *testing.T) {
	for _, c := range []struct{ was, is, place, want string }{
		{"// +build one\n", "//go:build one\n// +build one\n", "// +build three\n", "//go:build three\n// +build three\n"},
		{"load(one)\n", "load(ctx, one)\n", "load(three)\n", "load(ctx, three)\n"},
		{"load(one)\n", "load( ctx, one)\n", "load(three)\n", "load( ctx, three)\n"},
	} {
		two := func(s string) string { return strings.ReplaceAll(s, "one", "two") }
		p, ok := unify(changesOf(c.was, c.is, false)[0], changesOf(two(c.was), two(c.is), false)[0])
		if !ok {
			t.Fatalf("%q: no pattern", c.is)
		}
		got := ""
		tokens := flatten(c.place, false)
		for i := range tokens {
			if vars, changed, ok := p.match(tokens, i); ok {
				e := p.edit(c.place, tokens, changed, vars)
				got = c.place[:e.Start] + e.New + c.place[e.End:]
				break
			}
		}
		if got != c.want {
			t.Errorf("%q becomes %q, want %q", c.place, got, c.want)
		}
	}
}

// TestRemovesUsed: what gives a variable its value stays while the lines below use it.
func TestRemovesUsed(t *testing.T) {
	removal := pattern{like: &change{}}
	for text, want := range map[string]bool{
		"c = f()\nuse(c)\n":           true,
		"c := f()\n\nx.c()\nreturn c": true,
		"c = f()\nuse(d)\nx.c()\n":    false,
		"c = f()\nc = g()\nuse(c)\n":  false,
		"call(f)\nuse(call)\n":        false,
	} {
		if got := removal.removesUsed(flatten(text, false), [2]int{0, 6}); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestPending: of the places that a change may have to reach, those are offered that are
// probable enough: what looks alike in data, and not what the user has passed.
func TestPending(t *testing.T) {
	var text strings.Builder
	for i := range 9 {
		fmt.Fprintf(&text, "job%d:\n  uses: actions/checkout@v4\n", i)
	}
	for _, c := range []struct {
		name   string
		edited []int
		want   []string
	}{
		{"below", []int{0, 1, 2, 3, 4, 5, 6, 7}, []string{"job8"}},
		{"passed", []int{1, 2, 3, 4, 5, 6, 7, 8}, nil},
	} {
		m := localtest.New(map[string]string{"a.yaml": text.String()})
		last := 0
		for _, i := range c.edited {
			now := m.Texts["a.yaml"]
			last = strings.Index(now, fmt.Sprintf("job%d:", i))
			m.Write("a.yaml", now[:last]+strings.Replace(now[last:], "@v4", "@v5", 1))
			old := "  uses: actions/checkout@v4\n"
			last += len("jobN:\n")
			m.Recent = append(m.Recent, workspace.RecentEdit{Path: "a.yaml", Line: 2*i + 2, Old: old, New: strings.Replace(old, "4", "5", 1),
				Place: edits.Span{Start: last, End: last + len(old)}, Placed: true, Time: time.Unix(int64(i), 0)})
		}
		var got []string
		for n := range New(complete.New(nil)).Pending(context.Background(), m, m.Recent, "a.yaml", last) {
			above := m.Texts["a.yaml"][:n.Edit.Start]
			got = append(got, above[strings.LastIndex(above, "job"):][:4])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: offered %q, want %q", c.name, got, c.want)
		}
	}
}

// TestNameOfOtherFile: it is noticed that a change calls what a file cannot see: a function
// of another package, or what the document has to import.
func TestNameOfOtherFile(t *testing.T) {
	for _, c := range []struct {
		path, head string
		lacks      bool
	}{
		{"a/b.go", "package a\n", false},
		{"b/b.go", "package b\n", true},
		{"c/b.go", "package b\n\nvar make = made\n", false},
	} {
		m := localtest.New(map[string]string{
			"a/a.go": "package a\n\nfunc made() T { return T{} }\n\nfunc use() {\n\told.load(1, x)\n\told.load(2, x)\n}\n",
			c.path:   c.head + "\nfunc more() {\n\told.load(3, x)\n}\n",
		})
		m.ReplaceLine("a/a.go", "old.load(1, x)", "made().load(1, x)")
		m.ReplaceLine("a/a.go", "old.load(2, x)", "made().load(2, x)")
		if n, ok := first(m, New(complete.New(nil)), "a/a.go"); !ok || n.Path != c.path || n.Evidence[lacksName] != truth(c.lacks) {
			t.Errorf("%s: considered %+v, want lacksName %v", c.path, n, c.lacks)
		}
	}
	m := localtest.New(map[string]string{
		"a.ts": "import { made } from 'made'\n\nold.load(1, x)\nold.load(2, x)\n",
		"b.ts": "first()\nold.load(3, x)\n",
	})
	m.ReplaceLine("a.ts", "old.load(1, x)", "made().load(1, x)")
	m.ReplaceLine("a.ts", "old.load(2, x)", "made().load(2, x)")
	if n, ok := first(m, New(complete.New(nil)), "a.ts"); !ok || n.Path != "b.ts" || n.Evidence[lacksName] != 1 {
		t.Errorf("considered %+v, want b.ts to lack the name", n)
	}
}

// TestPropagatedEdits: after a rename the users are offered one after the other, in other
// files too, with a count.
func TestPropagatedEdits(t *testing.T) {
	files := map[string]string{
		"a/a.go": "package a\n\nfunc Load(name string) error {\n\treturn nil\n}\n\nfunc own() error {\n\treturn Load(\"x\")\n}\n",
		"b/b.go": "package b\n\nimport \"m/a\"\n\nfunc Use(ctx context.Context) error {\n\treturn a.Load(\"y\")\n}\n",
		"go.mod": "module m\n",
	}
	for _, c := range []struct{ name, from, to, want, title string }{
		{"rename", "func Load(name string) error {", "func Fetch(name string) error {", "b/b.go: return a.Fetch(\"y\")", "Rename Load to Fetch: 2 uses, 0 done"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := localtest.New(files)
			e := New(complete.New(nil))
			m.ReplaceLine("a/a.go", c.from, c.to)
			if got := next(m, e, "b/b.go"); got != c.want {
				t.Errorf("offered %q, want %q", got, c.want)
			}
			if n, ok := first(m, e, "b/b.go"); !ok || n.Title != c.title {
				t.Errorf("offered %v, want the title %q", n, c.title)
			}
		})
	}
}

// TestFollowsAllUses: the uses of what was renamed are offered one after the other, however
// many there are, as long as the user goes on with them.
func TestFollowsAllUses(t *testing.T) {
	var text strings.Builder
	text.WriteString("def load(name):\n    return name\n\n")
	for i := range 8 {
		fmt.Fprintf(&text, "print(%d, load(%d))\n", i, i)
	}
	m := localtest.New(map[string]string{"a.py": text.String()})
	e := New(complete.New(nil))
	m.ReplaceLine("a.py", "def load(name):", "def fetch(name):")
	for i := range 8 {
		line := fmt.Sprintf("print(%d, load(%d))", i, i)
		now := strings.Replace(line, "load", "fetch", 1)
		if got := offered(m, e, "a.py"); len(got) == 0 || got[0] != "a.py: "+now {
			t.Fatalf("after %d uses %q is offered", i, got)
		}
		m.ReplaceLine("a.py", line, now)
	}
	m.ReplaceLine("a.py", "def fetch(name):", "def get(name):")
	for i := range maxFresh + 1 {
		m.ReplaceLine("a.py", fmt.Sprintf("print(%d, fetch(%d))", i, i), []string{"print()", "pass", "x = [2]"}[i])
	}
	if got := offered(m, e, "a.py"); len(got) > 0 {
		t.Errorf("after %d other edits %q is offered", maxFresh+1, got)
	}
}

// TestFollowsByName: what is found by its name alone is renamed once the user has renamed a
// use of it.
func TestFollowsByName(t *testing.T) {
	m := localtest.New(map[string]string{"a.kt": "class A {\n    fun entries() = 1\n}\n", "b.kt": "fun use(a: A) = a.entries()\nfun more(a: A) = 1 + a.entries()\n"})
	m.ReplaceLine("a.kt", "fun entries() = 1", "fun cache() = 1")
	m.ReplaceLine("b.kt", "fun use(a: A) = a.entries()", "fun use(a: A) = a.cache()")
	if got := offered(m, New(complete.New(nil)), "b.kt"); len(got) == 0 || got[0] != "b.kt: fun more(a: A) = 1 + a.cache()" {
		t.Errorf("offered %q", got)
	}
}

// TestAll: all places that are certain are one set of edits, and the others are counted.
func TestAll(t *testing.T) {
	m := localtest.New(map[string]string{
		"go.mod": "module m\n",
		"a/a.go": "package a\n\n// Load loads.\nfunc Load(name string, n int) error {\n\treturn nil\n}\n\nfunc own() error {\n\treturn Load(\"x\", 1)\n}\n",
		"b/b.go": "package b\n\nimport \"m/a\"\n\nfunc Use() error {\n\tif err := a.Load(\"y\", 2); err != nil {\n\t\treturn err\n\t}\n\treturn a.Load(\"z\", 3)\n}\n",
		"a/c.go": "package a\n\nfunc other(Load func()) { Load() }\n",
	})
	m.ReplaceLine("a/a.go", "func Load(name string, n int) error {", "func Fetch(name string, n int) error {")
	written, visits := 0, 0
	for n := range New(complete.New(nil)).Pending(t.Context(), m, m.Recent, "a/a.go", 0) {
		switch {
		case n.Change == "" || !n.Left.None() || !strings.HasPrefix(n.Title, "Rename Load to Fetch"):
			t.Errorf("%+v", n)
		case n.Jump == "":
			written++
		default:
			visits++
		}
	}
	if written != 4 || visits != 2 {
		t.Errorf("%d edits and %d places to go to", written, visits)
	}
}

// TestMeant: a place that may mean another definition says what it becomes if it means the renamed one.
func TestMeant(t *testing.T) {
	m := localtest.New(map[string]string{"a.py": "class A:\n    def read_all(self):\n        pass\n\n\nclass B:\n    def read_all(self):\n        pass\n\n\nx.read_all()\n"})
	m.ReplaceLine("a.py", "def read_all(self):", "def load_all(self):")
	var got []string
	for n := range New(complete.New(nil)).Pending(t.Context(), m, m.Recent, "a.py", 0) {
		text := m.Texts[n.Path]
		if n.Jump == "" || n.Meant == nil {
			t.Fatalf("%+v", n)
		}
		line, _, _ := strings.Cut(text[n.Meant.End:], "\n")
		got = append(got, text[:n.Meant.Start][strings.LastIndexByte(text[:n.Meant.Start], '\n')+1:]+n.Meant.New+line)
	}
	if want := []string{"x.load_all()"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// offered lists all places of the pending changes: "path: line after the edit", or
// "path: -> line" for a place that only the user can write.
func offered(m *localtest.Memory, e *Engine, path string) (out []string) {
	for n := range e.Pending(context.Background(), m, m.Recent, path, 0) {
		text := m.Texts[n.Path]
		from := strings.LastIndexByte(text[:n.Edit.Start], '\n') + 1
		rest, _, _ := strings.Cut(text[n.Edit.End:], "\n")
		line := strings.TrimSpace(text[from:n.Edit.Start] + n.Edit.New + rest)
		if n.Jump != "" {
			line = "-> " + line
		}
		out = append(out, n.Path+": "+line)
	}
	return out
}

// TestFollows: what has to follow one edit: a variable's uses, a member's, and calls after the
// parameters changed.
func TestFollows(t *testing.T) {
	const module = "module m\n"
	for _, c := range []struct {
		name, path string
		files      map[string]string
		from, to   string
		want       []string
	}{
		{"variable in Go", "a.go", map[string]string{"a.go": "package a\n\nfunc f() int {\n\tcount := 1\n\tuse(count, x.count)\n\treturn count\n}\n\nfunc g() int { return count }\n"},
			"count := 1", "total := 1", []string{"a.go: use(total, x.count)", "a.go: return total"}},
		{"variable that is declared again", "a.go", map[string]string{"a.go": "package a\n\nfunc f() int {\n\terr := g()\n\tuse(err)\n\terr := h()\n\treturn err\n}\n"},
			"err := g()", "failed := g()", nil},
		{"variable in TypeScript", "a.ts", map[string]string{"a.ts": "export function f(): number {\n  const count = 1\n  use({ count: 2 }, count)\n  return count\n}\n"},
			"const count = 1", "const total = 1", []string{"a.ts: use({ count: 2 }, total)", "a.ts: return total"}},
		{"variable in Python", "a.py", map[string]string{"a.py": "def f():\n    count = 1\n    count = count + 1\n    return count\n"},
			"count = 1", "total = 1", []string{"a.py: total = count + 1", "a.py: count = total + 1", "a.py: return total"}},
		{"a use is no declaration", "a.py", map[string]string{"a.py": "def f(log):\n    log.info(1)\n    log.info(2)\n    return log\n"},
			"log.info(1)", "logger.info(1)", nil},
		{"method with a word that is reserved elsewhere", "a.py", map[string]string{"a.py": "class A:\n    def match(self):\n        return 1\n\n    def all(self):\n        return self.match()\n"},
			"def match(self):", "def matches(self):", []string{"a.py: return self.matches()"}},
		{"method by its name alone", "a.kt", map[string]string{"a.kt": "class A {\n    fun entries() = 1\n}\n", "b.kt": "fun use(a: A) = a.entries()\n"},
			"fun entries() = 1", "fun cache() = 1", []string{"b.kt: -> fun use(a: A) = a.entries()"}},
		{"parameter in Go", "a/a.go", map[string]string{"go.mod": module, "a/a.go": "package a\n\nfunc Wait(n int) {}\n\nfunc f(n int) {\n\tWait(n + 1)\n\tg(Wait)\n}\n"},
			"func Wait(n int) {}", "func Wait(n, m int) {}", []string{"a/a.go: -> Wait(n + 1)"}},
		{"parameters in another order", "a.py", map[string]string{"a.py": "def wait(n, m):\n    pass\n\n\nwait(1, 2)\n"},
			"def wait(n, m):", "def wait(m, n):", []string{"a.py: wait(2, 1)"}},
		{"parameter that calls may leave out", "a.py", map[string]string{"a.py": "def wait(n):\n    pass\n\n\nwait(1)\n"},
			"def wait(n):", "def wait(n, m=1):", nil},
		{"parameter with another name", "a.py", map[string]string{"a.py": "def wait(n):\n    pass\n\n\nwait(1)\n"},
			"def wait(n):", "def wait(m):", nil},
		{"property that a shorthand names", "a.ts", map[string]string{"a.ts": "export type Reader = {\n  readAll: (n: number) => string\n}\n",
			"b.ts": "import { Reader } from './a'\nexport function make(readAll: () => string) {\n  const file: Reader = { readAll }\n  return file.readAll(1)\n}\n"},
			"readAll: (n: number) => string", "loadAll: (n: number) => string", []string{"b.ts: return file.loadAll(1)", "b.ts: -> const file: Reader = { readAll }"}},
		{"import that a shorthand names", "a.ts", map[string]string{"a.ts": "export function count(): number {\n  return 1\n}\n", "b.ts": "import { count } from './a'\nexport const all = { count }\nexport const f = (count: number) => ({ count })\n"},
			"export function count(): number {", "export function size(): number {", []string{"b.ts: import { size } from './a'", "b.ts: export const all = { count: size }"}},
		{"field of the name of a function in Rust", "src/a.rs", map[string]string{"src/a.rs": "pub fn area(w: u32) -> u32 {\n    w\n}\n", "src/main.rs": "mod a;\nuse a::area;\n\nstruct Room {\n    area: u32,\n}\n\nfn show() -> u32 {\n    area(1)\n}\n"},
			"pub fn area(w: u32) -> u32 {", "pub fn surface(w: u32) -> u32 {", []string{"src/main.rs: -> use a::area;", "src/main.rs: -> area(1)"}},
		{"import of another name", "a.py", map[string]string{"a.py": "\nfrom a import Guard\n\ndef f(x: Guard) -> Guard:\n    return x.Guard\n"},
			"from a import Guard", "from a import Is", []string{"a.py: def f(x: Is) -> Guard:", "a.py: def f(x: Guard) -> Is:"}},
		{"import that another one gives too", "a.py", map[string]string{"a.py": "\nimport sys\nif sys:\n    from a import Guard\nelse:\n    from b import Guard\nGuard()\n"},
			"from a import Guard", "from a import Is", nil},
		{"method whose name several have", "a.py", map[string]string{"a.py": "class A:\n    def read_all(self):\n        return self.read_all()\n\n\nclass B:\n    def read_all(self):\n        return self.read_all()\n\n\nx.read_all()\n"},
			"def read_all(self):", "def load_all(self):", []string{"a.py: return self.load_all()", "a.py: -> return self.read_all()", "a.py: -> x.read_all()"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := localtest.New(c.files)
			m.ReplaceLine(c.path, c.from, c.to)
			if got := offered(m, New(complete.New(nil)), c.path); !slices.Equal(got, c.want) {
				t.Errorf("offered\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// TestFollowsBinding: what has to follow another name of a variable or a parameter: its own
// uses, and nothing else that has the name.
func TestFollowsBinding(t *testing.T) {
	for _, c := range []struct {
		name, path string
		files      map[string]string
		from, to   string
		want       []string
	}{
		{"shadowed by a parameter and a variable", "a.ts", map[string]string{"a.ts": "function f(n: number) {\n  const g = (n: string) => n.at(0)\n  if (n) {\n    let n = 2\n    use(n)\n  }\n  return n\n}\n"},
			"function f(n: number) {", "function f(m: number) {", []string{"a.ts: if (m) {", "a.ts: return m"}},
		{"destructured", "a.ts", map[string]string{"a.ts": "function f(p: P) {\n  const { a: n, b } = p\n  return { n, b: p.n + n }\n}\n"},
			"const { a: n, b } = p", "const { a: m, b } = p", []string{"a.ts: return { n: m, b: p.n + n }", "a.ts: return { n, b: p.n + m }"}},
		{"catch parameter", "a.ts", map[string]string{"a.ts": "try {\n  f()\n} catch (e) {\n  log(e, { e: 1 })\n}\nlog(e)\n"},
			"} catch (e) {", "} catch (err) {", []string{"a.ts: log(err, { e: 1 })"}},
		{"closure in TypeScript", "a.ts", map[string]string{"a.ts": "export const f = (n: number) => {\n  return xs.map((x) => x * n).filter((n) => n)\n}\n"},
			"export const f = (n: number) => {", "export const f = (m: number) => {", []string{"a.ts: return xs.map((x) => x * m).filter((n) => n)"}},
		{"another class's member", "a.ts", map[string]string{"a.ts": "class A {\n  n = 1\n  f(n: number) {\n    this.n = n\n  }\n}\nclass B {\n  n = 2\n  g() { return this.n }\n}\n"},
			"f(n: number) {", "f(m: number) {", []string{"a.ts: this.n = m"}},
		{"name that means something", "a.ts", map[string]string{"a.ts": "const m = 1\nfunction f(n: number) {\n  return n + m\n}\n"},
			"function f(n: number) {", "function f(m: number) {", nil},
		{"name that means something elsewhere", "a.ts", map[string]string{"a.ts": "function f(n: number) {\n  return n\n}\nfunction g(m: number) {\n  return m\n}\n"},
			"function f(n: number) {", "function f(m: number) {", []string{"a.ts: return m"}},
		{"property of a class by its constructor", "a.ts", map[string]string{"a.ts": "class A {\n  constructor(private n: number) {\n    use(n)\n  }\n  f() { return this.n }\n}\n"},
			"constructor(private n: number) {", "constructor(private m: number) {", []string{"a.ts: use(m)", "a.ts: f() { return this.m }"}},
		{"one of the renamed uses", "a.ts", map[string]string{"a.ts": "function f(n: number) {\n  use(m)\n  return n\n}\n"},
			"function f(n: number) {", "function f(m: number) {", []string{"a.ts: return m"}},
		{"comprehension", "a.py", map[string]string{"a.py": "def f(xs):\n    n = 1\n    y = [n for n in xs if n > 0]\n    return y, n\n"},
			"n = 1", "m = 1", []string{"a.py: return y, m"}},
		{"comprehension alone", "a.py", map[string]string{"a.py": "def f(n):\n    y = [\n        n\n        for n in n\n        if n > 0\n    ]\n    return y, n\n"},
			"def f(n):", "def f(m):", []string{"a.py: for n in m", "a.py: return y, m"}},
		{"nonlocal", "a.py", map[string]string{"a.py": "def f():\n    n = 1\n    def g():\n        nonlocal n\n        n += 1\n    def h(n):\n        return n\n    return n\n"},
			"n = 1", "m = 1", []string{"a.py: nonlocal m", "a.py: m += 1", "a.py: return m"}},
		{"global of the same name", "a.py", map[string]string{"a.py": "n = 0\ndef f(n):\n    def g():\n        global n\n        n = 1\n    return n\n"},
			"def f(n):", "def f(m):", []string{"a.py: return m"}},
		{"class's name in its method", "a.py", map[string]string{"a.py": "def f():\n    n = 1\n    class A:\n        n = 2\n        def g(self):\n            return n, self.n\n    return A\n"},
			"n = 1", "m = 1", []string{"a.py: return m, self.n"}},
		{"default of another parameter", "a.py", map[string]string{"a.py": "n = 1\ndef f(n, x=n):\n    return n + x\n"},
			"def f(n, x=n):", "def f(m, x=n):", []string{"a.py: return m + x"}},
		{"exception", "a.py", map[string]string{"a.py": "def f(e):\n    try:\n        g(e)\n    except E as err:\n        log(err, err=1)\n    return e.err\n"},
			"except E as err:", "except E as failure:", []string{"a.py: log(failure, err=1)"}},
		{"builtin", "a.py", map[string]string{"a.py": "def f(xs):\n    n = list(xs)\n    return n\n"},
			"n = list(xs)", "list = list(xs)", nil},
		{"second value of a variable", "a.py", map[string]string{"a.py": "def f():\n    n = 1\n    use(n)\n    n = 2 + n\n    return n\n"},
			"n = 2 + n", "m = 2 + n", nil},
		{"keyword callers of other files, and tags", "a.py", map[string]string{
			"a.py": "def wait(n, retry=1):\n    \"\"\"Wait.\n\n    :param n: how long\n    \"\"\"\n    return n\n\n\nwait(n=1)\n",
			"b.py": "from a import wait as w, wait\nimport a\n\nn = 2\nwait(n=n, retry=f(n=3))\na.wait(\n    n=4)\nother(n=5)\n",
			"c.py": "from z import wait\n\nwait(n=1)\n",
		}, "def wait(n, retry=1):", "def wait(secs, retry=1):", []string{"a.py: return secs", "a.py: :param secs: how long", "b.py: wait(secs=n, retry=f(n=3))", "b.py: secs=4)", "a.py: wait(secs=1)"}},
		{"keyword callers of a class", "a.py", map[string]string{
			"a.py": "class A:\n    def __init__(self, n):\n        self.n = n\n\n\nclass B:\n    def __init__(self, n):\n        self.a = A(n=n)\n",
			"b.py": "from a import A, B\n\nA(n=1)\nB(n=2)\n",
		}, "def __init__(self, n):", "def __init__(self, m):", []string{"a.py: self.n = m", "a.py: self.a = A(m=n)", "b.py: A(m=1)"}},
		{"keyword callers of a method of another class", "a.py", map[string]string{"a.py": "class A:\n    def wait(self, n):\n        return n\n\n    def g(self):\n        return self.wait(n=1)\n\n\nclass B:\n    def wait(self, n):\n        return self.wait(n=n)\n"},
			"def wait(self, n):", "def wait(self, m):", []string{"a.py: return m", "a.py: return self.wait(m=1)"}},
		{"function that others hide", "a.py", map[string]string{"a.py": "def load(x):\n    return x\n\n\nload(1)\n", "b.py": "from a import load\n\nload(2)\n\n\ndef f(load):\n    return load(3)\n\n\ndef g():\n    load = f\n    return load(4)\n\n\ndef h():\n    return [load(5) for load in load(6)]\n"},
			"def load(x):", "def fetch(x):", []string{"a.py: fetch(1)", "b.py: from a import fetch", "b.py: fetch(2)", "b.py: return [load(5) for load in fetch(6)]"}},
		{"function that others hide in TypeScript", "a.ts", map[string]string{"a.ts": "export function load() { return 1 }\n", "b.ts": "import { load } from './a'\nload()\nconst f = ({ load }) => load()\nfunction g() {\n  const load = f\n  return load()\n}\nfunction h() { return load() }\n"},
			"export function load() { return 1 }", "export function fetch() { return 1 }", []string{"b.ts: import { fetch } from './a'", "b.ts: fetch()", "b.ts: function h() { return fetch() }"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := localtest.New(c.files)
			m.ReplaceLine(c.path, c.from, c.to)
			got := offered(m, New(complete.New(nil)), c.path)
			slices.Sort(got) // files come in any order
			slices.Sort(c.want)
			if !slices.Equal(got, c.want) {
				t.Errorf("offered\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// TestVisitedCalls: a call that the user has edited after the parameters changed is no place
// to go to any more.
func TestVisitedCalls(t *testing.T) {
	m := localtest.New(map[string]string{"a.py": "\ndef wait(n):\n    pass\n\n\nwait(1)\nwait(2)\n"})
	m.ReplaceLine("a.py", "def wait(n):", "def wait(n, m):")
	m.ReplaceLine("a.py", "wait(1)", "wait(1, 3)")
	if got := offered(m, New(complete.New(nil)), "a.py"); !slices.Equal(got, []string{"a.py: -> wait(2)"}) {
		t.Errorf("offered %q", got)
	}
}

// TestCallsWrittenBefore: a call that has as many arguments as the function takes now, and not
// as it took, follows already; one whose arguments cannot be counted does not.
func TestCallsWrittenBefore(t *testing.T) {
	for call, follows := range map[string]bool{
		"wait(1)": false, "wait()": false, "wait(f(1, 2))": false, "wait(*all)": false, "wait(1, 2, 3)": false, "wait([1, 2])": false,
		"wait(1, 2)": true, "wait(1, m=2)": true, "wait((1, 2), 3)": true, "wait(\n    1,\n    2,\n)": true, "wait(a * b, 2)": true,
	} {
		m := localtest.New(map[string]string{"a.py": "\ndef wait(n):\n    pass\n\n\n" + call + "\n"})
		m.ReplaceLine("a.py", "def wait(n):", "def wait(n, m):")
		if got := offered(m, New(complete.New(nil)), "a.py"); (len(got) == 0) != follows {
			t.Errorf("%s: offered %q", call, got)
		}
	}
}

// TestParameterThatMayGetADefault: while the user is in a list of parameters to which a default
// may come, calls are no places to go to yet.
func TestParameterThatMayGetADefault(t *testing.T) {
	for line, want := range map[string][]string{"x = 1\n": {"a.py: -> wait(1)"}, "": nil} {
		m := localtest.New(map[string]string{"a.py": line + "def wait(n):\n    pass\n\n\nwait(1)\n"})
		m.ReplaceLine("a.py", "def wait(n):", "def wait(n, m):")
		if got := offered(m, New(complete.New(nil)), "a.py"); !slices.Equal(got, want) {
			t.Errorf("below %q: offered %q", line, got)
		}
	}
}

// TestPlaceAt: whose name is at a place that a language server found, whether it is called, and
// whether it names a property and its value at once.
func TestPlaceAt(t *testing.T) {
	for line, want := range map[string]string{
		"use({ |name })": "shorthand", "const { a, |name = 1 } = x": "shorthand", "return {\n  |name,\n}": "shorthand",
		"if (a) {\n  |name = 2\n}": "", "f(({ |name = 1 }) => 2)": "shorthand",
		"`${|name}`": "", "f(|name, b)": "", "import { |name } from 'a'": "", "export { |name }": "", "enum A { |name, b }": "", "<a b={|name}>": "", "<b>{|name}</b>": "", "[|name, b]": "",
		"|name(1)": "call", "a.|name?.(1)": "call", "|name<string[]>(1)": "call", "|name!(1)": "call", "if (|name < 3) (x)": "", "|names": "none", "__all__ = [|'name'¦]": "",
		"a.|name(b.name, 1)¦;": "call", "import static |a.name.name¦;": "", "|this.name(1)¦": "call", "|rename¦": "none", "|other(name)¦": "none", "|#name¦ = 1": "",
	} {
		at := strings.Index(line, "|")
		src := line[:at] + line[at+1:]
		span := edits.Span{Start: at, End: at + 4}
		if end := strings.Index(src, "¦"); end >= 0 { // where more than the name was found
			src, span.End = src[:end]+src[end+len("¦"):], end
		}
		p, ok := PlacesIn("a.tsx", "typescriptreact", src)("name", span)
		got := ""
		switch {
		case !ok:
			got = "none"
		case p.Shorthand:
			got = "shorthand"
		case p.Call:
			got = "call"
		}
		if got != want || ok && src[p.Span.Start:p.Span.End] != "name" {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// TestDeclaredOn: the names that a line declares, and none that it uses.
func TestDeclaredOn(t *testing.T) {
	for line, want := range map[string]string{
		"let i = 0, len = list.length": "i len", "const f = (a: string, b?: number) => a": "f a b", "f(a, b)": "", "mounted(el, binding) {": "el binding", "if (el) {": "", "  #hide(a: string) {}": "hide a", "a = b": "",
	} {
		src := "class A {\n" + line + "\n}\n"
		if !strings.HasPrefix(line, " ") {
			src = "\n" + line + "\n"
		}
		var out []string
		for _, s := range DeclaredOn(localtest.New(map[string]string{"a.ts": src}), "a.ts", 2) {
			out = append(out, src[s.Start:s.End])
		}
		if got := strings.Join(out, " "); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// TestNumbersWithoutCode: a number that was changed twice in a file without code is another thing's
// elsewhere.
func TestNumbersWithoutCode(t *testing.T) {
	for _, file := range []string{"a.md", "a.xml"} {
		m := localtest.New(map[string]string{file: "pad(1, 2025)\none\npad(2, 2025)\ntwo\npad(4, 2025)\n"})
		m.ReplaceLine(file, "pad(1, 2025)", "pad(1, 2026)")
		m.ReplaceLine(file, "pad(2, 2025)", "pad(2, 2026)")
		if got := offered(m, New(complete.New(nil)), file); len(got) > 0 {
			t.Errorf("%s: %q", file, got)
		}
	}
}

// TestKeysOfData: a key of data changes as the same key did.
func TestKeysOfData(t *testing.T) {
	for _, file := range []string{"a.yaml", "a.golden", "package-lock.json"} {
		m := localtest.New(map[string]string{file: "one:\n  version: 12\n  name: x\ntwo:\n  version: 12\n  limit: 12\nthree:\n  version: 12\n"})
		m.ReplaceLine(file, "version: 12", "version: 13")
		want := []string{"a.yaml: version: 13", "a.yaml: version: 13"}
		if file != "a.yaml" {
			want = nil
		}
		for _, got := range offered(m, New(complete.New(nil)), file) {
			if !slices.Contains(want, got) {
				t.Errorf("%s: offered %q", file, got)
			}
		}
	}
}

// TestRevertedIsNoExample: a change that the user has taken back is not continued, and a
// new one is.
func TestRevertedIsNoExample(t *testing.T) {
	m := localtest.New(map[string]string{"a.go": "package a\n\nfunc one() {}\n\nfunc two() {}\n\nfunc f() {\n\tone(1)\n\tone(2)\n\tone(3)\n\ttwo(4)\n}\n"})
	for _, e := range [][2]string{{"one(1)", "uno(1)"}, {"one(2)", "uno(2)"}, {"uno(1)", "one(1)"}, {"uno(2)", "one(2)"}} {
		m.ReplaceLine("a.go", e[0], e[1])
	}
	for i := range 2 {
		m.Recent[i].Placed = false
	}
	m.ReplaceLine("a.go", "func two() {}", "func due() {}")
	if got := offered(m, New(complete.New(nil)), "a.go"); !slices.Equal(got, []string{"a.go: due(4)"}) {
		t.Errorf("offered %q", got)
	}
}

// TestWhileTyping: a file that does not parse at the moment keeps the places of a rename.
func TestWhileTyping(t *testing.T) {
	for _, typed := range []string{"x", "if x {", "type x struct {", "\tA(", "}"} {
		m := localtest.New(map[string]string{"a.go": "package p\n\n// here\n\nfunc use() int {\n\treturn load()\n}\n\ntype T int\n\nfunc load() int {\n\treturn 1\n}\n", "go.mod": "module m\n"})
		m.ReplaceLine("a.go", "func load() int {", "func fetch() int {")
		m.ReplaceLine("a.go", "// here", typed)
		if got, want := next(m, New(complete.New(nil)), "a.go"), "a.go: return fetch()"; got != want {
			t.Errorf("after %q %q is offered, want %q", typed, got, want)
		}
	}
}

// TestOverloads: the rename of one overload goes on at the others, and that of a copy of a
// function does not.
func TestOverloads(t *testing.T) {
	const signatures = "class File {\n  read(n: number): string\n  read(s: string): string\n  read(x: any) {\n    return ''\n  }\n}\nnew File().read(1)\n"
	m := localtest.New(map[string]string{"a.ts": signatures})
	m.ReplaceLine("a.ts", "read(s: string): string", "load(s: string): string")
	if got, want := strings.Join(offered(m, New(complete.New(nil)), "a.ts"), "\n"), 2; strings.Count(got, "load") != want {
		t.Errorf("offered are\n%s\nwant %d places", got, want)
	}
	m = localtest.New(map[string]string{"a.ts": "class File {\n  read() {\n    return 1\n  }\n  read() {\n    return 2\n  }\n}\nnew File().read()\n"})
	m.ReplaceLine("a.ts", "read() {", "load() {")
	if got := offered(m, New(complete.New(nil)), "a.ts"); len(got) > 0 {
		t.Errorf("after the rename of a copy %q is offered", got)
	}
}

// TestHalfTyped: the end of a word that is gone at the cursor is about to be typed anew.
func TestHalfTyped(t *testing.T) {
	for _, c := range []struct {
		old, now string // | is the cursor
		want     bool
	}{
		{"uses: checkout@v6\n", "uses: checkout@v|\n", true},
		{"load(x)\n", "lo|(x)\n", true},
		{"uses: checkout@v7.0.0\n", "uses: checkout@v7.0.|\n", true},
		{"load(a, b)\n", "load(|)\n", false}, // arguments may be gone for good
		{"'v0.3'\n", "'v0|'\n", false},       // a whole word is gone
		{"uses: checkout@v6\n", "uses: checkout@v7|\n", false},
		{"uses: checkout@v6\n", "uses: |checkout@v\n", false}, // the cursor is elsewhere
	} {
		now, rest, _ := strings.Cut(c.now, "|")
		edit := workspace.RecentEdit{Path: "a.yml", Old: c.old, New: now + rest, Place: edits.Span{Start: 5, End: 5 + len(now+rest)}, Placed: true}
		if got := halfTyped([]workspace.RecentEdit{edit}, "a.yml", 5+len(now)); got != c.want {
			t.Errorf("%q: %v", c.now, got)
		}
	}
}

// TestAddedLines: lines that were added at two places are offered where the lines around them
// are the same, in one place of a file that has them not.
func TestAddedLines(t *testing.T) {
	const (
		file   = "{\n  \"files\": [],\n  \"scripts\": {\n    \"build\": 1\n  }\n}\n"
		before = "\"scripts\": {"
		block  = "\"engines\": {\n    \"node\": 22\n  },"
	)
	for _, c := range []struct {
		name, ext, file, from, now string
		third                      string
		want                       []string
	}{
		{"the same lines around", ".json", file, before, block + "\n  " + before, file, []string{"p/c.json: " + block + "\n  " + before}},
		{"other lines around", ".json", file, before, block + "\n  " + before, strings.Replace(file, "files", "names", 1), nil},
		{"there already", ".json", file, before, block + "\n  " + before, file + block, nil},
		{"two places", ".json", file, before, block + "\n  " + before, file + file, nil},
		{"an import", ".go", "package p\n\nimport (\n\t\"bytes\"\n\t\"strings\"\n)\n", `"strings"`, "\"errors\"\n\t\"strings\"", "package p\n\nimport (\n\t\"bytes\"\n\t\"strings\"\n)\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := localtest.New(map[string]string{"p/a" + c.ext: c.file, "p/b" + c.ext: c.file, "p/c" + c.ext: c.third})
			m.ReplaceLine("p/a"+c.ext, c.from, c.now)
			e := New(complete.New(nil))
			if got := offered(m, e, "p/a"+c.ext); len(got) > 0 {
				t.Errorf("after one place: %q", got)
			}
			m.ReplaceLine("p/b"+c.ext, c.from, c.now)
			if got := offered(m, e, "p/b"+c.ext); !slices.Equal(got, c.want) {
				t.Errorf("offered %q, want %q", got, c.want)
			}
		})
	}
}

// TestEveryUse: a rename reaches all uses, however many, and names what it does not look into.
func TestEveryUse(t *testing.T) {
	const uses = 6337
	files := map[string]string{"go.mod": "module m\n", "a/a.go": "package a\n\nfunc Load() {}\n"}
	for i := range 4 {
		files[fmt.Sprintf("b/b%d.go", i)] = "package b\n\nimport \"m/a\"\n\nfunc f" + fmt.Sprint(i) + "() {\n" + strings.Repeat("\ta.Load()\n", uses/4+1) + "}\n"
	}
	m := localtest.New(files)
	m.Write("c/large.go", "package c\n\nimport \"m/a\"\n\nfunc f() { a.Load() }\n"+strings.Repeat("// long\n", source.MaxFile/8))
	m.ReplaceLine("a/a.go", "func Load() {}", "func Fetch() {}")
	n, left := 0, ""
	for next := range New(complete.New(nil)).Pending(t.Context(), m, m.Recent, "a/a.go", 0) {
		n, left = n+flagInt(next.Jump == ""), next.Left.String()
	}
	if n < uses || left != "1 file that has Load is not searched" {
		t.Errorf("%d edits, left %q", n, left)
	}
}

// TestFilesBeyond: a change at places alike says which files it was not looked for in.
func TestFilesBeyond(t *testing.T) {
	files := map[string]string{"a.go": "package a\n\nfunc f() {\n\tlog(one, 1)\n\tlog(two, 2)\n}\n"}
	for i := range 5 {
		files[fmt.Sprintf("b%d.go", i)] = fmt.Sprintf("package a\n\nfunc g%d() {\n\tlog(three, 3)\n}\n", i)
	}
	m := localtest.New(files)
	m.ReplaceLine("a.go", "log(one, 1)", "log(ctx, one, 1)")
	m.ReplaceLine("a.go", "log(two, 2)", "log(ctx, two, 2)")
	for most, want := range map[int]string{3: "2 files are not searched for it", 5: ""} {
		e := New(complete.New(nil))
		e.siteFiles = most
		var lefts []string
		for next := range e.changes(t.Context(), m, m.Recent, "a.go", 0) {
			for _, n := range next.all() {
				lefts = append(lefts, n.Left.String())
			}
		}
		if len(lefts) == 0 || slices.ContainsFunc(lefts, func(left string) bool { return left != want }) {
			t.Errorf("of at most %d files: left %q", most, lefts)
		}
	}
}
