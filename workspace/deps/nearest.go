package deps

import (
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tandem/workspace/disk"
)

// Nearest is the existing import path that a wrong one most likely
// means, chosen by choose among those whose go.mod's folder shows accepts; ""
// when none is similar.
func (r *Go) Nearest(dir, importPath string, shows func(file string) bool, choose func(name string, candidates iter.Seq[string]) string) string {
	var list []string
	first, _, _ := strings.Cut(importPath, "/")
	if !strings.Contains(first, ".") {
		list = append(list, r.Standard()...)
	}
	if m := r.moduleOf(dir); m != nil {
		for _, g := range slices.Concat(m.main, m.required) {
			if g.dir != "" && strings.HasPrefix(importPath, path.Dir(g.path)) && shows(filepath.Join(g.dir, "go.mod")) {
				r.disk.Allow(g.dir)
				list = append(list, r.packagesUnder(g)...)
			}
		}
	}
	return choose(importPath, slices.Values(list))
}

// Standard are the import paths of the standard library that other
// modules may import.
func (r *Go) Standard() []string {
	if r.goroot() == "" {
		return nil
	}
	return r.standardList()
}

// Own are the import paths of the workspace's own modules.
func (r *Go) Own(dir string) []string {
	m := r.moduleOf(dir)
	if m == nil {
		return nil
	}
	var out []string
	for _, g := range m.main {
		out = append(out, r.packagesUnder(g)...)
	}
	return out
}

// Required are the import paths of the modules that go.mod requires
// and that are on the disk, whose last element (without a version suffix) is
// name.
func (r *Go) Required(dir, name string) []string {
	m := r.moduleOf(dir)
	if m == nil {
		return nil
	}
	var out []string
	for _, g := range m.required {
		if g.dir == "" {
			continue
		}
		for _, p := range r.packagesOf(g) {
			if GoPackageName(p) == name {
				out = append(out, p)
			}
		}
	}
	return out
}

func (r *Go) packagesOf(g goRoot) []string {
	r.mu.Lock()
	list, ok := r.packages[g.dir]
	r.mu.Unlock()
	if ok {
		return list
	}
	r.disk.Allow(g.dir)
	list = r.packagesUnder(g)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.packages[g.dir] = list
	return list
}

// GoPackageName is the name that a package most likely has, derived from its
// path.
func GoPackageName(importPath string) string {
	base := path.Base(importPath)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" && path.Dir(importPath) != "." {
		base = path.Base(path.Dir(importPath))
	}
	base, _, _ = strings.Cut(base, ".")
	return strings.TrimPrefix(base, "go-")
}

// maxListed bounds how many packages of a module are listed.
const maxListed = 6000

// packagesUnder lists the import paths of a module's packages that others may
// import.
func (r *Go) packagesUnder(g goRoot) []string {
	var out []string
	_ = r.disk.Walk(r.life(), g.dir, func(at string, d fs.DirEntry) error { // it ends early with the program
		if !d.IsDir() {
			return nil
		}
		name := d.Name()
		if at != g.dir && (name == "testdata" || name == "internal" || name == "vendor" || name == "cmd" && g.path == "" || name == "node_modules" || name[0] == '.' || name[0] == '_' || disk.IsFile(filepath.Join(at, "go.mod"))) {
			return fs.SkipDir
		}
		if len(out) >= maxListed {
			return fs.SkipAll
		}
		rel, err := filepath.Rel(g.dir, at)
		if err == nil && r.hasLibrary(at) {
			out = append(out, strings.TrimPrefix(path.Join(g.path, filepath.ToSlash(rel)), "./"))
		}
		return nil
	})
	return out
}

func (r *Go) hasLibrary(dir string) bool {
	return slices.ContainsFunc(r.Entries(dir), func(e fs.DirEntry) bool {
		return strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go")
	})
}
