package deps

import (
	"os"
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
	p := Place{Status: Unknown}
	for _, version := range lockedVersions(filepath.Join(root, "Cargo.lock"), name) {
		p = Place{Status: NotInstalled, Module: version.Name, Version: version.Version}
		home := r.options.Getenv("CARGO_HOME")
		if home == "" {
			home = filepath.Join(r.options.Home, ".cargo")
		}
		places := []string{filepath.Join(root, "vendor", version.Name), filepath.Join(root, "vendor", version.Name+"-"+version.Version)}
		found, _ := filepath.Glob(filepath.Join(home, "registry", "src", "*", version.Name+"-"+version.Version))
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

// lockedVersions are the entries of a Cargo.lock whose crate a use path names.
func lockedVersions(file, name string) []lockedCrate {
	data, err := os.ReadFile(file)
	if err != nil {
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
