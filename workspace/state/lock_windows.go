package state

import (
	"os"

	"golang.org/x/sys/windows"
)

// tryLock takes the file's lock for this process if it is free.
func tryLock(f *os.File) (bool, error) { return tryLockFile(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

// tryShare takes the file's lock together with others who share it, if nobody has it alone.
func tryShare(f *os.File) (bool, error) { return tryLockFile(f, 0) }

func tryLockFile(f *os.File, how uint32) (bool, error) {
	err := lockFile(f, how|windows.LOCKFILE_FAIL_IMMEDIATELY)
	if err == windows.ERROR_LOCK_VIOLATION || err == windows.ERROR_IO_PENDING {
		return false, nil
	}
	return err == nil, err
}

// waitLock takes the file's lock and waits until it is free.
func waitLock(f *os.File) error { return lockFile(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

func lockFile(f *os.File, flags uint32) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{})
}

// unlock releases the file's lock.
func unlock(f *os.File) error {
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, &windows.Overlapped{})
}
