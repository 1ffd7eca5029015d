package disk

import (
	"context"
	"fmt"
	"io"
	"os"

	"tandem/workspace/lock"
)

// Bounds of what a person or an agent names, in bytes.
const (
	MaxNamed    = 64 << 20 // a document, a patch or an answer
	MaxSettings = 4 << 20  // a file of settings, of a key or of certificates
)

// ReadFile reads a file wherever it lies, of at most limit bytes: one that the user or their own
// configuration names, or one of the program's own. Other processes may replace it meanwhile.
func ReadFile(path string, limit int64) ([]byte, error) {
	f, info, err := openRegular(path, os.Stat, lock.Open)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(context.Background(), f, info, limit)
}

// All reads a stream to its end, which comes after at most limit bytes.
func All(in io.Reader, limit int64) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(content)) > limit {
		return nil, fmt.Errorf("%w: more than %d MB", ErrTooLarge, limit>>20)
	}
	return content, nil
}

// Head reads the first n bytes of a file wherever it lies, or what it has if that is less.
func Head(path string, n int64) ([]byte, error) {
	f, _, err := openRegular(path, os.Stat, lock.Open)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, n))
}
