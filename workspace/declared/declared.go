// Package declared reads what installed Go packages declare: types with their fields,
// constants, and the signatures of functions and methods.
//
// Invariant: it reads only what package deps shows of installed packages, and keeps a
// bounded number of packages. Deliberately absent: the workspace's own packages, which its
// index has; bodies of functions; and languages other than Go.
package declared

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"tandem/workspace/deps"
	"tandem/workspace/index"
	"tandem/workspace/run"
)

// The bounds of what is read of one package and of how many packages are kept.
const (
	maxFile     = 1 << 20 // bytes
	maxText     = 4 << 20 // bytes of a package's files
	maxPackages = 24
)

// A Library reads and keeps packages. It is safe for concurrent use.
type Library struct {
	resolver *deps.Resolver
	group    *run.Group

	mu    sync.Mutex
	kept  map[string]*index.Index // by folder; nil is being read
	order []string                // of kept, the one used longest ago first
}

// New returns a library that reads packages in group. With a nil group, it reads a package
// when it is asked for: for commands and tests.
func New(r *deps.Resolver, group *run.Group) *Library {
	return &Library{resolver: r, group: group, kept: map[string]*index.Index{}}
}

// Package is the index of what a package declares that a file in dir imports; ok is false if
// the package is not installed, is the workspace's own or is still being read.
func (l *Library) Package(dir, importPath string) (ix *index.Index, ok bool) {
	p := l.resolver.Go.Package(dir, importPath)
	if p.Status != deps.Found || p.Own || p.Dir == "" {
		return nil, false
	}
	l.mu.Lock()
	ix, known := l.kept[p.Dir]
	if known {
		i := slices.Index(l.order, p.Dir)
		l.order = append(slices.Delete(l.order, i, i+1), p.Dir)
		l.mu.Unlock()
		return ix, ix != nil
	}
	l.kept[p.Dir] = nil
	l.order = append(l.order, p.Dir)
	if len(l.order) > maxPackages {
		delete(l.kept, l.order[0])
		l.order = l.order[1:]
	}
	l.mu.Unlock()
	if l.group == nil {
		return l.keep(p.Dir, l.read(context.Background(), p.Dir)), true
	}
	if !l.group.Go("reading "+importPath, func(ctx context.Context) { l.keep(p.Dir, l.read(ctx, p.Dir)) }) {
		l.mu.Lock()
		delete(l.kept, p.Dir)
		l.order = slices.DeleteFunc(l.order, func(dir string) bool { return dir == p.Dir })
		l.mu.Unlock()
	}
	return nil, false
}

// keep publishes what was read, unless the package was dropped meanwhile.
func (l *Library) keep(dir string, ix *index.Index) *index.Index {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.kept[dir]; ok {
		l.kept[dir] = ix
	}
	return ix
}

// read reads the files of a package.
func (l *Library) read(ctx context.Context, dir string) *index.Index {
	library := l.resolver.Library()
	entries, err := library.ReadDir(ctx, dir)
	if err != nil {
		return index.New()
	}
	var changes []index.Change
	left := maxText
	for _, e := range entries {
		if !goFile(e) || left <= 0 {
			continue
		}
		text, err := library.ReadFile(ctx, filepath.Join(dir, e.Name()), maxFile)
		if err != nil {
			continue // what cannot be read declares nothing here
		}
		left -= len(text)
		changes = append(changes, index.Change{Path: e.Name(), Language: "go", Text: declarations(string(text))})
	}
	return index.New(changes...)
}

func goFile(e fs.DirEntry) bool {
	return e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go")
}

// declarations is a Go file without imports, comments between declarations and bodies of
// functions.
func declarations(text string) string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if file == nil || err != nil {
		return ""
	}
	at := fset.File(file.FileStart)
	var b strings.Builder
	b.WriteString("package " + file.Name.Name + "\n")
	for _, d := range file.Decls {
		from, to, end := d.Pos(), d.End(), "\n"
		switch d := d.(type) {
		case *ast.FuncDecl:
			if !d.Name.IsExported() {
				continue
			}
			if d.Body != nil {
				to, end = d.Body.Lbrace, "{}\n"
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
		}
		b.WriteString("\n" + text[at.Offset(from):at.Offset(to)] + end)
	}
	return b.String()
}
