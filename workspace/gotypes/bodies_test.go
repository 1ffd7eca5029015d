package gotypes

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// TestBodiesAreNotRead holds that the declarations of a text are the same without the bodies
// of its functions, with every name where it is, whatever the bodies hold.
func TestBodiesAreNotRead(t *testing.T) {
	for name, src := range map[string]string{
		"plain":                 "package p\n\nfunc a(x int) int {\n\treturn x\n}\n\ntype T struct{}\n\nfunc (T) m() {\n\tif true {\n\t}\n}\n",
		"a result's own braces": "package p\n\nfunc a() struct {\n\tx int\n} {\n\treturn struct{ x int }{}\n}\n\nvar v = a().x\n",
		"parameters on lines":   "package p\n\nfunc a(\n\tx int,\n) {\n\tb()\n}\n\nfunc b() {\n}\n",
		"code in a raw string":  "package p\n\nfunc a() string {\n\treturn `\nfunc x() {\n}\n`\n}\n\nvar after = 1\n",
		"two raw strings":       "package p\n\nfunc a() {\n\t_ = `\n}\n` + `\n}\n`\n}\n\ntype U int\n\nfunc b() {\n\t_ = '`'\n}\n\nvar w U\n",
		"a backtick as a rune":  "package p\n\nfunc a(r rune) bool {\n\treturn r == '`'\n}\n\nfunc b() {\n\t_ = 1\n}\n\nfunc c() {\n\t_ = '`'\n}\n\nvar v = b\n",
		"a comment behind":      "package p\n\nfunc a() {\n\tb()\n} // a\n\nfunc b() {\n}\n",
		"one line":              "package p\n\nfunc a() { b() }\n\nfunc b() {}\n",
		"line ends of Windows":  "package p\r\n\r\nfunc a() {\r\n\tb()\r\n}\r\n\r\nfunc b() {\r\n}\r\n",
		"a body that is broken": "package p\n\nfunc a() {\n\tif {\n}\n\nvar x int\n",
	} {
		t.Run(name, func(t *testing.T) {
			blank := blankBodies(src)
			if len(blank) != len(src) || strings.Count(blank, "\n") != strings.Count(src, "\n") {
				t.Fatalf("%q has other offsets than %q", blank, src)
			}
			got, _ := parseWithout(token.NewFileSet(), "p.go", src)
			want, _ := parser.ParseFile(token.NewFileSet(), "p.go", strings.ReplaceAll(src, "\tif {\n", ""), parseMode)
			if len(got.Decls) != len(want.Decls) {
				t.Fatalf("%d declarations, want %d", len(got.Decls), len(want.Decls))
			}
			if name == "a body that is broken" {
				return // there is no text that parses with its offsets
			}
			for i, d := range want.Decls {
				if g := got.Decls[i]; g.Pos() != d.Pos() {
					t.Errorf("declaration %d is at %d, want %d", i, g.Pos(), d.Pos())
				}
			}
		})
	}
	src := "package p\n\nfunc a() {\n\tb()\n}\n\nfunc c() {\n\td()\n}\n"
	if blank := blankBodies(src); strings.Contains(blank, "b()") || strings.Contains(blank, "d()") {
		t.Errorf("bodies are read: %q", blank)
	}
}

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
		got, err := parseWithout(token.NewFileSet(), "a.go", src)
		want, _ := parser.ParseFile(token.NewFileSet(), "a.go", src, parseMode)
		if err != nil || !slices.Equal(declared(got), declared(want)) {
			t.Errorf("%s: %v, %v; want %v", name, declared(got), err, declared(want))
		}
	}
	if got := blankBodies("package p\n\nfunc a() {\n\tx()\n}\n"); got != "package p\n\nfunc a() {\n    \n}\n" {
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
