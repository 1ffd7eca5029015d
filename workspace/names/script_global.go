package names

import (
	_ "embed" // of the list of globals
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"tandem/workspace/deps"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// scriptGlobals tells which names a script may use that nothing in it declares.
type scriptGlobals struct {
	*dynamicCheck
	abs   string          // the script
	known map[string]bool // the names that were asked for
}

// has reports whether every script may use a name: one that the language's library
// declares at its top, or, where none is installed, one that browsers have or the runtime
// mentions; one that the workspace declares for all files; and one that others of its
// files call or read.
func (g *scriptGlobals) has(name string) bool {
	is, known := g.known[name]
	if !known {
		lib := g.deps.Node.Library(g.abs)
		is = len(lib) == 0 && (standardGlobals()[name] || g.library().Has(name)) || len(lib) > 0 && g.declared(lib)[name] ||
			g.ambient(name) || g.calledElsewhere(name)
		g.known[name] = is
	}
	return is
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

// maxCallers is how many files are read to find out whether they call a name.
const maxCallers = 16

// calledElsewhere reports whether another file calls a name, without the change, which it
// neither declares nor imports: a test runner or a page provides it.
func (g *scriptGlobals) calledElsewhere(name string) bool {
	ix, root, own := g.ws.Index(g.abs)
	read := 0
	for _, id := range ix.Users(name) {
		file := ix.Path(id)
		if file == own || read == maxCallers || g.proposal.has(root, file) {
			continue
		}
		if m := g.moduleOf(deps.Place{Status: deps.Found, File: filepath.Join(root, filepath.FromSlash(file)), Own: true}); m != nil {
			read++
			if m.calls(name) {
				return true
			}
		}
	}
	for abs, other := range g.proposal.files {
		if abs != g.abs && !g.proposal.whole && hasWord(other.Before, name) {
			before := g.newModule(abs, other.Before, deps.Place{Own: true}, []piece{whole(readerOf(g.family, abs, false), g.scan(abs, other.Before), other.Before, false)})
			if before.calls(name) {
				return true
			}
		}
	}
	return false
}

// calls reports whether a script calls or reads a name that it does not bind itself.
func (m *module) calls(name string) bool {
	imported := slices.ContainsFunc(m.links, func(l link) bool { return l.local == name })
	if imported || m.binds(name) {
		return false
	}
	t := readScript(m.text)
	around, called := t.enclosing(), false
	for i := range t.toks {
		if t.s(i) != name || t.s(i-1) == "." || t.s(i-1) == "?." {
			continue
		}
		if u := t.useAt(i, int(around[i])); u.declared || u.shadowed || u.constants > 0 {
			return false
		}
		called = called || t.called(i) && !t.declares(i) || t.s(i+1) != ":" && t.reads(i, int(around[i]))
	}
	return called
}

// declared are the names that a library and the ambient types declare.
func (g *scriptGlobals) declared(lib []string) map[string]bool {
	types := g.deps.Node.Types(g.abs)
	key := lib[0] + strings.Join(types, "|")
	if names := g.dynamicChecker.globals[key]; names != nil {
		return names
	}
	if g.dynamicChecker.globals == nil || len(g.dynamicChecker.globals) > 8 {
		g.dynamicChecker.globals = map[string]map[string]bool{}
	}
	files := slices.Clone(lib)
	for _, dir := range types {
		files = append(files, g.deps.SourceFiles(dir, ".d.ts")...)
	}
	names := map[string]bool{}
	for _, file := range files {
		data, err := g.deps.ReadFile(file, maxModule)
		if err != nil {
			continue
		}
		for _, d := range language.Scan("typescript", filepath.Base(file), string(data)).Defs {
			if d.Container == "" {
				names[d.Name] = true
			}
		}
	}
	g.dynamicChecker.globals[key] = names
	return names
}

// ambient reports whether a declaration file of the workspace declares a name.
func (g *scriptGlobals) ambient(name string) bool {
	ix, _, _ := g.ws.Index(g.abs)
	for _, d := range ix.Lookup(name) {
		if d.Container == "" && (strings.HasSuffix(ix.Path(d.File), ".d.ts") || !d.Exported && len(ix.Imports(d.File)) == 0) {
			return true
		}
	}
	return false
}

// library is the vocabulary of the language, its runtime and ambient
// declarations.
func (g *scriptGlobals) library() *deps.Vocabulary {
	lib := g.deps.Node.Library(g.abs)
	types := g.deps.Node.Types(g.abs)
	key := strings.Join(lib[:min(1, len(lib))], "") + "|" + strings.Join(types, "|")
	return g.vocabulary("script:"+key, func() []string {
		files := slices.Clone(lib)
		for _, dir := range types {
			files = append(files, g.deps.SourceFiles(dir, ".d.ts")...)
		}
		if node := g.deps.Node.Binary(); node != "" && (len(lib) == 0 || len(types) == 0) {
			files = append(files, node)
		}
		return files
	})
}
