package window

import (
	"path"
	"slices"
	"strings"

	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/redact"
)

// A folder is the code that a window may show, of the workspace folder that has the place. Files
// are read through the gate, each once.
type folder struct {
	snap     *workspace.Snapshot
	view     *workspace.View           // nil: the place is outside every folder
	ix       *index.Index              // empty without a view
	document string                    // the document's path below the root, "" for none
	sources  map[string]*redact.Source // by path; nil for what may not be shown
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

func (f *folder) definition(id index.DefID) definition { return definition{id, f.ix.Brief(id)} }

// pathOf returns the file of a definition.
func (f *folder) pathOf(id index.DefID) string { return f.ix.Path(id.File()) }

// family returns the family of a file's language.
func (f *folder) family(id index.FileID) string { return language.Family(f.ix.Language(id)) }

// definitions returns those of a name: of a file first, then of its folder, of tests last.
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

// lastName returns the last element of an import's path, or of a container's name.
func lastName(path string) string { return path[strings.LastIndexAny(path, "/.:")+1:] }

// holder returns the innermost function, or else the innermost definition, around a line.
func (f *folder) holder(file index.FileID, line int) (best definition, found bool) {
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

// lines returns the definition around a line as a fragment, or some lines around it if there is
// none or it is too long.
func (f *folder) lines(file index.FileID, line int) (c Fragment, in definition) {
	d, ok := f.holder(file, line)
	if ok && d.EndLine-d.DocLine <= longestBody {
		return Fragment{Path: f.ix.Path(file), StartLine: d.DocLine, EndLine: d.EndLine}, d
	}
	return Fragment{Path: f.ix.Path(file), StartLine: max(1, line-aroundLine), EndLine: line + aroundLine}, d
}

const (
	aroundLine  = 12  // lines on either side of a line in code that is too long
	longestBody = 120 // lines of a definition that is shown with its body
)

// body returns a definition with its comment and body, and its outline to show if that does not
// fit.
func (f *folder) body(d definition, reason string) Fragment {
	return Fragment{Path: f.pathOf(d.id), StartLine: d.DocLine, EndLine: d.EndLine, Kind: FragmentDefinition, Reason: reason, orElse: func() []Fragment { return f.outline(d, reason) }}
}

// outline returns a definition's signature and, of a type, those of its members.
func (f *folder) outline(d definition, reason string) (out []Fragment) {
	out = f.signature(out, d, reason)
	if !d.Kind.IsType() {
		return out
	}
	for _, id := range f.ix.DefIDs(d.id.File()) {
		if m := f.definition(id); m.StartLine > d.StartLine && m.EndLine <= d.EndLine && !m.Local {
			out = f.signature(out, m, "defines "+m.Name+", of "+d.Name)
		}
	}
	return out
}

// signature adds the lines of a signature, or the first of a long one such as a table. It adds
// nothing for one long line, which is useless.
func (f *folder) signature(out []Fragment, d definition, reason string) []Fragment {
	text := f.ix.SigText(d.id)
	if len(text) > longSignature {
		text = text[:strings.LastIndexByte(text[:longSignature], '\n')+1]
	}
	if text == "" {
		return out
	}
	last := d.StartLine + min(clippedLines, countLines(text)) - 1
	return append(out, Fragment{Path: f.pathOf(d.id), StartLine: d.StartLine, EndLine: last, Kind: FragmentDefinition, Reason: reason})
}

const (
	longSignature = 1200 // bytes
	clippedLines  = 12
)
