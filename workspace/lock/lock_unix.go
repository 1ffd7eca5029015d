//go:build unix

package lock

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// Try locks a file if nobody has locked it or shares its lock. The error is of a file
// system without locks.
func Try(f *os.File) (bool, error) { return try(f, unix.LOCK_EX) }

// Share locks a file together with others who share the lock, if nobody has it alone. The
// error is that of Try.
func Share(f *os.File) (bool, error) { return try(f, unix.LOCK_SH) }

func try(f *os.File, how int) (bool, error) {
	for {
		switch err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB); err {
		case unix.EINTR:
		case unix.EWOULDBLOCK:
			return false, nil
		default:
			return err == nil, err
		}
	}
}

// Wait locks a file and waits until nobody else has its lock.
func Wait(f *os.File) error {
	for {
		if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != unix.EINTR {
			return err
		}
	}
}

// Release releases the file's lock.
func Release(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_UN) }

// Open opens a file as os.OpenFile does, so that others may remove and replace it while it is
// open.
func Open(path string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag, perm)
}

// Replace renames a file, and replaces the one of the new name, in the same folder.
func Replace(from, to string) error { return os.Rename(from, to) }

// ReplaceIn is Replace in an open folder.
func ReplaceIn(dir *os.Root, from, to string) error { return dir.Rename(from, to) }
