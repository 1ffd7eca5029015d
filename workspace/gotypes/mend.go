package gotypes

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"tandem/workspace/syntax"
)

// parse parses a file. While a user types, a file seldom parses, and the parser then loses
// whole declarations: after stray text at top level every function up to the next type,
// constant or variable, after an open brace the rest of the file, after a bad statement
// what follows up to the next keyword of one. So a file that does not parse is parsed again
// without what is wrong, every other name where it was. The error is that of the text as it is.
func parse(fset *token.FileSet, at, src string) (*ast.File, error) {
	f, err := syntax.ParseGo(fset, at, src, parseMode)
	if err == nil || f == nil {
		return f, err
	}
	mended := mend(src, err)
	if mended == src {
		return f, err
	}
	if own := fset.File(f.FileStart); own != nil {
		fset.RemoveFile(own)
	}
	f, _ = syntax.ParseGo(fset, at, mended, parseMode) // err says what is wrong
	if f != nil {
		if own := fset.File(f.FileStart); own != nil {
			own.SetLinesForContent([]byte(src))
		}
	}
	return f, err
}

// parseMode has AllErrors since otherwise ten errors end a file without any declaration.
const parseMode = parser.SkipObjectResolution | parser.AllErrors

const (
	maxUnterminated = 3  // strings and comments without an end that are passed over
	maxBadLines     = 8  // of a declaration, whose body is left out after them
	maxClosers      = 32 // brackets that are closed at the end of a file
)

// mend returns a text that parses for one that does not, for the reasons in err: what
// belongs to no declaration is blank, as are the lines of a declaration that are wrong, and
// brackets that are open before the next one are closed, in place of the white space and
// the comments there. All else keeps its offset.
func mend(src string, err error) string {
	src += strings.Repeat("\n", maxClosers)
	var wrong []int
	if list := (scanner.ErrorList)(nil); errors.As(err, &list) {
		for _, e := range list {
			wrong = append(wrong, e.Pos.Offset)
		}
	}
	var out []byte
	var begins []int
	for i := 0; ; i++ {
		var unterminated int
		if out, begins, unterminated = declarations(src); unterminated < 0 || i == maxUnterminated {
			break
		}
		src = src[:unterminated] + " " + src[unterminated+1:] // it would hide the rest of the file
		wrong = append(wrong, unterminated)
	}
	for i, begin := range begins {
		next := len(out)
		if i+1 < len(begins) {
			next = begins[i+1]
		}
		text := string(out[begin:next])
		closers, _ := unclosed(text)
		if len(closers) > 0 || slices.ContainsFunc(wrong, func(at int) bool { return begin <= at && at < next }) {
			copy(out[begin:next], alone(text))
		}
	}
	return string(out)
}

// declarations returns a text without what belongs to no declaration, and where each one
// begins: on a new line whatever is open before it, or where the last one has ended.
// unterminated is where a string or a comment begins that does not end, else -1.
func declarations(src string) (out []byte, begins []int, unterminated int) {
	out, unterminated = []byte(src), -1
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, []byte(src), func(pos token.Position, msg string) {
		if strings.HasPrefix(msg, "raw string literal not") || strings.HasPrefix(msg, "comment not") {
			unterminated = pos.Offset
		}
	}, 0)
	var open brackets
	ended, stray := true, false // the last declaration; what follows it is none
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF || unterminated >= 0 {
			return out, begins, unterminated
		}
		at := file.Offset(pos)
		first := at == 0 || src[at-1] == '\n'
		switch {
		case (tok == token.FUNC || tok == token.TYPE) && (first || ended && !stray),
			(tok == token.VAR || tok == token.CONST || tok == token.IMPORT || tok == token.PACKAGE) && ended && (first || !stray):
			begins, open = append(begins, at), open[:0]
			ended, stray = false, false
		case tok == token.SEMICOLON:
			ended = ended || len(open) == 0
		case ended:
			stray = true
		}
		if stray {
			if lit != "\n" {
				blank(out, at, at+max(len(lit), len(tok.String())))
			}
		} else if !open.follow(tok) {
			ended = true
		}
	}
}

// alone returns a declaration that parses for one that does not, with what follows it, of
// the same length.
func alone(text string) string {
	out := []byte(text)
	for range maxBadLines {
		closed := closedText(string(out))
		_, err := syntax.ParseGo(token.NewFileSet(), "", header+closed, parseMode)
		if err == nil {
			return closed
		}
		list := scanner.ErrorList(nil)
		if !errors.As(err, &list) || len(list) == 0 {
			break
		}
		at := min(max(list[0].Pos.Offset-len(header), 0), len(out)-1)
		if strings.TrimSpace(lineAt(out, at)) == "" { // reported behind it: at a line's end
			at = len(bytes.TrimRight(out[:at], " \t\r\n")) - 1
		}
		from := bytes.LastIndexByte(out[:max(at, 0)], '\n') + 1
		blank(out, from, from+len(lineAt(out, max(at, 0))))
	}
	head, _, _ := strings.Cut(text, "\n")
	out = []byte(text)
	blank(out, len(head), len(out))
	closed := closedText(string(out))
	if _, err := syntax.ParseGo(token.NewFileSet(), "", header+closed, parseMode); err == nil {
		return closed
	}
	blank(out, 0, len(out))
	return string(out)
}

const header = "package p;"

// lineAt is the line of an offset, without its end.
func lineAt(text []byte, at int) string {
	from := bytes.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := bytes.Cut(text[from:], []byte("\n"))
	return string(line)
}

// closedText is a declaration and what follows it with its brackets closed, if there is
// room for that.
func closedText(text string) string {
	closers, end := unclosed(text)
	if len(closers) == 0 || end+len(closers) >= len(text) { // the last byte is a line's end
		return text
	}
	out := []byte(text)
	blank(out, end, len(out))
	copy(out[end:], closers)
	return string(out)
}

// unclosed are what closes the brackets that are open at the end of a declaration, and
// where its last token ends.
func unclosed(text string) (closers []byte, end int) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, []byte(text), nil, 0)
	var open brackets
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			slices.Reverse(open)
			return open, end
		}
		open.follow(tok)
		switch lit {
		case "\n": // no token of the text
		case "":
			end = file.Offset(pos) + len(tok.String())
		default:
			end = file.Offset(pos) + len(lit)
		}
	}
}

// brackets are those that are open, by what closes them.
type brackets []byte

// follow accounts for a token; false if it closes more than is open.
func (b *brackets) follow(tok token.Token) bool {
	switch tok {
	case token.LPAREN:
		*b = append(*b, ')')
	case token.LBRACK:
		*b = append(*b, ']')
	case token.LBRACE:
		*b = append(*b, '}')
	case token.RPAREN, token.RBRACK, token.RBRACE:
		i := bytes.LastIndexByte(*b, tok.String()[0])
		if i < 0 {
			return len(*b) > 0
		}
		*b = (*b)[:i]
	}
	return true
}

// blank replaces bytes by spaces, except for the ends of lines.
func blank(text []byte, from, to int) {
	for i := from; i < min(to, len(text)); i++ {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
}
