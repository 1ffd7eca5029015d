package names

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tandem/edits"
	"tandem/workspace/deps"
)

func itoa(n int) string { return strconv.Itoa(n) }

// What the type checker says of the things that are judged here begins so; its
// numbers changed over time, its words did not.
var goKinds = []struct{ prefix, contains, kind string }{
	{"could not import ", "", kindImport},
	{"undefined: ", "", kindName},
	{"undeclared name: ", "", kindName},
	{"name ", " not exported by package ", kindName},
	{"not enough arguments in call", "", kindArguments},
	{"too many arguments in call", "", kindArguments},
	{"not enough arguments for ", "", kindArguments},
	{"too many arguments for ", "", kindArguments},
	{"assignment mismatch: ", " returns ", kindArguments},
	{"unknown field ", " in struct literal", kindMember},
	{"", " undefined (type ", kindMember},
	{"", " undefined (", kindMember},
}

func goKind(message string) string {
	for _, k := range goKinds {
		if strings.HasPrefix(message, k.prefix) && strings.Contains(message, k.contains) {
			return k.kind
		}
	}
	return ""
}

// verdict turns what the type checker said into findings on what is new.
func (k *goKept) verdict(ws Workspace, f *change, r goResult) verdict {
	var out verdict
	for _, importPath := range slices.Sorted(mapsKeys(r.failed)) {
		if place := r.failed[importPath]; place.Status == deps.NotInstalled || place.Status == deps.Unknown {
			out.doubt(unknownImport(importPath, place))
		}
	}
	for _, e := range r.errors {
		kind := goKind(e.Msg)
		if kind == "" {
			continue
		}
		span := k.spanOf(f.After, e, kind)
		if !isNew(f.news, span) {
			continue
		}
		if found, ok := k.finding(ws, f, r, e, kind, span); ok {
			out.findings = append(out.findings, found)
		}
	}
	return out
}

func unknownImport(importPath string, place deps.Place) string {
	if place.Status == deps.NotInstalled {
		return fmt.Sprintf("names of %s: %s is not on this machine's disk", importPath, place.Where())
	}
	return fmt.Sprintf("names of %s: it cannot be found on this machine's disk", importPath)
}

// spanOf is the name that an error is about: what stands at its place, or the
// callee of a call.
func (k *goKept) spanOf(text string, e goError, kind string) edits.Span {
	start := min(e.offset, len(text))
	switch {
	case kind == kindImport:
		end := start + 1
		for end < len(text) && text[end] != '\n' && text[end] != text[start] {
			end++
		}
		return edits.Span{Start: start, End: min(end+1, len(text))}
	case start < len(text) && !isIdentByte(text[start]):
		return edits.Span{Start: start, End: min(start+1, len(text))}
	}
	return wordAt(text, start)
}

// wordAt is the identifier that begins at an offset.
func wordAt(text string, start int) edits.Span {
	end := start
	for end < len(text) && isIdentByte(text[end]) {
		end++
	}
	return edits.Span{Start: start, End: end}
}

// finding explains an error to a person; it is false where it is none, because
// something it rests on is not known.
func (k *goKept) finding(ws Workspace, f *change, r goResult, e goError, kind string, span edits.Span) (edits.Finding, bool) {
	out := edits.Finding{Path: f.Path, Span: span, Kind: kind, Severity: severityError, Name: f.After[span.Start:span.End]}
	switch kind {
	case kindImport:
		return k.importFinding(f, r, out)
	case kindArguments:
		return k.argumentFinding(ws, r, e, out)
	}
	node := nodeAt(r, e.Pos)
	if kind == kindName && node.qualified == nil {
		if brokenQualifier(r, out.Name) || brokenDot(r) {
			return out, false
		}
		out.Message = out.Name + " is declared nowhere in the file, its package or its imports"
		k.suggest(ws, r, &out, r.scopeNames(), func(n string) types.Object { return r.pkg.Scope().Lookup(n) })
		return out, true
	}
	if kind == kindName {
		pkg := node.qualified
		out.Message = fmt.Sprintf("package %s has no %s", pkg.Name(), out.Name)
		if strings.HasPrefix(e.Msg, "name ") {
			out.Message = fmt.Sprintf("package %s does not export %s", pkg.Name(), out.Name)
		}
		k.suggest(ws, r, &out, exported(pkg), func(n string) types.Object { return pkg.Scope().Lookup(n) })
		if out.Where == "" {
			out.Where = k.whereOf(pkg)
		}
		return out, true
	}
	return k.memberFinding(ws, r, node, out)
}

// brokenQualifier reports whether a name may be that of a package which could
// not be read, whose real name is not known.
func brokenQualifier(r goResult, name string) bool {
	for importPath := range r.failed {
		if strings.Contains(strings.ToLower(importPath), strings.ToLower(name)) || path.Base(importPath) != name && strings.ContainsAny(path.Base(importPath), ".-") {
			return true
		}
	}
	return false
}

// brokenDot reports whether names come into the file from a package that could
// not be read.
func brokenDot(r goResult) bool {
	for _, f := range r.files {
		for _, spec := range f.Imports {
			if _, failed := r.failed[strings.Trim(spec.Path.Value, "\"`")]; failed && spec.Name != nil && spec.Name.Name == "." {
				return true
			}
		}
	}
	return false
}

func (k *goKept) importFinding(f *change, r goResult, out edits.Finding) (edits.Finding, bool) {
	importPath := strings.Trim(out.Name, "\"`")
	place, ok := r.failed[importPath]
	if !ok || importPath == "C" {
		return out, false
	}
	out.Name = importPath
	switch {
	case place.Status == deps.Missing && place.Standard:
		out.Message = fmt.Sprintf("the standard library has no package %s", importPath)
		out.Where = "standard library"
	case place.Status == deps.Missing:
		out.Message = fmt.Sprintf("%s has no package %s", place.Where(), importPath)
		out.Where = place.Where()
	case place.Status == deps.NotRequired:
		out.Message = fmt.Sprintf("no module that go.mod requires provides %s", importPath)
	default:
		return out, false
	}
	out.Nearest = k.world.deps.NearestGoPackage(filepath.Dir(f.abs), importPath, nearestPath)
	return out, true
}

// argumentFinding names the function that is called.
func (k *goKept) argumentFinding(ws Workspace, r goResult, e goError, out edits.Finding) (edits.Finding, bool) {
	short, _, _ := strings.Cut(e.Msg, "\n")
	have, want := between(e.Msg, "have (", ")"), between(e.Msg, "want (", ")")
	out.Message = short
	if want != "" || have != "" {
		out.Message = fmt.Sprintf("%s: have (%s), want (%s)", short, have, want)
	}
	call := callAt(r, e.Pos)
	if call == nil {
		return out, true
	}
	id := calleeName(call.Fun)
	if id == nil {
		return out, true
	}
	out.Name = id.Name
	if obj := r.info.Uses[id]; obj != nil {
		out.Where = k.where(ws, r, obj)
	}
	return out, true
}

func between(s, start, end string) string {
	_, rest, ok := strings.Cut(s, start)
	if !ok {
		return ""
	}
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSuffix(line, end)
}

func calleeName(fun ast.Expr) *ast.Ident {
	switch fun := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	case *ast.IndexExpr:
		return calleeName(fun.X)
	case *ast.IndexListExpr:
		return calleeName(fun.X)
	}
	return nil
}

// memberFinding suggests another member of the receiver's type.
func (k *goKept) memberFinding(ws Workspace, r goResult, node goNode, out edits.Finding) (edits.Finding, bool) {
	if node.typ == nil {
		out.Message = "there is no field or method " + out.Name
		return out, true
	}
	name := types.TypeString(node.typ, func(p *types.Package) string {
		if p == r.pkg {
			return ""
		}
		return p.Name()
	})
	out.Message = fmt.Sprintf("%s has no field or method %s", name, out.Name)
	list := membersOf(node.typ, r.pkg)
	k.suggest(ws, r, &out, mapsKeys(list), func(n string) types.Object { return list[n] })
	if named, ok := types.Unalias(deref(node.typ)).(*types.Named); ok && out.Where == "" {
		out.Where = k.where(ws, r, named.Obj())
	}
	return out, true
}

// suggest fills in the nearest real name and where it is.
func (k *goKept) suggest(ws Workspace, r goResult, out *edits.Finding, names iter.Seq[string], lookup func(string) types.Object) {
	out.Nearest = nearest(out.Name, names)
	if out.Nearest == "" {
		return
	}
	if obj := lookup(out.Nearest); obj != nil {
		out.Where = k.where(ws, r, obj)
	}
}

// where says where an object is declared: a place of the workspace, a module's
// version, or the standard library.
func (k *goKept) where(ws Workspace, r goResult, obj types.Object) string {
	if obj.Pkg() == nil {
		return "Go itself"
	}
	if w := k.whereOf(obj.Pkg()); w != "" {
		return w
	}
	return k.position(ws, r, obj.Pos())
}

func (k *goKept) whereOf(pkg *types.Package) string {
	for _, key := range []string{pkg.Path(), pkg.Path() + " [test]"} {
		if p := k.world.pkgs[key]; p != nil && p.types == pkg {
			return p.place.Where()
		}
	}
	return ""
}

func exported(pkg *types.Package) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, n := range pkg.Scope().Names() {
			if token.IsExported(n) && !yield(n) {
				return
			}
		}
	}
}

// scopeNames are the names that a file's code could mean without a qualifier.
func (r goResult) scopeNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, n := range append(r.pkg.Scope().Names(), types.Universe.Names()...) {
			if !yield(n) {
				return
			}
		}
		for _, f := range r.files {
			for _, n := range declaredIn(f) {
				if !yield(n) {
					return
				}
			}
		}
	}
}
