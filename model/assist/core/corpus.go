package core

import (
	"path/filepath"

	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/rel"
)

// A Corpus is one folder of a snapshot as the built-in engine may see it.
type Corpus struct {
	snap *workspace.Snapshot
	view *workspace.View // nil where no folder is open
}

// CorpusAround returns the folder that holds a document, else the first one.
func CorpusAround(snap *workspace.Snapshot, uri string) Corpus {
	c := Corpus{snap: snap, view: snap.View(uri)}
	if views := snap.Views(); c.view == nil && len(views) > 0 {
		c.view = views[0]
	}
	return c
}

// Path is the path of a document in the folder, by which the engine knows it. Of one that is
// elsewhere, it is absolute: the folder has no file of that path.
func (c Corpus) Path(uri string) string {
	path, isFile := workspace.PathOf(uri)
	if !isFile {
		return uri
	}
	if c.view != nil {
		if at, below := c.view.Rel(path); below {
			return at.String()
		}
	}
	return filepath.ToSlash(path)
}

// Resolve is the document that a path means.
func (c Corpus) Resolve(path string) string {
	_, isFile := workspace.PathOf(path)
	if _, open := c.snap.Overlay(path); isFile || open || c.view == nil { // open: untitled
		return workspace.Key(path)
	}
	return c.view.Abs(path)
}

// RecentEdits are those of the snapshot, by the paths of the folder.
func (c Corpus) RecentEdits(uri string) []workspace.RecentEdit {
	list := c.snap.RecentEdits(uri)
	for i := range list {
		list[i].Path = c.Path(list[i].URI)
	}
	return list
}

// Root names the folder.
func (c Corpus) Root() string {
	if c.view == nil {
		return ""
	}
	return c.view.Root
}

// Index is the folder's index.
func (c Corpus) Index() *index.Index {
	if c.view == nil {
		return index.New()
	}
	return c.view.Index()
}

// IndexBut is Index, in which one file may be as it was earlier.
func (c Corpus) IndexBut(path string) *index.Index {
	if at, ok := rel.Of(path); ok && c.view != nil {
		return c.view.IndexBut(at)
	}
	return c.Index()
}

// Text returns a file's current text, if it may be shown.
func (c Corpus) Text(path string) (string, bool) {
	at, below := rel.Of(path)
	if c.view == nil || !below {
		return "", false
	}
	f, err := c.snap.File(at.Abs(c.view.Root))
	if err != nil || f.Binary() || f.Large() {
		return "", false
	}
	return f.Content(), true
}
