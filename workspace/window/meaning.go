package window

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A scope tells what the names in a file's code can mean by its language's rules of imports,
// folders and visibility.
type scope struct {
	*folder
	file     index.FileID
	imported map[string][]language.Import // by what the file calls them: a name taken from a module, or the module
	modules  map[language.Import][]index.FileID
}

func (f *folder) scopeOf(file index.FileID) *scope {
	s := &scope{f, file, map[string][]language.Import{}, map[language.Import][]index.FileID{}}
	for _, im := range f.ix.Imports(file) {
		called := cmp.Or(im.Alias, im.Name, lastName(im.Path))
		s.imported[called] = append(s.imported[called], im)
	}
	return s
}

// sameNameMost is the most definitions shown of a name that nobody asked for: of overloads, two
// are enough.
const sameNameMost = 2

// mean returns the functions and types that words mean, in the order of the words, each once.
func (s *scope) mean(words []word) (out []definition) {
	known := map[index.DefID]bool{}
	for _, w := range words {
		meant := s.meant(w)
		for _, d := range meant[:min(len(meant), sameNameMost)] {
			if !known[d.id] && s.reaches(d) {
				known[d.id] = true
				out = append(out, d)
			}
		}
	}
	return out
}

// reaches reports whether the file may use a definition: none of tests, and in Go none of
// another folder that is not exported.
func (s *scope) reaches(d definition) bool {
	from, to := s.ix.Path(s.file), s.pathOf(d.id)
	elsewhere := path.Dir(from) != path.Dir(to) && s.ix.Language(s.file) == "go"
	switch {
	case from == to:
		return true
	case elsewhere && !d.Exported:
		return false
	case language.IsTest(to):
		return language.IsTest(from) && !elsewhere
	}
	return true
}

// meant returns the definitions that a word can mean: of the file, of what it imports, and of
// its folder in languages whose files share a package. The type of a value is not known: its
// member is one of the file's, or the only one of the folder.
func (s *scope) meant(w word) (out []definition) {
	if imported := s.imported[w.qualifier]; w.qualifier != "" && len(imported) > 0 {
		for _, im := range imported {
			files := s.files(im)
			out = append(out, s.only(w.text, func(d definition, top bool) bool {
				rel := s.pathOf(d.id)
				stem := strings.TrimSuffix(strings.TrimSuffix(rel, path.Ext(rel)), "/__init__")
				module := im.Name == "" || im.Name == "*" || path.Base(stem) == im.Name // not a type
				return slices.Contains(files, d.id.File()) && top == module
			})...)
		}
		return out
	}
	if w.qualifier != "" {
		all := s.only(w.text, func(_ definition, top bool) bool { return !top })
		own := slices.DeleteFunc(slices.Clone(all), func(d definition) bool { return d.id.File() != s.file })
		if len(own) == 0 && len(all) == 1 {
			return all
		}
		return own
	}
	shared := ""
	switch s.family(s.file) {
	case "go", "jvm":
		shared = path.Dir(s.ix.Path(s.file))
	}
	out = s.only(w.text, func(d definition, top bool) bool {
		if d.id.File() == s.file {
			return true
		}
		return top && shared != "" && path.Dir(s.pathOf(d.id)) == shared
	})
	for _, im := range s.imported[w.text] {
		out = append(out, s.taken(im)...)
	}
	for _, im := range s.imported["*"] {
		out = append(out, s.ofModule(w.text, im)...)
	}
	return out
}

// taken returns the definitions of a name that an import takes from a module. If the module is
// not found or passes the name on, it returns the only definition of the name, in the folder of
// the package's name.
func (s *scope) taken(im language.Import) []definition {
	if im.Name == "" || im.Name == "*" {
		return nil
	}
	if out := s.ofModule(im.Name, im); len(out) > 0 {
		return out
	}
	folder := ""
	if len(s.files(im)) == 0 {
		folder = "/" + lastName(im.Path) + "/"
	}
	all := s.only(im.Name, func(d definition, top bool) bool { return top && strings.Contains("/"+s.pathOf(d.id), folder) })
	if len(all) > 1 {
		return nil
	}
	return all
}

func (s *scope) ofModule(name string, im language.Import) []definition {
	files := s.files(im)
	return s.only(name, func(d definition, top bool) bool { return top && slices.Contains(files, d.id.File()) })
}

// only returns the functions and types of a name in the file's language that ok accepts; top is
// false for members of a type.
func (s *scope) only(name string, ok func(d definition, top bool) bool) (out []definition) {
	for _, id := range s.ix.LookupIDs(name) {
		d := s.definition(id)
		if d.Local || s.family(id.File()) != s.family(s.file) {
			continue
		}
		if (d.Kind.IsFunc() || d.Kind.IsType()) && ok(d, d.Container == "") {
			out = append(out, d)
		}
	}
	return out
}

// files returns the files that an import means, and remembers them.
func (s *scope) files(im language.Import) []index.FileID {
	files, known := s.modules[im]
	if !known {
		files = index.Resolve(s.ix, s.file, im)
		s.modules[im] = files
	}
	return files
}
