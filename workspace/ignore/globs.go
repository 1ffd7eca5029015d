package ignore

import (
	"path"
	"path/filepath"
	"strings"

	"tandem/workspace/rel"
)

// Globs are patterns of slash-separated paths, in which ** is any number of
// folders. What lies below a path that matches, matches too; letter case does
// not count, since on many file systems it is no difference.
type Globs []string

// Match returns the first pattern that matches name or a folder above it, or "".
func (g Globs) Match(name string) string {
	parts := strings.Split(strings.ToLower(name), "/")
	for _, glob := range g {
		pattern := strings.Split(strings.ToLower(glob), "/")
		for n := len(parts); n > 0; n-- {
			if globMatch(pattern, parts[:n]) {
				return glob
			}
		}
	}
	return ""
}

func globMatch(glob, name []string) bool {
	switch {
	case len(glob) == 0:
		return len(name) == 0
	case glob[0] == "**":
		return globMatch(glob[1:], name) || len(name) > 0 && globMatch(glob, name[1:])
	case len(name) == 0:
		return false
	}
	ok, err := path.Match(glob[0], name[0])
	return err == nil && ok && globMatch(glob[1:], name[1:])
}

// Denies reports whether the globs match a file below the folder at root, "" for the system's
// own, and by which rule, as text: by its path there, or by its absolute path.
func (g Globs) Denies(root string, at rel.Path) (bool, string) {
	if len(g) == 0 {
		return false, ""
	}
	glob := g.Match(at.String())
	if glob == "" && root != "" {
		glob = g.Match(strings.TrimPrefix(filepath.ToSlash(root), "/") + "/" + at.String())
	}
	return glob != "", "the administrator's policy denies " + glob
}
