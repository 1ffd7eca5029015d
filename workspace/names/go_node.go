package names

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strconv"
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

// A goNode is the syntax around a name.
type goNode struct {
	qualified *types.Package // the package in which the name is searched
	typ       types.Type     // the type in which it is searched
}

// nodeAt finds the syntax that contains an error's position.
func nodeAt(r goResult, pos token.Pos) (out goNode) {
	inspect(r, pos, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if n.Sel.Pos() != pos {
				return
			}
			if id, ok := n.X.(*ast.Ident); ok {
				if name, ok := r.info.Uses[id].(*types.PkgName); ok {
					out.qualified = name.Imported()
					return
				}
			}
			out.typ = r.info.Types[n.X].Type
		case *ast.CompositeLit:
			if out.typ == nil {
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok && (kv.Pos() == pos || kv.Key.Pos() == pos) {
						out.typ = r.info.Types[n].Type
					}
				}
			}
		}
	})
	return out
}

// callAt is the innermost call that contains an error's position.
func callAt(r goResult, pos token.Pos) (out *ast.CallExpr) {
	inspect(r, pos, func(n ast.Node) {
		c, ok := n.(*ast.CallExpr)
		if ok && (pos == c.Rparen || pos >= c.Lparen && pos < c.Rparen && (out == nil || out.Rparen != pos)) {
			out = c
		}
	})
	return out
}

// inspect visits the nodes that contain a position.
func inspect(r goResult, pos token.Pos, visit func(ast.Node)) {
	for _, f := range r.files {
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil || pos < n.Pos() || pos > n.End() {
				return false
			}
			visit(n)
			return true
		})
	}
}

func deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
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
