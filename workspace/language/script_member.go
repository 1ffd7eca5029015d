package language

// A jsMembers reads the members of one container: a class, an interface, an object
// type or an object literal.
type jsMembers struct {
	*jsScan
	container string
}

// all reads the members of a class, interface or object type.
func (j jsMembers) all(i, end int) {
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
		i = max(j.member(i, end), i+1)
	}
}

func (j jsMembers) member(i, end int) int {
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
		return j.method(m, n, open, end)
	}
	return j.field(m, n, after, end)
}

func (j jsMembers) record(kind Kind, m jsMember, n, sig, last int) *Found {
	d := j.define(kind, jsHead{first: m.first, at: m.at}, jsScope{container: j.container}, n, sig, last)
	if j.ch(n) == '[' {
		d.Name = j.in.Intern(j.text(n, j.next(n)))
	}
	d.Exported = !m.private && j.src[j.tok(n).pos] != '#'
	return d
}

func (j jsMembers) method(m jsMember, n, open, end int) int {
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
	d := j.record(kind, m, n, sig, last)
	d.Type = typ
	j.parameters(d, open+1, c)
	if kind == KindConstructor {
		j.parameterFields(open+1, c)
	}
	if last > body {
		j.statements(body+1, last, jsScope{container: within(j.container, j.name(n)), local: true})
	}
	return last + 1
}

// parameterFields reads the parameters of a constructor that are fields too.
func (j jsMembers) parameterFields(i, end int) {
	for i < end {
		from := j.decorators(i, end)
		m, n := j.modifiers(from, end)
		next := j.skipTo(n, end, ',')
		if n > from && j.isIdent(n) {
			d := j.record(KindField, m, n, n, max(next-1, n))
			if j.ch(n+1) == ':' {
				d.Type = j.text(n+2, j.skipType(n+2, next))
			}
		}
		i = next + 1
	}
}

// field reads a field; one that holds a function is a method.
func (j jsMembers) field(m jsMember, n, after, end int) int {
	i, typ := after, ""
	if j.ch(i) == ':' {
		i = j.skipType(after+1, end)
		typ = j.text(after+1, i)
	}
	f := j.functionType(after, i)
	assigned := j.ch(i) == '='
	if assigned {
		f = j.arrow(i+1, end)
		i = j.exprEnd(i+1, end)
	}
	d := j.record(KindField, m, n, n, max(i-1, n))
	d.Sig = min(d.End, d.Start+maxHead-1)
	d.Type = typ
	j.shapeFunc(d, f, true)
	if typ != "" && assigned {
		d.MinParams, d.MaxParams = Unknown, Unknown // its type says how it is called
	}
	if f.typed {
		return i
	}
	return j.inside(f, i, jsScope{container: within(j.container, j.name(n)), local: true}, i)
}

// object reads the members of an object literal that a variable holds.
func (j jsMembers) object(i, end int, exported bool) {
	if !j.enter() {
		j.exit()
		return
	}
	defer j.exit()
	for i < end {
		if j.ch(i) == ',' || j.pair(i, '.', '.') {
			i = j.skipTo(i, end, ',') + 1
			continue
		}
		from := i
		m, n := j.modifiers(i, end)
		switch {
		case j.ch(n+1) == ':' && j.ch(n) == 0:
			f := j.arrow(n+2, end)
			last := j.exprEnd(n+2, end)
			d := j.record(KindField, m, n, n, max(last-1, n))
			d.Sig = min(d.End, d.Start+maxHead-1)
			d.Exported = exported
			j.shapeFunc(d, f, true)
			inner := within(j.container, unquoteScript(j.name(n)))
			if c := j.closing(n + 2); j.ch(n+2) == '{' && c >= 0 {
				jsMembers{j.jsScan, inner}.object(n+3, c, exported)
			}
			i = j.inside(f, last, jsScope{container: inner, local: true}, last)
		case j.ch(n) == 0 && (j.ch(n+1) == '(' || j.ch(n+1) == '<'):
			i = j.member(i, end)
		default:
			i = j.skipTo(n, end, ',')
		}
		i = max(i, from+1)
	}
}
