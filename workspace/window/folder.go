package window

import (
	"path"
	"slices"
	"strings"

	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/redact"
	"tandem/workspace/similar"
)

// A folder is the code that a window may show: the files of the place's workspace folder. Files
// are read through the gate, each once for the window.
type folder struct {
	snap     *workspace.Snapshot
	view     *workspace.View           // nil: the place is outside every folder
	ix       *index.Index              // empty without a view
	corpus   *similar.Corpus           // nil while the folder's code is still being read
	document string                    // the document's path below the root, "" for none
	sources  map[string]*redact.Source // nil for what may not be shown
}

// noIndex is the index of a document outside every folder.
var noIndex = index.New()

// openFolder opens the folder that has the place.
func openFolder(s *workspace.Snapshot, p *place) *folder {
	f := &folder{snap: s, view: s.View(p.uri), ix: noIndex, document: p.rel, sources: map[string]*redact.Source{}}
	if f.view != nil {
		f.ix = f.view.Index()
	}
	return f
}

// empty reports whether the folder has no code.
func (f *folder) empty() bool { return f.view == nil || f.ix.NumFiles() == 0 }

// file returns a file, or nil when nothing of it may be shown.
func (f *folder) file(rel string) *redact.Source {
	source, known := f.sources[rel]
	if !known {
		source = f.readFile(rel)
		f.sources[rel] = source
	}
	return source
}

func (f *folder) readFile(rel string) *redact.Source {
	if f.view == nil || f.withholds(rel) {
		return nil
	}
	h, err := f.snap.File(f.view.Abs(rel))
	if err != nil || h.Binary() || h.Large() {
		return nil
	}
	return h.Source()
}

// withholds reports whether a file holds rules, which are shown as such and only in a
// trusted workspace.
func (f *folder) withholds(rel string) bool {
	return rel != f.document && slices.ContainsFunc(ruleFiles, func(name string) bool { return rel == name || strings.HasSuffix(rel, "/"+name) })
}

// A definition is one of the index.
type definition struct {
	id index.DefID
	index.Brief
}

// lines are those of the definition with the comment above it.
func (d definition) lines() lineRange { return lineRange{d.DocLine, d.EndLine} }

func (f *folder) definition(id index.DefID) definition { return definition{id, f.ix.Brief(id)} }

// pathOf is the file that has a definition.
func (f *folder) pathOf(id index.DefID) string { return f.ix.Path(id.File()) }

// family is the family of a file's language.
func (f *folder) family(id index.FileID) string { return language.Family(f.ix.Language(id)) }

// definitions are those of a name, those near a file first.
func (f *folder) definitions(name, near string) []index.DefID {
	ids := f.ix.LookupIDs(name)
	distance := func(id index.DefID) int {
		switch rel := f.pathOf(id); {
		case rel == near:
			return 0
		case near != "" && path.Dir(rel) == path.Dir(near):
			return 1
		case language.IsTest(rel):
			return 3
		}
		return 2
	}
	slices.SortStableFunc(ids, func(x, y index.DefID) int { return distance(x) - distance(y) })
	return ids
}

// holder is the innermost function, or else the innermost definition, that has a line.
func (f *folder) holder(file index.FileID, line int) (definition, bool) {
	var best definition
	found := false
	for id, d := range f.ix.Around(file, line) {
		switch {
		case d.Local || d.Kind == language.KindField || d.Kind == language.KindEnumMember:
		case d.Kind.IsFunc():
			return definition{id, d}, true
		case !found:
			best, found = definition{id, d}, true
		}
	}
	return best, found
}

// around is the definition that holds a line, or some lines around it where that
// is too long or where there is none; in is its name.
func (f *folder) around(file index.FileID, line int) (lines lineRange, in string) {
	d, ok := f.holder(file, line)
	if ok && d.EndLine-d.DocLine <= longestBody {
		return lineRange{d.DocLine, d.EndLine}, d.Name
	}
	return lineRange{max(1, line-aroundCall), line + aroundCall}, d.Name
}

const (
	aroundCall  = 8   // lines on either side of one in code that is too long to be shown
	longestBody = 120 // lines of a definition that is shown with its body because it is related
)

// A lineRange is lines of a file, from 1, the last one included.
type lineRange struct{ first, last int }
