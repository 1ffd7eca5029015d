package syntax

import (
	"fmt"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// A Problem is something that Python would not accept.
type Problem struct {
	Span    edits.Span
	Message string
}

// A pyLayout reads the lines and blocks of a text from its tokens.
type pyLayout struct {
	text     string
	toks     []language.Token
	problems []Problem
	open     brackets
	indents  []string // white space of each open block
	first    int      // index of the first token of the logical line
}

// Python splits a text into tokens: language.Tokens without comments, and with
// the ends of logical lines and of blocks. It never fails: text that it does
// not understand is reported as a problem, and it continues after that text.
func Python(text string) ([]language.Token, []Problem) {
	all := language.Tokens("python", text)
	l := &pyLayout{text: text, indents: []string{""}, toks: make([]language.Token, 0, len(all)+len(all)/4)}
	last := 0 // where the logical line ends so far
	for _, t := range all {
		if t.Kind == language.Comment {
			continue
		}
		if t.Kind == language.Other && l.continues(t) {
			last = min(until(text, t.End, "\n")+1, len(text))
			continue
		}
		if len(l.toks) == 0 || strings.Contains(text[last:t.Start], "\n") && len(l.open) == 0 {
			l.endLine()
			l.layout(t.Start)
		}
		l.token(t)
		last = t.End
	}
	l.endLine()
	if n := len(l.open); n > 0 {
		l.problem(l.open[n-1], 1, unclosed(text, l.open[n-1]))
	}
	for range len(l.indents) - 1 {
		l.emit(language.Dedent, len(text))
	}
	return l.toks, l.problems
}

// continues reports whether a token is the backslash that continues a line.
func (l *pyLayout) continues(t language.Token) bool {
	return l.text[t.Start:t.End] == `\` && (t.End == len(l.text) || strings.HasPrefix(strings.TrimPrefix(l.text[t.End:], "\r"), "\n"))
}

func (l *pyLayout) emit(kind language.TokenKind, at int) {
	l.toks = append(l.toks, language.Token{Kind: kind, Start: at, End: at})
}

func (l *pyLayout) problem(start, length int, message string) {
	if len(l.problems) < maxErrors {
		l.problems = append(l.problems, Problem{edits.Span{Start: start, End: start + length}, message})
	}
}

// binary are the operators that only stand between two expressions: never two in a row.
var binary = terms.Set("= == != <= >= < > % | & ^ // += -= *= /= %= |= &= ^= //= >>= <<= **= >> <<")

// token checks one token and appends it.
func (l *pyLayout) token(t language.Token) {
	s := l.text[t.Start:t.End]
	switch t.Kind {
	case language.String:
		if t.Unended {
			quote := strings.IndexAny(s, `"'`)
			l.problem(t.Start, quote+1, fmt.Sprintf("the string that begins on line %d never ends", lineOf(l.text, t.Start)))
		}
	case language.Operator:
		if message := l.open.see(l.text, t.Start); message != "" {
			l.problem(t.Start, 1, message)
		} else if s == "$" || s == "?" || s == "`" {
			l.problem(t.Start, 1, fmt.Sprintf("%q means nothing in Python", s))
		} else if n := len(l.toks) - 1; binary[s] && n >= l.first && binary[l.text[l.toks[n].Start:l.toks[n].End]] {
			l.problem(t.Start, len(s), fmt.Sprintf("an expression is missing before %q", s))
		}
	}
	l.toks = append(l.toks, t)
}

// layout opens and closes blocks by the white space before the first token of a
// logical line.
func (l *pyLayout) layout(at int) {
	white := l.text[strings.LastIndexByte(l.text[:at], '\n')+1 : at]
	l.indent(strings.TrimLeft(strings.TrimPrefix(white, "\ufeff"), "\f"), at)
	l.first = len(l.toks)
}

func (l *pyLayout) indent(white string, at int) {
	top := l.indents[len(l.indents)-1]
	wants := l.opensBlock()
	if white == top {
		if wants {
			l.problem(at, 1, MissingBlock)
		}
		return
	}
	if deeper(white, top) {
		if !wants {
			l.problem(at, 1, "the line is indented deeper than its block")
		}
		l.indents = append(l.indents, white)
		l.emit(language.Indent, at)
		return
	}
	if wants {
		l.problem(at, 1, MissingBlock)
	}
	for len(l.indents) > 1 && !deeper(white, l.indents[len(l.indents)-1]) && white != l.indents[len(l.indents)-1] {
		l.indents = l.indents[:len(l.indents)-1]
		l.emit(language.Dedent, at)
	}
	if white != l.indents[len(l.indents)-1] {
		l.problem(at, 1, "the indentation fits no block around it")
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
func (l *pyLayout) opensBlock() bool {
	n := len(l.toks)
	return n >= 2 && l.toks[n-1].Kind == language.Newline && l.text[l.toks[n-2].Start:l.toks[n-2].End] == ":"
}

var pyCompound = []string{"def", "class", "if", "elif", "else", "for", "while", "with", "try", "except", "finally", "async"}

// endLine ends a logical line, and checks whether a line that begins a block
// has its colon.
func (l *pyLayout) endLine() {
	n := len(l.toks)
	if n == 0 || l.first >= n {
		return
	}
	l.emit(language.Newline, l.toks[n-1].End)
	head := l.toks[l.first]
	if len(l.problems) == 0 && len(l.open) == 0 {
		l.expressions(l.toks[l.first:n])
	}
	if head.Kind != language.Name || !slices.Contains(pyCompound, l.text[head.Start:head.End]) {
		return
	}
	depth := 0
	for _, t := range l.toks[l.first:n] {
		if t.Kind != language.Operator {
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

var (
	pyKeywords = terms.Set(`False None True and as assert async await break class continue def del elif else except finally for from global if import in is
		lambda nonlocal not or pass raise return try while with yield`)
	// elsewhere begin lines whose words other grammars read: older versions of Python, soft
	// keywords, and the commands of notebooks.
	elsewhere = terms.Set("print exec match case type % !")
	dangling  = terms.Set("= == != <= >= < > % | & ^ // + - / ** @ += -= *= /= %= |= &= ^= //= >>= <<= **= >> << and or not in is")
)

// PythonKeyword reports whether no name may be a word.
func PythonKeyword(word string) bool { return pyKeywords[word] }

// expressions checks that a logical line has an operator between any two expressions, an
// expression after its last operator, and no assignment for a condition.
func (l *pyLayout) expressions(line []language.Token) {
	word := func(t language.Token) string { return l.text[t.Start:t.End] }
	head, last := word(line[0]), line[len(line)-1]
	if elsewhere[head] {
		return
	}
	if dangling[word(last)] && last.Kind != language.String {
		l.problem(last.Start, last.End-last.Start, fmt.Sprintf("an expression is missing after %q", word(last)))
		return
	}
	operand := func(t language.Token) bool {
		return t.Kind == language.Number || t.Kind == language.Name && !pyKeywords[word(t)]
	}
	condition, depth := head == "if" || head == "elif" || head == "while", 0
	for i, t := range line {
		switch word(t) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case "lambda", ":":
			condition = condition && depth > 0
		case "=":
			if condition && depth == 0 {
				l.problem(t.Start, 1, fmt.Sprintf("%s has an assignment for a condition: == compares", head))
				return
			}
		}
		if i == 0 || line[i-1].End == t.Start {
			continue // a prefix of a string, or a number's suffix, that this version lacks
		}
		before := line[i-1]
		if end := l.text[before.End-1]; before.Kind == language.Number && (end < '0' || end > '9') {
			continue // 1if has a word in it
		}
		if operand(before) && !elsewhere[word(before)] && (operand(t) || t.Kind == language.String) || operand(t) && strings.Contains(")]}", word(before)) && before.Kind == language.Operator {
			l.problem(t.Start, t.End-t.Start, "an operator or a comma is missing before this")
			return
		}
	}
}
