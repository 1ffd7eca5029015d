package workspace

import (
	"sync"
	"sync/atomic"

	"tandem/workspace/index"
	"tandem/workspace/rel"
)

// An indexed is a folder's index in one snapshot: the index of an earlier one and
// the files that changed since, which are added at the first call of get. So a
// keystroke costs nothing here, and many of them are added at once.
type indexed struct {
	reading reading
	gap     index.Gap    // what base does not have of the folder's code
	base    *index.Index // nil while unread
	pending []pendingFile

	once   sync.Once
	result atomic.Pointer[index.Index]
}

// reading is how far a folder is read.
type reading uint8

const (
	unread reading = iota // for the first time, or not at all
	partly                // reading ended before all was read: there is an index of that
	read                  // all that is read of a folder
)

// A pendingFile is a file that is not in the index yet: an open document's text, or the text on
// disk, as it was read already or is read when the index is requested.
type pendingFile struct {
	at   rel.Path
	open *Overlay      // nil: the file is not open
	now  *index.Change // nil: it was not read
}

var emptyIndex = index.New()

// get returns the index with all pending files added.
func (ix *indexed) get(v *View) *index.Index {
	if ix.reading == unread {
		return emptyIndex
	}
	ix.once.Do(func() {
		next := ix.base
		if changes := v.resolve(ix.pending); len(changes) > 0 {
			next = next.With(changes...)
		}
		ix.result.Store(next)
	})
	return ix.result.Load()
}

// but returns the index in which one file may be as it was earlier, so that typing in it
// costs nothing.
func (ix *indexed) but(v *View, at rel.Path) *index.Index {
	if done := ix.result.Load(); done != nil || ix.reading == unread {
		return ix.get(v)
	}
	for _, f := range ix.pending {
		if f.at != at {
			return ix.get(v)
		}
	}
	return ix.base
}

// numFiles counts the files without adding the pending ones.
func (ix *indexed) numFiles() int {
	if done := ix.result.Load(); done != nil {
		return done.NumFiles()
	}
	return ix.base.NumFiles()
}

// with returns the index after more files changed. The newest state of a file
// replaces an older one that was not added yet.
func (ix *indexed) with(files ...pendingFile) *indexed {
	if ix.reading == unread {
		return ix
	}
	next := &indexed{reading: ix.reading, gap: ix.gap, base: ix.base}
	older := ix.pending
	if done := ix.result.Load(); done != nil {
		next.base, older = done, nil
	}
	newer := make(map[rel.Path]bool, len(files))
	for _, f := range files {
		newer[f.at] = true
	}
	for _, f := range older {
		if !newer[f.at] {
			next.pending = append(next.pending, f)
		}
	}
	next.pending = append(next.pending, files...)
	return next
}

// resolve turns pending files into what the index understands. A file that may
// not be shown, is no text or is gone is removed from the index.
func (v *View) resolve(files []pendingFile) []index.Change {
	changes := make([]index.Change, 0, len(files))
	for _, f := range files {
		changes = append(changes, v.resolveOne(f))
	}
	return changes
}

func (v *View) resolveOne(f pendingFile) index.Change {
	if f.now != nil {
		return *f.now
	}
	gone := index.Change{Path: f.at, Removed: true}
	if v.hides(f.at) {
		return gone
	}
	if f.open != nil {
		h := FileHandle{overlay: f.open}
		if h.Large() || h.Binary() {
			return gone
		}
		return index.Change{Path: f.at, Text: f.open.Analysis().Text(), Parts: f.open.Analysis().Shares()}
	}
	if info, err := v.folder.dir.Lstat(f.at); err != nil || !info.Mode().IsRegular() || info.Size() > index.MaxFile {
		return gone // as where a folder is read as a whole
	}
	file, err := v.folder.read(f.at, newDiskCache())
	if err != nil || file.binary {
		return gone
	}
	return index.Change{Path: f.at, Text: file.content, ModTime: file.info.modified} // byte for byte, as a build reads it
}

// languageHint is the language an editor gave, if it is more specific than the
// file's name.
func languageHint(id string) string {
	if id == "plaintext" || id == "text" {
		return ""
	}
	return id
}
