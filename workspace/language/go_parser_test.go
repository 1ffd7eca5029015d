package language

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	gotoken "go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestGoMatchesParser compares the scanner with go/parser, line for line, on
// packages of the standard library.
func TestGoMatchesParser(t *testing.T) {
	t.Parallel()
	for _, pkg := range []string{"net/http", "go/types", "reflect", "encoding/json", "sync", "database/sql", "slices", "internal/types/testdata/check"} {
		files, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", pkg, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("the standard library's %s is not found: %v", pkg, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			set := gotoken.NewFileSet()
			parsed, err := parser.ParseFile(set, file, text, parser.ParseComments)
			if err != nil {
				continue // code that is wrong on purpose
			}
			want, got := parsedDefs(set, parsed), scannedDefs(string(text))
			for _, d := range slices.Sorted(maps.Keys(want)) {
				if !got[d] {
					t.Errorf("%s: missed %s", file, d)
				}
			}
			for _, d := range slices.Sorted(maps.Keys(got)) {
				if !want[d] {
					t.Errorf("%s: invented %s", file, d)
				}
			}
		}
	}
}

func scannedDefs(text string) map[string]bool {
	out := map[string]bool{}
	for _, d := range Scan("go", "a.go", text).Defs {
		if strings.Contains(d.Container, ".") || d.Kind == KindField || d.Kind == KindMethod && d.MinParams == Unknown {
			continue
		}
		kind := "value"
		switch {
		case d.Kind.IsFunc():
			kind = fmt.Sprintf("func of %d", len(d.Params))
		case d.Kind.IsType():
			kind = "type"
		}
		out[fmt.Sprintf("%s %s.%s %d-%d", kind, d.Container, d.Name, d.StartLine, d.EndLine)] = true
	}
	return out
}

// parsedDefs lists functions, types, the methods of interfaces, and values.
func parsedDefs(set *gotoken.FileSet, file *ast.File) map[string]bool {
	out := map[string]bool{}
	add := func(kind, container, name string, from, to gotoken.Pos) {
		if name != "_" || !strings.HasPrefix(kind, "value") {
			out[fmt.Sprintf("%s %s.%s %d-%d", kind, container, name, set.Position(from).Line, set.Position(to-1).Line)] = true
		}
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			add(fmt.Sprintf("func of %d", d.Type.Params.NumFields()), receiver(d), d.Name.Name, d.Pos(), d.End())
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				addSpec(add, d, spec)
			}
		}
	}
	return out
}

func addSpec(add func(kind, container, name string, from, to gotoken.Pos), d *ast.GenDecl, spec ast.Spec) {
	from := spec.Pos()
	if !d.Lparen.IsValid() {
		from = d.Pos()
	}
	switch s := spec.(type) {
	case *ast.TypeSpec:
		add("type", "", s.Name.Name, from, s.End())
		if i, ok := s.Type.(*ast.InterfaceType); ok {
			for _, m := range i.Methods.List {
				if f, ok := m.Type.(*ast.FuncType); ok {
					add(fmt.Sprintf("func of %d", f.Params.NumFields()), s.Name.Name, m.Names[0].Name, m.Pos(), m.End())
				}
			}
		}
	case *ast.ValueSpec:
		for _, name := range s.Names {
			add("value", "", name.Name, from, s.End())
		}
	}
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	typ := d.Recv.List[0].Type
	for {
		switch t := typ.(type) {
		case *ast.StarExpr:
			typ = t.X
		case *ast.ParenExpr:
			typ = t.X
		case *ast.IndexExpr:
			typ = t.X
		case *ast.IndexListExpr:
			typ = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}
