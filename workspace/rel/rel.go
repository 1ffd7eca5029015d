// Package rel is the path of a file or a folder below a root.
//
// Invariant: a Path has one spelling and leads nowhere outside its root; the root itself is
// the zero Path. What watches, polls, indexes and ignores files takes this type alone, so
// that all of them mean the same folder. Deliberately absent: the root, and reading files.
package rel

import (
	"os"
	"path"
	"path/filepath"
	"strings"
)

// A Path is a path below a root. It is comparable.
type Path struct{ slashed string } // clean; "" is the root

// Of returns the path that a slash-separated spelling means; "", "." and "/" at its end are
// no difference. It is false for what leads outside the root.
func Of(spelling string) (Path, bool) {
	clean := path.Clean(spelling)
	switch {
	case clean == ".":
		return Path{}, true
	case clean[0] == '/' || clean == ".." || strings.HasPrefix(clean, "../"):
		return Path{}, false
	}
	return Path{clean}, true
}

// Must is Of for a spelling that is known to lead nowhere outside.
func Must(spelling string) Path {
	p, ok := Of(spelling)
	if !ok {
		panic("rel: " + spelling + " lies outside its root")
	}
	return p
}

// Below returns the path of a file or a folder below the folder at root. Both are clean and
// absolute.
func Below(root, abs string) (Path, bool) {
	rest, ok := strings.CutPrefix(abs, root)
	switch {
	case !ok || root == "":
		return Path{}, false
	case rest == "":
		return Path{}, true
	case os.IsPathSeparator(root[len(root)-1]):
		return Path{filepath.ToSlash(rest)}, true
	case os.IsPathSeparator(rest[0]) && len(rest) > 1:
		return Path{filepath.ToSlash(rest[1:])}, true
	}
	return Path{}, false
}

// IsRoot reports whether the path is the root's.
func (p Path) IsRoot() bool { return p.slashed == "" }

// Join returns the path of an entry of this folder.
func (p Path) Join(name string) Path {
	if p.slashed == "" {
		return Path{name}
	}
	return Path{p.slashed + "/" + name}
}

// Parent returns the folder that holds the path; the root holds itself.
func (p Path) Parent() Path { return Path{p.slashed[:max(strings.LastIndexByte(p.slashed, '/'), 0)]} }

// Name returns the last part of the path, "" for the root.
func (p Path) Name() string { return p.slashed[strings.LastIndexByte(p.slashed, '/')+1:] }

// Depth returns how many folders below the root hold the path.
func (p Path) Depth() int { return strings.Count(p.slashed, "/") }

// Holds reports whether the path is another one or a folder around it.
func (p Path) Holds(other Path) bool {
	rest, ok := strings.CutPrefix(other.slashed, p.slashed)
	return ok && (rest == "" || p.slashed == "" || rest[0] == '/')
}

// String returns the path with slashes, "" for the root.
func (p Path) String() string { return p.slashed }

// Local returns the path as the system's functions take it that work below an open folder.
func (p Path) Local() string {
	if p.slashed == "" {
		return "."
	}
	return filepath.FromSlash(p.slashed)
}

// Abs returns the absolute path below the folder at root.
func (p Path) Abs(root string) string { return filepath.Join(root, filepath.FromSlash(p.slashed)) }
