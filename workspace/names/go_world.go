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

// A goWorld holds the packages that one main module sees on one platform, as
// far as somebody asked for them. Function bodies are not kept.
type goWorld struct {
	deps  *deps.Resolver
	root  string // of the main module, which decides on versions
	ctx   goContext
	fset  *token.FileSet
	pkgs  map[string]*goPackage // by key
	texts map[string]goText     // overrides of the disk, by absolute path
	files map[string]*goFile    // parsed files of the workspace itself, by absolute path
}

// A goText is a text that stands before the file on disk.
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
}

// A goStamp tells whether a file is still what was read.
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

func newGoWorld(r *deps.Resolver, root string, ctx goContext) *goWorld {
	return &goWorld{deps: r, root: root, ctx: ctx, fset: token.NewFileSet(), pkgs: map[string]*goPackage{}, texts: map[string]goText{}, files: map[string]*goFile{}}
}

// with is the world in which a proposal's texts hold: it shares every package
// that does not depend on them.
func (w *goWorld) with(texts map[string]goText) *goWorld {
	next := &goWorld{deps: w.deps, root: w.root, ctx: w.ctx, fset: w.fset, pkgs: maps.Clone(w.pkgs), texts: maps.Clone(w.texts), files: maps.Clone(w.files)}
	next.set(texts)
	return next
}

// set gives files texts of their own, and drops what was made of others.
func (w *goWorld) set(texts map[string]goText) {
	dirs := map[string]bool{}
	for abs, t := range texts {
		if old, ok := w.texts[abs]; !ok || old.version != t.version || old.text != t.text || old.absent != t.absent {
			w.texts[abs] = t
			dirs[filepath.Dir(abs)] = true
		}
	}
	w.drop(dirs)
}

// unset lets files be what the disk says.
func (w *goWorld) unset(gone []string) {
	dirs := map[string]bool{}
	for _, abs := range gone {
		delete(w.texts, abs)
		dirs[filepath.Dir(abs)] = true
	}
	w.drop(dirs)
}

// drop forgets the packages in dirs, and those that were built on them.
func (w *goWorld) drop(dirs map[string]bool) {
	gone := map[string]bool{}
	for key, p := range w.pkgs {
		if p != nil && dirs[p.dir] {
			gone[key] = true
		}
	}
	for grew := len(gone) > 0; grew; {
		grew = false
		for key, p := range w.pkgs {
			if p != nil && !gone[key] && slices.ContainsFunc(p.uses, func(u string) bool { return gone[u] }) {
				gone[key], grew = true, true
			}
		}
	}
	for key := range gone {
		delete(w.pkgs, key)
	}
}

// stale drops the packages whose files have changed on disk; it reports
// whether there were any.
func (w *goWorld) stale() bool {
	dirs := map[string]bool{}
	for _, p := range w.pkgs {
		if p != nil && p.files != nil && !w.fresh(p.dir, p.files) {
			dirs[p.dir] = true
		}
	}
	w.drop(dirs)
	return len(dirs) > 0
}

func (w *goWorld) fresh(dir string, stamps []goStamp) bool {
	names := w.list(dir)
	if len(names) != len(stamps) {
		return false
	}
	for i, name := range names {
		if s, ok := w.stamp(filepath.Join(dir, name)); !ok || s != stamps[i] {
			return false
		}
	}
	return true
}

// list are the names of the Go files in a folder, in order.
func (w *goWorld) list(dir string) []string {
	var out []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if name := e.Name(); isGoFile(name) && !e.IsDir() && !w.texts[filepath.Join(dir, name)].absent {
			out = append(out, name)
		}
	}
	for abs, t := range w.texts {
		if name := filepath.Base(abs); !t.absent && filepath.Dir(abs) == dir && isGoFile(name) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func (w *goWorld) stamp(abs string) (goStamp, bool) {
	if t, ok := w.texts[abs]; ok {
		return goStamp{abs: abs, version: t.version, size: int64(len(t.text))}, !t.absent
	}
	info, err := os.Stat(abs)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxGoFile {
		return goStamp{}, false
	}
	return goStamp{abs: abs, size: info.Size(), mod: info.ModTime()}, true
}

func (w *goWorld) read(abs string) (string, bool) {
	if t, ok := w.texts[abs]; ok {
		return t.text, !t.absent
	}
	data, err := os.ReadFile(abs)
	return string(data), err == nil
}

// file parses a file, function bodies left out. Files of the workspace are
// kept, since their packages are read again and again.
func (w *goWorld) file(abs string, keep bool) *goFile {
	stamp, ok := w.stamp(abs)
	if !ok {
		return nil
	}
	if f := w.files[abs]; f != nil && f.stamp == stamp {
		return f
	}
	src, ok := w.read(abs)
	if !ok {
		return nil
	}
	f := &goFile{stamp: stamp, cond: conditionOf(filepath.Base(abs), src)}
	if keep || w.ctx.matches(f.cond) {
		f.ast, _ = parser.ParseFile(w.fset, abs, src, parser.SkipObjectResolution)
		withoutBodies(f.ast)
	}
	if keep {
		w.files[abs] = f
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

// siblings are the parsed files of a package, with their stamps: those of the
// clause's name, tests of the package itself included when asked for.
func (w *goWorld) siblings(dir, pkgName string, tests, keep bool) (asts []*ast.File, stamps []goStamp) {
	for _, name := range w.list(dir) {
		abs := filepath.Join(dir, name)
		if !tests && strings.HasSuffix(name, "_test.go") {
			if keep {
				s, _ := w.stamp(abs)
				stamps = append(stamps, s)
			}
			continue
		}
		f := w.file(abs, keep)
		if f == nil {
			continue
		}
		if keep {
			stamps = append(stamps, f.stamp)
		}
		if f.ast != nil && f.ast.Name != nil && w.ctx.matches(f.cond) && (pkgName == "" || f.ast.Name.Name == pkgName) {
			asts = append(asts, f.ast)
		}
	}
	return asts, stamps
}

// libraryName is the package that the files of a folder make together: that of
// most of them, tests and documentation aside.
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

// load returns the package in a place, type-checking its declarations and
// those of all it imports where nobody asked before.
func (w *goWorld) load(place deps.Place, tests bool) (*goPackage, error) {
	key := place.Dir
	if tests {
		key += " [test]"
	}
	if p, ok := w.pkgs[key]; ok {
		if p == nil {
			return nil, errCycle
		}
		return p, nil
	}
	w.pkgs[key] = nil // being read
	asts, stamps := w.siblings(place.Dir, "", tests, place.Own)
	name := libraryName(asts)
	asts = slices.DeleteFunc(asts, func(f *ast.File) bool { return f.Name.Name != name })
	if len(asts) == 0 {
		delete(w.pkgs, key)
		return nil, errNoPackage
	}
	p := &goPackage{place: place, dir: place.Dir, tests: tests, files: stamps}
	im := &goImporter{w: w, dir: place.Dir, uses: &p.uses}
	if !place.Standard && !place.Own && w.root != "" {
		im.dir = w.root
	}
	conf := types.Config{IgnoreFuncBodies: true, FakeImportC: true, Importer: im, Error: func(error) {}}
	p.types, _ = conf.Check(place.Dir, w.fset, asts, nil)
	w.pkgs[key] = p
	return p, nil
}

// A goImporter resolves the imports of one package.
type goImporter struct {
	w      *goWorld
	dir    string
	tested string    // folder whose tests are part of the package, for a test from outside
	uses   *[]string // keys of what was imported
	failed map[string]deps.Place
}

func (im *goImporter) Import(importPath string) (*types.Package, error) {
	if importPath == "unsafe" {
		return types.Unsafe, nil
	}
	place := im.w.deps.GoPackage(im.dir, importPath)
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
	p, err := im.w.load(place, tests)
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

// proposed finds a package that so far exists in a proposal or in open
// documents only.
func (im *goImporter) proposed(importPath string) (deps.Place, bool) {
	own, ok := im.w.deps.GoOwnDir(im.dir, importPath)
	if !ok {
		return deps.Place{}, false
	}
	for abs, t := range im.w.texts {
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
