package deps

import (
	"context"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/workspace/disk"
)

// A reader reads what dependencies consist of, and knows what of it a model may be
// shown. It is shared by the rules of all languages.
type reader struct {
	options Options
	disk    *disk.Reader     // all that checks read
	owned   *disk.Reader     // outside the workspace: where package managers keep what they install
	inside  *disk.Reader     // the same, as far as it lies in the workspace
	shown   recent[bool]     // by file
	listed  recent[[]string] // names in folders, by the folders' stamps
}

func newReader(o Options) *reader {
	r := &reader{options: o, inside: disk.NewReader()}
	r.owned = disk.NewReader(append(moduleFolders, o.modCache())...)
	r.disk = disk.NewReader(append(append(o.pythonInstalls(), moduleFolders...), o.pyenv(), "/usr", "/opt/homebrew",
		o.modCache(), filepath.Join(o.Home, "sdk"), filepath.Join(o.Home, ".local", "lib"))...)
	return r
}

// life is the context of all reading: it ends with the program.
func (r *reader) life() context.Context {
	if r.options.Group == nil {
		return context.Background()
	}
	return r.options.Group.Context()
}

// maxManifest bounds a file in which dependencies are declared, in bytes.
const maxManifest = 8 << 20

// manifestIn reads a file in which dependencies are declared; ok is false where
// there is none, or one that cannot be read.
func (r *reader) manifestIn(dir, name string) (data []byte, ok bool) {
	data, err := r.disk.ReadFile(r.life(), filepath.Join(dir, name), maxManifest)
	return data, err == nil
}

// allowInside records that a package manager owns a folder of the workspace,
// unless a link stands in its place.
func (r *reader) allowInside(root, rel string) {
	at := filepath.Join(root, rel)
	if disk.Real(at) == filepath.Join(disk.Real(root), rel) {
		r.inside.Allow(at)
	}
}

// Allow adds a folder that checks may read: a workspace folder, or that of a
// file which is checked.
func (r *reader) Allow(dir string) { r.disk.Allow(dir) }

// ReadFile reads a file for a check, of at most limit bytes: below what Allow
// added, or of what this resolver found.
func (r *reader) ReadFile(file string, limit int64) ([]byte, error) {
	return r.disk.ReadFile(r.life(), file, limit)
}

// Entries lists a folder for a check, as ReadFile reads a file.
func (r *reader) Entries(dir string) []fs.DirEntry {
	entries, _ := r.disk.ReadDir(r.life(), dir) // none where it cannot be listed
	return entries
}

// Variants are the files that have the path at with an ending.
func (r *reader) Variants(at string) (out []string) {
	dir, prefix := filepath.Dir(at), filepath.Base(at)+"."
	for _, name := range r.listed.get(stampsOf([]string{dir}), func() (names []string) {
		for _, e := range r.Entries(dir) {
			names = append(names, e.Name())
		}
		return names
	}) {
		if strings.HasPrefix(name, prefix) {
			out = append(out, filepath.Join(dir, name))
		}
	}
	return out
}

// SourceFiles are the files below a folder whose names have the given endings,
// without tests and without following symbolic links.
func (r *reader) SourceFiles(dir string, endings ...string) []string {
	var out []string
	_ = r.disk.Walk(r.life(), dir, func(at string, d fs.DirEntry) error { // it ends early with the program
		name := d.Name()
		if d.IsDir() {
			if at != dir && (name == "site-packages" || name == "dist-packages" || name == "__pycache__" || name == "node_modules" || name == "idlelib" || name == "lib2to3") {
				return fs.SkipDir
			}
			return nil
		}
		if len(out) >= maxVocabularyFiles {
			return fs.SkipAll
		}
		if d.Type().IsRegular() && slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(name, e) }) {
			out = append(out, at)
		}
		return nil
	})
	return out
}

// maxUp bounds how many parent folders of a file are searched.
const maxUp = 40

// above is the nearest folder at or above dir that holds a file of that name.
func above(dir, name string) string {
	for at := range upTo(dir, "") {
		if disk.IsFile(filepath.Join(at, name)) {
			return at
		}
	}
	return ""
}

func stampsOf(files []string) string {
	h := fnv.New128a()
	for _, f := range files {
		if info, err := os.Stat(f); err == nil {
			fmt.Fprintf(h, "%s %d %d\n", f, info.Size(), info.ModTime().UnixNano())
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// A recent keeps what was found under a path for a while, because the disk may have
// changed since. It is safe for concurrent use; the zero value is empty.
type recent[V any] struct {
	mu     sync.Mutex
	values map[string]V
	since  time.Time // when it was last emptied
}

const (
	// recentTTL is how long a recent keeps what it has.
	recentTTL = 5 * manifestTTL
	// maxRecent is how many paths it keeps.
	maxRecent = 20_000
)

// look returns what is kept under a path.
func (c *recent[V]) look(path string) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.since) >= recentTTL {
		c.since = time.Now()
		clear(c.values)
	}
	v, ok = c.values[path]
	return v, ok
}

// store records what was found under a path.
func (c *recent[V]) store(path string, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.values == nil || len(c.values) >= maxRecent {
		c.values = map[string]V{}
	}
	c.values[path] = v
}

// get returns what is kept under a path, which find finds where nothing is.
func (c *recent[V]) get(path string, find func() V) V {
	v, ok := c.look(path)
	if !ok {
		v = find()
		c.store(path, v)
	}
	return v
}
