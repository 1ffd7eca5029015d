package disk

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Bounds of what the user themselves names, in bytes.
const (
	MaxNamed    = 512 << 20 // a document, a patch or an answer
	MaxSettings = 16 << 20  // a file of settings or certificates
)

// Named reads a file that the user themselves named, on the command line or in
// their own configuration: a file or a pipe, of at most limit bytes.
func Named(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := All(f, limit)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return content, nil
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
