package names

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tandem/workspace/deps"
)

// A packageLoader loads the packages that one main module sees on one platform,
// each at its first use. It does not keep function bodies.
type packageLoader struct {
	deps  *deps.Resolver
	root  string // of the main module, which selects versions
	ctx   goContext
	most  int // bytes of source of the packages that are kept
	fset  *token.FileSet
	pkgs  map[string]*goPackage // by key
	texts map[string]goText     // overrides of the disk, by absolute path
	files map[string]*goFile    // parsed files of the packages that are edited, by absolute path
	dirs  map[string]bool       // the folders of these packages
	round int                   // of trim
}

// A goText is a text that replaces the file on disk.
type goText struct {
	text    string
	version int64
	absent  bool
}

// A goPackage is a package, type-checked from its declarations.
type goPackage struct {
	types *types.Package
	place deps.Place
	dir   string
	tests bool
	files []goStamp // of the workspace's own packages
	uses  []string  // keys of imported packages
	sizes goSizes
	round int // the last one in which a checked file needed it
}

// A goSizes is what a package's files take.
type goSizes struct {
	bytes int
	files []*token.File
}

// A goStamp identifies the state of a file, to detect a change.
type goStamp struct {
	abs     string
	size    int64
	mod     time.Time
	version int64
}

// A goFile is a parsed file without function bodies.
type goFile struct {
	stamp goStamp
	cond  goCondition
	ast   *ast.File
}

// maxGoFile is the largest file that is read, in bytes.
const maxGoFile = 8 << 20

var (
	errNoPackage = errors.New("there is no such package")
	errCycle     = errors.New("the packages import each other")
)

func newPackageLoader(r *deps.Resolver, root string, ctx goContext, most int) *packageLoader {
	return &packageLoader{deps: r, root: root, ctx: ctx, most: most, fset: token.NewFileSet(), pkgs: map[string]*goPackage{}, texts: map[string]goText{}, files: map[string]*goFile{}, dirs: map[string]bool{}}
}

// with returns a loader that sees a proposal's texts. It shares every package
// that does not depend on them.
func (l *packageLoader) with(texts map[string]goText) *packageLoader {
	next := &packageLoader{deps: l.deps, root: l.root, ctx: l.ctx, most: l.most, fset: l.fset, pkgs: maps.Clone(l.pkgs), texts: maps.Clone(l.texts), files: maps.Clone(l.files), dirs: maps.Clone(l.dirs)}
	next.set(texts)
	return next
}

// set replaces the texts of files, and drops the packages that were built from
// other texts.
func (l *packageLoader) set(texts map[string]goText) {
	dirs := map[string]bool{}
	for abs, t := range texts {
		if old, ok := l.texts[abs]; !ok || old.version != t.version || old.text != t.text || old.absent != t.absent {
			l.texts[abs] = t
			dirs[filepath.Dir(abs)] = true
		}
	}
	l.drop(dirs)
}

// unset makes files have their texts on disk again.
func (l *packageLoader) unset(gone []string) {
	dirs := map[string]bool{}
	for _, abs := range gone {
		delete(l.texts, abs)
		dirs[filepath.Dir(abs)] = true
	}
	l.drop(dirs)
}

// drop removes the packages in dirs, and those that depend on them.
func (l *packageLoader) drop(dirs map[string]bool) {
	gone := map[string]bool{}
	for key, p := range l.pkgs {
		if p != nil && dirs[p.dir] {
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
}

// stale drops the packages whose files have changed on disk; it reports whether
// there were any.
func (l *packageLoader) stale() bool {
	dirs := map[string]bool{}
	for _, p := range l.pkgs {
		if p != nil && p.files != nil && !l.fresh(p.dir, p.files) {
			dirs[p.dir] = true
		}
	}
	l.drop(dirs)
	return len(dirs) > 0
}

func (l *packageLoader) fresh(dir string, stamps []goStamp) bool {
	names := l.list(dir)
	if len(names) != len(stamps) {
		return false
	}
	for i, name := range names {
		if s, ok := l.stamp(filepath.Join(dir, name)); !ok || s != stamps[i] {
			return false
		}
	}
	return true
}

// list are the names of the Go files in a folder, in order.
func (l *packageLoader) list(dir string) []string {
	var out []string
	for _, e := range l.deps.Entries(dir) {
		if name := e.Name(); isGoFile(name) && !e.IsDir() && !l.texts[filepath.Join(dir, name)].absent {
			out = append(out, name)
		}
	}
	for abs, t := range l.texts {
		if name := filepath.Base(abs); !t.absent && filepath.Dir(abs) == dir && isGoFile(name) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func (l *packageLoader) stamp(abs string) (goStamp, bool) {
	if t, ok := l.texts[abs]; ok {
		return goStamp{abs: abs, version: t.version, size: int64(len(t.text))}, !t.absent
	}
	info, err := os.Stat(abs)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxGoFile {
		return goStamp{}, false
	}
	return goStamp{abs: abs, size: info.Size(), mod: info.ModTime()}, true
}

func (l *packageLoader) read(abs string) (string, bool) {
	if t, ok := l.texts[abs]; ok {
		return t.text, !t.absent
	}
	data, err := l.deps.ReadFile(abs, maxGoFile)
	return string(data), err == nil
}

// file parses a file without its function bodies. keep is whether it belongs to the
// workspace: then it is parsed even if it is not built on this platform, and kept if its
// package is being edited, since it is read often.
func (l *packageLoader) file(abs string, keep bool) *goFile {
	stamp, ok := l.stamp(abs)
	if !ok {
		return nil
	}
	if f := l.files[abs]; f != nil && f.stamp == stamp {
		return f
	}
	src, ok := l.read(abs)
	if !ok {
		return nil
	}
	f := &goFile{stamp: stamp, cond: conditionOf(filepath.Base(abs), src)}
	if keep || l.ctx.matches(f.cond) {
		f.ast, _ = parser.ParseFile(l.fset, abs, src, parser.SkipObjectResolution)
		withoutBodies(f.ast)
	}
	if keep && l.dirs[filepath.Dir(abs)] {
		l.files[abs] = f
	}
	return f
}

func withoutBodies(f *ast.File) {
	if f == nil {
		return
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
	}
}

// siblings are the parsed files of a package, with their stamps: those whose
// package clause has the given name, with the package's own tests if tests is
// set.
func (l *packageLoader) siblings(dir, pkgName string, tests, keep bool) (asts []*ast.File, stamps []goStamp) {
	for _, name := range l.list(dir) {
		abs := filepath.Join(dir, name)
		if !tests && strings.HasSuffix(name, "_test.go") {
			if keep {
				s, _ := l.stamp(abs)
				stamps = append(stamps, s)
			}
			continue
		}
		f := l.file(abs, keep)
		if f == nil {
			continue
		}
		if keep {
			stamps = append(stamps, f.stamp)
		}
		if f.ast != nil && f.ast.Name != nil && l.ctx.matches(f.cond) && (pkgName == "" || f.ast.Name.Name == pkgName) {
			asts = append(asts, f.ast)
		}
	}
	return asts, stamps
}

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

// load returns the package in a place. At the first use it type-checks its
// declarations and those of its imports.
func (l *packageLoader) load(place deps.Place, tests bool) (*goPackage, error) {
	key := place.Dir
	if tests {
		key += " [test]"
	}
	if p, ok := l.pkgs[key]; ok {
		if p == nil {
			return nil, errCycle
		}
		return p, nil
	}
	l.pkgs[key] = nil // being read
	asts, stamps := l.siblings(place.Dir, "", tests, place.Own)
	name := libraryName(asts)
	asts = slices.DeleteFunc(asts, func(f *ast.File) bool { return f.Name.Name != name })
	if len(asts) == 0 {
		delete(l.pkgs, key)
		return nil, errNoPackage
	}
	p := &goPackage{place: place, dir: place.Dir, tests: tests, files: stamps}
	im := &goImporter{loader: l, dir: place.Dir, uses: &p.uses}
	if !place.Standard && !place.Own && l.root != "" {
		im.dir = l.root
	}
	conf := types.Config{IgnoreFuncBodies: true, FakeImportC: true, Importer: im, Error: func(error) {}}
	p.types, _ = conf.Check(place.Dir, l.fset, asts, nil)
	for _, f := range asts {
		if file := l.fset.File(f.Pos()); file != nil {
			p.sizes.bytes += file.Size()
			p.sizes.files = append(p.sizes.files, file)
		}
	}
	l.pkgs[key] = p
	return p, nil
}

// maxLoaded bounds the source of the packages that are loaded, in bytes, while somebody
// edits; maxLoadedMany where many files are checked. What is kept of one is about five
// times its source.
const (
	maxLoaded     = 6 << 20
	maxLoadedMany = 64 << 20
)

// trim drops the packages that the files checked lately do not need, if there are too
// many. imports are the keys of what the file that is checked now imports, in dir.
func (l *packageLoader) trim(dir string, imports []string) (dropped bool) {
	l.round++
	l.mark(imports)
	total, latest := 0, map[int]int{} // bytes, and of them by round
	for _, p := range l.pkgs {
		if p != nil {
			total += p.sizes.bytes
			latest[p.round] += p.sizes.bytes
		}
	}
	if total <= l.most {
		return false
	}
	oldest := l.round
	for kept := latest[oldest]; oldest > 0 && kept+latest[oldest-1] <= l.most/2; {
		oldest--
		kept += latest[oldest]
	}
	kept := map[string]bool{dir: true}
	l.dirs = map[string]bool{dir: true}
	var gone []*token.File
	for key, p := range l.pkgs {
		switch {
		case p == nil:
		case p.round >= oldest:
			kept[p.dir] = true
		default:
			gone = append(gone, p.sizes.files...)
			delete(l.pkgs, key)
		}
	}
	for abs, f := range l.files {
		if f.ast != nil && !kept[filepath.Dir(abs)] {
			gone = append(gone, l.fset.File(f.ast.Pos()))
			delete(l.files, abs)
		}
	}
	for _, f := range gone {
		if f != nil && !kept[filepath.Dir(f.Name())] {
			l.fset.RemoveFile(f)
		}
	}
	return len(gone) > 0
}

// mark records that packages and all that they import are needed now, so that a package
// that is kept never lacks one that it imports.
func (l *packageLoader) mark(keys []string) {
	for _, key := range keys {
		if p := l.pkgs[key]; p != nil && p.round != l.round {
			p.round = l.round
			l.mark(p.uses)
		}
	}
}

// A goImporter resolves the imports of one package.
type goImporter struct {
	loader *packageLoader
	dir    string
	tested string    // folder whose tests are part of the package, for an external test
	uses   *[]string // keys of the imported packages
	failed map[string]deps.Place
}

func (im *goImporter) Import(importPath string) (*types.Package, error) {
	if importPath == "unsafe" {
		return types.Unsafe, nil
	}
	place := im.loader.deps.GoPackage(im.dir, importPath)
	if place.Status != deps.Found {
		if p, ok := im.proposed(importPath); ok {
			place = p
		}
	}
	if place.Status != deps.Found {
		im.fail(importPath, place)
		return nil, errNoPackage
	}
	tests := im.tested != "" && im.tested == place.Dir
	p, err := im.loader.load(place, tests)
	if err != nil {
		im.fail(importPath, deps.Place{Status: deps.Unknown})
		return nil, err
	}
	if im.uses != nil {
		key := place.Dir
		if tests {
			key += " [test]"
		}
		*im.uses = append(*im.uses, key)
	}
	return p.types, nil
}

// proposed finds a package that exists only in a proposal or in open documents
// so far.
func (im *goImporter) proposed(importPath string) (deps.Place, bool) {
	own, ok := im.loader.deps.GoOwnDir(im.dir, importPath)
	if !ok {
		return deps.Place{}, false
	}
	for abs, t := range im.loader.texts {
		if !t.absent && filepath.Dir(abs) == own && isGoFile(filepath.Base(abs)) {
			return deps.Place{Status: deps.Found, Dir: own, Own: true}, true
		}
	}
	return deps.Place{}, false
}

func (im *goImporter) fail(importPath string, place deps.Place) {
	if im.failed == nil {
		im.failed = map[string]deps.Place{}
	}
	im.failed[importPath] = place
}
