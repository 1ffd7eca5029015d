package assist

import (
	"path"
	"strings"
)

// matching returns the first glob that matches a slash-separated path: ** is
// any number of folders.
func matching(globs []string, name string) string {
	for _, glob := range globs {
		if globMatch(strings.Split(glob, "/"), strings.Split(name, "/")) {
			return glob
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
