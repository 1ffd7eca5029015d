package deps

import (
	_ "embed" // of the names
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// standardText is what make names-standard writes: the oldest and the newest version of Python that
// are known, then a module or a class of builtins a line, and its names.
//
//go:embed standard.txt
var standardText string

type standardNames struct {
	oldest, newest int // of 3.x
	of             map[string]map[string]bool
}

var standard = sync.OnceValue(func() standardNames {
	versions, rest, _ := strings.Cut(standardText, "\n")
	oldest, newest, _ := strings.Cut(versions, " ")
	out := standardNames{minor(oldest), minor(newest), map[string]map[string]bool{}}
	for line := range strings.Lines(rest) {
		words := strings.Fields(line)
		names := make(map[string]bool, len(words))
		for _, w := range words[1:] {
			names[w] = true
		}
		out.of[words[0]] = names
	}
	return out
})

// minor is the x of a version 3.x; 0 of another text.
func minor(version string) int {
	_, x, _ := strings.Cut(version, "3.")
	n, _ := strconv.Atoi(x)
	return n
}

// StandardNames are the names of a module of Python's standard library whose sources do not say
// them all, or of a class such as builtins.str, in any version that is known and on any platform;
// nil for another one. Names that begin with _ are left out.
func StandardNames(of string) map[string]bool { return standard().of[of] }

// HasStandardNames reports whether StandardNames holds for the version of an environment, which may be nil.
func (e *PythonEnv) HasStandardNames() bool {
	if e == nil {
		return false
	}
	n := minor(filepath.Base(e.Lib))
	return standard().oldest <= n && n <= standard().newest
}
