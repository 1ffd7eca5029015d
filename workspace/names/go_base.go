package names

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/deps"
	"tandem/workspace/gotypes"
	"tandem/workspace/language"
	"tandem/workspace/syntax"
)

// A goBase is the package of a file with the file's declarations as they were
// in one text. A text that differs from it inside function bodies only is
// checked against it, one body at a time.
type goBase struct {
	loader   *packageLoader
	dir      string
	text     string
	head     string // package clause and imports, on one line
	bodies   []goBody
	pkg      *types.Package
	stamps   []gotypes.Stamp
	imported goImports
	file     *token.File
	broken   bool // the text does not parse, so bodies may be none
	checked  int  // how many bodies; the check of each adds a scope to pkg that stays there
}

// goImports are what came of the imports of a text, as gotypes.Importer has them.
type goImports struct {
	failed map[string]deps.Place
	lacks  bool
	uses   []string // keys of the packages; none where only bodies were checked
}

// A goBody is where a function of the base's text is.
type goBody struct {
	start, open, end int // of the declaration, of its body's brace, after its end
	decl             int // its index among the file's declarations
}

// maxChecked is the number of checked bodies after which a base is rebuilt.
const maxChecked = 2000

// A goResult is what the type checker reported about one text.
type goResult struct {
	errors   []goError
	info     *types.Info
	pkg      *types.Package
	imported goImports
	files    []*ast.File
	file     *token.File   // that of files; it was removed from its set
	group    []*token.File // it and those that were checked with it
	unjudged error         // why nothing was checked
	brief    bool          // its findings get neither the most similar name nor a place
}

// briefly is the result for findings that nobody is shown: to look for the most similar of
// all names takes longer than the check of a function.
func (r goResult) briefly() goResult {
	r.brief = true
	return r
}

// A goError is one error of the type checker, at an offset of the text.
type goError struct {
	types.Error
	offset int
}

// goFileOf parses the text of a file to be checked; sound is whether it parses.
func goFileOf(fset *token.FileSet, abs, text string) (f *ast.File, bodies []goBody, sound bool) {
	f, err := syntax.ParseGo(fset, abs, text, parser.SkipObjectResolution)
	if f == nil || f.Name == nil {
		return nil, nil, false
	}
	base := fset.File(f.Pos())
	if base == nil {
		return nil, nil, false
	}
	for i, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			bodies = append(bodies, goBody{base.Offset(fn.Pos()), base.Offset(fn.Body.Lbrace), min(base.Offset(fn.End()), len(text)), i})
		}
	}
	return f, bodies, err == nil
}

// base builds the base of a file from one of its texts.
func (l *packageLoader) base(abs, text string) *goBase {
	f, bodies, sound := goFileOf(l.Fset, abs, text)
	if f == nil {
		return nil
	}
	b := &goBase{loader: l, broken: !sound, dir: filepath.Dir(abs), text: text, bodies: bodies, head: headOf(f), file: l.Fset.File(f.Pos())}
	gotypes.WithoutBodies(f)
	others, stamps := l.Companions(abs, f, gotypes.ConditionOf(filepath.Base(abs), text))
	if gotypes.Contained(append(others, f)...) != nil {
		l.Fset.RemoveFile(b.file)
		return nil // the check of the whole file tells why
	}
	im := l.ImporterFor(abs, f)
	conf := types.Config{IgnoreFuncBodies: true, FakeImportC: true, Importer: im, Error: func(error) {}}
	b.pkg, _ = conf.Check(b.dir, l.Fset, append(others, f), nil)
	b.stamps, b.imported = stamps, goImports{im.Failed, im.Lacks, im.Uses}
	return b
}

// headOf is a package clause with the file's imports, on one line.
func headOf(f *ast.File) string {
	var out strings.Builder
	out.WriteString("package " + f.Name.Name + ";")
	for _, spec := range f.Imports {
		out.WriteString("import ")
		if spec.Name != nil {
			out.WriteString(spec.Name.Name + " ")
		}
		out.WriteString(spec.Path.Value + ";")
	}
	return out.String()
}

// current reports whether the base's package still agrees with the disk and the
// open documents.
func (b *goBase) current() bool {
	return b.checked <= maxChecked && b.loader.Unchanged(b.stamps)
}

// changedBodies returns the functions of text that differ from the base's, as
// their offsets in text, if nothing else differs; and whether the base is
// usable at all.
func (b *goBase) changedBodies(text string) (changed []goBody, usable bool) {
	front := edits.CommonPrefix(b.text, text)
	if front == len(text) && front == len(b.text) {
		return nil, true
	}
	back := min(edits.CommonSuffix(b.text, text), len(text)-front, len(b.text)-front)
	first := slices.IndexFunc(b.bodies, func(g goBody) bool { return g.open < front && front < g.end })
	last := slices.IndexFunc(b.bodies, func(g goBody) bool { return g.open < len(b.text)-back && len(b.text)-back < g.end })
	if first < 0 || last < 0 {
		return nil, false
	}
	shift := len(text) - len(b.text)
	from, to := b.bodies[first].start, b.bodies[last].end+shift
	if to <= from {
		return nil, false
	}
	fset := token.NewFileSet()
	f, found, _ := goFileOf(fset, "", "package p;"+text[from:to])
	many := last - first + 1
	if f == nil || len(f.Decls) != many || len(found) != many || b.bodies[last].decl-b.bodies[first].decl != many-1 {
		return nil, false // something other than functions is between them
	}
	const lead = len("package p;")
	for i, g := range found {
		old := b.bodies[first+i]
		g = goBody{g.start - lead + from, g.open - lead + from, g.end - lead + from, 0}
		if b.text[old.start:old.open] != text[g.start:g.open] {
			return nil, false
		}
		changed = append(changed, g)
	}
	return changed, changed[len(changed)-1].end == to
}

// covering adds to the functions that differ from the base's those that hold
// something new but do not differ, because the base was built from a text that
// already had it. The base is not usable where something new is in no function.
func (b *goBase) covering(text string, added []edits.Span, changed []goBody) (all []goBody, usable bool) {
	front := edits.CommonPrefix(b.text, text)
	behind := len(b.text) - min(edits.CommonSuffix(b.text, text), len(text)-front, len(b.text)-front)
	shift := len(text) - len(b.text)
	for _, s := range added {
		holds := func(g goBody) bool { return g.open < s.Start && s.End < g.end }
		if slices.ContainsFunc(changed, holds) {
			continue
		}
		i := slices.IndexFunc(b.bodies, func(g goBody) bool {
			moved := g.moved(front, behind, shift)
			return (g.end <= front || g.start >= behind) && holds(moved)
		})
		if i < 0 {
			return nil, false
		}
		changed = append(changed, b.bodies[i].moved(front, behind, shift))
	}
	return changed, true
}

// moved is the position of a body in a text that differs between front and
// behind.
func (g goBody) moved(front, behind, shift int) goBody {
	if g.end > front && g.start >= behind {
		g.start, g.open, g.end = g.start+shift, g.open+shift, g.end+shift
	}
	return g
}

// check type-checks some functions of text against the base.
func (b *goBase) check(abs, text string, bodies []goBody) goResult {
	var src strings.Builder
	src.WriteString(b.head)
	at := make([]int, len(bodies))
	for i, g := range bodies {
		at[i] = src.Len()
		src.WriteString(text[g.start:g.end])
		src.WriteString(";\n")
	}
	f, _ := syntax.ParseGo(b.loader.Fset, abs, src.String(), parser.SkipObjectResolution)
	r := goResult{info: newInfo(), pkg: b.pkg, imported: goImports{failed: b.imported.failed, lacks: b.imported.lacks}}
	if f == nil {
		r.unjudged = language.Parsable("go", src.String())
		return r
	}
	file := b.loader.Fset.File(f.Pos())
	defer b.loader.Fset.RemoveFile(file)
	if r.unjudged = gotypes.Contained(f); r.unjudged != nil {
		r.files = []*ast.File{f}
		return r
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fn.Name.Name = "_"
		}
	}
	b.checked += len(bodies)
	conf := types.Config{FakeImportC: true, Importer: b.loader.ImporterFor(abs, f), Error: func(err error) {
		if e, ok := err.(types.Error); ok && holds(file, e.Pos) {
			o := file.Offset(e.Pos)
			for i := len(at) - 1; i >= 0; i-- {
				if o >= at[i] {
					r.errors = append(r.errors, goError{e, o - at[i] + bodies[i].start})
					break
				}
			}
		}
	}}
	_ = types.NewChecker(&conf, b.loader.Fset, b.pkg, r.info).Files([]*ast.File{f})
	r.files = []*ast.File{f}
	return r
}

// lacking adds the errors of imports that the type checker tells of another file alone.
func (r *goResult) lacking(failed map[string]deps.Place) {
	reported := map[token.Pos]bool{}
	for _, e := range r.errors {
		reported[e.Pos] = true
	}
	for _, f := range r.files {
		for _, spec := range f.Imports {
			importPath := strings.Trim(spec.Path.Value, "\"`")
			if _, ok := failed[importPath]; ok && !reported[spec.Path.Pos()] {
				r.errors = append(r.errors, goError{types.Error{Pos: spec.Path.Pos(), Msg: "could not import " + importPath}, r.file.Offset(spec.Path.Pos())})
			}
		}
	}
}

// mayLackBody reports whether Go lets a function be declared without its body.
func mayLackBody(fn *ast.FuncDecl) bool {
	return fn.Name.Name != "init" && fn.Name.Name != "main" && fn.Type.TypeParams == nil
}

// holds reports whether a position is in a file.
func holds(f *token.File, pos token.Pos) bool {
	return pos.IsValid() && int(pos) >= f.Base() && int(pos) <= f.Base()+f.Size()
}

func newInfo() *types.Info {
	return &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
}

// whole type-checks the texts of files of one package with the functions that are looked at, in a new package that has all names of the other files, or those that these need.
// All have an own result.
func (l *packageLoader) whole(all bool, group ...*change) []goResult {
	out := make([]goResult, len(group))
	var asts []*ast.File
	var files []*token.File
	own := map[string]bool{}
	for i, f := range group {
		own[f.abs] = true
		out[i] = goResult{info: newInfo()}
		parsed, _, _ := goFileOf(l.Fset, f.abs, f.Text)
		if parsed == nil {
			out[i].unjudged = language.Parsable("go", f.Text)
			continue
		}
		file := l.Fset.File(parsed.Pos())
		defer l.Fset.RemoveFile(file)
		for _, d := range parsed.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && mayLackBody(fn) && !f.looks(edits.Span{Start: file.Offset(fn.Pos()), End: min(file.Offset(fn.End()), len(f.Text))}) {
				fn.Body = nil
			}
		}
		out[i].files, out[i].file = []*ast.File{parsed}, file
		asts, files = append(asts, parsed), append(files, file)
	}
	if len(asts) == 0 {
		return out
	}
	first := group[0]
	others, _ := l.Companions(first.abs, asts[0], gotypes.ConditionOf(filepath.Base(first.abs), first.Text))
	others = slices.DeleteFunc(others, func(f *ast.File) bool { return own[l.Fset.Position(f.Package).Filename] })
	if !all {
		others = gotypes.Needed(others, asts...)
	}
	if err := gotypes.Contained(append(others, asts...)...); err != nil {
		for i := range out {
			out[i].unjudged = err
		}
		return out
	}
	im, info := l.ImporterFor(first.abs, asts[0]), newInfo()
	conf := types.Config{FakeImportC: true, Importer: im, Error: func(err error) {
		e, ok := err.(types.Error)
		for i, r := range out {
			if ok && r.file != nil && holds(r.file, e.Pos) {
				out[i].errors = append(out[i].errors, goError{e, r.file.Offset(e.Pos)})
			}
		}
	}}
	pkg, _ := conf.Check(filepath.Dir(first.abs), l.Fset, append(others, asts...), info)
	for i := range out {
		out[i].lacking(im.Failed)
		out[i].info, out[i].pkg, out[i].imported, out[i].group = info, pkg, goImports{im.Failed, im.Lacks, im.Uses}, files
	}
	return out
}
