package nextedit

import (
	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A made edit is one of the user's that is in its file's current text.
type made struct {
	workspace.RecentEdit
	id   index.FileID
	lang string
	src  string
	at   int // of its new text
}

// editOf is an edit as its file has it; false if its text is gone, or the file is not read.
func editOf(c source.Corpus, r workspace.RecentEdit) (m made, ok bool) {
	id, ok := c.Index().FileID(r.Path)
	src := currentText(c, r.Path)
	at := placeOf(src, r)
	return made{r, id, c.Index().Language(id), src, at}, ok && at >= 0 && len(src) <= source.MaxFile
}

// before is the file's text without the edit.
func (m made) before() string { return m.src[:m.at] + m.Old + m.src[m.at+len(m.New):] }

// A newName is a name that an edit wrote for another one.
type newName struct {
	*change
	old, now string
}

// newNames are the names that an edit wrote for others; whole: if nothing else in their lines changed.
func newNames(r workspace.RecentEdit, whole bool) (out []newName) {
	for _, h := range changesOf(r.Old, r.New, false) {
		if one := len(h.old) == 1 && len(h.new) == 1; one && isName(h.old[0]) && isName(h.new[0]) && !(whole && h.partial) {
			out = append(out, newName{h, h.old[0].text, h.new[0].text})
		}
	}
	return out
}

// A past is the definitions of a file as they were before one edit of the user's.
type past []language.Def

// before returns the past of an edit whose text is still there.
func before(c source.Corpus, r workspace.RecentEdit) (past, bool) {
	e, ok := editOf(c, r)
	if !ok {
		return nil, false
	}
	return language.Scan(e.lang, r.Path, e.before()).Defs, true
}

// def is a definition as it was: of several, such as overloads, the one on its line.
func (p past) def(now index.Def, name string) (out language.Def, ok bool) {
	for _, d := range p {
		if d.Name == name && d.Container == now.Container && d.Kind == now.Kind && (!ok || d.StartLine == now.StartLine) {
			out, ok = d, true
		}
	}
	return out, ok
}
