package gotypes

import (
	"go/ast"
	"go/token"
	"iter"
	"strings"

	"tandem/workspace/syntax"
)

// parseWithout parses a file; the bodies of functions that stand as gofmt writes them are not
// read, since that takes most of the time.
func parseWithout(fset *token.FileSet, at, src string) (*ast.File, error) {
	f, err := syntax.ParseGo(fset, at, blankBodies(src), parseMode)
	if err != nil && f != nil {
		if own := fset.File(f.FileStart); own != nil {
			fset.RemoveFile(own)
		}
		f, err = parse(fset, at, src)
	}
	return f, err
}

// blankBodies returns a text with blanks in place of the bodies of functions that begin at
// the end of a line and end with a brace at the start of one; all else keeps its offset and
// line. A body whose end is not clear stays.
func blankBodies(src string) string {
	var out []byte
	for open, end := range bodies(src) {
		if out == nil {
			out = []byte(src)
		}
		for i := open; i < end; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	if out == nil {
		return src
	}
	return string(out)
}

// bodies are what is between the braces of functions, as blankBodies has them. What stands in
// comments and literals is neither a function nor the end of one.
func bodies(src string) iter.Seq2[int, int] {
	return func(yield func(open, end int) bool) {
		open := -1
		for i := 0; i < len(src); {
			if src[i] != '\n' {
				i = tokenEnd(src, i)
				continue
			}
			i++
			switch {
			case open >= 0 && strings.HasPrefix(src[i:], "}"):
				rest := strings.TrimLeft(src[i+1:], " \t\r")
				if (rest == "" || rest[0] == '\n' || strings.HasPrefix(rest, "//")) && !yield(open, i) {
					return
				}
				open = -1
			case open < 0 && strings.HasPrefix(src[i:], "func "):
				open = bodyAfter(src, i)
			}
		}
	}
}

// tokenEnd is where the comment or the literal that begins at a place ends; elsewhere it is
// the next byte.
func tokenEnd(src string, at int) int {
	after := func(from int, end string) int {
		if i := strings.Index(src[from:], end); i >= 0 {
			return from + i + len(end)
		}
		return len(src)
	}
	switch c := src[at]; {
	case c == '`':
		return after(at+1, "`")
	case c == '/' && strings.HasPrefix(src[at:], "/*"):
		return after(at+2, "*/")
	case c == '/' && strings.HasPrefix(src[at:], "//"):
		if i := strings.IndexByte(src[at:], '\n'); i >= 0 {
			return at + i
		}
		return len(src)
	case c == '"' || c == '\'':
		for i := at + 1; i < len(src) && src[i] != '\n'; i++ {
			switch src[i] {
			case '\\':
				i++
			case c:
				return i + 1
			}
		}
	}
	return at + 1
}

// bodyAfter is where the body of the function begins whose first line begins at a place, or
// -1 where that line does not end with its brace.
func bodyAfter(src string, at int) int {
	line := src[at:]
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	line = strings.TrimRight(line, "\r")
	header, isOpen := strings.CutSuffix(line, "{")
	header = strings.TrimRight(header, " ")
	if !isOpen || strings.HasSuffix(header, "struct") || strings.HasSuffix(header, "interface") || strings.ContainsAny(header, "`\"'") || strings.Contains(header, "//") || strings.Contains(header, "/*") {
		return -1
	}
	return at + len(line)
}

// WithoutBodies removes the bodies of a file's functions.
func WithoutBodies(f *ast.File) {
	if f == nil {
		return
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
	}
}
