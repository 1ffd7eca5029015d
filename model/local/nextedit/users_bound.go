package nextedit

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"tandem/model/local/source"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// bindsNames are the languages in which a file says by its imports what its names are.
var bindsNames = source.Set("typescript javascript typescriptreact javascriptreact python")

// A bound finds the users of one definition in a language that binds names by imports.
type bound struct {
	ix       *index.Index
	def      index.Def
	provides map[index.FileID]bool
	family   map[string]map[index.FileID]bool // where the classes are that have a method: its own, and those that extend it
	alone    bool                             // nothing else in the workspace has the name
	variants map[int]bool                     // lines of the definition's file that declare it too, for other arguments or conditions
}

// boundUsers are the places of a function in files that import it or have it, where nothing
// else has its name; and those of a method behind self, or behind a name whose class the
// file shows, or behind anything where its name is that of nothing else.
func boundUsers(ctx context.Context, texts source.Corpus, d index.Def, files []index.FileID) []Place {
	ix := texts.Index()
	b := &bound{ix: ix, def: d, provides: map[index.FileID]bool{}, family: map[string]map[index.FileID]bool{}}
	if d.Container != "" {
		b.addFamily(d.Owner(), d.File)
	}
	b.alone = !slices.ContainsFunc(ix.Lookup(d.Name), func(o index.Def) bool {
		return o.ID != d.ID && !(d.Container != "" && b.family[o.Owner()][o.File]) && language.Family(ix.Language(o.File)) == language.Family(ix.Language(d.File))
	})
	if src, ok := texts.Text(ix.Path(d.File)); ok && d.Kind.IsFunc() && oneFunction(ix, src, d, d.Name) {
		b.variants = map[int]bool{}
		for _, o := range ix.Defs(d.File) {
			if o.Name == d.Name && o.Container == d.Container && !o.Local && o.ID != d.ID {
				b.variants[o.StartLine] = true
			}
		}
	}
	if ix.Language(d.File) == "python" && d.Container == "" { // which may name it in a string alone
		for _, id := range append(slices.Clip(ix.Named("__init__.py")), d.File) {
			if !slices.Contains(files, id) && b.from(id, maxReexports) {
				files = append(slices.Clip(files), id)
			}
		}
	}
	var out []Place
	for _, id := range files {
		if ctx.Err() != nil {
			break
		}
		if language.Family(ix.Language(id)) != language.Family(ix.Language(d.File)) {
			continue
		}
		path := ix.Path(id)
		src, ok := texts.Text(path)
		if !ok || len(src) > source.MaxFile {
			continue
		}
		f := boundFile{bound: b, id: id, src: src, tokens: codeTokens(ix.Language(id), src)}
		if d.Container == "" {
			out = append(out, f.named(path)...)
		} else {
			out = append(out, f.members(path)...)
		}
	}
	return out
}

// addFamily adds a class of a file, those that extend it, and those that it has the method
// from.
func (b *bound) addFamily(class string, in index.FileID) {
	if class == "" || b.family[class][in] || len(b.family) > maxFamily {
		return
	}
	b.join(class, in)
	for _, d := range b.ix.Defs(in) {
		if d.Name != class || !isType(d.Kind) {
			continue
		}
		for _, base := range bases(d.Type) {
			for _, m := range b.ix.Members(base) {
				if m.Name == b.def.Name && b.refers(in, base, map[index.FileID]bool{m.File: true}) {
					b.addFamily(base, m.File)
				}
			}
		}
	}
	for _, id := range b.ix.Users(class) {
		if !b.refers(id, class, b.family[class]) {
			continue
		}
		for _, d := range b.ix.Defs(id) {
			switch list := bases(d.Type); {
			case d.Kind == language.KindClass || d.Kind == language.KindInterface:
				if slices.Contains(list, class) {
					b.addFamily(d.Name, id)
				}
			case d.Kind == language.KindVar || d.Kind == language.KindConst: // an object with the methods of an interface
				if !d.Local && len(list) == 1 && list[0] == class {
					b.join(d.Name, id)
				}
			}
		}
	}
}

// maxFamily bounds the classes that have one method.
const maxFamily = 40

func (b *bound) join(class string, in index.FileID) {
	if b.family[class] == nil {
		b.family[class] = map[index.FileID]bool{}
	}
	b.family[class][in] = true
}

func isType(k language.Kind) bool {
	return k == language.KindClass || k == language.KindInterface || k == language.KindType
}

// refers reports whether a name in a file means what one of some files declares: the file is
// one of them, imports it from there, or names the one class of the workspace that has the
// name.
func (b *bound) refers(id index.FileID, name string, declared map[index.FileID]bool) bool {
	if len(declared) == 0 {
		return false
	}
	if slices.ContainsFunc(b.ix.Defs(id), func(d index.Def) bool { return d.Name == name && d.Container == "" && !d.Local }) {
		return declared[id]
	}
	for _, im := range b.ix.Imports(id) {
		if im.Name != name && im.Alias != name {
			continue
		}
		return slices.ContainsFunc(index.Resolve(b.ix, id, im), func(f index.FileID) bool {
			return declared[f] || !slices.ContainsFunc(b.ix.Defs(f), func(d index.Def) bool { return d.Name == im.Name && d.Container == "" }) // it has it from elsewhere
		})
	}
	types := 0
	for _, d := range b.ix.Lookup(name) {
		if isType(d.Kind) {
			types++
		}
	}
	return types == 1
}

var word = regexp.MustCompile(`[A-Za-z_$][\w$]*`)

func words(text string) []string { return word.FindAllString(text, -1) }

// bases are the names in a type, without its type arguments.
func bases(text string) []string {
	var out strings.Builder
	depth := 0
	for i, r := range text {
		switch {
		case r == '<':
			depth++
		case r == '>' && (i == 0 || text[i-1] != '='):
			depth--
		case depth == 0:
			out.WriteRune(r)
		}
	}
	return words(out.String())
}

// classIn is the one class that a type is, "" if it may be another or none.
func classIn(text string) string {
	if inner, ok := strings.CutPrefix(text, "Promise<"); ok {
		text = strings.TrimSuffix(inner, ">")
	}
	list := slices.DeleteFunc(bases(text), func(w string) bool { return w == "null" || w == "undefined" || w == "None" || w == "Optional" })
	if len(list) != 1 || !isClass(list[0]) {
		return ""
	}
	return list[0]
}

// from reports whether what a file exports under the definition's name is the definition.
func (b *bound) from(id index.FileID, depth int) bool {
	if id == b.def.File {
		return true
	}
	if known, ok := b.provides[id]; ok || depth == 0 {
		return known
	}
	b.provides[id] = false
	for _, im := range b.ix.Imports(id) {
		if (im.Name == b.def.Name || im.Name == "*") && slices.ContainsFunc(index.Resolve(b.ix, id, im), func(f index.FileID) bool { return b.from(f, depth-1) }) {
			b.provides[id] = true
			break
		}
	}
	return b.provides[id]
}

// maxReexports bounds the files between a definition and who imports it.
const maxReexports = 4
