// Package api reads the exported API of dependencies from their sources on
// disk, so that the parts which the code near the cursor uses enter the window.
//
// Invariant: a package is read only when a document imports it, off the
// caller's goroutine, and is kept as long as the program runs. Another package
// decides where the sources are and what may be read of them. Nothing is run or
// downloaded.
package api

import (
	"cmp"
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/run"
	"tandem/workspace/window"
)

// A Source is the location of the package that an import means.
type Source struct {
	Dir   string   // its folder, of which all files are read; "" where Files name them
	Files []string // absolute paths
	Name  string   // the path it is imported by
	Where string   // shown to users: module@version, or the standard library
}

// Locate finds the package that an import in a file means; false where it is
// not known, not on disk, or the workspace's own. root is the workspace folder
// and file the absolute path of a file below it.
type Locate func(lang, root, file string, im language.Import) (Source, bool)

// Files reads sources. What a model may not be shown is an error.
type Files interface {
	ReadFile(ctx context.Context, file string, limit int64) ([]byte, error)
	ReadDir(ctx context.Context, dir string) ([]fs.DirEntry, error)
}

// A Library keeps the APIs read so far. It implements window.Dependencies.
type Library struct {
	locate Locate
	files  Files
	group  *run.Group

	now func() time.Time

	mu       sync.Mutex // guards what follows
	packages map[string]*pkg
	located  map[importKey]importResult
}

// An importKey is an import of the files in one folder. An importResult is the
// package that it led to when it was last resolved; nil is none.
type (
	importKey struct {
		lang, dir  string
		path, name string
	}
	importResult struct {
		at  time.Time
		pkg *pkg
	}
)

// pkg is one package's API; done is closed when it was read.
type pkg struct {
	done        chan struct{}
	name, where string
	entries     map[string][]entry // by name
}

// An entry is one exported definition, and the type it is a member of, if any.
type entry struct {
	owner     string
	file      string // the last part of its path
	line      int
	signature string
}

const (
	readTimeout = 2 * time.Second  // how long a window waits for packages that are read for the first time; reading takes milliseconds on any working disk
	importTTL   = 30 * time.Second // how long the result of resolving an import is reused
	maxPackages = 400              // kept; more than a program uses in a session
	maxImports  = 10_000
	maxFiles    = 400     // of one package
	maxFile     = 1 << 20 // bytes
	maxEntries  = 40      // of one window
	maxLines    = 12      // of a type's signature, or any other long one
)

// New returns a library that reads in group.
func New(locate Locate, files Files, group *run.Group) *Library {
	return &Library{locate: locate, files: files, group: group, now: time.Now, packages: map[string]*pkg{}, located: map[importKey]importResult{}}
}

// Entries returns what the imports of a file offer under the names given, in
// the order of the names. It waits for packages that are read for the first
// time, so that the same request always gets the same entries.
func (l *Library) Entries(ctx context.Context, root, path, lang string, imports []language.Import, names []string) []window.DependencyEntry {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	order := make(map[string]int, len(names))
	for i, name := range names {
		order[name] = i + 1
	}
	file := filepath.Join(root, filepath.FromSlash(path))
	var found []window.DependencyEntry
	for _, im := range imports {
		if order[callName(im)] == 0 {
			continue
		}
		if p := l.open(lang, root, file, im); p != nil && run.Closed(ctx, p.done) {
			found = p.named(found, names, order)
		}
	}
	slices.SortStableFunc(found, func(a, b window.DependencyEntry) int { return order[a.Name] - order[b.Name] })
	return found[:min(len(found), maxEntries)]
}

// Warm reads, in the background, the packages that the files of an index import
// most, so that windows need not wait for them.
func (l *Library) Warm(root string, ix *index.Index) {
	l.group.Go("reading dependencies", func(ctx context.Context) {
		for _, u := range mostImported(ix) {
			if ctx.Err() != nil {
				return
			}
			if p := l.open(u.lang, root, filepath.Join(root, filepath.FromSlash(u.file)), u.im); p != nil {
				run.Closed(ctx, p.done)
			}
		}
	})
}

// An imported is an import with a file that has it.
type imported struct {
	lang, file string
	im         language.Import
	count      int
}

// maxWarm is how many imports are read ahead.
const maxWarm = 200

// mostImported are the imports that the most files have.
func mostImported(ix *index.Index) []imported {
	seen := map[language.Import]*imported{}
	for _, id := range ix.Files() {
		lang := ix.Language(id)
		for _, im := range ix.Imports(id) {
			key := language.Import{Path: im.Path, Name: im.Name}
			if seen[key] == nil {
				seen[key] = &imported{lang: lang, file: ix.Path(id), im: im}
			}
			seen[key].count++
		}
	}
	all := make([]imported, 0, len(seen))
	for _, u := range seen {
		all = append(all, *u)
	}
	slices.SortFunc(all, func(a, b imported) int {
		return cmp.Or(b.count-a.count, strings.Compare(a.im.Path, b.im.Path), strings.Compare(a.im.Name, b.im.Name))
	})
	return all[:min(len(all), maxWarm)]
}

// callName is the name by which a file refers to an import: its alias, the
// imported name, or the last part of the path that is no version.
func callName(im language.Import) string {
	switch {
	case im.Alias != "":
		return im.Alias
	case im.Name != "" && im.Name != "*":
		return im.Name
	}
	parts := strings.FieldsFunc(im.Path, func(r rune) bool { return r == '/' || r == '.' || r == ':' })
	for _, part := range slices.Backward(parts) {
		if len(part) < 2 || part[0] != 'v' || strings.Trim(part[1:], "0123456789") != "" {
			return part
		}
	}
	return im.Path
}

// named appends the entries of names to found. A member is included only when
// the name of its type is requested too.
func (p *pkg) named(found []window.DependencyEntry, names []string, order map[string]int) []window.DependencyEntry {
	for _, name := range names {
		for _, e := range p.entries[name] {
			if e.owner == "" || order[e.owner] > 0 {
				found = append(found, window.DependencyEntry{Name: name, Package: p.name + " (" + p.where + ")",
					File: p.name + "/" + e.file, Line: e.line, Signature: e.signature})
			}
		}
	}
	return found
}

// open returns the package that an import means, and starts to read it the
// first time; nil if there is none.
func (l *Library) open(lang, root, file string, im language.Import) *pkg {
	l.mu.Lock()
	defer l.mu.Unlock()
	q := importKey{lang, filepath.Dir(file), im.Path, im.Name}
	if known, ok := l.located[q]; ok && l.now().Sub(known.at) < importTTL {
		return known.pkg
	}
	if len(l.packages) >= maxPackages || len(l.located) >= maxImports {
		l.packages, l.located = map[string]*pkg{}, map[importKey]importResult{}
	}
	var p *pkg
	if src, ok := l.locate(lang, root, file, im); ok {
		p = l.start(src, lang)
	}
	l.located[q] = importResult{l.now(), p}
	return p
}

// start returns the package at a source and starts to read it the first time.
// l.mu is held.
func (l *Library) start(src Source, lang string) *pkg {
	key := src.Dir + strings.Join(src.Files, "\n")
	if p := l.packages[key]; p != nil {
		return p
	}
	p := &pkg{done: make(chan struct{}), name: src.Name, where: src.Where}
	if !l.group.Go("reading a dependency's API", func(ctx context.Context) {
		defer close(p.done)
		p.read(ctx, l.files, src, lang)
	}) {
		return nil
	}
	l.packages[key] = p
	return p
}

// read scans the package's files.
func (p *pkg) read(ctx context.Context, from Files, src Source, lang string) {
	p.entries = map[string][]entry{}
	files := src.Files
	if src.Dir != "" {
		files = sourcesIn(ctx, from, src.Dir, lang)
	}
	for _, file := range files {
		if text, err := from.ReadFile(ctx, file, maxFile); err == nil {
			p.add(file, string(text))
		}
	}
}

// sourcesIn are the files of a language directly in a folder, without tests.
func sourcesIn(ctx context.Context, from Files, dir, lang string) []string {
	list, _ := from.ReadDir(ctx, dir) // none where it cannot be listed
	var out []string
	for _, e := range list {
		if !e.IsDir() && language.OfFile(e.Name()) == lang && !strings.HasSuffix(e.Name(), "_test.go") && len(out) < maxFiles {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out
}

// add stores the exported definitions of one file.
func (p *pkg) add(file, text string) {
	lines := strings.SplitAfter(text, "\n")
	base := filepath.Base(file)
	for _, d := range language.Scan("", file, text).Defs {
		if !d.Exported || d.Local || d.StartLine > len(lines) {
			continue
		}
		last := min(d.SigEndLine, d.StartLine+maxLines-1, len(lines))
		name := strings.Clone(d.Name)
		p.entries[name] = append(p.entries[name], entry{strings.Clone(d.Owner()), base, d.StartLine, strings.Clone(strings.Join(lines[d.StartLine-1:last], ""))})
	}
}
