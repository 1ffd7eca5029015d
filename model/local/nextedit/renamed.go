package nextedit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/cut"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// A follower finds what has to follow one edit of the user's.
type follower struct {
	ctx    context.Context
	corpus source.Corpus
	files  Files
	path   string // where the cursor is
	offset int
	recent []workspace.RecentEdit

	renames map[string]bool // old and new names of what the user renamed where it is declared

	siteFiles int     // see maxSiteFiles
	left      cut.Cut // of what the places of a change were looked for in
}

// definition are the places that use a definition which an edit changed.
func (f *follower) definition(recent []workspace.RecentEdit, i int) offers {
	r := recent[i]
	f.left = cut.Cut{}
	if known, ok := f.renamedDeclaration(r); ok {
		return known
	}
	if d, ok := redefined(f.corpus, r); ok {
		old := d.def
		old.Name = d.old
		found := f.renamed(d, append(f.users(old), f.keywords(d)...))
		if d.def.Container != "" { // a parameter of a constructor may be a property
			found.edits = append(f.local(r).edits, found.edits...)
		}
		return found
	}
	if d, was, ok := signatureChangeOf(f.corpus, r); ok {
		places, known := f.usesOf(r, d)
		switch {
		case known || !d.Local && !(d.MinParams > was.MinParams && f.mayGetDefault(d, was, r)):
			return f.calls(d, was, places, known, recent[i:])
		case !d.Local:
			return offers{}
		}
	}
	if found := f.local(r); len(found.edits) > 0 {
		return found
	}
	return f.replaced(r)
}

// keywords are the places where the calls of a class of Python name its renamed field.
func (f *follower) keywords(d redefinition) []Place {
	for _, class := range f.corpus.Index().Defs(d.def.File) {
		if d.def.Container != "" && !d.def.Kind.IsFunc() && class.Kind == language.KindClass && class.Qualified() == d.def.Container {
			return f.named(class, d.old)
		}
	}
	return nil
}

// A redefinition is a definition that was just renamed.
type redefinition struct {
	old  string
	def  index.Def // as it is now
	path string
}

// users are the places that use a definition.
func (f *follower) users(d index.Def) []Place {
	places, left := Users(f.ctx, f.corpus, d).All()
	f.lacks(left)
	return places
}

// first are the first of files that may have places of a change.
func (f *follower) first(files []string, left cut.Cut) []string {
	files, more := cut.First(files, f.siteFiles, "file is not searched for it", "files are not searched for it").All()
	f.lacks(left, more)
	return files
}

// lacks records where the change may have places that are not looked for.
func (f *follower) lacks(left ...cut.Cut) { f.left = cut.Join(append(left, f.left)...) }

// changeOf identifies the change of a definition from an old name or signature.
func changeOf(path string, d index.Def, was string) string {
	return strings.Join([]string{"definition", path, d.Container, d.Name, was}, "\x00")
}

// isName reports whether a token can be a name: words that some language reserves are
// names in others.
func isName(t flat) bool { return t.class == source.Word || t.class == source.Keyword }

// redefined reports whether an edit renamed a definition: the file defines the new
// name at the edit, and does not define the old name any more.
func redefined(c source.Corpus, r workspace.RecentEdit) (redefinition, bool) {
	id, ok := c.Index().FileID(r.Path)
	if !ok {
		return redefinition{}, false
	}
	for _, h := range newNames(r, false) {
		was, now := h.old, h.now
		if edits.IndexWord(r.Old, now, 0) >= 0 {
			continue // it was there before: lines went, and others came near them
		}
		for _, d := range c.Index().Between(id, r.Line, r.Line+strings.Count(r.New, "\n")) {
			if d.Name == now && d.StartLine >= r.Line && (!definedIn(c.Index(), id, was, d.Container) || overloads(c, id, was, d)) && onlyNamed(c, r, d, was) {
				return redefinition{old: was, def: d, path: r.Path}, true
			}
		}
	}
	return redefinition{}, false
}

// onlyNamed reports whether a definition differs from the one that had another name before
// an edit in its name alone: one with other parameters, another type or without its
// decorator is used in another way. An edit whose text is gone does not show it.
func onlyNamed(c source.Corpus, r workspace.RecentEdit, d index.Def, was string) bool {
	p, ok := before(c, r)
	if !ok {
		return true
	}
	old, ok := p.def(d, was)
	return ok && slices.Equal(old.Params, d.Params) && old.Type == d.Type && old.StartLine-old.DocLine == d.StartLine-d.DocLine
}

func definedIn(ix *index.Index, id index.FileID, name, container string) bool {
	return slices.ContainsFunc(ix.Lookup(name), func(d index.Def) bool { return d.File == id && d.Container == container && !d.Local })
}

// overloads reports whether the definitions that still have the old name of a function belong
// to it.
func overloads(c source.Corpus, id index.FileID, was string, d index.Def) bool {
	src, ok := c.Text(c.Index().Path(id))
	return ok && d.Kind.IsFunc() && len(src) <= source.MaxFile && oneFunction(c.Index(), src, d, was)
}

// oneFunction reports whether the functions of a file that have a name, or that of one of
// them, are one with overloads or variants: at most one of them all is whole, while a copy has
// its own body.
func oneFunction(ix *index.Index, src string, d index.Def, name string) bool {
	whole := 0
	for _, o := range ix.Defs(d.File) {
		if o.Local || o.Container != d.Container || o.Name != name && o.Name != d.Name {
			continue
		}
		if o.Kind != d.Kind {
			return false
		}
		switch ix.Language(d.File) {
		case "typescript", "typescriptreact": // a declaration without a body
			whole += flagInt(strings.HasSuffix(strings.TrimRight(linesOf(src, o.StartLine, o.EndLine), " \t\r\n;,"), "}"))
		case "python":
			whole += flagInt(!variant(src, o, name))
		default:
			whole++
		}
	}
	return whole <= 1
}

// variant reports whether a function of Python is an overload, the setter of a property, or
// one that a condition chooses.
func variant(src string, o index.Def, name string) bool {
	def := linesOf(src, o.StartLine, o.StartLine)
	if indent := def[:len(def)-len(strings.TrimLeft(def, " \t"))]; o.Container == "" && indent != "" {
		return true
	}
	for line := range strings.Lines(linesOf(src, o.DocLine, o.StartLine-1)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "@") && (strings.HasSuffix(line, "overload") || strings.HasPrefix(line, "@"+name+".")) {
			return true
		}
	}
	return false
}

// renamed returns an edit for each of the places that use the old name, and those to look at
// that may mean another definition.
func (f *follower) renamed(d redefinition, places []Place) (out offers) {
	sure, maybe := bySureness(places)
	if len(places) == 0 {
		return out
	}
	sure = append(sure, comments(d.path, currentText(f.corpus, d.path), d.def.StartLine, d.old)...)
	f.sort(sure)
	out.name = d.def.Name
	named, _ := Users(f.ctx, f.corpus, d.def).All() // only to be counted
	done, _ := bySureness(named)
	total := len(done) + len(sure)
	evidence := evidenceOf(renamed, len(done), total)
	evidence[byName] = truth(!bindsNames[f.corpus.Index().Language(d.def.File)])
	reason := fmt.Sprintf("%s is now called %s (%s:%d)", d.old, d.def.Name, d.path, d.def.StartLine)
	change := changeOf(d.path, d.def, d.old)
	for _, p := range sure {
		out.edits = append(out.edits, NextEdit{Path: p.Path, Edit: edits.Edit{Span: p.Span, New: d.written(p)}, Change: change, Evidence: evidence,
			Title: fmt.Sprintf("Rename %s to %s: %s, %d done", d.old, d.def.Name, terms.Counted(total, "use"), len(done)), Reason: reason})
	}
	out.visits = f.visits(maybe, fmt.Sprintf("Rename %s to %s", d.old, d.def.Name), "this may be "+d.old+": "+reason, change)
	for i, p := range maybe { // sorted by visits
		out.visits[i].Meant = &edits.Edit{Span: p.Span, New: d.written(p)}
	}
	return out
}

// comments are the places of a definition's name in the comment above it: where that begins
// with it, marks it as code, or where the name is no word of everyday language.
func comments(path, src string, line int, name string) (out []Place) {
	end := linesAhead(src, line-1)
	from := end
	for from > 0 {
		above := linesBack(src[:from], 1)
		if text := strings.TrimSpace(src[above:from]); !source.IsComment(text) && !strings.HasPrefix(text, "*") {
			break
		}
		from = above
	}
	text := src[from:end]
	first := strings.HasPrefix(strings.TrimLeft(text, "/*#! \t\r\n"), name)
	for at := edits.IndexWord(text, name, 0); at >= 0; at = edits.IndexWord(text, name, at+len(name)) {
		marked := at > 0 && strings.IndexByte("`[", text[at-1]) >= 0
		if first || marked || distinctive(name) {
			out = append(out, Place{Path: path, Line: line, Span: edits.Span{Start: from + at, End: from + at + len(name)}})
		}
		first = false
	}
	return out
}

// written is what a place of the old name becomes: a property and its value have one name no
// more.
func (d redefinition) written(p Place) string {
	switch {
	case p.Affixes != nil:
		return p.Affixes.Prefix + d.def.Name + p.Affixes.Suffix
	case !p.Shorthand:
		return d.def.Name
	case d.def.Container != "" && !d.def.Local:
		return d.def.Name + ": " + d.old
	}
	return d.old + ": " + d.def.Name
}

// bySureness are the places that use a definition for certain, and those that may use another one.
func bySureness(places []Place) (sure, maybe []Place) {
	for _, p := range places {
		if p.Maybe {
			maybe = append(maybe, p)
		} else {
			sure = append(sure, p)
		}
	}
	return sure, maybe
}

// sort sorts places: those after the cursor come first, then those before it, then those
// in other files.
func (f *follower) sort(places []Place) {
	slices.SortStableFunc(places, func(a, b Place) int { return f.away(a) - f.away(b) })
}

func (f *follower) away(p Place) int {
	switch {
	case p.Path != f.path:
		return 2
	case p.Span.Start < f.offset:
		return 1
	}
	return 0
}

// visits are places that the user has to change, or look at.
func (f *follower) visits(places []Place, title, why, change string) (out []NextEdit) {
	f.sort(places)
	for _, p := range places {
		out = append(out, NextEdit{Path: p.Path, Edit: edits.Edit{Span: edits.Span{Start: p.Span.Start, End: p.Span.Start}}, Title: title, Reason: why, Jump: why, Change: change})
	}
	return out
}
