package workspace

import (
	"context"
	"path"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/git"
	"tandem/workspace/rel"
	"tandem/workspace/role"
)

// An Asker is who asks for a change.
type Asker uint8

// The askers.
const (
	User  Asker = iota // in their own words
	Agent              // a program, or an answer that a model wrote somewhere else
)

// Asked is what a request says of the files that its change may write.
type Asked struct {
	By    Asker
	Files []string // that the request is about, as Snapshot.Name returns them
	Words string   // of the request, which may name files
	Also  []string // what a change of these files breaks, and what a plan that the user saw lists
	Shown bool     // a person sees the change, and every file of it, before it is written
}

// Why a file may not be written, as the rest of a sentence that begins with its name.
const (
	whyOutside = "lies outside the workspace, where no model may write"
	whyRuns    = "makes programs run or decides what models see; it is written where your own request names it or you confirm it"
	whyUnnamed = "is neither named by the request nor broken by what the request changes"
	whyAlone   = "would be a new file of a kind that the repository does not keep in its folder"
)

// MayWrite is the one owner of what may be written because a model proposes it: it returns a code
// and a reason if the file at a path may not be. What is refused as CodeProtected a person may
// confirm. What may be written is listed:
//
//   - what the user's own request names;
//   - what an agent's names, what the change breaks and what a shown plan lists, unless it makes programs
//     run or decides what models see (package role);
//   - of a change that a person sees before it is written, every other file that does neither;
//   - of any other change, new files of a programming language beside tracked ones.
func (s *Snapshot) MayWrite(name string, asked Asked) (edits.Code, string) {
	named := asked.names(name)
	if named && asked.By == User {
		return "", ""
	}
	view, at, inside := s.place(name)
	if edits.Outside(name) || !inside {
		return edits.CodeOutside, whyOutside
	}
	does := role.Of(at.String())
	switch {
	case !does.Ordinary(), does == role.Data && role.Settings(at.String()) && view.beside(at, func(base string) bool { return role.Manifests[base] }):
		return edits.CodeProtected, whyRuns
	case named, asked.Shown, slices.Contains(asked.Also, name):
		return "", ""
	case view.folder.exists(at):
		return edits.CodeProtected, whyUnnamed
	case does != role.Source || !view.tracks(at):
		return edits.CodeProtected, whyAlone
	}
	return "", ""
}

// Writes is MayWrite for one request.
func (s *Snapshot) Writes(asked Asked) func(name string) (edits.Code, string) {
	return func(name string) (edits.Code, string) { return s.MayWrite(name, asked) }
}

// names reports whether a request names a file: by its path, or by its last part where the file is
// at the top or in the folder of a file that the request is about.
func (a Asked) names(name string) bool {
	if slices.Contains(a.Files, name) {
		return true
	}
	near := path.Dir(name) == "." || slices.ContainsFunc(a.Files, func(f string) bool { return path.Dir(f) == path.Dir(name) })
	for _, word := range strings.FieldsFunc(a.Words, func(r rune) bool { return strings.ContainsRune(" \t\r\n`'\"()[]{}<>,;:!?*", r) }) {
		word = strings.TrimPrefix(strings.TrimRight(word, "."), "./")
		if word == name || near && word == path.Base(name) {
			return true
		}
	}
	return false
}

// beside reports whether there is a file in the folder of another whose name, in lower case, is wanted.
func (v *View) beside(at rel.Path, wanted func(base string) bool) bool {
	entries, _ := v.folder.dir.ReadDir(context.Background(), at.Parent()) // a new folder has none
	for _, e := range entries {
		if e.Type().IsRegular() && wanted(strings.ToLower(e.Name())) {
			return true
		}
	}
	return false
}

// tracks reports whether the repository tracks a file with the same extension in the folder of another;
// without a repository every file that is not ignored counts as tracked.
func (v *View) tracks(at rel.Path) bool {
	tracked, err := git.Tracked(context.Background(), v.Root)
	return v.beside(at, func(base string) bool {
		other := at.Parent().Join(base)
		if path.Ext(base) != strings.ToLower(path.Ext(at.Name())) {
			return false
		}
		if err == nil {
			return tracked[strings.ToLower(other.String())]
		}
		ignored, _ := v.Ignored(other, false)
		return !ignored
	})
}
