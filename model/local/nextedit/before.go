package nextedit

import (
	"strings"

	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A past is the workspace as it was before one edit of the user's: there the users of a
// definition that the edit changed still type-check.
type past struct {
	edited
	edit workspace.RecentEdit
	at   int            // of the edit's texts
	defs []language.Def // of the edited file, as it was
}

// before returns the workspace before an edit whose text is still there.
func before(c source.Corpus, r workspace.RecentEdit) (past, bool) {
	id, ok := c.Index().FileID(r.Path)
	src, readable := c.Text(r.Path)
	at := placeOf(src, r)
	if !ok || !readable || at < 0 || len(src) > source.MaxFile {
		return past{}, false
	}
	text := src[:at] + r.Old + src[at+len(r.New):]
	scan := language.Scan(c.Index().Language(id), r.Path, text)
	return past{edited{c, map[string]string{r.Path: text}}, r, at, scan.Defs}, true
}

// def is a definition as it was, with the identity that it has now: of several, such as
// overloads, the one on its line.
func (p past) def(now index.Def, name string) (out index.Def, ok bool) {
	for _, d := range p.defs {
		if d.Name == name && d.Container == now.Container && d.Kind == now.Kind && (!ok || d.StartLine == now.StartLine) {
			out, ok = index.Def{Def: d, ID: now.ID, File: now.File}, true
		}
	}
	return out, ok
}

// now returns where a place is in the current text; false if it is inside the edit.
func (p past) now(at Place) (Place, bool) {
	switch {
	case at.Path != p.edit.Path || at.Span.End <= p.at:
		return at, true
	case at.Span.Start < p.at+len(p.edit.Old):
		return at, false
	}
	shift := len(p.edit.New) - len(p.edit.Old)
	at.Span.Start, at.Span.End = at.Span.Start+shift, at.Span.End+shift
	at.Line += strings.Count(p.edit.New, "\n") - strings.Count(p.edit.Old, "\n")
	return at, true
}

// inside are the places of a name in the edit's own lines, as they are now.
func (p past) inside(name string) (out []Place) {
	src, _ := p.Corpus.Text(p.edit.Path)
	for _, at := range placesIn(p.edit.Path, src, name, func(int) bool { return false }) {
		if at.Span.Start >= p.at && at.Span.End <= p.at+len(p.edit.New) {
			out = append(out, at)
		}
	}
	return out
}

// users are the places where the definition was used, as they are now.
func (p past) users(f *follower, was index.Def) []Place {
	out := p.inside(was.Name)
	for _, at := range f.checks.usersOf(f.ctx, p, was) {
		if at, ok := p.now(at); ok {
			out = append(out, at)
		}
	}
	return out
}
