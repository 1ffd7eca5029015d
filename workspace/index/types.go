package index

import (
	"time"

	"tandem/workspace/language"
	"tandem/workspace/rel"
)

// A FileID identifies a file of one index and of every index made from it by
// With. Ids of different builds are unrelated.
type FileID uint32

// A DefID identifies a definition of one index: its file, and its position in
// the file's source order. It stays valid until that file changes.
type DefID uint64

// File is the file the definition is in.
func (d DefID) File() FileID { return FileID(d >> 32) }

func defID(f FileID, ordinal int) DefID { return DefID(f)<<32 | DefID(uint32(ordinal)) }

// A Def is one definition of an index, and where the index has it.
type Def struct {
	language.Def
	ID   DefID
	File FileID
}

// A Change is one file's new state.
type Change struct {
	Path    rel.Path
	Text    string
	Parts   []language.Part // that make up Text, scanned; nil: it is scanned here
	ModTime time.Time       // zero for an open buffer
	Removed bool            // the file is gone; the other fields but Path are ignored
}
