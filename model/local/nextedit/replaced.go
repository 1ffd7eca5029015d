package nextedit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/dynamic"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// replaced are the uses of a name whose import or definition an edit gave another name: they get that
// one. What an edit took away alone is the judge's to find.
func (f *follower) replaced(r workspace.RecentEdit) (out offers) {
	ix := f.corpus.Index()
	e, ok := editOf(f.corpus, r)
	if !ok || !bindsNames[e.lang] || halfTyped(f.recent, f.path, f.offset) {
		return out
	}
	for _, h := range newNames(r, true) {
		name, came := h.old, h.now
		was, now := boundIn(language.Scan(e.lang, r.Path, e.before())), boundIn(language.Scan(e.lang, r.Path, e.src))
		if !was[name] || now[name] || now["*"] || !now[came] || was[came] || inPackage(ix, r.Path, name) {
			continue
		}
		uses := f.uses(e.id, e.src, name)
		d := redefinition{old: name, path: r.Path, def: index.Def{Def: language.Def{Name: came}}}
		f.sort(uses)
		for _, p := range uses {
			out.edits = append(out.edits, NextEdit{Path: p.Path, Edit: edits.Edit{Span: p.Span, New: d.written(p)}, Change: strings.Join([]string{"replaced", r.Path, name}, "\x00"), Evidence: evidenceOf(renamed, 0, len(uses)),
				Title: fmt.Sprintf("Rename %s to %s: %s", name, came, terms.Counted(len(uses), "use")), Reason: fmt.Sprintf("%s came for %s (%s:%d)", came, name, r.Path, r.Line)})
		}
		out.name = came
	}
	return out
}

// StillAt reports whether a user at an offset of a file writes there what another place of it may need:
// in the function of that place, or among the imports.
func StillAt(c source.Corpus, path string, at, place int) bool {
	src := currentText(c, path)
	id, ok := c.Index().FileID(path)
	if !ok || max(at, place) > len(src) {
		return false
	}
	line := func(at int) int { return 1 + strings.Count(src[:at], "\n") }
	here, inside := functionAround(c.Index(), id, line(at))
	there, also := functionAround(c.Index(), id, line(place))
	return amongImports(c.Index(), id, src, at) || inside && also && here.ID == there.ID
}

// amongImports reports whether an offset of a file is at its imports, the lines beside them included.
func amongImports(ix *index.Index, id index.FileID, src string, at int) bool {
	line := 1 + strings.Count(src[:min(at, len(src))], "\n")
	list := ix.Imports(id)
	near := func(im language.Import) bool { return im.Line-1 <= line }
	return slices.ContainsFunc(list, near) && slices.ContainsFunc(list, func(im language.Import) bool {
		return line <= 1+strings.Count(src[:statementAt(src, im.Line).End], "\n")
	})
}

// boundIn are the names that a file's imports and definitions give it; "*" if some are not to
// be seen there.
func boundIn(scan *language.FileScan) map[string]bool {
	out := map[string]bool{}
	for _, im := range scan.Imports {
		out[cmp.Or(im.Alias, im.Name, source.LastPart(im.Path))] = true
	}
	for _, d := range scan.Defs {
		if d.Container == "" && !d.Local {
			out[d.Name] = true
		}
	}
	delete(out, "")
	return out
}

// inPackage reports whether a file of a package of Go defines a name.
func inPackage(ix *index.Index, path, name string) bool {
	return language.OfFile(path) == "go" && slices.ContainsFunc(ix.Lookup(name), func(d index.Def) bool {
		return d.Container == "" && !d.Local && source.Folder(ix.Path(d.File)) == source.Folder(path)
	})
}

// uses are the places of a file that use a name, but for those where something of their
// function may have it.
func (f *follower) uses(id index.FileID, src, name string) (out []Place) {
	ix := f.corpus.Index()
	file := &usingFile{&finder{corpus: f.corpus, ix: ix, def: index.Def{Def: language.Def{Name: name}, File: id}}, readCode(ix.Language(id), src), id, ix.Path(id)}
	hidden := file.hidden()
	for _, o := range file.occurrences(name) {
		imports := slices.ContainsFunc(ix.Imports(id), func(im language.Import) bool { return im.Line == file.line(o) })
		if !imports && (o.Role == dynamic.Reference || file.lang == "go" && o.Role == dynamic.Key) && o.Binding == nil && !hidden(file.line(o)) {
			out = append(out, file.place(o, true))
		}
	}
	return out
}
