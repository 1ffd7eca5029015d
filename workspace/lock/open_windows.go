package lock

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Open opens a file as os.OpenFile does, so that others may remove and replace it while it is
// open. Windows forbids that for what os.OpenFile opens, and allows it for what a root does.
func Open(path string, flag int, perm fs.FileMode) (f *os.File, err error) {
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	return dir.OpenFile(filepath.Base(path), flag, perm)
}

// Bounds of the wait for others to close a file.
const (
	replaceWait  = 2 * time.Second
	replacePause = 5 * time.Millisecond
)

// Replace renames a file, and replaces the one of the new name, in the same folder.
func Replace(from, to string) (err error) {
	dir, err := os.OpenRoot(filepath.Dir(to))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	return ReplaceIn(dir, filepath.Base(from), filepath.Base(to))
}

// ReplaceIn is Replace in an open folder. Where the file system cannot replace what others have
// open, it waits until they have closed it.
func ReplaceIn(dir *os.Root, from, to string) error {
	for late := time.Now().Add(replaceWait); ; time.Sleep(replacePause) {
		err := dir.Rename(from, to)
		if !errors.Is(err, fs.ErrPermission) || time.Now().After(late) {
			return err
		}
	}
}
