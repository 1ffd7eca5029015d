package judge

import (
	"go/token"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/names"
)

// A tree is what the files of a workspace import from one another, read once for a change.
type tree struct {
	views []*workspace.View
	by    map[string][]string // of Go: the import paths of the packages that import one; nil: not read
	names map[string][]link   // of other languages, by the name that is imported; nil: not read
	files map[string][]string // of these, the places of modules by the last part; nil: not read
}

// A link is an import by a file of a name of a module.
type link struct {
	file string
	from target
}

// A target is the module that an import means: one of some places, or, where no file is at any,
// one with a name.
type target struct {
	at   []string
	name string
}

// A group is modules, by their places, and by what else their last parts may be called.
type group struct{ at, name map[string]bool }

func (g group) add(file string) {
	g.at[placeOf(file)] = true
	maps.Copy(g.name, stems(file))
}

func (g group) has(t target) bool {
	if t.at == nil {
		return g.name[t.name]
	}
	return slices.ContainsFunc(t.at, func(at string) bool { return g.at[at] })
}

// A module is a file as others may import it, on the disk or not any more: what they import is
// compared as it is written.
type module struct {
	*tree
	view   *workspace.View // that holds it
	rel    string
	lang   string
	goPath string // by which Go files import its package, "" if that is not known
}

func (t *tree) module(snap *workspace.Snapshot, abs string) (module, bool) {
	view := snap.View(abs)
	if view == nil {
		return module{}, false
	}
	at, ok := view.Rel(abs)
	m := module{tree: t, view: view, rel: at.String(), lang: language.OfFile(at.Name())}
	if m.lang == "go" {
		m.goPath = goPath(view.Index(), path.Dir(m.rel))
	}
	return m, ok
}

// goPath is the import path of the package in a folder.
func goPath(ix *index.Index, dir string) (found string) {
	longest := -1
	for _, id := range ix.Named("go.mod") {
		mod, _ := ix.File(id)
		root := path.Dir(mod.Path)
		rest, below := strings.CutPrefix(dir+"/", strings.TrimPrefix(root+"/", "./"))
		if root == "." {
			rest, below = dir, true
		}
		if below && mod.Package != "" && len(root) > longest {
			longest, found = len(root), path.Join(mod.Package, rest)
		}
	}
	return found
}

// users yields the absolute paths of the files that may use what is withdrawn.
func (m module) users(what withdrawal) iter.Seq[string] {
	return func(yield func(string) bool) {
		uses := m.imports(what)
		for _, v := range m.views {
			ix := v.Index()
			ids := ix.Files()
			if what.name != "" {
				ids = ix.Users(what.name)
			}
			for _, id := range ids {
				if lang := ix.Language(id); (lang == m.lang || names.Script(lang) && names.Script(m.lang)) && uses(v, id) && !yield(v.Abs(ix.Path(id))) {
					return
				}
			}
		}
	}
}

// imports returns whether a file may know what is withdrawn by what it imports.
func (m module) imports(what withdrawal) func(*workspace.View, index.FileID) bool {
	switch {
	case m.lang == "go":
		return m.importsGo(what)
	case m.lang == "python" || names.Script(m.lang):
		return m.importsModule(what)
	}
	return func(*workspace.View, index.FileID) bool { return true }
}

// importsGo: files of the same package, those that import it, and, of a member, those that import
// a package which does, itself or through others: they may have a value of its type.
func (m module) importsGo(what withdrawal) func(*workspace.View, index.FileID) bool {
	paths := map[string]bool{m.goPath: true}
	if what.owner != "" && token.IsExported(what.name) {
		paths = m.importers()
	}
	dir := path.Dir(m.rel)
	deleted := what.name == "" && !slices.ContainsFunc(m.view.Index().Dir(dir), func(id index.FileID) bool {
		p := m.view.Index().Path(id)
		return p != m.rel && strings.HasSuffix(p, ".go") && !strings.HasSuffix(p, "_test.go")
	})
	return func(v *workspace.View, id index.FileID) bool {
		ix := v.Index()
		if v == m.view && path.Dir(ix.Path(id)) == dir {
			return what.name != ""
		}
		return (deleted || token.IsExported(what.name)) && slices.ContainsFunc(ix.Imports(id), func(im language.Import) bool {
			return paths[im.Path] || m.goPath == "" && path.Base(im.Path) == path.Base(dir)
		})
	}
}

// importers are the import paths of the package and of those that import it, themselves or
// through others.
func (m module) importers() map[string]bool {
	if m.by == nil {
		m.by = map[string][]string{}
		for _, v := range m.views {
			ix := v.Index()
			own := map[string]string{} // import paths by folder
			for _, id := range ix.Files() {
				if ix.Language(id) != "go" {
					continue
				}
				dir := path.Dir(ix.Path(id))
				if _, known := own[dir]; !known {
					own[dir] = goPath(ix, dir)
				}
				for _, im := range ix.Imports(id) {
					m.by[im.Path] = append(m.by[im.Path], own[dir])
				}
			}
		}
	}
	out, queue := map[string]bool{m.goPath: true}, []string{m.goPath}
	for len(queue) > 0 {
		for _, next := range m.by[queue[0]] {
			if !out[next] {
				out[next] = true
				queue = append(queue, next)
			}
		}
		queue = queue[1:]
	}
	return out
}

// read reads the imports of all files but Go's.
func (t *tree) read() {
	if t.names != nil {
		return
	}
	t.names, t.files = map[string][]link{}, map[string][]string{}
	each := func(do func(ix *index.Index, id index.FileID)) {
		for _, v := range t.views {
			ix := v.Index()
			for _, id := range ix.Files() {
				if lang := ix.Language(id); lang == "python" || names.Script(lang) {
					do(ix, id)
				}
			}
		}
	}
	each(func(ix *index.Index, id index.FileID) {
		at := placeOf(ix.Path(id))
		t.files[path.Base(at)] = append(t.files[path.Base(at)], at)
	})
	each(func(ix *index.Index, id index.FileID) {
		for _, im := range ix.Imports(id) {
			t.names[im.Name] = append(t.names[im.Name], link{ix.Path(id), t.target(ix.Path(id), im.Path)})
		}
	})
}

// target is what a file's import of a module means. An absolute one is compared with the ends of
// the places that there are; of a script's path the first parts may be an alias.
func (t *tree) target(file, module string) target {
	python := strings.HasSuffix(file, ".py") || strings.HasSuffix(file, ".pyi")
	as := module // with slashes
	if python {
		rest := strings.TrimLeft(module, ".")
		as = strings.ReplaceAll(rest, ".", "/")
		if dots := len(module) - len(rest); dots > 0 {
			as = "./" + strings.Repeat("../", dots-1) + as
		}
	}
	if strings.HasPrefix(as, ".") {
		at := path.Join(path.Dir(file), as)
		if !python && !strings.HasSuffix(as, "..") && as != "." {
			at = placeOf(at)
		}
		return target{at: []string{at}}
	}
	if !python {
		as = placeOf(as)
	}
	for end, whole := as, true; strings.Contains(end, "/") && (whole || !python); whole = false {
		var found []string
		for _, at := range t.files[path.Base(end)] {
			if at == end || strings.HasSuffix(at, "/"+end) {
				found = append(found, at)
			}
		}
		if found != nil {
			return target{at: found}
		}
		_, end, _ = strings.Cut(end, "/")
	}
	return target{name: path.Base(as)}
}

// importsModule: files that import this module, or one that may pass its names on.
func (m module) importsModule(what withdrawal) func(*workspace.View, index.FileID) bool {
	m.read()
	top := what.name
	if what.owner != "" {
		top = what.owner
	}
	called := group{map[string]bool{}, map[string]bool{}}
	called.add(m.rel)
	passing := slices.Clone(m.names["*"]) // on, by a star or by this name
	if top != "" {
		passing = append(passing, m.names[top]...)
	}
	for grew := true; grew; {
		grew = false
		passing = slices.DeleteFunc(passing, func(l link) bool {
			if !called.has(l.from) {
				return false
			}
			called.add(l.file)
			grew = true
			return true
		})
	}
	return func(v *workspace.View, id index.FileID) bool {
		ix := v.Index()
		file := ix.Path(id)
		return slices.ContainsFunc(ix.Imports(id), func(im language.Import) bool {
			if called.has(m.target(file, im.Path)) {
				return true
			}
			if im.Name == "" || im.Name == "*" {
				return false
			}
			between := "/" // the path of a package and its module
			if m.lang == "python" {
				between = "."
			}
			if between == "." && strings.HasSuffix(im.Path, ".") {
				between = ""
			}
			return called.has(m.target(file, im.Path+between+im.Name))
		})
	}
}

// placeOf is a module's file without its endings; a folder's own is that of the folder.
func placeOf(rel string) string {
	stem, _, _ := strings.Cut(path.Base(rel), ".")
	if stem == "index" || stem == "__init__" {
		return path.Dir(rel)
	}
	return path.Join(path.Dir(rel), stem)
}

// stems are what the last part of a module's name may be: that of its file, or those of the
// folders that it stands for.
func stems(rel string) map[string]bool {
	stem, _, _ := strings.Cut(path.Base(rel), ".")
	if stem != "index" && stem != "__init__" {
		return map[string]bool{stem: true}
	}
	out := map[string]bool{}
	for _, dir := range strings.Split(path.Dir(rel), "/") {
		out[dir] = true
	}
	return out
}
