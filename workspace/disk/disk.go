// Package disk reads files that a workspace, an agent or a user can name: the
// one way by which text enters the program from the disk.
//
// Invariant: a read is bounded in bytes and time, is of a regular file, ends
// with its context, and is of what lies, by its real path, below a root that the
// caller allowed; ReadFile alone has none, and is for what the user names. A device, a FIFO, a socket or a folder in a file's place is an
// error at once, and nothing waits for a writer. There is deliberately no
// writing here, and no decision about what a model may be shown.
package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"tandem/workspace/rel"
)

// What a read is refused for.
var (
	ErrOutside    = errors.New("it leads outside the folders that may be read")
	ErrNotRegular = errors.New("it is no regular file")
	ErrTooLarge   = errors.New("it is larger than what is read")
	ErrTooSlow    = errors.New("reading took too long")
)

// maxEntries bounds the entries of one folder; those beyond it are counted.
var maxEntries = 1 << 20

// Unlisted is the error of a folder whose listing left out entries.
type Unlisted struct{ Entries int }

func (u *Unlisted) Error() string {
	return fmt.Sprintf("it has %d entries more than are listed", u.Entries)
}

// Bounds of every read.
const (
	maxTime    = 2 * time.Second  // of one file
	maxListing = 10 * time.Second // of one folder's listing
	piece      = 256 << 10        // bytes between two looks at the context and the clock
)

// IsDir reports whether a folder, or a link to one, is at a path.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// IsFile reports whether a regular file, or a link to one, is at a path.
func IsFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// openRoot opens a folder. What is none is not opened: os.OpenRoot would wait for the
// other end of a FIFO.
func openRoot(path string) (*os.Root, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	return sharedRoot(path)
}

// open opens the regular file at rel below an open folder. It does not wait
// for the other end of a FIFO, and what is no file is not opened at all unless
// it was put there between the two looks.
func open(dir *os.Root, rel string) (*os.File, fs.FileInfo, error) {
	f, info, err := openRegular(rel, dir.Stat, dir.OpenFile)
	return f, info, outside(err)
}

func openRegular(path string, stat func(string) (fs.FileInfo, error), openFile func(string, int, fs.FileMode) (*os.File, error)) (*os.File, fs.FileInfo, error) {
	seen, err := stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !seen.Mode().IsRegular() {
		return nil, nil, &fs.PathError{Op: "read", Path: path, Err: ErrNotRegular}
	}
	f, err := openFile(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotRegular
	}
	if err != nil {
		_ = f.Close() // it was only read
		return nil, nil, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return f, info, nil
}

// outside is the error of a path that leads out of a folder where err is that,
// of which the os package has no value of its own.
func outside(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) && at.Err != nil && strings.Contains(at.Err.Error(), "escapes from parent") {
		return &fs.PathError{Op: at.Op, Path: at.Path, Err: ErrOutside}
	}
	return err
}

// readAll reads an open file of at most limit bytes.
func readAll(ctx context.Context, f *os.File, info fs.FileInfo, limit int64) ([]byte, error) {
	fail := func(err error) ([]byte, error) {
		return nil, &fs.PathError{Op: "read", Path: info.Name(), Err: err}
	}
	if info.Size() > limit {
		return fail(ErrTooLarge)
	}
	began := time.Now()
	size := info.Size() + 1 // one more, to see the end
	if info.Size() == 0 {
		size = 4 << 10 // a file of /proc has no size, and gives its text to the first read alone
	}
	out := make([]byte, 0, size)
	for {
		if ctx.Err() != nil {
			return fail(ctx.Err())
		}
		n, err := f.Read(out[len(out):min(cap(out), len(out)+piece)])
		out = out[:len(out)+n]
		switch {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return fail(err)
		case int64(len(out)) > limit:
			return fail(ErrTooLarge)
		case time.Since(began) > maxTime:
			return fail(ErrTooSlow)
		}
		if len(out) == cap(out) {
			out = slices.Grow(out, piece)
		}
	}
}

// list returns a folder's entries, sorted by name. A folder of too many is cut,
// and that is an error beside the entries.
func list(ctx context.Context, dir *os.Root, rel string) ([]fs.DirEntry, error) {
	f, err := dir.OpenFile(rel, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, outside(err)
	}
	defer f.Close()
	var out []fs.DirEntry
	left := 0
	for began := time.Now(); err == nil; {
		var some []fs.DirEntry
		some, err = f.ReadDir(1024)
		taken := min(len(some), maxEntries-len(out))
		out, left = append(out, some[:taken]...), left+len(some)-taken
		switch {
		case err != nil:
		case ctx.Err() != nil:
			err = ctx.Err()
		case time.Since(began) > maxListing:
			err = ErrTooSlow
		}
	}
	slices.SortFunc(out, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	switch {
	case errors.Is(err, io.EOF) && left == 0:
		return out, nil
	case errors.Is(err, io.EOF):
		err = &Unlisted{left}
	}
	return out, fmt.Errorf("list %s: %w", f.Name(), err)
}

// Below returns the native path of a file relative to a folder that holds it, "." for the folder
// itself. Both are clean and absolute.
func Below(folder, path string) (below string, ok bool) {
	at, ok := rel.Below(folder, path)
	return at.Local(), ok
}

// Real is a path without symbolic links, as far as it exists.
func Real(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	var ends []int // of the folders around it, the outermost first
	for i := 1; i < len(path); i++ {
		if os.IsPathSeparator(path[i]) {
			ends = append(ends, i)
		}
	}
	there := sort.Search(len(ends), func(i int) bool { // a path of thousands of folders costs no more
		_, err := os.Lstat(path[:ends[i]])
		return err != nil
	})
	for _, end := range slices.Backward(ends[:there]) {
		if real, err := filepath.EvalSymlinks(path[:end]); err == nil {
			return filepath.Join(real, path[end:])
		}
	}
	return path
}
