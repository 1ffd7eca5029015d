package local

import (
	"tandem/edits"
	"tandem/workspace/index"
)

// A Corpus is one folder at one instant, as far as the built-in engine may see
// it: files that are ignored or secret are not in it.
type Corpus interface {
	// Root names the folder: what was learned from it is kept under this name.
	Root() string
	// Index is the folder's index; it tells which files there are.
	Index() *index.Index
	// Text is a file's text now, an open document's over the disk's. Paths are
	// relative to the folder, with slashes.
	Text(path string) (string, bool)
}

// A NextEdit is a place at which a change that the user repeats fits again.
type NextEdit struct {
	Path   string
	Edit   edits.Edit // about the file's text now
	Title  string     // "Rename oldName to newName: 3 of 12"
	Reason string     // why it is offered, in words
}
