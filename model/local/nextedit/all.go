package nextedit

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/terms"
)

// All are all places that a change of the user's still has to reach.
type All struct {
	Edits []NextEdit // in files' current texts; none overlap
	Left  int        // places that only the user can change
	Title string     // "Rename Load to Fetch"
	// Proof is what is known about the result: "type-checked, 0 new errors"; "" where
	// nothing checks the language's types.
	Proof string
}

// maxAll bounds the places of one proposal.
const maxAll = 5000

// All returns every remaining place of the newest change that the user has begun. It is
// false if there is none that can be written; Left then counts those of the newest one.
func (e *Engine) All(ctx context.Context, c source.Corpus, recent []workspace.RecentEdit, path string, offset int) (All, bool) {
	var none All
	checks := &goChecks{}
	for found := range e.changes(ctx, c, checks, recent, path, offset, maxAll) {
		if len(found.edits) == 0 {
			if none.Left == 0 {
				none.Left = len(found.left)
			}
			continue
		}
		out := All{Edits: withoutOverlaps(found.edits), Left: len(found.left)}
		out.Title, _, _ = strings.Cut(found.edits[0].Title, ":")
		out.Proof = checks.proof(ctx, c, out.Edits)
		return out, ctx.Err() == nil
	}
	return none, false
}

// withoutOverlaps keeps the first of edits that overlap.
func withoutOverlaps(list []NextEdit) []NextEdit {
	var out []NextEdit
	for _, n := range list {
		if !slices.ContainsFunc(out, func(o NextEdit) bool {
			return o.Path == n.Path && o.Edit.Start <= n.Edit.End && n.Edit.Start <= o.Edit.End
		}) {
			out = append(out, n)
		}
	}
	return out
}

// edited is a corpus with other texts for some files.
type edited struct {
	source.Corpus
	texts map[string]string
}

// Text implements source.Corpus.
func (e edited) Text(path string) (string, bool) {
	if text, ok := e.texts[path]; ok {
		return text, true
	}
	return e.Corpus.Text(path)
}

// replaced are the texts that a corpus has instead of its files'.
func replaced(c source.Corpus) map[string]string {
	switch c := c.(type) {
	case edited:
		return c.texts
	case past:
		return c.texts
	}
	return nil
}

// apply returns the corpus after edits.
func apply(c source.Corpus, list []NextEdit) edited {
	out := edited{c, map[string]string{}}
	byFile := map[string][]NextEdit{}
	for _, n := range list {
		byFile[n.Path] = append(byFile[n.Path], n)
	}
	for path, edits := range byFile {
		text, ok := c.Text(path)
		if !ok {
			continue
		}
		slices.SortFunc(edits, func(a, b NextEdit) int { return b.Edit.Start - a.Edit.Start })
		for _, n := range edits {
			text = text[:n.Edit.Start] + n.Edit.New + text[n.Edit.End:]
		}
		out.texts[path] = text
	}
	return out
}

// maxProof bounds the packages that a proof type-checks, before and after.
const maxProof = 60

// proof type-checks the Go packages of edits before and after them.
func (g *goChecks) proof(ctx context.Context, c source.Corpus, list []NextEdit) string {
	dirs := map[string]bool{}
	for _, n := range list {
		if !strings.HasSuffix(n.Path, ".go") {
			return ""
		}
		dirs[source.Folder(n.Path)] = true
	}
	if len(dirs) > maxProof {
		return ""
	}
	is := g.errors(ctx, apply(c, list), dirs)
	var was goErrorList
	if len(is.count) > 0 { // which may have been there before
		was = g.errors(ctx, c, dirs)
	}
	if ctx.Err() != nil {
		return ""
	}
	added := 0
	for key, n := range is.count {
		if was.count[key] > 0 && strings.Contains(key, ": undefined: ") {
			continue // a name of a package that is not in the workspace, used once more
		}
		added += max(0, n-was.count[key])
	}
	return fmt.Sprintf("type-checked, %s", terms.Counted(added, "new error"))
}

// goErrorList are the errors of packages.
type goErrorList struct {
	count map[string]int       // by file and message
	at    map[string][]goError // by file
}

// A goError is one error of a file; key is what goErrorList.count has it by.
type goError struct {
	line int
	key  string
}

func (g goErrorList) add(path string, line int, message string) {
	key := path + ": " + message
	g.count[key]++
	g.at[path] = append(g.at[path], goError{line, key})
}

// errors are the errors of the packages in some directories.
func (g *goChecks) errors(ctx context.Context, c source.Corpus, dirs map[string]bool) goErrorList {
	out := goErrorList{map[string]int{}, map[string][]goError{}}
	g.load(ctx, c, dirs, "", func(err error) {
		var found types.Error
		var syntax scanner.ErrorList
		switch {
		case errors.As(err, &found) && g.isOutside(found.Msg):
		case errors.As(err, &found):
			at := found.Fset.Position(found.Pos)
			out.add(at.Filename, at.Line, found.Msg)
		case errors.As(err, &syntax) && len(syntax) > 0:
			out.add(syntax[0].Pos.Filename, syntax[0].Pos.Line, "it does not parse")
		}
	})
	return out
}

// isOutside reports whether an error is about a name of a package that is not in the
// workspace: it may be right.
func (g *goChecks) isOutside(message string) bool {
	name, ok := strings.CutPrefix(message, "undefined: ")
	pkg, _, qualified := strings.Cut(name, ".")
	return ok && qualified && g.absent[pkg]
}

// zeroOf returns a value for a parameter that was added to a Go function, "" if its type
// says none: the user replaces it where another one is meant.
func zeroOf(signature string, at int) string {
	file, _ := parser.ParseFile(token.NewFileSet(), "p.go", "package p\n"+signature+"\n}\n", parser.SkipObjectResolution)
	if file == nil || len(file.Decls) == 0 {
		return ""
	}
	f, ok := file.Decls[0].(*ast.FuncDecl)
	if !ok {
		return ""
	}
	for _, field := range f.Type.Params.List {
		n := max(len(field.Names), 1)
		if at < n {
			return zeroValue(field.Type)
		}
		at -= n
	}
	return ""
}

func zeroValue(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr, *ast.ArrayType, *ast.MapType, *ast.FuncType, *ast.ChanType, *ast.InterfaceType:
		if a, ok := t.(*ast.ArrayType); ok && a.Len != nil {
			return ""
		}
		return "nil"
	case *ast.Ident:
		switch t.Name {
		case "string":
			return `""`
		case "bool":
			return "false"
		case "error", "any":
			return "nil"
		case "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "float32", "float64", "byte", "rune", "complex64", "complex128":
			return "0"
		}
	}
	return ""
}
