package deps

import (
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const ownTree = `-- app/go.mod --
module example.com/app

go 1.24

require (
	example.com/far v1.1.0
	example.com/gone v1.0.0
	example.com/near v0.0.0
)

replace example.com/near => ../near
-- app/store/store.go --
package store
-- app/internal/hidden/hidden.go --
package hidden
-- app/testdata/sample/sample.go --
package sample
-- app/onlytests/a_test.go --
package onlytests
-- app/nested/go.mod --
module example.com/app/nested
-- app/nested/n.go --
package nested
-- near/go.mod --
module example.com/near
-- near/secret/s.go --
package secret
-- cache/example.com/far@v1.1.0/go.mod --
module example.com/far
-- cache/example.com/far@v1.1.0/in/in.go --
package in
-- cache/example.com/far@v1.1.0/in/v2/in.go --
package in
-- plain/a.go --
package a
`

// TestNearestGoPackage: a wrong path is compared with what could have been meant: of the
// standard library for a path without a host, else of the modules at hand; a module that
// a model may not be shown names nothing.
func TestNearestGoPackage(t *testing.T) {
	t.Parallel()
	root, r := writeFixture(t, ownTree, nil)
	shows := func(file string) bool { return !strings.Contains(file, "near") }
	for _, c := range []struct {
		from, wrong       string
		offered, withheld []string
	}{
		{"app", "example.com/far/inn", []string{"example.com/far/in", "example.com/app/store"},
			[]string{"example.com/near/secret", "example.com/gone", "example.com/app/internal/hidden", "example.com/app/testdata/sample", "example.com/app/onlytests", "example.com/app/nested", "encoding/json"}},
		{"app", "encoding/jsonn", []string{"encoding/json", "net/http"}, []string{"example.com/far/in", "internal/abi", "cmd/go"}},
		{"app", "example.org/far/in", nil, []string{"example.com/far/in", "fmt"}},
		{"plain", "example.com/far/in", nil, []string{"example.com/far/in", "fmt"}},
	} {
		got := r.Go.Nearest(filepath.Join(root, c.from), c.wrong, shows, func(name string, candidates iter.Seq[string]) string {
			if name != c.wrong {
				t.Errorf("asked about %q, want %q", name, c.wrong)
			}
			return strings.Join(slices.Collect(candidates), " ")
		})
		list := strings.Fields(got)
		for _, want := range c.offered {
			if !slices.Contains(list, want) {
				t.Errorf("%s from %s: %s is not among the candidates", c.wrong, c.from, want)
			}
		}
		for _, not := range c.withheld {
			if slices.Contains(list, not) {
				t.Errorf("%s from %s: %s is among the candidates", c.wrong, c.from, not)
			}
		}
	}
}

func TestGoPackagesAtHand(t *testing.T) {
	t.Parallel()
	root, r := writeFixture(t, ownTree, nil)
	app, plain := filepath.Join(root, "app"), filepath.Join(root, "plain")
	if got := r.Go.Own(app); !slices.Equal(got, []string{"example.com/app/store"}) {
		t.Errorf("own: %v", got)
	}
	for range 2 { // the second time from memory
		got := r.Go.Required(app, "in")
		slices.Sort(got)
		if !slices.Equal(got, []string{"example.com/far/in", "example.com/far/in/v2"}) {
			t.Errorf("required that are named in: %v", got)
		}
	}
	if got := r.Go.Required(app, "gone"); len(got) != 0 {
		t.Errorf("a module that is not on the disk offers %v", got)
	}
	if got := append(r.Go.Own(plain), r.Go.Required(plain, "in")...); len(got) != 0 {
		t.Errorf("a folder of no module has %v", got)
	}
	if got := r.Go.ModuleRoot(filepath.Join(app, "store")); got != app {
		t.Errorf("the module's root is %q", got)
	}
	if got := r.Go.ModuleRoot(plain); got != "" {
		t.Errorf("a folder of no module has the root %q", got)
	}
	for path, want := range map[string]string{"example.com/app": app, "example.com/app/new/one": filepath.Join(app, "new", "one"), "example.com/application": "", "example.com/far/in": ""} {
		if got, ok := r.Go.OwnDir(app, path); got != want || ok != (want != "") {
			t.Errorf("%s is in %q, %v; want %q", path, got, ok, want)
		}
	}
	if _, ok := r.Go.OwnDir(plain, "example.com/app"); ok {
		t.Error("a folder of no module has own packages")
	}
}

func TestGoPackageName(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{"fmt": "fmt", "example.com/x/v2": "x", "gopkg.in/yaml.v3": "yaml", "example.com/go-cmp": "cmp", "example.com/x/vx": "vx", "v2": "v2", "example.com/x/v": "v"} {
		if got := GoPackageName(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// TestWhereOf: a file of a library is named by library and version, one of the
// workspace by nothing.
func TestWhereOf(t *testing.T) {
	t.Parallel()
	root, r := writeFixture(t, `-- .venv/pyvenv.cfg --
-- .venv/lib/python3.12/os.py --
-- .venv/lib/python3.12/site-packages/money/__init__.py --
-- .venv/lib/python3.12/site-packages/money-2.1.0.dist-info/METADATA --
-- .venv/lib/python3.12/site-packages/single.py --
-- .venv/lib/python3.12/site-packages/old_name.py --
-- .venv/lib/python3.12/site-packages/old-name-0.3.egg-info/PKG-INFO --
-- node_modules/@scope/lib/package.json --
{"name": "@scope/lib", "version": "4.5.6"}
-- node_modules/@scope/lib/src/a.ts --
-- node_modules/plain/a.js --
-- app.py --
-- app.ts --
`, nil)
	site := filepath.Join(root, ".venv", "lib", "python3.12", "site-packages")
	for file, want := range map[string]string{
		filepath.Join(root, "node_modules", "@scope", "lib", "src", "a.ts"): "@scope/lib@4.5.6",
		filepath.Join(root, "node_modules", "plain", "a.js"):                "plain",
		filepath.Join(site, "money", "__init__.py"):                         "money@2.1.0",
		filepath.Join(site, "single.py"):                                    "single",
		filepath.Join(site, "old_name.py"):                                  "old_name@0.3",
		filepath.Join(root, ".venv", "lib", "python3.12", "os.py"):          "standard library",
		filepath.Join(root, "app.py"):                                       "",
		filepath.Join(root, "app.ts"):                                       "",
	} {
		if got := r.WhereOf(root, file); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}
