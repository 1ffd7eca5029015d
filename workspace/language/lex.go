package language

// A tokenKind is the kind of a token.
type tokenKind uint8

const (
	tEOF tokenKind = iota
	tIdent
	tNumber
	tString
	tPunct // one byte, in token.ch
)

// A token is one token of a file. Comments are not tokens: a token records how
// many there were before it.
type token struct {
	kind     tokenKind
	ch       byte // tPunct: the byte
	glued    bool // on a new line, but the line before is continued on it
	unended  bool // tString: its end is missing
	name     NameID
	pos, end uint32
	line     uint32
	comments uint32 // how many comments precede it
	aux      int32  // bracket: index of its partner or -1; tString: number of further lines
}

// A comment is a run of comments on consecutive lines.
type comment struct {
	start, end uint32 // lines
	own        bool   // nothing else on its first line before it
}

// A byteClass selects the branch of the lexer's main loop.
type byteClass uint8

const (
	cPunct byteClass = iota
	cSpace
	cNewline
	cIdent
	cDigit
	cOpen
	cClose
	cSpecial // the language's own lexer decides
)

// A lexer splits a text into tokens. Only special depends on the language.
type lexer struct {
	src     string
	lang    *language
	in      *Interner
	toks    []token
	comms   []comment
	line    uint32
	glue    bool    // the next token is glued
	unended bool    // the literal or comment read last has no end
	stray   bool    // something ends that was not begun, or the text ends in a literal or comment without its end
	stream  bool    // read for Tokens: fill extra, and of the alternatives of #if take only the first
	extra   []Token // comments and preprocessor lines
	stack   []int32 // open brackets
	open    [3]int  // how many of each kind are on the stack
	resume  []int   // heights of the stack at which a template string goes on
	ifs     []branch
	directs []directive
}

// bom is the byte order mark, which may begin a text.
const bom = "\ufeff"

func isSpace(c byte) bool { return c <= ' ' || c == 0x7f }

func bracketKind(ch byte) int {
	switch ch {
	case '(', ')':
		return 0
	case '[', ']':
		return 1
	}
	return 2
}

// lex fills toks, ending with one tEOF.
func (l *lexer) lex() {
	src, class := l.src, &l.lang.class
	l.line = 1
	p := 0
	if l.at(0, bom) {
		p = len(bom)
	}
	for p < len(src) && len(l.toks) < maxTokens { // what follows is not read
		c := src[p]
		switch class[c] {
		case cSpace:
			p++
		case cNewline:
			l.line++
			p++
		case cIdent:
			p = l.ident(p)
		case cDigit:
			p = l.number(p)
		case cOpen:
			l.openBracket(p, c)
			p++
		case cClose:
			l.closeBracket(p, c)
			p++
		case cSpecial:
			p = l.lang.special(l, p)
		default:
			l.punct(p, c)
			p++
		}
	}
	l.emit(tEOF, 0, p, p)
}

func (l *lexer) emit(kind tokenKind, ch byte, pos, end int) *token {
	l.toks = append(l.toks, token{kind: kind, ch: ch, pos: uint32(pos), end: uint32(end), line: l.line,
		comments: uint32(len(l.comms)), glued: l.glue})
	l.glue = false
	return &l.toks[len(l.toks)-1]
}

func (l *lexer) punct(p int, c byte) { l.emit(tPunct, c, p, p+1) }

// ident reads the identifier at p, whose first byte may be of any class.
func (l *lexer) ident(p int) int {
	src, class := l.src, &l.lang.class
	h := (uint32(2166136261) ^ uint32(src[p])) * 16777619
	q := p + 1
	for q < len(src) {
		c := src[q]
		if k := class[c]; k != cIdent && k != cDigit {
			break
		}
		h = (h ^ uint32(c)) * 16777619
		q++
	}
	id := l.in.lookup(src[p:q], h)
	l.emit(tIdent, 0, p, q).name = id
	if int(id) >= len(l.lang.words) || !l.lang.words[id] {
		l.in.use(id)
	}
	return q
}

func (l *lexer) number(p int) int {
	src, class := l.src, &l.lang.class
	mark := byte('e') // of an exponent
	if p+1 < len(src) && src[p+1]|0x20 == 'x' {
		mark = 'p'
	}
	q := p + 1
	for q < len(src) {
		c := src[q]
		k := class[c]
		exponent := (c == '+' || c == '-') && src[q-1]|0x20 == mark
		dot := c == '.' && (q+1 == len(src) || src[q+1] != '.' && (class[src[q+1]] != cIdent || l.numberGoesOn(q+1)))
		quoted := c == '\'' && l.lang.digitQuote && q+1 < len(src) && (class[src[q+1]] == cDigit || class[src[q+1]] == cIdent)
		if k != cIdent && k != cDigit && !exponent && !dot && !quoted {
			break
		}
		q++
	}
	l.emit(tNumber, 0, p, q)
	return q
}

// numberGoesOn reports whether the letter after a number's point is an exponent
// or a suffix, and not the name of a member.
func (l *lexer) numberGoesOn(p int) bool {
	c, next := l.src[p]|0x20, byte(0)
	if p+1 < len(l.src) {
		next = l.src[p+1]
	}
	if c == 'e' {
		signed := (next == '+' || next == '-') && p+2 < len(l.src) && l.lang.class[l.src[p+2]] == cDigit
		return signed || l.lang.class[next] == cDigit
	}
	return (c == 'f' || c == 'j' || c == 'l') && l.lang.class[next] != cIdent && l.lang.class[next] != cDigit
}

func (l *lexer) openBracket(p int, c byte) {
	l.stack = append(l.stack, int32(len(l.toks)))
	l.open[bracketKind(c)]++
	l.emit(tPunct, c, p, p+1).aux = -1
}

// closeBracket pairs c with the nearest open bracket of its kind. Brackets that
// are still open inside have no partner.
func (l *lexer) closeBracket(p int, c byte) {
	at := int32(len(l.toks))
	t := l.emit(tPunct, c, p, p+1)
	t.aux = -1
	kind := bracketKind(c)
	if l.open[kind] == 0 {
		l.stray = true
		return
	}
	for {
		top := l.stack[len(l.stack)-1]
		l.stack = l.stack[:len(l.stack)-1]
		topKind := bracketKind(l.toks[top].ch)
		l.open[topKind]--
		if topKind == kind {
			t.aux = top
			if l.toks[top].aux < 0 { // else another branch of an #if closed it
				l.toks[top].aux = at
			}
			return
		}
		l.stray = true
	}
}

// comment records a comment from p to end and returns end.
func (l *lexer) comment(p, end int) int {
	l.note(Comment, p, end)
	start := l.line
	l.countLines(p, end)
	own := len(l.toks) == 0 || l.lastLine() != start
	if last := len(l.comms) - 1; own && last >= 0 && l.comms[last].own && l.comms[last].end+1 == start {
		l.comms[last].end = l.line
		return end
	}
	l.comms = append(l.comms, comment{start, l.line, own})
	return end
}

// note records what is no token for scanners, but is one for Tokens.
func (l *lexer) note(kind TokenKind, p, end int) {
	l.stray = l.stray || l.unended && end == len(l.src)
	if l.stream {
		l.extra = append(l.extra, Token{Kind: kind, Unended: l.unended, Start: p, End: end})
	}
	l.unended = false
}

// lastLine is the line on which the last token ends.
func (l *lexer) lastLine() uint32 {
	t := &l.toks[len(l.toks)-1]
	if t.kind == tString {
		return t.line + uint32(t.aux)
	}
	return t.line
}

func (l *lexer) countLines(p, end int) {
	for ; p < end; p++ {
		if l.src[p] == '\n' {
			l.line++
		}
	}
}

// str records a string literal from p to end, which may span lines.
func (l *lexer) str(p, end int) int {
	start := l.line
	t := l.emit(tString, 0, p, end)
	l.stray = l.stray || l.unended && end == len(l.src)
	t.unended, l.unended = l.unended, false
	l.countLines(p, end)
	t.aux = int32(l.line - start)
	return end
}

// before reports whether the last token is an identifier that ends at p.
func (l *lexer) before(p int) (string, bool) {
	if len(l.toks) == 0 {
		return "", false
	}
	t := &l.toks[len(l.toks)-1]
	if t.kind != tIdent || int(t.end) != p {
		return "", false
	}
	return l.src[t.pos:t.end], true
}

// dropPrefix removes the identifier that ends at p, a string's prefix, and
// returns where it began.
func (l *lexer) dropPrefix(p int) int {
	if _, ok := l.before(p); !ok {
		return p
	}
	t := l.toks[len(l.toks)-1]
	l.toks = l.toks[:len(l.toks)-1]
	l.in.unuse(t.name)
	return int(t.pos)
}

// at reports whether the text continues with s at p.
func (l *lexer) at(p int, s string) bool { return p+len(s) <= len(l.src) && l.src[p:p+len(s)] == s }
