package deps

import (
	"cmp"
	"go/version"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"tandem/workspace/disk"
)

// A goModule is the main module (or workspace of modules) that a folder belongs
// to, with its requirements.
type goModule struct {
	root     string   // folder of go.mod, or of go.work
	main     []goRoot // modules whose source is in the workspace
	required []goRoot // longest path first
	vendor   string   // folder, "" when not vendored
	sums     map[string]string
	newestGo string // the newest version of Go that a module of the workspace asks for
}

// A goRoot is a module and its folder; dir is "" when it is not on the disk.
type goRoot struct {
	path, version, dir string
}

// Go finds packages of Go: by go.mod and go.work, in the module cache, in vendor folders
// and in the standard library.
type Go struct {
	*reader
	goroot       func() string   // the folder of the Go distribution, "" if there is none
	standardList func() []string // import paths of the standard library
	folders      recent[bool]    // that have Go files

	mu       sync.Mutex
	modules  map[string]*cachedModule // by folder
	packages map[string][]string      // import paths of modules, by folder
}

func newGo(r *reader) *Go {
	g := &Go{reader: r, modules: map[string]*cachedModule{}, packages: map[string][]string{}}
	g.goroot = sync.OnceValue(g.findRoot)
	g.standardList = sync.OnceValue(func() []string { return g.packagesUnder(goRoot{dir: filepath.Join(g.goroot(), "src")}) })
	return g
}

// Package finds the folder of a Go package that a file in dir imports.
func (r *Go) Package(dir, importPath string) Place {
	if p, ok := r.standard(dir, importPath); ok {
		return p
	}
	m := r.moduleOf(dir)
	if m == nil {
		return Place{Status: Unknown}
	}
	if p, ok := r.own(m, importPath); ok {
		return p
	}
	if m.vendor != "" {
		at := filepath.Join(m.vendor, filepath.FromSlash(importPath))
		p := r.vendored(m, importPath, at)
		if r.hasGoFiles(at) || p.Status == Missing {
			return p
		}
	}
	if first, _, _ := strings.Cut(importPath, "/"); !strings.Contains(first, ".") {
		if r.goroot() != "" && !m.inPrefix(importPath) {
			return Place{Status: Missing, Standard: true}
		}
	}
	return r.required(m, importPath)
}

// standard finds a package of the standard library, or one that the standard
// library itself vendors when dir is in it.
func (r *Go) standard(dir, importPath string) (Place, bool) {
	root := r.goroot()
	if root == "" || importPath == "" || strings.HasPrefix(importPath, ".") {
		return Place{}, false
	}
	src := filepath.Join(root, "src")
	at := filepath.Join(src, filepath.FromSlash(importPath))
	first, _, _ := strings.Cut(importPath, "/")
	if !strings.Contains(first, ".") && r.hasGoFiles(at) {
		return Place{Status: Found, Dir: at, Standard: true}, true
	}
	if inside(src, dir) || r.standardModule(dir) {
		for _, vendor := range []string{filepath.Join(src, "vendor"), filepath.Join(src, "cmd", "vendor")} {
			if at := filepath.Join(vendor, filepath.FromSlash(importPath)); r.hasGoFiles(at) {
				return Place{Status: Found, Dir: at, Standard: true}, true
			}
		}
	}
	return Place{}, false
}

// standardModule reports whether dir belongs to a copy of the standard library.
func (r *Go) standardModule(dir string) bool {
	m := r.moduleOf(dir)
	return m != nil && len(m.main) > 0 && (m.main[0].path == "std" || m.main[0].path == "cmd")
}

func inside(root, dir string) bool {
	rel, err := filepath.Rel(root, dir)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// hasGoFiles reports whether a folder has Go files. That it has none is asked of the disk
// each time: it may be new.
func (r *Go) hasGoFiles(dir string) bool {
	if _, known := r.folders.look(dir); known {
		return true
	}
	found := slices.ContainsFunc(r.Entries(dir), func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), ".go") })
	if found {
		r.folders.store(dir, true)
	}
	return found
}

// under returns the folder of importPath in the module, when its path leads
// there.
func (g goRoot) under(importPath string) (string, bool) {
	rest, ok := strings.CutPrefix(importPath, g.path)
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return filepath.Join(g.dir, filepath.FromSlash(strings.TrimPrefix(rest, "/"))), true
}

func (m *goModule) inPrefix(importPath string) bool {
	for _, g := range m.required {
		if _, ok := g.under(importPath); ok {
			return true
		}
	}
	return false
}

// own finds a package of the workspace's own modules, the longest path first.
func (r *Go) own(m *goModule, importPath string) (Place, bool) {
	best, cached := Place{}, -1
	for _, g := range m.main {
		at, ok := g.under(importPath)
		if !ok || len(g.path) <= cached {
			continue
		}
		if r.hasGoFiles(at) {
			best, cached = Place{Status: Found, Dir: at, Own: true}, len(g.path)
		} else if best.Status != Found && !m.inPrefix(importPath) {
			best, cached = Place{Status: Missing, Module: g.path, Own: true}, len(g.path)
		}
	}
	return best, cached >= 0
}

// vendored is the place of a package in the vendor folder, which holds every
// required module that the build may use.
func (r *Go) vendored(m *goModule, importPath, at string) Place {
	p := Place{Status: Found, Dir: at, Module: importPath}
	required := false
	for _, g := range m.required {
		if _, ok := g.under(importPath); ok {
			p.Module, p.Version, required = g.path, g.version, true
			break
		}
	}
	if required && !r.hasGoFiles(at) {
		p.Status, p.Dir = Missing, ""
	}
	return p
}

// required finds a package in the modules that go.mod requires, or in
// one that go.sum proves to be an indirect requirement.
func (r *Go) required(m *goModule, importPath string) Place {
	absent := Place{Status: NotRequired}
	for _, g := range m.required {
		at, ok := g.under(importPath)
		if !ok {
			continue
		}
		r.disk.Allow(g.dir) // a replacement may lie anywhere; it serves checks
		switch {
		case g.dir == "" || len(r.Entries(g.dir)) == 0: // a submodule that is not checked out is an empty folder
			return Place{Status: NotInstalled, Module: g.path, Version: g.version}
		case r.hasGoFiles(at):
			return Place{Status: Found, Dir: at, Module: g.path, Version: g.version}
		case absent.Status == NotRequired:
			absent = Place{Status: Missing, Module: g.path, Version: g.version}
		}
	}
	if absent.Status == Missing {
		return absent
	}
	for prefix := importPath; prefix != "." && prefix != "/"; prefix = path.Dir(prefix) {
		version, ok := m.sums[prefix]
		if !ok {
			continue
		}
		g := goRoot{prefix, version, r.moduleDir(prefix, version)}
		if at, _ := g.under(importPath); g.dir != "" && r.hasGoFiles(at) {
			return Place{Status: Found, Dir: at, Module: prefix, Version: version}
		}
		return Place{Status: NotInstalled, Module: prefix, Version: version}
	}
	return absent
}

// moduleDir is the folder of a version of a module, "" when it does not exist.
func (r *Go) moduleDir(modulePath, version string) string {
	escaped, err := module.EscapePath(modulePath)
	if err != nil {
		return ""
	}
	escapedVersion, err := module.EscapeVersion(version)
	if err != nil {
		return ""
	}
	dir := filepath.Join(r.options.modCache(), filepath.FromSlash(escaped)+"@"+escapedVersion)
	if !disk.IsDir(dir) {
		return ""
	}
	return dir
}

// ModuleRoot is the folder of the go.work or go.mod that governs dir, "" if
// there is none.
func (r *Go) ModuleRoot(dir string) string {
	if m := r.moduleOf(dir); m != nil {
		return m.root
	}
	return ""
}

// Newer is the version of Go that the module of a folder asks for, where this machine's
// library or the checker is older; "" where it is not. What such a version brings is not known.
func (r *Go) Newer(dir string) string {
	m := r.moduleOf(dir)
	if m == nil || m.newestGo == "" {
		return ""
	}
	data, _ := r.manifestIn(r.goroot(), "VERSION")
	library, _, _ := strings.Cut(string(data), "\n")
	for _, have := range []string{strings.TrimSpace(library), runtime.Version()} {
		if version.IsValid(have) && version.Compare("go"+m.newestGo, have) > 0 {
			return m.newestGo
		}
	}
	return ""
}

// A cachedModule is a main module as its files were when they were last
// checked.
type cachedModule struct {
	module    *goModule
	stamp     string
	checkedAt time.Time
}

// manifestTTL is how long manifests are taken to be unchanged.
const manifestTTL = 2 * time.Second

// moduleOf is the main module of a folder, read again when its files change.
func (r *Go) moduleOf(dir string) *goModule {
	r.mu.Lock()
	defer r.mu.Unlock()
	cached, ok := r.modules[dir]
	if ok && time.Since(cached.checkedAt) < manifestTTL {
		return cached.module
	}
	root := above(dir, "go.mod")
	if root == "" {
		r.modules[dir] = &cachedModule{checkedAt: time.Now()}
		return nil
	}
	if root != dir {
		if cached = r.modules[root]; cached != nil && time.Since(cached.checkedAt) < manifestTTL {
			r.modules[dir] = cached
			return cached.module
		}
	}
	r.disk.Allow(root)
	stamp := stampsOf([]string{filepath.Join(root, "go.mod"), filepath.Join(root, "go.sum"), filepath.Join(r.workOf(dir), "go.work"), filepath.Join(root, "vendor", "modules.txt")})
	if cached == nil || cached.stamp != stamp {
		cached = &cachedModule{module: r.readModule(root), stamp: stamp}
	}
	cached.checkedAt = time.Now()
	r.modules[dir], r.modules[root] = cached, cached
	return cached.module
}

func (r *Go) readModule(root string) *goModule {
	m := &goModule{root: root, sums: map[string]string{}}
	var replaces []*modfile.Replace
	folders := []string{root}
	if work := r.workOf(root); work != "" {
		r.disk.Allow(work)
		if used, replaced := r.readWork(work); slices.Contains(used, root) {
			m.root, folders, replaces = work, used, replaced
		}
	}
	var requires []module.Version
	left := maxGoMods
	for _, folder := range folders {
		r.disk.Allow(folder)
		f := r.readGoMod(folder, &left)
		if f == nil || f.Module == nil {
			continue
		}
		m.main = append(m.main, goRoot{path: f.Module.Mod.Path, dir: folder})
		if f.Go != nil && version.Compare("go"+f.Go.Version, "go"+m.newestGo) > 0 {
			m.newestGo = f.Go.Version
		}
		for _, q := range f.Require {
			requires = append(requires, q.Mod)
		}
		replaces = append(replaces, replacesIn(folder, f.Replace)...)
		r.readSums(m, folder)
	}
	m.require(r, requires, replaces)
	if disk.IsFile(filepath.Join(m.root, "vendor", "modules.txt")) && !strings.Contains(r.options.Getenv("GOFLAGS"), "-mod=mod") {
		m.vendor = filepath.Join(m.root, "vendor")
		r.allowInside(m.root, "vendor")
	}
	return m
}

func (r *Go) workOf(dir string) string {
	switch work := r.options.Getenv("GOWORK"); work {
	case "off":
		return ""
	case "":
		return above(dir, "go.work")
	default:
		return filepath.Dir(work)
	}
}

func (r *Go) readWork(dir string) (used []string, replaces []*modfile.Replace) {
	data, ok := r.manifestIn(dir, "go.work")
	if !ok {
		return nil, nil
	}
	f, err := modfile.ParseWork("go.work", data, nil)
	if err != nil {
		return nil, nil
	}
	for _, u := range f.Use {
		at := filepath.FromSlash(u.Path)
		if !filepath.IsAbs(at) {
			at = filepath.Join(dir, at)
		}
		used = append(used, filepath.Clean(at))
	}
	slices.Sort(used)
	used = slices.Compact(used)
	return used, replacesIn(dir, f.Replace)
}

// replacesIn are the replacements of a file in a folder, whose folders become absolute.
func replacesIn(dir string, list []*modfile.Replace) []*modfile.Replace {
	for _, rep := range list {
		if modfile.IsDirectoryPath(rep.New.Path) && !filepath.IsAbs(rep.New.Path) {
			rep.New.Path = filepath.Join(dir, filepath.FromSlash(rep.New.Path))
		}
	}
	return list
}

// maxGoMods bounds the go.mod files of one workspace, in bytes: to parse them takes some 50
// times as much.
const maxGoMods = 2 << 20

// readGoMod reads a go.mod if it is not larger than what is left, without the replace lines
// if some line is wrong.
func (r *Go) readGoMod(dir string, left *int) *modfile.File {
	data, ok := r.manifestIn(dir, "go.mod")
	if *left -= len(data); !ok || *left < 0 {
		return nil
	}
	if strict, err := modfile.Parse("go.mod", data, nil); err == nil {
		return strict
	}
	f, _ := modfile.ParseLax("go.mod", data, nil)
	return f
}

// readSums records which version of each module go.sum holds the source of, the
// highest of several.
func (r *Go) readSums(m *goModule, folder string) {
	data, ok := r.manifestIn(folder, "go.sum")
	if !ok {
		return
	}
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) != 3 || strings.HasSuffix(f[1], "/go.mod") {
			continue
		}
		if old := m.sums[f[0]]; old == "" || semver.Compare(f[1], old) > 0 {
			m.sums[f[0]] = f[1]
		}
	}
}

// require records the folders of the required modules, after replacements.
func (m *goModule) require(r *Go, requires []module.Version, replaces []*modfile.Replace) {
	best := map[string]string{}
	for _, q := range requires {
		if old, ok := best[q.Path]; !ok || semver.Compare(q.Version, old) > 0 {
			best[q.Path] = q.Version
		}
	}
	for _, rep := range replaces {
		if _, ok := best[rep.Old.Path]; !ok {
			best[rep.Old.Path] = rep.Old.Version
		}
	}
	replaced := map[module.Version]*modfile.Replace{}
	for _, rep := range replaces {
		if replaced[rep.Old] == nil {
			replaced[rep.Old] = rep
		}
	}
	for modulePath, version := range best {
		g := goRoot{path: modulePath, version: version}
		rep := cmp.Or(replaced[module.Version{Path: modulePath, Version: version}], replaced[module.Version{Path: modulePath}])
		switch {
		case rep == nil:
			g.dir = r.moduleDir(modulePath, version)
		case modfile.IsDirectoryPath(rep.New.Path) || filepath.IsAbs(rep.New.Path):
			g.dir, g.version = rep.New.Path, ""
		default:
			g.dir, g.version = r.moduleDir(rep.New.Path, rep.New.Version), rep.New.Version
		}
		m.required = append(m.required, g)
	}
	slices.SortFunc(m.required, func(a, b goRoot) int { return len(b.path) - len(a.path) })
}

// OwnDir is the folder that an import path means in the workspace's own
// modules, whether that folder exists or not.
func (r *Go) OwnDir(dir, importPath string) (string, bool) {
	m := r.moduleOf(dir)
	if m == nil {
		return "", false
	}
	best, cached := "", -1
	for _, g := range m.main {
		if at, ok := g.under(importPath); ok && len(g.path) > cached {
			best, cached = at, len(g.path)
		}
	}
	return best, cached >= 0
}

// findRoot searches in the places that the Go environment names, then next to
// the go command that PATH leads to, then in the usual places.
func (r *Go) findRoot() string {
	places := []string{r.options.Getenv("GOROOT")}
	if command := r.command("go"); command != "" {
		places = append(places, filepath.Dir(filepath.Dir(command)))
	}
	places = append(places, "/usr/local/go", "/usr/lib/go", "/usr/lib/golang", "/opt/homebrew/opt/go/libexec", "/usr/local/opt/go/libexec", `C:\Program Files\Go`)
	for _, p := range [][2]string{{"/usr/lib", "go-1.*"}, {filepath.Join(r.options.Home, "sdk"), "go1.*"}, {r.options.modCache(), "golang.org/toolchain@*"}} {
		found := r.disk.Glob(r.life(), p[0], p[1])
		slices.Reverse(found)
		places = append(places, found...)
	}
	for _, place := range places {
		if filepath.IsAbs(place) && disk.IsDir(filepath.Join(place, "src", "fmt")) {
			r.disk.Allow(place)
			r.owned.Allow(place)
			return place
		}
	}
	return ""
}
