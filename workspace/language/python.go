package language

import "strings"

var python = &language{marks: "#\"'\\", special: pythonSpecial, scan: scanPython,
	operators: "**= //= >>= <<= ... := -> ** // << >> <= >= == != += -= *= /= %= &= |= ^= @=",
	reserved: "False None True and as assert async await break class continue def del elif else except finally for " +
		"from global if import in is lambda nonlocal not or pass raise return try while with yield self cls"}

func pythonSpecial(l *lexer, p int) int {
	switch c := l.src[p]; c {
	case '#':
		return l.lineComment(p)
	case '\\':
		l.glue = true
		return p + 1
	default:
		return pythonLexer{l}.literal(p)
	}
}

// A pythonLexer reads the literals of Python.
type pythonLexer struct{ *lexer }

// literal reads a literal and its prefix. The expressions in an f-string
// count as uses of the names in them.
func (l pythonLexer) literal(p int) int {
	start, formatted := p, false
	if prefix, ok := l.before(p); ok && len(prefix) <= 3 && strings.Trim(strings.ToLower(prefix), "bfrtu") == "" {
		start, formatted = l.dropPrefix(p), strings.ContainsAny(prefix, "fFtT")
	}
	end := 0
	switch {
	case formatted:
		var closed bool
		end, closed = formattedEnd(l.src, p, true, 0)
		l.unended = !closed
		l.interpolated(p+1, end)
	case l.at(p, `"""`) || l.at(p, "'''"):
		end = l.tripled(p, true)
	default:
		end = l.quoted(p, false)
	}
	return l.str(start, end)
}

// maxNesting bounds literals in expressions in literals.
const maxNesting = 8

// formattedEnd is the end of the literal whose quote is at an offset. In the
// expressions of a formatted one, other literals may stand.
func formattedEnd(src string, quote int, formatted bool, depth int) (end int, closed bool) {
	q := src[quote : quote+1]
	mark := q
	if strings.HasPrefix(src[quote:], q+q+q) {
		mark = q + q + q
	}
	braces := 0
	for i := quote + len(mark); i < len(src); i++ {
		switch c := src[i]; {
		case c == '\\' && braces == 0:
			i++
			if strings.HasPrefix(src[min(i, len(src)):], "\r\n") {
				i++
			}
		case strings.HasPrefix(src[i:], mark) && (braces == 0 || len(mark) == 3 || depth >= maxNesting || !nestedQuote(src, i, q)):
			return i + len(mark), true
		case c == '\n' && len(mark) == 1 && braces == 0:
			return i, false
		case !formatted:
		case c == '{' && braces == 0 && i+1 < len(src) && src[i+1] == '{':
			i++
		case c == '{':
			braces++
		case c == '}' && braces > 0:
			braces--
		case (c == '"' || c == '\'') && braces > 0:
			inner, ok := formattedEnd(src, i, false, depth+1)
			if !ok {
				return inner, false
			}
			i = inner - 1
		}
	}
	return len(src), false
}

// nestedQuote reports whether a quote inside the braces of a literal with the same quote
// begins another literal. It does if that literal ends on the same line and the brace is
// closed after it.
func nestedQuote(src string, at int, q string) bool {
	line := src[at+1 : min(len(src), at+1+maxAhead)]
	line = line[:lineEnd(line, 0)]
	end := strings.Index(line, q)
	return end >= 0 && strings.Contains(line[end:], "}") && strings.Contains(line[end+1:], q)
}

// A pyScope is a class or function whose body is being scanned.
type pyScope struct {
	indent    int
	def       int // index into scan.defs
	class     bool
	container string // of what is defined inside
	owner     string // the class that self belongs to
}

// A pyScan is the state of scanning one Python file.
type pyScan struct {
	*scan
	scopes []pyScope
	seen   map[string]bool // variables and fields so far, by container and name
	deco   int             // first token of the decorators read, or -1
	line   [2]int          // tokens of the last logical line that was read
}

func scanPython(s *scan) {
	p := pyScan{scan: s, seen: map[string]bool{}, deco: -1}
	for i := 0; i < s.end(); {
		p.close(p.indent(i), i)
		i = p.statement(i)
	}
	p.close(-1, s.end())
}

// indent is the column of token i, or the scope's own level when it is not the
// first on its line.
func (p *pyScan) indent(i int) int {
	if !p.startsLine(i) {
		if n := len(p.scopes); n > 0 {
			return p.scopes[n-1].indent + 1
		}
		return 0
	}
	column := 0
	pos := int(p.tok(i).pos)
	start := strings.LastIndexByte(p.src[:pos], '\n') + 1
	for _, c := range []byte(p.src[start:pos]) {
		switch c {
		case '\t':
			column = column/8*8 + 8
		case '\f':
			column = 0
		case 0xef, 0xbb, 0xbf:
		default:
			column++
		}
	}
	return column
}

// close ends the scopes that a statement at this indentation is not part of.
func (p *pyScan) close(indent, i int) {
	for n := len(p.scopes); n > 0 && indent <= p.scopes[n-1].indent; n-- {
		d := &p.defs[p.scopes[n-1].def]
		d.End = p.lastLineOf(i - 1)
		if d.Kind.IsType() {
			d.Sig = max(d.Sig, min(d.End, d.Start+maxHead-1))
		}
		p.scopes = p.scopes[:n-1]
	}
}

func (p *pyScan) scope() pyScope {
	if n := len(p.scopes); n > 0 {
		return p.scopes[n-1]
	}
	return pyScope{indent: -1, class: false}
}

// logicalEnd is the token after the logical line that continues at i.
func (p *pyScan) logicalEnd(i int) int {
	if i <= p.line[0] || i >= p.line[1] {
		p.line = [2]int{i, p.findEnd(i)}
	}
	return p.line[1]
}

func (p *pyScan) findEnd(i int) int {
	for i < p.end() && p.ch(i) != ';' {
		i = p.next(i)
		if p.startsLine(i) && !p.tok(i).glued {
			return i
		}
	}
	return min(i, p.end())
}

func (p *pyScan) statement(i int) int {
	end := p.logicalEnd(i)
	if end == i {
		return i + 1 // a semicolon
	}
	if p.ch(i) == '@' {
		if p.deco < 0 {
			p.deco = i
		}
		return end
	}
	first := i
	if p.deco >= 0 {
		first = p.deco
	}
	at := i
	if p.word(at) == kwAsync {
		at++
	}
	switch p.word(at) {
	case kwDef:
		end = p.function(first, i, at+1)
	case kwClass:
		end = p.class(first, i)
	case kwImport:
		p.plainImport(i+1, end)
	case kwFrom:
		p.fromImport(i+1, end)
	default:
		end = p.other(i, end)
	}
	p.deco = -1
	return end
}

// other reads an assignment, or continues with the statement after a colon.
func (p *pyScan) other(i, end int) int {
	if p.reserved(i) && p.word(i) != kwSelf {
		for j := i + 1; j < end; j = p.next(j) {
			if p.ch(j) == ':' && !p.startsLine(j+1) && j+1 < end {
				return j + 1 // if x: import y
			}
		}
		return end
	}
	if p.word(i) == kwType && p.isIdent(i+1) && (p.ch(i+2) == '=' || p.ch(i+2) == '[') {
		d := p.add(KindType, p.scope().container, p.word(i+1), i, i, end-1, end-1)
		d.Exported = publicPython(p.name(i + 1))
		value := i + 2
		for value < end && p.ch(value) != '=' {
			value = p.next(value)
		}
		d.Type = p.text(value+1, end)
		return end
	}
	p.assignment(i, end)
	return end
}

func publicPython(name string) bool {
	return !strings.HasPrefix(name, "_") || strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
}

// function reads the def whose name is token n and opens its scope.
func (p *pyScan) function(first, i, n int) int {
	open := n + 1
	if p.ch(open) == '[' {
		open = p.next(open)
	}
	end := p.closing(open)
	if !p.isIdent(n) || p.ch(open) != '(' || end < 0 {
		return p.logicalEnd(i)
	}
	outer := p.scope()
	d, colon := p.headed(KindFunc, first, i, n, end+1)
	d.Type = p.text(end+3, colon)
	decorators := p.text(first, i)
	if outer.class {
		d.Kind = methodKind(p.name(n), decorators)
	}
	receiver := outer.class && !strings.Contains(decorators, "staticmethod")
	p.parameters(d, open+1, end, receiver)
	p.open(p.indent(i), p.name(n), false)
	return p.into(colon)
}

// headed adds the function or the class whose name is token n; the colon that ends its header
// is looked for from a token on.
func (p *pyScan) headed(kind Kind, first, i, n, from int) (d *Found, colon int) {
	colon = from
	for colon < p.end() && p.ch(colon) != ':' && !p.startsLine(colon) {
		colon = p.next(colon)
	}
	outer := p.scope()
	d = p.add(kind, outer.container, p.word(n), first, i, colon, colon)
	d.Local = len(p.scopes) > 0 && !outer.class
	d.Exported = publicPython(p.name(n)) && !d.Local
	return d, colon
}

func methodKind(name, decorators string) Kind {
	switch {
	case name == "__init__":
		return KindConstructor
	case strings.Contains(decorators, "property") || strings.Contains(decorators, ".setter"):
		return KindProperty
	}
	return KindMethod
}

// into is the token after a header's colon. A body on the same line belongs to
// the scope; indent handles that.
func (p *pyScan) into(colon int) int { return min(colon+1, p.end()) }

func (p *pyScan) open(indent int, name string, class bool) {
	outer := p.scope()
	in := pyScope{indent: indent, def: len(p.defs) - 1, class: class, container: within(outer.container, name)}
	switch {
	case class:
		in.owner = in.container
	case outer.class:
		in.owner = outer.owner
	}
	p.scopes = append(p.scopes, in)
}

// parameters reads the list between two parentheses.
func (p *pyScan) parameters(d *Found, i, end int, receiver bool) {
	least, most, variadic := 0, 0, false
	for n := 0; i < end; n++ {
		from := i
		for i < end && p.ch(i) != ',' {
			if p.isIdent(i) && p.text(i, i+1) == "lambda" { // its own parameters
				for i < end && p.ch(i) != ':' {
					i = p.next(i)
				}
				continue
			}
			i = p.next(i)
		}
		star := p.ch(from) == '*'
		for p.ch(from) == '*' {
			from++
		}
		if from < i && p.isIdent(from) && !(receiver && n == 0) {
			p.param(d, p.word(from))
			switch {
			case star:
				variadic = true
			case !p.hasDefault(from, i):
				least++
			}
			most++
		}
		i++
	}
	if variadic {
		most = Variadic
	}
	d.arity(least, most)
}

func (p *pyScan) hasDefault(i, end int) bool {
	for ; i < end; i = p.next(i) {
		if p.ch(i) == '=' {
			return true
		}
	}
	return false
}

func (p *pyScan) class(first, i int) int {
	n := i + 1
	if !p.isIdent(n) {
		return p.logicalEnd(i)
	}
	d, colon := p.headed(KindClass, first, i, n, n+1)
	if p.ch(colon-1) == ')' {
		d.Type = strings.Trim(p.text(n+1, colon), "() \n")
	}
	at := len(p.defs) - 1
	p.open(p.indent(i), p.name(n), true)
	p.scopes[len(p.scopes)-1].def = at
	return p.into(colon)
}

// assignment reads the names that a statement assigns to: variables of the
// module, fields of a class, and self.x in a method.
func (p *pyScan) assignment(i, end int) {
	scope := p.scope()
	if p.ch(i+1) == '.' && scope.owner != "" && !scope.class && p.isIdent(i+2) && p.assigns(i+3) {
		if p.word(i) == kwSelf {
			p.variable(KindField, scope.owner, i, i+2, end)
		}
		return
	}
	kind := KindVar
	if scope.class {
		kind = KindField
	} else if len(p.scopes) > 0 {
		return
	}
	for j := i; j < end && p.isIdent(j) && !p.reserved(j); {
		if !p.assigns(j+1) && p.ch(j+1) != ',' {
			return
		}
		p.variable(kind, scope.container, i, j, end)
		if p.ch(j+1) == ':' {
			return // what follows is a type
		}
		j += 2
	}
}

// assigns reports whether token i assigns a value or a type to what is before
// it.
func (p *pyScan) assigns(i int) bool {
	switch p.ch(i) {
	case '=':
		return !p.pair(i, '=', '=')
	case ':':
		return p.ch(i+1) != '='
	}
	return false
}

func (p *pyScan) variable(kind Kind, container string, i, n, end int) {
	key := container + "." + p.name(n)
	if p.seen[key] {
		return
	}
	p.seen[key] = true
	d := p.add(kind, container, p.word(n), i, i, end-1, end-1)
	d.Sig = min(d.End, d.Start+maxHead-1)
	d.Exported = publicPython(p.name(n))
	if p.ch(n+1) != ':' {
		return
	}
	value := n + 2
	for value < end && p.ch(value) != '=' {
		value = p.next(value)
	}
	d.Type = p.text(n+2, value)
}

// dotted is the module path that begins at i, and the token after it.
func (p *pyScan) dotted(i, end int) (string, int) {
	from := i
	for i < end && (p.ch(i) == '.' || p.isIdent(i) && !p.reserved(i)) {
		if i > from && p.isIdent(i) && p.isIdent(i-1) {
			break
		}
		i++
	}
	return strings.ReplaceAll(p.text(from, i), " ", ""), i
}

// alias is the name after "as" at i, and the token after it.
func (p *pyScan) alias(i, end int) (string, int) {
	if i+1 < end && p.word(i) == kwAs {
		return p.name(i + 1), i + 2
	}
	return "", i
}

func (p *pyScan) plainImport(i, end int) {
	for i < end {
		im := Import{Line: int(p.lineOf(i))}
		im.Path, i = p.dotted(i, end)
		im.Alias, i = p.alias(i, end)
		if im.Path != "" {
			p.imports = append(p.imports, im)
		}
		i++
	}
}

func (p *pyScan) fromImport(i, end int) {
	path, i := p.dotted(i, end)
	if p.word(i) != kwImport {
		return
	}
	i++
	if c := p.closing(i); c >= 0 {
		i, end = i+1, c
	}
	for i < end {
		im := Import{Path: path, Name: p.name(i), Line: int(p.lineOf(i))}
		if p.ch(i) == ',' {
			i++
			continue
		}
		im.Alias, i = p.alias(i+1, end)
		p.imports = append(p.imports, im)
	}
}
