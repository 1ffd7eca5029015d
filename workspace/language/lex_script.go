package language

// A scriptLexer reads what only JavaScript and TypeScript have: template
// strings, regular expressions, private names, and the text inside JSX.
type scriptLexer struct{ *lexer }

func scriptSpecial(read *lexer, p int) int {
	l := scriptLexer{read}
	switch l.src[p] {
	case '\'', '"':
		if _, ok := l.before(p); ok && l.src[p] == '\'' && !l.isWord() {
			return p + 1 // an apostrophe in JSX
		}
		return l.str(p, l.quoted(p, false))
	case '`':
		return l.template(p, p+1)
	case '}':
		return l.templateResume(p)
	case '#':
		if p == 0 {
			return l.lineComment(p)
		}
		return l.ident(p)
	}
	if l.regexMayBegin(p) {
		if end := regexEnd(l.src, p); end > 0 {
			return l.str(p, end)
		}
	}
	return l.slash(p)
}

// isWord reports whether the last token, an identifier, is reserved.
func (l scriptLexer) isWord() bool {
	id := int(l.toks[len(l.toks)-1].name)
	return id < len(l.lang.words) && l.lang.words[id]
}

// template reads the piece of a template string from q to its end, or to the
// expression in it, which is lexed like any other between two brackets.
func (l scriptLexer) template(start, q int) int {
	for ; q < len(l.src); q++ {
		switch l.src[q] {
		case '\\':
			q++
		case '`':
			return l.str(start, q+1)
		case '$':
			if l.at(q, "${") {
				l.str(start, q+1)
				l.openBracket(q+1, '(')
				l.resume = append(l.resume, len(l.stack))
				return q + 2
			}
		}
	}
	l.unended = true
	return l.str(start, len(l.src))
}

// templateResume reads a closing brace: when it ends the expression in a
// template string, the string continues.
func (l scriptLexer) templateResume(p int) int {
	for n := len(l.resume); n > 0 && l.resume[n-1] >= len(l.stack); n-- {
		here := l.resume[n-1] == len(l.stack)
		l.resume = l.resume[:n-1]
		if here {
			l.closeBracket(p, ')')
			return l.template(p+1, p+1)
		}
	}
	l.closeBracket(p, '}')
	return p + 1
}

// regexMayBegin reports, from the token before a slash, that the slash is not a
// division.
func (l scriptLexer) regexMayBegin(p int) bool {
	if l.at(p, "//") || l.at(p, "/*") || l.at(p, "/>") {
		return false
	}
	n := len(l.toks)
	if n == 0 {
		return true
	}
	switch t := &l.toks[n-1]; t.kind {
	case tIdent:
		switch t.name {
		case kwThis, kwSuper:
			return false
		}
		return l.isWord()
	case tPunct:
		twice := n > 1 && l.toks[n-2].ch == t.ch && l.toks[n-2].end == t.pos
		closes := t.ch == ')' || t.ch == ']' || t.ch == '}'
		return !closes && t.ch != '<' && !(twice && (t.ch == '+' || t.ch == '-'))
	}
	return false
}

// regexEnd is the offset after the regular expression at p, 0 if its line ends
// first, or if it is unrealistically long.
func regexEnd(src string, p int) int {
	set := false
	for q := p + 1; q < min(len(src), p+maxAhead); q++ {
		switch src[q] {
		case '\\':
			q++
		case '\n':
			return 0
		case '[':
			set = true
		case ']':
			set = false
		case '/':
			if !set {
				return flagsEnd(src, q+1)
			}
		}
	}
	return 0
}

// flagsEnd is the offset after the flags of a regular expression.
func flagsEnd(src string, p int) int {
	for p < len(src) && src[p] >= 'a' && src[p] <= 'z' {
		p++
	}
	return p
}
