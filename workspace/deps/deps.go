// Package deps finds what a workspace depends on: the standard library and
// the exact versions of modules and packages that are on this machine's disk,
// and reads their exported API.
//
// Invariant: it only reads, and runs nothing: no compiler, package manager or
// interpreter is asked, and no network. What is not on the disk is reported as
// not installed, never as not existing. There is deliberately no building,
// downloading or version solving here.
package deps

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"tandem/workspace/run"
)

// A Status says how an import path was resolved.
type Status uint8

// The ways an import path can end.
const (
	// Unknown: it cannot be told whether the path is right.
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

// A Place is where an import path leads.
type Place struct {
	Status   Status
	Dir      string // folder of the package, when it is one
	File     string // file of the module, when it is one
	Module   string // module or distribution, "" for the standard library and the workspace itself
	Version  string // its version, where the disk says so
	Standard bool   // of the standard library
	Own      bool   // of the workspace itself
}

// Where names the place for a person: module@version, or the standard library.
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

// Options say where a Resolver looks.
type Options struct {
	StateDir string              // APIs are kept under it; "" keeps none
	Getenv   func(string) string // nil is os.Getenv
	Home     string              // "" is the user's home folder
	Group    *run.Group          // reads what takes longer than a window may wait; nil reads at once
}

// A Resolver finds dependencies. It is safe for concurrent use.
type Resolver struct {
	options Options
	goroot  func() string

	mu           sync.Mutex
	modules      map[string]*heldModule // by folder
	held         map[string][]string    // import paths of modules, by folder
	stdOnce      sync.Once
	pythons      map[string]*PythonEnv   // by workspace folder
	node         map[string]nodeManifest // by folder
	apis         map[string]*API
	asked        map[string]*API // by what asked; nil for what is not there
	vocabularies map[string]*Vocabulary
	std          []string
	aged         time.Time // when environments and manifests were last forgotten
}

// New returns a resolver. It reads nothing until it is asked.
func New(o Options) *Resolver {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Home == "" {
		o.Home, _ = os.UserHomeDir()
	}
	r := &Resolver{options: o, modules: map[string]*heldModule{}, held: map[string][]string{},
		pythons: map[string]*PythonEnv{}, node: map[string]nodeManifest{}, vocabularies: map[string]*Vocabulary{},
		apis: map[string]*API{}, asked: map[string]*API{}}
	r.goroot = sync.OnceValue(r.findGoroot)
	return r
}

// GOROOT is the folder of the Go distribution, "" where there is none.
func (r *Resolver) GOROOT() string { return r.goroot() }

// findGoroot looks where a Go distribution says it is, then beside the go
// command that PATH leads to, then in the usual places.
func (r *Resolver) findGoroot() string {
	places := []string{r.options.Getenv("GOROOT")}
	if command := r.lookPath("go"); command != "" {
		places = append(places, filepath.Dir(filepath.Dir(command)))
	}
	places = append(places, "/usr/local/go", "/usr/lib/go", "/usr/lib/golang", "/opt/homebrew/opt/go/libexec", "/usr/local/opt/go/libexec", `C:\Program Files\Go`)
	for _, pattern := range []string{"/usr/lib/go-1.*", filepath.Join(r.options.Home, "sdk", "go1.*"), filepath.Join(r.modCache(), "golang.org", "toolchain@*")} {
		found, _ := filepath.Glob(pattern)
		for i := len(found) - 1; i >= 0; i-- {
			places = append(places, found[i])
		}
	}
	for _, place := range places {
		if place != "" && isDir(filepath.Join(place, "src", "fmt")) {
			return place
		}
	}
	return ""
}

// lookPath finds a command on PATH without running it; symbolic links are
// followed, so that it lies in its distribution.
func (r *Resolver) lookPath(name string) string {
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

// age forgets what is remembered of environments and manifests, which may have
// changed, now and then. The caller holds the lock.
func (r *Resolver) age() {
	if time.Since(r.aged) < 5*believed {
		return
	}
	r.aged = time.Now()
	clear(r.pythons)
	clear(r.node)
	clear(r.asked)
}

// WhereOf says of which library a file is a part, as Place.Where does; "" for a
// file of the workspace itself.
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
			return Place{Module: top, Version: pythonVersion(site, top)}.Where()
		}
	}
	if strings.HasPrefix(file, env.Lib+string(filepath.Separator)) {
		return "standard library"
	}
	return ""
}

// modulesFolder is where Node.js keeps packages.
const modulesFolder = string(filepath.Separator) + "node_modules" + string(filepath.Separator)
