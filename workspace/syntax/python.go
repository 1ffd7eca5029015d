package syntax

import (
	"fmt"
	"slices"
	"strings"

	"tandem/edits"
)

// A TokenKind is the kind of a Python token.
type TokenKind uint8

// The kinds of token.
const (
	Name TokenKind = iota
	Number
	String
	Operator // punctuation
	Newline  // end of a logical line
	Indent
	Dedent
)

// A Token is one token of Python.
type Token struct {
	Kind       TokenKind
	Start, End int
}

// A Problem is something that Python would not accept.
type Problem struct {
	Span    edits.Span
	Message string
}

// A pyLexer splits a text into tokens and records errors in its layout.
type pyLexer struct {
	text     string
	at       int
	toks     []Token
	problems []Problem
	open     []int    // offsets of open brackets
	indents  []string // white space of each open block
	first    int      // index of the first token of the logical line
}

// Python splits a text into tokens. It never fails: text that it does not
// understand is reported as a problem, and it continues after that text.
func Python(text string) ([]Token, []Problem) {
	l := &pyLexer{text: text, indents: []string{""}}
	if strings.HasPrefix(text, "\ufeff") {
		l.at = len("\ufeff")
	}
	l.toks = make([]Token, 0, len(text)/4)
	l.layout()
	for l.at < len(l.text) {
		l.step()
	}
	l.endLine()
	if n := len(l.open); n > 0 {
		l.problem(l.open[n-1], 1, unclosed(text, l.open[n-1]))
	}
	for range len(l.indents) - 1 {
		l.emit(Dedent, len(text), len(text))
	}
	return l.toks, l.problems
}

func (l *pyLexer) emit(kind TokenKind, start, end int) {
	l.toks = append(l.toks, Token{kind, start, end})
}

func (l *pyLexer) problem(start, length int, message string) {
	if len(l.problems) < maxErrors {
		l.problems = append(l.problems, Problem{edits.Span{Start: start, End: start + length}, message})
	}
}

// step reads one token or blank.
func (l *pyLexer) step() {
	c := l.text[l.at]
	switch {
	case c == '\n':
		l.at++
		if len(l.open) == 0 {
			l.endLine()
			l.layout()
		}
	case c == ' ' || c == '\t' || c == '\r' || c == '\f':
		l.at++
	case c == '\\' && l.at+1 < len(l.text) && (l.text[l.at+1] == '\n' || l.text[l.at+1] == '\r'):
		l.at = min(until(l.text, l.at, "\n")+1, len(l.text))
	case c == '#':
		l.at = until(l.text, l.at, "\n")
	case c == '"' || c == '\'':
		l.str(l.at)
	case c >= '0' && c <= '9' || c == '.' && l.at+1 < len(l.text) && l.text[l.at+1] >= '0' && l.text[l.at+1] <= '9':
		l.number()
	case wordByte(c):
		l.word()
	default:
		l.operator(c)
	}
}

func (l *pyLexer) word() {
	start := l.at
	for l.at < len(l.text) && wordByte(l.text[l.at]) {
		l.at++
	}
	if l.at < len(l.text) && (l.text[l.at] == '"' || l.text[l.at] == '\'') && stringPrefix(l.text[start:l.at]) {
		l.str(start)
		return
	}
	l.emit(Name, start, l.at)
}

func stringPrefix(s string) bool {
	return len(s) <= 3 && strings.Trim(strings.ToLower(s), "rbfut") == ""
}

func (l *pyLexer) number() {
	start := l.at
	for l.at < len(l.text) {
		c := l.text[l.at]
		exponent := (c == '+' || c == '-') && l.text[l.at-1]|0x20 == 'e' && !strings.HasPrefix(strings.ToLower(l.text[start:l.at]), "0x")
		if !wordByte(c) && c != '.' && !exponent {
			break
		}
		l.at++
	}
	l.emit(Number, start, l.at)
}

// str reads the string whose prefix begins at start; l.at is at its prefix's
// end or before it.
func (l *pyLexer) str(start int) {
	quote := start
	for l.text[quote] != '"' && l.text[quote] != '\'' {
		quote++
	}
	formatted := strings.ContainsAny(l.text[start:quote], "fFtT")
	end, closed := pyString(l.text, quote, formatted, 0)
	if !closed {
		l.problem(start, quote+1-start, fmt.Sprintf("the string that begins on line %d never ends", lineOf(l.text, start)))
	}
	l.emit(String, start, end)
	l.at = end
}

// maxNesting bounds strings in expressions in strings.
const maxNesting = 8

// pyString is the end of the string whose quote is at an offset.
func pyString(text string, quote int, formatted bool, depth int) (end int, closed bool) {
	q := text[quote : quote+1]
	mark := q
	if strings.HasPrefix(text[quote:], q+q+q) {
		mark = q + q + q
	}
	braces := 0
	for i := quote + len(mark); i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && braces == 0:
			i++
		case strings.HasPrefix(text[i:], mark) && (braces == 0 || len(mark) == 3 || depth >= maxNesting || !nestedQuote(text, i, q)):
			return i + len(mark), true
		case c == '\n' && len(mark) == 1 && braces == 0:
			return i, false
		case !formatted:
		case c == '{' && braces == 0 && i+1 < len(text) && text[i+1] == '{':
			i++
		case c == '{':
			braces++
		case c == '}' && braces > 0:
			braces--
		case (c == '"' || c == '\'') && braces > 0:
			inner, ok := pyString(text, i, false, depth+1)
			if !ok {
				return inner, false
			}
			i = inner - 1
		}
	}
	return len(text), false
}

// nestedQuote reports whether a quote inside the braces of a string with the
// same quote begins another string: one that ends before the line does, with
// the brace closed after it.
func nestedQuote(text string, at int, q string) bool {
	line := text[at+1 : until(text, at, "\n")]
	end := strings.Index(line, q)
	return end >= 0 && strings.Contains(line[end:], "}") && strings.Contains(line[end+1:], q)
}

var pyOperators = []string{"**=", "//=", ">>=", "<<=", "...", ":=", "->", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@="}

func (l *pyLexer) operator(c byte) {
	start := l.at
	switch c {
	case '(', '[', '{':
		l.open = append(l.open, start)
	case ')', ']', '}':
		l.close(c)
	case '$', '?', '`':
		l.problem(start, 1, fmt.Sprintf("%q means nothing in Python", string(c)))
	}
	l.at++
	for _, op := range pyOperators {
		if strings.HasPrefix(l.text[start:], op) {
			l.at = start + len(op)
			break
		}
	}
	l.emit(Operator, start, l.at)
}

func (l *pyLexer) close(c byte) {
	n := len(l.open)
	switch {
	case n == 0:
		l.problem(l.at, 1, fmt.Sprintf("%q closes nothing", string(c)))
	case !matches(l.text[l.open[n-1]], c):
		l.problem(l.at, 1, fmt.Sprintf("%q does not close %q of line %d", string(c), l.text[l.open[n-1]:l.open[n-1]+1], lineOf(l.text, l.open[n-1])))
		l.open = l.open[:n-1]
	default:
		l.open = l.open[:n-1]
	}
}

// layout reads the white space at the start of a logical line, blank lines and
// comments passed over, and opens and closes blocks.
func (l *pyLexer) layout() {
	for l.at < len(l.text) {
		start := l.at
		for l.at < len(l.text) && (l.text[l.at] == ' ' || l.text[l.at] == '\t' || l.text[l.at] == '\f') {
			l.at++
		}
		if l.at == len(l.text) {
			return
		}
		switch l.text[l.at] {
		case '\n':
			l.at++
			continue
		case '\r':
			l.at++
			continue
		case '#':
			l.at = until(l.text, l.at, "\n")
			continue
		}
		l.indent(strings.TrimLeft(l.text[start:l.at], "\f"))
		l.first = len(l.toks)
		return
	}
}

func (l *pyLexer) indent(white string) {
	top := l.indents[len(l.indents)-1]
	wants := l.opensBlock()
	if white == top {
		if wants {
			l.problem(l.at, 1, "an indented block is missing here")
		}
		return
	}
	if deeper(white, top) {
		if !wants {
			l.problem(l.at, 1, "the line is indented deeper than its block")
		}
		l.indents = append(l.indents, white)
		l.emit(Indent, l.at, l.at)
		return
	}
	if wants {
		l.problem(l.at, 1, "an indented block is missing here")
	}
	for len(l.indents) > 1 && !deeper(white, l.indents[len(l.indents)-1]) && white != l.indents[len(l.indents)-1] {
		l.indents = l.indents[:len(l.indents)-1]
		l.emit(Dedent, l.at, l.at)
	}
	if white != l.indents[len(l.indents)-1] {
		l.problem(l.at, 1, "the indentation fits no block around it")
	}
}

// deeper reports whether white space a goes further than b.
func deeper(a, b string) bool { return columns(a) > columns(b) }

func columns(white string) int {
	n := 0
	for _, c := range []byte(white) {
		n++
		if c == '\t' {
			n = (n + 7) / 8 * 8
		}
	}
	return n
}

// opensBlock reports whether the line before ended in a colon.
func (l *pyLexer) opensBlock() bool {
	n := len(l.toks)
	return n >= 2 && l.toks[n-1].Kind == Newline && l.text[l.toks[n-2].Start:l.toks[n-2].End] == ":"
}

var pyCompound = []string{"def", "class", "if", "elif", "else", "for", "while", "with", "try", "except", "finally", "async"}

// endLine ends a logical line, and checks whether a line that begins a block
// has its colon.
func (l *pyLexer) endLine() {
	n := len(l.toks)
	if n == 0 || l.first >= n {
		return
	}
	l.emit(Newline, l.toks[n-1].End, l.toks[n-1].End)
	head := l.toks[l.first]
	if head.Kind != Name || !slices.Contains(pyCompound, l.text[head.Start:head.End]) {
		return
	}
	depth := 0
	for _, t := range l.toks[l.first:n] {
		if t.Kind != Operator {
			continue
		}
		switch l.text[t.Start:t.End] {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ":":
			if depth == 0 {
				return
			}
		}
	}
	l.problem(head.Start, head.End-head.Start, fmt.Sprintf("the line that begins with %s has no colon", l.text[head.Start:head.End]))
}
