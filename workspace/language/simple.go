package language

import (
	"slices"
	"strings"
)

// A simple is a language that needs no scanner of its own: it describes the words that
// begin definitions, and how a body ends.
type simple struct {
	words    map[string]Kind // keyword -> what it defines
	line     string          // first bytes of line comments, space-separated
	block    bool            // /* */ comments
	nested   bool            // which nest
	exact    bool            // as language.exact; then a literal ends on its line, unless it is in triple quotes
	tick     bool            // ' begins a name where it begins no character
	ends     bool            // bodies end with a word at the definition's own column, not with a brace
	last     bool            // a parameter's name comes last (Type name), not first
	letters  string          // further bytes of identifiers
	quotes   string          // quotes of literals
	fold     bool            // words in either case
	bareFunc bool            // name() { defines a function
}

// maxModifiers is how many words may come before a definition's keyword.
const maxModifiers = 20

func kinds(pairs ...any) map[string]Kind {
	out := map[string]Kind{}
	for i := 0; i < len(pairs); i += 2 {
		for _, word := range strings.Fields(pairs[i+1].(string)) {
			out[word] = pairs[i].(Kind)
		}
	}
	return out
}

// simpleWords are reserved in every simple language.
const simpleWords = "and begin break case class def default do else elsif elif end endif enum esac extends false fi for from " +
	"func function if import in interface let local module nil not null or override package private protected public " +
	"return self static struct super then this throw true try until val var void while fun object trait echo export done"

// language is what reads the languages of this description.
func (lang simple) language() *language {
	marks := lang.quotes
	for _, mark := range strings.Fields(lang.line) {
		marks += mark[:1]
	}
	if lang.block {
		marks += "/"
	}
	d := &lang
	return &language{marks: marks, letters: lang.letters, reserved: simpleWords, special: d.special, scan: d.scan, exact: lang.exact}
}

// special lexes comments and literals.
func (lang *simple) special(l *lexer, p int) int {
	for rest := lang.line; rest != ""; {
		var mark string
		mark, rest, _ = strings.Cut(rest, " ")
		if l.at(p, mark) && (mark != "#" || p == 0 || l.src[p-1] != '$') {
			return l.lineComment(p)
		}
	}
	if lang.nested && l.at(p, "/*") {
		return l.nestedComment(p)
	}
	if lang.block && l.at(p, "/*") {
		return l.blockComment(p)
	}
	if strings.IndexByte(lang.quotes, l.src[p]) < 0 {
		l.punct(p, l.src[p])
		return p + 1
	}
	if l.at(p, `"""`) || lang.exact && l.at(p, "'''") {
		end := l.tripled(p, true)
		for end < len(l.src) && l.src[end] == l.src[p] {
			end++ // quotes before the end mark belong to the text
		}
		return l.str(p, end)
	}
	if lang.tick && l.src[p] == '\'' {
		return l.charOrTick(p)
	}
	if lang.exact {
		return l.str(p, l.quoted(p, false))
	}
	if word, ok := l.before(p); ok && l.src[p] == '\'' && word != "" {
		return p + 1 // an apostrophe
	}
	return l.str(p, l.quoted(p, l.src[p] != '\''))
}

// A simpleScan is the state of scanning one file of a simple language.
type simpleScan struct {
	*scan
	lang *simple
}

// scan finds the definitions, then which definitions are inside others.
func (lang *simple) scan(file *scan) {
	s := simpleScan{file, lang}
	for i := 0; i < s.end(); i++ {
		switch {
		case !s.isIdent(i) || s.ch(i-1) == '.':
		case lang.fold && s.is(i, "create"):
			s.sqlCreate(i)
		default:
			s.definition(i)
		}
	}
	s.finish()
	s.nest()
}

// is reports whether token i is a word, in either case.
func (s simpleScan) is(i int, word string) bool { return strings.EqualFold(s.name(i), word) }

func (s simpleScan) definition(i int) {
	word := s.name(i)
	if s.lang.fold {
		word = strings.ToLower(word)
	}
	kind, ok := s.lang.words[word]
	if !ok {
		if s.lang.bareFunc && s.startsLine(i) && s.ch(i+1) == '(' && s.ch(s.next(i+1)) == '{' {
			s.record(KindFunc, i, i)
		}
		return
	}
	n := i + 1
	if s.ch(n) == '<' {
		n = s.skipAngle(n, s.end())
	}
	if s.ch(n) == '(' && s.lang.fold {
		n++ // cmake
	}
	for s.isIdent(n) && (s.ch(n+1) == '.' || s.ch(n+1) == ':' && s.lang.ends) && s.isIdent(n+2) {
		n += 2
	}
	if s.isIdent(n) && s.lineOf(n) == s.lineOf(i) && s.begins(i) {
		s.record(kind, i, n)
	}
}

// begins reports whether the keyword i begins a statement: nothing but
// modifiers is before it on its line.
func (s simpleScan) begins(i int) bool {
	for far := i - maxModifiers; !s.startsLine(i); i-- {
		if i < far {
			return false
		}
		if prev := s.tok(i - 1); prev.kind != tIdent && prev.ch != '}' && prev.ch != '{' && prev.ch != ';' && prev.ch != ')' && prev.ch != '@' && prev.ch != ']' {
			return false
		}
	}
	return true
}

// record adds the definition whose keyword is token i and whose name is n.
func (s simpleScan) record(kind Kind, i, n int) {
	first := i
	for i-first < maxModifiers && !s.startsLine(first) {
		first--
	}
	sig, last := n, n
	if s.lang.ends {
		last = s.endWord(first)
	} else {
		sig, last = s.braces(n)
	}
	d := s.add(kind, "", s.word(n), first, first, sig, max(last, n))
	if !kind.IsFunc() {
		d.Sig = min(d.End, d.Start+maxHead-1)
	}
	modifiers := s.text(first, i)
	d.Exported = !strings.Contains(modifiers, "private") && !strings.HasPrefix(s.name(n), "_")
	if owner := s.name(n - 2); (s.ch(n-1) == '.' || s.ch(n-1) == ':' && s.lang.ends) && owner != "self" {
		d.Container = owner
	}
	open := n + 1
	if s.ch(open) == '<' {
		open = s.skipAngle(open, s.end())
	}
	if cl := s.closing(open); kind.IsFunc() && s.ch(open) == '(' && cl >= 0 {
		s.parameters(d, open+1, cl)
	}
}

// parameters reads a list of parameters of any shape.
func (s simpleScan) parameters(d *Found, i, end int) {
	least, most := 0, 0
	for i < end {
		name, optional, from := -1, false, i
		for ; i < end && s.ch(i) != ','; i = s.next(i) {
			optional = optional || s.ch(i) == '='
			if s.isIdent(i) && !optional && (name < 0 || s.lang.last || s.isIdent(i-1) && i-1 == name && s.ch(i+1) == ':') {
				name = i
			}
		}
		if name >= from {
			s.param(d, s.word(name))
			if most++; !optional {
				least++
			}
		}
		i++
	}
	d.arity(least, most)
}

// braces finds the body after token i: its brace, if that comes before the
// definition's line ends, and what closes it.
func (s simpleScan) braces(i int) (sig, last int) {
	for k := i; k < min(s.end(), i+maxAhead); k = s.next(k) {
		switch {
		case s.ch(k) == '{' && s.closing(k) >= 0:
			return k, s.closing(k)
		case s.ch(k) == ';' || s.ch(k) == '}':
			return max(k-1, i), max(k-1, i)
		case k > i+1 && s.startsLine(k) && s.ch(k) != ':' && s.ch(k-1) != ',' && s.ch(k-1) != ':' && s.ch(k-1) != '=':
			return k - 1, k - 1
		}
	}
	return i, i
}

// endWord is the word that ends the body of what begins with token i: the
// first at its column or left of it.
func (s simpleScan) endWord(i int) int {
	column := s.column(i)
	for k := i + 1; k < s.end(); k++ {
		if s.lineOf(k) == s.lineOf(i) && s.name(k) == "end" {
			return k
		}
		if !s.startsLine(k) || s.column(k) > column {
			continue
		}
		if strings.HasPrefix(s.name(k), "end") {
			return k
		}
		if s.lineOf(k) > s.lineOf(i) && s.ch(k) == 0 {
			return k - 1
		}
	}
	return s.end() - 1
}

func (s simpleScan) column(i int) int {
	pos := int(s.tok(i).pos)
	from := max(0, pos-maxAhead)
	return pos - from - strings.LastIndexByte(s.src[from:pos], '\n')
}

// sqlCreate reads create table, view, function and so on.
func (s simpleScan) sqlCreate(i int) {
	kind := KindUnknown
	n := i + 1
	for ; n < i+8 && kind == KindUnknown; n++ {
		switch strings.ToLower(s.name(n)) {
		case "table", "view", "type":
			kind = KindStruct
		case "function", "procedure", "trigger":
			kind = KindFunc
		case "index", "sequence", "schema", "database":
			kind = KindOther
		}
	}
	for s.is(n, "if") || s.is(n, "not") || s.is(n, "exists") {
		n++
	}
	for s.ch(n+1) == '.' && s.isIdent(n+2) {
		n += 2
	}
	if kind == KindUnknown || !s.isIdent(n) {
		return
	}
	last := n
	for last < min(s.end()-1, n+maxAhead) && s.ch(last) != ';' {
		last = s.next(last)
	}
	d := s.add(kind, "", s.word(n), i, i, last, min(last, s.end()-1))
	d.Sig = min(d.End, d.Start+maxHead-1)
	d.Exported = true
}

// nest sets the containers of definitions that are inside others.
func (s simpleScan) nest() {
	var open []Found
	for i := range s.defs {
		d := &s.defs[i]
		open = slices.DeleteFunc(open, func(o Found) bool { return o.End < d.Start || o.End == d.Start && o.Start == d.Start })
		for _, o := range open {
			if o.End >= d.End {
				d.Container = within(d.Container, s.in.Name(o.Name))
				d.Local = d.Local || o.Kind.IsFunc()
				if d.Kind == KindFunc && o.Kind.IsType() {
					d.Kind = KindMethod
				} else if d.Kind == KindVar && o.Kind.IsType() {
					d.Kind = KindField
				}
			}
		}
		if len(open) < maxDepth && (d.Kind.IsType() || d.Kind == KindNamespace || d.Kind.IsFunc()) {
			open = append(open, *d)
		}
	}
}
