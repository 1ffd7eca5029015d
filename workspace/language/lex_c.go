package language

import "strings"

// A directive is a line of the C preprocessor.
type directive struct {
	word     string // define, include, ...
	rest     string // what follows it
	line     uint32
	last     uint32 // its last line
	comments uint32 // as token.comments
}

// A branch is the state of the brackets at an #if, from which each of its other
// branches starts again.
type branch struct {
	stack []int32
	open  [3]int
}

// maxBranchStack bounds how many brackets a branch remembers: an #if in code
// nested this deep does not matter.
const maxBranchStack = 64

// A cLexer reads what only C and its descendants have: the preprocessor, of whose
// alternatives each continues from the brackets before the first, and raw strings.
type cLexer struct{ *lexer }

func lexC(read *lexer, p int) int {
	l := cLexer{read}
	switch l.src[p] {
	case '"':
		if prefix, ok := l.before(p); ok && strings.HasSuffix(prefix, "R") && len(prefix) <= 3 {
			return l.str(l.dropPrefix(p), l.rawEnd(p))
		}
		return l.str(p, l.quoted(p, false))
	case '\'':
		return l.str(p, l.quoted(p, false))
	case '#':
		if len(l.toks) == 0 || l.lastLine() != l.line {
			return l.directive(p)
		}
		return p + 1
	case '\\':
		return p + 1
	}
	return l.slash(p)
}

// rawEnd is the end of R"delimiter(...)delimiter", whose quote is at p.
func (l cLexer) rawEnd(p int) int {
	src := l.src
	open := strings.IndexByte(src[p:min(len(src), p+20)], '(')
	if open < 0 {
		return l.quoted(p, false)
	}
	return l.endOf(p+open, ")"+src[p+1:p+open]+`"`)
}

// directive reads a preprocessor line, with its continuation lines.
func (l cLexer) directive(p int) int {
	end := l.directiveLine(p)
	l.note(Directive, p, end)
	return end
}

func (l cLexer) directiveLine(p int) int {
	end := l.directiveEnd(p)
	body := strings.TrimLeft(l.src[p+1:end], " \t")
	n := 0
	for n < len(body) && body[n] >= 'a' && body[n] <= 'z' {
		n++
	}
	d := directive{word: body[:n], rest: strings.TrimSpace(body[n:]), line: l.line, comments: uint32(len(l.comms))}
	l.countIdents(p+1+len(l.src[p+1:end])-len(body)+n, end)
	l.countLines(p, end)
	d.last = l.line
	switch d.word {
	case "if", "ifdef", "ifndef":
		l.beginBranch()
		if d.word == "if" && d.rest == "0" {
			return l.skipBranch(end)
		}
	case "else", "elif", "elifdef", "elifndef":
		l.stray = l.stray || len(l.ifs) == 0
		if l.stream {
			return l.skipAlternatives(end)
		}
		l.otherBranch()
	case "endif":
		if n := len(l.ifs); n > 0 {
			l.ifs = l.ifs[:n-1]
		} else {
			l.stray = true
		}
	default:
		l.directs = append(l.directs, d)
	}
	return end
}

// directiveEnd is the line end that ends the directive at p.
func (l cLexer) directiveEnd(p int) int {
	for p < len(l.src) {
		switch {
		case l.src[p] == '\n':
			return p
		case l.src[p] == '\\' && (l.at(p+1, "\n") || l.at(p+1, "\r\n")):
			p = lineEnd(l.src, p) + 1
		case l.at(p, "/*"):
			p = l.endOf(p+2, "*/")
		case l.at(p, "//"):
			p = lineEnd(l.src, p)
		default:
			p++
		}
	}
	return min(p, len(l.src))
}

// countIdents counts the identifiers of a directive.
func (l cLexer) countIdents(p, end int) {
	for p < end {
		if l.lang.class[l.src[p]] != cIdent {
			p++
			continue
		}
		p = l.mentioned(p, end)
	}
}

func (l cLexer) beginBranch() {
	b := branch{open: l.open}
	if len(l.stack) <= maxBranchStack {
		b.stack = append(b.stack, l.stack...)
	}
	l.ifs = append(l.ifs, b)
}

// otherBranch restores the state that the brackets had at the #if.
func (l cLexer) otherBranch() {
	if len(l.ifs) == 0 {
		return
	}
	b := l.ifs[len(l.ifs)-1]
	if b.stack == nil && b.open != [3]int{} || len(l.stack) == len(b.stack) {
		return // a branch that closed what it opened, or reopened what it closed
	}
	l.stack = append(l.stack[:0], b.stack...)
	l.open = b.open
}

// skipAlternatives skips the text from the end of an #else or #elif to the
// #endif that ends the alternatives.
func (l cLexer) skipAlternatives(p int) int {
	for p < len(l.src) {
		p = l.skipBranch(p)
		if rest := strings.TrimLeft(l.src[p:], " \t"); !strings.HasPrefix(rest, "#") || !strings.HasPrefix(strings.TrimLeft(rest[1:], " \t"), "el") {
			break
		}
		p = lineEnd(l.src, p)
	}
	return p
}

// skipBranch skips the text of a branch that begins at a line's end, up to the
// directive that ends it.
func (l cLexer) skipBranch(p int) int {
	depth := 0
	for at := p; at < len(l.src); {
		start := at + 1
		if start > len(l.src) {
			break
		}
		end := lineEnd(l.src, min(start, len(l.src)))
		line := strings.TrimLeft(l.src[min(start, len(l.src)):end], " \t")
		if rest, ok := strings.CutPrefix(line, "#"); ok {
			switch rest = strings.TrimLeft(rest, " \t"); {
			case strings.HasPrefix(rest, "if"):
				depth++
			case strings.HasPrefix(rest, "endif") && depth > 0:
				depth--
			case depth == 0 && (strings.HasPrefix(rest, "endif") || strings.HasPrefix(rest, "el")):
				l.countLines(p, start)
				return start
			}
		}
		at = end
	}
	l.countLines(p, len(l.src))
	return len(l.src)
}
