package names

import (
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/dynamic"
	"tandem/workspace/language"
)

// A piece is a part of a module's text with what is known of it. A text that is no open
// document's is one piece.
type piece struct {
	*facts
	at, line int // its offset, and how many lines are above it
	text     string
	toks     []language.Token // as read for the facts just now; nil: not kept
}

// The facts of a piece are what it has by itself; they keep no other text alive. The facts
// of an open document's parts are kept with these.
type facts struct {
	begins bool // it is read the same without the pieces above it; of a script that is not checked itself: unknown
	ends   bool // the same without the pieces below it
	scan   *language.FileScan
	defs   map[string][]int32 // by name, numbers of the scan's definitions in their order
	in     map[string][]int32 // by container
	bound  map[string]bool    // every name that the piece binds at its top; of a script, that it exports
	links  []link
	stars  []string
	open   bool

	imports []dynamic.Import // of a file that is checked itself
	python  *dynamic.Bindings
	uses    map[string]dynamic.Use // of a script that is checked itself: how it uses each name
}

// factsOf are the facts that do not depend on the language.
func factsOf(scan *language.FileScan) *facts {
	f := &facts{scan: scan, defs: map[string][]int32{}, in: map[string][]int32{}, bound: map[string]bool{}}
	for i := range scan.Defs {
		d := &scan.Defs[i]
		f.defs[d.Name] = append(f.defs[d.Name], int32(i))
		if d.Container != "" {
			f.in[d.Container] = append(f.in[d.Container], int32(i))
		}
	}
	return f
}

// atTop reports whether a definition is one of the module itself.
func atTop(d language.Def) bool { return d.Container == "" && !d.Local }

// piecesOf are the parts of a text of an open document with their facts, which read makes of
// those that have none yet. They are nil where the text can only be read whole.
func piecesOf(a *language.Analysis, abs, text string, read reader) []piece {
	if a == nil || a.Language() != language.OfFile(filepath.Base(abs)) {
		return nil
	}
	parts := a.Next(text).Parts()
	out := make([]piece, 0, len(parts))
	for i, p := range parts {
		f := p.Derived.Get(func() any {
			f, _ := read(p.Scan, p.Text)
			return f
		}).(*facts)
		if i > 0 && !f.begins || i < len(parts)-1 && !f.ends {
			return nil
		}
		out = append(out, piece{facts: f, at: p.At, line: p.Line, text: p.Text})
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// A reader makes the facts of a text, or of a piece of one, and returns the tokens that it
// has read for that.
type reader func(scan *language.FileScan, text string) (*facts, []language.Token)

// A lineTable has the offsets at which the lines of a part of a text begin.
type lineTable struct {
	above  int // lines above the first
	starts []int
}

// of is the line of an offset, counted from 1.
func (t lineTable) of(offset int) int { return t.above + lineIn(t.starts, offset) }

// start is the offset at which a line begins.
func (t lineTable) start(line int) int {
	return t.starts[min(max(line-t.above, 1), len(t.starts))-1]
}

// A window is the pieces of a module that are looked at: the definitions around each part are in it.
type window struct {
	first, last int // number of its first piece, and of the one after the last
	lines       lineTable
	defs        []language.Def // with the lines of the module
}

// around is the window of some parts.
func (m *module) around(parts []edits.Span) window {
	w := window{first: len(m.pieces), last: 0}
	for i, p := range m.pieces {
		if within(parts, edits.Span{Start: p.at, End: p.at + len(p.text)}) {
			w.first, w.last = min(w.first, i), i+1
		}
	}
	w.first = min(w.first, w.last)
	if w.first < w.last {
		w.lines.above = m.pieces[w.first].line
	}
	for _, p := range m.pieces[w.first:w.last] {
		for _, start := range language.LineStarts(p.text) {
			if n := len(w.lines.starts); n == 0 || w.lines.starts[n-1] < p.at+start {
				w.lines.starts = append(w.lines.starts, p.at+start)
			}
		}
		for _, d := range p.scan.Defs {
			w.defs = append(w.defs, d.Below(p.line))
		}
	}
	return w
}

// has reports whether a piece is in the window.
func (w window) has(i int) bool { return w.first <= i && i < w.last }

// tokens are the tokens of a piece at their offsets in the module.
func (p *piece) tokens(read func(text string) []language.Token) []language.Token {
	toks := p.toks
	if toks == nil {
		toks = read(p.text)
	}
	if p.at > 0 {
		for i := range toks {
			toks[i].Start, toks[i].End = toks[i].Start+p.at, toks[i].End+p.at
		}
	}
	return toks
}

// read returns the tokens of a window, and all imports of the module; an import outside of the window has none.
func (m *module) read(w window, tokensOf func(text string) []language.Token) (tokens []language.Token, imports []dynamic.Import) {
	for i, p := range m.pieces {
		first, in := len(tokens), w.has(i)
		if in {
			tokens = append(tokens, p.tokens(tokensOf)...)
		}
		for _, im := range p.imports {
			if im.ModuleToken, im.NameToken = im.ModuleToken+first, im.NameToken+first; !in {
				im.ModuleToken, im.NameToken = -1, -1
			}
			imports = append(imports, im)
		}
	}
	return tokens, imports
}

// together are the definitions that find has for each piece, as they are in the module.
func (m *module) together(find func(*facts) []int32) []language.Def {
	var out []language.Def
	var seen map[string]bool
	for _, p := range m.pieces {
		for _, i := range find(p.facts) {
			d := &p.scan.Defs[i]
			if m.python && len(m.pieces) > 1 {
				if seen == nil {
					seen = map[string]bool{}
				}
				if !d.First(seen) {
					continue
				}
			}
			out = append(out, d.Below(p.line))
		}
	}
	return out
}

// defs are all definitions of a name.
func (m *module) defs(name string) []language.Def {
	return m.together(func(f *facts) []int32 { return f.defs[name] })
}

// top are the definitions of a name at the top of the file.
func (m *module) top(name string) []language.Def {
	return slices.DeleteFunc(m.defs(name), func(d language.Def) bool { return !atTop(d) })
}

// in are the members of a container by name, which stay as they are.
func (m *module) in(container string) map[string][]language.Def {
	if container == "" {
		return nil
	}
	if out, known := m.members[container]; known {
		return out
	}
	var out map[string][]language.Def
	for _, d := range m.together(func(f *facts) []int32 { return f.in[container] }) {
		if d.Local {
			continue
		}
		if out == nil {
			out = map[string][]language.Def{}
		}
		out[d.Name] = append(out[d.Name], d)
	}
	if m.members == nil {
		m.members = map[string]map[string][]language.Def{}
	}
	m.members[container] = out
	return out
}

// all are all definitions.
func (m *module) all() iter.Seq[language.Def] {
	return func(yield func(language.Def) bool) {
		for _, p := range m.pieces {
			for _, d := range p.scan.Defs {
				if !yield(d.Below(p.line)) {
					return
				}
			}
		}
	}
}

// binds reports whether the file binds a name at its top; a script: whether it exports it.
func (m *module) binds(name string) bool {
	return slices.ContainsFunc(m.pieces, func(p piece) bool { return p.bound[name] })
}

// empty reports whether the file binds nothing.
func (m *module) empty() bool {
	return !slices.ContainsFunc(m.pieces, func(p piece) bool { return len(p.bound) > 0 })
}

// bound are the names that the file binds, each once.
func (m *module) bound() map[string]bool {
	if len(m.pieces) == 1 {
		return m.pieces[0].bound
	}
	out := map[string]bool{}
	for _, p := range m.pieces {
		for name := range p.bound {
			out[name] = true
		}
	}
	return out
}

// stores reports whether the file's code assigns to an attribute.
func (m *module) stores(name string) bool {
	return slices.ContainsFunc(m.pieces, func(p piece) bool { return p.python != nil && p.python.Stores[name] })
}

// linesOf are the lines from first up to last, which one definition has.
func (m *module) linesOf(first, last int) []string {
	i, found := slices.BinarySearchFunc(m.pieces, first-1, func(p piece, line int) int { return p.line - line })
	if !found {
		i = max(i-1, 0)
	}
	if i >= len(m.pieces) {
		return nil
	}
	p, out := m.pieces[i], []string(nil)
	n := p.line
	for line := range strings.Lines(p.text) {
		if n++; n >= last {
			break
		}
		if n >= first {
			out = append(out, line)
		}
	}
	return out
}

// factsOfScript are the facts of a script, or of a piece of one. declares is whether the file
// only declares, checked whether it is checked itself.
func factsOfScript(scan *language.FileScan, text string, declares, checked bool) (*facts, []language.Token) {
	m, t := factsOf(scan), dynamic.ReadScript(text)
	imports := t.Imports()
	if checked {
		m.imports, m.uses, m.begins, m.ends = imports, t.Uses(), t.Begins(), t.Ends()
	}
	m.bound, m.open = t.Exports(declares)
	for _, d := range scan.Defs {
		if atTop(d) && (d.Exported || declares) {
			m.bound[d.Name] = true
		}
	}
	for _, im := range imports {
		switch {
		case !im.Export:
			m.links = append(m.links, link{im.Local, im.Module, im.Name, 0})
		case im.Name == "*" && im.Local == "":
			m.stars = append(m.stars, im.Module)
		default:
			m.bound[im.Local] = true
			m.links = append(m.links, link{im.Local, im.Module, im.Name, 1})
		}
	}
	return m, t.Tokens
}
