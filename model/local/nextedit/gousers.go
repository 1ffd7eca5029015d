package nextedit

import (
	"context"
	"errors"
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
	"tandem/model/local/source"
	"tandem/workspace/index"
)

// A packageLoader type-checks the Go packages of a workspace on request. It does
// not load other modules: their names have no type.
type packageLoader struct {
	ctx     context.Context
	corpus  source.Corpus
	fset    *token.FileSet
	modules map[string]string     // module path -> directory
	bodies  map[string]bool       // directories whose function bodies matter
	checked map[string]*goPackage // by directory
	outside map[string]*types.Package
	errors  map[string]int // by file and message; nil: not wanted
}

// A goPackage is one checked package.
type goPackage struct {
	pkg   *types.Package
	files []*ast.File
	info  *types.Info
}

func newLoader(ctx context.Context, c source.Corpus) *packageLoader {
	return &packageLoader{ctx: ctx, corpus: c, fset: token.NewFileSet(), modules: goModules(c), bodies: map[string]bool{},
		checked: map[string]*goPackage{}, outside: map[string]*types.Package{}}
}

// report counts an error, if errors are wanted.
func (l *packageLoader) report(err error) {
	var found types.Error
	if l.errors != nil && errors.As(err, &found) {
		l.errors[l.fset.Position(found.Pos).Filename+": "+found.Msg]++
	}
}

// goUsers finds the users of a Go definition by type-checking the files that
// name it and their imports. It returns false if the definition is not found.
func goUsers(ctx context.Context, c source.Corpus, d index.Def, files []index.FileID) ([]Place, bool) {
	ix := c.Index()
	l := newLoader(ctx, c)
	own, _ := ix.File(d.File)
	l.bodies[source.Folder(own.Path)] = true
	for _, id := range files {
		if ix.Language(id) == "go" {
			l.bodies[source.Folder(ix.Path(id))] = true
		}
	}
	var packages []*goPackage
	for _, dir := range sortedKeys(l.bodies) {
		packages = append(packages, l.check(dir))
		packages = append(packages, l.tests(dir)...)
	}
	targets := l.targets(packages, d, own.Path)
	if len(targets) == 0 || ctx.Err() != nil {
		return nil, false
	}
	unresolved := ""
	if !slices.ContainsFunc(ix.Lookup(d.Name), func(x index.Def) bool { return x.ID != d.ID && !x.Local }) {
		unresolved = d.Name // a name without a type can only mean this definition
	}
	return l.users(packages, targets, unresolved), true
}

func sortedKeys(m map[string]bool) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// goModules returns the modules of the workspace.
func goModules(c source.Corpus) map[string]string {
	out := map[string]string{}
	for _, id := range c.Index().Named("go.mod") {
		p := c.Index().Path(id)
		text, _ := c.Text(p)
		for line := range strings.Lines(text) {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
				out[strings.Trim(strings.TrimSpace(name), "\"")] = source.Folder(p)
				break
			}
		}
	}
	return out
}

// directory returns the workspace's directory of an import path.
func (l *packageLoader) directory(imported string) (string, bool) {
	for at := imported; at != "." && at != "/"; at = path.Dir(at) {
		if dir, ok := l.modules[at]; ok {
			return path.Join(dir, strings.TrimPrefix(imported[len(at):], "/")), true
		}
	}
	return "", false
}

// Import implements types.Importer.
func (l *packageLoader) Import(imported string) (*types.Package, error) {
	if dir, ok := l.directory(imported); ok {
		if dir == "." {
			dir = ""
		}
		if p := l.check(dir); p.pkg != nil {
			return p.pkg, nil
		}
	}
	if p := l.outside[imported]; p != nil {
		return p, nil
	}
	p := types.NewPackage(imported, source.LastPart(imported))
	p.MarkComplete()
	l.outside[imported] = p
	return p, nil
}

// check checks the package in a directory without its tests, once.
func (l *packageLoader) check(dir string) *goPackage {
	if p := l.checked[dir]; p != nil {
		return p
	}
	p := &goPackage{}
	l.checked[dir] = p
	if l.ctx.Err() == nil {
		*p = *l.checkFiles(dir, l.parse(dir, func(name, _ string) bool { return !strings.HasSuffix(name, "_test.go") }))
	}
	return p
}

// tests checks a directory's packages with their tests.
func (l *packageLoader) tests(dir string) []*goPackage {
	var own, external []*ast.File
	any := false
	for _, f := range l.parse(dir, func(string, string) bool { return true }) {
		name := l.fset.Position(f.Package).Filename
		switch {
		case strings.HasSuffix(name, "_test.go") && strings.HasSuffix(f.Name.Name, "_test"):
			external = append(external, f)
		default:
			own = append(own, f)
			any = any || strings.HasSuffix(name, "_test.go")
		}
	}
	var out []*goPackage
	if any {
		out = append(out, l.checkFiles(dir, own))
	}
	if len(external) > 0 {
		out = append(out, l.checkFiles(dir+"_test", external))
	}
	return out
}

// parse parses the files of a directory that are built on this platform.
func (l *packageLoader) parse(dir string, want func(name, pkg string) bool) []*ast.File {
	ix := l.corpus.Index()
	if dir == "" {
		dir = "."
	}
	var out []*ast.File
	for _, id := range ix.Dir(dir) {
		f, _ := ix.File(id)
		if f.Language != "go" || !want(f.Path, f.Package) || !builtHere(f.Path) {
			continue
		}
		src, ok := l.corpus.Text(f.Path)
		if !ok || excluded(src) {
			continue
		}
		file, err := parser.ParseFile(l.fset, f.Path, src, parser.SkipObjectResolution)
		if err != nil && l.errors != nil {
			l.errors[f.Path+": it does not parse"]++
		}
		if file != nil && file.Name != nil {
			out = append(out, file)
		}
	}
	return out
}

// checkFiles type-checks files as one package and ignores errors.
func (l *packageLoader) checkFiles(dir string, files []*ast.File) *goPackage {
	p := &goPackage{files: files, info: &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}}
	if len(files) == 0 {
		return p
	}
	config := types.Config{Importer: l, Error: l.report, IgnoreFuncBodies: !l.bodies[strings.TrimSuffix(dir, "_test")], FakeImportC: true}
	p.pkg, _ = config.Check(dir, l.fset, files, p.info)
	return p
}

var platforms = source.Set(`aix android darwin dragonfly freebsd illumos ios js linux netbsd openbsd plan9 solaris wasip1 windows
	386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm`)

// builtHere reports whether a file's name lets it be built on this platform.
func builtHere(p string) bool {
	parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(source.Base(p), ".go"), "_test"), "_")
	for _, part := range parts[1:][max(len(parts)-3, 0):] {
		if platforms[part] && part != runtime.GOOS && part != runtime.GOARCH {
			return false
		}
	}
	return true
}

// excluded reports whether a file's build constraint excludes it on this platform.
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

// A position identifies a declaration. A package that is checked twice, with and
// without its tests, has different objects but the same positions.
type position struct {
	path   string
	offset int
}

func (l *packageLoader) position(obj types.Object) position {
	switch o := obj.(type) {
	case *types.Func:
		obj = o.Origin()
	case *types.Var:
		obj = o.Origin()
	}
	pos := l.fset.Position(obj.Pos())
	return position{pos.Filename, pos.Offset}
}

// targets returns the definition and, for a method, the methods of the interfaces
// that it implements or of the types that implement it.
func (l *packageLoader) targets(packages []*goPackage, d index.Def, file string) map[position]bool {
	var found types.Object
	for _, p := range packages {
		for ident, obj := range p.info.Defs {
			pos := l.fset.Position(ident.Pos())
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
	out := map[position]bool{l.position(found): true}
	if f, ok := found.(*types.Func); ok && f.Signature().Recv() != nil {
		l.related(f, out)
	}
	return out
}

// related adds the interface methods that a method implements, or the methods
// that implement an interface method.
func (l *packageLoader) related(f *types.Func, out map[position]bool) {
	recv := f.Signature().Recv().Type()
	_, fromInterface := recv.Underlying().(*types.Interface)
	for _, p := range l.checked {
		if p.pkg == nil {
			continue
		}
		for _, name := range p.pkg.Scope().Names() {
			tn, ok := p.pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok || tn.IsAlias() {
				continue
			}
			if m := methodOf(tn, f.Name()); m != nil && m != f && implements(recv, tn.Type(), fromInterface) {
				out[l.position(m)] = true
			}
		}
	}
}

// methodOf returns a type's method, its own or a promoted one, or nil. It returns
// nil for a method of an instance of a generic type, since that method belongs
// to all instances.
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

// implements reports whether one of two types is an interface that the other
// implements.
func implements(a, b types.Type, aInterface bool) bool {
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

// satisfies reports whether a type has all of an interface's methods. The checker
// treats types from outside the workspace as equal to each other, so the method
// names are compared first.
func satisfies(t types.Type, i *types.Interface) bool {
	methods := types.NewMethodSet(types.NewPointer(t))
	for m := range i.Methods() {
		if methods.Lookup(m.Pkg(), m.Name()) == nil {
			return false
		}
	}
	return i.NumMethods() > 0 && types.Implements(types.NewPointer(t), i)
}

// unresolved returns the members of that name whose owner's type is in no file of
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

// users returns the places in all packages that refer to one of the targets. If
// types are missing, it adds the places of the unresolved name, which has no
// other definition.
func (l *packageLoader) users(packages []*goPackage, targets map[position]bool, unresolved string) []Place {
	seen := map[position]bool{}
	var out []Place
	for _, p := range packages {
		calls := callees(p.files)
		add := func(ident *ast.Ident) {
			pos := l.fset.Position(ident.Pos())
			if at := (position{pos.Filename, pos.Offset}); !seen[at] {
				seen[at] = true
				out = append(out, Place{pos.Filename, pos.Line, edits.Span{Start: pos.Offset, End: pos.Offset + len(ident.Name)}, calls[ident]})
			}
		}
		for ident, obj := range p.info.Uses {
			if targets[l.position(obj)] {
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

// callees returns the names that are called.
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
