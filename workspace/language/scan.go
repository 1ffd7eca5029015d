package language

import (
	"slices"
	"strings"
)

// maxDepth bounds how deep scopes are scanned: anything deeper is skipped.
const maxDepth = 100

// maxAhead bounds how many tokens a scanner reads ahead to understand the
// current one, so that no text costs more than its length times maxAhead.
const maxAhead = 2000

// maxHead is how many lines of a type its signature shows.
const maxHead = 12

// A scan is one file being scanned: the lexer's tokens, and the definitions
// that the language's scanner has found in them so far.
type scan struct {
	lexer
	path    string
	pkg     string
	defs    []Found
	params  []NameID
	imports []Import
	depth   int
	far     bool // what one place has means something for another, anywhere in the file
}

// A language describes how the files of one language, or of several alike, are
// split into tokens and scanned.
type language struct {
	marks      string                // bytes that only the language's own lexer understands: special is called at each
	letters    string                // bytes of identifiers beyond letters, digits and _
	reserved   string                // words, space-separated, that do not count as uses of identifiers
	special    func(*lexer, int) int // reads what begins at an offset and returns the offset after it; nil: the text is not code
	digitQuote bool                  // ' separates digits
	operators  string                // of several bytes, space-separated, a longer one before its beginning
	exact      bool                  // in code that compiles, literals have ends and brackets match as this language is read here
	scan       func(*scan)           // finds definitions and imports in the tokens

	class  [256]byteClass // made from marks and letters
	words  []bool         // made from reserved, by NameID
	longer [256][]string  // made from operators, by first byte
}

// prepare makes the language's tables.
func (lang *language) prepare() {
	lang.words = wordSet(lang.reserved)
	lang.longer = [256][]string{}
	for _, op := range strings.Fields(lang.operators) {
		lang.longer[op[0]] = append(lang.longer[op[0]], op)
	}
	for b := range lang.class {
		lang.class[b] = classOf(byte(b))
	}
	for _, b := range []byte(lang.marks) {
		lang.class[b] = cSpecial
	}
	for _, b := range []byte(lang.letters) {
		lang.class[b] = cIdent
	}
}

// classOf is what nearly all languages share.
func classOf(c byte) byteClass {
	switch {
	case c == '\n':
		return cNewline
	case isSpace(c):
		return cSpace
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c >= 0x80:
		return cIdent
	case c >= '0' && c <= '9':
		return cDigit
	case c == '(' || c == '[' || c == '{':
		return cOpen
	case c == ')' || c == ']' || c == '}':
		return cClose
	}
	return cPunct
}

// declare notes the package, module or namespace of the file: the first one that is named.
func (s *scan) declare(name string) {
	if s.pkg == "" {
		s.pkg = name
	}
}

// begin prepares to read another text.
func (s *scan) begin(lang *language, path, src string) {
	s.src, s.lang, s.path, s.pkg = src, lang, path, ""
	s.in.forget()
	s.toks, s.comms, s.stack, s.resume = s.toks[:0], s.comms[:0], s.stack[:0], s.resume[:0]
	s.ifs, s.directs, s.extra = s.ifs[:0], s.directs[:0], s.extra[:0]
	s.open = [3]int{}
	s.defs, s.params, s.imports, s.depth = s.defs[:0], s.params[:0], nil, 0
	s.unended, s.glue, s.stray, s.far = false, false, false, false
}

// run lexes and scans one file. Its results stay valid until the next run.
func (s *scan) run(lang *language, path, src string) {
	s.begin(lang, path, src)
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
		d.Start = min(max(d.Start, 1), last)
		d.End = min(max(d.End, d.Start), last)
		d.Sig = min(max(d.Sig, d.Start), d.End)
		d.Doc = max(1, min(d.Doc, d.Start))
	}
	byPlace := func(a, b Found) int {
		if a.Start != b.Start {
			return int(a.Start) - int(b.Start)
		}
		return int(b.End) - int(a.End)
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
func (s *scan) word(i int) NameID { return s.tok(i).name }

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
func (s *scan) add(kind Kind, container string, name NameID, first, start, sig, end int) *Found {
	s.defs = append(s.defs, Found{Name: name, Kind: kind, Container: container, MinParams: Unknown, MaxParams: Unknown,
		Doc: s.docLine(first), Start: s.lineOf(start), Sig: s.lastLineOf(sig), End: s.lastLineOf(end), Params: uint32(len(s.params))})
	d := &s.defs[len(s.defs)-1]
	if kind.IsType() || kind == KindNamespace {
		d.Sig = min(d.End, d.Start+maxHead-1)
	}
	return d
}

// param adds a parameter to the definition added last.
func (s *scan) param(d *Found, name NameID) {
	s.params = append(s.params, name)
	d.NumParams++
}

// arity closes the parameter list of the definition added last.
func (d *Found) arity(least, most int) {
	d.callable = true
	d.MinParams, d.MaxParams = int16(min(least, 1<<14)), int16(min(most, 1<<14))
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
