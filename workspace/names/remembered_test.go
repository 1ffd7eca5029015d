package names

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"tandem/edits"
	"tandem/workspace/deps"
)

// TestContainedNotJudged: where types contain one another too deep for the type checker, in the
// file or beside it, no name is judged, and the verdict says so; a chain that people write is judged.
func TestContainedNotJudged(t *testing.T) {
	t.Parallel()
	types := func(n int) string {
		var out strings.Builder
		out.WriteString("package m\n\ntype T0 struct{ F int }\n")
		for i := 1; i <= n; i++ {
			fmt.Fprintf(&out, "type T%d struct{ T%d }\n", i, i-1)
		}
		return out.String()
	}
	use := func(n int) string { return fmt.Sprintf("func f(t T%d) int {\n\treturn t.F + t.Nope\n}\n", n) }
	for _, c := range []struct {
		name, files string
		found       int
	}{
		{"in the file", "-- after/a.go --\n" + types(2000) + use(2000), 0},
		{"beside it", "-- b.go --\n" + types(2000) + "-- after/a.go --\npackage m\n\n" + use(2000), 0},
		{"in a body", "-- a.go --\npackage m\n\nfunc g() {\n}\n-- after/a.go --\npackage m\n\nfunc g() {\n" + strings.TrimPrefix(types(2000), "package m\n\n") + "}\n", 0},
		{"below the bound", "-- after/a.go --\n" + types(100) + use(100), 1},
	} {
		x := writeFixture(t, txtar.Parse([]byte("-- go.mod --\nmodule m\n\ngo 1.24\n"+c.files)))
		bodies := New(Options{Deps: x.names.c.options.Deps}).For(x.names.ws) // checks bodies by themselves
		for _, names := range []*Names{x.names, bodies} {
			v := names.Judge(x.files)
			unjudged := len(v.Unknown) == 1 && strings.Contains(v.Unknown[0], "too deep")
			if len(v.Findings) != c.found || unjudged != (c.found == 0) || (v.Doubts[doubtOther] > 0) != unjudged || len(v.Failed) > 0 {
				t.Errorf("%s: %v, unknown %v, %d names, %v", c.name, v.Findings, v.Unknown, v.Names, v.Doubts)
			}
		}
	}
	x := writeFixture(t, txtar.Parse([]byte("-- go.mod --\nmodule m\n\ngo 1.24\n-- deep/deep.go --\n"+strings.Replace(types(2000), "package m", "package deep", 1)+"-- after/a.go --\npackage m\n\nimport \"m/deep\"\n\nvar T deep.T2000\n")))
	if v := x.names.Judge(x.files); len(v.Findings) > 0 || len(v.Unknown) != 1 || !strings.HasPrefix(v.Unknown[0], "names of m/deep") {
		t.Errorf("imported: %v, unknown %v", v.Findings, v.Unknown)
	}
}

// TestMissingModulesListOnce: what is missing again and again is looked up in folders that one
// check lists once, and its findings are those of each import by itself.
func TestMissingModulesListOnce(t *testing.T) {
	t.Parallel()
	x := writeFixture(t, txtar.Parse([]byte("-- venv/lib/python3.11/os.py --\n-- missing_one.py --\n-- b.py --\nimport os\n")))
	lines := []string{"import missing_on", "import absent_thing", "import missing_ones"}
	var alone strings.Builder
	for i, line := range lines {
		text := strings.Repeat("\n", i) + line + "\n"
		found, _ := x.names.Check([]edits.FileChange{{Path: "a.py", After: text, AbsentBefore: true}})
		alone.WriteString(describe([]edits.FileChange{{Path: "a.py", After: text}}, found))
	}
	whole := []edits.FileChange{{Path: "a.py", After: strings.Join(lines, "\n") + "\n", AbsentBefore: true}}
	found, _ := x.names.Check(whole)
	if got := describe(whole, found); got != alone.String() || strings.Count(got, "missing_one ") < 1 && strings.Count(got, "missing_one\n") < 1 {
		t.Errorf("together:\n%salone:\n%s", got, alone.String())
	}

	r := &dynamicCheck{dynamicChecker: &x.names.c.dynamic, once: remembered{listed: map[string][]string{}}}
	r.deps.Allow(x.root)
	first := len(r.modulesIn(x.root))
	if err := os.WriteFile(filepath.Join(x.root, "later.py"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if again := len(r.modulesIn(x.root)); first == 0 || again != first {
		t.Errorf("the folder was listed again within a check: %d, then %d", first, again)
	}
	fresh := &dynamicCheck{dynamicChecker: r.dynamicChecker, once: remembered{listed: map[string][]string{}}}
	if later := len(fresh.modulesIn(x.root)); later != first+1 {
		t.Errorf("a later check lists it anew: %d, want %d", later, first+1)
	}
}

// TestInstalledOnce: whether the packages of the workspace are installed is found out once a
// check, however many modules are missing.
func TestInstalledOnce(t *testing.T) {
	t.Parallel()
	x := writeFixture(t, txtar.Parse([]byte("-- venv/lib/python3.11/os.py --\n-- b.py --\nimport absent_thing\n")))
	from := filepath.Join(x.root, "a.py")
	r := &dynamicCheck{dynamicChecker: &x.names.c.dynamic, ws: x.names.ws, once: remembered{installed: map[string]bool{}}}
	r.disk = diskState{places: map[string]deps.Place{}, exists: map[string]bool{}}
	if pythonInstalled(r, from) || len(r.disk.places) == 0 {
		t.Fatal("nothing is installed, and that was looked up")
	}
	clear(r.disk.places)
	if pythonInstalled(r, from) || len(r.disk.places) > 0 {
		t.Errorf("it was looked up again: %v", r.disk.places)
	}
}

// TestClassThatSets: a class has any attribute where its module, or that of a base far up in a
// chain, sets attributes by names that it computes.
func TestClassThatSets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body  string
		found bool
	}{{"self.a = n", true}, {"setattr(self, n, 1)", false}} {
		base := "class C0:\n    def __init__(self, n):\n        " + c.body + "\n"
		leaf := "from b import C0\n\nclass C1(C0):\n    pass\n\nclass C2(C1):\n    def m(self):\n        return self.nowhere\n"
		x := writeFixture(t, txtar.Parse([]byte("-- venv/lib/python3.11/os.py --\n-- b.py --\n"+base+"-- after/a.py --\n"+leaf)))
		if found, _ := x.names.Check(x.files); (len(found) > 0) != c.found {
			t.Errorf("%s: %v", c.body, found)
		}
	}
}
