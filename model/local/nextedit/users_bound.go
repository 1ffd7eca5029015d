package nextedit

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"tandem/model/local/source"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// bindsNames are the languages in which a file says by its imports what its names are.
var bindsNames = terms.Set("typescript javascript typescriptreact javascriptreact python")

// A bound finds the users of one definition in a language that binds names by imports.
type bound struct {
	ix       *index.Index
	def      index.Def
	provides map[index.FileID]bool
	family   map[string]map[index.FileID]bool // where the classes are that have a method: its own, and those that extend it
	alone    bool                             // nothing else in the workspace has the name

	texts source.Corpus
	files map[index.FileID]*fileTypes
	names map[fileName]index.Def // what they mean, as far as they were looked up
	depth int                    // of the types that are being looked at
	steps int

	variants map[int]bool // lines of the definition's file that declare it too, for other arguments or conditions
}

// boundUsers are the places of a function in files that import it or have it, where nothing
// else has its name; and those of a method behind self, or behind a name whose class the
// file shows, or behind anything where its name is that of nothing else.
func boundUsers(ctx context.Context, texts source.Corpus, d index.Def, files []index.FileID) []Place {
	ix := texts.Index()
	b := &bound{ix: ix, def: d, provides: map[index.FileID]bool{}, family: map[string]map[index.FileID]bool{},
		texts: texts, files: map[index.FileID]*fileTypes{}, names: map[fileName]index.Def{}}
	if d.Container != "" {
		b.join(d.Owner(), d.File)
		if owner, ok := b.owner(); ok {
			delete(b.family, owner.Name)
			b.addFamily(owner)
		}
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
		types := b.file(id)
		if types == nil {
			continue
		}
		f := boundFile{types}
		path := ix.Path(id)
		if d.Container == "" {
			out = append(out, f.named(path)...)
		} else {
			out = append(out, f.members(path)...)
		}
	}
	return out
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
