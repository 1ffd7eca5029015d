package nextedit

import (
	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A past is the definitions of a file as they were before one edit of the user's.
type past []language.Def

// before returns the past of an edit whose text is still there.
func before(c source.Corpus, r workspace.RecentEdit) (past, bool) {
	id, ok := c.Index().FileID(r.Path)
	src, readable := c.Text(r.Path)
	at := placeOf(src, r)
	if !ok || !readable || at < 0 || len(src) > source.MaxFile {
		return nil, false
	}
	return language.Scan(c.Index().Language(id), r.Path, src[:at]+r.Old+src[at+len(r.New):]).Defs, true
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
