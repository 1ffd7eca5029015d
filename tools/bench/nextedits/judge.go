package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A typeJudge type-checks packages of one module from source, with all modules that it needs,
// independently of what is measured. Other packages are checked without function bodies
// and kept.
type typeJudge struct {
	dir, module string
	modules     map[string]string // path -> folder
	fset        *token.FileSet
	context     build.Context
	packages    map[string]*checkedPackage // by import path, of the files on disk
	importers   map[string][]string        // folder -> folders of the module that import it
	clean       map[string][]compileError  // by folder: its errors as it is
}

type checkedPackage struct {
	types   *types.Package
	imports []string
}

// newTypeJudge finds the modules of the module in dir. What its go.mod replaces by folders that
// a downloaded module lacks is taken in the module's own version instead, as Kubernetes
// publishes its parts: v1.34.1 is v0.34.1 there.
func newTypeJudge(dir string) (*typeJudge, error) {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return nil, err
	}
	j := &typeJudge{dir: dir, modules: map[string]string{}, fset: token.NewFileSet(), context: build.Default, packages: map[string]*checkedPackage{}, importers: map[string][]string{}, clean: map[string][]compileError{}}
	j.context.CgoEnabled = false
	temp, err := os.MkdirTemp("", "judge")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	_, version, _ := strings.Cut(filepath.Base(dir), "@v1.")
	var out strings.Builder
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "module "); ok {
			j.module = strings.TrimSpace(name)
		}
		if name, folder, ok := strings.Cut(strings.TrimRight(line, "\n"), " => ./"); ok && version != "" {
			if _, err := os.Stat(filepath.Join(dir, folder, "go.mod")); err != nil {
				line = fmt.Sprintf("%s => %s v0.%s\n", name, strings.TrimSpace(name), version)
			}
		}
		out.WriteString(line)
	}
	if err := os.WriteFile(filepath.Join(temp, "go.mod"), []byte(out.String()), 0o600); err != nil {
		return nil, err
	}
	c := exec.Command("go", "mod", "download", "-json")
	c.Dir = temp
	c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	list, failed := c.Output() // one module that cannot be had does not keep the others away
	for d := json.NewDecoder(strings.NewReader(string(list))); ; {
		var m struct{ Path, Dir string }
		if err := d.Decode(&m); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go mod download: %w", err)
		}
		if m.Dir != "" {
			j.modules[m.Path] = m.Dir
		}
	}
	if len(j.modules) == 0 && failed != nil {
		return nil, fmt.Errorf("go mod download: %w", failed)
	}
	j.modules[j.module] = dir
	return j, j.readImports()
}

// readImports reads who imports whom in the module.
func (j *typeJudge) readImports() error {
	return filepath.WalkDir(j.dir, func(at string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && (e.Name() == "testdata" || e.Name() == "vendor" || e.Name() == "third_party" || strings.HasPrefix(e.Name(), "_")) {
			return filepath.SkipDir
		}
		if e.IsDir() || !strings.HasSuffix(at, ".go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), at, nil, parser.ImportsOnly)
		if err != nil {
			return nil // it is no file of a package that compiles
		}
		own, _ := filepath.Rel(j.dir, filepath.Dir(at))
		for _, im := range f.Imports {
			if rest, ok := strings.CutPrefix(strings.Trim(im.Path.Value, `"`), j.module+"/"); ok && !slices.Contains(j.importers[rest], own) {
				j.importers[rest] = append(j.importers[rest], own)
			}
		}
		return nil
	})
}

// folder is where an import path's files are; "" if they are not on this machine.
func (j *typeJudge) folder(imported string) string {
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return filepath.Join(j.context.GOROOT, "src", imported)
	}
	for at := imported; at != "."; at = path.Dir(at) {
		if dir, ok := j.modules[at]; ok {
			return filepath.Join(dir, strings.TrimPrefix(imported[len(at):], "/"))
		}
	}
	vendored := filepath.Join(j.context.GOROOT, "src", "vendor", imported)
	if _, err := os.Stat(vendored); err == nil {
		return vendored
	}
	return ""
}

// A round is one judgement: some files have other texts.
type round struct {
	*typeJudge
	texts   map[string]string          // by path below the module's folder
	changed map[string]bool            // folders of these files
	fresh   map[string]*checkedPackage // packages that depend on them
	depends map[string]bool
}

func (j *typeJudge) round(texts map[string]string) *round {
	r := &round{typeJudge: j, texts: texts, changed: map[string]bool{}, fresh: map[string]*checkedPackage{}, depends: map[string]bool{}}
	for p := range texts {
		r.changed[j.module+"/"+path.Dir(p)] = true
	}
	return r
}

// A compileError is one error of a file below the module's folder.
type compileError struct {
	path    string
	line    int
	message string
}

// broken are the errors that came with some texts, in the changed packages and all that
// import them.
func (j *typeJudge) broken(texts map[string]string) (out []compileError) {
	dirs := map[string]bool{}
	for p := range texts {
		dirs[path.Dir(p)] = true
		for _, d := range j.importers[path.Dir(p)] {
			dirs[d] = true
		}
	}
	r, was := j.round(texts), j.round(nil)
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		if _, known := j.clean[dir]; !known {
			j.clean[dir] = was.errors(dir)
		}
		had := map[string]int{}
		for _, e := range j.clean[dir] {
			had[e.path+e.message]++
		}
		for _, e := range r.errors(dir) {
			if had[e.path+e.message]--; had[e.path+e.message] < 0 && !slices.Contains(out, e) {
				out = append(out, e)
			}
		}
	}
	return out
}

// errors are the errors of a package with its tests.
func (r *round) errors(dir string) (out []compileError) {
	files := r.parse(filepath.Join(r.dir, dir), true, true)
	var own, external []*ast.File
	for _, f := range files {
		if strings.HasSuffix(f.Name.Name, "_test") {
			external = append(external, f)
		} else {
			own = append(own, f)
		}
	}
	for _, list := range [][]*ast.File{own, external} {
		if len(list) == 0 {
			continue
		}
		c := types.Config{Importer: r, FakeImportC: true, Sizes: types.SizesFor("gc", r.context.GOARCH), Error: func(err error) {
			if e, ok := err.(types.Error); ok && !e.Soft {
				at := r.fset.Position(e.Pos)
				name, _ := filepath.Rel(r.dir, at.Filename)
				out = append(out, compileError{name, at.Line, e.Msg})
			}
		}}
		_, _ = c.Check(r.module+"/"+dir, r.fset, list, nil) // its errors are out
	}
	return out
}

// parse reads the files of a folder that are built here.
func (r *round) parse(dir string, tests, bodies bool) []*ast.File {
	entries, _ := os.ReadDir(dir)
	var out []*ast.File
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || !tests && strings.HasSuffix(name, "_test.go") {
			continue
		}
		if ok, err := r.context.MatchFile(dir, name); err != nil || !ok {
			continue
		}
		at := filepath.Join(dir, name)
		var src any
		if rel, err := filepath.Rel(r.dir, at); err == nil {
			if text, ok := r.texts[rel]; ok {
				src = text
			}
		}
		f, _ := parser.ParseFile(r.fset, at, src, parser.SkipObjectResolution)
		if f == nil {
			continue
		}
		if !bodies {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok {
					fn.Body = nil
				}
			}
		}
		out = append(out, f)
	}
	return out
}

// Import implements types.Importer.
func (r *round) Import(imported string) (*types.Package, error) {
	if imported == "unsafe" {
		return types.Unsafe, nil
	}
	p := r.load(imported)
	if p == nil {
		return nil, fmt.Errorf("%s is not on this machine", imported)
	}
	return p.types, nil
}

// load is a package without its tests: a kept one unless it depends on what changed.
func (r *round) load(imported string) *checkedPackage {
	if p := r.fresh[imported]; p != nil {
		return p
	}
	if kept := r.packages[imported]; kept != nil && !r.affected(imported) {
		return kept
	}
	dir := r.folder(imported)
	if dir == "" {
		return nil
	}
	p := &checkedPackage{}
	files := r.parse(dir, false, false)
	c := types.Config{Importer: r, IgnoreFuncBodies: true, FakeImportC: true, Sizes: types.SizesFor("gc", r.context.GOARCH), Error: func(error) {}}
	p.types, _ = c.Check(imported, r.fset, files, nil) // what is wrong shows where it is used
	for _, f := range files {
		for _, im := range f.Imports {
			p.imports = append(p.imports, strings.Trim(im.Path.Value, `"`))
		}
	}
	if len(r.texts) == 0 {
		r.packages[imported] = p
	} else {
		r.fresh[imported] = p
		if !r.affected(imported) {
			r.packages[imported] = p
		}
	}
	return p
}

// affected reports whether a package depends on a changed one.
func (r *round) affected(imported string) bool {
	if r.changed[imported] {
		return true
	}
	if known, ok := r.depends[imported]; ok {
		return known
	}
	r.depends[imported] = false
	p := r.packages[imported]
	if p == nil {
		p = r.fresh[imported]
	}
	if p == nil {
		return false
	}
	found := slices.ContainsFunc(p.imports, r.affected)
	r.depends[imported] = found
	return found
}
