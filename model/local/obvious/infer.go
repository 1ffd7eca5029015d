package obvious

import (
	"go/ast"
	"go/token"
	"strings"

	"tandem/workspace/language"
)

// typeOf is the type of an expression as the document would write it, "" if the
// declarations here do not state it.
func (s *code) typeOf(e ast.Expr) string {
	if types := s.typesOf(e); len(types) > 0 {
		return types[0]
	}
	return ""
}

// typesOf are the types of the values of an expression.
func (s *code) typesOf(e ast.Expr) []string {
	switch e := e.(type) {
	case *ast.CallExpr:
		return s.callTypes(e)
	case *ast.TypeAssertExpr:
		if e.Type != nil {
			return []string{s.text(e.Type), "bool"}
		}
	case *ast.IndexExpr:
		_, value := elements(s.underlying(s.typeOf(e.X)))
		return []string{value, "bool"}
	case *ast.UnaryExpr:
		return s.unaryTypes(e)
	default:
		return []string{s.single(e)}
	}
	return nil
}

// single is the type of an expression that has one value.
func (s *code) single(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return s.identType(e.Name)
	case *ast.BasicLit:
		return map[token.Token]string{token.STRING: "string", token.INT: "int", token.FLOAT: "float64", token.CHAR: "rune"}[e.Kind]
	case *ast.CompositeLit:
		if e.Type != nil {
			return s.text(e.Type)
		}
	case *ast.FuncLit:
		return s.text(e.Type)
	case *ast.ParenExpr:
		return s.typeOf(e.X)
	case *ast.StarExpr:
		return strings.TrimPrefix(s.typeOf(e.X), "*")
	case *ast.SliceExpr:
		return s.typeOf(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.EQL, token.NEQ, token.LSS, token.GTR, token.LEQ, token.GEQ, token.LAND, token.LOR:
			return "bool"
		}
		return s.typeOf(e.X)
	case *ast.SelectorExpr:
		return s.selected(e)
	}
	return ""
}

func (s *code) unaryTypes(e *ast.UnaryExpr) []string {
	typ := s.typeOf(e.X)
	switch {
	case e.Op == token.NOT:
		return []string{"bool"}
	case e.Op == token.AND && typ != "":
		return []string{"*" + typ}
	case e.Op == token.ARROW:
		_, value := elements(s.underlying(typ))
		return []string{value, "bool"}
	case e.Op == token.AND:
		return nil
	}
	return []string{typ}
}

// identType is the type of a local name or of one of the package.
func (s *code) identType(name string) string {
	if name == "true" || name == "false" {
		return "bool"
	}
	if v, ok := s.scope().find(name); ok {
		return v.typ
	}
	return s.topType(name)
}

// topType is the type of a variable, constant or function of a package.
func (s *code) topType(full string) string {
	for _, d := range s.lookup(full) {
		switch d.Kind {
		case language.KindVar, language.KindConst, language.KindEnumMember:
			return s.seen(d, d.Type)
		case language.KindFunc:
			return "func() " + s.seen(d, d.Type)
		}
	}
	return ""
}

// selected is the type of a field, a method or a name of a package.
func (s *code) selected(e *ast.SelectorExpr) string {
	if id, ok := e.X.(*ast.Ident); ok {
		if _, local := s.scope().find(id.Name); !local {
			if typ := s.topType(id.Name + "." + e.Sel.Name); typ != "" {
				return typ
			}
		}
	}
	typ := s.typeOf(e.X)
	if typ == "" {
		return ""
	}
	return s.memberType(typ, e.Sel.Name)
}

// callTypes are the types that a call returns: those of the function, or the type itself of
// a conversion.
func (s *code) callTypes(e *ast.CallExpr) []string {
	switch fun := e.Fun.(type) {
	case *ast.ArrayType, *ast.MapType, *ast.ChanType:
		return []string{s.text(fun)}
	case *ast.Ident:
		switch {
		case fun.Name == "make" && len(e.Args) > 0:
			return []string{s.text(e.Args[0])}
		case fun.Name == "new" && len(e.Args) > 0:
			return []string{"*" + s.text(e.Args[0])}
		case fun.Name == "append" && len(e.Args) > 0:
			return []string{s.typeOf(e.Args[0])}
		case fun.Name == "len" || fun.Name == "cap" || fun.Name == "copy":
			return []string{"int"}
		case basic[fun.Name] != "":
			return []string{fun.Name}
		}
	}
	if types := libraryResults[s.text(e.Fun)]; types != nil {
		return types
	}
	typ := s.typeOf(e.Fun)
	if rest, ok := strings.CutPrefix(typ, "func"); ok {
		if end := closing(rest); end > 0 {
			return results(strings.TrimSpace(rest[end:]))
		}
	}
	if typ == "" && s.isType(s.text(e.Fun)) {
		return []string{s.text(e.Fun)}
	}
	return nil
}

// isType reports whether a name is that of a type.
func (s *code) isType(full string) bool {
	for _, d := range s.lookup(full) {
		if d.Kind.IsType() {
			return true
		}
	}
	return s.scope().types[full] != nil
}

// closing is where the parentheses that a text begins with end, 0 if they do not.
func closing(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// elements are the types of the keys and values that a slice, array, map or channel holds.
func elements(typ string) (key, value string) {
	typ = strings.TrimPrefix(typ, "*")
	switch {
	case typ == "string":
		return "int", "byte"
	case typ == "int":
		return "int", ""
	case strings.HasPrefix(typ, "map["):
		if end := closingBracket(typ[3:]); end > 1 {
			return typ[4 : 3+end-1], typ[3+end:]
		}
	case strings.HasPrefix(typ, "["):
		return "int", typ[closingBracket(typ):]
	case strings.HasPrefix(typ, "chan "):
		return strings.TrimSpace(typ[5:]), strings.TrimSpace(typ[5:])
	case strings.HasPrefix(typ, "<-chan "):
		return strings.TrimSpace(typ[7:]), strings.TrimSpace(typ[7:])
	}
	return "", ""
}

// closingBracket is where the brackets that a text begins with end; its end if they do not.
func closingBracket(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// libraryResults are the results of often called functions of the standard library, whose
// declarations are not in the workspace.
var libraryResults = map[string][]string{
	"errors.New": {"error"}, "fmt.Errorf": {"error"}, "fmt.Sprintf": {"string"}, "fmt.Sprint": {"string"}, "time.Now": {"time.Time"}, "time.Since": {"time.Duration"},
	"context.Background": {"context.Context"}, "context.WithCancel": {"context.Context", "context.CancelFunc"}, "context.WithTimeout": {"context.Context", "context.CancelFunc"},
	"filepath.Join": {"string"}, "path.Join": {"string"}, "os.ReadFile": {"[]byte", "error"}, "os.Open": {"*os.File", "error"}, "os.Create": {"*os.File", "error"},
	"strings.Split": {"[]string"}, "strings.TrimSpace": {"string"}, "strings.Join": {"string"}, "strings.TrimPrefix": {"string"}, "strings.TrimSuffix": {"string"},
	"strconv.Itoa": {"string"}, "strconv.Atoi": {"int", "error"}, "json.Marshal": {"[]byte", "error"}, "io.ReadAll": {"[]byte", "error"}, "bytes.NewReader": {"*bytes.Reader"},
	"url.Parse": {"*url.URL", "error"}, "net.Listen": {"net.Listener", "error"}, "net.Dial": {"net.Conn", "error"}, "regexp.MustCompile": {"*regexp.Regexp"},
	"bufio.NewReader": {"*bufio.Reader"}, "bufio.NewWriter": {"*bufio.Writer"}, "bufio.NewScanner": {"*bufio.Scanner"}, "http.NewRequest": {"*http.Request", "error"},
}
