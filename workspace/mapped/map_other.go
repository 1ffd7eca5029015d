//go:build !unix

package mapped

import (
	"unsafe"

	"tandem/workspace/disk"
)

// mapFile reads a file, aligned as the columns need it.
func mapFile(name string) ([]byte, error) {
	data, err := disk.ReadFile(name, 1<<31)
	if err != nil || uintptr(unsafe.Pointer(unsafe.SliceData(data)))%8 == 0 {
		return data, err
	}
	words := make([]uint64, (len(data)+7)/8)
	return append(bytesOf(words)[:0], data...), nil
}

// release does nothing: the data is in memory.
func release([]byte) {}

// unmap does nothing: the collector frees the memory.
func unmap([]byte) {}
