package disk

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Root is an open folder. What it reads lies below it, wherever links inside
// it lead and whatever becomes of the path by which it was opened. It may be
// used concurrently.
type Root struct {
	path string // absolute, as the user spelled it
	real string // path without symbolic links
	dir  *os.Root
}

// MaxDepth is how many folders deep a walk of a folder goes: the cost of each folder grows with
// its depth, and no tree that people write is as deep.
const MaxDepth = 128

// TooDeep reports whether a walk leaves out a folder at a slash-separated path.
func TooDeep(rel string) bool { return strings.Count(rel, "/") >= MaxDepth }

// OpenRoot opens a folder.
func OpenRoot(path string) (*Root, error) {
	dir, err := openRoot(path)
	if err != nil {
		return nil, err
	}
	return &Root{path: path, real: Real(path), dir: dir}, nil
}

// Real is the folder's path without symbolic links.
func (r *Root) Real() string { return r.real }

// Close closes the folder.
func (r *Root) Close() error { return r.dir.Close() }

// Lstat describes what is at a path below the folder; a link is not followed.
func (r *Root) Lstat(rel string) (fs.FileInfo, error) { return r.dir.Lstat(filepath.FromSlash(rel)) }

// Open opens the regular file at a path below the folder. The caller closes it
// and bounds what it reads of it.
func (r *Root) Open(rel string) (*os.File, fs.FileInfo, error) {
	return open(r.dir, filepath.FromSlash(rel))
}

// ReadFile reads the regular file at a path below the folder, of at most limit
// bytes.
func (r *Root) ReadFile(ctx context.Context, rel string, limit int64) ([]byte, error) {
	f, info, err := r.Open(rel)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(ctx, f, info, limit)
}

// ReadDir lists a folder below this one, "" being this one itself, sorted by
// name. Where there are too many entries, the first of them come with an error.
func (r *Root) ReadDir(ctx context.Context, rel string) ([]fs.DirEntry, error) {
	if rel == "" {
		rel = "."
	}
	return list(ctx, r.dir, filepath.FromSlash(rel))
}

// Sub opens a folder below this one.
func (r *Root) Sub(rel string) (*Root, error) {
	if rel == "" {
		rel = "."
	}
	dir, err := r.dir.OpenRoot(filepath.FromSlash(rel))
	if err != nil {
		return nil, err
	}
	return &Root{path: filepath.Join(r.path, rel), real: filepath.Join(r.real, rel), dir: dir}, nil
}
