package gotypes

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

// TestBodiesHideNoDeclaration: what looks like a function, or like the end of one, in a comment
// or a literal is none.
func TestBodiesHideNoDeclaration(t *testing.T) {
	for name, src := range map[string]string{
		"a function in a comment":      "package p\n\n/*\nfunc old() {\n\tx()\n*/\n\ntype T struct {\n\tA int\n}\n\n/* B is b. */\nvar B T\n",
		"a function in a raw string":   "package p\n\nconst pre = `package x\n\nfunc Draw() {\n`\n\ntype Kind int\n\nconst post = `\n}\n`\n",
		"a brace in a raw string":      "package p\n\nfunc a() string {\n\treturn `\n}\n`\n}\n\nvar B = 1\n",
		"a brace in a comment":         "package p\n\nfunc a() {\n\t/*\n}\n\t*/\n}\n\nvar B = 1\n",
		"a backtick in a rune literal": "package p\n\nfunc a(c rune) bool {\n\treturn c == '`'\n}\n\nfunc b() {\n}\n\nvar B = '`'\n",
		"quotes in runes and strings":  "package p\n\nfunc a() string {\n\treturn \"\\\"`\" + string('\"') + string('\\'')\n}\n\nvar B = 1\n",
		"a comment after the brace":    "package p\n\nfunc a() {\n\tx()\n} // end\n\nfunc b() {}\n",
		"CR LF":                        "package p\r\n\r\nfunc a() {\r\n\tx()\r\n}\r\n\r\nvar B = 1\r\n",
	} {
		got, err := parseWithout(token.NewFileSet(), "a.go", src, "")
		want, _ := parser.ParseFile(token.NewFileSet(), "a.go", src, parseMode)
		if err != nil || !slices.Equal(declared(got), declared(want)) {
			t.Errorf("%s: %v, %v; want %v", name, declared(got), err, declared(want))
		}
	}
	if got := blankBodies("package p\n\nfunc a() {\n\tx()\n}\n", ""); got != "package p\n\nfunc a() {\n    \n}\n" {
		t.Errorf("a body is not blank: %q", got)
	}
}

// declared are the names that a file declares.
func declared(f *ast.File) (out []string) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			out = append(out, d.Name.Name)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					out = append(out, s.Name.Name)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						out = append(out, n.Name)
					}
				}
			}
		}
	}
	return out
}
