package names

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strconv"

	"tandem/edits"
)

// declaredIn are the names that a file's functions declare, and its imports.
func declaredIn(f *ast.File) []string {
	var out []string
	for _, spec := range f.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			out = append(out, path.Base(p))
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if id, ok := e.(*ast.Ident); ok && n.Tok == token.DEFINE {
					out = append(out, id.Name)
				}
			}
		case *ast.Field:
			for _, id := range n.Names {
				out = append(out, id.Name)
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				out = append(out, id.Name)
			}
		}
		return true
	})
	return out
}

// A goSyntax is the syntax around a file's errors. One walk gathers it: the position of an
// expression takes time with its depth, and each part of a deep one may be an error.
type goSyntax struct {
	nodes map[token.Pos]goNode // by the position of the error
	calls []*ast.CallExpr      // outer ones before those in them
}

// A goNode is the syntax around a name.
type goNode struct {
	qualified *types.Package // the package in which the name is searched
	typ       types.Type     // the type in which it is searched
	qualifies bool           // it stands before a dot, as a package's name does
}

func syntaxOf(r goResult) goSyntax {
	s := goSyntax{nodes: map[token.Pos]goNode{}}
	if len(r.errors) == 0 {
		return s
	}
	for _, e := range r.errors {
		s.nodes[e.Pos] = goNode{}
	}
	for _, f := range r.files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				s.calls = append(s.calls, n)
			case *ast.SelectorExpr:
				if _, failed := s.nodes[n.Sel.Pos()]; failed {
					s.nodes[n.Sel.Pos()] = selected(r.info, n)
				}
				if node, failed := s.nodes[n.X.Pos()]; failed {
					_, node.qualifies = n.X.(*ast.Ident)
					s.nodes[n.X.Pos()] = node
				}
			case *ast.CompositeLit:
				for _, e := range n.Elts {
					if _, keyed := e.(*ast.KeyValueExpr); !keyed {
						continue
					}
					if node, failed := s.nodes[e.Pos()]; failed && node.typ == nil {
						s.nodes[e.Pos()] = goNode{typ: r.info.Types[n].Type}
					}
				}
			}
			return true
		})
	}
	return s
}

// selected is where the name of a selector is searched.
func selected(info *types.Info, n *ast.SelectorExpr) goNode {
	if id, ok := n.X.(*ast.Ident); ok {
		if name, ok := info.Uses[id].(*types.PkgName); ok {
			return goNode{qualified: name.Imported()}
		}
	}
	return goNode{typ: info.Types[n.X].Type}
}

// counts are how many names of a file were looked at, and how many of them are in packages that
// could not be read. What was checked body by body is not where it is in the file: all of it counts.
func (r goResult) counts(f *change) (names int, doubts map[string]int) {
	fresh := func(n ast.Node) bool {
		return r.file == nil || f.tells(edits.Span{Start: r.file.Offset(n.Pos()), End: r.file.Offset(n.End())})
	}
	for _, f := range r.files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if (r.info.Uses[n] != nil || r.unjudged != nil) && fresh(n) {
					names++
				}
			case *ast.SelectorExpr:
				if id, ok := n.X.(*ast.Ident); ok && r.info.Uses[n.Sel] == nil && fresh(n.Sel) {
					if name, ok := r.info.Uses[id].(*types.PkgName); ok {
						if _, failed := r.imported.failed[name.Imported().Path()]; failed {
							names++
							doubts = counted(doubts, doubtGo, 1)
						}
					}
				}
			}
			return true
		})
	}
	if r.unjudged != nil {
		doubts = counted(doubts, doubtOther, names)
	}
	return names, doubts
}

// callAt is the innermost call that contains an error's position.
func (s goSyntax) callAt(pos token.Pos) (out *ast.CallExpr) {
	for _, c := range s.calls {
		if pos == c.Rparen || pos >= c.Lparen && pos < c.Rparen && (out == nil || out.Rparen != pos) {
			out = c
		}
	}
	return out
}

func deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// incomplete reports whether a type may have members that are not known: it embeds one of a
// package that could not be read.
func incomplete(t types.Type, seen map[types.Type]bool) bool {
	t = deref(types.Unalias(t))
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.Invalid
	case *types.Struct:
		for f := range u.Fields() {
			if f.Embedded() && incomplete(f.Type(), seen) {
				return true
			}
		}
	case *types.Interface:
		for e := range u.EmbeddedTypes() {
			if incomplete(e, seen) {
				return true
			}
		}
	}
	return false
}

// membersOf are the fields and methods of a value of a type that pkg may use,
// those of embedded types included.
func membersOf(t types.Type, pkg *types.Package) map[string]types.Object {
	out := map[string]types.Object{}
	addMembers(out, t, pkg, 0)
	return out
}

// maxEmbedding bounds how deep embedded types are followed.
const maxEmbedding = 6

func addMembers(out map[string]types.Object, t types.Type, pkg *types.Package, depth int) {
	put := func(o types.Object) {
		if o.Exported() || o.Pkg() == pkg {
			out[o.Name()] = o
		}
	}
	t = deref(t)
	if named, ok := types.Unalias(t).(*types.Named); ok {
		for m := range named.Methods() {
			put(m)
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			put(f)
			if f.Embedded() && depth < maxEmbedding {
				addMembers(out, f.Type(), pkg, depth+1)
			}
		}
	case *types.Interface:
		for m := range u.Methods() {
			put(m)
		}
	}
}
