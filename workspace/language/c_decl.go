package language

import "strings"

// A cDecl is one C or C++ declaration being read: what comes before a name is
// its type, and what comes after shows what the name is.
type cDecl struct {
	*cScan
	first, at, end int // first token with and without templates and attributes; where its scope ends
	scope          cScope
	name           int      // token of the name, or -1
	quals          []string // A, B in A::B::name
	chain          int      // first token of the qualified name
	op             int      // token of operator, or -1
	inner          int      // parameters of a function that returns a function, in (*name(...))(...); or 0
	typeEnd        int      // token after a type with a body, or -1
	typeFrom       int      // first token of the type, 0 for at
	typedef        bool
	static         bool
	friend         bool
	tag            string // struct or union that the declaration itself defines or names
}

// read reads the declaration and returns the token after it.
func (d *cDecl) read() int {
	i := d.at
	for i < d.end {
		switch ch := d.ch(i); ch {
		case 0:
			next, done := d.takeWord(i)
			if done {
				return next
			}
			i = next
		case ':':
			if d.pair(i, ':', ':') {
				d.qualify(i)
				i += 2
				continue
			}
			if d.typeEnd < 0 && d.name < 0 {
				return i + 1
			}
			i++ // a bit field's width
		case '<':
			i = d.angle(i)
		case '(':
			next, done := d.paren(i)
			if done {
				return next
			}
			i = next
		case '[':
			i = d.next(i)
		case '~', '*', '&':
			i++
		case '=', ',', ';', '{':
			if d.inner > 0 {
				return d.function(d.inner, d.closing(d.inner), i)
			}
			return d.variables(i)
		case '}', ')', ']':
			return i + 1
		default:
			i++
		}
	}
	return i
}

// angle skips template arguments.
func (d *cDecl) angle(i int) int {
	if d.plus {
		return d.skipAngle(i, d.end)
	}
	return i + 1
}

// qualify records that the name before i qualifies the one after it.
func (d *cDecl) qualify(i int) {
	if d.name >= 0 && d.tok(i).pos >= d.tok(d.name).end {
		if len(d.quals) == 0 {
			d.chain = d.name
		}
		d.quals = append(d.quals, d.nameText())
	}
}

func (d *cDecl) nameText() string { return d.cScan.scan.name(d.name) }

// takeWord reads a word: a keyword, or perhaps the name.
func (d *cDecl) takeWord(i int) (next int, done bool) {
	switch d.word(i) {
	case kwTypedef:
		d.typedef = true
		if d.at == i {
			d.typeFrom = i + 1
		}
		return i + 1, false
	case kwStatic:
		d.static = true
		return i + 1, false
	case kwClass, kwStruct, kwUnion, kwEnum:
		return d.typeHead(i)
	case kwNamespace, kwTemplate, kwUsing, kwPublic, kwProtected, kwPrivate:
		if i > d.at {
			return i, true // what was read is a macro without a semicolon
		}
	case kwOperator:
		d.op = i
		return d.operator(i), false
	}
	if !d.isIdent(i) {
		return i + 1, false
	}
	switch text := d.scan.name(i); {
	case strings.HasPrefix(text, "__attribute") || text == "__declspec" || text == "alignas" || text == "_Alignas" ||
		text == "decltype" || text == "__asm__" || text == "asm" || text == "__typeof__" || text == "typeof" ||
		text == "explicit" || text == "requires" || text == "noexcept":
		if d.ch(i+1) == '(' {
			return d.next(i + 1), false
		}
		return i + 1, false
	case text == "friend":
		d.friend = true
		return i + 1, false
	case d.reserved(i):
		if d.isStatement(i) {
			return d.semicolon(i, d.end) + 1, true
		}
		return i + 1, false
	}
	if !d.pair(i-2, ':', ':') || d.name < 0 {
		if !(i > 0 && d.ch(i-1) == '~' && d.pair(i-3, ':', ':')) {
			d.quals = d.quals[:0]
		}
	}
	d.name = i
	return i + 1, false
}

// isStatement reports whether the word i begins something that no declaration
// contains.
func (d *cDecl) isStatement(i int) bool {
	switch d.word(i) {
	case kwIf, kwFor, kwWhile, kwReturn, kwDo, kwElse, kwCase:
		return true
	}
	return d.scan.name(i) == "static_assert" || d.scan.name(i) == "switch"
}

// operator is the parenthesis that opens the parameters of an operator.
func (d *cDecl) operator(i int) int {
	if len(d.quals) == 0 || !d.pair(i-2, ':', ':') {
		d.quals = d.quals[:0]
	}
	d.name = i
	k := i + 1
	if d.ch(k) == '(' && d.ch(k+1) == ')' {
		return k + 2
	}
	for k < d.end && d.ch(k) != '(' && d.ch(k) != ';' && d.ch(k) != '{' {
		k++
	}
	return k
}

// paren reads a parenthesis: a function's parameters, or a declarator.
func (d *cDecl) paren(i int) (next int, done bool) {
	cl := d.closing(i)
	if cl < 0 {
		return i + 1, true
	}
	direct := d.name >= 0 && (d.name == i-1 || d.op >= 0 || d.ch(i-1) == '>')
	if after := d.ch(cl + 1); !direct || (d.ch(i+1) == '*' || d.ch(i+1) == '&') && (after == '(' || after == '[') && d.op < 0 {
		return d.declarator(i, cl), false
	}
	if d.name == d.at && d.isIdent(cl+1) && !d.startsLine(cl+1) && d.ch(cl+2) == '(' && d.scan.name(d.name) != d.scope.class && !d.plus {
		d.name = -1 // EXPORT(int) name(...)
		return cl + 1, false
	}
	if d.callsMacro(i, cl) {
		return cl + 1, true
	}
	return d.function(i, cl, cl+1), true
}

// declarator reads (*name) or (name), and the parameters after it.
func (d *cDecl) declarator(i, cl int) int {
	for k := i + 1; k < cl; k++ {
		if d.isIdent(k) && !d.reserved(k) {
			d.name = k
			if after := d.ch(cl + 1); d.ch(k+1) == '(' && (d.ch(i+1) == '*' || d.ch(i+1) == '&') && (after == '(' || after == '[') {
				d.inner = k + 1
			}
		} else if d.ch(k) == '(' || d.ch(k) == '[' {
			break
		}
	}
	d.quals = d.quals[:0]
	if d.ch(cl+1) == '(' {
		return d.next(cl + 1)
	}
	return cl + 1
}

// callsMacro reports whether NAME(...) is a macro's call: no type is before it
// and no body after it.
func (d *cDecl) callsMacro(open, cl int) bool {
	if d.name != d.at || len(d.quals) > 0 || d.scan.name(d.name) == d.scope.class {
		return false
	}
	switch d.ch(cl + 1) {
	case '{':
		return false
	case 0:
		return !d.isIdent(cl+1) || d.startsLine(cl+1) && d.plus || d.startsLine(cl+1) && d.bodyAfter(cl+1) < 0
	}
	return true
}

// bodyAfter is the brace that opens a body after old-style parameter
// declarations, or -1.
func (d *cDecl) bodyAfter(i int) int {
	for k := i; k < min(d.end, i+200); k = d.next(k) {
		switch d.ch(k) {
		case '{':
			if d.ch(k-1) == ';' || k == i {
				return k
			}
			return -1
		case '(', '=', '}':
			return -1
		}
	}
	return -1
}

// function reads a function whose parameters are between open and cl; what
// follows its declarator begins at i.
func (d *cDecl) function(open, cl, i int) int {
	sig, last, next := d.functionEnd(i)
	container, kind := d.scope.container, KindFunc
	if d.friend {
		d.scope.class = ""
		container = strings.TrimSuffix(strings.TrimSuffix(container, LastPart(container)), ".")
	}
	for _, q := range d.quals {
		container = within(container, q)
	}
	owner := d.scope.class
	if len(d.quals) > 0 {
		owner = d.quals[len(d.quals)-1]
	}
	name := d.scan.name(d.name)
	if owner != "" {
		kind = KindMethod
		if name == owner && d.ch(d.name-1) != '~' {
			kind = KindConstructor
		}
	}
	id := d.word(d.name)
	switch {
	case d.op >= 0:
		id = d.in.Intern(strings.Join(strings.Fields(d.text(d.op, open)), " "))
	case d.ch(d.name-1) == '~':
		id = d.in.Intern("~" + name)
	}
	typ := d.text(max(d.at, d.typeFrom), d.nameStart())
	f := d.add(kind, container, id, d.first, d.at, sig, last)
	f.Exported = !d.scope.hidden && !(d.static && d.scope.class == "")
	f.Type = typ
	if d.typedef {
		f.Kind = KindType
	}
	d.parameters(f, open+1, cl)
	d.locals(sig, last, within(container, d.in.Name(id)))
	return next
}

// locals finds the types defined inside a function's body.
func (d *cDecl) locals(body, end int, container string) {
	if d.ch(body) != '{' {
		return
	}
	from := len(d.defs)
	for k := body + 1; k < end; k++ {
		if w := d.word(k); w == kwStruct || w == kwClass || w == kwUnion || w == kwEnum {
			k = d.localType(k, end, container)
		}
	}
	for i := from; i < len(d.defs); i++ {
		d.defs[i].Local, d.defs[i].Exported = true, false
	}
}

// localType reads the type at k, if it is defined there, and returns the token
// after which to continue.
func (d *cDecl) localType(k, end int, container string) int {
	if after := d.ch(k + 2); !d.isIdent(k+1) || after != '{' && after != ':' && d.scan.name(k+2) != "final" || !d.enter() {
		return k
	}
	defer d.exit()
	inner := cDecl{cScan: d.cScan, first: k, at: k, end: end, scope: cScope{container: container}, name: -1, typeEnd: -1, op: -1}
	inner.typeHead(k)
	return max(inner.typeEnd-1, k)
}

// nameStart is the first token of the name with its qualifiers.
func (d *cDecl) nameStart() int {
	if len(d.quals) > 0 {
		return d.chain
	}
	if d.ch(d.name-1) == '~' {
		return d.name - 1
	}
	return d.name
}

// functionEnd finds, after the parameters, the token that ends the signature,
// the last one of the body, and the one at which to continue.
func (d *cDecl) functionEnd(i int) (sig, last, next int) {
	initialisers := false
	for i < d.end {
		switch d.ch(i) {
		case ';', ',':
			return i, i, i + 1
		case '}':
			return i - 1, i - 1, i
		case '{':
			cl := d.closing(i)
			if cl < 0 {
				return i, i, i + 1
			}
			if after := d.ch(cl + 1); initialisers && (after == ',' || after == '{' || d.word(cl+1) == kwTry) {
				i = cl + 1 // member{value}
				continue
			}
			return i, cl, cl + 1
		case '<':
			i = d.angle(i)
			continue
		case ':':
			if d.pair(i, ':', ':') {
				i += 2
				continue
			}
			initialisers = true
			i++
			continue
		case '=':
			end := d.semicolon(i, d.end)
			return end, end, end + 1
		case 0:
			if body := d.oldStyle(i, initialisers); body >= 0 {
				return i - 1, max(d.closing(body), body), d.next(body)
			}
		}
		i = d.commaInInitialisers(d.next(i), initialisers)
	}
	return i - 1, i - 1, i
}

// commaInInitialisers skips the comma between two member initialisers.
func (d *cDecl) commaInInitialisers(i int, initialisers bool) int {
	if initialisers && d.ch(i) == ',' {
		return i + 1
	}
	return i
}

// oldStyle is the body after parameter declarations in K&R style that begin at
// i, or -1.
func (d *cDecl) oldStyle(i int, initialisers bool) int {
	if d.plus || initialisers || !d.isIdent(i) || d.ch(i-1) != ')' {
		return -1
	}
	body := d.bodyAfter(i)
	if body == i {
		return -1
	}
	return body
}

// parameters reads the list between two parentheses.
func (d *cDecl) parameters(f *Found, i, end int) {
	least, most, variadic := 0, 0, false
	for i < end {
		from, idents, name, optional := i, 0, -1, false
		for i < end && d.ch(i) != ',' {
			switch {
			case d.ch(i) == '<' && d.plus:
				i = min(d.skipAngle(i, end), end)
				continue
			case d.pair(i, '.', '.'):
				variadic = true
			case d.ch(i) == '=':
				optional = true
			case d.ch(i) == '(' && name < 0 || d.ch(i) == '(' && d.ch(i+1) == '*':
				if k := i + 2; d.ch(i+1) == '*' && d.isIdent(k) {
					name, idents = k, 2
				}
			case d.isIdent(i) && !optional && d.word(i) != kwConst && !(d.ch(i+1) == ':' && d.pair(i+1, ':', ':')):
				if idents++; !d.reserved(i) && !(name >= 0 && d.ch(name-1) == '*' && d.ch(name-2) == '(') {
					name = i
				}
			}
			i = d.next(i)
		}
		void := i == from+1 && d.word(from) == kwVoid
		if i > from && !void && !d.pair(from, '.', '.') {
			id := NameID(0)
			if idents > 1 && name >= from {
				id = d.word(name)
			}
			d.param(f, id)
			most++
			if !optional {
				least++
			}
		}
		i++
	}
	if variadic {
		most = Variadic
	}
	f.arity(least, most)
}
