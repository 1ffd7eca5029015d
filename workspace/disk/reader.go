package disk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Reader reads by absolute path what lies below its roots. Roots are opened
// for each read, so that a folder which was deleted and made anew (installed
// packages) is read as it is. It may be used concurrently.
type Reader struct {
	mu    sync.RWMutex
	roots []root
	given map[string]time.Time
}

// A root is a folder as it was given, and by its real path.
type root struct{ path, real string }

// below reports whether another root holds this one already.
func (r root) below(other root) bool {
	_, spelled := Below(other.path, r.path)
	_, really := Below(other.real, r.real)
	return really && (spelled || r.path == r.real)
}

// NewReader returns a reader of what lies below the folders.
func NewReader(roots ...string) *Reader {
	r := &Reader{given: map[string]time.Time{}}
	r.Allow(roots...)
	return r
}

// rootTTL is how long a root's real path is taken to be unchanged.
const rootTTL = 5 * time.Second

// Allow adds roots: absolute paths of folders, which need not exist yet. It ignores an
// empty or a relative path.
func (r *Reader) Allow(roots ...string) {
	for _, path := range roots {
		if path = filepath.Clean(path); filepath.IsAbs(path) && !r.recent(path) {
			r.allow(root{path, Real(path)})
		}
	}
}

// maxRoots bounds how many roots are kept; the oldest is forgotten.
const maxRoots = 1024

func (r *Reader) recent(path string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return time.Since(r.given[path]) < rootTTL
}

func (r *Reader) allow(added root) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.given) >= 8*maxRoots {
		clear(r.given)
	}
	r.given[added.path] = time.Now()
	if slices.ContainsFunc(r.roots, added.below) {
		return
	}
	next := slices.DeleteFunc(slices.Clone(r.roots), func(old root) bool { return old.path == added.path })
	if len(next) >= maxRoots {
		next = next[1:]
	}
	r.roots = append(next, added)
}

func (r *Reader) all() []root {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.roots
}

// Holds reports whether a real path lies below a root, or is one.
func (r *Reader) Holds(real string) bool {
	return slices.ContainsFunc(r.all(), func(at root) bool { _, ok := Below(at.real, real); return ok })
}

// each calls try with the roots that a path lies below, as it is spelled and
// then by its real path, until one succeeds.
func (r *Reader) each(path string, try func(dir *os.Root, rel string) error) error {
	path = filepath.Clean(path)
	failure := error(&fs.PathError{Op: "read", Path: path, Err: ErrOutside})
	roots := r.all()
	for _, at := range roots {
		for _, base := range []string{at.path, at.real} {
			rel, ok := Below(base, path)
			if !ok {
				continue
			}
			err := within(base, rel, try)
			if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrNotRegular) || errors.Is(err, ErrTooLarge) {
				return err
			}
			failure = err
			break
		}
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil || real == path {
		return failure
	}
	for _, at := range roots {
		if rel, ok := Below(at.real, real); ok {
			return within(at.real, rel, try)
		}
	}
	return failure
}

func within(base, rel string, try func(dir *os.Root, rel string) error) error {
	dir, err := openRoot(base)
	if err != nil {
		return err
	}
	defer dir.Close()
	return try(dir, rel)
}

// Open opens a regular file. The caller closes it and bounds what it reads.
func (r *Reader) Open(path string) (f *os.File, info fs.FileInfo, err error) {
	err = r.each(path, func(dir *os.Root, rel string) (err error) {
		f, info, err = open(dir, rel)
		return err
	})
	return f, info, err
}

// ReadFile reads a regular file of at most limit bytes.
func (r *Reader) ReadFile(ctx context.Context, path string, limit int64) ([]byte, error) {
	f, info, err := r.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(ctx, f, info, limit)
}

// ReadDir lists a folder, sorted by name. Where there are too many entries, the
// first of them come with an error.
func (r *Reader) ReadDir(ctx context.Context, path string) (entries []fs.DirEntry, err error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, &fs.PathError{Op: "list", Path: path, Err: fs.ErrInvalid}
	}
	err = r.each(path, func(dir *os.Root, rel string) (err error) {
		entries, err = list(ctx, dir, rel)
		return err
	})
	return entries, err
}

// Glob returns the paths below a folder that match slash-separated patterns, sorted for each
// of them. Each part of a pattern matches as in path/filepath.Match. A folder that cannot be
// listed has no match; each is listed once for all patterns.
func (r *Reader) Glob(ctx context.Context, dir string, patterns ...string) []string {
	return slices.Concat(r.GlobAll(ctx, dir, patterns...)...)
}

// GlobAll is Glob with the paths of each pattern by itself.
func (r *Reader) GlobAll(ctx context.Context, dir string, patterns ...string) (out [][]string) {
	lists := map[string][]fs.DirEntry{}
	for _, pattern := range patterns {
		found, parts := []string{dir}, strings.Split(pattern, "/")
		for i, part := range parts {
			var next []string
			for _, at := range found {
				next = append(next, r.matches(ctx, lists, at, part, i < len(parts)-1)...)
			}
			found = next
		}
		out = append(out, found)
	}
	return out
}

// matches are the paths in a folder whose names match one part of a pattern; inside says that
// something in them is wanted, which a regular file does not have.
func (r *Reader) matches(ctx context.Context, lists map[string][]fs.DirEntry, dir, part string, inside bool) (out []string) {
	if !strings.ContainsAny(part, `*?[`) {
		if path := filepath.Join(dir, part); present(path) {
			out = append(out, path)
		}
		return out
	}
	entries, listed := lists[dir]
	if !listed {
		_ = r.each(dir, func(in *os.Root, rel string) (err error) { // see Glob
			entries, err = list(ctx, in, rel)
			return err
		})
		lists[dir] = entries
	}
	for _, e := range entries {
		if ok, _ := filepath.Match(part, e.Name()); ok && !(inside && e.Type().IsRegular()) {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out
}

func present(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Bounds of one walk.
const (
	maxWalked   = 400_000 // entries
	maxWalkTime = 20 * time.Second
)

// Walk calls visit for a folder and all below it, in the order of the names and
// without following links. visit may return fs.SkipDir and fs.SkipAll. What
// cannot be listed is left out, and so is the rest of a tree that is too large.
func (r *Reader) Walk(ctx context.Context, dir string, visit func(path string, d fs.DirEntry) error) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	w := &walk{reader: r, visit: visit, end: time.Now().Add(maxWalkTime)}
	if err := w.at(ctx, dir, fs.FileInfoToDirEntry(info)); err != nil && !errors.Is(err, fs.SkipAll) && !errors.Is(err, fs.SkipDir) {
		return err
	}
	return nil
}

// A walk is the state of one Walk.
type walk struct {
	reader *Reader
	visit  func(path string, d fs.DirEntry) error
	seen   int
	end    time.Time
}

func (w *walk) at(ctx context.Context, path string, d fs.DirEntry) error {
	w.seen++
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case w.seen > maxWalked || time.Now().After(w.end):
		return fs.SkipAll
	}
	if err := w.visit(path, d); err != nil || !d.IsDir() {
		if d.IsDir() && errors.Is(err, fs.SkipDir) {
			return nil
		}
		return err
	}
	entries, _ := w.reader.ReadDir(ctx, path) // what cannot be listed is left out
	for _, e := range entries {
		if err := w.at(ctx, filepath.Join(path, e.Name()), e); err != nil {
			if errors.Is(err, fs.SkipDir) { // of a file: the rest of its folder
				return nil
			}
			return err
		}
	}
	return nil
}
