package gotypes

import (
	"go/build/constraint"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A Platform is a choice of operating system, processor and build tags.
type Platform struct {
	os, arch string
	tags     string // further tags that hold, sorted and joined by ","
}

var systems = []string{"linux", "darwin", "windows", "freebsd", "openbsd", "netbsd", "dragonfly", "solaris", "illumos", "aix",
	"android", "ios", "js", "wasip1", "plan9", "zos", "hurd", "nacl"}

var arches = []string{"amd64", "arm64", "386", "arm", "riscv64", "ppc64", "ppc64le", "s390x", "mips", "mipsle", "mips64", "mips64le",
	"loong64", "wasm", "sparc64", "armbe", "arm64be", "amd64p32", "mips64p32", "mips64p32le", "ppc", "riscv", "s390", "sparc"}

// onlyArch are the processors of the systems that run on few: packages have files for no other.
var onlyArch = map[string]string{"aix": "ppc64", "js": "wasm", "wasip1": "wasm", "zos": "s390x", "ios": "arm64", "darwin": "amd64 arm64"}

var unixes = []string{"linux", "darwin", "freebsd", "openbsd", "netbsd", "dragonfly", "solaris", "illumos", "aix", "android", "ios", "hurd"}

// holds reports whether a build tag holds.
func (c Platform) holds(tag string) bool {
	switch {
	case tag == c.os || tag == c.arch || tag == "gc" || strings.HasPrefix(tag, "go1."):
		return true
	case tag == "unix":
		return slices.Contains(unixes, c.os)
	case tag == "linux":
		return c.os == "android"
	case tag == "darwin":
		return c.os == "ios"
	case tag == "solaris":
		return c.os == "illumos"
	}
	return c.tags != "" && slices.Contains(strings.Split(c.tags, ","), tag)
}

// A Condition is the condition under which a file is part of its package.
type Condition struct {
	os, arch string          // of the file's name, "" for any
	expr     constraint.Expr // of its //go:build line, nil for none
}

// ConditionOf reads the condition from a file's name, without its folder, and its text.
func ConditionOf(name, src string) Condition {
	var c Condition
	parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(name, ".go"), "_test"), "_")
	if n := len(parts); n > 1 {
		if slices.Contains(arches, parts[n-1]) {
			c.arch = parts[n-1]
			parts = parts[:n-1]
		}
		if n := len(parts); n > 1 && slices.Contains(systems, parts[n-1]) {
			c.os = parts[n-1]
		}
	}
	c.expr = buildLine(src)
	return c
}

// buildLine is the build constraint above the package clause: a //go:build line, or the lines
// that were written before Go had it.
func buildLine(src string) (old constraint.Expr) {
	for line := range strings.Lines(src) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "package "):
			return old
		case constraint.IsPlusBuild(line):
			if expr, err := constraint.Parse(line); err == nil && old != nil {
				old = &constraint.AndExpr{X: old, Y: expr}
			} else if err == nil {
				old = expr
			}
		case constraint.IsGoBuild(line):
			expr, err := constraint.Parse(line)
			if err != nil {
				return nil
			}
			return expr
		}
	}
	return nil
}

// matches reports whether a file with a condition is part of its package on the platform.
func (c Platform) matches(f Condition) bool {
	if f.os != "" && !c.holds(f.os) || f.arch != "" && f.arch != c.arch {
		return false
	}
	return f.expr == nil || f.expr.Eval(c.holds)
}

// Builds reports whether a file of a name, without its folder, and a text is part of its package on the platform.
func (c Platform) Builds(name, src string) bool { return c.matches(ConditionOf(name, src)) }

// Tagged reports whether files are chosen by tags that somebody gives.
func (c Platform) Tagged() bool { return c.tags != "" }

// Here is this machine's platform.
func Here() Platform { return Platform{os: runtime.GOOS, arch: runtime.GOARCH} }

// PlatformFor is a platform on which a file is part of its package: this
// machine's if possible, with the tags that the file requires.
func PlatformFor(f Condition) Platform {
	here := Here()
	if here.matches(f) {
		return here
	}
	extra := tagsOf(f.expr)
	for _, tags := range []string{"", strings.Join(extra, ",")} {
		for _, system := range append([]string{runtime.GOOS}, systems...) {
			own := strings.Fields(onlyArch[system])
			if len(own) == 0 {
				own = append([]string{runtime.GOARCH}, arches...)
			}
			for _, arch := range own {
				if c := (Platform{system, arch, tags}); c.matches(f) {
					return c
				}
			}
		}
	}
	for _, tag := range extra {
		if c := (Platform{here.os, here.arch, tag}); c.matches(f) {
			return c
		}
	}
	return here
}

// tagsOf are the tags of a constraint that do not name a platform.
func tagsOf(expr constraint.Expr) []string {
	var out []string
	var walk func(constraint.Expr)
	walk = func(e constraint.Expr) {
		switch e := e.(type) {
		case *constraint.AndExpr:
			walk(e.X)
			walk(e.Y)
		case *constraint.OrExpr:
			walk(e.X)
			walk(e.Y)
		case *constraint.NotExpr:
			walk(e.X)
		case *constraint.TagExpr:
			if !slices.Contains(systems, e.Tag) && !slices.Contains(arches, e.Tag) && e.Tag != "unix" && e.Tag != "gc" && !strings.HasPrefix(e.Tag, "go1.") {
				out = append(out, e.Tag)
			}
		}
	}
	if expr != nil {
		walk(expr)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// standalone reports whether a file is built by itself, as generators are.
func (f Condition) standalone() bool {
	return f.expr != nil && slices.Contains(tagsOf(f.expr), "ignore")
}

// IsFile reports whether a name, without a folder, is that of a Go file which the go tool builds.
func IsFile(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasPrefix(name, "_") && !strings.HasPrefix(name, ".") && filepath.Base(name) == name
}
