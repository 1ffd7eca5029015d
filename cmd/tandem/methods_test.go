package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"strings"
	"testing"
)

// A type beyond these has several jobs: nobody reads all of it before changing a part, and
// what the parts share is hidden. A function that takes the type first is counted as the
// method that it is, and an embedded type's methods and fields as the type's own.
const (
	maxMethods = 40
	maxFields  = 15
)

// testdata/large_types.txt lists the types that are larger, and may not grow, each with why: a
// record whose fields are somebody else's, a reader of a language that has a method for each
// construct of its grammar, or a fault that is known.
func TestTypesAreSmall(t *testing.T) {
	files, err := ownCode()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/large_types.txt")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var n int
		var what, name string
		size, reason, explained := strings.Cut(line, ": ")
		if _, err := fmt.Sscan(size, &n, &what, &name); err != nil || !explained || len(strings.Fields(reason)) < 3 {
			t.Fatalf("%q: want a number, methods or fields, a type, a colon and why", line)
		}
		listed[what+" "+name] = n
	}
	for _, f := range sizeFaults(files) {
		if most, ok := listed[f.what+" "+f.name]; !ok || f.n > most {
			t.Error(f)
		}
		delete(listed, f.what+" "+f.name)
	}
	for name := range listed {
		t.Errorf("%s is small now: take it out of testdata/large_types.txt", name)
	}
}

// A sizeFault is a type that is too large.
type sizeFault struct {
	name, what string // what is methods or fields
	n, most    int
}

func (f sizeFault) String() string {
	return fmt.Sprintf("%s has %d %s, more than %d: give each of its jobs a type that holds only the state it needs", f.name, f.n, f.what, f.most)
}

// sizeFaults lists the types with too many methods or fields; a record without methods may
// have many.
func sizeFaults(files []sourceFile) []sizeFault {
	tree := &checkedTree{files: map[string][]*ast.File{}, packages: map[string]*types.Package{}}
	var dirs []string
	for _, f := range files {
		if f.test() || strings.HasPrefix(f.dir, "tools") {
			continue
		}
		if tree.files[f.dir] == nil {
			dirs = append(dirs, f.dir)
		}
		tree.set = f.set
		tree.files[f.dir] = append(tree.files[f.dir], f.ast)
	}
	var out []sizeFault
	for _, dir := range dirs {
		out = append(out, packageFaults(dir, tree.check(dir))...)
	}
	return out
}

func packageFaults(dir string, p *types.Package) []sizeFault {
	var out []sizeFault
	functions := map[*types.TypeName]int{}
	for _, name := range p.Scope().Names() {
		if f, ok := p.Scope().Lookup(name).(*types.Func); ok {
			if t := firstParameter(f.Signature()); t != nil {
				functions[t]++
			}
		}
	}
	for _, name := range p.Scope().Names() {
		t, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok || t.IsAlias() || types.IsInterface(t.Type()) {
			continue
		}
		methods := types.NewMethodSet(types.NewPointer(t.Type())).Len()
		if n := methods + functions[t]; n > maxMethods {
			out = append(out, sizeFault{dir + "." + name, "methods", n, maxMethods})
		}
		if n := fields(t.Type(), map[types.Type]bool{}); n > maxFields && methods > 0 {
			out = append(out, sizeFault{dir + "." + name, "fields", n, maxFields})
		}
	}
	return out
}

// firstParameter is the type of the package itself that a function takes first, a context aside.
func firstParameter(s *types.Signature) *types.TypeName {
	if s.Recv() != nil {
		return nil
	}
	for i := range s.Params().Len() {
		t := s.Params().At(i).Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		named, ok := t.(*types.Named)
		switch {
		case s.Params().At(i).Name() == "ctx":
			continue
		case !ok:
			return nil
		}
		return named.Obj()
	}
	return nil
}

// fields counts a struct's fields, those of embedded structs in their place.
func fields(t types.Type, seen map[types.Type]bool) int {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || seen[t] {
		return 1
	}
	seen[t] = true
	n := 0
	for f := range s.Fields() {
		if f.Embedded() {
			n += fields(f.Type(), seen)
		} else {
			n++
		}
	}
	return n
}

// A checkedTree type-checks this module's declarations. Packages of others are empty: what
// embeds their types is small by theirs.
type checkedTree struct {
	files    map[string][]*ast.File
	packages map[string]*types.Package
	set      *token.FileSet // of all files
}

func (c *checkedTree) check(dir string) *types.Package {
	if p := c.packages[dir]; p != nil {
		return p
	}
	c.packages[dir] = types.NewPackage("tandem/"+dir, path.Base(dir))
	config := types.Config{Importer: c, IgnoreFuncBodies: true, Error: func(error) {}} // names of packages that are not read
	p, _ := config.Check("tandem/"+dir, c.set, c.files[dir], nil)
	c.packages[dir] = p
	return p
}

func (c *checkedTree) Import(name string) (*types.Package, error) {
	if dir, ours := strings.CutPrefix(name, "tandem/"); ours && c.files[dir] != nil {
		return c.check(dir), nil
	}
	if c.packages[name] == nil {
		c.packages[name] = types.NewPackage(name, path.Base(name))
		c.packages[name].MarkComplete()
	}
	return c.packages[name], nil
}

func TestSizeFaultsSeesPlantedOnes(t *testing.T) {
	source := func(dir, text string) sourceFile {
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, "p.go", text, 0)
		if err != nil {
			t.Fatal(err)
		}
		return sourceFile{dir, "p.go", parsed, set}
	}
	methods := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "func (b *big) m%d() {}\n", i)
		}
		return "type big struct{}\n" + b.String()
	}
	functions := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "func g%d(b *big, x int) {}\n", i)
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"as many methods as may be": {methods(maxMethods), 0},
		"one more":                  {methods(maxMethods + 1), 1},
		"functions for methods":     {methods(maxMethods-3) + functions(4), 1},
		"embedded ones":             {methods(maxMethods) + "type outer struct{ *big }\nfunc (outer) last() {}\n", 1},
		"fields":                    {"type wide struct { " + strings.Repeat("_ int; ", maxFields) + "}\nfunc (wide) m() {}\n", 0},
		"one field more":            {"type part struct { a, b int }\ntype wide struct { part; " + strings.Repeat("_ int; ", maxFields-1) + "}\nfunc (wide) m() {}\n", 1},
		"a record without methods":  {"type wide struct { " + strings.Repeat("_ int; ", 2*maxFields) + "}\n", 0},
	} {
		if got := sizeFaults([]sourceFile{source("p", "package p\n"+c.text)}); len(got) != c.want {
			t.Errorf("%s: %v, want %d faults", name, got, c.want)
		}
	}
}
