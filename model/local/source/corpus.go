package source

import (
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

// IndexBut returns a corpus' index in which one file may be as it was earlier, if the
// corpus has that at less cost.
func IndexBut(c Corpus, path string) *index.Index {
	if cheap, ok := c.(interface {
		IndexBut(path string) *index.Index
	}); ok {
		return cheap.IndexBut(path)
	}
	return c.Index()
}

// MaxFile is the size in bytes above which a file is neither learned nor searched: it
// would use more memory than the suggestions are worth.
const MaxFile = 1 << 20
