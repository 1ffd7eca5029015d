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
	"strings"

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
	Instead  string // the version that is installed in the place of the one that the project's lock has
	Standard bool   // of the standard library
	Names    string // the name by which StandardNames knows the module, "" where it does not
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
	StateDir string              // vocabularies and types are kept under it; "" keeps none
	Getenv   func(string) string // nil is os.Getenv
	Home     string              // "" is the user's home folder
	Group    *run.Group          // reading ends with it; nil reads to the end
	Gate     func() Gate         // of the workspace as it is now; nil is a machine without workspace
}

// A Resolver finds dependencies, of each language by its own rules, over one reader.
// It is safe for concurrent use.
type Resolver struct {
	*reader
	Go           *Go
	Python       *Python
	Node         *Node
	Vocabularies *Vocabularies
}

// New returns a resolver. It reads nothing before the first request.
func New(o Options) *Resolver {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Home == "" {
		o.Home, _ = os.UserHomeDir()
	}
	r := newReader(o)
	return &Resolver{reader: r, Go: newGo(r), Python: &Python{reader: r}, Node: &Node{reader: r}, Vocabularies: newVocabularies(r)}
}

// WhereOf names the library that a file is a part of, as Place.Where does; ""
// for a file of the workspace itself.
func (r *Resolver) WhereOf(root, file string) string {
	if i := strings.LastIndex(file, modulesFolder); i >= 0 {
		pkg, _ := splitNodeName(filepath.ToSlash(file[i+len(modulesFolder):]))
		m := r.Node.manifest(filepath.Join(file[:i+len(modulesFolder)], filepath.FromSlash(pkg)))
		return Place{Module: pkg, Version: m.Version}.Where()
	}
	if filepath.Ext(file) != ".py" && filepath.Ext(file) != ".pyi" {
		return ""
	}
	env := r.Python.Env(root)
	if env == nil {
		return ""
	}
	for _, site := range env.Sites {
		if rest, ok := strings.CutPrefix(file, site+string(filepath.Separator)); ok {
			top, _, _ := strings.Cut(filepath.ToSlash(rest), "/")
			top, _, _ = strings.Cut(top, ".")
			return Place{Module: top, Version: r.Python.version(site, top)}.Where()
		}
	}
	if strings.HasPrefix(file, env.Lib+string(filepath.Separator)) {
		return "standard library"
	}
	return ""
}

// IsManifest reports whether a file declares what a project requires.
func IsManifest(file string) bool {
	for _, pattern := range append(requirementFiles, "package.json", "deno.json", "deno.jsonc", "bower.json") {
		if ok, _ := filepath.Match(pattern, filepath.Base(file)); ok {
			return true
		}
	}
	return false
}

// modulesFolder is where Node.js keeps packages.
const modulesFolder = string(filepath.Separator) + "node_modules" + string(filepath.Separator)
