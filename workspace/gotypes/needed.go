package gotypes

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"tandem/workspace/deps"
)

// A declaration is a part of a package that is left out as a whole: a function, a type, a
// variable's line, or all constants of one group, which count on from one another.
type declaration struct {
	node   ast.Node
	names  []string
	of     string // the type that it is a method of
	wanted bool
}

// Needed returns files of a package without what others do not need of them: the declarations
// that nothing in the other files leads to, or no exported one where there are none, and then
// the imports that no declaration needs. What those import in turn is most of what would be read
// and checked.
func Needed(files []*ast.File, by ...*ast.File) []*ast.File {
	var all []*declaration
	byName, methods := map[string][]*declaration{}, map[string][]*declaration{}
	add := func(node ast.Node, of string, names ...*ast.Ident) {
		d := &declaration{node: node, of: of}
		all = append(all, d)
		for _, id := range names {
			d.names = append(d.names, id.Name)
			byName[id.Name] = append(byName[id.Name], d)
		}
		if of != "" {
			methods[of] = append(methods[of], d)
		}
	}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if of := receiver(d); of != "" {
					add(d, of)
				} else {
					add(d, "", d.Name)
				}
			case *ast.GenDecl:
				if d.Tok == token.CONST {
					var names []*ast.Ident
					for _, spec := range d.Specs {
						names = append(names, spec.(*ast.ValueSpec).Names...)
					}
					add(d, "", names...)
					continue
				}
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						add(spec, "", spec.Name)
					case *ast.ValueSpec:
						add(spec, "", spec.Names...)
					}
				}
			}
		}
	}
	var queue []*declaration
	want := func(list []*declaration) {
		for _, d := range list {
			if !d.wanted {
				d.wanted = true
				queue = append(queue, d)
			}
		}
	}
	for _, d := range all {
		if len(by) == 0 && slices.ContainsFunc(d.names, token.IsExported) {
			want([]*declaration{d})
		}
	}
	var uses func(ast.Node) bool
	uses = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			want(byName[n.Name])
			want(methods[n.Name])
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
	kept := map[ast.Node]bool{}
	for len(queue) > 0 {
		d := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		kept[d.node] = true
		ast.Inspect(d.node, uses)
	}
	out := make([]*ast.File, len(files))
	for i, f := range files {
		out[i] = keeping(f, func(n ast.Node) bool { return kept[n] })
	}
	return out
}

// receiver is the name of the type that a function is a method of, "" if it is none.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	for t := d.Recv.List[0].Type; ; {
		switch of := t.(type) {
		case *ast.Ident:
			return of.Name
		case *ast.StarExpr:
			t = of.X
		case *ast.ParenExpr:
			t = of.X
		case *ast.IndexExpr:
			t = of.X
		case *ast.IndexListExpr:
			t = of.X
		default:
			return ""
		}
	}
}

// keeping is a file with some of its declarations, and the imports that they need. An import
// whose package may have another name than its path says stays where a declaration has a name
// of no other import.
func keeping(f *ast.File, keep func(ast.Node) bool) *ast.File {
	out := *f
	out.Decls = nil
	qualifiers := map[string]bool{}
	some := func(d *ast.GenDecl, keep func(ast.Spec) bool) {
		part := *d
		part.Specs = slices.DeleteFunc(slices.Clone(d.Specs), func(s ast.Spec) bool { return !keep(s) })
		if len(part.Specs) > 0 {
			out.Decls = append(out.Decls, &part)
		}
	}
	var imports []*ast.GenDecl
	for _, d := range f.Decls {
		gen, ok := d.(*ast.GenDecl)
		switch {
		case ok && gen.Tok == token.IMPORT:
			imports = append(imports, gen)
		case ok && gen.Tok != token.CONST:
			some(gen, func(s ast.Spec) bool { return keep(s) })
		case keep(d):
			out.Decls = append(out.Decls, d)
		}
	}
	for _, d := range out.Decls {
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
	for _, d := range imports {
		some(d, func(s ast.Spec) bool {
			spec := s.(*ast.ImportSpec)
			name := importName(spec)
			return qualifiers[name] || name == "." || name == "C" || spec.Name == nil && stray > 0
		})
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
