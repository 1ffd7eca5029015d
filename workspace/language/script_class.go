package language

// class reads the class whose keyword is token at.
func (j *jsScan) class(h jsHead, at, end int, scope jsScope) int {
	n := at + 1
	named := j.isIdent(n) && j.word(n) != kwExtends && j.word(n) != kwImplements
	body := j.heritage(n, end)
	c := j.closing(body)
	if c < 0 || j.ch(body) != '{' {
		return n
	}
	container := scope.container
	if named {
		d := j.define(KindClass, h, scope, n, body, c)
		d.Type = j.text(n+1, body)
		container = within(container, j.name(n))
	}
	j.members(body+1, c, container)
	return c + 1
}

// heritage is the brace that opens a class or interface body, after its name,
// type parameters and bases.
func (j *jsScan) heritage(i, end int) int {
	end = min(end, i+maxAhead)
	for i < end && j.ch(i) != '{' && j.ch(i) != ';' {
		if j.ch(i) == '<' {
			i = j.skipAngle(i, end)
			continue
		}
		i = j.next(i)
	}
	return i
}

func (j *jsScan) interfaceDef(h jsHead, at, end int, scope jsScope) int {
	n := at + 1
	body := j.heritage(n, end)
	c := j.closing(body)
	if c < 0 || j.ch(body) != '{' {
		return at
	}
	d := j.define(KindInterface, h, scope, n, body, c)
	d.Type = j.text(n+1, body)
	j.members(body+1, c, within(scope.container, j.name(n)))
	return c + 1
}

// alias reads type X = ..., and the members of an object type.
func (j *jsScan) alias(h jsHead, at, end int, scope jsScope) int {
	n, i := at+1, at+2
	if j.ch(i) == '<' {
		i = j.skipAngle(i, end)
	}
	if j.ch(i) != '=' {
		return at
	}
	last := j.skipType(i+1, end)
	if last <= i+1 {
		return at
	}
	d := j.define(KindType, h, scope, n, i, last-1)
	d.Type = j.text(i+1, last)
	for k := i + 1; k < last; k = j.next(k) {
		if c := j.closing(k); j.ch(k) == '{' && c >= 0 {
			j.members(k+1, c, within(scope.container, j.name(n)))
		}
	}
	return last
}

// members reads the members of a class, interface or object type.
func (j *jsScan) members(i, end int, container string) {
	if !j.enter() {
		j.exit()
		return
	}
	defer j.exit()
	for i < end {
		if ch := j.ch(i); ch == ';' || ch == ',' {
			i++
			continue
		}
		i = max(j.member(i, end, container), i+1)
	}
}

// A jsMember is a member's modifiers.
type jsMember struct {
	first, at int
	private   bool
	accessor  bool
}

// modifiers reads what comes before a member's name, and returns the name's
// token.
func (j *jsScan) modifiers(i, end int) (jsMember, int) {
	m := jsMember{first: i}
	i = j.decorators(i, end)
	m.at = i
	for i+1 < end && j.isIdent(i) && !j.namesMember(i+1) {
		switch j.name(i) {
		case "private", "protected":
			m.private = true
		case "get", "set", "accessor":
			m.accessor = true
		case "public", "static", "readonly", "abstract", "async", "override", "declare", "export", "default":
		default:
			return m, i
		}
		i++
	}
	if j.ch(i) == '*' {
		i++
	}
	return m, i
}

// namesMember reports whether token i shows that the word before it was a
// member's name and not a modifier.
func (j *jsScan) namesMember(i int) bool {
	switch j.ch(i) {
	case '(', '=', ';', ':', '?', ',', '}', '!', '<':
		return true
	}
	return j.startsLine(i) && j.ch(i) != '*' && j.word(i-1) != kwExport && j.tok(i).kind != tIdent && j.ch(i) != '['
}

func (j *jsScan) member(i, end int, container string) int {
	m, n := j.modifiers(i, end)
	if j.ch(n) == '{' || j.ch(n) == '(' || j.ch(n) == '<' {
		return j.memberEnd(n, end) // static block, call signature
	}
	after := n + 1
	if j.ch(n) == '[' {
		after = j.next(n)
		if j.ch(after) != '(' || !j.isIdent(n+1) {
			return j.memberEnd(n, end)
		}
	} else if j.ch(n) != 0 || n >= end {
		return n + 1
	}
	if j.ch(after) == '?' || j.ch(after) == '!' {
		after++
	}
	open := after
	if j.ch(open) == '<' {
		open = j.skipAngle(open, end)
	}
	if j.ch(open) == '(' && j.closing(open) >= 0 {
		return j.method(m, n, open, end, container)
	}
	return j.field(m, n, after, end, container)
}

// memberEnd is the token after the member that continues at i.
func (j *jsScan) memberEnd(i, end int) int {
	if j.ch(i) == '{' {
		return j.next(i)
	}
	if j.ch(i) == '<' {
		i = j.skipAngle(i, end)
	}
	if j.word(i) == kwNew {
		i++
	}
	i = j.next(i)
	if j.ch(i) == '?' {
		i++
	}
	if j.ch(i) == ':' && i < end {
		i = j.skipType(i+1, end)
	}
	if j.ch(i) == '=' && i < end {
		i = j.exprEnd(i+1, end)
	}
	return i
}

func (j *jsScan) addMember(kind Kind, m jsMember, n, sig, last int, container string) *Found {
	d := j.define(kind, jsHead{first: m.first, at: m.at}, jsScope{container: container}, n, sig, last)
	if j.ch(n) == '[' {
		d.Name = j.in.Intern(j.text(n, j.next(n)))
	}
	d.Exported = !m.private && j.src[j.tok(n).pos] != '#'
	return d
}

func (j *jsScan) method(m jsMember, n, open, end int, container string) int {
	c := j.closing(open)
	body, typ := j.resultType(c+1, end)
	sig, last := body-1, body-1
	if b := j.closing(body); b >= 0 && j.ch(body) == '{' && body < end {
		sig, last = body, b
	}
	kind := KindMethod
	switch {
	case j.word(n) == kwConstructor, j.word(n) == kwNew:
		kind = KindConstructor
	case m.accessor:
		kind = KindProperty
	}
	d := j.addMember(kind, m, n, sig, last, container)
	d.Type = typ
	j.parameters(d, open+1, c)
	if kind == KindConstructor {
		j.parameterFields(open+1, c, container)
	}
	if last > body {
		j.statements(body+1, last, jsScope{container: within(container, j.name(n)), local: true})
	}
	return last + 1
}

// parameterFields reads the parameters of a constructor that are fields too.
func (j *jsScan) parameterFields(i, end int, container string) {
	for i < end {
		from := j.decorators(i, end)
		m, n := j.modifiers(from, end)
		next := j.skipTo(n, end, ',')
		if n > from && j.isIdent(n) {
			d := j.addMember(KindField, m, n, n, max(next-1, n), container)
			if j.ch(n+1) == ':' {
				d.Type = j.text(n+2, j.skipType(n+2, next))
			}
		}
		i = next + 1
	}
}

// functionType is the function that the declared type of a member, after the
// colon at i, describes.
func (j *jsScan) functionType(i, end int) jsFunc {
	f := jsFunc{open: -1, single: -1}
	if next := j.ch(i + 1); i+1 < end && (next == '(' || next == '<') {
		f = j.signature(i+1, end, true)
		if f.open >= 0 && j.pair(f.close+1, '=', '>') {
			f.typ = j.text(f.body, end)
			f.typed = true
			return f
		}
	}
	return jsFunc{open: -1, single: -1}
}

// field reads a field; one that holds a function is a method.
func (j *jsScan) field(m jsMember, n, after, end int, container string) int {
	i, typ := after, ""
	if j.ch(i) == ':' {
		i = j.skipType(after+1, end)
		typ = j.text(after+1, i)
	}
	f := j.functionType(after, i)
	if j.ch(i) == '=' {
		f = j.arrow(i+1, end)
		i = j.exprEnd(i+1, end)
	}
	d := j.addMember(KindField, m, n, n, max(i-1, n), container)
	d.Sig = min(d.End, d.Start+maxHead-1)
	d.Type = typ
	j.shapeFunc(d, f, true)
	if f.typed {
		return i
	}
	return j.inside(f, i, jsScope{container: within(container, j.name(n)), local: true}, i)
}
