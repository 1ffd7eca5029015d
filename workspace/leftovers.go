package workspace

import (
	"crypto/rand"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"tandem/workspace/index"
	"tandem/workspace/lock"
	"tandem/workspace/rel"
)

// The name of a temporary file beside one that is written; and how old one is that a
// killed program left there, on a file system without locks.
const (
	temporaryPrefix, temporarySuffix = ".tandem-", ".tmp"
	leftoverAge                      = time.Hour
)

// isTemporary reports whether a name is one that rand.Text made for a temporary file.
func isTemporary(name string) bool {
	name, prefix := strings.CutPrefix(name, temporaryPrefix)
	name, suffix := strings.CutSuffix(name, temporarySuffix)
	return prefix && suffix && len(name) == len(rand.Text()) && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// removeLeftovers removes the temporary files that killed programs left in a folder.
func removeLeftovers(dir *os.Root) {
	folder, err := dir.Open(".")
	if err != nil {
		return // writing says why
	}
	defer func() { _ = folder.Close() }() // it was only read
	for err == nil {
		var names []string
		names, err = folder.Readdirnames(1024)
		for _, name := range names {
			if isTemporary(name) {
				removeLeftover(dir, name)
			}
		}
	}
}

// removeLeftover removes a temporary file unless a program is writing it.
func removeLeftover(dir *os.Root, name string) {
	info, err := dir.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	free := false
	f, err := dir.Open(name)
	if err == nil {
		defer func() { _ = f.Close() }() // it was only read
		free, err = lock.Share(f)
	}
	if free || err != nil && time.Since(info.ModTime()) > leftoverAge {
		_ = dir.Remove(name) // the next write in the folder tries again
	}
}

// maxLeftovers bounds how many temporary files of one folder are noted.
const maxLeftovers = 1000

// leftovers are the ignore rules of a folder that is indexed. They note the temporary files
// that the walk comes across, so that those of killed programs can go without another one.
type leftovers struct {
	index.Matcher

	mu    sync.Mutex // guards found
	found []rel.Path
}

// Entered notes the temporary files among the entries of a folder.
func (l *leftovers) Entered(dir rel.Path, entries []fs.DirEntry) {
	l.Matcher.Entered(dir, entries)
	for _, e := range entries {
		if !isTemporary(e.Name()) {
			continue
		}
		l.mu.Lock()
		if len(l.found) < maxLeftovers {
			l.found = append(l.found, dir.Join(e.Name()))
		}
		l.mu.Unlock()
	}
}

// remove removes what was noted below the folder at root, unless a program is writing it.
func (l *leftovers) remove(root string) {
	if len(l.found) == 0 {
		return
	}
	top, err := os.OpenRoot(root)
	if err != nil {
		return // indexing says why
	}
	defer func() { _ = top.Close() }() // it was only read
	for _, at := range l.found {
		dir, err := top.OpenRoot(at.Parent().Local())
		if err != nil {
			continue // it has gone meanwhile
		}
		removeLeftover(dir, at.Name())
		_ = dir.Close() // it was only read
	}
}
