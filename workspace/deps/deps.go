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
	"sync"

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
	modules      map[string]*goModule // by go.mod's folder; nil for a folder without one
	held         map[string][]string  // import paths of modules, by folder
	stdOnce      sync.Once
	pythons      map[string]*PythonEnv   // by workspace folder
	node         map[string]nodeManifest // by folder
	apis         map[string]*API
	asked        map[string]*API // by what asked; nil for what is not there
	vocabularies map[string]*Vocabulary
	std          []string
}

// New returns a resolver. It reads nothing until it is asked.
func New(o Options) *Resolver {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Home == "" {
		o.Home, _ = os.UserHomeDir()
	}
	r := &Resolver{options: o, modules: map[string]*goModule{}, held: map[string][]string{},
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

// Forget drops what is remembered of the projects' own manifests (go.mod,
// package.json, environments), which may have changed.
func (r *Resolver) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.modules)
	clear(r.pythons)
	clear(r.node)
	clear(r.asked)
}
