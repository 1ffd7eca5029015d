package nextedit

import (
	"context"
	"slices"
	"strings"
	"testing"

	"tandem/model/local/localtest"
)

// TestUsers: a name means what the file imports; what may hide it, and a member that others
// may have too, are places to look at.
func TestUsers(t *testing.T) {
	for _, c := range []struct {
		name, file, def string
		member          bool
		files           map[string]string
		want            []string // "path: line" of each place, with "?" before what may be another's
	}{
		{"function in Go", "a/a.go", "Load", false, map[string]string{
			"go.mod":   "module m\n",
			"a/a.go":   "package a\n\nfunc Load() {}\n\nvar x = Load\n\nfunc f() { Load := 1; use(Load) }\n",
			"a/b.go":   "package a\n\ntype T struct{ Load int }\n\nfunc (t T) Load() { t.Load() }\n\nvar all = T{Load: 1}\n",
			"b/b.go":   "package b\n\nimport \"m/a\"\n\nfunc f(b T) { a.Load(); b.Load() }\n",
			"c/c.go":   "package c\n\nimport other \"m/a\"\n\nfunc f() { other.Load() }\n",
			"d/a/a.go": "package a\n\nfunc Load() { Load() }\n",
		}, []string{"a/a.go: var x = Load", "?a/a.go: func f() { Load := 1; use(Load) }", "?a/a.go: func f() { Load := 1; use(Load) }", "?a/b.go: var all = T{Load: 1}",
			"b/b.go: func f(b T) { a.Load(); b.Load() }", "c/c.go: func f() { other.Load() }"}},
		{"method in Go", "a/a.go", "ReadAll", true, map[string]string{
			"go.mod": "module m\n",
			"a/a.go": "package a\n\ntype T struct{}\n\nfunc (t *T) ReadAll() { t.ReadAll() }\n\nfunc f(x *T) { x.ReadAll() }\n",
			"b/b.go": "package b\n\nfunc f(x io.Reader) { x.ReadAll() }\n",
		}, []string{"a/a.go: func f(x *T) { x.ReadAll() }", "?b/b.go: func f(x io.Reader) { x.ReadAll() }"}},
		{"method in Go that a dependency's type has too", "a/a.go", "ReadAll", true, map[string]string{
			"go.mod": "module m\n",
			"a/a.go": "package a\n\nimport (\n\tother \"example.com/x/v2/y\"\n\t\"io\"\n\t\"m/b\"\n)\n\ntype T struct{}\n\nfunc (t *T) ReadAll() {\n\tx, err := other.New()\n\tx.ReadAll()\n\tx = b.New()\n\tx.ReadAll()\n}\n\nfunc f(r io.Reader, t *T) {\n\tr.ReadAll()\n\tt.ReadAll()\n\tvar y other.Y\n\ty.ReadAll()\n\tvar z b.Z\n\tz.ReadAll()\n}\n",
			"b/b.go": "package b\n\ntype Z = int\n\nfunc New() Z { return 0 }\n",
		}, []string{"a/a.go: x.ReadAll()", "a/a.go: t.ReadAll()", "a/a.go: z.ReadAll()"}},
		{"function in TypeScript", "a.ts", "load", false, map[string]string{
			"a.ts":     "export function load(n: number) { return n }\nconst x = load(1)\nconst y = { load: 2 }\nfunction f(load: number) { return load }\n",
			"index.ts": "export * from './a'\n",
			"b.ts":     "import { load } from './index'\nload(2)\nconsole.log(`${load(3)}`)\nuse({ load })\nuse(1, load, 2)\n",
			"c.ts":     "import * as a from './a'\na.load(4)\nother.load(5)\n",
			"d.ts":     "import { load } from './other'\nload(6)\n",
		}, []string{"a.ts: const x = load(1)", "b.ts: import { load } from './index'", "b.ts: load(2)",
			"b.ts: console.log(`${load(3)}`)", "b.ts: use({ load })", "b.ts: use(1, load, 2)", "c.ts: a.load(4)"}},
		{"function in Python", "a.py", "load", false, map[string]string{
			"__init__.py": "from .a import *\n\n__all__ = [\n    \"load\",\n]\n",
			"a.py":        "__all__ = [\"load\"]\n\n\ndef load(n):\n    \"\"\"load it\"\"\"\n    return n\n",
			"b.py":        "from a import load\n\nload(1)\nf(load=2)\n\n\ndef g(load):\n    pass\n",
			"c.py":        "import a\n\na.load(3)\n",
			"d.py":        "from z import load\n\nload(4)\n",
		}, []string{`__init__.py: "load",`, `a.py: __all__ = ["load"]`, "b.py: from a import load", "b.py: load(1)", "c.py: a.load(3)"}},
		{"overloads in Python", "p/a.py", "load", false, map[string]string{
			"p/__init__.py": "from .a import load as load\nfrom .a import load as read\n",
			"p/a.py":        "import sys\n\n__all__ = ('save', 'load')\n\n\n@overload\ndef load(n: int): ...\n\n\n@overload\ndef load(n: str): ...\n\n\ndef load(n):\n    return n\n",
			"p/b.py":        "import a\n\na.load(1)\n", // another a: this one is p.a
		}, []string{"p/__init__.py: from .a import load as load", "p/__init__.py: from .a import load as load", "p/__init__.py: from .a import load as read",
			"p/a.py: __all__ = ('save', 'load')", "p/a.py: def load(n: int): ...", "p/a.py: def load(n: str): ..."}},
		{"function that a condition chooses in Python", "a.py", "load", false, map[string]string{
			"a.py": "if old:\n\n    def load(n):\n        return n\n\nelse:\n\n    def load(n):\n        return 1\n\n\nload(1)\n",
		}, []string{"a.py: def load(n):", "a.py: load(1)"}},
		{"method in Python", "a.py", "read", true, map[string]string{
			"a.py": "class File:\n    def read(self):\n        return 1\n\n    def all(self):\n        return self.read()\n",
			"b.py": "import a\n\nunknown.read()\n",
			"c.py": "other.read()\n",
		}, []string{"a.py: return self.read()", "?b.py: unknown.read()"}},
		{"exported by a list in TypeScript", "a.ts", "load", false, map[string]string{
			"a.ts": "function load() { return 1 }\nexport { load }\nexport { x as load } from './z'\n",
			"b.ts": "import { load } from './a'\nload()\n",
		}, []string{"a.ts: export { load }", "b.ts: import { load } from './a'", "b.ts: load()"}},
		{"method of several words in TypeScript", "a.ts", "readAll", true, map[string]string{
			"a.ts": "export class File {\n  readAll() { return 1 }\n}\n",
			"b.ts": "import { open } from './a'\nexport const n = open().readAll()\n",
			"c.ts": "export const n = unknown.readAll()\n",
		}, []string{"b.ts: export const n = open().readAll()", "?c.ts: export const n = unknown.readAll()"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := localtest.New(c.files)
			id, _ := m.Indexed.FileID(c.file)
			defs := m.Indexed.Defs(id)
			i := len(defs) - 1
			for defs[i].Name != c.def || defs[i].Local || c.member == (defs[i].Container == "") {
				i--
			}
			var got []string
			places, _ := Users(context.Background(), m, defs[i]).All()
			for _, p := range places {
				line := p.Path + ": " + strings.TrimSpace(strings.Split(m.Texts[p.Path], "\n")[p.Line-1])
				if p.Maybe {
					line = "?" + line
				}
				got = append(got, line)
			}
			slices.Sort(got)
			slices.Sort(c.want)
			if !slices.Equal(got, c.want) {
				t.Errorf("used at\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// TestManyUsers: a name that many things may have gives no places to look at, and says how many there are.
func TestManyUsers(t *testing.T) {
	m := localtest.New(map[string]string{"a.py": "class A:\n    def read(self):\n        return self.read()\n\n\n" + strings.Repeat("x.read()\n", maxMaybe+1)})
	id, _ := m.Indexed.FileID("a.py")
	got, left := Users(context.Background(), m, m.Indexed.Defs(id)[1]).All()
	if len(got) != 1 || got[0].Maybe || left.String() != "17 places may mean it or another read" {
		t.Errorf("used at %v, left %q", got, left)
	}
}

// TestUsersOfBrokenText: a text that ends anywhere, or lacks a bracket, is read to its end.
func TestUsersOfBrokenText(t *testing.T) {
	const own = "import { load } from './b'\nexport class File {\n  read() { return `${this.read()} ${load(1)}` }\n}\nexport { load as it }\nuse({ load, read: 1 })\n"
	for lang, path := range map[string]string{"ts": "a.ts", "py": "a.py", "go": "a.go"} {
		for i := range own {
			m := localtest.New(map[string]string{path: own[:i] + own[min(i+3, len(own)):], "b." + lang: "export function load() {}\ndef load(): pass\nfunc load() {}\n"})
			for _, id := range m.Indexed.Files() {
				for _, d := range m.Indexed.Defs(id) {
					Users(context.Background(), m, d)
				}
			}
		}
	}
}
