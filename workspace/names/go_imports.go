package names

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tandem/edits"
	"tandem/workspace/deps"
	"tandem/workspace/gotypes"
	"tandem/workspace/syntax"
)

// importCandidates are the packages that a Go file in dir can mean by a
// qualifier it does not import: those of that name which export the member.
func (g *goChecker) importCandidates(ws Workspace, abs, text, qualifier, member string) []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	dir := filepath.Dir(abs)
	k := g.loaderFor(ws, dir, gotypes.PlatformFor(gotypes.ConditionOf(filepath.Base(abs), text)))
	var out []string
	for _, list := range [][]string{g.deps.Go.Standard(), g.deps.Go.Own(dir), g.deps.Go.Required(dir, qualifier)} {
		for _, importPath := range list {
			if deps.GoPackageName(importPath) != qualifier || slices.Contains(out, importPath) {
				continue
			}
			place := g.deps.Go.Package(dir, importPath)
			if place.Status != deps.Found || place.Dir == dir {
				continue
			}
			p, err := k.loader.Load(place, false)
			if err != nil || p.Types.Name() != qualifier {
				continue
			}
			if obj := p.Types.Scope().Lookup(member); obj != nil && k.shown(obj) {
				out = append(out, importPath)
			}
		}
	}
	return out
}

// addGoImport is the edit that adds an import to a file, sorted into the group
// it belongs to.
func addGoImport(text, importPath string) (edits.Edit, bool) {
	fset := token.NewFileSet()
	f, _ := syntax.ParseGo(fset, "", text, parser.ImportsOnly|parser.ParseComments)
	if f == nil || f.Name == nil || !f.Name.Pos().IsValid() {
		return edits.Edit{}, false
	}
	file := fset.File(f.Name.Pos())
	quoted := strconv.Quote(importPath)
	var last *ast.GenDecl
	for _, d := range f.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok || gen.Tok != token.IMPORT {
			continue
		}
		last = gen
		if gen.Lparen.IsValid() && len(gen.Specs) > 0 {
			return intoBlock(file, text, gen, importPath), true
		}
	}
	if last == nil {
		return insertion(0, "import "+quoted+"\n"), true
	}
	return insertion(lineEnd(text, file.Offset(last.End())), "\nimport "+quoted), true
}

func insertion(at int, text string) edits.Edit {
	return edits.Edit{Span: edits.Span{Start: at, End: at}, New: text}
}

// lineEnd is the end of the line that holds an offset, before its line end.
func lineEnd(text string, at int) int {
	end := len(text)
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		end = at + i
	}
	if end > at && text[end-1] == '\r' {
		end--
	}
	return end
}

func standardPath(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

// intoBlock sorts an import into the group of a block that holds similar
// imports, or into the closest group where none does.
func intoBlock(file *token.File, text string, gen *ast.GenDecl, importPath string) edits.Edit {
	line := "\t" + strconv.Quote(importPath)
	groups := groupsOf(file, gen)
	best := groups[0]
	if !standardPath(importPath) {
		best = groups[len(groups)-1]
	}
	for _, g := range groups {
		if standardPath(pathOf(g[0])) == standardPath(importPath) && sharing(g, importPath) >= sharing(best, importPath) {
			best = g
		}
	}
	for _, spec := range best {
		if pathOf(spec) > importPath {
			at := file.Offset(spec.Pos())
			start := strings.LastIndexByte(text[:at], '\n') + 1
			return insertion(start, line+"\n")
		}
	}
	end := lineEnd(text, file.Offset(best[len(best)-1].End()))
	if standardPath(pathOf(best[0])) != standardPath(importPath) && standardPath(pathOf(best[0])) {
		return insertion(end, "\n\n"+line)
	}
	return insertion(end, "\n"+line)
}

// sharing is the length of the beginning that an import has in common with a
// group.
func sharing(group []*ast.ImportSpec, importPath string) int {
	best := 0
	if standardPath(pathOf(group[0])) != standardPath(importPath) {
		return -1
	}
	for _, spec := range group {
		first, _, _ := strings.Cut(pathOf(spec), "/")
		if strings.HasPrefix(importPath, first) {
			best = max(best, edits.CommonPrefix(pathOf(spec), importPath))
		}
	}
	return best
}

func pathOf(spec *ast.ImportSpec) string {
	p, _ := strconv.Unquote(spec.Path.Value)
	return p
}

// groupsOf are the imports of a block, split at blank lines.
func groupsOf(file *token.File, gen *ast.GenDecl) [][]*ast.ImportSpec {
	var out [][]*ast.ImportSpec
	last := -2
	for _, s := range gen.Specs {
		spec := s.(*ast.ImportSpec)
		line := file.Line(spec.Pos())
		if spec.Doc != nil {
			line = file.Line(spec.Doc.Pos())
		}
		if len(out) == 0 || line > last+1 {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], spec)
		last = file.Line(spec.End())
	}
	return out
}
