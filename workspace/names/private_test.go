package names

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"tandem/edits"
	"tandem/workspace/deps"
	"tandem/workspace/index"
	"tandem/workspace/rel"
)

// oneFolder is the gate of a workspace of one folder, in which names that begin
// with "hidden" are hidden.
type oneFolder struct{ root string }

func (g oneFolder) FolderOf(real string) (string, string) {
	if strings.HasPrefix(real, g.root+"/") {
		return g.root, g.root
	}
	return "", ""
}
func (g oneFolder) Folders() [][2]string { return [][2]string{{g.root, g.root}} }
func (g oneFolder) Denies(string) bool   { return false }
func (g oneFolder) ShowsOwn(real string) bool {
	return !strings.Contains(real, "/hidden") && !strings.Contains(real, "/node_modules/") && !strings.Contains(real, "/site-packages/")
}
func (g oneFolder) ShowsInstalled(real string) bool { return !strings.Contains(real, "/hidden") }

// canaries are dependencies that serve checks alone: whatever names them wrongly
// is found, and what they are called right is not named.
const canaries = `-- outside/go/go.mod --
module example.com/outside
-- outside/go/lib.go --
package outside

type CanaryType struct{ CanaryField int }

func CanaryCall(canaryParam CanaryType) (CanaryType, error) { return canaryParam, nil }

func New() *CanaryType { return nil }
-- outside/npm/package.json --
{"name": "outside", "version": "1.0.0", "types": "index.d.ts"}
-- outside/npm/index.d.ts --
export declare class CanaryClass { canaryMember(): void }
export declare function canaryCall(canaryParam: number): void
-- outside/py/outside.py --
class CanaryClass:
    def __init__(self): self.x = 1
    def canary_member(self): pass
def canary_call(canary_param): pass
-- work/go.mod --
module example.com/app

require example.com/outside v0.0.0
require example.com/hid v0.0.0

replace example.com/outside => ../outside/go
replace example.com/hid => ./hidden
-- work/hidden/go.mod --
module example.com/hid
-- work/hidden/lib.go --
package hid

func CanaryHidden() {}
-- work/hidden_own.go --
package app

func CanaryOwn() {}
-- work/own.go --
package app
-- work/package.json --
{"name": "app", "dependencies": {"outside": "1", "climber": "1"}}
-- work/node_modules/climber/package.json --
{"name": "climber", "version": "1.0.0", "types": "../../../outside/npm/index.d.ts"}
-- work/hidden_script.ts --
export function canaryHidden(): void {}
-- work/hidden_module.py --
def canary_hidden(): pass
-- venv/lib/python3.11/os.py --
-- after/work/a.go --
package app

import (
	"example.com/hid"
	"example.com/outside"
)

func f() {
	outside.CanaryCal(1)
	outside.CanaryCall("x", 2)
	outside.New().CanaryFild = 1
	hid.CanaryHiden()
	CanaryOwnn()
}
-- after/work/b.go --
package app

import _ "example.com/outside/canarypackag"
-- after/work/a.ts --
import { canaryCal } from "outside"
import { CanaryClas } from "climber"
import * as all from "outside"
import { canaryHiden } from "./hidden_script"
import { x } from "./hidden_scrip"
all.canaryCal(1)
-- after/work/a.py --
from outside import canary_cal
from outside import CanaryClass
import outside
from hidden_module import canary_hiden
import hidden_modul
outside.canary_cal(1)
CanaryClass().canary_membr()
-- outside/go/canarypackage/p.go --
package canarypackage
`

func TestPrivateNamesStayInTheCheck(t *testing.T) {
	t.Parallel()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(root, "work")
	var files []edits.FileChange
	written := "" // by the author of the checked files
	for _, f := range txtar.Parse([]byte(canaries)).Files {
		if rest, ok := strings.CutPrefix(f.Name, "after/work/"); ok {
			files = append(files, edits.FileChange{Path: rest, After: string(f.Data), AbsentBefore: true})
			written += string(f.Data)
			continue
		}
		write(t, filepath.Join(root, f.Name), f.Data)
	}
	if err := os.Symlink(filepath.Join(root, "outside/npm"), filepath.Join(work, "node_modules/outside")); err != nil {
		t.Fatal(err)
	}
	site := filepath.Join(work, ".venv/lib/python3.11/site-packages")
	write(t, filepath.Join(work, ".venv/lib/python3.11/os.py"), nil)
	if err := os.MkdirAll(site, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(root, "outside/py/outside.py"), filepath.Join(site, "outside.py")); err != nil {
		t.Fatal(err)
	}
	ix, _, err := index.Build(t.Context(), index.Options{Root: work, Matcher: onlyOwn{}})
	if err != nil {
		t.Fatal(err)
	}
	check := func(public bool) string {
		resolver := deps.New(deps.Options{Home: root, Gate: func() deps.Gate { return oneFolder{work} },
			Getenv: func(k string) string {
				return map[string]string{"GOROOT": os.Getenv("GOROOT"), "PATH": os.Getenv("PATH")}[k]
			}})
		resolver.Allow(filepath.Join(root, "outside")) // as links that checks follow
		found, unknown := New(Options{Deps: resolver}).For(Folder(work, ix)).Check(files)
		out := strings.Join(unknown, "\n")
		for _, f := range found {
			if public && f.Public != nil {
				f = *f.Public
			}
			out += strings.Join([]string{"\n", f.Path, f.Kind, f.Name, f.Message, "nearest", f.Nearest, "in", f.Where}, " ")
		}
		return out
	}
	canary := []string{"CanaryCall", "CanaryType", "CanaryField", "canaryParam", "CanaryHidden", "CanaryOwn", "canarypackage", "canaryCall", "canaryMember", "canaryHidden",
		"hidden_script", "hidden_module", "canary_call", "canary_member", "canary_param", "canary_hidden", "outside/", "hidden_own"}
	all, public := check(false), check(true)
	named := 0
	for _, c := range canary {
		if hasWord(written, c) || strings.Contains(written, c) {
			continue // its author knows it
		}
		if strings.Contains(all, c) {
			named++
		}
		if strings.Contains(public, c) {
			t.Errorf("%s is named:%s", c, public)
		}
	}
	if named < 7 {
		t.Errorf("a check for a person tells only %d of them, so this test measures little:%s", named, all)
	}
	if a, b := strings.Count(all, "\n"), strings.Count(public, "\n"); a != b {
		t.Errorf("%d findings with the names, %d without:%s", a, b, public)
	}
}

// onlyOwn hides what the gate hides.
type onlyOwn struct{ index.Matcher }

func (onlyOwn) Ignored(at rel.Path, _ bool) (bool, string) {
	path := at.String()
	return strings.HasPrefix(path, "hidden") || strings.HasPrefix(path, "node_modules") || strings.HasPrefix(path, ".venv"), ""
}
func (onlyOwn) Entered(rel.Path, []os.DirEntry) {}
