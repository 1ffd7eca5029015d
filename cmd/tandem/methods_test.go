package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// maxMethods is how many methods a type may have. Beyond it a type has several jobs:
// nobody reads all of it before changing a part, and what the parts share is hidden.
const maxMethods = 30

func TestTypesAreSmall(t *testing.T) {
	files, err := readTree("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range sizeFaults(files) {
		t.Error(fault)
	}
}

// sizeFaults lists the types with too many methods.
func sizeFaults(files []sourceFile) []string {
	counts := map[string]int{}
	for _, f := range files {
		for _, d := range f.ast.Decls {
			if name := receiver(d); name != "" && !f.test() {
				counts[f.dir+"."+name]++
			}
		}
	}
	var out []string
	for name, n := range counts {
		if n > maxMethods {
			out = append(out, fmt.Sprintf("%s has %d methods, more than %d: it has several jobs; give each a type that holds only the state it needs", name, n, maxMethods))
		}
	}
	slices.Sort(out)
	return out
}

// receiver returns the type that a declaration is a method of, or "".
func receiver(d ast.Decl) string {
	f, ok := d.(*ast.FuncDecl)
	if !ok || f.Recv == nil || len(f.Recv.List) == 0 {
		return ""
	}
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func TestSizeFaultsSeesPlantedOnes(t *testing.T) {
	source := func(n int) []sourceFile {
		var b strings.Builder
		b.WriteString("package p\ntype big[T any] struct{}\n")
		for i := range n {
			fmt.Fprintf(&b, "func (b *big[T]) m%d() {}\n", i)
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, "p.go", b.String(), 0)
		if err != nil {
			t.Fatal(err)
		}
		return []sourceFile{{"p", "p.go", parsed, set}}
	}
	for n, want := range map[int]int{maxMethods: 0, maxMethods + 1: 1} {
		if got := sizeFaults(source(n)); len(got) != want {
			t.Errorf("%d methods: %q, want %d faults", n, got, want)
		}
	}
}
