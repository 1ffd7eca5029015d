package mapped

import "unsafe"

// Columns are used in place, in memory or in a mapped file, because decoding 50 MB
// would be most of a warm start; names may be strings that share that memory while its Data is
// kept. All are safe since the memory is never written again.

// String is the bytes as a string, without a copy; they must not change.
func String(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Bytes are those of a string, without a copy; they must not be changed.
func Bytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// sliceOf reads b as values of T, which must be free of pointers. The caller
// checks that b is aligned and that its length is a multiple of T's size.
func sliceOf[T any](b []byte) []T {
	var zero T
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}

// bytesOf is the memory of values free of pointers.
func bytesOf[T any](v []T) []byte {
	var zero T
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(zero)))
}

func sizeOf[T any]() int {
	var zero T
	return int(unsafe.Sizeof(zero))
}
