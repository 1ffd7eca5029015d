package local

import (
	"tandem/edits"
	"tandem/workspace/index"
)

// A Corpus is a snapshot of one folder for the built-in engine. It does not
// contain ignored or secret files.
type Corpus interface {
	// Root names the folder: its trained model is stored under this name.
	Root() string
	// Index returns the folder's index, which lists its files.
	Index() *index.Index
	// Text returns a file's current text; an open document's text overrides the
	// file on disk. Paths are relative to the folder, with slashes.
	Text(path string) (string, bool)
}

// A NextEdit is a place where a change that the user repeats applies again.
type NextEdit struct {
	Path   string
	Edit   edits.Edit // of the file's current text
	Title  string     // "Rename oldName to newName: 3 of 12"
	Reason string     // why it is offered, as a sentence
}
