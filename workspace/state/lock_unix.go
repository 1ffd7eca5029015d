//go:build unix

package state

import (
	"os"

	"golang.org/x/sys/unix"
)

// tryLock takes the file's lock for this process if it is free.
func tryLock(f *os.File) (bool, error) { return tryFlock(f, unix.LOCK_EX) }

// tryShare takes the file's lock together with others who share it, if nobody has it alone.
func tryShare(f *os.File) (bool, error) { return tryFlock(f, unix.LOCK_SH) }

func tryFlock(f *os.File, how int) (bool, error) {
	err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
	if err == unix.EWOULDBLOCK {
		return false, nil
	}
	return err == nil, err
}

// waitLock takes the file's lock and waits until it is free.
func waitLock(f *os.File) error {
	for {
		if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != unix.EINTR {
			return err
		}
	}
}

// unlock releases the file's lock.
func unlock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_UN) }
