package obvious

import (
	"go/ast"
	"go/token"
	"slices"
)

// A variable is a local name in scope at the cursor.
type variable struct {
	name  string
	typ   string // as the document writes it, "" if it is not known
	param bool
	uses  int // in the declaration around the cursor, its own place not counted
	order int // how many were declared after it
}

// A scope is what the functions around the cursor declare before it.
type scope struct {
	vars    []variable // the nearest first
	types   map[string]ast.Expr
	members map[string][]member // of the types that were looked up
}

// scope returns the scope of the cursor. It is computed once.
func (s *code) scope() *scope {
	if s.inside != nil {
		return s.inside
	}
	s.inside = &scope{types: map[string]ast.Expr{}}
	at := s.up(0).Pos()
	for i, n := range s.path1 {
		switch n := n.(type) {
		case *ast.FuncDecl:
			s.params(n.Recv)
			s.params(n.Type.Params)
			s.params(n.Type.Results)
		case *ast.FuncLit:
			s.params(n.Type.Params)
			s.params(n.Type.Results)
		case *ast.IfStmt:
			s.declare(n.Init, at)
		case *ast.ForStmt:
			s.declare(n.Init, at)
		case *ast.SwitchStmt:
			s.declare(n.Init, at)
		case *ast.RangeStmt:
			s.ranged(n)
		case *ast.TypeSwitchStmt:
			s.declare(n.Init, at)
			s.switched(n, s.path1[i:])
		case *ast.BlockStmt:
			s.block(n.List, at)
		case *ast.CaseClause:
			s.block(n.Body, at)
		case *ast.CommClause:
			s.declare(n.Comm, at)
			s.block(n.Body, at)
		}
	}
	s.inside.count(s.path1[0])
	return s.inside
}

// count orders the variables and counts their uses.
func (sc *scope) count(root ast.Node) {
	slices.Reverse(sc.vars)
	place := map[string]int{}
	kept := sc.vars[:0]
	for _, v := range sc.vars {
		if _, hidden := place[v.name]; !hidden && v.name != "_" && v.name != "" {
			place[v.name] = len(kept)
			v.order = len(kept)
			kept = append(kept, v)
		}
	}
	sc.vars = kept
	ast.Inspect(root, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if i, ok := place[id.Name]; ok {
				kept[i].uses++
			}
		}
		return true
	})
	for i := range kept {
		kept[i].uses--
	}
}

// find is the variable of a name.
func (sc *scope) find(name string) (variable, bool) {
	for i := len(sc.vars) - 1; i >= 0; i-- { // while it is built the nearest is the last
		if sc.vars[i].name == name {
			return sc.vars[i], true
		}
	}
	return variable{}, false
}

func (s *code) add(name *ast.Ident, typ string) {
	s.inside.vars = append(s.inside.vars, variable{name: name.Name, typ: typ})
}

func (s *code) params(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		typ := s.text(f.Type)
		if e, ok := f.Type.(*ast.Ellipsis); ok {
			typ = "[]" + s.text(e.Elt)
		}
		for _, n := range f.Names {
			s.inside.vars = append(s.inside.vars, variable{name: n.Name, typ: typ, param: true})
		}
	}
}

func (s *code) block(list []ast.Stmt, at token.Pos) {
	for _, stmt := range list {
		if stmt.End() > at {
			return
		}
		if l, ok := stmt.(*ast.LabeledStmt); ok {
			stmt = l.Stmt
		}
		s.declare(stmt, at)
	}
}

// declare adds what a statement declares.
func (s *code) declare(stmt ast.Stmt, at token.Pos) {
	if stmt == nil || stmt.End() > at {
		return
	}
	switch stmt := stmt.(type) {
	case *ast.AssignStmt:
		if stmt.Tok == token.DEFINE {
			s.assigned(stmt.Lhs, stmt.Rhs)
		}
	case *ast.DeclStmt:
		decl, _ := stmt.Decl.(*ast.GenDecl)
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				s.inside.types[spec.Name.Name] = spec.Type
			case *ast.ValueSpec:
				if spec.Type == nil {
					var names []ast.Expr
					for _, n := range spec.Names {
						names = append(names, n)
					}
					s.assigned(names, spec.Values)
					continue
				}
				for _, n := range spec.Names {
					s.add(n, s.text(spec.Type))
				}
			}
		}
	}
}

// assigned adds names with the types of the values that they are given.
func (s *code) assigned(names, values []ast.Expr) {
	var types []string
	if len(values) == 1 && len(names) > 1 {
		types = s.typesOf(values[0])
	} else {
		for _, v := range values {
			types = append(types, s.typeOf(v))
		}
	}
	for i, e := range names {
		id, ok := e.(*ast.Ident)
		if !ok || id.Name == "_" {
			continue
		}
		typ := ""
		if i < len(types) {
			typ = types[i]
		}
		s.add(id, typ)
	}
}

// ranged adds the variables of a range over something.
func (s *code) ranged(r *ast.RangeStmt) {
	if r.Tok != token.DEFINE {
		return
	}
	key, value := elements(s.underlying(s.typeOf(r.X)))
	for i, e := range []ast.Expr{r.Key, r.Value} {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
			s.add(id, [2]string{key, value}[i])
		}
	}
}

// switched adds the variable of a type switch, with the type of the clause around the
// cursor.
func (s *code) switched(sw *ast.TypeSwitchStmt, below []ast.Node) {
	assign, ok := sw.Assign.(*ast.AssignStmt)
	if !ok || len(below) < 3 {
		return
	}
	id, ok := assign.Lhs[0].(*ast.Ident)
	if clause, in := below[2].(*ast.CaseClause); ok && in {
		typ := ""
		if len(clause.List) == 1 {
			typ = s.text(clause.List[0])
		}
		s.add(id, typ)
	}
}
