package names

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"tandem/edits"
	"tandem/workspace/deps"
	"tandem/workspace/index"
	"tandem/workspace/run"
	"tandem/workspace/style"
)

// A tree is a fixture on disk with the proposal that it holds.
type tree struct {
	root  string
	names *Names
	files []edits.FileChange
}

// writeFixture writes a fixture: its files, and as a proposal those below
// after/.
func writeFixture(t testing.TB, a *txtar.Archive) *tree {
	t.Helper()
	out := &tree{root: t.TempDir()}
	before, after := map[string]string{}, map[string]string{}
	for _, f := range a.Files {
		switch rest, proposed := strings.CutPrefix(f.Name, "after/"); {
		case proposed:
			after[rest] = string(f.Data)
		default:
			before[f.Name] = string(f.Data)
			write(t, filepath.Join(out.root, f.Name), f.Data)
		}
	}
	ix, _, err := index.Build(context.Background(), index.Options{Root: out.root})
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"GOMODCACHE": filepath.Join(out.root, "modcache"), "GOROOT": os.Getenv("GOROOT"), "PATH": os.Getenv("PATH"),
		"VIRTUAL_ENV": filepath.Join(out.root, "venv")}
	resolver := deps.New(deps.Options{StateDir: stateDir, Home: out.root, Getenv: func(k string) string { return env[k] }})
	out.names = New(Options{Deps: resolver}).For(Folder(out.root, ix))
	for _, name := range slices.Sorted(maps.Keys(after)) {
		old, had := before[name]
		out.files = append(out.files, edits.FileChange{Path: name, Before: old, After: after[name], AbsentBefore: !had, Edits: edits.Diff(old, after[name])})
	}
	return out
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// describe formats the findings of a check, one per line.
func describe(files []edits.FileChange, found []edits.Finding) string {
	texts := map[string]string{}
	for _, f := range files {
		texts[f.Path] = f.After
	}
	var out strings.Builder
	for _, f := range found {
		line := 1 + strings.Count(texts[f.Path][:f.Span.Start], "\n")
		fmt.Fprintln(&out, strings.TrimRight(fmt.Sprintf("%s:%d %s %s %s %s", f.Path, line, f.Kind, f.Name, f.Nearest, f.Where), " "))
	}
	return out.String()
}

func TestImports(t *testing.T) {
	t.Parallel()
	const python = "-- venv/lib/python3.11/os.py --\n-- venv/lib/python3.11/json/__init__.py --\ndef dumps(o): pass\n-- shop/__init__.py --\n-- shop/base.py --\nclass Base: pass\n"
	for _, c := range []struct{ name, tree, file, before, after, want string }{
		{"go, into a group", "-- go.mod --\nmodule m\n", "a.go",
			"package a\n\nimport (\n\t\"fmt\"\n\t\"time\"\n)\n\nvar _ = time.Now\n\nfunc f() { fmt.Println() }\n",
			"package a\n\nimport (\n\t\"fmt\"\n\t\"time\"\n)\n\nvar _ = time.Now\n\nfunc f() { fmt.Println(strings.TrimSpace(\"\")) }\n",
			"import (\n\t\"fmt\"\n\t\"strings\"\n\t\"time\"\n)"},
		{"go, without any", "-- go.mod --\nmodule m\n", "a.go", "package a\n\nfunc f() {}\n", "package a\n\nfunc f() { strings.ToUpper(\"\") }\n", "package a\n\nimport \"strings\"\n"},
		{"go, of the workspace", "-- go.mod --\nmodule m\n-- util/util.go --\npackage util\n\nfunc Do() {}\n", "a.go",
			"package a\n\nimport \"fmt\"\n\nfunc f() { fmt.Println() }\n", "package a\n\nimport \"fmt\"\n\nfunc f() { fmt.Println(); util.Do() }\n", "import \"fmt\"\nimport \"m/util\"\n"},
		{"go, two candidates", "-- go.mod --\nmodule m\n", "a.go", "package a\n\nfunc f() {}\n", "package a\n\nfunc f() { template.New(\"\") }\n", "package a\n\nfunc f() { template"},
		{"go, two candidates, one that others use", "-- go.mod --\nmodule m\n-- b.go --\npackage a\n\nimport \"html/template\"\n\nvar _ = template.New\n", "a.go", "package a\n\nfunc f() {}\n", "package a\n\nfunc f() { template.New(\"\") }\n", "import \"html/template\"\n"},
		{"python, as others import it", python + "-- shop/b.py --\nfrom contextlib import suppress as quiet\nquiet()\n", "shop/a.py", "import os\n", "import os\n\nquiet()\n", "import os\nfrom contextlib import suppress as quiet\n"},
		{"script, two providers, one that others use", "-- src/b.ts --\nexport function go() {}\n-- src/c.ts --\nexport function go() {}\n-- src/deep/d.ts --\nimport { go } from '../c'\ngo()\n", "src/a.ts", "import { x } from './x'\nx()\n", "import { x } from './x'\nx()\ngo()\n", "import { go } from './c'\n"},
		{"script, two providers, both used", "-- src/b.ts --\nexport function go() {}\n-- src/c.ts --\nexport function go() {}\n-- src/d.ts --\nimport { go } from './c'\ngo()\n-- src/e.ts --\nimport { go } from './b'\ngo()\n", "src/a.ts", "import { x } from './x'\nx()\n", "import { x } from './x'\nx()\ngo()\n", "import { x } from './x'\nx()\ngo()\n"},
		{"script, the provider of its own package", "-- p/package.json --\n{}\n-- p/b.ts --\nexport function go() {}\n-- q/package.json --\n{}\n-- q/b.ts --\nexport function go() {}\n", "p/a.ts", "import { x } from './x'\nx()\n", "import { x } from './x'\nx()\ngo()\n", "import { go } from './b'\n"},
		{"script, a provider in another package", "-- p/package.json --\n{}\n-- q/package.json --\n{}\n-- q/b.ts --\nexport function go() {}\n-- q/c.ts --\nimport { go } from './b'\ngo()\n", "p/a.ts", "import { x } from './x'\nx()\n", "import { x } from './x'\nx()\ngo()\n", "import { x } from './x'\nx()\ngo()\n"},
		{"script, as its own package imports it", "-- p/package.json --\n{}\n-- p/c.ts --\nimport { go } from 'q'\ngo()\n-- q/package.json --\n{}\n-- q/b.ts --\nexport function go() {}\n-- q/c.ts --\nimport { go } from './b'\ngo()\n-- q/d.ts --\nimport { go } from './b'\ngo()\n-- q/e.ts --\nimport { go } from './b'\ngo()\n", "p/a.ts", "import { x } from './x'\nx()\n", "import { x } from './x'\nx()\ngo()\n", "import { go } from 'q'\n"},
		{"script, behind a comma", "-- src/b.ts --\nexport const one = 1\nexport function twoThings() {}\n", "src/a.ts", "import { one, } from './b'\n\none\n", "import { one, } from './b'\n\none\ntwoThings()\n", "import { one, twoThings } from './b'\n"},
		{"python, a module", python, "shop/a.py", "import os\n\n\ndef f():\n    pass\n", "import os\n\n\ndef f():\n    json.dumps(1)\n", "import json\nimport os\n"},
		{"python, a class", python, "shop/a.py", "import os\n\n\ndef f():\n    pass\n", "import os\n\n\ndef f():\n    return Base()\n", "import os\nfrom shop.base import Base\n"},
		{"python, into an import", python + "-- shop/b.py --\nfrom shop.base import Base\nBase()\n", "shop/a.py", "import os\nfrom shop.base import Alone, Zone\n", "import os\nfrom shop.base import Alone, Zone\n\n\ndef f():\n    return Base()\n", "import os\nfrom shop.base import Alone, Base, Zone\n\n\ndef"},
		{"python, behind an import without order", python + "-- shop/b.py --\nfrom shop.base import Base\nBase()\n", "shop/a.py", "from shop.base import Zone, Alone\n", "from shop.base import Zone, Alone\n\n\ndef f():\n    return Base()\n", "from shop.base import Zone, Alone, Base\n"},
		{"python, beside an import on lines", python + "-- shop/b.py --\nfrom shop.base import Base\nBase()\n", "shop/a.py", "from shop.base import (\n    Zone,\n)\n", "from shop.base import (\n    Zone,\n)\n\n\ndef f():\n    return Base()\n", "from shop.base import Base\n"},
		{"script, into an import", "-- src/b.ts --\nexport const one = 1\nexport function twoThings() {}\n", "src/a.ts", "import { one } from './b'\n\none\n", "import { one } from './b'\n\none\ntwoThings()\n", "import { one, twoThings } from './b'\n"},
		{"script, a value beside an import of types", "-- src/b.ts --\nexport interface One {}\nexport function twoThings() {}\n", "src/a.ts", "import type { One } from './b'\n\nlet a: One\n", "import type { One } from './b'\n\nlet a: One\ntwoThings()\n", "import type { One } from './b'\nimport { twoThings } from './b'\n"},
		{"script, another", "-- src/b.ts --\nexport function twoThings() {}\n-- src/c.ts --\nexport const c = 1\n", "src/a.ts", "import { c } from './c.js';\n\nc;\n", "import { c } from './c.js';\n\nc;\ntwoThings();\n", "import { c } from './c.js';\nimport { twoThings } from './b.js';\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := writeFixture(t, txtar.Parse([]byte(c.tree+"-- "+c.file+" --\n"+c.before+"-- after/"+c.file+" --\n"+c.after)))
			text, list := edits.NewText(x.files[0].After), x.names.Imports(filesOf(x.files)[0], x.names.Judge(x.files).Findings)
			for i, e := range list {
				fitted, err := edits.Fit(text, e, style.Of(c.file, text.String(), nil), nil)
				if err != nil {
					t.Fatal(err)
				}
				list[i] = fitted
			}
			got, err := edits.Apply(text, list)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(got.String(), c.want) {
				t.Errorf("got\n%s\nwant in it\n%s", got.String(), c.want)
			}
		})
	}
}

func TestFixes(t *testing.T) {
	t.Parallel()
	x := writeFixture(t, txtar.Parse([]byte("-- go.mod --\nmodule m\n-- a.go --\npackage a\n-- after/a.go --\npackage a\n\nimport \"strings\"\n\nvar _ = strings.TrimSpce(\" \")\n")))
	found, _ := x.names.Check(x.files)
	if len(found) != 1 {
		t.Fatalf("found %v", found)
	}
	fixes := x.names.Fixes(filesOf(x.files)[0], found[0])
	if len(fixes) != 1 || fixes[0].Title != "Change to TrimSpace" || fixes[0].Edits[0].New != "TrimSpace" || !fixes[0].Likely {
		t.Errorf("fixes %+v", fixes)
	}
}

// TestMisspelt holds that the most similar of all names is not what an author meant if most
// of its letters differ.
func TestMisspelt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, from string
		want       bool
	}{
		{"TrimSpce", "TrimSpace", true},
		{"get_user", "getUser", true},
		{"Itms", "Items", true},
		{"IntEnum", "INTERNAL_SERVER_ERROR", false},
		{"ListAll", "List", false},
	} {
		if got := misspelt(c.name, c.from); got != c.want {
			t.Errorf("misspelt(%s, %s) = %v", c.name, c.from, got)
		}
	}
}

// TestNamesOfWhatIsMissing: what a change asks of an import that is not installed cannot be
// judged, and that is said, although the import itself was there; as little can what a module
// may have by a star. What the file used before is taken to be right.
func TestNamesOfWhatIsMissing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, before, after string
		said                string
	}{
		{"a.py", "import absent\n", "import absent\nabsent.count()\n", "names of absent"},
		{"a.py", "import absent.part\n", "import absent.part\nabsent.part.count()\n", "names of absent.part"},
		{"a.py", "import absent\nabsent.count(1)\n", "import absent\nabsent.count(2)\nabsent.count(1)\n", ""},
		{"a.py", "import wide\n", "import wide\nwide.path\n", ""},
		{"a.py", "import wide\n", "import wide\nwide.count()\n", "not all names of wide can be read"},
		{"a.ts", "import * as absent from 'absent'\n", "import * as absent from 'absent'\nabsent.count()\n", "names of absent"},
		{"a.ts", "import absent from 'absent'\n", "import absent from 'absent'\nabsent.count()\n", "names of absent"},
		{"a.go", "package m\n\nimport \"example.com/absent\"\n\nvar _ = absent.One\n", "package m\n\nimport \"example.com/absent\"\n\nvar _ = absent.Two\n", "names of example.com/absent"},
		{"a.go", "package m\n\nimport \"strings\"\n\nvar _ = strings.ToLower\n", "package m\n\nimport \"strings\"\n\nvar _ = strings.ToUpper\n", ""},
	} {
		x := writeFixture(t, txtar.Parse([]byte("-- go.mod --\nmodule m\n-- package.json --\n{}\n-- venv/lib/python3.11/os.py --\n-- venv/lib/python3.11/wide.py --\nfrom _wide import *\npath = 1\n-- "+c.file+" --\n"+c.before+"-- after/"+c.file+" --\n"+c.after)))
		found, unknown := x.names.Check(x.files)
		if len(found) > 0 || (len(unknown) > 0) != (c.said != "") || !strings.Contains(strings.Join(unknown, " "), c.said) {
			t.Errorf("%s: found %v, unknown %q", c.after, found, unknown)
		}
	}
}

// TestLongExpressions: what checking a name costs does not grow with its statement. Were
// it so, each of these texts would take longer than tests may.
func TestLongExpressions(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"chain": "import os\n\nx = os" + strings.Repeat(".path", 200_000) + "\nunbound\n",
		"list":  "import os\n\nx = [" + strings.Repeat("os, ", 100_000) + "]\nunbound\n",
	} {
		x := writeFixture(t, txtar.Parse([]byte("-- venv/lib/python3.11/os.py --\npath = 1\n-- after/a.py --\n"+text)))
		if found, _ := x.names.Check(x.files); len(found) != 1 || found[0].Name != "unbound" {
			t.Errorf("%s: %s", name, describe(x.files, found))
		}
	}
}

// TestSeesOtherFilesChange shows that a check uses the current state of the
// disk.
func TestSeesOtherFilesChange(t *testing.T) {
	t.Parallel()
	x := writeFixture(t, txtar.Parse([]byte("-- go.mod --\nmodule m\n-- b/b.go --\npackage b\n\nfunc Old() {}\n-- a.go --\npackage a\n\nimport \"m/b\"\n\nfunc f() { b.Old() }\n-- after/a.go --\npackage a\n\nimport \"m/b\"\n\nfunc f() { b.New() }\n")))
	if found, _ := x.names.Check(x.files); len(found) != 1 || found[0].Nearest != "" && found[0].Nearest != "Old" {
		t.Fatalf("before the change: %s", describe(x.files, found))
	}
	write(t, filepath.Join(x.root, "b", "b.go"), []byte("package b\n\nfunc New() {}\n\nfunc Another() {}\n"))
	if found, _ := x.names.Check(x.files); len(found) != 0 {
		t.Errorf("after the change: %s", describe(x.files, found))
	}
}

// panicking is a workspace on which the check of one file fails, in three ways.
type panicking struct {
	Workspace
	file string
}

func (p panicking) Index(abs string) (*index.Index, string, string) {
	if filepath.Base(abs) == p.file {
		panic("planted")
	}
	return p.Workspace.Index(abs)
}

func (p panicking) Name(abs string) string {
	if filepath.Base(abs) == p.file {
		panic("planted")
	}
	return p.Workspace.Name(abs)
}

// TestFailureIsAnAnswer shows that a checker that fails on one file names it,
// and still finds what is wrong in the others.
func TestFailureIsAnAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ bad, good, badText, goodText string }{
		{"bad.py", "good.py", "unbound()\n", "alsoUnbound()\n"},
		{"bad.ts", "good.ts", "import { a } from './none'\nunbound()\n", "alsoUnbound()\n"},
		{"bad.go", "good.go", "package a\n\nfunc one() {}\n\nvar _ = one(1)\n", "package a\n\nvar _ = unbound()\n"},
	} {
		x := writeFixture(t, txtar.Parse([]byte("-- go.mod --\nmodule m\n-- venv/lib/python3.11/os.py --\n-- after/"+c.bad+" --\n"+c.badText+"-- after/"+c.good+" --\n"+c.goodText)))
		for _, grouped := range []bool{false, true} {
			o := Options{Deps: x.names.c.options.Deps}
			if grouped {
				o.Group = run.NewGroup(t.Context(), nil)
			}
			n := New(o).For(panicking{x.names.ws, c.bad})
			v := n.Judge(x.files)
			if len(v.Failed) != 1 || v.Failed[0].Path != c.bad || !strings.Contains(v.Failed[0].Err.Error(), "planted") {
				t.Errorf("%s, in a group %v: failed %v", c.bad, grouped, v.Failed)
			}
			if len(v.Findings) != 1 || v.Findings[0].Path != c.good {
				t.Errorf("%s, in a group %v: found %v", c.bad, grouped, v.Findings)
			}
			if _, unknown := n.Check(x.files); len(unknown) != 1 || !strings.Contains(unknown[0], c.bad) {
				t.Errorf("%s, in a group %v: unknown %q", c.bad, grouped, unknown)
			}
			if grouped {
				n.c.options.Group.Close()
				if v := n.Judge(x.files); len(v.Failed) != 2 {
					t.Errorf("%s after the session's end: failed %v", c.bad, v.Failed)
				}
			}
		}
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, list, want string }{
		{"ListAll", "List Get Delete", "List"},
		{"listall", "ListAll Lost", "ListAll"},
		{"get_user", "getUser set_use", "getUser"},
		{"Itms", "Items Names", "Items"},
		{"Frobnicate", "List Get", ""},
		{"rich_tables", "examples tables_of_many", ""},
		{"trimm", "time", ""},
		{"trimm", "time trim", "trim"},
		{"format_bytes", "format_filename", ""},
		{"get_users_of", "get_users", "get_users"},
		{"target", "get", ""},
		{"sum", "sub", ""},
		{"Tow", "Top Two", "Two"},
		{"ab", "ba", ""},
	} {
		if got := nearest(c.name, slices.Values(strings.Fields(c.list))); got != c.want {
			t.Errorf("nearest(%s) of %s = %q, want %q", c.name, c.list, got, c.want)
		}
	}
}

// FuzzCheck passes arbitrary text to every checker.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{"package a\nfunc f() { x.y(1) }", "import a.b as c\nclass A(B):\n  def f(self): self.x(*a)", "import { a } from './b'\nclass A extends B { x() { this.y(1) } }",
		"from . import (a,\n", "def f(a, *, b):\n\treturn lambda x: x.y", "export * from 'x'\nexport { a as b }", "`${`${a(`", "f'{x!r:{w}}' \"", "from folder import inside, outside", "import folder.outside\nfolder.other()", "from package import *\nfrom package import z", "from .folder import a as b", "import\nfrom\nas as\n:=", "package \x00", "func(", "}{)(]["} {
		f.Add(s)
	}
	x := writeFixture(f, txtar.Parse([]byte("-- go.mod --\nmodule m\n-- venv/lib/python3.11/os.py --\n-- a.py --\nx = 1\n-- folder/inside.py --\ny = 1\n-- package/__init__.py --\nfrom folder import *\n-- a.go --\npackage a\n-- a.ts --\nexport const a = 1\n")))
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range []string{"a.go", "b.go", "a.py", "a.ts", "b.tsx", "c.js"} {
			for _, before := range []string{"", text[:len(text)/2]} {
				change := edits.FileChange{Path: name, Before: before, After: text}
				v := x.names.Judge([]edits.FileChange{change})
				for _, f := range v.Failed {
					t.Fatalf("%s: %v", name, f.Err)
				}
				for _, one := range v.Findings {
					if one.Span.Start < 0 || one.Span.End > len(text) || one.Span.Start > one.Span.End {
						t.Fatalf("%s: %+v is outside the text", name, one)
					}
				}
				for _, e := range x.names.Imports(filesOf([]edits.FileChange{change})[0], v.Findings) {
					if !e.Valid(len(text)) {
						t.Fatalf("%s: import edit %+v is outside the text", name, e)
					}
				}
			}
		}
	})
}

// TestStarsInCircles: modules that have every name of one another are read once each. Were
// each way through them followed, no check of these would end.
func TestStarsInCircles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ ending, star, own, use, want string }{
		{"py", "from .m%d import *\n", "def f%d(): pass\n", "from .m0 import f15\nfrom .m0 import missing\nfrom . import m0\nm0.f7()\nm0.gone()\n", "missing gone"},
		{"ts", "export * from './m%d'\n", "export function f%d() {}\n", "import { f15, missing } from './m0'\nimport * as m0 from './m0'\nm0.f7()\nm0.gone()\n", "missing gone"},
	} {
		var files strings.Builder
		for i := range 16 {
			fmt.Fprintf(&files, "-- p/m%d.%s --\n", i, c.ending)
			for j := range 16 {
				fmt.Fprintf(&files, c.star, j)
			}
			fmt.Fprintf(&files, c.own, i)
		}
		x := writeFixture(t, txtar.Parse([]byte(files.String()+"-- p/__init__.py --\n-- after/p/use."+c.ending+" --\n"+c.use)))
		found, _ := x.names.Check(x.files)
		var got []string
		for _, f := range found {
			got = append(got, f.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s", c.ending, describe(x.files, found))
		}
	}
}

// TestStarsWithoutEnd: behind more modules than are followed, a name is not known to be missing.
func TestStarsWithoutEnd(t *testing.T) {
	t.Parallel()
	var files strings.Builder
	for i := range maxReach + 2 {
		fmt.Fprintf(&files, "-- p/m%d.py --\nfrom .m%d import *\n", i, i+1)
	}
	fmt.Fprintf(&files, "-- p/m%d.py --\ndef far(): pass\n-- p/__init__.py --\n-- after/p/use.py --\nfrom .m0 import far\n", maxReach+2)
	x := writeFixture(t, txtar.Parse([]byte(files.String())))
	if found, _ := x.names.Check(x.files); len(found) > 0 {
		t.Error(describe(x.files, found))
	}
}

// TestManyFilesAtOnce: a file of a proposal is read once for all that import it.
func TestManyFilesAtOnce(t *testing.T) {
	check := func(files int) uint64 {
		var texts strings.Builder
		texts.WriteString("-- p/__init__.py --\n-- after/p/common.py --\ndef f(): pass\n" + strings.Repeat("def g(): pass\n", 3000))
		for i := range files {
			fmt.Fprintf(&texts, "-- after/p/m%d.py --\nfrom .common import f\n\nf()\n", i)
		}
		x := writeFixture(t, txtar.Parse([]byte(texts.String())))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if found, _ := x.names.Check(x.files); len(found) > 0 {
			t.Error(describe(x.files, found))
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := check(2), check(40); many > 4*few {
		t.Errorf("a check of 2 files takes %d KB of memory, of 40 %d KB", few>>10, many>>10)
	}
}
