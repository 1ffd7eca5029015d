package local

import (
	"context"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"runtime"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/index"
)

// A goWorld is the Go packages of a workspace, checked when asked for. What is
// outside the workspace is unknown to it: names of other modules have no type.
type goWorld struct {
	ctx     context.Context
	corpus  Corpus
	fset    *token.FileSet
	modules map[string]string     // module path -> directory
	bodies  map[string]bool       // directories whose function bodies matter
	checked map[string]*goPackage // by directory
	outside map[string]*types.Package
}

// A goPackage is one checked package.
type goPackage struct {
	pkg   *types.Package
	files []*ast.File
	info  *types.Info
}

// goUsers finds the users of a Go definition by type-checking the files that
// name it and what they import; it is false where the definition is not found.
func goUsers(ctx context.Context, c Corpus, d index.Def, files []index.FileID) ([]Place, bool) {
	ix := c.Index()
	w := &goWorld{ctx: ctx, corpus: c, fset: token.NewFileSet(), modules: goModules(c), bodies: map[string]bool{},
		checked: map[string]*goPackage{}, outside: map[string]*types.Package{}}
	own, _ := ix.File(d.File)
	w.bodies[folder(own.Path)] = true
	for _, id := range files {
		if ix.Language(id) == "go" {
			w.bodies[folder(ix.Path(id))] = true
		}
	}
	var worlds []*goPackage
	for _, dir := range sortedKeys(w.bodies) {
		worlds = append(worlds, w.check(dir))
		worlds = append(worlds, w.tests(dir)...)
	}
	targets := w.targets(worlds, d, own.Path)
	if len(targets) == 0 || ctx.Err() != nil {
		return nil, false
	}
	unresolved := ""
	if !slices.ContainsFunc(ix.Lookup(d.Name), func(x index.Def) bool { return x.ID != d.ID && !x.Local }) {
		unresolved = d.Name // what has no type can only mean this one
	}
	return w.users(worlds, targets, unresolved), true
}

func sortedKeys(m map[string]bool) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// goModules are the modules of the workspace.
func goModules(c Corpus) map[string]string {
	out := map[string]string{}
	for _, id := range c.Index().Named("go.mod") {
		p := c.Index().Path(id)
		text, _ := c.Text(p)
		for line := range strings.Lines(text) {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
				out[strings.Trim(strings.TrimSpace(name), "\"")] = folder(p)
				break
			}
		}
	}
	return out
}

// directory is where the workspace has an import path.
func (w *goWorld) directory(imported string) (string, bool) {
	for at := imported; at != "." && at != "/"; at = path.Dir(at) {
		if dir, ok := w.modules[at]; ok {
			return path.Join(dir, strings.TrimPrefix(imported[len(at):], "/")), true
		}
	}
	return "", false
}

// Import implements types.Importer.
func (w *goWorld) Import(imported string) (*types.Package, error) {
	if dir, ok := w.directory(imported); ok {
		if dir == "." {
			dir = ""
		}
		if p := w.check(dir); p.pkg != nil {
			return p.pkg, nil
		}
	}
	if p := w.outside[imported]; p != nil {
		return p, nil
	}
	p := types.NewPackage(imported, lastPart(imported))
	p.MarkComplete()
	w.outside[imported] = p
	return p, nil
}

// check checks the package in a directory without its tests, once.
func (w *goWorld) check(dir string) *goPackage {
	if p := w.checked[dir]; p != nil {
		return p
	}
	p := &goPackage{}
	w.checked[dir] = p
	if w.ctx.Err() == nil {
		*p = *w.solve(dir, w.parse(dir, func(name, _ string) bool { return !strings.HasSuffix(name, "_test.go") }))
	}
	return p
}

// tests checks a directory's packages with their tests.
func (w *goWorld) tests(dir string) []*goPackage {
	var own, apart []*ast.File
	any := false
	for _, f := range w.parse(dir, func(string, string) bool { return true }) {
		name := w.fset.Position(f.Package).Filename
		switch {
		case strings.HasSuffix(name, "_test.go") && strings.HasSuffix(f.Name.Name, "_test"):
			apart = append(apart, f)
		default:
			own = append(own, f)
			any = any || strings.HasSuffix(name, "_test.go")
		}
	}
	var out []*goPackage
	if any {
		out = append(out, w.solve(dir, own))
	}
	if len(apart) > 0 {
		out = append(out, w.solve(dir+"_test", apart))
	}
	return out
}

// parse parses the files of a directory that are built here.
func (w *goWorld) parse(dir string, want func(name, pkg string) bool) []*ast.File {
	ix := w.corpus.Index()
	if dir == "" {
		dir = "."
	}
	var out []*ast.File
	for _, id := range ix.Dir(dir) {
		f, _ := ix.File(id)
		if f.Language != "go" || !want(f.Path, f.Package) || !builtHere(f.Path) {
			continue
		}
		src, ok := w.corpus.Text(f.Path)
		if !ok || excluded(src) {
			continue
		}
		if file, _ := parser.ParseFile(w.fset, f.Path, src, parser.SkipObjectResolution); file != nil && file.Name != nil {
			out = append(out, file)
		}
	}
	return out
}

// solve checks files as one package, as far as they make sense.
func (w *goWorld) solve(dir string, files []*ast.File) *goPackage {
	p := &goPackage{files: files, info: &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}}
	if len(files) == 0 {
		return p
	}
	config := types.Config{Importer: w, Error: func(error) {}, IgnoreFuncBodies: !w.bodies[strings.TrimSuffix(dir, "_test")], FakeImportC: true}
	p.pkg, _ = config.Check(dir, w.fset, files, p.info)
	return p
}

var platforms = set(`aix android darwin dragonfly freebsd illumos ios js linux netbsd openbsd plan9 solaris wasip1 windows
	386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm`)

// builtHere reports whether a file's name lets it be built on this platform.
func builtHere(p string) bool {
	parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(base(p), ".go"), "_test"), "_")
	for _, part := range parts[1:][max(len(parts)-3, 0):] {
		if platforms[part] && part != runtime.GOOS && part != runtime.GOARCH {
			return false
		}
	}
	return true
}

// excluded reports whether a file's build constraint leaves it out here.
func excluded(src string) bool {
	for line := range strings.Lines(src) {
		switch {
		case constraint.IsGoBuild(line):
			expr, err := constraint.Parse(strings.TrimSpace(line))
			return err == nil && !expr.Eval(func(tag string) bool {
				return tag == runtime.GOOS || tag == runtime.GOARCH || tag == "unix" && runtime.GOOS != "windows" || tag == "gc" || strings.HasPrefix(tag, "go1.")
			})
		case strings.HasPrefix(line, "package "):
			return false
		}
	}
	return false
}

// A spot names a declaration in whatever world it was checked.
type spot struct {
	path   string
	offset int
}

func (w *goWorld) spot(obj types.Object) spot {
	switch o := obj.(type) {
	case *types.Func:
		obj = o.Origin()
	case *types.Var:
		obj = o.Origin()
	}
	pos := w.fset.Position(obj.Pos())
	return spot{pos.Filename, pos.Offset}
}

// targets are the definition and, for a method, the methods of interfaces and
// types that it stands for or that stand for it.
func (w *goWorld) targets(worlds []*goPackage, d index.Def, file string) map[spot]bool {
	var found types.Object
	for _, p := range worlds {
		for ident, obj := range p.info.Defs {
			pos := w.fset.Position(ident.Pos())
			if obj != nil && ident.Name == d.Name && pos.Filename == file && pos.Line >= d.StartLine && pos.Line <= d.SigEndLine && found == nil {
				found = obj
			}
		}
		if found != nil {
			break
		}
	}
	if found == nil {
		return nil
	}
	out := map[spot]bool{w.spot(found): true}
	if f, ok := found.(*types.Func); ok && f.Signature().Recv() != nil {
		w.related(f, out)
	}
	return out
}

// related adds the methods on the other side of an interface.
func (w *goWorld) related(f *types.Func, out map[spot]bool) {
	recv := f.Signature().Recv().Type()
	_, fromInterface := recv.Underlying().(*types.Interface)
	for _, p := range w.checked {
		if p.pkg == nil {
			continue
		}
		for _, name := range p.pkg.Scope().Names() {
			tn, ok := p.pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok || tn.IsAlias() {
				continue
			}
			if m := methodOf(tn, f.Name()); m != nil && m != f && stands(recv, tn.Type(), fromInterface) {
				out[w.spot(m)] = true
			}
		}
	}
}

// methodOf is a type's method, its own or a promoted one, or nil. That of an
// instance of a generic type stands for all instances, so it counts for none.
func methodOf(tn *types.TypeName, name string) *types.Func {
	t := tn.Type()
	if !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	found := types.NewMethodSet(t).Lookup(tn.Pkg(), name)
	if found == nil {
		return nil
	}
	m, ok := found.Obj().(*types.Func)
	if !ok || m.Origin() != m {
		return nil
	}
	return m
}

// stands reports whether one of two types is an interface that the other satisfies.
func stands(a, b types.Type, aInterface bool) bool {
	if p, ok := a.(*types.Pointer); ok {
		a = p.Elem()
	}
	bi, bInterface := b.Underlying().(*types.Interface)
	switch {
	case aInterface && !bInterface:
		return satisfies(b, a.Underlying().(*types.Interface))
	case !aInterface && bInterface:
		return satisfies(a, bi)
	}
	return false
}

// satisfies reports whether a type has all of an interface's methods. Types
// that the workspace does not have are equal to each other as far as it knows,
// so the names are compared first.
func satisfies(t types.Type, i *types.Interface) bool {
	methods := types.NewMethodSet(types.NewPointer(t))
	for m := range i.Methods() {
		if methods.Lookup(m.Pkg(), m.Name()) == nil {
			return false
		}
	}
	return i.NumMethods() > 0 && types.Implements(types.NewPointer(t), i)
}

// unresolved are the members of that name whose owner's type is in no file of
// the workspace.
func (p *goPackage) unresolved(name string) (out []*ast.Ident) {
	for _, f := range p.files {
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == name && p.info.Uses[sel.Sel] == nil {
				out = append(out, sel.Sel)
			}
			return true
		})
	}
	return out
}

// users are the places in all worlds that mean one of the targets, and those
// of a name that has no other meaning, where types are missing.
func (w *goWorld) users(worlds []*goPackage, targets map[spot]bool, unresolved string) []Place {
	seen := map[spot]bool{}
	var out []Place
	for _, p := range worlds {
		calls := callees(p.files)
		add := func(ident *ast.Ident) {
			pos := w.fset.Position(ident.Pos())
			if at := (spot{pos.Filename, pos.Offset}); !seen[at] {
				seen[at] = true
				out = append(out, Place{pos.Filename, pos.Line, edits.Span{Start: pos.Offset, End: pos.Offset + len(ident.Name)}, calls[ident]})
			}
		}
		for ident, obj := range p.info.Uses {
			if targets[w.spot(obj)] {
				add(ident)
			}
		}
		for _, ident := range p.unresolved(unresolved) {
			add(ident)
		}
	}
	slices.SortFunc(out, func(a, b Place) int {
		if a.Path != b.Path {
			return strings.Compare(a.Path, b.Path)
		}
		return a.Span.Start - b.Span.Start
	})
	return out
}

// callees are the names that are called.
func callees(files []*ast.File) map[*ast.Ident]bool {
	out := map[*ast.Ident]bool{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				switch fun := ast.Unparen(call.Fun).(type) {
				case *ast.Ident:
					out[fun] = true
				case *ast.SelectorExpr:
					out[fun.Sel] = true
				}
			}
			return true
		})
	}
	return out
}
