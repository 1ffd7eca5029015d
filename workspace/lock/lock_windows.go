package lock

import (
	"os"

	"golang.org/x/sys/windows"
)

// Try locks a file if nobody has locked it or shares its lock. The error is of a file
// system without locks.
func Try(f *os.File) (bool, error) { return try(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

// Share locks a file together with others who share the lock, if nobody has it alone. The
// error is that of Try.
func Share(f *os.File) (bool, error) { return try(f, 0) }

func try(f *os.File, how uint32) (bool, error) {
	err := lock(f, how|windows.LOCKFILE_FAIL_IMMEDIATELY)
	if err == windows.ERROR_LOCK_VIOLATION || err == windows.ERROR_IO_PENDING {
		return false, nil
	}
	return err == nil, err
}

// Wait locks a file and waits until nobody else has its lock.
func Wait(f *os.File) error { return lock(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

func lock(f *os.File, flags uint32) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{})
}

// Release releases the file's lock.
func Release(f *os.File) error {
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, &windows.Overlapped{})
}
