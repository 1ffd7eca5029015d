// Package deps finds what a workspace depends on: the standard library and the
// exact versions of modules and packages that are on this machine's disk.
//
// Invariant: it only reads files, through workspace/disk. It runs no compiler,
// package manager or interpreter, and uses no network. What is not on the disk
// is reported as not installed, never as not existing. What lies outside the
// workspace and in no package manager's place, or is hidden in the workspace,
// serves checks alone (Shown). There is deliberately no building, downloading
// or version solving here.
package deps

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/workspace/disk"
	"tandem/workspace/run"
)

// A Status is the result of resolving an import path.
type Status uint8

// The results of resolving an import path.
const (
	// Unknown: whether the path is right cannot be decided.
	Unknown Status = iota
	// Found: the package is on the disk.
	Found
	// Missing: the module or library that would hold the package is on the
	// disk, and does not hold it.
	Missing
	// NotRequired: nothing that the project requires provides the package.
	NotRequired
	// NotInstalled: the project requires it, and it is not on the disk.
	NotInstalled
)

// A Place is where an import path leads to.
type Place struct {
	Status   Status
	Dir      string // folder of the package, when it is one
	File     string // file of the module, when it is one
	Module   string // module or distribution, "" for the standard library and the workspace itself
	Version  string // its version, where a file on disk records it
	Standard bool   // of the standard library
	Own      bool   // of the workspace itself
	Partial  bool   // a Python folder without __init__ whose other parts may be missing from this disk
}

// Where names the place in a form for users: module@version, or the standard
// library.
func (p Place) Where() string {
	switch {
	case p.Standard:
		return "standard library"
	case p.Module != "" && p.Version != "":
		return p.Module + "@" + p.Version
	case p.Module != "":
		return p.Module
	}
	return ""
}

// Options configure where a Resolver searches.
type Options struct {
	StateDir string              // vocabularies are kept under it; "" keeps none
	Getenv   func(string) string // nil is os.Getenv
	Home     string              // "" is the user's home folder
	Group    *run.Group          // reading ends with it; nil reads to the end
	Gate     func() Gate         // of the workspace as it is now; nil is a machine without workspace
}

// A Resolver finds dependencies. It is safe for concurrent use.
type Resolver struct {
	options Options
	goroot  func() string
	disk    *disk.Reader // all that checks read
	owned   *disk.Reader // outside the workspace: where package managers keep what they install
	inside  *disk.Reader // the same, as far as it lies in the workspace

	mu           sync.Mutex
	modules      map[string]*cachedModule // by folder
	cached       map[string][]string      // import paths of modules, by folder
	stdOnce      sync.Once
	pythons      map[string]*PythonEnv   // by workspace folder
	node         map[string]nodeManifest // by folder
	shown        map[string]bool         // by file; forgotten with expire
	goFolders    map[string]bool         // folders known to have Go files; forgotten with expire
	vocabularies map[string]*Vocabulary
	std          []string
	expiredAt    time.Time // when environments and manifests were last removed from the cache
}

// New returns a resolver. It reads nothing before the first request.
func New(o Options) *Resolver {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Home == "" {
		o.Home, _ = os.UserHomeDir()
	}
	r := &Resolver{options: o, modules: map[string]*cachedModule{}, cached: map[string][]string{},
		pythons: map[string]*PythonEnv{}, node: map[string]nodeManifest{}, vocabularies: map[string]*Vocabulary{},
		shown: map[string]bool{}, goFolders: map[string]bool{}, inside: disk.NewReader()}
	r.goroot = sync.OnceValue(r.findGoroot)
	r.owned = disk.NewReader(append(moduleFolders, r.modCache(), r.crates())...)
	r.disk = disk.NewReader(append(append(r.pythonInstalls(), moduleFolders...), "/usr", "/opt/homebrew",
		r.modCache(), r.crates(), filepath.Join(r.options.Home, "sdk"), filepath.Join(r.options.Home, ".local", "lib"))...)
	return r
}

// GOROOT is the folder of the Go distribution, "" if there is none.
func (r *Resolver) GOROOT() string { return r.goroot() }

// findGoroot searches in the places that the Go environment names, then next to
// the go command that PATH leads to, then in the usual places.
func (r *Resolver) findGoroot() string {
	places := []string{r.options.Getenv("GOROOT")}
	if command := r.findCommand("go"); command != "" {
		places = append(places, filepath.Dir(filepath.Dir(command)))
	}
	places = append(places, "/usr/local/go", "/usr/lib/go", "/usr/lib/golang", "/opt/homebrew/opt/go/libexec", "/usr/local/opt/go/libexec", `C:\Program Files\Go`)
	for _, p := range [][2]string{{"/usr/lib", "go-1.*"}, {filepath.Join(r.options.Home, "sdk"), "go1.*"}, {r.modCache(), "golang.org/toolchain@*"}} {
		found := r.disk.Glob(r.life(), p[0], p[1])
		slices.Reverse(found)
		places = append(places, found...)
	}
	for _, place := range places {
		if filepath.IsAbs(place) && isDir(filepath.Join(place, "src", "fmt")) {
			r.disk.Allow(place)
			r.owned.Allow(place)
			return place
		}
	}
	return ""
}

// findCommand finds a command on PATH without running it. It follows symbolic
// links, so that the result is inside the command's distribution.
func (r *Resolver) findCommand(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(r.options.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if real, err := filepath.EvalSymlinks(filepath.Join(dir, name)); err == nil && isFile(real) {
			return real
		}
	}
	return ""
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// expire removes cached environments and manifests from time to time, because
// they may have changed. The caller holds the lock.
func (r *Resolver) expire() {
	if time.Since(r.expiredAt) < 5*manifestTTL {
		return
	}
	r.expiredAt = time.Now()
	clear(r.pythons)
	clear(r.node)
	clear(r.shown)
	clear(r.goFolders)
}

// WhereOf names the library that a file is a part of, as Place.Where does; ""
// for a file of the workspace itself.
func (r *Resolver) WhereOf(root, file string) string {
	if i := strings.LastIndex(file, modulesFolder); i >= 0 {
		pkg, _ := splitNodeName(filepath.ToSlash(file[i+len(modulesFolder):]))
		m := r.manifest(filepath.Join(file[:i+len(modulesFolder)], filepath.FromSlash(pkg)))
		return Place{Module: pkg, Version: m.Version}.Where()
	}
	if filepath.Ext(file) != ".py" && filepath.Ext(file) != ".pyi" {
		return ""
	}
	env := r.PythonEnv(root)
	if env == nil {
		return ""
	}
	for _, site := range env.Sites {
		if rest, ok := strings.CutPrefix(file, site+string(filepath.Separator)); ok {
			top, _, _ := strings.Cut(filepath.ToSlash(rest), "/")
			top, _, _ = strings.Cut(top, ".")
			return Place{Module: top, Version: r.pythonVersion(site, top)}.Where()
		}
	}
	if strings.HasPrefix(file, env.Lib+string(filepath.Separator)) {
		return "standard library"
	}
	return ""
}

// modulesFolder is where Node.js keeps packages.
const modulesFolder = string(filepath.Separator) + "node_modules" + string(filepath.Separator)
