package names

import (
	"go/ast"
	"go/types"
	"slices"
)

// shown reports whether a finding may name an object: it is declared where
// findings may tell of, or in the text that is checked.
func (k *cachedLoader) shown(obj types.Object) bool {
	if obj.Pkg() == nil || !obj.Pos().IsValid() {
		return true
	}
	file := k.loader.Fset.Position(obj.Pos()).Filename
	return file == "" || file == k.checked || k.audience.shows(file) // "": the text that is checked, removed from its set
}

// shownPackage reports the same of a package: of all that it declares.
func (k *cachedLoader) shownPackage(pkg *types.Package) bool {
	shown, known := k.packages[pkg]
	if !known {
		scope := pkg.Scope()
		shown = !slices.ContainsFunc(scope.Names(), func(name string) bool { return !k.shown(scope.Lookup(name)) })
		k.packages[pkg] = shown
	}
	return shown
}

// shownCall reports whether a finding may name the types of a call's function
// and arguments.
func (k *cachedLoader) shownCall(r goResult, call *ast.CallExpr) bool {
	for _, e := range append([]ast.Expr{call.Fun}, call.Args...) {
		if t := r.info.Types[e].Type; t != nil && !k.shownType(t) {
			return false
		}
	}
	id := calleeName(call.Fun)
	return id == nil || r.info.Uses[id] == nil || k.shown(r.info.Uses[id]) && k.shownType(r.info.Uses[id].Type())
}

// shownType reports whether a finding may print a type. One too deep to be
// looked through may not be printed.
func (k *cachedLoader) shownType(t types.Type) bool { return k.shownWithin(t, 12) }

func (k *cachedLoader) shownWithin(t types.Type, depth int) bool {
	if t == nil {
		return true
	}
	if depth == 0 {
		return false
	}
	all := func(n int, at func(int) types.Type) bool {
		for i := range n {
			if !k.shownWithin(at(i), depth-1) {
				return false
			}
		}
		return true
	}
	named := func(obj *types.TypeName, args *types.TypeList) bool {
		return k.shown(obj) && all(args.Len(), args.At)
	}
	switch t := t.(type) {
	case *types.Named:
		return named(t.Obj(), t.TypeArgs())
	case *types.Alias:
		return named(t.Obj(), t.TypeArgs())
	case *types.Map:
		return k.shownWithin(t.Key(), depth-1) && k.shownWithin(t.Elem(), depth-1)
	case *types.Signature:
		return k.shownWithin(t.Params(), depth-1) && k.shownWithin(t.Results(), depth-1)
	case *types.Tuple:
		return all(t.Len(), func(i int) types.Type { return t.At(i).Type() })
	case *types.Struct:
		return all(t.NumFields(), func(i int) types.Type { return t.Field(i).Type() })
	case *types.Interface:
		return all(t.NumMethods(), func(i int) types.Type { return t.Method(i).Type() })
	case *types.Union:
		return all(t.Len(), func(i int) types.Type { return t.Term(i).Type() })
	case interface{ Elem() types.Type }: // pointers, slices, arrays and channels
		return k.shownWithin(t.Elem(), depth-1)
	}
	return true
}
