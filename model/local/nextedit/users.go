package nextedit

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace/cut"
	"tandem/workspace/dynamic"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// A Place is where a file names a definition.
type Place struct {
	Path string
	Line int // counted from 1
	Span edits.Span
	Call bool // it is called there
	// Maybe says that another definition may be meant.
	Maybe bool
	// Shorthand: the name is a property and its value, as in { name }.
	Shorthand bool
	Affixes   *Affixes // nil is not known
}

// Affixes are what a rename writes before and after the new name, such as "name: " where one
// name was a property and its value.
type Affixes struct{ Prefix, Suffix string }

// bindsNames are the languages in which a file says by its imports what its names are.
var bindsNames = terms.Set("go typescript javascript typescriptreact javascriptreact python")

// maxMaybe bounds the places that may mean another definition; with more, a name is one that
// many things have.
const maxMaybe = 16

// A finder finds the places that name one definition, by name and import.
type finder struct {
	corpus    source.Corpus
	ix        *index.Index
	def       index.Def
	alone     bool                  // nothing else in the workspace has the name
	overrides map[index.DefID]bool  // members of types that implement or extend the definition's
	variants  map[int]bool          // lines of the definition's file that declare it too, for other arguments or conditions
	provides  map[index.FileID]bool // files that export the definition under its name, as far as they were looked at
}

// Users returns the places that name a definition, without its own declaration, in the order
// of files and lines: by imports where they say what a name is, and elsewhere by the name
// alone. A member is known behind its own object, and, where the file sees its definition, if
// nothing else in the workspace has its name and that is no usual one. What is left are files that
// cannot be searched, and places that may mean another definition where these are many.
func Users(ctx context.Context, c source.Corpus, d index.Def) cut.List[Place] {
	var out []Place
	ix := c.Index()
	f := &finder{corpus: c, ix: ix, def: d, provides: map[index.FileID]bool{}}
	f.declarations()
	files := ix.Users(d.Name)
	if ix.Language(d.File) == "python" && d.Container == "" { // which may name it in a string alone
		for _, id := range append(slices.Clip(ix.Named("__init__.py")), d.File) {
			if !slices.Contains(files, id) && f.from(id, maxReexports) {
				files = append(slices.Clip(files), id)
			}
		}
	}
	maybe, unread := 0, 0
	for i, id := range files {
		if ctx.Err() != nil {
			unread += len(files) - i
			break
		}
		if language.Family(ix.Language(id)) != language.Family(ix.Language(d.File)) {
			continue
		}
		src, ok := c.Text(ix.Path(id))
		if !ok || len(src) > source.MaxFile {
			unread++
			continue
		}
		file := &usingFile{f, readCode(ix.Language(id), src), id, ix.Path(id)}
		places := file.places()
		for _, p := range places {
			maybe += flagInt(p.Maybe)
		}
		out = append(out, places...)
	}
	left := cut.Left(unread, "file that has "+d.Name+" is not searched", "files that have "+d.Name+" are not searched")
	if maybe > maxMaybe {
		out = slices.DeleteFunc(out, func(p Place) bool { return p.Maybe })
		left = cut.Join(left, cut.Left(maybe, "", "places may mean it or another "+d.Name))
	}
	return cut.Of(out, left)
}

// declarations finds what else has the definition's name.
func (f *finder) declarations() {
	d := f.def
	src, ok := f.corpus.Text(f.ix.Path(d.File))
	one := ok && d.Kind.IsFunc() && len(src) <= source.MaxFile && oneFunction(f.ix, src, d, d.Name)
	f.alone, f.variants, f.overrides = true, map[int]bool{}, map[index.DefID]bool{}
	for _, o := range f.ix.Lookup(d.Name) {
		switch {
		case o.ID == d.ID || o.Local || language.Family(f.ix.Language(o.File)) != language.Family(f.ix.Language(d.File)):
		case one && o.File == d.File && o.Container == d.Container:
			f.variants[o.StartLine] = true
		case d.Container != "" && o.Container != "" && f.implements(o), f.prototype(d) != f.prototype(o):
			f.overrides[o.ID] = true
		default:
			f.alone = false
		}
	}
}

// prototype reports whether a definition is the declaration of a function of C, whose body is
// elsewhere.
func (f *finder) prototype(d index.Def) bool {
	lang := f.ix.Language(d.File)
	if lang != "c" && lang != "cpp" || !d.Kind.IsFunc() || d.Container != "" {
		return false
	}
	src, _ := f.corpus.Text(f.ix.Path(d.File))
	return strings.HasSuffix(strings.TrimSpace(linesOf(src, d.EndLine, d.EndLine)), ";")
}

// implements reports whether a member is the definition of a type that implements or extends the
// definition's: a class that names it in its head, or a type of Go that has all methods of the
// interface.
func (f *finder) implements(o index.Def) bool {
	owner := func(d index.Def) (out index.Def, head string) {
		for _, t := range f.ix.Defs(d.File) {
			if t.Name == d.Owner() && !t.Kind.IsFunc() && !t.Local {
				src, _ := f.corpus.Text(f.ix.Path(d.File))
				return t, linesOf(src, t.StartLine, t.StartLine)
			}
		}
		return out, ""
	}
	class, head := owner(o)
	if f.ix.Language(o.File) != "go" {
		at := edits.IndexWord(head, class.Name, 0)
		return at >= 0 && edits.IndexWord(head[at+len(class.Name):], f.def.Owner(), 0) >= 0
	}
	base, line := owner(f.def)
	if edits.IndexWord(line, "interface", 0) < 0 {
		return false
	}
	methods := 0
	for _, m := range f.ix.Defs(base.File) {
		if m.Container != f.def.Container || m.StartLine == f.def.StartLine {
			continue
		}
		methods++
		if !slices.ContainsFunc(f.ix.Lookup(m.Name), func(d index.Def) bool {
			return d.Container == o.Container && source.Folder(f.ix.Path(d.File)) == source.Folder(f.ix.Path(o.File))
		}) {
			return false
		}
	}
	return methods > 0 || o.Type == f.def.Type && slices.Equal(o.Params, f.def.Params)
}

// maxReexports bounds the files between a definition and who imports it.
const maxReexports = 4

// from reports whether what a file exports under the definition's name is the definition.
func (f *finder) from(id index.FileID, depth int) bool {
	if id == f.def.File {
		return true
	}
	if known, ok := f.provides[id]; ok || depth == 0 {
		return known
	}
	f.provides[id] = false
	for _, im := range f.ix.Imports(id) {
		if (im.Name == f.def.Name || im.Name == "*") && slices.ContainsFunc(index.Resolve(f.ix, id, im), func(o index.FileID) bool { return f.from(o, depth-1) }) {
			f.provides[id] = true
			break
		}
	}
	return f.provides[id]
}

// samePackage reports whether a file of Go belongs to the definition's package.
func (f *finder) samePackage(id index.FileID) bool {
	own, _ := f.ix.File(f.def.File)
	other, _ := f.ix.File(id)
	return own.Language == "go" && other.Package == own.Package && source.Folder(other.Path) == source.Folder(own.Path)
}

// A usingFile is one file in which places are looked for.
type usingFile struct {
	*finder
	*codeFile
	id   index.FileID
	path string
}

// places are those of the file.
func (f *usingFile) places() []Place {
	switch {
	case !bindsNames[f.lang]:
		return f.named()
	case f.def.Container != "":
		return f.members()
	}
	return f.bound()
}

func (f *usingFile) place(o dynamic.Occurrence, sure bool) Place {
	return Place{Path: f.path, Line: f.line(o), Span: o.Span, Call: o.Called, Maybe: !sure, Shorthand: o.Shorthand}
}

// named are the places of a name, in a language whose imports do not say what it is.
func (f *usingFile) named() (out []Place) {
	sees := f.id == f.def.File || f.imports()
	for _, o := range f.occurrences(f.def.Name) {
		line := f.line(o)
		switch {
		case !f.alone && !sees, f.id == f.def.File && line == f.def.StartLine:
		case f.redeclared(o) && !f.overridden(line): // it is another's declaration
		default:
			out = append(out, f.place(o, f.alone))
		}
	}
	return out
}

// imports reports whether the file imports the definition's, or is of its package.
func (f *usingFile) imports() bool {
	own, _ := f.ix.File(f.def.File)
	other, _ := f.ix.File(f.id)
	return own.Package != "" && own.Package == other.Package && source.Folder(own.Path) == source.Folder(other.Path) ||
		slices.ContainsFunc(f.ix.Imports(f.id), func(im language.Import) bool { return slices.Contains(index.Resolve(f.ix, f.id, im), f.def.File) })
}

// A scope is what a file has of a definition.
type scope struct {
	plain    bool            // its name
	imported map[int]bool    // lines whose import names it
	modules  map[string]bool // names that it is behind
}

// scope reads the file's imports.
func (f *usingFile) scope() scope {
	s := scope{plain: f.id == f.def.File || f.samePackage(f.id), imported: map[int]bool{}, modules: map[string]bool{}}
	own, _ := f.ix.File(f.def.File)
	for _, im := range f.ix.Imports(f.id) {
		if own.Language == "go" && source.LastPart(im.Path) != source.LastPart(source.Folder(own.Path)) && source.Folder(own.Path) != "" && im.Alias == "" && !strings.HasSuffix(im.Path, own.Package) {
			continue // which is cheaper than to resolve it
		}
		resolved := index.Resolve(f.ix, f.id, im)
		switch {
		case !slices.ContainsFunc(resolved, func(id index.FileID) bool { return f.from(id, maxReexports) }):
		case im.Alias == ".":
			s.plain = true
		case own.Language == "go" && im.Alias == "":
			s.modules[own.Package] = true
		case im.Name == f.def.Name:
			s.imported[im.Line] = true
			s.plain = s.plain || im.Alias == "" || im.Alias == im.Name
		case im.Name == "*" && im.Alias == "":
			s.plain = true
		case im.Alias != "":
			s.modules[im.Alias] = true
		case im.Name == "":
			s.modules[source.LastPart(im.Path)] = true
		default:
			s.modules[im.Name] = true
		}
	}
	return s
}

// bound are the places of a function, class or variable of a module that the file has by an
// import.
func (f *usingFile) bound() (out []Place) {
	scope := f.scope()
	if !scope.plain && len(scope.imported) == 0 && len(scope.modules) == 0 {
		return nil
	}
	hidden := f.hidden()
	out = f.exported()
	for _, o := range f.occurrences(f.def.Name) {
		line, sure := f.line(o), !o.Shorthand || o.Binding != nil
		switch {
		case o.Role == dynamic.Member:
			if !scope.modules[o.Object] {
				continue
			}
		case o.Role == dynamic.Listed, o.Declares && o.Binding.Kind == dynamic.Imported:
			if !f.importsAt(scope.imported, line) {
				continue
			}
		case !scope.plain, f.lang != "go" && o.Role == dynamic.Key, f.another(o), f.redeclared(o):
			continue
		case hidden(line), o.Role == dynamic.Key && !f.alone:
			sure = false
		}
		out = append(out, f.place(o, sure))
	}
	return out
}

// redeclared reports whether a line declares another thing of the definition's name there. Where
// names are bound, a use beside a property or member of that name is a use.
func (f *usingFile) redeclared(o dynamic.Occurrence) bool {
	use := f.names != nil && o.Role == dynamic.Reference && !o.Declares
	line := f.line(o)
	return !use && declares(f.ix, f.id, line, f.def.Name) && !(f.id == f.def.File && f.variants[line])
}

// another reports whether a name is bound in a function, and not to the definition.
func (f *usingFile) another(o dynamic.Occurrence) bool {
	if o.Binding == nil || o.Binding.Module {
		return false
	}
	return !f.def.Local || f.id != f.def.File || !slices.ContainsFunc(o.Binding.Uses, func(o dynamic.Occurrence) bool { return o.Declares && f.line(o) == f.def.StartLine })
}

var allNames = regexp.MustCompile(`(?m)^__all__\s*\+?=\s*[\[(]([^\])]*)[\])]`)

// exported are the places where a Python file lists the name as one of those that it
// exports, as a string.
func (f *usingFile) exported() (out []Place) {
	if f.lang != "python" || !f.from(f.id, maxReexports) {
		return nil
	}
	for _, m := range allNames.FindAllStringSubmatchIndex(f.src, -1) {
		for _, quote := range []string{`"`, "'"} {
			if i := strings.Index(f.src[m[2]:m[3]], quote+f.def.Name+quote); i >= 0 {
				at := m[2] + i + 1
				out = append(out, Place{Path: f.path, Line: 1 + strings.Count(f.src[:at], "\n"), Span: edits.Span{Start: at, End: at + len(f.def.Name)}})
			}
		}
	}
	return out
}

// importsAt reports whether a line belongs to one of the imports that begin at some lines.
func (f *usingFile) importsAt(imported map[int]bool, line int) bool {
	begin := 0
	for _, im := range f.ix.Imports(f.id) {
		if im.Line <= line {
			begin = max(begin, im.Line)
		}
	}
	return imported[begin]
}

// hidden returns whether, in Go, a parameter or a variable of a function may hide the definition
// in a line.
func (f *usingFile) hidden() func(line int) bool {
	var spans [][2]int
	if f.lang == "go" {
		for _, d := range f.ix.Defs(f.id) {
			if d.Kind.IsFunc() && d.ID != f.def.ID && slices.Contains(d.Params, f.def.Name) {
				spans = append(spans, [2]int{d.StartLine, d.EndLine})
			}
		}
		for _, line := range f.assigned(f.def.Name) {
			if fn, ok := functionAround(f.ix, f.id, line); ok && fn.ID != f.def.ID {
				spans = append(spans, [2]int{fn.StartLine, fn.EndLine})
			}
		}
	}
	return func(line int) bool {
		return slices.ContainsFunc(spans, func(s [2]int) bool { return line >= s[0] && line <= s[1] })
	}
}

// members are the places of a method, field or property.
func (f *usingFile) members() (out []Place) {
	telling := f.alone && distinctive(f.def.Name)
	sees := f.id == f.def.File || f.samePackage(f.id) || f.imports()
	for _, o := range f.occurrences(f.def.Name) {
		line, sure := f.line(o), telling && sees
		switch {
		case f.id == f.def.File && line == f.def.StartLine:
			continue
		case f.id == f.def.File && f.variants[line], f.overridden(line):
			sure = true
		case o.Role == dynamic.Member && f.foreign(o):
			continue
		case o.Role == dynamic.Member:
			sure = sure || f.own(o)
		case f.lang == "python" || o.Role != dynamic.Key && !o.Shorthand || declares(f.ix, f.id, line, f.def.Name):
			continue
		case o.Shorthand:
			sure = false
		}
		if sure || sees || telling {
			out = append(out, f.place(o, sure))
		}
	}
	return out
}

// overridden reports whether a line declares the definition for a type that implements or extends
// the definition's.
func (f *usingFile) overridden(line int) bool {
	return slices.ContainsFunc(f.ix.Between(f.id, line, line), func(d index.Def) bool { return d.StartLine == line && f.overrides[d.ID] })
}

// own reports whether a member is that of the object whose class has the definition: behind
// self, or behind the receiver of a method of Go.
func (f *usingFile) own(o dynamic.Occurrence) bool {
	object, line := o.Object, f.line(o)
	for _, d := range slices.Backward(f.ix.Enclosing(f.id, line)) {
		if d.Container == "" || !d.Kind.IsFunc() || d.Local {
			continue
		}
		if d.Owner() != f.def.Owner() {
			return false
		}
		if f.lang == "go" {
			return f.samePackage(f.id) && receives(f.src, d, object)
		}
		return f.id == f.def.File && (object == "self" || object == "this" || object == "cls")
	}
	return false
}

// foreign reports whether a member of Go is of an object that a package outside the workspace made
// or named: such a package knows no type of the workspace. The object's declaration is the last one
// before the member in the function around it, so far as a line shows it.
func (f *usingFile) foreign(o dynamic.Occurrence) bool {
	if f.lang != "go" || o.Object == "" {
		return false
	}
	line := f.line(o)
	for _, d := range slices.Backward(f.ix.Enclosing(f.id, line)) {
		if d.Local || !d.Kind.IsFunc() {
			continue
		}
		made := regexp.MustCompile(`\b` + regexp.QuoteMeta(o.Object) + `\b(?:[\w ,]*(:?=) *&?| +[*\[\]]*)(?:(\w+)\.[A-Z])?`)
		all := made.FindAllStringSubmatch(linesOf(f.src, d.StartLine, line), -1)
		for _, m := range slices.Backward(all) {
			if m[1] != "" || m[2] != "" {
				return f.outside(m[2])
			}
		}
		return false
	}
	return false
}

// outside reports whether a file of Go imports a package of that name, and none of the workspace.
func (f *usingFile) outside(name string) bool {
	found := false
	for _, im := range f.ix.Imports(f.id) {
		if name != "" && name == cmp.Or(im.Alias, source.LastPart(im.Path)) {
			if len(index.Resolve(f.ix, f.id, im)) > 0 {
				return false
			}
			found = true
		}
	}
	return found
}

// receives reports whether a method of Go has a receiver of a name.
func receives(src string, d index.Def, name string) bool {
	return strings.HasPrefix(linesOf(src, d.StartLine, d.StartLine), "func ("+name+" ")
}

// distinctive reports whether a name has several words, which those of libraries that the
// workspace does not show have seldom in common with it.
func distinctive(name string) bool {
	name = strings.Trim(name, "_#")
	return strings.Contains(name, "_") || strings.ToLower(name[min(1, len(name)):]) != name[min(1, len(name)):]
}

// linesOf returns lines of a text, counted from 1.
func linesOf(src string, from, to int) string {
	lines := strings.SplitAfter(src, "\n")
	if from < 1 || to > len(lines) || from > to {
		return ""
	}
	return strings.Join(lines[from-1:to], "")
}

// declares reports whether a line declares a name, such as for another platform.
func declares(ix *index.Index, id index.FileID, line int, name string) bool {
	return slices.ContainsFunc(ix.Between(id, line, line), func(d index.Def) bool { return d.Name == name && d.StartLine == line })
}
