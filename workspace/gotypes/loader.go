package gotypes

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tandem/workspace/deps"
)

// A Source is where the loader finds packages and their files. A path is the Source's
// own: what Files returns is what Read and Stamp are given.
type Source interface {
	// Files lists the paths of the Go files of a folder, in order.
	Files(dir string) []string
	// Read returns a file's text, false if it cannot be read.
	Read(path string) (string, bool)
	// Stamp identifies the state of a file, false if there is no such file.
	Stamp(path string) (Stamp, bool)
	// Find returns the place of the package that a file in dir imports. Its Status is
	// deps.Found, or tells why there is none.
	Find(dir, importPath string) deps.Place
}

// A Stamp identifies the state of a file, to detect a change.
type Stamp struct {
	Path    string
	Size    int64
	Mod     time.Time
	Version int64 // of an open document
}

// Options choose what a Loader loads.
type Options struct {
	Platform Platform
	Root     string // of the main module, which selects the versions of the others
	Most     int    // bytes of source of the packages that Trim keeps
	Store    Keeper // of what is read of the standard library; nil keeps nothing
}

// A Loader loads the packages that one main module sees on one platform, each at its
// first use. It is not safe for concurrent use.
type Loader struct {
	Options
	Fset   *token.FileSet
	source Source
	pkgs   map[string]*Package       // by key
	files  map[string]*File          // parsed files of the packages that are edited, by path
	dirs   map[string]bool           // the folders of these packages
	round  int                       // of Trim
	read   map[string]*types.Package // see stored
}

// A Package is a package, type-checked from its declarations.
type Package struct {
	Types    *types.Package
	Place    deps.Place
	files    []Stamp  // of the workspace's own packages
	uses     []string // keys of imported packages
	lacks    bool     // something that it imports, itself or through others, is not there
	sizes    sizes
	round    int  // the last one in which a checked file needed it
	isStored bool // later processes find it, and all that it imports
}

// A sizes is what a package's files take.
type sizes struct {
	bytes int
	files []*token.File
}

// A File is a parsed file, without function bodies.
type File struct {
	stamp Stamp
	cond  Condition
	ast   *ast.File
}

var (
	errNoPackage = errors.New("there is no such package")
	errCycle     = errors.New("the packages import each other")
)

// New returns a loader without packages.
func New(source Source, o Options) *Loader {
	return &Loader{Options: o, Fset: token.NewFileSet(), source: source, pkgs: map[string]*Package{}, files: map[string]*File{}, dirs: map[string]bool{}, read: map[string]*types.Package{}}
}

// With returns a loader that reads from another source. It shares the packages that are
// loaded: Drop removes those that differ there.
func (l *Loader) With(source Source) *Loader {
	next := *l
	next.source, next.pkgs, next.files, next.dirs, next.read = source, maps.Clone(l.pkgs), maps.Clone(l.files), maps.Clone(l.dirs), maps.Clone(l.read)
	return &next
}

// Drop removes the packages in dirs, and those that depend on them; it returns the keys of
// all of them, as Uses has them.
func (l *Loader) Drop(dirs map[string]bool) (gone map[string]bool) {
	gone = map[string]bool{}
	for key, p := range l.pkgs {
		if p != nil && dirs[p.Place.Dir] {
			gone[key] = true
		}
	}
	for grew := len(gone) > 0; grew; {
		grew = false
		for key, p := range l.pkgs {
			if p != nil && !gone[key] && slices.ContainsFunc(p.uses, func(u string) bool { return gone[u] }) {
				gone[key], grew = true, true
			}
		}
	}
	for key := range gone {
		delete(l.pkgs, key)
	}
	return gone
}

// Stale drops the packages whose files have changed; it reports whether there were any.
func (l *Loader) Stale() bool {
	dirs := map[string]bool{}
	for _, p := range l.pkgs {
		if p != nil && p.files != nil && !l.fresh(p.Place.Dir, p.files) {
			dirs[p.Place.Dir] = true
		}
	}
	l.Drop(dirs)
	return len(dirs) > 0
}

func (l *Loader) fresh(dir string, stamps []Stamp) bool {
	paths := l.source.Files(dir)
	return len(paths) == len(stamps) && l.Unchanged(stamps)
}

// Unchanged reports whether files are as they were when they were stamped.
func (l *Loader) Unchanged(stamps []Stamp) bool {
	return !slices.ContainsFunc(stamps, func(s Stamp) bool {
		now, ok := l.source.Stamp(s.Path)
		return !ok || now != s
	})
}

// file parses a file without its function bodies. keep is whether it belongs to the
// workspace: then it is parsed even if it is not built on this platform, and kept if its
// package is being edited, since it is read often.
func (l *Loader) file(at string, keep bool) *File {
	stamp, ok := l.source.Stamp(at)
	if !ok {
		return nil
	}
	if f := l.files[at]; f != nil && f.stamp == stamp {
		return f
	}
	src, ok := l.source.Read(at)
	if !ok {
		return nil
	}
	f := &File{stamp: stamp, cond: ConditionOf(filepath.Base(at), src)}
	if keep || l.Platform.matches(f.cond) {
		f.ast, _ = parseWithout(l.Fset, at, src)
		WithoutBodies(f.ast)
	}
	if keep && l.dirs[folder(at)] {
		l.files[at] = f
	}
	return f
}

// folder is the folder of a path, with the path's own separators; "" for the source's root.
func folder(at string) string {
	dir := filepath.Dir(at)
	if dir == "." {
		return ""
	}
	return at[:len(dir)]
}

// Companions returns the other files of the package that a file belongs to, and their
// stamps. The file's folder is being edited from then on.
func (l *Loader) Companions(at string, f *ast.File, cond Condition) (asts []*ast.File, stamps []Stamp) {
	dir := folder(at)
	l.dirs[dir] = true
	for _, other := range l.source.Files(dir) {
		if other == at || isTest(other) && !isTest(at) {
			continue
		}
		g := l.file(other, true)
		if g == nil {
			continue
		}
		stamps = append(stamps, g.stamp)
		if g.ast != nil && g.ast.Name != nil && g.ast.Name.Name == f.Name.Name && (l.Platform.matches(g.cond) || cond.standalone() && g.cond.standalone()) {
			asts = append(asts, g.ast)
		}
	}
	return asts, stamps
}

// OnOther reports whether a file beside one declares a name, but is not built on this platform.
func (l *Loader) OnOther(at, name string) bool {
	return slices.ContainsFunc(l.source.Files(folder(at)), func(other string) bool {
		f := l.file(other, true)
		return f != nil && f.ast != nil && !l.Platform.matches(f.cond) && !f.cond.standalone() && slices.ContainsFunc(f.ast.Decls, func(d ast.Decl) bool { return slices.Contains(namesOf(d), name) })
	})
}

// siblings returns the parsed files of a folder that match the platform, with tests or
// without, and the stamps of all its files.
func (l *Loader) siblings(dir string, tests, keep bool) (asts []*ast.File, stamps []Stamp) {
	for _, at := range l.source.Files(dir) {
		if !tests && isTest(at) {
			if s, ok := l.source.Stamp(at); keep && ok {
				stamps = append(stamps, s)
			}
			continue
		}
		f := l.file(at, keep)
		if f == nil {
			continue
		}
		if keep {
			stamps = append(stamps, f.stamp)
		}
		if f.ast != nil && f.ast.Name != nil && l.Platform.matches(f.cond) {
			asts = append(asts, f.ast)
		}
	}
	return asts, stamps
}

func isTest(at string) bool { return strings.HasSuffix(at, "_test.go") }

// libraryName is the package to which most files of a folder belong. Tests and
// documentation do not count.
func libraryName(asts []*ast.File) string {
	count := map[string]int{}
	for _, f := range asts {
		if name := f.Name.Name; !strings.HasSuffix(name, "_test") && name != "documentation" {
			count[name]++
		}
	}
	best := ""
	for name, n := range count {
		if n > count[best] || n == count[best] && name < best {
			best = name
		}
	}
	return best
}

// keyOf is a package's key; with its tests it is another package.
func keyOf(dir string, tests bool) string {
	if tests {
		return dir + " [test]"
	}
	return dir
}

// Load returns the package in a place, with its own tests or without. At the first use
// it type-checks its declarations and those of its imports.
func (l *Loader) Load(place deps.Place, tests bool) (*Package, error) {
	key := keyOf(place.Dir, tests)
	if p, ok := l.pkgs[key]; ok {
		if p == nil {
			return nil, errCycle
		}
		return p, nil
	}
	storable := place.Standard && l.Store != nil && !tests
	if storable {
		if p, err := l.stored(place); p != nil || err != nil {
			return p, err
		}
	}
	l.pkgs[key] = nil // being read
	asts, stamps := l.siblings(place.Dir, tests, place.Own)
	name := libraryName(asts)
	asts = slices.DeleteFunc(asts, func(f *ast.File) bool { return f.Name.Name != name })
	err := Contained(asts...)
	if len(asts) == 0 {
		err = errNoPackage
	}
	if err != nil {
		delete(l.pkgs, key)
		return nil, err
	}
	p := l.check(place, asts)
	p.files = stamps
	l.pkgs[key] = p
	if storable {
		l.store(p)
	}
	return p, nil
}

// check type-checks the declarations of files as one package.
func (l *Loader) check(place deps.Place, asts []*ast.File) *Package {
	p := &Package{Place: place}
	im := &Importer{loader: l, dir: place.Dir}
	if !place.Standard && !place.Own && l.Root != "" {
		im.dir = l.Root
	}
	conf := types.Config{IgnoreFuncBodies: true, FakeImportC: true, Importer: im, Error: func(error) {}}
	p.Types, _ = conf.Check(place.Dir, l.Fset, Needed(asts), nil)
	p.uses, p.lacks = im.Uses, im.Lacks
	for _, f := range asts {
		if file := l.Fset.File(f.Pos()); file != nil {
			p.sizes.bytes += file.Size()
			p.sizes.files = append(p.sizes.files, file)
		}
	}
	return p
}

// Trim drops the packages that the files checked lately do not need, if there are too
// many. imports are the keys of what the file that is checked now imports, in dir.
func (l *Loader) Trim(dir string, imports []string) (dropped bool) {
	l.round++
	l.mark(imports)
	total, latest := 0, map[int]int{} // bytes, and of them by round
	for _, p := range l.pkgs {
		if p != nil {
			total += p.sizes.bytes
			latest[p.round] += p.sizes.bytes
		}
	}
	if total <= l.Most {
		return false
	}
	oldest := l.round
	for retained := latest[oldest]; oldest > 0 && retained+latest[oldest-1] <= l.Most/2; {
		oldest--
		retained += latest[oldest]
	}
	retained := map[string]bool{dir: true}
	l.dirs = map[string]bool{dir: true}
	var gone []*token.File
	for key, p := range l.pkgs {
		switch {
		case p == nil:
		case p.round >= oldest:
			retained[p.Place.Dir] = true
		default:
			gone = append(gone, p.sizes.files...)
			delete(l.pkgs, key)
		}
	}
	for at, f := range l.files {
		if f.ast != nil && !retained[folder(at)] {
			gone = append(gone, l.Fset.File(f.ast.Pos()))
			delete(l.files, at)
		}
	}
	for _, f := range gone {
		if f != nil && !retained[folder(f.Name())] {
			l.Fset.RemoveFile(f)
		}
	}
	return len(gone) > 0
}

// mark records that packages and all that they import are needed now, so that a package
// that is kept never lacks one that it imports.
func (l *Loader) mark(keys []string) {
	for _, key := range keys {
		if p := l.pkgs[key]; p != nil && p.round != l.round {
			p.round = l.round
			l.mark(p.uses)
		}
	}
}

// An Importer resolves the imports of one package.
type Importer struct {
	Uses   []string // keys of the imported packages
	Failed map[string]deps.Place
	Lacks  bool // one of them failed, or lacks what it imports itself

	loader *Loader
	dir    string
	tested string // folder whose tests are part of the package, for an external test
}

// ImporterFor returns the importer for one file that is checked by itself.
func (l *Loader) ImporterFor(at string, f *ast.File) *Importer {
	im := &Importer{loader: l, dir: folder(at)}
	if strings.HasSuffix(f.Name.Name, "_test") && isTest(at) {
		im.tested = im.dir
	}
	return im
}

// Import implements types.Importer.
func (im *Importer) Import(importPath string) (*types.Package, error) {
	if importPath == "unsafe" {
		return types.Unsafe, nil
	}
	place := im.loader.source.Find(im.dir, importPath)
	if place.Status != deps.Found {
		return im.fail(importPath, place, errNoPackage)
	}
	tests := im.tested != "" && im.tested == place.Dir
	p, err := im.loader.Load(place, tests)
	if err != nil {
		return im.fail(importPath, deps.Place{Status: deps.Unknown}, err)
	}
	im.Uses, im.Lacks = append(im.Uses, keyOf(place.Dir, tests)), im.Lacks || p.lacks
	return p.Types, nil
}

func (im *Importer) fail(importPath string, place deps.Place, err error) (*types.Package, error) {
	if im.Failed == nil {
		im.Failed = map[string]deps.Place{}
	}
	im.Failed[importPath], im.Lacks = place, true
	return nil, err
}
