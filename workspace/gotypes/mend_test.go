package gotypes

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// TestBrokenNeighbour: whatever is being typed between two functions, the second one is
// still declared and read where it stands.
func TestBrokenNeighbour(t *testing.T) {
	const above, below = "package p\n\nfunc A() {}\n\n", "// B, with an open bracket (\nfunc B() {\n\tA()\n}\n\nfunc C() {}\n"
	for name, typed := range map[string]string{
		"a name":                                "zz\n",
		"statements":                            "if x {\n\ty := 1\n}\n\n",
		"a closing bracket":                     "}\n)\n",
		"a string":                              "\"abc\n",
		"a raw string":                          "`abc\n",
		"a comment":                             "/* abc\n",
		"no body":                               "func x(a int\n\n",
		"open block":                            "func x() {\n\tif A {\n}\n\n",
		"open call":                             "func x() {\n\tA(1,\n}\n\n",
		"open brackets without room for theirs": "func x() {\n\tA(((((((((({{\n",
		"bad statement":                         "func x() {\n\ty := 1 zz\n}\n\n",
		"bad statements":                        "func x() {\n" + strings.Repeat("\ty := 1 zz\n", 20) + "}\n\n",
		"bad signature":                         "func x(a int b int) {\n\tA()\n}\n\n",
		"open struct":                           "type x struct {\n\ta int\n\n",
		"open group":                            "var (\n\ta = 1\n\n",
		"more than ten of it":                   strings.Repeat("x y\n", 20),
	} {
		t.Run(name, func(t *testing.T) {
			fset := token.NewFileSet()
			src := above + typed + below
			f, err := parse(fset, "p.go", src)
			if err == nil {
				t.Error("it parses")
			}
			found := map[string]bool{}
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok {
					continue
				}
				found[fn.Name.Name] = true
				at := fset.Position(fn.Name.Pos())
				if want := 1 + strings.Count(src[:at.Offset], "\n"); !strings.HasPrefix(src[at.Offset:], fn.Name.Name) || at.Line != want {
					t.Errorf("%s is at %v, which is line %d", fn.Name.Name, at, want)
				}
				if fn.Name.Name == "B" && len(fn.Body.List) != 1 {
					t.Error("B has lost its body")
				}
			}
			if !found["A"] || !found["B"] || !found["C"] {
				t.Errorf("declared are %v", found)
			}
		})
	}
}

// TestMendedAlone: only what is wrong in a declaration is left out.
func TestMendedAlone(t *testing.T) {
	for src, want := range map[string]string{
		"package p\n\nfunc A() {\n\tx := 1 zz\n\tB()\n}\n":                         "package p\n\nfunc A() {\n          \n\tB()\n}\n",
		"package p; import \"a\"; func A() {}; var b = 1\n\n  func B() {}\n\nzz\n": "package p; import \"a\"; func A() {}; var b = 1\n\n  func B() {}\n\n  \n",
		"package p\n\nvar a = `\nfunc A() {\n`\n\nfunc B() {\n\tA(\n}\n":           "package p\n\nvar a = `\nfunc A() {\n`\n\nfunc B() {\n\tA()}",
	} {
		_, err := parser.ParseFile(token.NewFileSet(), "", src, parser.AllErrors)
		if got := strings.TrimRight(mend(src, err), "\n"); got != strings.TrimRight(want, "\n") {
			t.Errorf("mended:\n%q", got)
		}
	}
}
