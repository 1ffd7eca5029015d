package names

import (
	"encoding/binary"
	"iter"
	"path/filepath"
	"slices"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// Of is a snapshot as a Checker sees it.
func Of(snap *workspace.Snapshot) Workspace { return snapshot{snap} }

// In are the names in the code of a snapshot's folders.
func In(snap *workspace.Snapshot) edits.Names { return snapshot{snap} }

type snapshot struct{ *workspace.Snapshot }

func (s snapshot) Known(word string) bool {
	return language.IsKeyword(word) || slices.ContainsFunc(s.Views(), func(v *workspace.View) bool {
		ix := v.Index()
		return ix.DocFreq(word) > 0 || len(ix.LookupIDs(word)) > 0
	})
}

func (s snapshot) Abs(path string) string {
	if abs, ok := s.FileOf(path); ok {
		return abs
	}
	return s.Resolve(path)
}

func (s snapshot) Overlay(abs string) (string, int64, bool) {
	o, ok := s.Snapshot.Overlay(abs)
	if !ok {
		return "", 0, false
	}
	if o.Generation > 0 {
		return o.Content(), int64(o.Generation<<32 | o.Revision), true
	}
	hash := o.Hash() // a supposed text has no version of its own
	return o.Content(), int64(binary.BigEndian.Uint64(hash[:]) >> 2), true
}

func (s snapshot) Analysis(abs string) *language.Analysis {
	if o, ok := s.Snapshot.Overlay(abs); ok {
		return o.Analysis()
	}
	return nil
}

func (s snapshot) Overlays() []string {
	var out []string
	for _, o := range s.Snapshot.Overlays() {
		if abs, ok := workspace.PathOf(o.URI); ok {
			out = append(out, abs)
		}
	}
	return out
}

func (s snapshot) Indexes() iter.Seq2[string, *index.Index] {
	return func(yield func(string, *index.Index) bool) {
		for _, v := range s.Views() {
			if !yield(v.Root, v.Index()) {
				return
			}
		}
	}
}

// usersOf are the absolute paths of the files of all folders whose code has an identifier.
func usersOf(ws Workspace, name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for root, ix := range ws.Indexes() {
			for _, id := range ix.Users(name) {
				if !yield(filepath.Join(root, filepath.FromSlash(ix.Path(id)))) {
					return
				}
			}
		}
	}
}

func (s snapshot) Index(abs string) (*index.Index, string, string) {
	v := s.View(abs)
	if v == nil {
		return nil, "", ""
	}
	at, _ := v.Rel(abs)
	return v.Index(), v.Root, at.String()
}
