package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A mutant is one planted fault: a range of a file and what stands there instead.
type mutant struct {
	file       string
	line       int
	function   string // with its receiver
	kind       string
	start, end int
	new        string
	source     string
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d %s | %s | %s", m.file, m.line, m.function, m.kind, strings.Join(strings.Fields(m.source[m.start:m.end]), " "))
}

// mutated is the file with the fault.
func (m mutant) mutated() string { return m.source[:m.start] + m.new + m.source[m.end:] }

// A finder collects the mutants of one file.
type finder struct {
	set      *token.FileSet
	file     string
	source   string
	function string
	unread   []ast.Expr // what no result depends on: capacities, and what is returned with an error
	out      []mutant
}

// mutantsOf lists every mutant of a file.
func mutantsOf(file string) ([]mutant, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	f := &finder{set: token.NewFileSet(), file: filepath.ToSlash(file), source: string(source)}
	parsed, err := parser.ParseFile(f.set, file, source, 0)
	if err != nil {
		return nil, err
	}
	for _, d := range parsed.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		f.function = parsed.Name.Name + "." + fn.Name.Name
		if fn.Recv != nil && len(fn.Recv.List) == 1 {
			f.function = parsed.Name.Name + ".(" + f.text(fn.Recv.List[0].Type) + ")." + fn.Name.Name
		}
		f.early(fn)
		f.returnedWithErrors(fn.Type, fn.Body)
		ast.Inspect(fn.Body, func(n ast.Node) bool { f.node(n); return true })
	}
	return f.out, nil
}

func (f *finder) offset(p token.Pos) int { return f.set.Position(p).Offset }

func (f *finder) text(n ast.Node) string { return f.source[f.offset(n.Pos()):f.offset(n.End())] }

func (f *finder) add(kind string, from, to token.Pos, replacement string) {
	f.out = append(f.out, mutant{f.file, f.set.Position(from).Line, f.function, kind, f.offset(from), f.offset(to), replacement, f.source})
}

// early makes a function return before it does anything.
func (f *finder) early(fn *ast.FuncDecl) {
	value, ok := "", fn.Type.Results.NumFields() == 0
	if fn.Type.Results.NumFields() == 1 {
		value, ok = map[string]string{"error": "nil", "bool": "false", "string": `""`, "int": "0"}[f.text(fn.Type.Results.List[0].Type)]
	}
	if ok && len(fn.Body.List) > 0 {
		f.add("return early", fn.Body.Lbrace+1, fn.Body.Lbrace+1, "\nreturn "+value+"\n")
	}
}

// returnedWithErrors notes what a function returns with an error: its callers do not read that.
func (f *finder) returnedWithErrors(t *ast.FuncType, body ast.Node) {
	fails := t.Results != nil && f.text(t.Results.List[len(t.Results.List)-1].Type) == "error"
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			f.returnedWithErrors(n.Type, n.Body)
			return false
		case *ast.ReturnStmt:
			if last := len(n.Results) - 1; fails && last > 0 && f.text(n.Results[last]) != "nil" {
				f.unread = append(f.unread, n.Results[:last]...)
			}
		}
		return true
	})
}

// operators are what stands in for an operator.
var operators = map[token.Token]string{token.LAND: "||", token.LOR: "&&", token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">"}

func (f *finder) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.IfStmt:
		f.add("flip", n.Cond.Pos(), n.Cond.End(), "!("+f.text(n.Cond)+")")
	case *ast.BinaryExpr:
		if with := operators[n.Op]; with != "" {
			f.add("operator", n.Pos(), n.End(), "("+f.text(n.X)+") "+with+" ("+f.text(n.Y)+")")
		}
	case *ast.CallExpr:
		if f.text(n.Fun) == "make" && len(n.Args) > 2 { // a capacity
			f.unread = append(f.unread, n.Args[2])
		}
	case *ast.BasicLit:
		if n.Kind == token.INT && !slices.ContainsFunc(f.unread, func(e ast.Expr) bool { return e.Pos() <= n.Pos() && n.End() <= e.End() }) {
			f.add("off by one", n.Pos(), n.End(), "("+f.text(n)+"+1)")
		}
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok && !f.harmless(call) {
			f.add("drop call", n.Pos(), n.End(), "")
		}
	case *ast.DeferStmt:
		if !f.harmless(n.Call) && !strings.Contains(f.text(n), ".Close()") { // a test of leaks judges that
			f.add("drop defer", n.Pos(), n.End(), "")
		}
	case *ast.AssignStmt:
		if f.kept(n) {
			f.add("drop assignment", n.Pos(), n.End(), "")
		}
	}
}

// kept reports whether an assignment changes what outlives it: an append, or a field.
func (f *finder) kept(s *ast.AssignStmt) bool {
	return s.Tok != token.DEFINE && (slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { _, field := e.(*ast.SelectorExpr); return field }) ||
		slices.ContainsFunc(s.Rhs, func(e ast.Expr) bool { return strings.HasPrefix(f.text(e), "append(") }))
}

// harmless reports whether a call has no effect that a test could see: it logs,
// or only locks, which the race detector judges.
func (f *finder) harmless(call *ast.CallExpr) bool {
	name := f.text(call.Fun)
	return strings.Contains(name, "log.") || strings.HasSuffix(name, "Lock") || strings.HasSuffix(name, "Unlock") || name == "panic"
}
