//go:build unix

package mapped

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a file for reading. The system can reclaim pages that are no longer used, since
// the file has their content.
func mapFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() == 0 {
		return nil, nil
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map %s: %w", name, err)
	}
	return data, nil
}

// release lets the system take back the pages of a mapping that were read. They are
// read again from the file when they are used.
func release(data []byte) {
	if len(data) > 0 {
		_ = unix.Madvise(data, unix.MADV_DONTNEED) // advice only
	}
}

// unmap ends a mapping.
func unmap(data []byte) { _ = unix.Munmap(data) }
