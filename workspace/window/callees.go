package window

import (
	"cmp"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// How sure it is that code uses a definition whose name it has: one that the file
// defines or imports is meant, and more is to be learned from one that is called.
const (
	sureCalled = 0.9
	sureNamed  = 0.7
)

// A use is some code that names definitions: lines of a file, and the line whose names
// matter most.
type use struct {
	file  index.FileID
	lines lineRange
	near  int
	by    string // "used by Load"
}

// callsOf is the code of a definition; the names near the place matter most if it is there.
func (r relations) callsOf(d definition) use {
	u := use{d.id.File(), lineRange{d.StartLine, d.EndLine}, d.StartLine, "used by " + d.Name}
	if line := r.place.line(); d.id.File() == r.place.file && d.StartLine <= line && line <= d.EndLine {
		u.near = line
	}
	return u
}

// callsHere is the code around a place that is in no definition, as in the callbacks of
// tests and in scripts.
func (r relations) callsHere() use {
	line := r.place.line()
	return use{r.place.file, lineRange{max(1, line-callsAround), line + callsAround}, line, "used near " + r.place.String()}
}

// callsAround is how many lines before and after a place are looked at for what they call.
const callsAround = 20

// A meaning is a definition that a name means.
type meaning struct {
	definition
	sure float32
}

// callees are the functions and types that the names of code mean, the surest first.
func (r relations) callees(u use) []meaning {
	f := r.folder.file(r.folder.ix.Path(u.file))
	if f == nil {
		return nil
	}
	u.lines.last = min(u.lines.last, f.LineCount())
	found := slices.DeleteFunc(r.meantBy(u, f.Raw(u.lines.first, u.lines.last)), func(m meaning) bool {
		inside := m.id.File() == u.file && m.StartLine >= u.lines.first && m.EndLine <= u.lines.last
		return inside || !m.Kind.IsFunc() && !m.Kind.IsType() || !r.folder.reaches(u.file, m.definition) || m.EndLine-m.DocLine > longestBody
	})
	slices.SortStableFunc(found, func(x, y meaning) int { return cmp.Compare(y.sure, x.sure) })
	return found
}

// meantBy are the definitions that the names of a text mean, those of the names nearest to
// the place first.
func (r relations) meantBy(u use, text string) (out []meaning) {
	ownFolder := ""
	switch r.folder.family(u.file) {
	case "go", "jvm":
		ownFolder = path.Dir(r.folder.ix.Path(u.file))
	}
	nearest := map[word]int{}
	for w, line := range wordsOf(text) {
		far := line + u.lines.first - u.near
		far = max(far, -far)
		if before, seen := nearest[w]; !seen || far < before {
			nearest[w] = far
		}
	}
	words := slices.SortedFunc(maps.Keys(nearest), func(x, y word) int {
		order := cmp.Or(cmp.Compare(nearest[x], nearest[y]), cmp.Compare(x.text, y.text), cmp.Compare(x.qualifier, y.qualifier))
		if order == 0 && x.called != y.called {
			order = 1
			if x.called {
				order = -1
			}
		}
		return order
	})
	in := importedBy(r.folder.ix, u.file)
	known := map[index.DefID]bool{}
	for _, w := range words {
		sure := float32(sureNamed)
		if w.called {
			sure = sureCalled
		}
		meant := in.meant(w, ownFolder)
		for _, id := range meant[:min(len(meant), sameNameMost)] { // of overloads, two are enough
			if !known[id] {
				known[id] = true
				out = append(out, meaning{r.folder.definition(id), sure})
			}
		}
	}
	return out
}

// imported is what a file can name without a qualifier, and by which qualifiers.
type imported struct {
	ix      *index.Index
	file    index.FileID
	names   map[string][]language.Import // by what the file calls them: a name taken from a module, or the module
	modules map[language.Import][]index.FileID
}

func importedBy(ix *index.Index, file index.FileID) imported {
	in := imported{ix, file, map[string][]language.Import{}, map[language.Import][]index.FileID{}}
	for _, im := range ix.Imports(file) {
		called := cmp.Or(im.Alias, im.Name, lastName(im.Path))
		in.names[called] = append(in.names[called], im)
	}
	return in
}

// lastName is the last element of an import's path.
func lastName(path string) string { return path[strings.LastIndexAny(path, "/.:")+1:] }

// files are what an import means, found once.
func (in imported) files(im language.Import) []index.FileID {
	files, known := in.modules[im]
	if !known {
		files = index.Resolve(in.ix, in.file, im)
		in.modules[im] = files
	}
	return files
}

// meant are the definitions that a word of the file can mean: of the file itself, of what it
// imports, and in languages whose files share a package, of its folder.
func (in imported) meant(w word, ownFolder string) (out []index.DefID) {
	if w.qualifier == "" {
		out = in.inFiles(w.text, func(id index.FileID, top bool) bool {
			return id == in.file || ownFolder != "" && top && path.Dir(in.ix.Path(id)) == ownFolder
		})
		for _, im := range in.names[w.text] {
			out = append(out, in.taken(im)...)
		}
		for _, im := range in.names["*"] {
			out = append(out, in.ofModule(w.text, im)...)
		}
		return out
	}
	for _, im := range in.names[w.qualifier] {
		files := in.files(im)
		out = append(out, in.inFiles(w.text, func(id index.FileID, top bool) bool {
			return slices.Contains(files, id) && top == in.isModule(id, im)
		})...)
	}
	if len(in.names[w.qualifier]) == 0 {
		return in.member(w.text)
	}
	return out
}

// isModule reports whether an import that a file answers to is the file itself, and not a name
// that the file defines.
func (in imported) isModule(id index.FileID, im language.Import) bool {
	rel := strings.TrimSuffix(in.ix.Path(id), path.Ext(in.ix.Path(id)))
	return im.Name == "" || im.Name == "*" || path.Base(strings.TrimSuffix(rel, "/__init__")) == im.Name
}

// member are the definitions that a member of a value can mean, whose type is not known:
// those of the file, or the only one there is.
func (in imported) member(name string) []index.DefID {
	if own := in.inFiles(name, func(id index.FileID, top bool) bool { return id == in.file && !top }); len(own) > 0 {
		return own
	}
	if all := in.inFiles(name, func(_ index.FileID, top bool) bool { return !top }); len(all) == 1 {
		return all
	}
	return nil
}

// taken are the definitions of a name that an import takes from a module. A module
// that only passes the name on has none, and a package of the workspace is known by the
// name of its folder: then the only one of that name is meant.
func (in imported) taken(im language.Import) []index.DefID {
	if im.Name == "" || im.Name == "*" {
		return nil
	}
	if out := in.ofModule(im.Name, im); len(out) > 0 {
		return out
	}
	folder := ""
	if len(in.files(im)) == 0 {
		folder = "/" + lastName(im.Path) + "/"
	}
	all := in.inFiles(im.Name, func(id index.FileID, top bool) bool { return top && strings.Contains("/"+in.ix.Path(id), folder) })
	if len(all) == 1 {
		return all
	}
	return nil
}

func (in imported) ofModule(name string, im language.Import) []index.DefID {
	files := in.files(im)
	if len(files) == 0 {
		return nil
	}
	return in.inFiles(name, func(id index.FileID, top bool) bool { return top && slices.Contains(files, id) })
}

// inFiles are the functions and types of a name in the files of the same language that ok
// takes; top is false for members of a type.
func (in imported) inFiles(name string, ok func(id index.FileID, top bool) bool) (out []index.DefID) {
	family := language.Family(in.ix.Language(in.file))
	for _, id := range in.ix.LookupIDs(name) {
		d := in.ix.Brief(id)
		if !d.Local && (d.Kind.IsFunc() || d.Kind.IsType()) && language.Family(in.ix.Language(id.File())) == family && ok(id.File(), d.Container == "") {
			out = append(out, id)
		}
	}
	return out
}

// A word is a name in code, with the name before its dot.
type word struct {
	qualifier, text string
	called          bool // a parenthesis follows
}

// wordsOf yields the names of three letters and more in a text, with their lines from 0.
func wordsOf(text string) iter.Seq2[word, int] {
	return func(yield func(word, int) bool) {
		before, end, line := "", -1, 0 // the word before, and where it ended
		for i := 0; i < len(text); {
			if !edits.IsWordByte(text[i]) {
				if text[i] == '\n' {
					line++
				}
				i++
				continue
			}
			start := i
			for i < len(text) && edits.IsWordByte(text[i]) {
				i++
			}
			w := word{text: text[start:i], called: i < len(text) && text[i] == '('}
			if end >= 0 && qualifies(text[end:start]) {
				w.qualifier = before
			}
			before, end = w.text, i
			if len(w.text) > 2 && !yield(w, line) {
				return
			}
		}
	}
}

// qualifies reports whether what stands between two names makes the first the qualifier
// of the second.
func qualifies(between string) bool {
	return between == "." || between == "?." || between == "!." || between == "::" || between == "->"
}
