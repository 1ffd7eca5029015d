package next

import (
	"slices"
	"strings"
	"sync"

	"tandem/edits"
	"tandem/model/assist/core"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/language"
)

// Affixes are what a rename writes beside the new name.
type Affixes = local.Affixes

// A Reference is a place in a document.
type Reference struct {
	URI     string
	Span    edits.Span
	Affixes *Affixes // nil is not known
}

// References are where the editor's other language servers find a declared name, in the texts
// of one snapshot, but for the declaring document, which may be as it was when they were asked.
// Of several at one place the first one counts.
type References struct {
	Document    *workspace.Overlay // that declares it; nil: as the snapshot has it
	Declaration Reference
	Name        string
	Uses        []Reference // maybe with the declaration
}

// references are the last answers of language servers.
type references struct {
	mu   sync.Mutex // guards sets
	sets []*referenceSet
}

// A referenceSet is one answer, as the texts are now.
type referenceSet struct {
	name        string
	declaration tracked
	span        edits.Span // of the name in the declaration, whatever it is now
	uses        []usesIn
	renamed     bool // see local.Declaration
}

type usesIn struct {
	tracked
	names []use
}

type use struct {
	edits.Span
	affixes *Affixes
}

// Limits on what is kept of other servers' answers.
const (
	maxReferenceSets = 16
	maxReferences    = 2000
)

// Know records what the editor's other language servers answered about a snapshot.
func (n *Editor) Know(snap *workspace.Snapshot, r References) {
	track := func(uri string) (tracked, bool) {
		if o := r.Document; o != nil && workspace.Key(o.URI) == workspace.Key(uri) {
			return tracked{uri: o.URI, text: o.Text, version: o.Version, generation: o.Generation, revision: o.Revision}, true
		}
		return track(snap, uri)
	}
	at, ok := track(r.Declaration.URI)
	if !ok || r.Name == "" || !r.Declaration.Span.Valid(at.text.Len()) || at.text.Slice(r.Declaration.Span) != r.Name {
		return
	}
	set := &referenceSet{name: r.Name, declaration: at, span: r.Declaration.Span}
	for _, u := range r.Uses[:min(len(r.Uses), maxReferences)] {
		set.renamed = set.renamed || u.Affixes != nil
		key := workspace.Key(u.URI)
		i := slices.IndexFunc(set.uses, func(u usesIn) bool { return workspace.Key(u.uri) == key })
		if i < 0 {
			file, ok := track(u.URI)
			if !ok {
				continue
			}
			i = len(set.uses)
			set.uses = append(set.uses, usesIn{tracked: file})
		}
		set.uses[i].names = append(set.uses[i].names, use{u.Span, u.Affixes})
	}
	n.references.mu.Lock()
	defer n.references.mu.Unlock()
	n.references.sets = slices.DeleteFunc(n.references.sets, func(o *referenceSet) bool {
		return o.name == set.name && workspace.Key(o.declaration.uri) == workspace.Key(at.uri) && o.span == set.span
	})
	n.references.sets = append(n.references.sets, set)
	n.references.sets = n.references.sets[max(0, len(n.references.sets)-maxReferenceSets):]
}

// Asked is the text of an open document with a version in which its declarations were looked for
// last: the user may have typed since, while language servers looked for the references.
func (n *Editor) Asked(now *workspace.Overlay, version int32) (*workspace.Overlay, bool) {
	d := n.Open.Of(now)
	if d == nil {
		return nil, false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.declarationsOf, d.declarationsOf != nil && d.declarationsOf.Version == version
}

// Declarations are the places of the names that the line of a place declares, but for those
// whose references are known.
func (n *Editor) Declarations(snap *workspace.Snapshot, place core.Place) (out []edits.Span) {
	o, err := core.OpenAt(snap, place)
	if err != nil || n.Local == nil {
		return nil
	}
	if d := n.Open.Of(o); d != nil {
		d.mu.Lock()
		d.declarationsOf = o
		d.mu.Unlock()
	}
	folder := core.CorpusAround(snap, place.URI)
	for _, span := range local.DeclaredOn(folder, folder.Path(place.URI), o.Text.LineOf(place.Offset)+1) {
		n.references.mu.Lock()
		known := slices.ContainsFunc(n.references.sets, func(s *referenceSet) bool {
			return s.declaration.generation == o.Generation && s.declaration.revision == o.Revision && workspace.Key(s.declaration.uri) == workspace.Key(o.URI) && s.span == span
		})
		n.references.mu.Unlock()
		if !known && span.Valid(o.Text.Len()) {
			out = append(out, span)
		}
	}
	return out
}

// A corpus is a snapshot of a folder with what language servers know of it.
type corpus struct {
	core.Corpus
	snap   *workspace.Snapshot
	editor *Editor
}

func (n *Editor) corpus(snap *workspace.Snapshot, uri string) corpus {
	return corpus{core.CorpusAround(snap, uri), snap, n}
}

// IndexBut is the index, in which one file may be as it was earlier.
func (c corpus) IndexBut(path string) *local.Index { return local.IndexBut(c.Corpus, path) }

// Declared returns the declarations whose names are in a part of a file's text.
func (c corpus) Declared(path string, in edits.Span) (out []local.Declaration) {
	known := &c.editor.references
	known.mu.Lock()
	defer known.mu.Unlock()
	text, _ := c.Text(path)                         // none of a document that is in no folder
	for _, s := range slices.Backward(known.sets) { // the newest answer first
		if workspace.Key(s.declaration.uri) != c.Resolve(path) || !s.follow(c.editor, c.snap) || s.declaration.text.Len() != len(text) {
			continue
		}
		if at := s.nameNow(); at.Start >= in.Start && at.End <= in.End {
			out = append(out, local.Declaration{Name: s.name, Span: at, Uses: s.places(c), Renamed: s.renamed})
		}
	}
	return out
}

// follow brings the declaration to a snapshot.
func (s *referenceSet) follow(n *Editor, snap *workspace.Snapshot) bool {
	return s.declaration.follow(n.editor.Docs, snap, func(_ edits.Text, e edits.Edit) {
		s.span, _ = s.span.Over(e)
	})
}

// nameNow is where the declared name is in what the user wrote in its place.
func (s *referenceSet) nameNow() edits.Span {
	text := s.declaration.text.Slice(s.span)
	if i := strings.Index(text, s.name); i >= 0 && len(text) > len(s.name) && !isWord(text) {
		return edits.Span{Start: s.span.Start + i, End: s.span.Start + i + len(s.name)}
	}
	cut := strings.TrimLeftFunc(text, notInWord)
	start := s.span.Start + len(text) - len(cut)
	return edits.Span{Start: start, End: start + len(strings.TrimRightFunc(cut, notInWord))}
}

func isWord(s string) bool { return !strings.ContainsFunc(s, notInWord) }

func notInWord(r rune) bool { return r < 128 && !edits.IsWordByte(byte(r)) }

// places are the uses that still have the name, in the folder's files.
func (s *referenceSet) places(c corpus) (out []local.Place) {
	for i := range s.uses {
		f := &s.uses[i]
		path := c.Path(f.uri)
		if _, known := c.Index().FileID(path); !known && workspace.Key(f.uri) != workspace.Key(s.declaration.uri) {
			continue // of a dependency, or hidden
		}
		if !f.follow(c.editor.editor.Docs, c.snap, f.move) {
			continue
		}
		src, seen := f.text.String(), map[edits.Span]bool{} // several servers may know a place
		placeAt := local.PlacesIn(path, language.OfFile(path), src)
		for _, u := range f.names {
			if p, ok := placeAt(s.name, u.Span); ok && !seen[p.Span] {
				p.Affixes, seen[p.Span] = u.affixes, true
				out = append(out, p)
			}
		}
	}
	return out
}

// move moves the places over an edit; those that it touches are another thing's.
func (f *usesIn) move(_ edits.Text, e edits.Edit) {
	shift := e.Delta()
	f.names = slices.DeleteFunc(f.names, func(u use) bool { return e.Start < u.End && e.End > u.Start })
	for i, u := range f.names {
		if e.End <= u.Start {
			f.names[i].Span = edits.Span{Start: u.Start + shift, End: u.End + shift}
		}
	}
}

// A tracked file is what is known of a file's text, which is brought to later snapshots by the
// user's edits of it.
type tracked struct {
	uri                  string
	generation, revision uint64 // of the open document that the text is of; 0 while it is not open
	text                 edits.Text
	version              int32 // of the document, 0 while it is not open
}

func track(snap *workspace.Snapshot, uri string) (tracked, bool) {
	f, err := snap.File(snap.Resolve(uri))
	if err != nil || f.Binary() || f.Large() {
		return tracked{}, false
	}
	t := tracked{uri: f.URI(), text: f.Raw(), version: f.Version()}
	if o, open := snap.Overlay(uri); open {
		t.generation, t.revision = o.Generation, o.Revision
	}
	return t, true
}

// follow brings the text to that of a snapshot, and calls each with every edit on the way and
// the text before it. It is false if the file cannot be read, or has changed since the snapshot.
func (t *tracked) follow(docs *core.Documents, snap *workspace.Snapshot, each func(before edits.Text, e edits.Edit)) bool {
	now, ok := track(snap, t.uri)
	if !ok {
		return false
	}
	var list []edits.Edit
	known := false
	if o, open := snap.Overlay(t.uri); open && t.generation == o.Generation {
		var doc core.Document
		list, doc, known = docs.Since(o, t.revision)
		if known && doc.Log.Last() != o.Revision {
			return false
		}
	}
	if !known && !now.text.Equal(t.text) {
		list = edits.Diff(t.text.String(), now.text.String())
		slices.Reverse(list) // all are about the text before
	}
	for _, e := range list {
		each(t.text, e)
		t.text = t.text.Replace(e.Span, e.New)
	}
	*t = now
	return true
}
