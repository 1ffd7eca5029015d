package index

import (
	"slices"
	"sync"
)

// maxDepth bounds how deep scopes are scanned: anything deeper is skipped.
const maxDepth = 100

// maxAhead bounds how many tokens a scanner reads ahead to understand the
// current one, so that no text costs more than its length times maxAhead.
const maxAhead = 2000

// maxHead is how many lines of a type its signature shows.
const maxHead = 12

// A found is a definition as a scanner records it: names as numbers.
type found struct {
	name      nameID
	kind      Kind
	exported  bool
	local     bool
	callable  bool // has a parameter list
	min, max  int16
	doc       uint32
	start     uint32
	sig, end  uint32
	params    uint32 // first of numParams entries of scan.params
	numParams uint32
	container string
	typ       string
}

// A scan is one file being scanned: the lexer's tokens, and the definitions
// that the language's scanner has found in them so far.
type scan struct {
	lexer
	path    string
	pkg     string
	defs    []found
	params  []nameID
	imports []Import
	depth   int
}

// A language describes how one language is lexed and scanned.
type language struct {
	id         string
	class      [256]byteClass
	words      []bool // by nameID: reserved
	special    func(*lexer, int) int
	digitQuote bool // ' separates digits
	scan       func(*scan)
	prose      bool // text, not code: no identifiers
}

// baseClass is what nearly all languages share; special bytes are added.
func baseClass(special, identifier string) [256]byteClass {
	var class [256]byteClass
	for c := range class {
		switch {
		case c == '\n':
			class[c] = cNewline
		case c <= ' ' || c == 0x7f:
			class[c] = cSpace
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c >= 0x80:
			class[c] = cIdent
		case c >= '0' && c <= '9':
			class[c] = cDigit
		case c == '(' || c == '[' || c == '{':
			class[c] = cOpen
		case c == ')' || c == ']' || c == '}':
			class[c] = cClose
		}
	}
	for _, c := range []byte(special) {
		class[c] = cSpecial
	}
	for _, c := range []byte(identifier) {
		class[c] = cIdent
	}
	return class
}

// scanners keeps interners and buffers between calls of Scan.
var scanners = sync.Pool{New: func() any { return &scan{lexer: lexer{in: newInterner(false)}} }}

// run lexes and scans one file. Its results stay valid until the next run.
func (s *scan) run(lang *language, path, src string) {
	s.src, s.lang, s.path, s.pkg = src, lang, path, ""
	s.in.forget()
	s.toks, s.comms, s.stack, s.resume = s.toks[:0], s.comms[:0], s.stack[:0], s.resume[:0]
	s.ifs, s.directs = s.ifs[:0], s.directs[:0]
	s.open = [3]int{}
	s.defs, s.params, s.imports, s.depth = s.defs[:0], s.params[:0], nil, 0
	if lang.special != nil {
		s.lex()
	} else {
		s.line = 1
		s.countLines(0, len(src))
	}
	lang.scan(s)
	s.finish()
}

// finish orders the definitions and makes their line ranges satisfy what Def
// documents.
func (s *scan) finish() {
	last := uint32(lineCount(s.src, s.line))
	for i := range s.defs {
		d := &s.defs[i]
		d.start = min(max(d.start, 1), last)
		d.end = min(max(d.end, d.start), last)
		d.sig = min(max(d.sig, d.start), d.end)
		d.doc = max(1, min(d.doc, d.start))
	}
	byPlace := func(a, b found) int {
		if a.start != b.start {
			return int(a.start) - int(b.start)
		}
		return int(b.end) - int(a.end)
	}
	if !slices.IsSortedFunc(s.defs, byPlace) {
		slices.SortStableFunc(s.defs, byPlace)
	}
}

// lineCount is the number of lines, where line is the line of the text's end: a
// final line end does not begin another line.
func lineCount(src string, line uint32) int {
	if len(src) > 0 && src[len(src)-1] == '\n' && line > 1 {
		return int(line) - 1
	}
	return int(line)
}

// tok is the i-th token, or the end of the file.
func (s *scan) tok(i int) *token {
	if i < 0 || i >= len(s.toks) {
		i = len(s.toks) - 1
	}
	return &s.toks[i]
}

// ch is the byte of the i-th token, 0 if it is not punctuation.
func (s *scan) ch(i int) byte { return s.tok(i).ch }

// word is the number of the i-th token's identifier, 0 if it is none.
func (s *scan) word(i int) nameID { return s.tok(i).name }

func (s *scan) isIdent(i int) bool { return s.tok(i).kind == tIdent }

// reserved reports whether token i is one of the language's own words.
func (s *scan) reserved(i int) bool {
	id := int(s.word(i))
	return id < len(s.lang.words) && s.lang.words[id]
}

// pair reports whether token i is this operator of two adjacent bytes.
func (s *scan) pair(i int, a, b byte) bool {
	t, u := s.tok(i), s.tok(i+1)
	return t.ch == a && u.ch == b && t.end == u.pos
}

// closing is the token that closes the bracket i, or -1.
func (s *scan) closing(i int) int {
	t := s.tok(i)
	if t.kind != tPunct || int(t.aux) <= i || (t.ch != '(' && t.ch != '[' && t.ch != '{') {
		return -1
	}
	return int(t.aux)
}

// next is the token after i, or after the bracket that i opens.
func (s *scan) next(i int) int {
	if c := s.closing(i); c >= 0 {
		return c + 1
	}
	return i + 1
}

// end is the number of tokens without the final one.
func (s *scan) end() int { return len(s.toks) - 1 }

// line is the line on which token i begins, and lastLine where it ends.
func (s *scan) lineOf(i int) uint32 { return s.tok(i).line }

func (s *scan) lastLineOf(i int) uint32 {
	t := s.tok(i)
	if t.kind == tString {
		return t.line + uint32(t.aux)
	}
	return t.line
}

// startsLine reports whether token i is the first on its line.
func (s *scan) startsLine(i int) bool { return i == 0 || s.lastLineOf(i-1) < s.lineOf(i) }

// text is the source from token i up to token j.
func (s *scan) text(i, j int) string {
	if j <= i || i >= s.end() {
		return ""
	}
	return s.src[s.tok(i).pos:s.tok(min(j, s.end())-1).end]
}

// name is the text of token i.
func (s *scan) name(i int) string { t := s.tok(i); return s.src[t.pos:t.end] }

// docLine is the first line of the comment directly above the token i, or the
// line of the token.
func (s *scan) docLine(i int) uint32 {
	t := s.tok(i)
	if t.comments > 0 {
		if c := s.comms[t.comments-1]; c.own && c.end+1 == t.line {
			return c.start
		}
	}
	return t.line
}

// add records a definition and returns it; it is valid until the next add.
func (s *scan) add(kind Kind, container string, name nameID, first, start, sig, end int) *found {
	s.defs = append(s.defs, found{name: name, kind: kind, container: container, min: Unknown, max: Unknown,
		doc: s.docLine(first), start: s.lineOf(start), sig: s.lastLineOf(sig), end: s.lastLineOf(end), params: uint32(len(s.params))})
	d := &s.defs[len(s.defs)-1]
	if kind.IsType() || kind == KindNamespace {
		d.sig = min(d.end, d.start+maxHead-1)
	}
	return d
}

// param adds a parameter to the definition added last.
func (s *scan) param(d *found, name nameID) {
	s.params = append(s.params, name)
	d.numParams++
}

// arity closes the parameter list of the definition added last.
func (d *found) arity(least, most int) {
	d.callable = true
	d.min, d.max = int16(min(least, 1<<14)), int16(min(most, 1<<14))
}

// enter reports whether another level of scopes may be scanned.
func (s *scan) enter() bool {
	s.depth++
	return s.depth <= maxDepth
}

func (s *scan) exit() { s.depth-- }

// within is the container of what is defined inside name.
func within(container, name string) string {
	switch {
	case container == "":
		return name
	case name == "":
		return container
	}
	return container + "." + name
}

// Scan reads one file. It never fails: text that it does not understand is
// skipped. lang is an editor's language id; where it is "" or unknown, the
// language is derived from the path and the text.
func Scan(lang, path, src string) *FileScan {
	lang = languageFor(lang, path, src)
	s := scanners.Get().(*scan)
	defer scanners.Put(s)
	s.run(languageOf(lang), path, src)
	out := &FileScan{Language: lang, Package: s.pkg, Imports: s.imports, Lines: lineCount(src, s.line)}
	out.Defs = make([]Def, len(s.defs))
	for i := range s.defs {
		out.Defs[i] = s.public(&s.defs[i])
	}
	for _, id := range s.in.touched {
		out.Idents = append(out.Idents, Ident{s.in.names[id], int(s.in.counts[id])})
	}
	s.src = ""
	s.in.reset()
	return out
}

func (s *scan) public(d *found) Def {
	out := Def{Name: s.in.names[d.name], Kind: d.kind, Container: d.container, Exported: d.exported, Local: d.local,
		DocLine: int(d.doc), StartLine: int(d.start), SigEndLine: int(d.sig), EndLine: int(d.end),
		MinParams: int(d.min), MaxParams: int(d.max), Type: d.typ}
	for _, id := range s.params[d.params : d.params+d.numParams] {
		out.Params = append(out.Params, s.in.names[id])
	}
	return out
}
