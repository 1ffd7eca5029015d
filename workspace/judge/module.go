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
}

// A link is an import by a file of a name of a module.
type link struct{ file, from string }

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
	rel, ok := view.Rel(abs)
	m := module{tree: t, view: view, rel: rel, lang: language.OfFile(path.Base(rel))}
	if m.lang == "go" {
		m.goPath = goPath(view.Index(), path.Dir(rel))
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

// links are the imports of a name of any module.
func (t *tree) links(name string) []link {
	if t.names == nil {
		t.names = map[string][]link{}
		for _, v := range t.views {
			ix := v.Index()
			for _, id := range ix.Files() {
				if lang := ix.Language(id); lang == "python" || names.Script(lang) {
					file := ix.Path(id)
					for _, im := range ix.Imports(id) {
						t.names[im.Name] = append(t.names[im.Name], link{file, last(file, im.Path)})
					}
				}
			}
		}
	}
	return t.names[name]
}

// importsModule: files that import a module which is called as this one, or as one that may pass
// its names on.
func (m module) importsModule(what withdrawal) func(*workspace.View, index.FileID) bool {
	top := what.name
	if what.owner != "" {
		top = what.owner
	}
	own, outer := stems(m.rel), map[string]bool{} // of the module; the folders around it
	for _, dir := range strings.Split(path.Dir(m.rel), "/") {
		outer[dir] = true
	}
	called := maps.Clone(own)
	var passing []link // on, by a star or by this name
	if top != "" {
		passing = slices.Concat(m.links("*"), m.links(top))
	}
	for grew := true; grew; {
		grew = false
		passing = slices.DeleteFunc(passing, func(l link) bool {
			if called[l.from] {
				maps.Copy(called, stems(l.file))
				grew = true
			}
			return called[l.from]
		})
	}
	return func(v *workspace.View, id index.FileID) bool {
		ix := v.Index()
		file := ix.Path(id)
		return slices.ContainsFunc(ix.Imports(id), func(im language.Import) bool {
			from := last(file, im.Path)
			return called[from] || called[im.Name] || outer[from] && own[im.Name]
		})
	}
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

// last is the last part of the name of a module that a file imports.
func last(file, module string) string {
	if strings.HasPrefix(module, ".") && strings.Trim(module, "./") == "" { // a folder around the file
		up := strings.Count(module, "..")
		if !strings.Contains(module, "/") {
			up = len(module) - 1
		}
		dir := path.Dir(file)
		for range up {
			dir = path.Dir(dir)
		}
		return path.Base(dir)
	}
	if strings.HasSuffix(file, ".py") || strings.HasSuffix(file, ".pyi") {
		return module[strings.LastIndexByte(module, '.')+1:]
	}
	base := path.Base(module)
	if base == "index" || strings.HasPrefix(base, "index.") {
		base = path.Base(path.Dir(module))
	}
	stem, _, _ := strings.Cut(base, ".")
	return stem
}
