package deps

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Crate finds the crate that a path of a Rust file begins with, in the version
// of the nearest Cargo.lock.
func (r *Resolver) Crate(fromFile, usePath string) Place {
	name, _, _ := strings.Cut(usePath, "::")
	switch name {
	case "", "crate", "self", "super":
		return Place{Status: Found, Own: true}
	case "std", "core", "alloc":
		return Place{Status: Unknown, Standard: true}
	}
	root := above(filepath.Dir(fromFile), "Cargo.lock")
	if root == "" {
		return Place{Status: Unknown}
	}
	r.disk.Allow(root)
	p := Place{Status: Unknown}
	for _, version := range r.lockedVersions(root, name) {
		p = Place{Status: NotInstalled, Module: version.Name, Version: version.Version}
		vendor := filepath.Join(root, "vendor")
		r.allowInside(root, "vendor")
		places := []string{filepath.Join(vendor, version.Name), filepath.Join(vendor, version.Name+"-"+version.Version)}
		found := r.disk.Glob(r.life(), r.crates(), "*/"+path.Base(version.Name+"-"+version.Version))
		for _, dir := range append(places, found...) {
			if isDir(filepath.Join(dir, "src")) {
				p.Status, p.Dir = Found, filepath.Join(dir, "src")
				return p
			}
		}
	}
	return p
}

type lockedCrate struct {
	Name    string `toml:"name"`
	Version string `toml:"version"`
}

// crates is the folder of downloaded crates.
func (r *Resolver) crates() string {
	home := r.options.Getenv("CARGO_HOME")
	if home == "" {
		home = filepath.Join(r.options.Home, ".cargo")
	}
	return filepath.Join(home, "registry", "src")
}

// lockedVersions are the entries of a folder's Cargo.lock whose crate a use
// path names.
func (r *Resolver) lockedVersions(root, name string) []lockedCrate {
	data, ok := r.manifestIn(root, "Cargo.lock")
	if !ok {
		return nil
	}
	var lock struct {
		Package []lockedCrate `toml:"package"`
	}
	if toml.Unmarshal(data, &lock) != nil {
		return nil
	}
	var out []lockedCrate
	for _, p := range lock.Package {
		if strings.ReplaceAll(p.Name, "-", "_") == name {
			out = append(out, p)
		}
	}
	return out
}
