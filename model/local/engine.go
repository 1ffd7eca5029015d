package local

import (
	"context"
	"iter"

	"tandem/edits"
	"tandem/model"
	"tandem/model/local/complete"
	"tandem/model/local/nextedit"
	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/run"
)

// Name is the built-in engine's name in places where a model's name is expected.
const Name = "built-in"

// A Corpus is a snapshot of one folder for the built-in engine.
type Corpus = source.Corpus

// A NextEdit is a place where a change that the user has begun applies too.
type NextEdit = nextedit.NextEdit

type (
	// A Declaration is one whose uses the editor's language servers know.
	Declaration = nextedit.Declaration
	// A Place is where a file names a declaration.
	Place = nextedit.Place
	// Affixes are what a rename writes beside the name at a place.
	Affixes = nextedit.Affixes
	// An Index lists the files.
	Index = index.Index
)

// PlacesIn returns what finds the place of a name that language servers found in a file.
func PlacesIn(path, lang, src string) func(name string, span edits.Span) (Place, bool) {
	return nextedit.PlacesIn(path, lang, src)
}

// DeclaredOn returns the places of the names that a line of a file declares.
func DeclaredOn(c Corpus, path string, line int) []edits.Span {
	return nextedit.DeclaredOn(c, path, line)
}

// IndexBut returns a corpus' index in which one file may be as it was earlier.
func IndexBut(c Corpus, path string) *Index { return source.IndexBut(c, path) }

// An Engine is the built-in engine of one session.
type Engine struct {
	complete *complete.Engine
	next     *nextedit.Engine
}

// New returns an engine whose background work runs in group. With a
// nil group, training runs before each answer: for commands and tests.
func New(group *run.Group) *Engine {
	c := complete.New(group)
	return &Engine{complete: c, next: nextedit.New(c)}
}

// KeepIn sets where what is learned of a folder is kept for the next start: in the
// folder that dir returns for Corpus.Root, "" for nowhere. It is called before the
// engine is used.
func (e *Engine) KeepIn(dir func(root string) string) { e.complete.KeepIn(dir) }

// A Certainty is how sure the engine must be of a suggestion.
type Certainty = complete.Certainty

// The certainties, from the least.
const (
	Possible = complete.Possible
	Likely   = complete.Likely
	Sure     = complete.Sure
)

// Suggest returns up to n texts for an infill site that are certain enough, the most
// confident first.
func (e *Engine) Suggest(ctx context.Context, c Corpus, f *model.Fill, n int, least Certainty) []string {
	return e.complete.Suggest(ctx, c, f, n, least)
}

// NextEdits returns the places that the user's last changes still have to reach, the best
// first; those with a Jump are for the user or a model to write.
func (e *Engine) NextEdits(ctx context.Context, c Corpus, recent []workspace.RecentEdit, path string, offset int) iter.Seq[NextEdit] {
	return e.next.Pending(ctx, c, recent, path, offset)
}

// StillAt reports whether a user at an offset of a file writes there what another place of it may need.
func StillAt(c Corpus, path string, at, place int) bool { return nextedit.StillAt(c, path, at, place) }

// A LostImport is an import that a change took the last use of.
type LostImport = nextedit.LostImport

// LostImports are the imports of a file that a change of it took the last use of.
func LostImports(path, before, after string) []LostImport {
	return nextedit.LostImports(path, before, after)
}
