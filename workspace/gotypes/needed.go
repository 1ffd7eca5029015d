package gotypes

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"tandem/workspace/deps"
)

// Needed returns files of a package without what others do not need of them: the declarations
// that nothing in the other files leads to, or no exported one where there are none, and then
// the imports that no declaration needs. What those import in turn is most of what would be read
// and checked.
func Needed(files []*ast.File, by ...*ast.File) []*ast.File {
	declare := map[string][]ast.Decl{} // by the name of what is declared, or of what it is a method of
	var queue []ast.Decl
	for _, f := range files {
		for _, d := range f.Decls {
			names := namesOf(d)
			for _, name := range names {
				declare[name] = append(declare[name], d)
			}
			if len(by) == 0 && slices.ContainsFunc(names, token.IsExported) {
				queue = append(queue, d)
			}
		}
	}
	var uses func(ast.Node) bool
	uses = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			queue = append(queue, declare[n.Name]...)
			delete(declare, n.Name)
		case *ast.SelectorExpr:
			ast.Inspect(n.X, uses)
			return false
		case *ast.Field:
			ast.Inspect(n.Type, uses)
			return false
		}
		return true
	}
	for _, f := range by {
		ast.Inspect(f, uses)
	}
	needed := map[ast.Decl]bool{}
	for len(queue) > 0 {
		d := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if !needed[d] {
			needed[d] = true
			ast.Inspect(d, uses)
		}
	}
	out := make([]*ast.File, len(files))
	for i, f := range files {
		out[i] = reduced(f, needed)
	}
	return out
}

// namesOf are the names that a declaration declares; a method has its type's.
func namesOf(d ast.Decl) (out []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		for _, field := range d.Recv.List {
			ast.Inspect(field.Type, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && len(out) == 0 {
					out = append(out, id.Name) // the type's parameters follow it
				}
				return true
			})
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				out = append(out, spec.Name.Name)
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					out = append(out, id.Name)
				}
			}
		}
	}
	return out
}

// reduced is a file with some of its declarations, and the imports that they need. An import
// whose package may have another name than its path says stays where a declaration has a name
// of no other import.
func reduced(f *ast.File, needed map[ast.Decl]bool) *ast.File {
	out := *f
	out.Decls = nil
	qualifiers := map[string]bool{}
	for _, d := range f.Decls {
		if !needed[d] {
			continue
		}
		out.Decls = append(out.Decls, d)
		ast.Inspect(d, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := sel.X.(*ast.Ident); ok {
					qualifiers[id.Name] = true
				}
			}
			return true
		})
	}
	stray := len(qualifiers)
	for _, spec := range f.Imports {
		if qualifiers[importName(spec)] {
			stray--
		}
	}
	for _, spec := range f.Imports {
		if name := importName(spec); qualifiers[name] || name == "." || name == "C" || spec.Name == nil && stray > 0 {
			out.Decls = append(out.Decls, &ast.GenDecl{TokPos: spec.Pos(), Tok: token.IMPORT, Specs: []ast.Spec{spec}})
		}
	}
	return &out
}

// importName is the name by which a file knows a package, as far as the import tells.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	return deps.GoPackageName(strings.Trim(spec.Path.Value, "\"`"))
}
