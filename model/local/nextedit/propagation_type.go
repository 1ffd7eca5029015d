package nextedit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// types compares the types of a signature that has the same parameters as before, and
// reports whether any changed.
func (d *signatureChange) types(lang, then, now string) bool {
	if spaceless(then) == spaceless(now) {
		return false
	}
	d.retyped = true
	if lang != "go" {
		return true
	}
	was, is := goTypes(then), goTypes(now)
	if was == nil || len(was) != len(is) || slices.Equal(was, is) {
		return was == nil || len(was) != len(is) // names of the receiver or type parameters otherwise
	}
	changed := 0
	for i := range was {
		if was[i] != is[i] {
			changed++
			d.at = i
		}
	}
	if changed > 1 || d.at == len(was)-1 {
		d.at = -1
		return true
	}
	d.convert, d.open = conversion(was[d.at], is[d.at]), is[d.at] == "any" || strings.HasPrefix(is[d.at], "interface")
	return true
}

func spaceless(s string) string { return strings.Join(strings.Fields(s), "") }

// goTypes are the types of the parameters of a Go function, one for each name, and behind
// them its results as one; nil if the signature does not parse.
func goTypes(signature string) []string {
	file, _ := parser.ParseFile(token.NewFileSet(), "p.go", "package p\n"+signature+"\n}\n", parser.SkipObjectResolution)
	if file == nil || len(file.Decls) == 0 {
		return nil
	}
	f, ok := file.Decls[0].(*ast.FuncDecl)
	if !ok {
		return nil
	}
	var out []string
	for _, field := range f.Type.Params.List {
		for range max(len(field.Names), 1) {
			out = append(out, types.ExprString(field.Type))
		}
	}
	results := ""
	if f.Type.Results != nil {
		for _, field := range f.Type.Results.List {
			for range max(len(field.Names), 1) {
				results += types.ExprString(field.Type) + ","
			}
		}
	}
	return append(out, results)
}

var numeric = terms.Set("int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr float32 float64 byte rune")

// conversion is the type that every value of a type can be converted to by its name, where
// values of the type are not assignable without; "" if there is none.
func conversion(from, to string) string {
	switch {
	case numeric[from] && numeric[to]:
		return to
	case from == "string" && (to == "[]byte" || to == "[]rune"), to == "string" && (from == "[]byte" || from == "[]rune"):
		return to
	}
	return ""
}

// converted returns the edit that converts the argument whose type changed.
func (d signatureChange) converted(src string, at call) (edits.Edit, bool) {
	if d.convert == "" || d.at >= len(at.args) {
		return edits.Edit{}, false
	}
	span := at.args[d.at]
	arg := src[span.Start:span.End]
	switch {
	case strings.HasSuffix(arg, "..."):
		return edits.Edit{}, false
	case arg == "nil" && d.convert == "string":
		return edits.Edit{Span: span, New: `""`}, true
	case arg == "nil", numeric[d.convert] && strings.Trim(arg, "0123456789_") == "", strings.HasPrefix(arg, d.convert+"("):
		return edits.Edit{Span: span, New: arg}, true // it fits as it is
	}
	return edits.Edit{Span: span, New: d.convert + "(" + arg + ")"}, true
}

// broken are the calls that a change of types leaves to the user: in Go, where the result
// changed, those on whose lines the compiler now finds an error that it did not find
// before, since a result may have any type in many places; else all of them.
func (f *follower) broken(d signatureChange, places []Place) (out []Place) {
	if len(places) == 0 || f.corpus.Index().Language(d.def.File) != "go" || d.at >= 0 && !d.open {
		return places
	}
	dirs := map[string]bool{}
	for _, p := range places {
		dirs[source.Folder(p.Path)] = true
	}
	if len(dirs) > maxProof {
		return places
	}
	is := f.checks.errors(f.ctx, f.corpus, dirs)
	places = slices.DeleteFunc(slices.Clone(places), func(p Place) bool {
		return !slices.ContainsFunc(is.at[p.Path], func(e goError) bool { return e.line == p.Line })
	})
	if len(places) == 0 {
		return nil
	}
	was := f.checks.errors(f.ctx, d.past, dirs)
	for _, p := range places {
		for _, e := range is.at[p.Path] {
			if e.line == p.Line && was.count[e.key] < is.count[e.key] {
				out = append(out, p)
				break
			}
		}
	}
	return out
}

// otherUses are the places that use a Go function as a value: it has another type now.
func (f *follower) otherUses(d signatureChange, users []Place) (out []Place) {
	if f.corpus.Index().Language(d.def.File) != "go" {
		return nil // imports, and whatever is passed on without a type
	}
	for _, p := range users {
		if !p.Call && !declares(f.corpus.Index(), p, d.def.Name) {
			out = append(out, p)
		}
	}
	return out
}

// otherDeclarations are the declarations of a Go function for other platforms, and those of
// a method in related classes, that have its old parameters still.
func (f *follower) otherDeclarations(d signatureChange, users []Place) (out []Place) {
	ix := f.corpus.Index()
	if ix.Language(d.def.File) != "go" {
		return slices.DeleteFunc(slices.Clone(users), func(p Place) bool { return !declares(ix, p, d.def.Name) || d.fits(ix, p) })
	}
	own, _ := ix.File(d.def.File)
	for _, o := range ix.Lookup(d.def.Name) {
		other, _ := ix.File(o.File)
		if o.ID == d.def.ID || o.Kind != d.def.Kind || o.Container != d.def.Container || o.Local || other.Package != own.Package ||
			source.Folder(other.Path) != source.Folder(own.Path) || !slices.Equal(o.Params, d.was.Params) {
			continue
		}
		if src, ok := f.corpus.Text(other.Path); ok {
			at := linesAhead(src, o.StartLine-1)
			out = append(out, Place{Path: other.Path, Line: o.StartLine, Span: edits.Span{Start: at, End: at}})
		}
	}
	return out
}

// fits reports whether the declaration at a place has the new parameters.
func (d signatureChange) fits(ix *index.Index, p Place) bool {
	id, ok := ix.FileID(p.Path)
	return !ok || slices.ContainsFunc(ix.Defs(id), func(o index.Def) bool {
		return o.Name == d.def.Name && o.StartLine == p.Line && slices.Equal(o.Params, d.def.Params)
	})
}

// twins are the definitions of the tests of a function.
func (f *follower) twins(d index.Def) (out []Place) {
	ix := f.corpus.Index()
	name := strings.TrimLeft(d.Name, "_")
	if name == "" {
		return nil
	}
	for _, test := range []string{"Test" + strings.ToUpper(name[:1]) + name[1:], "Test" + d.Owner() + "_" + name, "test_" + name} {
		for _, t := range ix.Lookup(test) {
			path := ix.Path(t.File)
			src, ok := f.corpus.Text(path)
			if !ok || !language.IsTest(path) || language.Family(ix.Language(t.File)) != language.Family(ix.Language(d.File)) || len(out) == maxTwins {
				continue
			}
			at := linesAhead(src, t.StartLine-1)
			out = append(out, Place{Path: path, Line: t.StartLine, Span: edits.Span{Start: at, End: at}})
		}
	}
	return out
}

// maxTwins bounds the tests of one function.
const maxTwins = 2
