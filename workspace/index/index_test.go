package index

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tandem/workspace/rel"
)

// goFile makes a Go file whose names are drawn from a small pool, so that files
// share them.
func goFile(r *rand.Rand) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package p%d\n\nimport \"example.com/p%d\"\n\n", r.IntN(3), r.IntN(3))
	for range r.IntN(5) {
		n := r.IntN(12)
		switch r.IntN(3) {
		case 0:
			fmt.Fprintf(&b, "// F%d does.\nfunc F%d(a, b int) T%d {\n\treturn use%d(a)\n}\n\n", n, n, r.IntN(4), r.IntN(6))
		case 1:
			fmt.Fprintf(&b, "type T%d struct {\n\tName%d string\n}\n\n", n%4, n)
		default:
			fmt.Fprintf(&b, "func (t *T%d) M%d() { use%d() }\n\n", n%4, n, r.IntN(6))
		}
	}
	return b.String()
}

// describe formats the whole content of an index, in a form that does not
// depend on how it was built.
func describe(ix *Index) string {
	var out []string
	names := map[string]bool{}
	for _, id := range ix.Files() {
		f, _ := ix.File(id)
		out = append(out, fmt.Sprintf("file %s %s %s %d lines, imports %v", f.Path, f.Language, f.Package, f.Lines, ix.Imports(id)))
		for _, d := range ix.Defs(id) {
			names[d.Name], names[d.Owner()] = true, true
			out = append(out, fmt.Sprintf("%s %s", place2(ix, d), ix.SigText(d.ID)))
		}
	}
	for i := range 6 {
		names[fmt.Sprintf("use%d", i)] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		out = append(out, fmt.Sprintf("%s: defs %v, members %v, uses %v", name,
			places(ix, ix.Lookup(name)), places(ix, ix.Members(name)), uses(ix, name)))
	}
	out = append(out, fmt.Sprint(ix.NumFiles(), Prefix(ix, "F", 5), Nearest(ix, "Name", 9)))
	for i := range 3 {
		var paths []string
		for _, id := range ix.Dir(fmt.Sprintf("d%d", i)) {
			paths = append(paths, ix.Path(id))
		}
		out = append(out, fmt.Sprint(paths))
	}
	return strings.Join(out, "\n")
}

func place2(ix *Index, d Def) string {
	return fmt.Sprintf("%s:%d-%d-%d-%d %s %s.%s(%v)%s", ix.Path(d.File), d.DocLine, d.StartLine, d.SigEndLine, d.EndLine,
		d.Kind, d.Container, d.Name, d.Params, d.Type)
}

func places(ix *Index, defs []Def) []string {
	var out []string
	for _, d := range defs {
		out = append(out, place2(ix, d))
	}
	return out
}

func uses(ix *Index, name string) []string {
	var out []string
	for _, u := range ix.Uses(name) {
		out = append(out, fmt.Sprintf("%s*%d", ix.Path(u.File), u.Count))
	}
	return out
}

// TestWithEqualsNew changes an index many times and compares each state with
// one that was built from nothing.
func TestWithEqualsNew(t *testing.T) {
	seeds := uint64(20)
	if testing.Short() {
		seeds = 4
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 1))
		files := map[string]string{}
		for i := range 10 {
			files[fmt.Sprintf("d%d/f%d.go", i%3, i)] = goFile(r)
		}
		ix := New(changesOf(files)...)
		for step := range 40 {
			var changes []Change
			for range 1 + r.IntN(3) {
				path := fmt.Sprintf("d%d/f%d.go", r.IntN(3), r.IntN(14))
				if r.IntN(5) == 0 {
					delete(files, path)
					changes = append(changes, Change{Path: rel.Must(path), Removed: true})
					continue
				}
				files[path] = goFile(r)
				changes = append(changes, Change{Path: rel.Must(path), Text: files[path]})
			}
			before := describe(ix)
			next := ix.With(changes...)
			if describe(ix) != before {
				t.Fatalf("seed %d, step %d: With changed its receiver", seed, step)
			}
			ix = next
			if got, want := describe(ix), describe(New(changesOf(files)...)); got != want {
				t.Fatalf("seed %d, step %d: the index has gone its own way:\n%s", seed, step, firstDifference(got, want))
			}
		}
	}
}

func changesOf(files map[string]string) []Change {
	var out []Change
	for path, text := range files {
		out = append(out, Change{Path: rel.Must(path), Text: text})
	}
	slices.SortFunc(out, func(a, b Change) int { return cmp.Compare(a.Path.String(), b.Path.String()) })
	return out
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got  " + g[i] + "\nwant " + w[i]
		}
	}
	return fmt.Sprintf("got %d lines, want %d", len(g), len(w))
}

func TestOpenBufferKeepsItsText(t *testing.T) {
	ix := New(Change{Path: rel.Must("a.go"), Text: "package a\n"}).With(Change{Path: rel.Must("a.go"), Text: "package b\n"})
	id, ok := ix.FileID("a.go")
	if text, err := ix.Text(id); !ok || err != nil || text != "package b\n" {
		t.Errorf("got %q, %v", text, err)
	}
	for i := range 2 * maxSegments { // through a compaction
		ix = ix.With(Change{Path: rel.Must(fmt.Sprintf("f%d.go", i)), Text: "package c\n"})
	}
	if text, _ := ix.Text(id); text != "package b\n" {
		t.Errorf("after compaction: %q", text)
	}
}

func TestNearest(t *testing.T) {
	ix := New(Change{Path: rel.Must("a.go"), Text: "package a\nfunc ListPods() {}\nfunc LisPods() {}\nfunc Unrelated() {}\nfunc ListPosd() {}\n"})
	if got, want := Nearest(ix, "ListPods", 5), []string{"LisPods", "ListPosd"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := Nearest(ix, "xy", 5); got != nil {
		t.Errorf("a name of two letters is near to %v, want none", got)
	}
}

func TestEnclosing(t *testing.T) {
	ix := New(Change{Path: rel.Must("a.py"), Text: "class A:\n    def f(self):\n        x = 1\n        return x\n\ny = 2\n"})
	id, _ := ix.FileID("a.py")
	var names []string
	for _, d := range ix.Enclosing(id, 4) {
		names = append(names, d.Name)
	}
	if !slices.Equal(names, []string{"A", "f"}) {
		t.Errorf("line 4 is in %v, want A and f", names)
	}
}

func TestResolve(t *testing.T) {
	files := []Change{
		{Path: rel.Must("go.mod"), Text: "module example.com/m\n"}, {Path: rel.Must("a/a.go"), Text: "package a\nfunc A() {}\n"},
		{Path: rel.Must("main.go"), Text: "package main\nimport \"example.com/m/a\"\n"},
		{Path: rel.Must("py/pkg/__init__.py"), Text: ""}, {Path: rel.Must("py/pkg/mod.py"), Text: "def f(): pass\n"}, {Path: rel.Must("py/main.py"), Text: "from pkg.mod import f\nfrom .pkg import mod\n"},
		{Path: rel.Must("ts/lib/index.ts"), Text: "export const x = 1\n"}, {Path: rel.Must("ts/main.ts"), Text: "import { x } from './lib'\nimport y from \"./lib/index.js\"\n"},
		{Path: rel.Must("rs/src/lib.rs"), Text: "mod b;\nuse crate::b::C;\n"}, {Path: rel.Must("rs/src/b.rs"), Text: "pub struct C;\n"},
		{Path: rel.Must("j/A.java"), Text: "package j.a;\npublic class A {}\n"}, {Path: rel.Must("j/B.java"), Text: "package j.b;\nimport j.a.A;\nclass B {}\n"},
		{Path: rel.Must("c/include/x.h"), Text: "int x(void);\n"}, {Path: rel.Must("c/m.c"), Text: "#include \"x.h\"\n"},
	}
	ix := New(files...)
	for from, want := range map[string]string{
		"main.go": "a/a.go", "py/main.py": "py/pkg/mod.py", "ts/main.ts": "ts/lib/index.ts", "rs/src/lib.rs": "rs/src/b.rs",
		"j/B.java": "j/A.java", "c/m.c": "c/include/x.h"} {
		id, _ := ix.FileID(from)
		imports := ix.Imports(id)
		if len(imports) == 0 {
			t.Errorf("%s imports nothing", from)
		}
		for _, im := range imports {
			got := Resolve(ix, id, im)
			if len(got) == 0 || ix.Path(got[0]) != want {
				t.Errorf("%s: import %+v leads to %v, want %s", from, im, got, want)
			}
		}
	}
}

// TestDocFreqFollowsChanges: how many files have a name is as in an index that is made anew.
func TestDocFreqFollowsChanges(t *testing.T) {
	var all []Change
	text := func(name string) string { return "package a\n\nfunc " + name + "() { Common() }\n" }
	for i := range 9 {
		all = append(all, Change{Path: rel.Must(fmt.Sprintf("f%d.go", i)), Text: text(fmt.Sprintf("F%d", i))})
	}
	ix := New(all...)
	for step, c := range []Change{{Path: rel.Must("f1.go"), Text: text("G")}, {Path: rel.Must("f2.go"), Removed: true}, {Path: rel.Must("f1.go"), Text: "package a\n"}, {Path: rel.Must("new.go"), Text: text("F3")}, {Path: rel.Must("f2.go"), Text: text("F2")}} {
		ix = ix.With(c)
		for _, name := range []string{"Common", "F1", "F2", "F3", "G"} {
			if got, want := ix.DocFreq(name), len(ix.Uses(name)); got != want {
				t.Errorf("step %d: %d files have %s, want %d", step, got, name, want)
			}
		}
	}
}
