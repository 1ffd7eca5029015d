package syntax

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"

	"tandem/workspace/language"
)

// ParseGo is parser.ParseFile for a text of any kind: one that nests too deep for the parser
// and for what reads its result has no file.
func ParseGo(set *token.FileSet, at, src string, mode parser.Mode) (*ast.File, error) {
	if err := language.Parsable("go", src); err != nil {
		return nil, fmt.Errorf("%s cannot be parsed: %w", at, err)
	}
	return parser.ParseFile(set, at, src, mode)
}
