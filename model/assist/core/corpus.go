package core

import (
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/rel"
)

// A corpus is one folder of a snapshot as the built-in engine may see it.
type corpus struct {
	snap *workspace.Snapshot
	view *workspace.View // nil where no folder is open
}

// CorpusAround returns the folder that holds a document, else the first one.
func CorpusAround(snap *workspace.Snapshot, uri string) corpus {
	c := corpus{snap: snap, view: snap.View(uri)}
	if views := snap.Views(); c.view == nil && len(views) > 0 {
		c.view = views[0]
	}
	return c
}

// Root names the folder.
func (c corpus) Root() string {
	if c.view == nil {
		return ""
	}
	return c.view.Root
}

// Index is the folder's index.
func (c corpus) Index() *index.Index {
	if c.view == nil {
		return index.New()
	}
	return c.view.Index()
}

// IndexBut is Index, in which one file may be as it was earlier.
func (c corpus) IndexBut(path string) *index.Index {
	if at, ok := rel.Of(path); ok && c.view != nil {
		return c.view.IndexBut(at)
	}
	return c.Index()
}

// Text returns a file's current text, if it may be shown.
func (c corpus) Text(path string) (string, bool) {
	if c.view == nil {
		return "", false
	}
	f, err := c.snap.File(c.view.Abs(path))
	if err != nil || f.Binary() || f.Large() {
		return "", false
	}
	return f.Content(), true
}
