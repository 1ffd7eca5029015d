package names

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"tandem/workspace/deps"
	"tandem/workspace/gotypes"
)

// A packageLoader loads packages from the disk, the open documents and a proposal.
type packageLoader struct {
	*gotypes.Loader
	source *goSource
}

// A goSource is the Go files of the disk, some of them replaced.
type goSource struct {
	deps  *deps.Resolver
	texts map[string]goText // by absolute path
}

// A goText is a text that replaces the file on disk.
type goText struct {
	text    string
	version int64
	absent  bool
}

// maxGoFile is the largest file that is read, in bytes.
const maxGoFile = 8 << 20

// maxLoaded bounds the source of the packages that are loaded, in bytes, while somebody
// edits; maxLoadedMany where many files are checked. What is kept of one is about five
// times its source.
const (
	maxLoaded     = 4 << 20
	maxLoadedMany = 64 << 20
)

func newPackageLoader(r *deps.Resolver, root string, platform gotypes.Platform) *packageLoader {
	source := &goSource{deps: r, texts: map[string]goText{}}
	return &packageLoader{gotypes.New(source, gotypes.Options{Platform: platform, Root: root, Most: maxLoaded, Store: r.Go.TypesState(fmt.Sprint(platform))}), source}
}

// with returns a loader that sees a proposal's texts. It shares every package
// that does not depend on them.
func (l *packageLoader) with(texts map[string]goText) *packageLoader {
	source := &goSource{deps: l.source.deps, texts: maps.Clone(l.source.texts)}
	next := &packageLoader{l.With(source), source}
	next.set(texts)
	return next
}

// set replaces the texts of files, and drops the packages that were built from
// other texts: it returns their keys.
func (l *packageLoader) set(texts map[string]goText) (dropped map[string]bool) {
	dirs := map[string]bool{}
	for abs, t := range texts {
		if old, ok := l.source.texts[abs]; !ok || old != t {
			l.source.texts[abs] = t
			dirs[filepath.Dir(abs)] = true
		}
	}
	return l.Drop(dirs)
}

// unset makes files have their texts on disk again; it returns what set returns.
func (l *packageLoader) unset(gone []string) (dropped map[string]bool) {
	dirs := map[string]bool{}
	for _, abs := range gone {
		delete(l.source.texts, abs)
		dirs[filepath.Dir(abs)] = true
	}
	return l.Drop(dirs)
}

// Files implements gotypes.Source.
func (s *goSource) Files(dir string) []string {
	var out []string
	for _, e := range s.deps.Entries(dir) {
		if abs := filepath.Join(dir, e.Name()); gotypes.IsFile(e.Name()) && !e.IsDir() && !s.texts[abs].absent {
			out = append(out, abs)
		}
	}
	for abs, t := range s.texts {
		if !t.absent && filepath.Dir(abs) == dir && gotypes.IsFile(filepath.Base(abs)) && !slices.Contains(out, abs) {
			out = append(out, abs)
		}
	}
	slices.Sort(out)
	return out
}

// Stamp implements gotypes.Source.
func (s *goSource) Stamp(abs string) (gotypes.Stamp, bool) {
	if t, ok := s.texts[abs]; ok {
		return gotypes.Stamp{Path: abs, Version: t.version, Size: int64(len(t.text))}, !t.absent
	}
	info, err := os.Stat(abs)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxGoFile {
		return gotypes.Stamp{}, false
	}
	return gotypes.Stamp{Path: abs, Size: info.Size(), Mod: info.ModTime()}, true
}

// Read implements gotypes.Source.
func (s *goSource) Read(abs string) (string, bool) {
	if t, ok := s.texts[abs]; ok {
		return t.text, !t.absent
	}
	data, err := s.deps.ReadFile(abs, maxGoFile)
	return string(data), err == nil
}

// Find implements gotypes.Source. It also finds a package that exists only in a proposal
// or in open documents so far.
func (s *goSource) Find(dir, importPath string) deps.Place {
	place := s.deps.Go.Package(dir, importPath)
	if place.Status == deps.Found {
		return place
	}
	if own, ok := s.deps.Go.OwnDir(dir, importPath); ok {
		for abs, t := range s.texts {
			if !t.absent && filepath.Dir(abs) == own && gotypes.IsFile(filepath.Base(abs)) {
				return deps.Place{Status: deps.Found, Dir: own, Own: true}
			}
		}
	}
	return place
}
