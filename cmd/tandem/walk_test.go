package main

import (
	"go/ast"
	"os"
	"regexp"
	"testing"
)

// walkRow is a row of a walk's table: the branch, the file and the function.
var walkRow = regexp.MustCompile("(?m)^\\| [a-z]? \\| `([^`]+)` \\| `([^`]+)` \\|$")

// TestWalksAreTrue checks that the functions of docs/life-of-a-keystroke.md exist in the
// files that it names.
func TestWalksAreTrue(t *testing.T) {
	page, err := os.ReadFile("../../docs/life-of-a-keystroke.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := ownCode()
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]bool{}
	for _, f := range files {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				name := fn.Name.Name
				if r := receiver(d); r != "" {
					name = r + "." + name
				}
				declared[f.dir+"/"+f.name+" "+name] = true
			}
		}
	}
	rows := walkRow.FindAllStringSubmatch(string(page), -1)
	if len(rows) < 10 {
		t.Fatalf("%d rows found", len(rows))
	}
	for _, row := range rows {
		if !declared[row[1]+" "+row[2]] {
			t.Errorf("%s has no %s", row[1], row[2])
		}
	}
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
