package syntax

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strings"

	"tandem/edits"
	"tandem/workspace/language"
)

// Sound reports whether the function around a change parses by itself. Then the
// change has broken nothing, and the rest of a large file need not be parsed.
// It is false where this cannot be decided: call Errors then.
func (Parsers) Sound(file, text string, changed edits.Span) bool {
	if language.OfFile(path.Base(filepath.ToSlash(file))) != "go" || !changed.Valid(len(text)) {
		return false
	}
	start := strings.LastIndex(text[:changed.Start], "\nfunc ") + 1
	end := strings.Index(text[changed.End:], "\n}\n")
	if start == 0 || end < 0 || strings.Contains(text[start:changed.Start], "\n}\n") {
		return false // not inside of a function as gofmt writes it
	}
	end += changed.End + len("\n}\n")
	const clause = "package p;"
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", clause+text[start:end], parser.SkipObjectResolution)
	if err != nil || len(f.Decls) != 1 {
		return false
	}
	fn, ok := f.Decls[0].(*ast.FuncDecl)
	return ok && fn.Body != nil && set.Position(fn.End()).Offset == len(clause)+end-start-1
}
