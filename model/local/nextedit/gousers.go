package nextedit

import (
	"context"
	"go/ast"
	"go/types"
	"hash/fnv"
	"maps"
	"path"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace/deps"
	"tandem/workspace/gotypes"
	"tandem/workspace/index"
)

// A goFolder is the Go files of a corpus. Other modules are not among them: their names
// have no type.
type goFolder struct {
	corpus  source.Corpus
	modules map[string]string // module path -> directory
	ended   func() bool       // nobody waits for the answer any more
}

// Files implements gotypes.Source.
func (g *goFolder) Files(dir string) (out []string) {
	ix := g.corpus.Index()
	if dir == "" {
		dir = "."
	}
	for _, id := range ix.Dir(dir) {
		if f, _ := ix.File(id); f.Language == "go" && gotypes.IsFile(path.Base(f.Path)) && !g.ended() {
			out = append(out, f.Path)
		}
	}
	return out
}

// Read implements gotypes.Source.
func (g *goFolder) Read(at string) (string, bool) { return g.corpus.Text(at) }

// Stamp implements gotypes.Source. A corpus is a snapshot, so only the files differ that
// have another text than in it.
func (g *goFolder) Stamp(at string) (gotypes.Stamp, bool) {
	stamp := gotypes.Stamp{Path: at}
	if text, ok := replaced(g.corpus)[at]; ok {
		h := fnv.New64a()
		_, _ = h.Write([]byte(text)) // a hash takes everything
		stamp.Size, stamp.Version = int64(len(text)), int64(h.Sum64())
	}
	return stamp, true
}

// Find implements gotypes.Source.
func (g *goFolder) Find(_, imported string) deps.Place {
	for at := imported; at != "." && at != "/"; at = path.Dir(at) {
		if dir, ok := g.modules[at]; ok {
			return deps.Place{Status: deps.Found, Own: true, Dir: strings.TrimPrefix(path.Join(dir, imported[len(at):]), "/")}
		}
	}
	return deps.Place{Status: deps.NotRequired}
}

// goChecks are the packages that were type-checked for one question: what asks for them with
// other texts of some files shares all that do not depend on these.
type goChecks struct {
	loader  *gotypes.Loader
	outside map[string]*types.Package // that are not in the workspace, by path
	absent  map[string]bool           // the names of these
	other   map[string]bool           // folders whose files had other texts
}

// load type-checks the packages of some directories, each with its tests, and its external
// tests; of the function bodies those that hold naming, all of them if it is empty. report,
// if not nil, gets the errors.
func (g *goChecks) load(ctx context.Context, c source.Corpus, dirs map[string]bool, naming string, report func(error)) (*gotypes.Loader, []*gotypes.Package) {
	files := &goFolder{c, goModules(c), func() bool { return ctx.Err() != nil }}
	others := map[string]bool{}
	for at := range replaced(c) {
		others[source.Folder(at)] = true
	}
	var l *gotypes.Loader
	if g.loader == nil {
		g.outside, g.absent = map[string]*types.Package{}, map[string]bool{}
		l = gotypes.New(files, gotypes.Options{Platform: gotypes.Here(), Bodies: dirs, Naming: naming, KeepFiles: true, Report: report,
			Absent: func(imported string) *types.Package {
				if g.outside[imported] == nil {
					g.outside[imported] = types.NewPackage(imported, source.LastPart(imported))
					g.outside[imported].MarkComplete()
					g.absent[g.outside[imported].Name()] = true
				}
				return g.outside[imported]
			}})
	} else {
		l = g.loader.With(files)
		l.Report, l.Naming, l.Bodies = report, naming, maps.Clone(l.Bodies)
		stale := maps.Clone(dirs)
		maps.Copy(stale, others)
		maps.Copy(stale, g.other)
		maps.Copy(l.Bodies, dirs)
		l.Drop(stale)
	}
	g.loader, g.other = l, others
	var out []*gotypes.Package
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		place := deps.Place{Status: deps.Found, Own: true, Dir: dir}
		if p, err := l.Load(place, false); err == nil && p.Info != nil {
			out = append(out, p)
		}
		if !slices.ContainsFunc(files.Files(dir), func(at string) bool { return strings.HasSuffix(at, "_test.go") }) {
			continue
		}
		if p, err := l.Load(place, true); err == nil && p.Info != nil {
			out = append(out, p)
		}
		if p := l.External(place); p != nil {
			out = append(out, p)
		}
	}
	return l, out
}

// users finds the users of a Go definition by type-checking the files that
// name it and their imports. It returns false if the definition is not found.
func (g *goChecks) users(ctx context.Context, c source.Corpus, d index.Def, files []index.FileID) ([]Place, bool) {
	ix := c.Index()
	own, _ := ix.File(d.File)
	dirs := map[string]bool{source.Folder(own.Path): true}
	for _, id := range files {
		if ix.Language(id) == "go" {
			dirs[source.Folder(ix.Path(id))] = true
		}
	}
	l, packages := g.load(ctx, c, dirs, d.Name, nil)
	u := goUses{l, packages}
	targets := u.targets(d, own.Path)
	if len(targets) == 0 || ctx.Err() != nil {
		return nil, false
	}
	unresolved := ""
	if (d.Container == "" || distinctive(d.Name)) && !slices.ContainsFunc(ix.Lookup(d.Name), func(x index.Def) bool { return x.ID != d.ID && !x.Local }) {
		unresolved = d.Name // a name without a type can only mean this definition
	}
	return u.users(targets, unresolved), true
}

// goUses finds uses in packages that were checked with their function bodies.
type goUses struct {
	loader   *gotypes.Loader
	packages []*gotypes.Package
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

// A position identifies a declaration. A package that is checked twice, with and
// without its tests, has different objects but the same positions.
type position struct {
	path   string
	offset int
}

func (u goUses) position(obj types.Object) position {
	switch o := obj.(type) {
	case *types.Func:
		obj = o.Origin()
	case *types.Var:
		obj = o.Origin()
	}
	pos := u.loader.Fset.Position(obj.Pos())
	return position{pos.Filename, pos.Offset}
}

// targets returns the definition and, for a method, the methods of the interfaces
// that it implements or of the types that implement it.
func (u goUses) targets(d index.Def, file string) map[position]bool {
	var found types.Object
	for _, p := range u.packages {
		for ident, obj := range p.Info.Defs {
			pos := u.loader.Fset.Position(ident.Pos())
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
	out := map[position]bool{u.position(found): true}
	if f, ok := found.(*types.Func); ok && f.Signature().Recv() != nil {
		u.related(f, out)
		if plain := u.imported(f); plain != nil {
			u.related(plain, out)
		}
	}
	return out
}

// imported is a method of a package with its tests as other packages import it: the types
// of its signature are others there. nil if nothing imports it.
func (u goUses) imported(f *types.Func) *types.Func {
	recv := f.Signature().Recv().Type()
	if p, ok := recv.(*types.Pointer); ok {
		recv = p.Elem()
	}
	named, ok := recv.(*types.Named)
	if !ok {
		return nil
	}
	for p := range u.loader.Loaded {
		if p.Types == nil || p.Types == f.Pkg() || p.Types.Path() != f.Pkg().Path() {
			continue
		}
		if tn, ok := p.Types.Scope().Lookup(named.Obj().Name()).(*types.TypeName); ok {
			return methodOf(tn, f.Name())
		}
	}
	return nil
}

// related adds the interface methods that a method implements, or the methods
// that implement an interface method.
func (u goUses) related(f *types.Func, out map[position]bool) {
	recv := f.Signature().Recv().Type()
	_, fromInterface := recv.Underlying().(*types.Interface)
	for p := range u.loader.Loaded {
		if p.Types == nil {
			continue
		}
		for _, name := range p.Types.Scope().Names() {
			tn, ok := p.Types.Scope().Lookup(name).(*types.TypeName)
			if !ok || tn.IsAlias() {
				continue
			}
			if m := methodOf(tn, f.Name()); m != nil && m != f && implements(recv, tn.Type(), fromInterface) {
				out[u.position(m)] = true
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

// unresolvedIn returns the members of that name whose owner's type is in no file of
// the workspace.
func unresolvedIn(p *gotypes.Package, name string) (out []*ast.Ident) {
	for _, f := range p.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == name && p.Info.Uses[sel.Sel] == nil {
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
func (u goUses) users(targets map[position]bool, unresolved string) []Place {
	seen := map[position]bool{}
	var out []Place
	for _, p := range u.packages {
		calls := callees(p.Files)
		add := func(ident *ast.Ident) {
			pos := u.loader.Fset.Position(ident.Pos())
			if at := (position{pos.Filename, pos.Offset}); !seen[at] {
				seen[at] = true
				out = append(out, Place{Path: pos.Filename, Line: pos.Line, Span: edits.Span{Start: pos.Offset, End: pos.Offset + len(ident.Name)}, Call: calls[ident]})
			}
		}
		for ident, obj := range p.Info.Uses {
			if targets[u.position(obj)] {
				add(ident)
			}
		}
		for _, ident := range unresolvedIn(p, unresolved) {
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
