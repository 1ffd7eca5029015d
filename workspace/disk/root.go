package disk

import (
	"context"
	"io/fs"
	"os"
	"slices"
	"strings"

	"tandem/workspace/rel"
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

// TooDeep reports whether a walk leaves out a folder.
func TooDeep(at rel.Path) bool { return at.Depth() >= MaxDepth }

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
func (r *Root) Lstat(at rel.Path) (fs.FileInfo, error) { return r.dir.Lstat(at.Local()) }

// Executable reports whether a regular file at a path below the folder can be run.
func (r *Root) Executable(at rel.Path) bool {
	info, err := r.Lstat(at)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

// Spelled reports whether what is at a path below the folder has that very name, and not one that only
// this file system takes for the same: in another case.
func (r *Root) Spelled(at rel.Path) bool {
	for ; !at.IsRoot(); at = at.Parent() {
		name := at.Name()
		other := strings.ToUpper(name)
		if other == name {
			other = strings.ToLower(name)
		}
		here, err := r.Lstat(at)
		there, missing := r.Lstat(at.Parent().Join(other))
		if err != nil || missing != nil || other == name || !os.SameFile(here, there) {
			continue
		}
		entries, _ := r.ReadDir(context.Background(), at.Parent()) // none is another name
		if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name }) {
			return false
		}
	}
	return true
}

// Open opens the regular file at a path below the folder. The caller closes it
// and bounds what it reads of it.
func (r *Root) Open(at rel.Path) (*os.File, fs.FileInfo, error) {
	return open(r.dir, at.Local())
}

// OpenEntry opens a regular file of the folder that a listing has looked at. The caller closes it
// and bounds what it reads of it.
func (r *Root) OpenEntry(entry fs.DirEntry) (*os.File, fs.FileInfo, error) {
	f, info, err := openRegular(entry.Name(), func(string) (fs.FileInfo, error) { return entry.Info() }, r.dir.OpenFile)
	return f, info, outside(err)
}

// ReadFile reads the regular file at a path below the folder, of at most limit
// bytes.
func (r *Root) ReadFile(ctx context.Context, at rel.Path, limit int64) ([]byte, error) {
	f, info, err := r.Open(at)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(ctx, f, info, limit)
}

// ReadDir lists this folder or one below it, sorted by name. If there are too many entries,
// the first of them come with an error.
func (r *Root) ReadDir(ctx context.Context, at rel.Path) ([]fs.DirEntry, error) {
	return list(ctx, r.dir, at.Local())
}

// Sub opens this folder again, or one below it.
func (r *Root) Sub(at rel.Path) (*Root, error) {
	dir, err := r.dir.OpenRoot(at.Local())
	if err != nil {
		return nil, err
	}
	return &Root{path: at.Abs(r.path), real: at.Abs(r.real), dir: dir}, nil
}
