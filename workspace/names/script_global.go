package names

import (
	_ "embed" // of the list of globals
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tandem/workspace/deps"
	"tandem/workspace/dynamic"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// isGlobal reports whether every script may use a name: one that the language's library
// declares at its top, or, where none is installed, one that browsers have or the runtime
// mentions; one that the workspace declares for all files; and one that others of its
// files call or read.
func (c *scriptCheck) isGlobal(name string) bool {
	is, known := c.globals[name]
	if known {
		return is
	}
	if lib := c.files.deps.Node.Library(c.f.abs); len(lib) > 0 {
		is = c.declared(lib).names[name]
	} else {
		is = standardGlobals()[name] || c.library().Has(name)
	}
	c.globals[name] = is || c.ambient(name) || c.calledElsewhere(name)
	return c.globals[name]
}

// globalNames are the names of values that TypeScript's libraries for browsers, workers
// and the language itself declare, of version 5.9.3; make names-globals writes them.
//
//go:embed globals.txt
var globalNames string

// memberNames are those of the members that these libraries and Node.js declare.
//
//go:embed members.txt
var memberNames string

var (
	standardGlobals = sync.OnceValue(func() map[string]bool { return terms.Set(globalNames) })
	standardMembers = sync.OnceValue(func() map[string]bool { return terms.Set(memberNames) })
)

// calledElsewhere reports whether another file may call a name, without the change, which it
// neither declares nor imports: a test runner or a page provides it.
func (c *scriptCheck) calledElsewhere(name string) bool {
	return c.files.anyUser(c.f, name, c.callsUnchanged(name)) || c.calledInChange(name)
}

func (c *scriptCheck) callsUnchanged(name string) func(*module) bool {
	return func(m *module) bool { return !c.files.proposal.changes(m.path) && m.calls(name) }
}

func (c *scriptCheck) calledInChange(name string) bool {
	for abs, other := range c.files.proposal.files {
		if abs != c.f.abs && c.f.stage != Standing && hasWord(other.Was, name) {
			if c.files.moduleWith(abs, other.Was, deps.Place{Own: true}, false).calls(name) {
				return true
			}
		}
	}
	return false
}

// mayBeOfTool reports whether a package for development may let every file use a name: one that
// is not installed, as the types of a test runner; in JavaScript, where no types are needed, one
// without declarations whose code has the name, as the runner itself.
func (c *scriptCheck) mayBeOfTool(name string) bool {
	dirs, complete := c.files.deps.Node.Tools(c.f.abs)
	return !complete || !c.typed && slices.ContainsFunc(dirs, func(dir string) bool {
		words := c.files.vocabulary("code:"+dir, func() []string {
			if len(c.files.deps.SourceFiles(dir, ".d.ts", ".d.mts", ".d.cts")) > 0 {
				return nil
			}
			return c.files.deps.SourceFiles(dir, ".js", ".mjs", ".cjs")
		})
		return words.Has(name)
	})
}

// calls reports whether a script calls or reads a name that it does not bind itself.
func (m *module) calls(name string) bool {
	imported := slices.ContainsFunc(m.links, func(l link) bool { return l.local == name })
	if imported || m.binds(name) {
		return false
	}
	return needs(dynamic.Read(language.OfFile(filepath.Base(m.path)), m.text), name)
}

// A scriptLibrary is what the language's library and the ambient types declare for all files.
type scriptLibrary struct {
	names   map[string]bool
	types   map[string]string          // of the variables; "" where that is not known
	members map[string]map[string]bool // of the types: nil where there may be others
}

// declared is what a library and the ambient types declare.
func (c *scriptCheck) declared(lib []string) *scriptLibrary {
	types := c.files.deps.Node.Types(c.f.abs)
	key := lib[0] + strings.Join(types, "|")
	if known := c.files.dynamicChecker.globals[key]; known != nil {
		return known
	}
	if c.files.dynamicChecker.globals == nil || len(c.files.dynamicChecker.globals) > 8 {
		c.files.dynamicChecker.globals = map[string]*scriptLibrary{}
	}
	files := slices.Clone(lib)
	for _, dir := range types {
		files = append(files, c.files.deps.SourceFiles(dir, ".d.ts")...)
	}
	out := &scriptLibrary{map[string]bool{}, map[string]string{}, map[string]map[string]bool{}}
	for _, file := range files {
		if data, err := c.files.deps.ReadFile(file, maxModule); err == nil {
			out.read(language.Scan("typescript", filepath.Base(file), string(data)), strings.Split(string(data), "\n"))
		}
	}
	c.files.dynamicChecker.globals[key] = out
	return out
}

// indexed is a line of a type that has members of any name.
var indexed = regexp.MustCompile(`(?:^\s*|[{;]\s*|readonly )\[\w+(?:: | in )`)

// read adds what a file declares.
func (l *scriptLibrary) read(scan *language.FileScan, lines []string) {
	for _, d := range scan.Defs {
		within := d.Container[strings.LastIndexByte(d.Container, '.')+1:]
		line := lines[min(max(d.StartLine, 1), len(lines))-1]
		if d.Kind == language.KindInterface {
			body := lines[max(d.StartLine-1, 0):min(d.EndLine, len(lines))]
			others := strings.Contains(line, " extends ") || slices.ContainsFunc(body, indexed.MatchString)
			if _, known := l.members[d.Name]; !known && !others {
				l.members[d.Name] = map[string]bool{}
			} else if others {
				l.members[d.Name] = nil
			}
		}
		if within != "" && within != "global" {
			if members, known := l.members[within]; !known {
				l.members[within] = map[string]bool{d.Name: true}
			} else if members != nil {
				members[d.Name] = true
			}
			continue
		}
		if d.Kind == language.KindNamespace && strings.ContainsAny(line, "\"'") { // a module of that name
			continue
		}
		l.names[d.Name] = true
		if d.Kind == language.KindVar || d.Kind == language.KindConst {
			if typ, known := l.types[d.Name]; known && typ != d.Type {
				l.types[d.Name] = ""
			} else {
				l.types[d.Name] = d.Type
			}
		} else if d.Kind != language.KindInterface {
			l.types[d.Name] = ""
		}
	}
}

// of are the members that a value has which every file may use, as Math; nil where that is not
// known.
func (l *scriptLibrary) of(value string) map[string]bool {
	members, object, function := l.members[l.types[value]], l.members["Object"], l.members["Function"]
	if len(members) == 0 || len(object) == 0 || len(function) == 0 {
		return nil
	}
	out := map[string]bool{}
	for _, part := range []map[string]bool{members, object, function} {
		maps.Copy(out, part)
	}
	return out
}

// ambient reports whether a declaration file of the workspace declares a name.
func (c *scriptCheck) ambient(name string) bool {
	ix, _, _ := c.files.ws.Index(c.f.abs)
	for _, d := range ix.Lookup(name) {
		if d.Container == "" && (strings.HasSuffix(ix.Path(d.File), ".d.ts") || !d.Exported && len(ix.Imports(d.File)) == 0) {
			return true
		}
	}
	return false
}

// library is the vocabulary of the language, its runtime and ambient
// declarations.
func (c *scriptCheck) library() *deps.Vocabulary {
	lib := c.files.deps.Node.Library(c.f.abs)
	types := c.files.deps.Node.Types(c.f.abs)
	key := strings.Join(lib[:min(1, len(lib))], "") + "|" + strings.Join(types, "|")
	return c.files.vocabulary("script:"+key, func() []string {
		files := slices.Clone(lib)
		for _, dir := range types {
			files = append(files, c.files.deps.SourceFiles(dir, ".d.ts")...)
		}
		if node := c.files.deps.Node.Binary(); node != "" && (len(lib) == 0 || len(types) == 0) {
			files = append(files, node)
		}
		return files
	})
}
