package returns

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"

	"tandem/model"
	"tandem/model/local/source"
)

// A site is the line of a Go function in an error check that ends with it. The line holds
// at most the beginning of a return.
type site struct {
	corpus        source.Corpus
	path          string
	before, after string // the document above and below the line
	typed         string // what the line holds, without indentation
	name          string // of the error that is checked

	chunk string // source of the declaration around the line
	file  *token.File
	typ   *ast.FuncType // of the function around the line
	body  *ast.BlockStmt
}

// marker stands for the line in what is parsed.
const marker = "tandemCursor"

// maxChunk bounds the declaration that is parsed, in bytes: longer ones are data.
const maxChunk = 256 << 10

// newSite finds the declaration around the cursor and parses it.
func newSite(c source.Corpus, f *model.Fill) (*site, bool) {
	at := strings.LastIndexByte(f.Prefix, '\n') + 1
	tail, after, _ := strings.Cut(f.Suffix, "\n")
	s := &site{corpus: c, path: f.Path, before: f.Prefix[:at], after: after, typed: strings.TrimLeft(f.Prefix[at:], " \t")}
	if strings.TrimSpace(tail) != "" || !strings.HasPrefix("return ", s.typed) && !strings.HasPrefix(s.typed, "return ") {
		return nil, false
	}
	from := s.declaration()
	if from < 0 {
		return nil, false
	}
	for _, rest := range s.endings(s.before[from:], after) {
		if s.chunk = "package p\n" + s.before[from:] + marker + "()\n" + rest; len(s.chunk) > maxChunk {
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "", s.chunk, parser.SkipObjectResolution)
		if err == nil {
			s.file = fset.File(file.Pos())
			return s, s.read(pathToMarker(file))
		}
	}
	return nil, false
}

// endings are how the declaration may go on below the line: to its end, to its end when the
// check is closed, and, where it has no end yet, with what closes it.
func (s *site) endings(head, after string) (out []string) {
	if to := strings.Index("\n"+after, "\n}"); to >= 0 {
		rest := after[:min(to+2, len(after))]
		out = append(out, rest, "}\n"+rest)
	}
	var scan scanner.Scanner
	fset, open := token.NewFileSet(), 0
	scan.Init(fset.AddFile("", -1, len(head)), []byte(head), nil, 0)
	for {
		switch _, tok, _ := scan.Scan(); tok {
		case token.LBRACE:
			open++
		case token.RBRACE:
			open--
		case token.EOF:
			return append(out, strings.Repeat("}\n", max(open, 0)))
		}
	}
}

// declaration is where the declaration around the line begins, or -1.
func (s *site) declaration() int {
	for at := len(s.before); at > 0; {
		start := strings.LastIndexByte(s.before[:at-1], '\n') + 1
		switch line := s.before[start:at]; {
		case strings.HasPrefix(line, "func ") || strings.HasPrefix(line, "var "):
			return start
		case strings.HasPrefix(line, "}") || strings.HasPrefix(line, "package "):
			return -1
		}
		at = start
	}
	return -1
}

// pathToMarker are the nodes from the file to the marker.
func pathToMarker(file *ast.File) (path []ast.Node) {
	var stack []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		if id, ok := n.(*ast.Ident); ok && id.Name == marker && path == nil {
			path = append([]ast.Node{}, stack...)
		}
		return true
	})
	return path
}

// read reports whether the marker's statement is the last of an error check in a function,
// and notes both.
func (s *site) read(path []ast.Node) bool {
	n := len(path)
	if n < 5 { // the name, its call, the statement, the block and its if
		return false
	}
	body, ok1 := path[n-4].(*ast.BlockStmt)
	check, ok2 := path[n-5].(*ast.IfStmt)
	if !ok1 || !ok2 || check.Body != body || body.List[len(body.List)-1] != path[n-3] {
		return false
	}
	for _, node := range path {
		switch node := node.(type) {
		case *ast.FuncDecl:
			s.typ, s.body = node.Type, node.Body
		case *ast.FuncLit:
			s.typ, s.body = node.Type, node.Body
		}
	}
	var ok bool
	s.name, ok = s.checked(check.Cond)
	return ok && s.typ != nil
}

// checked is the error that a condition compares with nil.
func (s *site) checked(cond ast.Expr) (string, bool) {
	b, ok := cond.(*ast.BinaryExpr)
	if !ok {
		return "", false
	}
	if b.Op == token.LAND || b.Op == token.LOR {
		if name, ok := s.checked(b.X); ok {
			return name, true
		}
		return s.checked(b.Y)
	}
	y, isIdent := b.Y.(*ast.Ident)
	if b.Op != token.NEQ || !isIdent || y.Name != "nil" {
		return "", false
	}
	name := s.text(b.X)
	last := strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	return name, strings.HasSuffix(last, "err") || strings.HasSuffix(last, "error") || strings.HasPrefix(last, "err") || last == "e"
}

// text is the source of a node.
func (s *site) text(n ast.Node) string {
	return s.chunk[s.file.Offset(n.Pos()):s.file.Offset(n.End())]
}
