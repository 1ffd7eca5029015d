// Package lock locks open files against other processes, and against other handles of the
// same one. The system releases the locks of a process that ends, however it ends. It also
// opens and replaces files that other processes have open, which Windows forbids by default.
//
// Invariant: who only asks whether a file is locked shares the lock while it asks, so that
// two who ask never take each other for the owner. Deliberately absent: locks by process
// id, which name another process after a while and mean nothing in another container.
package lock

import (
	"errors"
	"io/fs"
	"os"
)

// Current reports whether an open file is still the one at its path. A lock on a file that
// was removed or replaced excludes nobody who opens the path now.
func Current(f *os.File) bool { return CurrentAt(f, os.Stat, f.Name()) }

// CurrentAt is Current for a file that stat finds by another name.
func CurrentAt(f *os.File, stat func(string) (fs.FileInfo, error), name string) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := stat(name)
	return err == nil && os.SameFile(opened, named)
}

// attempts is how often a file is opened again that was removed before it was locked.
const attempts = 100

var errRemoved = errors.New("it is removed each time before it can be locked")

// Opened opens a file with open, waits for its lock, and returns it when it is locked and
// still the one at its path. Closing it releases the lock.
func Opened(open func() (*os.File, error)) (*os.File, error) {
	for range attempts {
		f, err := open()
		if err != nil {
			return nil, err
		}
		if err := Wait(f); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		if Current(f) {
			return f, nil
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
	return nil, errRemoved
}
