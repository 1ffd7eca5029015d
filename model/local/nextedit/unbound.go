package nextedit

import (
	"cmp"
	"fmt"
	"maps"
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

// unbound are the uses of a name that their file has from nowhere any more, since an edit so
// long ago took its import or definition away: they get the one name that came for it, or are
// places to go to when the user has left the edit.
func (f *follower) unbound(r workspace.RecentEdit, age int) (out offers) {
	ix := f.corpus.Index()
	id, ok := ix.FileID(r.Path)
	src := currentText(f.corpus, r.Path)
	at := placeOf(src, r)
	kept, lang := wordsIn(r.New), ix.Language(id)
	if !ok || at < 0 || !bindsNames[lang] || age > maxFresh || len(src) > source.MaxFile || !slices.ContainsFunc(wordsIn(r.Old), func(w string) bool { return !slices.Contains(kept, w) }) {
		return out
	}
	was, now := boundIn(language.Scan(lang, r.Path, src[:at]+r.Old+src[at+len(r.New):])), boundIn(language.Scan(lang, r.Path, src))
	left := (age > 0 || f.path != r.Path || f.offset < r.Place.Start || f.offset > r.Place.End) && !(f.path == r.Path && amongImports(ix, id, src, f.offset))
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if now[name] || now["*"] || edits.IndexWord(r.Old, name, 0) < 0 || lang == "go" && inPackage(ix, r.Path, name) {
			continue
		}
		uses := f.uses(id, src, name)
		why := fmt.Sprintf("%s is gone from %s:%d", name, r.Path, r.Line)
		change := strings.Join([]string{"gone", r.Path, name}, "\x00")
		came := cameFor(r, name)
		switch {
		case now[came] && !was[came] && !halfTyped(f.recent, f.path, f.offset):
			d := redefinition{old: name, path: r.Path, def: index.Def{Def: language.Def{Name: came}}}
			f.sort(uses)
			for _, p := range uses[:min(len(uses), f.most)] {
				out.edits = append(out.edits, NextEdit{Path: p.Path, Edit: edits.Edit{Span: p.Span, New: d.written(p)}, Change: change, Evidence: evidenceOf(renamed, 0, len(uses)),
					Title: fmt.Sprintf("Rename %s to %s: %s", name, came, terms.Counted(len(uses), "use")), Reason: fmt.Sprintf("%s came for %s (%s:%d)", came, name, r.Path, r.Line)})
			}
			out.name = came
		case left:
			out.visits = append(out.visits, f.visits(uses[:min(len(uses), f.most)], name+" is gone", why, change)...)
		}
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
	return slices.ContainsFunc(ix.Lookup(name), func(d index.Def) bool {
		return d.Container == "" && !d.Local && source.Folder(ix.Path(d.File)) == source.Folder(path)
	})
}

// cameFor is the name that an edit wrote for another one, and nothing else in its line; "" if
// there is none.
func cameFor(r workspace.RecentEdit, name string) string {
	for _, h := range changesOf(r.Old, r.New, false) {
		if !h.partial && len(h.old) == 1 && len(h.new) == 1 && h.old[0].text == name && isName(h.new[0]) {
			return h.new[0].text
		}
	}
	return ""
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
