package judge_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"tandem/edits"
	"tandem/workspace/judge"
)

// TestMoreThanBefore: what was wrong before is not the change's, and one more of it is; of those
// of one name the changed lines are named.
func TestMoreThanBefore(t *testing.T) {
	t.Parallel()
	const goHead = "package a\n\nfunc f() {\n"
	for _, c := range []struct{ file, before, after, want string }{
		{"a.go", goHead + "\toldThing()\n}\n", goHead + "\tx := 1\n\toldThing()\n\t_ = x\n}\n", ""},
		{"a.go", goHead + "\toldThing()\n}\n", goHead + "\toldThing()\n\toldThing()\n}\n", "a.go:5 unknown_name oldThing"},
		{"a.go", goHead + "\toldThing()\n}\n", goHead + "\toldThing()\n}\n\nfunc g() {\n\tnewThing()\n}\n", "a.go:8 unknown_name newThing"},
		{"a.go", goHead + "\tone(1)\n}\n\nfunc one(int) {}\n\nfunc two(a, b int) {}\n", goHead + "\ttwo(1)\n}\n\nfunc one(int) {}\n\nfunc two(a, b int) {}\n", "a.go:4 arguments two"},
		{"a.py", "def f():\n    oldThing()\n", "def f():\n    x = 1\n    oldThing()\n", ""},
		{"a.py", "def f():\n    oldThing()\n", "def f():\n    oldThing()\n    oldThing()\n", "a.py:3 unknown_name oldThing"},
		{"a.py", "def g(a, b):\n    pass\n\n\ng(1, 2)\n", "def g(a, b):\n    pass\n\n\ng(1)\n", "a.py:5 arguments g"},
		{"a.ts", "function f() {\n  oldThing()\n}\n", "function f() {\n  const x = 1\n  oldThing()\n}\n", ""},
		{"a.ts", "function g(a: number, b: number) {}\ng(1, 2)\n", "function g(a: number, b: number) {}\ng(1)\n", "a.ts:2 arguments g"},
		{"a.py", "import os\n\n\ndef f():\n    return os.getcwd()\n", "\n\ndef f():\n    return os.getcwd()\n", "a.py:4 unknown_name os"},
		{"a.go", "package a\n\nimport \"strings\"\n\nvar x = strings.ToUpper(\"\")\n", "package a\n\nvar x = strings.ToUpper(\"\")\n", "a.go:3 unknown_name strings"},
		{"a.ts", "import { go } from './b'\n\ngo()\n", "\n\ngo()\n", "a.ts:3 unknown_name go"},
		{"a.ts", "import { z } from 'zod'\n\nexport const x = z.string()\n", "\n\nexport const x = z.string()\n", "a.ts:3 unknown_name z"},
		{"a.ts", "function kept() {}\n\nkept()\n", "\n\nkept()\n", "a.ts:3 unknown_name kept"},
		{"a.py", "class Box:\n    def __init__(self):\n        self.client = Client()\n\n\nclass Client:\n    pass\n", "class Box:\n    def __init__(self):\n        self.client = Client()\n\n\nclass Client:\n    pass\n\n\ndef flush():\n    Client().flush()\n", "a.py:11 unknown_member flush"},
	} {
		x := treeOf(t, txtar.Parse([]byte("-- go.mod --\nmodule m\n-- b.ts --\nexport function go() {}\n-- venv/lib/python3.11/os.py --\ndef getcwd(): pass\n-- "+c.file+" --\n"+c.before+"-- after/"+c.file+" --\n"+c.after)), false)
		if got := strings.TrimSpace(x.describe(t, x.report(t, judge.Users).Found())); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" || strings.Contains(got, "\n") {
			t.Errorf("%s: found %q, want %q in\n%s", c.file, got, c.want, c.after)
		}
		x.changes[0].Before, x.changes[0].AbsentBefore, x.changes[0].Edits = "", true, nil
		if got := x.describe(t, x.report(t, judge.Users).Found()); c.want == "" && strings.Count(got, "\n") != 1 {
			t.Errorf("%s as a new file: %q", c.file, got)
		}
	}
}

// TestMoved: a file that moves is compared with itself, and what imports it by its old name is
// named.
func TestMoved(t *testing.T) {
	t.Parallel()
	const text = "def kept():\n    return oldThing()\n\n\ndef other():\n    return 2\n"
	const tree = "-- venv/lib/python3.11/os.py --\n-- pkg/__init__.py --\n-- pkg/tools.py --\n" + text + "-- pkg/user.py --\nfrom .tools import kept\n\nkept()\n-- gone/pkg/tools.py --\n-- after/pkg/moved.py --\n" + text + "\n\ndef more():\n    return newThing()\n"
	for _, applied := range []bool{false, true} {
		x := treeOf(t, txtar.Parse([]byte(tree)), applied)
		const want = "pkg/moved.py:10 unknown_name newThing\npkg/user.py:1 changed_callee .tools\n"
		if got := x.describe(t, x.report(t, judge.Users).Found()); got != want {
			t.Errorf("applied %v: found\n%swant\n%s", applied, got, want)
		}
	}
}

// TestUsersLeft: beyond the bound the verdict is "not judged", with their number; narrowed by what
// they import, files that use another of the name do not count.
func TestUsersLeft(t *testing.T) {
	t.Parallel()
	var tree strings.Builder
	tree.WriteString("-- go.mod --\nmodule m\n\ngo 1.24\n-- lib/lib.go --\npackage lib\n\nfunc New() int { return 1 }\n-- after/lib/lib.go --\npackage lib\n\nfunc New() string { return \"\" }\n-- other/other.go --\npackage other\n\nfunc New() int { return 1 }\n")
	for i := range 1000 {
		fmt.Fprintf(&tree, "-- o%d/o.go --\npackage o\n\nimport \"m/other\"\n\nvar X int = other.New()\n", i)
	}
	few := tree.String() + "-- user/user.go --\npackage user\n\nimport \"m/lib\"\n\nvar X int = lib.New()\n"
	x := treeOf(t, txtar.Parse([]byte(few)), false)
	r := x.report(t, judge.Users)
	if got := x.describe(t, r.Found()); !strings.HasPrefix(got, "user/user.go:5 changed_callee") || len(r.Unread) > 0 {
		t.Errorf("one user among many files of the name: %q, %q", got, r.Unread)
	}
	for i := range 403 {
		fmt.Fprintf(&tree, "-- u%d/u.go --\npackage u\n\nimport \"m/lib\"\n\nvar _ = lib.New()\n", i)
	}
	x = treeOf(t, txtar.Parse([]byte(tree.String())), false)
	if v := x.judge.Change(t.Context(), x.session.Snapshot(), x.changes, judge.Users); v.State() != "not_judged" || v.Reason() != "3 more files use New" {
		t.Errorf("beyond the bound: %s, %q", v.State(), v.Reason())
	}
}

// parsing is a parser of files whose names it knows: a text with BROKEN has an error.
type parsing struct{}

func (parsing) Errors(path, text string) ([]edits.Finding, error) {
	if !strings.HasSuffix(path, ".go") {
		return nil, errors.New("no parser for " + path)
	}
	if strings.Contains(text, "BROKEN") {
		return []edits.Finding{{Path: path, Severity: "error", Message: "it does not parse"}}, nil
	}
	return nil, nil
}

// TestSyntax: what no longer parses is an error; what did not parse before, or has no parser, is
// not judged.
func TestSyntax(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		change  edits.FileChange
		errors  int
		unknown string
	}{
		{"sound", edits.FileChange{Path: "a.go", Before: "a", After: "b"}, 0, ""},
		{"broken", edits.FileChange{Path: "a.go", Before: "a", After: "BROKEN"}, 1, ""},
		{"broken before", edits.FileChange{Path: "a.go", Before: "BROKEN a", After: "BROKEN b"}, 0, "did not parse before"},
		{"new", edits.FileChange{Path: "a.go", Before: "BROKEN", AbsentBefore: true, After: "BROKEN"}, 1, ""},
		{"no parser", edits.FileChange{Path: "a.txt", Before: "a", After: "BROKEN"}, 0, "no parser for a.txt"},
	} {
		j := judge.Judge{Syntax: parsing{}}
		r := j.Report(t.Context(), nil, []edits.FileChange{c.change, {Path: "gone.go", Before: "was BROKEN", AbsentAfter: true}}, judge.Files)
		if got := strings.Join(r.Unparsed, " "); len(r.Syntax) != c.errors || !strings.Contains(got, c.unknown) || c.unknown == "" && got != "" {
			t.Errorf("%s: %+v, %q", c.name, r.Syntax, got)
		}
	}
}
