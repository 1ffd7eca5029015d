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
)

// A goBase is the package of a file with the file's declarations as they were
// in one text. Any text that differs from it inside function bodies only is
// checked against it, a body at a time.
type goBase struct {
	world   *goWorld
	dir     string
	text    string
	head    string // package clause and imports, on one line
	bodies  []goBody
	pkg     *types.Package
	stamps  []goStamp
	failed  map[string]deps.Place
	file    *token.File
	broken  bool // the text does not parse, so bodies may be none
	checked int  // how many bodies; each leaves a scope behind in pkg
}

// A goBody is where a function of the base's text is.
type goBody struct {
	start, open, end int // of the declaration, of its body's brace, after its end
	decl             int // its place among the file's declarations
}

// maxChecked is after how many bodies a base is made anew.
const maxChecked = 2000

// A goResult is what the type checker said of one text.
type goResult struct {
	errors []goError
	info   *types.Info
	pkg    *types.Package
	failed map[string]deps.Place
	files  []*ast.File
	file   *token.File // that of files; it is in no set any more
}

// A goError is one thing the type checker said, at an offset of the text.
type goError struct {
	types.Error
	offset int
}

// goFileOf parses the text of a file under check; sound is whether it parses.
func goFileOf(fset *token.FileSet, abs, text string) (f *ast.File, bodies []goBody, sound bool) {
	f, err := parser.ParseFile(fset, abs, text, parser.SkipObjectResolution)
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

// companions are the other files of the package that abs belongs to.
func (w *goWorld) companions(abs string, f *ast.File, cond goCondition) ([]*ast.File, []goStamp) {
	dir, name := filepath.Dir(abs), filepath.Base(abs)
	var out []*ast.File
	var stamps []goStamp
	for _, other := range w.list(dir) {
		if other == name || strings.HasSuffix(other, "_test.go") && !strings.HasSuffix(name, "_test.go") {
			continue
		}
		g := w.file(filepath.Join(dir, other), true)
		if g == nil {
			continue
		}
		stamps = append(stamps, g.stamp)
		if g.ast != nil && g.ast.Name != nil && g.ast.Name.Name == f.Name.Name && (w.ctx.matches(g.cond) || cond.alone() && g.cond.alone()) {
			out = append(out, g.ast)
		}
	}
	return out, stamps
}

func (w *goWorld) importerFor(abs string, f *ast.File) *goImporter {
	im := &goImporter{w: w, dir: filepath.Dir(abs)}
	if strings.HasSuffix(f.Name.Name, "_test") && strings.HasSuffix(abs, "_test.go") {
		im.tested = im.dir
	}
	return im
}

// base builds the base of a file from a text that it has.
func (w *goWorld) base(abs, text string) *goBase {
	f, bodies, sound := goFileOf(w.fset, abs, text)
	if f == nil {
		return nil
	}
	b := &goBase{world: w, broken: !sound, dir: filepath.Dir(abs), text: text, bodies: bodies, head: headOf(f), file: w.fset.File(f.Pos())}
	withoutBodies(f)
	others, stamps := w.companions(abs, f, conditionOf(filepath.Base(abs), text))
	im := w.importerFor(abs, f)
	conf := types.Config{IgnoreFuncBodies: true, FakeImportC: true, Importer: im, Error: func(error) {}}
	b.pkg, _ = conf.Check(b.dir, w.fset, append(others, f), nil)
	b.stamps, b.failed = stamps, im.failed
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

// current reports whether the base's package is still what the disk and the
// open documents say.
func (b *goBase) current() bool {
	if b.checked > maxChecked {
		return false
	}
	for _, s := range b.stamps {
		if now, ok := b.world.stamp(s.abs); !ok || now != s {
			return false
		}
	}
	return true
}

// changedBodies are the functions of text that differ from the base's, when
// nothing else does: their places in text, and whether the base serves at all.
func (b *goBase) changedBodies(text string) (changed []goBody, serves bool) {
	front := commonPrefix(b.text, text)
	if front == len(text) && front == len(b.text) {
		return nil, true
	}
	back := min(commonSuffix(b.text, text), len(text)-front, len(b.text)-front)
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
		return nil, false // something else than functions lies between
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
// something new all the same, because the base was made of a text that had it.
// It does not serve where something new is in no function.
func (b *goBase) covering(text string, news []edits.Span, changed []goBody) (all []goBody, serves bool) {
	front := commonPrefix(b.text, text)
	behind := len(b.text) - min(commonSuffix(b.text, text), len(text)-front, len(b.text)-front)
	shift := len(text) - len(b.text)
	for _, s := range news {
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

// moved is where a body is in a text that differs from front to behind.
func (g goBody) moved(front, behind, shift int) goBody {
	if g.end > front && g.start >= behind {
		g.start, g.open, g.end = g.start+shift, g.open+shift, g.end+shift
	}
	return g
}

// check type-checks functions of text against the base.
func (b *goBase) check(abs, text string, bodies []goBody) goResult {
	var src strings.Builder
	src.WriteString(b.head)
	at := make([]int, len(bodies))
	for i, g := range bodies {
		at[i] = src.Len()
		src.WriteString(text[g.start:g.end])
		src.WriteString(";\n")
	}
	f, _ := parser.ParseFile(b.world.fset, abs, src.String(), parser.SkipObjectResolution)
	r := goResult{info: newInfo(), pkg: b.pkg, failed: b.failed}
	if f == nil {
		return r
	}
	file := b.world.fset.File(f.Pos())
	defer b.world.fset.RemoveFile(file)
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fn.Name.Name = "_"
		}
	}
	b.checked += len(bodies)
	conf := types.Config{FakeImportC: true, Importer: b.world.importerFor(abs, f), Error: func(err error) {
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
	_ = types.NewChecker(&conf, b.world.fset, b.pkg, r.info).Files([]*ast.File{f})
	r.files = []*ast.File{f}
	return r
}

// holds reports whether a position is in a file.
func holds(f *token.File, pos token.Pos) bool {
	return pos.IsValid() && int(pos) >= f.Base() && int(pos) <= f.Base()+f.Size()
}

func newInfo() *types.Info {
	return &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
}

// whole type-checks a file's text with the functions that overlap the new
// spans, in a package made for it.
func (w *goWorld) whole(abs, text string, news []edits.Span) goResult {
	r := goResult{info: newInfo()}
	f, _, _ := goFileOf(w.fset, abs, text)
	if f == nil {
		return r
	}
	file := w.fset.File(f.Pos())
	defer w.fset.RemoveFile(file)
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && fn.Body != nil && !isNew(news, edits.Span{Start: file.Offset(fn.Pos()), End: min(file.Offset(fn.End()), len(text))}) {
			fn.Body = nil
		}
	}
	others, _ := w.companions(abs, f, conditionOf(filepath.Base(abs), text))
	im := w.importerFor(abs, f)
	conf := types.Config{FakeImportC: true, Importer: im, Error: func(err error) {
		if e, ok := err.(types.Error); ok && holds(file, e.Pos) {
			r.errors = append(r.errors, goError{e, file.Offset(e.Pos)})
		}
	}}
	r.pkg, _ = conf.Check(filepath.Dir(abs), w.fset, append(others, f), r.info)
	r.failed, r.files, r.file = im.failed, []*ast.File{f}, file
	return r
}
