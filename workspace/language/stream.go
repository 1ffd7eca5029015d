package language

// A TokenKind is the kind of a Token.
type TokenKind uint8

// The kinds of token. The last three are those of syntax.Python alone.
const (
	Name      TokenKind = iota // identifiers and reserved words
	Number                     // with its suffix
	String                     // a literal with its prefix: text, a character, a template, a regular expression
	Operator                   // a bracket, or punctuation
	Comment                    // up to its line's end, which does not belong to it, or to its end mark
	Directive                  // a preprocessor line, with the text that it leaves out
	Other                      // what is none of the others: a byte that means nothing, the tick of a lifetime
	Newline                    // end of a logical line
	Indent
	Dedent
)

// A Token is one token of a text. Lines and brackets are its reader's to count.
type Token struct {
	Kind       TokenKind
	Unended    bool // a literal or comment whose end is missing: it ends with its line or the text
	Start, End int  // byte offsets
}

// Tokens splits a text into tokens, in order, with nothing but white space
// between them (and a byte order mark before them). It never fails. lang is an
// editor's language id; a language that is not known as code has no tokens.
//
// Of the alternatives of an #if, only the first is split. A template is one
// literal, whatever is nested in it.
func Tokens(lang, src string) []Token { return stream(lang, src, false) }

// TokensInTemplates are the tokens of Tokens with those of the expressions in templates, each
// of which stands in braces between two literals: the first ends with the "$" before it.
func TokensInTemplates(lang, src string) []Token { return stream(lang, src, true) }

func stream(lang, src string, inside bool) []Token {
	read := languageOf(lang)
	if read.special == nil {
		return nil
	}
	s := scanners.Get().(*Scanner)
	defer scanners.Put(s)
	s.scan.begin(read, "", src)
	s.scan.stream = true
	s.scan.lex()
	st := streamer{lexer: &s.scan.lexer, out: make([]Token, 0, len(s.scan.toks)+len(s.scan.extra))}
	st.merge(inside)
	s.scan.src, s.scan.stream = "", false
	s.scan.in.Reset()
	return st.out
}

// Exact reports whether, in code of a language that compiles, literals have
// ends and brackets match as Tokens reads them.
func Exact(lang string) bool { return languageOf(lang).exact }

// A streamer makes the tokens of a lexer presentable.
type streamer struct {
	*lexer
	out []Token
	end int // of the last token
}

// merge orders tokens and what is none for scanners by their place.
func (s *streamer) merge(inside bool) {
	extra := s.extra
	for i := 0; i < len(s.toks); {
		t := &s.toks[i]
		for len(extra) > 0 && extra[0].Start <= int(t.pos) {
			s.put(extra[0])
			extra = extra[1:]
		}
		if t.pos == t.end || int(t.pos) < s.end { // the end, or the inside of a template
			i++
			continue
		}
		i = s.token(i, inside)
	}
	s.gap(int(s.toks[len(s.toks)-1].end))
}

// put appends a token, after one for what is between it and the last.
func (s *streamer) put(t Token) {
	s.gap(t.Start)
	s.out = append(s.out, t)
	s.end = max(s.end, t.End)
}

// gap appends what is left out before an offset and is not white space.
func (s *streamer) gap(to int) {
	for p := s.end; p < to; p++ {
		if isSpace(s.src[p]) || p == 0 && s.at(0, bom) {
			if p == 0 && s.at(0, bom) {
				p += len(bom) - 1
			}
			continue
		}
		q := p
		for q < to && !isSpace(s.src[q]) {
			q++
		}
		s.out = append(s.out, Token{Kind: Other, Start: p, End: q})
		p = q
	}
	s.end = max(s.end, to)
}

// token appends the i-th token and returns the number of the next.
func (s *streamer) token(i int, inside bool) int {
	t := &s.toks[i]
	out := Token{Kind: Operator, Unended: t.unended, Start: int(t.pos), End: int(t.end)}
	switch t.kind {
	case tIdent:
		out.Kind = Name
	case tNumber:
		out.Kind = Number
	case tString:
		out.Kind = String
		if !inside {
			out.End, out.Unended = s.template(i)
		}
	case tPunct:
		if s.fraction(i) {
			out.Kind, out.End = Number, int(s.toks[i+1].end)
		} else {
			out.End = s.operator(out.Start, out.End)
		}
	}
	s.put(out)
	for i++; i < len(s.toks)-1 && int(s.toks[i].pos) < out.End; i++ {
	}
	return i
}

// fraction reports whether the i-th token is the point of a number like .5.
func (s *streamer) fraction(i int) bool {
	t, next := &s.toks[i], &s.toks[i+1]
	if t.ch != '.' || next.kind != tNumber || next.pos != t.end || t.pos == 0 {
		return t.ch == '.' && t.pos == 0 && next.kind == tNumber && next.pos == t.end
	}
	switch class := s.lang.class[s.src[t.pos-1]]; class {
	case cIdent, cDigit, cClose:
		return false
	}
	return s.src[t.pos-1] != '.'
}

// operator is the end of the longest operator at an offset.
func (s *streamer) operator(start, end int) int {
	for _, op := range s.lang.longer[s.src[start]] {
		if s.at(start, op) {
			return start + len(op)
		}
	}
	return end
}

// template is the end of the literal i, of which the lexer may have made
// several with the expressions between them.
func (s *streamer) template(i int) (end int, unended bool) {
	for {
		t := &s.toks[i]
		open := &s.toks[min(i+1, len(s.toks)-1)]
		if s.src[t.end-1] != '$' || open.ch != '(' || open.pos != t.end || s.src[open.pos] != '{' {
			return int(t.end), t.unended
		}
		if int(open.aux) <= i {
			return len(s.src), true
		}
		i = int(open.aux) + 1
	}
}
