package deps

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tandem/workspace/disk"
	"tandem/workspace/platformtest"
)

// TestNodeExports: the forms of exports that packages use, and the files that a package
// without exports offers.
func TestNodeExports(t *testing.T) {
	t.Parallel()
	root, r := writeFixture(t, `-- package.json --
{"name": "app", "dependencies": {"typed": "^2"}, "workspaces": ["packages/*"]}
-- node_modules/one/package.json --
{"name": "one", "exports": "./lib.js"}
-- node_modules/one/lib.d.ts --
-- node_modules/list/package.json --
{"name": "list", "exports": {".": [{"deno": "./deno.js"}, {"require": "./lib.cjs"}], "./only": {"deno": "./deno.js"}}}
-- node_modules/list/lib.d.cts --
-- node_modules/bare/package.json --
{"name": "bare", "exports": {"import": "./m.mjs"}}
-- node_modules/bare/m.d.mts --
-- node_modules/parts/package.json --
{"name": "parts", "typings": "types/index"}
-- node_modules/parts/types/index.d.ts --
-- node_modules/parts/sub/package.json --
{"main": "../lib/sub.js"}
-- node_modules/parts/code.js --
-- node_modules/parts/code.ts --
-- node_modules/@types/scope__typed/index.d.ts --
-- node_modules/@scope/typed/index.js --
-- node_modules/@types/node/fs.d.ts --
-- packages/a/package.json --
{"name": "a"}
-- packages/a/src/a.ts --
`, nil)
	from := filepath.Join(root, "packages", "a", "src", "a.ts")
	for _, c := range []struct {
		name   string
		status Status
		file   string
	}{
		{"one", Found, "one/lib.d.ts"},
		{"one/inner", Missing, ""},
		{"list", Found, "list/lib.d.cts"},
		{"list/only", Missing, ""},
		{"bare", Found, "bare/m.d.mts"},
		{"parts", Found, "parts/types/index.d.ts"},
		{"parts/sub", Found, ""},
		{"parts/code.js", Found, "parts/code.ts"},
		{"parts/none", Missing, ""},
		{"@scope/typed", Found, "@types/scope__typed/index.d.ts"},
		{"node:fs", Found, "@types/node/fs.d.ts"},
		{"fs/parts", Found, ""},
		{"a", Unknown, ""},
		{"typed", NotInstalled, ""},
		{"#inner", Unknown, ""},
		{"virtual:pages", Unknown, ""},
		{"unheard", NotRequired, ""},
	} {
		p := r.Node.Module(from, c.name, disk.IsFile)
		file := ""
		if p.File != "" {
			rel, _ := filepath.Rel(filepath.Join(root, "node_modules"), p.File)
			file = filepath.ToSlash(rel)
		}
		if p.Status != c.status || file != c.file {
			t.Errorf("%s: status %d, %q; want %d, %q", c.name, p.Status, file, c.status, c.file)
		}
	}
	if p := New(r.options).Node.Module(filepath.Join(t.TempDir(), "a.ts"), "unheard", disk.IsFile); p.Status != Unknown {
		t.Errorf("without a package.json the status is %d", p.Status)
	}
}

// TestScriptDeclarations: the nearest TypeScript describes the language, each @types
// folder on the way up adds names, and Node.js is found through PATH and links.
func TestScriptDeclarations(t *testing.T) {
	t.Parallel()
	root, r := writeFixture(t, `-- node_modules/typescript/lib/lib.es5.d.ts --
-- node_modules/@types/outer/index.d.ts --
-- inner/node_modules/@typescript/native/lib/lib.dom.d.ts --
-- inner/node_modules/@types/near/index.d.ts --
-- inner/src/a.ts --
-- other/a.ts --
-- dist/node --
`, map[string]string{})
	under := func(list []string) string {
		var out []string
		for _, f := range list {
			if rel, err := filepath.Rel(root, f); err == nil && filepath.IsLocal(rel) {
				out = append(out, filepath.ToSlash(rel))
			}
		}
		return strings.Join(out, " ")
	}
	inner, other := filepath.Join(root, "inner", "src", "a.ts"), filepath.Join(root, "other", "a.ts")
	if got := under(r.Node.Library(inner)); got != "inner/node_modules/@typescript/native/lib/lib.dom.d.ts" {
		t.Errorf("the library of inner is %s", got)
	}
	if got := under(r.Node.Library(other)); got != "node_modules/typescript/lib/lib.es5.d.ts" {
		t.Errorf("the library of other is %s", got)
	}
	if got := under(r.Node.Types(inner)); got != "inner/node_modules/@types/near node_modules/@types/outer" {
		t.Errorf("the types of inner are %s", got)
	}
	bin := filepath.Join(root, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	platformtest.Symlink(t, filepath.Join(root, "dist", "node"), filepath.Join(bin, "node"))
	real, err := filepath.EvalSymlinks(filepath.Join(root, "dist", "node"))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"bin": "", bin: real, filepath.Join(root, "other"): ""} {
		options := r.options
		options.Getenv = func(k string) string { return map[string]string{"PATH": path}[k] }
		if got := New(options).Node.Binary(); got != want {
			t.Errorf("with PATH %s Node.js is %q, want %q", path, got, want)
		}
	}
}

// A tree is a gate over one folder of one repository. It hides files named hidden, and
// files named secret even where a package manager installed them.
type tree struct{ folder, top string }

func (g tree) FolderOf(real string) (folder, top string) {
	if rel, err := filepath.Rel(g.folder, real); err == nil && filepath.IsLocal(rel) {
		return g.folder, g.top
	}
	return "", ""
}
func (g tree) Folders() [][2]string { return [][2]string{{g.folder, g.top}} }
func (g tree) Denies(string) bool   { return false }
func (g tree) ShowsOwn(real string) bool {
	return !strings.Contains(real, "hidden") && !strings.Contains(real, "node_modules") && !strings.Contains(real, ".venv") && g.ShowsInstalled(real)
}
func (g tree) ShowsInstalled(real string) bool { return !strings.Contains(real, "secret") }

// TestShownDependencies: a model is shown what package managers installed, in the
// workspace or above it up to the repository's top, and nothing else outside.
func TestShownDependencies(t *testing.T) {
	t.Parallel()
	root, _ := writeFixture(t, `-- repo/ws/a.py --
-- repo/ws/hidden.py --
-- repo/ws/node_modules/lib/index.d.ts --
-- repo/ws/node_modules/secret/index.d.ts --
-- repo/ws/.venv/pyvenv.cfg --
-- repo/ws/.venv/lib/python3.12/os.py --
-- repo/ws/.venv/lib/python3.12/site-packages/money.py --
-- repo/ws/.venv/notes.txt --
-- repo/node_modules/hoisted/index.d.ts --
-- repo/beside/node_modules/lib/index.d.ts --
-- repo/beside/a.py --
-- node_modules/above/index.d.ts --
-- elsewhere/lib.py --
-- cache/example.com/m@v1.0.0/m.go --
`, nil)
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	ws := filepath.Join(root, "repo", "ws")
	link := filepath.Join(ws, "node_modules", "linked")
	platformtest.Symlink(t, filepath.Join(root, "elsewhere"), link)
	r := New(Options{Home: filepath.Join(root, "home"), Gate: func() Gate { return tree{ws, filepath.Join(root, "repo")} }, Getenv: func(k string) string {
		return map[string]string{"GOMODCACHE": filepath.Join(root, "cache")}[k]
	}})
	if env := r.Python.Env(ws); env == nil || len(env.Sites) != 1 {
		t.Fatalf("the environment of the workspace is %+v", env)
	}
	for file, want := range map[string]bool{
		"repo/ws/a.py":                                        true,
		"repo/ws/hidden.py":                                   false,
		"repo/ws/node_modules/lib/index.d.ts":                 true,
		"repo/ws/node_modules/secret/index.d.ts":              false,
		"repo/ws/node_modules/linked/lib.py":                  false,
		"repo/ws/.venv/lib/python3.12/site-packages/money.py": true,
		"repo/ws/.venv/notes.txt":                             false,
		"repo/node_modules/hoisted/index.d.ts":                true,
		"repo/beside/node_modules/lib/index.d.ts":             false,
		"repo/beside/a.py":                                    false,
		"node_modules/above/index.d.ts":                       false,
		"elsewhere/lib.py":                                    false,
		"cache/example.com/m@v1.0.0/m.go":                     true,
	} {
		for range 2 { // the second time from memory
			if got := r.Shown(filepath.Join(root, file)); got != want {
				t.Errorf("%s is shown: %v, want %v", file, got, want)
			}
		}
	}
	if r := New(Options{Home: filepath.Join(root, "home"), Getenv: func(string) string { return "" }}); r.Shown(filepath.Join(ws, "a.py")) {
		t.Error("without a workspace, a file of no package manager is shown")
	}
}

// TestVocabularyOfLargeFiles: words are found across the pieces in which a file is read,
// and folders of other libraries are no part of one.
func TestVocabularyOfLargeFiles(t *testing.T) {
	t.Parallel()
	root, r := writeFixture(t, `-- lib/a.py --
-- lib/site-packages/other.py --
-- lib/__pycache__/a.py --
-- lib/sub/b.pyi --
-- lib/c.txt --
`, nil)
	file := filepath.Join(root, "lib", "a.py")
	text := strings.Repeat("x = 1 # filler\n", wordPiece/15) + "over_the_border = 2\n" + strings.Repeat("y = 1\n", 100) + "at_the_end"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r.Allow(root)
	files := r.SourceFiles(filepath.Join(root, "lib"), ".py", ".pyi")
	if want := []string{file, filepath.Join(root, "lib", "sub", "b.pyi")}; !slices.Equal(files, want) {
		t.Fatalf("the files are %v, want %v", files, want)
	}
	v := r.Vocabularies.Of(files)
	for name, want := range map[string]bool{"filler": true, "over_the_border": true, "at_the_end": true, "the_border": false, "over": false} {
		if v.Has(name) != want {
			t.Errorf("Has(%s) is %v", name, !want)
		}
	}
	var none *Vocabulary
	if none.Has("filler") {
		t.Error("no vocabulary has a word")
	}
	saved, err := filepath.Glob(filepath.Join(r.options.StateDir, "deps", "*"))
	if err != nil || len(saved) != 1 {
		t.Fatalf("%d files are saved, %v", len(saved), err)
	}
	for _, damaged := range []string{"", "cut short", "zzzzzzzzaaaaaaaa"} {
		if err := os.WriteFile(saved[0], []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		again := New(r.options)
		again.Allow(root)
		if !again.Vocabularies.Of(files).Has("at_the_end") {
			t.Errorf("a file that holds %q is believed", damaged)
		}
	}
}

// TestGoStandardModule: a copy of the standard library imports what it vendors.
func TestGoStandardModule(t *testing.T) {
	t.Parallel()
	root, _ := writeFixture(t, `-- go/src/fmt/print.go --
package fmt
-- go/src/go.mod --
module std
-- go/src/vendor/example.com/x/x.go --
package x
-- copy/go.mod --
module std
-- copy/net/net.go --
package net
-- app/go.mod --
module example.com/app
`, nil)
	r := New(Options{Home: root, Getenv: func(k string) string { return map[string]string{"GOROOT": filepath.Join(root, "go")}[k] }})
	for from, want := range map[string]Status{"go/src/fmt": Found, "copy/net": Found, "app": NotRequired} {
		if p := r.Go.Package(filepath.Join(root, from), "example.com/x"); p.Status != want {
			t.Errorf("from %s: %+v, want status %d", from, p, want)
		}
	}
}
