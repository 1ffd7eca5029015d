package nextedit

import (
	"context"
	"path"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A Place is where a file names a definition.
type Place struct {
	Path string
	Line int // counted from 1
	Span edits.Span
	Call bool // it is called there
	// Shorthand: it names a property and a variable at once, as in { name }: only the
	// property is the definition.
	Shorthand bool
}

// maxTypedFiles limits the files that are type-checked to find users. With more
// files, users are found by name and imports.
const maxTypedFiles = 600

// Users returns the places that use a definition, without its own declaration, in
// the order of files and lines. Go is type-checked, as far as the workspace has
// the types; in other languages a name refers to every definition that its file
// can see.
func Users(ctx context.Context, c source.Corpus, d index.Def) []Place {
	return (&goChecks{}).usersOf(ctx, c, d)
}

// usersOf is Users with what was type-checked already.
func (g *goChecks) usersOf(ctx context.Context, c source.Corpus, d index.Def) []Place {
	files := c.Index().Users(d.Name)
	if d.Container == "" && c.Index().Language(d.File) == "go" {
		files = slices.DeleteFunc(slices.Clone(files), func(id index.FileID) bool { return !sees(c.Index(), id, d) })
	}
	if c.Index().Language(d.File) == "go" && !d.Local && len(files) <= maxTypedFiles {
		if out, ok := g.users(ctx, c, d, files); ok {
			return out
		}
	}
	return namedUsers(ctx, c, d, files)
}

// namedUsers finds users by name: in files that see the definition, or in all
// files if the name has no other definition.
func namedUsers(ctx context.Context, c source.Corpus, d index.Def, files []index.FileID) []Place {
	ix := c.Index()
	if bindsNames[ix.Language(d.File)] {
		return boundUsers(ctx, c, d, files)
	}
	alone := !slices.ContainsFunc(ix.Lookup(d.Name), func(x index.Def) bool { return x.ID != d.ID && !x.Local })
	var out []Place
	for _, id := range files {
		if ctx.Err() != nil {
			break
		}
		if language.Family(ix.Language(id)) != language.Family(ix.Language(d.File)) || !alone && !sees(ix, id, d) {
			continue
		}
		path := ix.Path(id)
		src, ok := c.Text(path)
		if !ok {
			continue
		}
		for _, p := range placesIn(path, src, d.Name, func(line int) bool { return id == d.File && line == d.StartLine }) {
			if ix.Language(id) != "go" || d.Container != "" || !d.Kind.IsFunc() || !goMember(ix, src, p, d) {
				out = append(out, p)
			}
		}
	}
	return out
}

// goMember reports whether a place with the name of a Go function names a method, or a field,
// instead.
func goMember(ix *index.Index, src string, p Place, d index.Def) bool {
	line := src[strings.LastIndexByte(src[:p.Span.Start], '\n')+1 : p.Span.Start]
	before := strings.TrimRight(line, " \t")
	if receiver, ok := strings.CutSuffix(before, "."); ok {
		own, _ := ix.File(d.File)
		return !strings.HasSuffix(receiver, own.Package) || source.Folder(p.Path) == source.Folder(own.Path)
	}
	return strings.HasPrefix(before, "func (") && strings.HasSuffix(before, ")")
}

// sees reports whether a file can name a definition: it is the definition's own
// file, is in its package, or imports it.
func sees(ix *index.Index, id index.FileID, d index.Def) bool {
	if id == d.File {
		return true
	}
	own, _ := ix.File(d.File)
	other, _ := ix.File(id)
	if own.Package != "" && own.Package == other.Package && source.Folder(own.Path) == source.Folder(other.Path) {
		return true
	}
	last := path.Base(source.Folder(own.Path))
	return slices.ContainsFunc(ix.Imports(id), func(im language.Import) bool {
		if own.Language == "go" && path.Base(im.Path) != last && last != "." {
			return false // which is cheaper than to resolve it
		}
		return slices.Contains(index.Resolve(ix, id, im), d.File)
	})
}

// placesIn returns the places of a name in the code of a text. declared reports
// whether a line declares the name.
func placesIn(path, src, name string, declared func(line int) bool) []Place {
	var out []Place
	tokens := flatten(src, false)
	line, at := 1, 0
	comment := false
	for i, t := range tokens {
		line, at = line+strings.Count(src[at:t.start], "\n"), t.start
		if i == 0 || tokens[i-1].text == lineEnd {
			comment = source.IsComment(src[t.start:])
		}
		if t.text == name && !comment && !declared(line) {
			call := i+1 < len(tokens) && source.OpensCall[tokens[i+1].text]
			out = append(out, Place{Path: path, Line: line, Span: edits.Span{Start: t.start, End: t.end}, Call: call})
		}
	}
	return out
}
