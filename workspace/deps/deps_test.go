package deps

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"tandem/workspace/disk"
	"tandem/workspace/platformtest"
)

// writeFixture writes files and returns a resolver that sees nothing but them
// and the Go distribution.
func writeFixture(t *testing.T, files string, env map[string]string) (root string, r *Resolver) {
	t.Helper()
	root = t.TempDir()
	for _, f := range txtar.Parse([]byte(files)).Files {
		at := filepath.Join(root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root, New(Options{StateDir: filepath.Join(root, "state"), Home: filepath.Join(root, "home"), Getenv: func(k string) string {
		switch k {
		case "GOROOT", "PATH":
			return os.Getenv(k)
		case "GOMODCACHE":
			return filepath.Join(root, "cache")
		}
		return strings.ReplaceAll(env[k], "$ROOT", root)
	}})
}

const goTree = `-- app/go.mod --
module example.com/app

go 1.24

require (
	example.com/Upper v1.0.0
	example.com/far v1.1.0
	example.com/gone v1.0.0
	example.com/near v0.0.0
	example.com/swapped v1.0.0
)

replace example.com/near => ../near

replace example.com/swapped v1.0.0 => example.com/other v2.0.0
-- app/go.sum --
example.com/behind v1.0.0 h1:x=
example.com/behind v1.0.0/go.mod h1:x=
-- app/pkg/pkg.go --
package pkg
-- near/go.mod --
module example.com/near
-- near/sub/sub.go --
package sub
-- cache/example.com/!upper@v1.0.0/upper.go --
package upper
-- cache/example.com/far@v1.1.0/in/in.go --
package in
-- cache/example.com/other@v2.0.0/x/x.go --
package x
-- cache/example.com/behind@v1.0.0/b.go --
package behind
-- plain/a.go --
package a
`

func TestGoPackage(t *testing.T) {
	t.Parallel()
	root, r := writeFixture(t, goTree, nil)
	for _, c := range []struct {
		from, path string
		status     Status
		where      string
	}{
		{"app", "fmt", Found, "standard library"},
		{"app", "fmtx", Missing, "standard library"},
		{"app", "example.com/app/pkg", Found, ""},
		{"app", "example.com/app/none", Missing, "example.com/app"},
		{"app", "example.com/Upper", Found, "example.com/Upper@v1.0.0"},
		{"app", "example.com/far/in", Found, "example.com/far@v1.1.0"},
		{"app", "example.com/far/out", Missing, "example.com/far@v1.1.0"},
		{"app", "example.com/gone/x", NotInstalled, "example.com/gone@v1.0.0"},
		{"app", "example.com/near/sub", Found, "example.com/near"},
		{"app", "example.com/swapped/x", Found, "example.com/swapped@v2.0.0"},
		{"app", "example.com/behind", Found, "example.com/behind@v1.0.0"},
		{"app", "example.com/unheard", NotRequired, ""},
		{"plain", "example.com/far/in", Unknown, ""},
	} {
		p := r.Go.Package(filepath.Join(root, c.from), c.path)
		if p.Status != c.status || p.Where() != c.where {
			t.Errorf("%s from %s: status %d, %q; want %d, %q", c.path, c.from, p.Status, p.Where(), c.status, c.where)
		}
	}
}

func TestGoWorkAndVendor(t *testing.T) {
	t.Parallel()
	root, r := writeFixture(t, `-- go.work --
go 1.24
use (
	./a
	./b
)
-- a/go.mod --
module example.com/a
-- b/go.mod --
module example.com/b
-- b/in/in.go --
package in
-- v/go.mod --
module example.com/v

require example.com/dep v1.0.0
-- v/vendor/modules.txt --
-- v/vendor/example.com/dep/ok/ok.go --
package ok
`, nil)
	if p := r.Go.Package(filepath.Join(root, "a"), "example.com/b/in"); p.Status != Found || !p.Own {
		t.Errorf("a module next to it: %+v", p)
	}
	if p := r.Go.Package(filepath.Join(root, "v"), "example.com/dep/ok"); p.Status != Found || p.Where() != "example.com/dep@v1.0.0" {
		t.Errorf("vendored: %+v", p)
	}
	if p := r.Go.Package(filepath.Join(root, "v"), "example.com/dep/no"); p.Status != Missing {
		t.Errorf("not vendored: %+v", p)
	}
}

// TestModuleNamedOften: a folder that go.work names often is one folder, and a line of
// replacements is looked up for each module, not read again. Were it so, the process would
// take more memory than a machine has.
func TestModuleNamedOften(t *testing.T) {
	var replaces strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&replaces, "replace example.com/x%d => ./x\n", i)
	}
	root, r := writeFixture(t, "-- go.work --\ngo 1.24\n"+strings.Repeat("use ./a\nuse ./a/.\n", 3000)+
		"-- a/go.mod --\nmodule example.com/a\n\nrequire example.com/x7 v1.0.0\n"+replaces.String()+"-- a/x/in/in.go --\npackage in\n", nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if p := r.Go.Package(filepath.Join(root, "a"), "example.com/x7/in"); p.Status != Found {
		t.Errorf("a replaced module: %+v", p)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 200<<20 {
		t.Errorf("%d MB of memory were taken", used>>20)
	}
}

// TestGoModsAreBoundedTogether: of a workspace whose go.mod files are larger together than a
// person's are, the first ones are read.
func TestGoModsAreBoundedTogether(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("// "+strings.Repeat("x", 997)+"\n", 900)
	var files strings.Builder
	files.WriteString("-- go.work --\ngo 1.24\n")
	for i := range 4 {
		fmt.Fprintf(&files, "use ./m%d\n", i)
	}
	for i := range 4 {
		fmt.Fprintf(&files, "-- m%d/go.mod --\nmodule example.com/m%d\n%s-- m%d/in/in.go --\npackage in\n", i, i, long, i)
	}
	root, r := writeFixture(t, files.String(), nil)
	for i, want := range []bool{true, true, false, false} {
		if p := r.Go.Package(filepath.Join(root, "m0"), fmt.Sprintf("example.com/m%d/in", i)); (p.Status == Found) != want {
			t.Errorf("module %d: %+v", i, p)
		}
	}
}

const pythonTree = `-- venv/pyvenv.cfg --
home = $BASE/bin
-- venv/lib/python3.12/site-packages/money/__init__.py --
def parse(text, currency=None):
    return 1
class Amount:
    def plus(self, other): pass
    def _hidden(self): pass
-- venv/lib/python3.12/site-packages/money-2.1.0.dist-info/METADATA --
-- base/lib/python3.12/os.py --
-- base/lib/python3.12/json/__init__.py --
-- base/lib/python3.12/lib-dynload/_speed.cpython-312-x86_64-linux-gnu.so --
-- project/requirements.txt --
big-thing>=2
-- project/parts/core/pyproject.toml --
[dependency-groups]
test = ["small-thing"]
-- project/app/__init__.py --
-- project/app/one.py --
`

// pythonProject writes pythonTree and more files, and returns its project.
func pythonProject(t *testing.T, more string) (project string, r *Resolver) {
	root, r := writeFixture(t, pythonTree+more, map[string]string{"VIRTUAL_ENV": "$ROOT/venv"})
	cfg := filepath.Join(root, "venv", "pyvenv.cfg")
	if err := os.WriteFile(cfg, []byte("home = "+filepath.Join(root, "base", "bin")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(root, "project"), r
}

func TestPythonModule(t *testing.T) {
	t.Parallel()
	project, r := pythonProject(t, "")
	for _, c := range []struct {
		module string
		status Status
		where  string
	}{
		{"os", Found, "standard library"},
		{"json", Found, "standard library"},
		{"json.decoderx", Missing, "standard library"},
		{"_speed", Found, "standard library"},
		{"itertools", Found, "standard library"},
		{"sys.nothing", NotRequired, ""},
		{"money", Found, "money@2.1.0"},
		{"app.one", Found, ""},
		{"app.two", Missing, ""},
		{"big_thing", NotInstalled, "big_thing"},
		{"small_thing", NotInstalled, "small_thing"},
		{"unheard", NotRequired, ""},
	} {
		p := r.Python.Module(project, c.module, []string{project}, disk.IsFile)
		if p.Status != c.status || p.Where() != c.where {
			t.Errorf("%s: status %d, %q; want %d, %q", c.module, p.Status, p.Where(), c.status, c.where)
		}
	}
}

// TestPythonLock: a package in another version than the project's lock has is not the one that is
// required, and is there all the same.
func TestPythonLock(t *testing.T) {
	t.Parallel()
	project, r := pythonProject(t, "-- project/uv.lock --\n[[package]]\nname = \"money\"\nversion = \"2.0.0\"\n")
	if p := r.Python.Module(project, "money", []string{project}, disk.IsFile); p.Status != NotInstalled || p.Version != "2.0.0" || p.Instead != "2.1.0" {
		t.Errorf("%+v", p)
	}
}

// TestPyenvVersion: the version that the user chose in pyenv comes before the system's.
func TestPyenvVersion(t *testing.T) {
	t.Parallel()
	root, r := writeFixture(t, "-- home/.pyenv/version --\n3.12.1\n-- home/.pyenv/versions/3.12.1/lib/python3.12/os.py --\n-- project/a.py --\n", nil)
	want := filepath.Join(root, "home", ".pyenv", "versions", "3.12.1", "lib", "python3.12")
	if env := r.Python.Env(filepath.Join(root, "project")); env == nil {
		t.Error("there is no Python")
	} else if env.Lib != want {
		t.Errorf("%s, want %s", env.Lib, want)
	}
}

const nodeTree = `-- package.json --
{"name": "app", "dependencies": {"absent": "^1"}}
-- node_modules/modern/package.json --
{"name": "modern", "version": "3.0.0", "exports": {".": {"import": {"types": "./d/index.d.mts"}}, "./sub/*": "./d/*.js", "./hidden/*": null}}
-- node_modules/modern/d/index.d.mts --
export declare function one(): void
-- node_modules/modern/d/two.d.ts --
export declare function two(): void
-- node_modules/modern/d/two.js --
-- node_modules/old/package.json --
{"name": "old", "version": "1.0.0", "main": "lib/main"}
-- node_modules/old/lib/main.js --
-- node_modules/@types/old/package.json --
{"name": "@types/old", "version": "1.0.1", "types": "index.d.ts"}
-- node_modules/@types/old/index.d.ts --
export declare function old(): void
-- src/a.ts --
`

func TestNodeModule(t *testing.T) {
	t.Parallel()
	root, r := writeFixture(t, nodeTree, nil)
	for _, c := range []struct {
		name   string
		status Status
		file   string
	}{
		{"modern", Found, "node_modules/modern/d/index.d.mts"},
		{"modern/sub/two", Found, "node_modules/modern/d/two.d.ts"},
		{"modern/other", Missing, ""},
		{"modern/hidden/x", Missing, ""},
		{"old", Found, "node_modules/@types/old/index.d.ts"},
		{"node:fs", Found, ""},
		{"fs/promises", Found, ""},
		{"absent", NotInstalled, ""},
		{"unheard", NotRequired, ""},
		{"@/alias", Unknown, ""},
	} {
		p := r.Node.Module(filepath.Join(root, "src", "a.ts"), c.name, disk.IsFile)
		file := ""
		if p.File != "" {
			rel, _ := filepath.Rel(root, p.File)
			file = filepath.ToSlash(rel)
		}
		if p.Status != c.status || file != c.file {
			t.Errorf("%s: status %d, %q; want %d, %q", c.name, p.Status, file, c.status, c.file)
		}
	}
}

// TestNodeAlias: a name that a configuration maps to files, or may map, is not said to be missing.
func TestNodeAlias(t *testing.T) {
	t.Parallel()
	const tree = `-- package.json --
{"name": "app"}
-- src/a.ts --
-- src/components/Button.tsx --
-- src/settings.ts --
`
	for _, c := range []struct {
		name, files, asked string
		want               Status
	}{
		{"none", "", "lib/y", NotRequired},
		{"a folder of the project", "", "components/Button", Unknown},
		{"a folder of the project with a sign", "", "@components/Button", Unknown},
		{"a scope of a package that is required", "-- src/package.json --\n{\"devDependencies\": {\"@components/other\": \"1\"}}\n", "@components/Button", NotRequired},
		{"a scope of an installed package", "-- node_modules/@components/other/package.json --\n{}\n", "@components/Button", NotRequired},
		{"the project's own scope", "-- src/package.json --\n{\"name\": \"@components/own\"}\n", "@components/Button", NotRequired},
		{"a file of the project", "", "settings", Unknown},
		{"paths", `-- tsconfig.json --
{ // a comment
  "compilerOptions": {"paths": {"lib/*": ["../common/*"], "exact": ["./src/a"],}},
}
`, "lib/y", Unknown},
		{"an exact path", "-- jsconfig.json --\n{\"compilerOptions\": {\"paths\": {\"exact\": [\"./src/a\"]}}}\n", "exact", Unknown},
		{"below an exact path", "-- jsconfig.json --\n{\"compilerOptions\": {\"paths\": {\"exact\": [\"./src/a\"]}}}\n", "exact/y", NotRequired},
		{"another name", "-- tsconfig.json --\n{\"compilerOptions\": {\"paths\": {\"lib/*\": [\"../common/*\"]}}}\n", "liberty/y", NotRequired},
		{"a referenced configuration", "-- tsconfig.json --\n{\"references\": [{\"path\": \"./tsconfig.app.json\"}]}\n-- tsconfig.app.json --\n{\"compilerOptions\": {\"paths\": {\"lib/*\": [\"x/*\"]}}}\n", "lib/y", Unknown},
		{"an extended one", "-- tsconfig.json --\n{\"extends\": \"./config/base\"}\n-- config/base.json --\n{\"compilerOptions\": {\"paths\": {\"lib/*\": [\"x/*\"]}}}\n", "lib/y", Unknown},
		{"an extended one of several", "-- tsconfig.json --\n{\"extends\": [\"@tsconfig/node22\", \"./config/base.json\"]}\n-- node_modules/@tsconfig/node22/tsconfig.json --\n{}\n-- config/base.json --\n{\"compilerOptions\": {\"paths\": {\"lib/*\": [\"x/*\"]}}}\n", "lib/y", Unknown},
		{"an extended package", "-- tsconfig.json --\n{\"extends\": \"@tsconfig/site/tsconfig.json\"}\n-- node_modules/@tsconfig/site/tsconfig.json --\n{\"compilerOptions\": {\"paths\": {\"lib/*\": [\"x/*\"]}}}\n", "lib/y", Unknown},
		{"an extended package that maps nothing", "-- tsconfig.json --\n{\"extends\": \"@tsconfig/node22\"}\n-- node_modules/@tsconfig/node22/tsconfig.json --\n{}\n", "lib/y", NotRequired},
		{"an extended package that is not there", "-- tsconfig.json --\n{\"extends\": \"@tsconfig/node22/tsconfig.json\"}\n", "lib/y", Unknown},
		{"an extended one that is not there", "-- tsconfig.json --\n{\"extends\": \"../../base.json\"}\n", "lib/y", Unknown},
		{"one that extends itself", "-- tsconfig.json --\n{\"extends\": \"./tsconfig.json\"}\n", "lib/y", NotRequired},
		{"two that extend each other many times", "-- tsconfig.json --\n{\"extends\": [" + strings.Repeat("\"./b.json\",", 1000) + "]}\n-- b.json --\n{\"extends\": [" + strings.Repeat("\"./tsconfig.json\",", 1000) + "]}\n", "lib/y", NotRequired},
		{"too many names", "-- tsconfig.json --\n{\"compilerOptions\": {\"paths\": {" + strings.Repeat("\"x\": [],", maxMapped) + "\"lib/*\": []}}}\n", "lib/y", Unknown},
		{"a base", "-- tsconfig.json --\n{\"compilerOptions\": {\"baseUrl\": \"./code\"}}\n-- code/lib/y.ts --\n", "lib/y", Unknown},
		{"a base without it", "-- tsconfig.json --\n{\"compilerOptions\": {\"baseUrl\": \"./code\"}}\n-- code/other/y.ts --\n", "lib/y", NotRequired},
		{"a folder beside the file's", "-- lib/y.ts --\n", "lib/y", Unknown},
	} {
		root, r := writeFixture(t, tree+c.files, nil)
		if p := r.Node.Module(filepath.Join(root, "src", "a.ts"), c.asked, disk.IsFile); p.Status != c.want {
			t.Errorf("%s: status %d, want %d", c.name, p.Status, c.want)
		}
	}
}

// TestNodeTypes: ambient declarations are those that are installed for all and those that
// the project's configuration names.
func TestNodeTypes(t *testing.T) {
	t.Parallel()
	root, r := writeFixture(t, `-- package.json --
{"name": "app"}
-- tsconfig.json --
{"compilerOptions": {"types": [
  "runner/globals", // a file
  "page", "../other", "absent"
]}}
-- other.d.ts --
-- node_modules/@types/node/index.d.ts --
-- node_modules/runner/globals.d.ts --
-- node_modules/runner/index.d.ts --
-- node_modules/page/types/page.d.ts --
-- packages/own/node_modules/page/index.d.ts --
-- packages/own/src/a.ts --
`, nil)
	for dir, want := range map[string][]string{
		"src":              {"node_modules/runner/globals.d.ts", "node_modules/page", "node_modules/@types/node"},
		"packages/own/src": {"node_modules/runner/globals.d.ts", "node_modules/page", "node_modules/@types/node"},
	} {
		var got []string
		for _, at := range r.Node.Types(filepath.Join(root, dir, "a.ts")) {
			rel, _ := filepath.Rel(root, at)
			got = append(got, filepath.ToSlash(rel))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}

// TestClosureThroughLinks: what a package requires is beside it where it is, and not where a link
// to it is.
func TestClosureThroughLinks(t *testing.T) {
	t.Parallel()
	root, r := writeFixture(t, `-- app/package.json --
{"devDependencies": {"runner": "1"}}
-- app/node_modules/.pnpm/runner@1/node_modules/runner/package.json --
{"name": "runner", "dependencies": {"@run/matchers": "1"}}
-- app/node_modules/.pnpm/runner@1/node_modules/@run/matchers/package.json --
{"name": "@run/matchers"}
`, nil)
	platformtest.Symlink(t, ".pnpm/runner@1/node_modules/runner", filepath.Join(root, "app/node_modules/runner"))
	r.Allow(filepath.Join(root, "app"))
	got := r.Node.Closure(filepath.Join(root, "app/a.ts"), []string{"runner"}, disk.IsFile)
	if len(got) != 2 || filepath.Base(got[1]) != "matchers" {
		t.Errorf("Closure = %v", got)
	}
}

func TestVocabulary(t *testing.T) {
	t.Parallel()
	root, r := writeFixture(t, "-- a.py --\ndef strip_all(): pass\n-- b.bin --\n\x00alpha_beta\x00x\x00\n", nil)
	files := []string{filepath.Join(root, "a.py"), filepath.Join(root, "b.bin")}
	for range 2 {
		r.Allow(root)
		v := r.Vocabularies.Of(files)
		for name, want := range map[string]bool{"strip_all": true, "alpha_beta": true, "x": false, "strip": false} {
			if v.Has(name) != want {
				t.Errorf("Has(%s) = %v", name, !want)
			}
		}
		r = New(r.options)
	}
}
