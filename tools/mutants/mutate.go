package main

import (
	"encoding/json"
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
	file         string
	line, column int
	function     string // with its receiver
	first, last  int    // lines of the function
	kind         string
	start, end   int
	old, new     string
	within       string // the line of a literal, which names little by itself
	number       int    // of those of the function with the same text, from 0
	made         int    // of those of the file, from 0
	source       string
	rewrite      rewrite
}

// key names a mutant by function and text, so that it outlives changes elsewhere in the
// file.
func (m mutant) key() string {
	key := fmt.Sprintf("%s | %s | %s", m.function, m.kind, strings.Join(strings.Fields(m.old), " "))
	if m.within != "" {
		key += " in " + m.within
	}
	if m.number > 0 {
		key += fmt.Sprintf(" #%d", m.number+1)
	}
	return key
}

func (m mutant) String() string { return fmt.Sprintf("%s:%d %s", m.file, m.line, m.key()) }

// overlay writes the mutant and the overlay that puts it in the file's place.
func (m mutant) overlay(dir string) (string, error) {
	abs, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	mutated := filepath.Join(dir, "mutant.go")
	if err := os.WriteFile(mutated, []byte(m.source[:m.start]+m.new+m.source[m.end:]), 0o600); err != nil {
		return "", err
	}
	data, err := json.Marshal(map[string]map[string]string{"Replace": {abs: mutated}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, data, 0o600)
}

// A finder collects the mutants of one function.
type finder struct {
	fset     *token.FileSet
	file     string
	source   string
	function string
	first    int // line of the function
	last     int
	unread   []ast.Expr // what no result depends on: capacities, and what is returned with an error
	negative ast.Expr   // the number after a minus
	out      []mutant
}

// mutantsOf lists every mutant of a file.
func mutantsOf(file string) ([]mutant, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	f := &finder{fset: token.NewFileSet(), file: filepath.ToSlash(file), source: string(source)}
	parsed, err := parser.ParseFile(f.fset, file, source, 0)
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
		f.first, f.last = f.fset.Position(fn.Pos()).Line, f.fset.Position(fn.End()).Line
		f.early(fn)
		f.returnedWithErrors(fn.Type, fn.Body)
		ast.Inspect(fn.Body, func(n ast.Node) bool { f.node(n); return true })
	}
	seen := map[string]int{}
	for i := range f.out {
		key := f.out[i].key()
		f.out[i].number = seen[key]
		seen[key]++
	}
	return f.out, nil
}

func (f *finder) offset(p token.Pos) int { return f.fset.Position(p).Offset }

func (f *finder) text(n ast.Node) string { return f.source[f.offset(n.Pos()):f.offset(n.End())] }

// lineOf is the text of the line of a place.
func (f *finder) lineOf(p token.Pos) string {
	at := f.offset(p)
	start := strings.LastIndexByte(f.source[:at], '\n') + 1
	line, _, _ := strings.Cut(f.source[start:], "\n")
	return strings.Join(strings.Fields(line), " ")
}

func (f *finder) add(kind string, from, to token.Pos, replacement string) {
	start, end, at := f.offset(from), f.offset(to), f.fset.Position(from)
	f.out = append(f.out, mutant{file: f.file, line: at.Line, column: at.Column, function: f.function, first: f.first, last: f.last,
		kind: kind, start: start, end: end, old: f.source[start:end], new: replacement, source: f.source, made: len(f.out)})
}

// behind says how the mutant that was found last is planted behind a switch.
func (f *finder) behind(open, close string) *rewrite {
	m := &f.out[len(f.out)-1]
	m.rewrite = rewrite{open: open, close: close, first: m.start, behind: m.end}
	return &m.rewrite
}

// early makes a function return before it does anything.
func (f *finder) early(fn *ast.FuncDecl) {
	value, ok := "", fn.Type.Results.NumFields() == 0
	if fn.Type.Results.NumFields() == 1 {
		value, ok = map[string]string{"error": " nil", "bool": " false", "string": ` ""`, "int": " 0"}[f.text(fn.Type.Results.List[0].Type)]
	}
	if ok && len(fn.Body.List) > 0 {
		at := fn.Body.Lbrace + 1
		f.add("return early", at, at, "\nreturn"+value+"\n")
		f.behind(" if mutantIs(%d) { return"+value+" }; ", "")
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

func (f *finder) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.IfStmt:
		f.add("flip", n.Cond.Pos(), n.Cond.End(), "!("+f.text(n.Cond)+")")
		f.behind("mutantFlip(%d, ", ")")
	case *ast.BinaryExpr:
		f.operator(n)
	case *ast.CallExpr:
		if f.text(n.Fun) == "make" && len(n.Args) > 0 { // not a function of that name
			first := 1
			if _, slice := n.Args[0].(*ast.ArrayType); slice {
				first = 2
			}
			f.unread = append(f.unread, n.Args[min(first, len(n.Args)):]...)
		}
	case *ast.UnaryExpr:
		if lit, ok := n.X.(*ast.BasicLit); ok && n.Op == token.SUB && lit.Kind == token.INT {
			f.literal(n, lit)
			f.negative = lit
		}
	case *ast.BasicLit:
		if n == f.negative || slices.ContainsFunc(f.unread, func(e ast.Expr) bool { return e.Pos() <= n.Pos() && n.End() <= e.End() }) {
			return
		}
		if n.Kind == token.INT {
			f.literal(n, n)
		}
	case *ast.BlockStmt:
		f.statements(n.List)
	case *ast.CaseClause:
		f.statements(n.Body)
	case *ast.CommClause:
		f.statements(n.Body)
	}
}

// literal adds one to a number, which may be negative.
func (f *finder) literal(whole ast.Expr, n *ast.BasicLit) {
	f.add("off by one", whole.Pos(), n.End(), "("+f.text(whole)+"+1)")
	f.out[len(f.out)-1].within = f.lineOf(whole.Pos())
	f.behind("(", "+mutantOne(%d))")
}

// operators are what stands in for an operator.
var operators = map[token.Token]struct{ kind, with, function string }{
	token.LAND: {"and or", "||", "mutantAnd"}, token.LOR: {"and or", "&&", "mutantOr"},
	token.LSS: {"off by one", "<=", "mutantLess"}, token.LEQ: {"off by one", "<", "mutantAtMost"},
	token.GTR: {"off by one", ">=", "mutantMore"}, token.GEQ: {"off by one", ">", "mutantAtLeast"},
}

func (f *finder) operator(n *ast.BinaryExpr) {
	if o, ok := operators[n.Op]; ok {
		start, end := f.offset(n.Pos()), f.offset(n.End())
		at := f.offset(n.OpPos)
		replaced := f.source[start:at] + o.with + f.source[at+len(n.Op.String()):end]
		if n.Op == token.LAND || n.Op == token.LOR {
			replaced = "(" + f.text(n.X) + ") " + o.with + " (" + f.text(n.Y) + ")"
		}
		f.add(o.kind, n.Pos(), n.End(), replaced)
		r := f.behind(o.function+"(%d, ", ")")
		r.at, r.end, r.by = at, at+len(n.Op.String()), ","
		if n.Op == token.LAND || n.Op == token.LOR {
			r.by, r.close = ", func() bool { return (", ") })"
		}
	}
}

// statements removes calls, deferred ones too, and assignments of append and to
// fields.
func (f *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && !f.harmless(call) {
				f.add("drop call", s.Pos(), s.End(), "")
				f.behind("if !mutantIs(%d) { ", " }")
			}
		case *ast.DeferStmt:
			if !f.harmless(s.Call) && !f.closes(s.Call) {
				f.add("drop defer", s.Pos(), s.End(), "")
				f.behind("if !mutantIs(%d) { ", " }")
			}
		case *ast.AssignStmt:
			if f.kept(s) {
				f.add("drop assignment", s.Pos(), s.End(), "")
				f.behind("if !mutantIs(%d) { ", " }")
			}
		}
	}
}

// kept reports whether an assignment changes what outlives it: an append, or a
// field.
func (f *finder) kept(s *ast.AssignStmt) bool {
	if s.Tok == token.DEFINE {
		return false
	}
	field := slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { _, ok := e.(*ast.SelectorExpr); return ok })
	appended := slices.ContainsFunc(s.Rhs, func(e ast.Expr) bool {
		call, ok := e.(*ast.CallExpr)
		return ok && f.text(call.Fun) == "append"
	})
	return field || appended
}

// closes reports whether a deferred call closes what was only read: a test of leaks
// judges that.
func (f *finder) closes(call *ast.CallExpr) bool {
	text := f.text(call)
	return strings.HasSuffix(text, ".Close()") || strings.Contains(text, "_ = ") && strings.Contains(text, ".Close() }")
}

// harmless reports whether a call has no effect that a test could see: it logs,
// or only locks, which the race detector judges.
func (f *finder) harmless(call *ast.CallExpr) bool {
	name := f.text(call.Fun)
	return strings.Contains(name, "log.") || strings.HasSuffix(name, "Lock") || strings.HasSuffix(name, "Unlock") || strings.HasSuffix(name, "RLock") || name == "panic"
}
