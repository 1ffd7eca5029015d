package names

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tandem/edits"
	"tandem/workspace/deps"
)

func itoa(n int) string { return strconv.Itoa(n) }

// The type checker's messages that become findings, by their beginnings. Its
// error numbers changed over time, its messages did not.
var goKinds = []struct{ prefix, contains, kind string }{
	{"could not import ", "", kindImport},
	{"undefined: ", "", UnknownName},
	{"undeclared name: ", "", UnknownName},
	{"name ", " not exported by package ", UnknownName},
	{"not enough arguments in call", "", KindArguments},
	{"too many arguments in call", "", KindArguments},
	{"not enough arguments for ", "", KindArguments},
	{"too many arguments for ", "", KindArguments},
	{"assignment mismatch: ", " returns ", KindArguments},
	{"unknown field ", " in struct literal", KindMember},
	{"", " undefined (type ", KindMember},
	{"", " undefined (", KindMember},
}

func goKind(message string) string {
	for _, k := range goKinds {
		if strings.HasPrefix(message, k.prefix) && strings.Contains(message, k.contains) {
			return k.kind
		}
	}
	return ""
}

// certain reports whether an error of the type checker is one of the compiler. The bodies of
// other functions are not read, so that what they miss is not told. What the types of other
// packages decide is left out where one of these could not be read, and in tests beside a
// package: what they import may import the package without its tests, whose types are not the
// same here.
func (r goResult) certain(e goError) bool {
	message := e.Msg
	if slices.ContainsFunc([]string{"missing function body", "invalid type", "import cycle", "cgo", "requires go1."}, func(doubtful string) bool { return strings.Contains(message, doubtful) }) {
		return false
	}
	if slices.ContainsFunc([]string{"no new variables ", "missing return", "label "}, func(plain string) bool { return strings.HasPrefix(message, plain) }) {
		return true
	}
	alongside := strings.HasSuffix(r.pkg.Name(), "_test")
	switch {
	case strings.HasPrefix(message, "\t"):
		return false
	case strings.Contains(message, "declared and not used"):
		return len(r.imported.failed) == 0 && (!r.imported.lacks || !r.reads(e.Pos))
	case strings.Contains(message, "redeclared"): // the files of package main may be several programs
		return r.pkg.Name() != "main"
	}
	return !alongside && !r.imported.lacks
}

// reads reports whether the function around a variable's declaration has the name in another place
// than on the left of an assignment: in an expression whose type is not known the type checker does
// not see it.
func (r goResult) reads(declared token.Pos) (reads bool) {
	for _, f := range r.files {
		for _, d := range f.Decls {
			if declared < d.Pos() || d.End() <= declared {
				continue
			}
			name, written := "", map[*ast.Ident]bool{}
			ast.Inspect(d, func(n ast.Node) bool {
				if a, ok := n.(*ast.AssignStmt); ok {
					for _, to := range a.Lhs {
						if id, ok := to.(*ast.Ident); ok {
							written[id] = true
						}
					}
				} else if id, ok := n.(*ast.Ident); ok && id.Pos() == declared {
					name, written[id] = id.Name, true
				}
				return true
			})
			ast.Inspect(d, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && id.Name == name && !written[id] {
					reads = true
				}
				return !reads
			})
		}
	}
	return reads
}

// unusedImport is the import that an error of the type checker is about, and the name that it
// gives the package, if no code of the file uses it. The type checker itself has not read all
// functions.
func (f *change) unusedImport(e goError) (span edits.Span, name string, ok bool) {
	_, rest, ok := strings.Cut(e.Msg, " imported ")
	if !ok || !strings.HasSuffix(rest, "and not used") {
		return span, "", false
	}
	text := f.Text[min(e.offset, len(f.Text)):]
	_, behind, _ := strings.Cut(text, `"`)
	importPath, _, ok := strings.Cut(behind, `"`)
	if !ok {
		return span, "", false
	}
	if _, name, ok = strings.Cut(strings.TrimSuffix(rest, " and not used"), "as "); !ok {
		name = path.Base(importPath)
	}
	start := e.offset + strings.Index(text, `"`)
	span = edits.Span{Start: start, End: start + len(importPath) + len(`""`)}
	return span, name, token.IsIdentifier(name) && !qualifies(f.Text, name)
}

// qualifies reports whether a text has a name in front of a dot.
func qualifies(text, name string) bool {
	return anyWord(text, name, func(_, after string) bool { return strings.HasPrefix(strings.TrimLeft(after, " \t\r\n"), ".") })
}

// verdict turns the type checker's errors into findings. While somebody types they are those of
// names, in the parts that are looked at: what is not used yet may be used next.
func (k *cachedLoader) verdict(ws Workspace, f *change, r goResult) Verdict {
	var out Verdict
	if r.unjudged != nil {
		out.addUnknown(fmt.Sprintf("names in %s: %v", f.Path, r.unjudged))
		return out
	}
	for importPath := range r.broken() {
		if f.stage != Standing && len(f.Changed) == 0 {
			break
		}
		what := unknownImport(importPath, r.imported.failed[importPath])
		if at := strings.Index(f.Text, strconv.Quote(importPath)); at >= 0 {
			out.unknownAt(what, Seen{f.Path, at, 1})
		} else {
			out.addUnknown(what)
		}
	}
	syntax := syntaxOf(r)
	for _, e := range r.errors {
		if len(out.Findings) >= mostFindings {
			out.addUnknown(beyondFindings(f, mostFindings))
			break
		}
		kind := goKind(e.Msg)
		if span, name, ok := f.unusedImport(e); ok && f.stage != Typed {
			out.Findings = append(out.Findings, edits.Finding{Path: f.Path, Span: span, Kind: kindType, Severity: severityError, Name: name, Message: f.Text[span.Start:span.End] + " imported and not used"})
			continue
		}
		if kind == "" {
			if f.stage == Typed || strings.Contains(e.Msg, " imported ") || !r.certain(e) {
				continue
			}
			kind = kindType
		}
		span := k.spanOf(f.Text, e, kind)
		if f.stage == Typed && !f.looks(span) {
			continue
		}
		if found, ok := k.finding(ws, f, r, syntax, e, kind, span); ok {
			out.Findings = append(out.Findings, found)
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

// spanOf is the span of the name that an error is about: the name at the
// error's position, or the callee of a call.
func (k *cachedLoader) spanOf(text string, e goError, kind string) edits.Span {
	start := min(e.offset, len(text))
	switch {
	case kind == kindImport:
		end := start + 1
		for end < len(text) && text[end] != '\n' && text[end] != text[start] {
			end++
		}
		return edits.Span{Start: start, End: min(end+1, len(text))}
	case start < len(text) && !edits.IsWordByte(text[start]):
		return edits.Span{Start: start, End: min(start+1, len(text))}
	}
	return wordAt(text, start)
}

// wordAt is the identifier that begins at an offset.
func wordAt(text string, start int) edits.Span {
	end := start
	for end < len(text) && edits.IsWordByte(text[end]) {
		end++
	}
	return edits.Span{Start: start, End: end}
}

// finding explains an error to users; it is false where the error is not a
// finding, because something that it depends on is not known.
func (k *cachedLoader) finding(ws Workspace, f *change, r goResult, syntax goSyntax, e goError, kind string, span edits.Span) (edits.Finding, bool) {
	out := edits.Finding{Path: f.Path, Span: span, Kind: kind, Severity: severityError, Name: f.Text[span.Start:span.End]}
	switch kind {
	case kindType:
		out.Message, _, _ = strings.Cut(e.Msg, "\n")
		return out, true
	case kindImport:
		return k.importFinding(f, r, out)
	case KindArguments:
		return k.argumentFinding(ws, r, syntax, e, out)
	}
	node := syntax.nodes[e.Pos]
	if kind == UnknownName && node.qualified == nil {
		generated := k.ctx.Tagged() && f.Was == "" // by what is run before one builds with a tag
		if r.mayProvide(out.Name, node.qualifies) || k.loader.OnOther(f.abs, out.Name) {
			return out, false
		}
		if generated || k.generates(filepath.Dir(f.abs)) {
			return out, false
		}
		out.Message = out.Name + " is declared nowhere in the file, its package or its imports"
		k.suggest(ws, r, &out, r.scopeNames(), func(n string) types.Object { return r.pkg.Scope().Lookup(n) })
		return out, true
	}
	if kind == UnknownName {
		pkg := node.qualified
		if place, ok := k.loader.PlaceOf(pkg); ok && place.Own && k.generates(place.Dir) {
			return out, false
		}
		out.Library = k.ofLibrary(pkg)
		name := pkg.Name()
		if !k.shownPackage(pkg) {
			name = "imported here"
		}
		out.Message = fmt.Sprintf("package %s has no %s", name, out.Name)
		if strings.HasPrefix(e.Msg, "name ") {
			out.Message = fmt.Sprintf("package %s does not export %s", name, out.Name)
		}
		k.suggest(ws, r, &out, exported(pkg), func(n string) types.Object { return pkg.Scope().Lookup(n) })
		if out.Where == "" {
			out.Where = k.whereOf(pkg)
		}
		return out, true
	}
	return k.memberFinding(ws, r, node, out)
}

// broken yields the imports of the checked file whose packages could not be read, with the
// names that the file gives them.
func (r goResult) broken() iter.Seq2[string, string] {
	return func(yield func(importPath, name string) bool) {
		for _, f := range r.files {
			for _, spec := range f.Imports {
				importPath, name := strings.Trim(spec.Path.Value, "\"`"), ""
				if spec.Name != nil {
					name = spec.Name.Name
				}
				if _, failed := r.imported.failed[importPath]; failed && !yield(importPath, name) {
					return
				}
			}
		}
	}
}

// mayProvide reports whether a name may be declared by a package that could not be read:
// one that is imported with a dot, or one whose own name is not known, if the name stands
// where a package's would.
func (r goResult) mayProvide(name string, qualifies bool) bool {
	for importPath, local := range r.broken() {
		base := path.Base(importPath)
		unlike := base != name && (strings.ContainsAny(base, ".-") || token.IsKeyword(base))
		like := strings.Contains(letters(importPath), letters(name)) && !r.uses(importPath)
		if local == "." || qualifies && local == "" && (unlike || like) {
			return true
		}
	}
	return false
}

// uses reports whether the file uses a package by the last part of its path: then that is its
// name, and no other is.
func (r goResult) uses(importPath string) bool {
	for _, obj := range r.info.Uses {
		if p, ok := obj.(*types.PkgName); ok && p.Imported().Path() == importPath {
			return true
		}
	}
	return false
}

// letters are the letters and digits of a name or path, in lower case: json-iterator may be jsoniter.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

func (k *cachedLoader) importFinding(f *change, r goResult, out edits.Finding) (edits.Finding, bool) {
	importPath := strings.Trim(out.Name, "\"`")
	place, ok := r.imported.failed[importPath]
	if !ok || importPath == "C" {
		return out, false
	}
	out.Name = importPath
	if own, ok := k.loader.source.deps.Go.OwnDir(filepath.Dir(f.abs), importPath); ok && k.loader.source.deps.Hides(filepath.Join(own, "made.go")) {
		return out, false // git ignores it: a build makes it
	}
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
	if !r.brief {
		out.Nearest = k.loader.source.deps.Go.Nearest(filepath.Dir(f.abs), importPath, k.audience.shows, func(name string, paths iter.Seq[string]) string { return nearestBy(name, paths, 0.75) })
	}
	return out, true
}

// argumentFinding adds the name of the called function.
func (k *cachedLoader) argumentFinding(ws Workspace, r goResult, syntax goSyntax, e goError, out edits.Finding) (edits.Finding, bool) {
	short, _, _ := strings.Cut(e.Msg, "\n")
	have, want := between(e.Msg, "have (", ")"), between(e.Msg, "want (", ")")
	out.Message = short
	call := syntax.callAt(e.Pos)
	if call != nil && r.imported.lacks && len(call.Args) == 1 {
		if nested, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr); ok && !known(r.info.Types[nested.Fun].Type) { // whose results may be the arguments
			return out, false
		}
	}
	if (want != "" || have != "") && call != nil && k.shownCall(r, call) {
		out.Message = fmt.Sprintf("%s: have (%s), want (%s)", short, have, want)
	}
	if call == nil {
		return out, true
	}
	id := calleeName(call.Fun)
	if id == nil {
		return out, true
	}
	out.Name = id.Name
	if obj := r.info.Uses[id]; obj != nil {
		out.Where, out.Library = k.where(ws, r, obj), k.ofLibrary(obj.Pkg())
	}
	return out, true
}

// known reports whether the type checker has found what a called function returns.
func known(t types.Type) bool {
	signature, ok := t.(*types.Signature)
	if !ok {
		return false
	}
	for v := range signature.Results().Variables() {
		if v.Type() == types.Typ[types.Invalid] {
			return false
		}
	}
	return true
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
func (k *cachedLoader) memberFinding(ws Workspace, r goResult, node goNode, out edits.Finding) (edits.Finding, bool) {
	if node.typ == nil {
		out.Message = "there is no field or method " + out.Name
		return out, true
	}
	if incomplete(node.typ, map[types.Type]bool{}) {
		return out, false
	}
	name := types.TypeString(node.typ, func(p *types.Package) string {
		if p == r.pkg {
			return ""
		}
		return p.Name()
	})
	if !k.shownType(node.typ) {
		name = "the value"
	}
	out.Message = fmt.Sprintf("%s has no field or method %s", name, out.Name)
	list := membersOf(node.typ, r.pkg)
	k.suggest(ws, r, &out, maps.Keys(list), func(n string) types.Object { return list[n] })
	if named, ok := types.Unalias(deref(node.typ)).(*types.Named); ok {
		out.Where, out.Library = cmp.Or(out.Where, k.where(ws, r, named.Obj())), k.ofLibrary(named.Obj().Pkg())
	}
	return out, true
}

// suggest adds the most similar existing name and its position.
func (k *cachedLoader) suggest(ws Workspace, r goResult, out *edits.Finding, names iter.Seq[string], lookup func(string) types.Object) {
	if r.brief {
		return
	}
	out.Nearest = nearest(out.Name, func(yield func(string) bool) {
		for n := range names {
			if obj := lookup(n); (obj == nil || k.shown(obj)) && !yield(n) {
				return
			}
		}
	})
	if out.Nearest == "" {
		return
	}
	if obj := lookup(out.Nearest); obj != nil {
		out.Where = k.where(ws, r, obj)
	}
}

// where describes where an object is declared: a position in the workspace, a
// module's version, or the standard library.
func (k *cachedLoader) where(ws Workspace, r goResult, obj types.Object) string {
	if obj.Pkg() == nil {
		return "Go itself"
	}
	if !k.shown(obj) {
		return ""
	}
	if w := k.whereOf(obj.Pkg()); w != "" {
		return w
	}
	return k.position(ws, r, obj.Pos())
}

func (k *cachedLoader) whereOf(pkg *types.Package) string {
	if !k.shownPackage(pkg) {
		return ""
	}
	if place, ok := k.loader.PlaceOf(pkg); ok {
		return place.Where()
	}
	return ""
}

// ofLibrary reports whether a package is of a module that is not the workspace's own.
func (k *cachedLoader) ofLibrary(pkg *types.Package) bool {
	if pkg == nil {
		return false
	}
	place, ok := k.loader.PlaceOf(pkg)
	return ok && (place.Standard || place.Version != "") // what a folder replaces has no version
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

// scopeNames are the names that a file's code can use without a qualifier.
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
