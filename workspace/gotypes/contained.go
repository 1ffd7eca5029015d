package gotypes

import (
	"errors"
	"go/ast"
	"go/token"
)

// ErrContained is why declarations are not checked: go/types follows each type through all that
// it contains, again for each type, and compares each of those with all that contain it.
var ErrContained = errors.New("its types contain one another too deep or too often to be checked")

const (
	// maxContained bounds the comparisons, of which go/types makes 75 million a second (2026-11-26: 2,000 nested structs, 18 s).
	maxContained = 10_000_000
	// maxNest bounds how deep types contain one another.
	maxNest = 1000
)

// Contained returns ErrContained where what the types of a package's files contain is too much.
func Contained(files ...*ast.File) error {
	m := containment{declared: map[string]*ast.TypeSpec{}, known: map[*ast.TypeSpec]contents{}}
	var specs []*ast.TypeSpec
	var functions []*ast.FuncDecl
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				functions = append(functions, fn)
				continue
			}
			specs = append(specs, typesIn(d)...)
		}
	}
	for _, s := range specs {
		m.declared[s.Name.Name] = s
	}
	m.add(specs)
	for _, fn := range functions {
		if fn.Body == nil {
			continue
		}
		specs, m.local = typesIn(fn.Body), map[string]*ast.TypeSpec{}
		for _, s := range specs {
			m.local[s.Name.Name] = s
		}
		m.add(specs)
	}
	if m.total > maxContained {
		return ErrContained
	}
	return nil
}

func typesIn(n ast.Node) (out []*ast.TypeSpec) {
	ast.Inspect(n, func(n ast.Node) bool {
		if s, ok := n.(*ast.TypeSpec); ok {
			out = append(out, s)
		}
		return true
	})
	return out
}

// A containment adds up what go/types compares for some types. It visits each type once.
type containment struct {
	declared, local map[string]*ast.TypeSpec // the local ones are of one function
	known           map[*ast.TypeSpec]contents
	total           float64
}

// contents are what a type contains, itself included: how many types, each as often as it is
// reached, and the sum of their depths. They are floating-point numbers since both may double
// with each type.
type contents struct{ types, depths float64 }

func (m *containment) add(specs []*ast.TypeSpec) {
	for _, s := range specs {
		if m.total > maxContained {
			return
		}
		c := m.of(s, 0)
		m.total += c.types + c.depths
	}
}

func (m *containment) of(s *ast.TypeSpec, nest int) contents {
	if c, ok := m.known[s]; ok {
		return c
	}
	if nest > maxNest {
		m.total = 2 * maxContained
		return contents{}
	}
	m.known[s] = contents{} // one that contains itself is followed no further
	inner := m.expr(s.Type, nest)
	c := contents{1 + inner.types, inner.depths + inner.types}
	m.known[s] = c
	return c
}

// expr is what a type expression contains; what is behind a pointer, in a slice or in another
// package is not contained.
func (m *containment) expr(e ast.Expr, nest int) (c contents) {
	add := func(e ast.Expr, times int) {
		one := m.expr(e, nest)
		c.types, c.depths = c.types+float64(times)*one.types, c.depths+float64(times)*one.depths
	}
	switch e := e.(type) {
	case *ast.Ident:
		s := m.local[e.Name]
		if s == nil {
			s = m.declared[e.Name]
		}
		if s != nil {
			return m.of(s, nest+1)
		}
	case *ast.ParenExpr:
		add(e.X, 1)
	case *ast.ArrayType:
		if e.Len != nil {
			add(e.Elt, 1)
		}
	case *ast.StructType:
		for _, f := range e.Fields.List {
			add(f.Type, max(1, len(f.Names)))
		}
	case *ast.InterfaceType:
		for _, f := range e.Methods.List {
			if len(f.Names) == 0 {
				add(f.Type, 1)
			}
		}
	case *ast.UnaryExpr:
		if e.Op == token.TILDE {
			add(e.X, 1)
		}
	case *ast.BinaryExpr:
		if e.Op == token.OR {
			add(e.X, 1)
			add(e.Y, 1)
		}
	case *ast.IndexExpr:
		add(e.X, 1)
		add(e.Index, 1)
	case *ast.IndexListExpr:
		add(e.X, 1)
		for _, i := range e.Indices {
			add(i, 1)
		}
	}
	return c
}
