package language

import "strings"

// The scanners of comments and literals. Each receives the offset at which the
// construct begins and returns the offset after it; a construct without an end
// extends to the end of the text.

// lineEnd is the offset of the next line end at or after p.
func lineEnd(src string, p int) int {
	if i := strings.IndexByte(src[p:], '\n'); i >= 0 {
		return p + i
	}
	return len(src)
}

// endOf is the offset after the next mark at or after p. Without one, what is
// being read is unended.
func (l *lexer) endOf(p int, mark string) int {
	if p < len(l.src) {
		if i := strings.Index(l.src[p:], mark); i >= 0 {
			return p + i + len(mark)
		}
	}
	l.unended = true
	return len(l.src)
}

// lineComment reads a comment to the end of its line.
func (l *lexer) lineComment(p int) int { return l.comment(p, lineEnd(l.src, p)) }

// blockComment reads a comment up to the first "*/".
func (l *lexer) blockComment(p int) int { return l.comment(p, l.endOf(p+2, "*/")) }

// nestedComment reads a comment in which "/*" and "*/" nest.
func (l *lexer) nestedComment(p int) int {
	depth, q := 0, p
	for q < len(l.src) {
		switch {
		case l.at(q, "/*"):
			depth++
			q += 2
		case l.at(q, "*/"):
			depth--
			q += 2
			if depth == 0 {
				return l.comment(p, q)
			}
		default:
			q++
		}
	}
	l.unended = true
	return l.comment(p, len(l.src))
}

// slash reads "//" and "/*" comments, or the byte alone.
func (l *lexer) slash(p int) int {
	switch {
	case l.at(p, "//"):
		return l.lineComment(p)
	case l.at(p, "/*"):
		return l.blockComment(p)
	}
	l.punct(p, '/')
	return p + 1
}

// quoted is the end of a literal that begins at p with its quote, may hold
// backslash escapes and, unless multiline, ends at the line's end at the latest.
func (l *lexer) quoted(p int, multiline bool) int {
	src, quote := l.src, l.src[p]
	for q := p + 1; q < len(src); q++ {
		switch src[q] {
		case quote:
			return q + 1
		case '\\':
			q++
			if l.at(q, "\r\n") {
				q++
			}
		case '\n':
			if !multiline {
				l.unended = true
				return q
			}
		}
	}
	l.unended = true
	return len(src)
}

// tripled is the end of a literal in triple quotes that begins at p.
func (l *lexer) tripled(p int, escapes bool) int {
	src, quote := l.src, l.src[p]
	for q := p + 3; q < len(src); q++ {
		switch src[q] {
		case '\\':
			if escapes {
				q++
			}
		case quote:
			if q+2 < len(src) && src[q+1] == quote && src[q+2] == quote {
				return q + 3
			}
		}
	}
	l.unended = true
	return len(src)
}

// charOrTick reads a character literal, or a single tick where none follows (a
// lifetime, a generic, an apostrophe).
func (l *lexer) charOrTick(p int) int {
	src := l.src
	if p+1 < len(src) && src[p+1] == '\\' {
		return l.str(p, l.quoted(p, false))
	}
	for q := p + 2; q < len(src) && q <= p+5; q++ {
		if src[q] == '\'' {
			return l.str(p, q+1)
		}
		if src[q] < 0x80 {
			break
		}
	}
	return p + 1
}

// interpolated counts the identifiers inside braces.
func (l *lexer) interpolated(p, end int) {
	depth := 0
	for p < end {
		c := l.src[p]
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth = max(depth-1, 0)
		case depth > 0 && l.lang.class[c] == cIdent:
			p = l.mentioned(p, end)
			continue
		}
		p++
	}
}

// mentioned counts the identifier that begins at p, in a text that is no token, and
// returns its end.
func (l *lexer) mentioned(p, end int) int {
	q := p + 1
	for q < end && (l.lang.class[l.src[q]] == cIdent || l.lang.class[l.src[q]] == cDigit) {
		q++
	}
	if id := l.in.Intern(l.src[p:q]); int(id) >= len(l.lang.words) || !l.lang.words[id] {
		l.in.use(id)
	}
	return q
}
