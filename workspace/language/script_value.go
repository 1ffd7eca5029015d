package language

// A jsFunc is a function that is a value.
type jsFunc struct {
	open, close int // parentheses of its parameters; open is -1 when there is none
	single      int // the one parameter without parentheses, or -1
	body        int // its brace, or the first token of an expression
	typ         string
	typed       bool // not the function but its type: there is no body
}

// arrow reads the function, if the expression at i is one.
func (j *jsScan) arrow(i, end int) jsFunc {
	none := jsFunc{open: -1, single: -1}
	if j.word(i) == kwAsync {
		i++
	}
	if j.word(i) == kwFunction {
		i++
		for i < end && (j.ch(i) == '*' || j.isIdent(i)) {
			i++
		}
		return j.signature(i, end, false)
	}
	if j.isIdent(i) && j.pair(i+1, '=', '>') {
		return jsFunc{open: i - 1, close: i + 1, single: i, body: i + 3}
	}
	if j.ch(i) == '(' || j.ch(i) == '<' {
		return j.signature(i, end, true)
	}
	return none
}

// signature reads parameters and result from i on.
func (j *jsScan) signature(i, end int, arrow bool) jsFunc {
	none := jsFunc{open: -1, single: -1}
	if j.ch(i) == '<' {
		i = j.skipAngle(i, end)
	}
	c := j.closing(i)
	if c < 0 || j.ch(i) != '(' || c >= end {
		return none
	}
	f := jsFunc{open: i, close: c, single: -1}
	if arrow {
		f.body, f.typ = j.arrowResult(c+1, end)
		if f.body < 0 {
			return none
		}
		return f
	}
	f.body, f.typ = j.resultType(c+1, end)
	return f
}

// arrowResult reads up to the arrow and returns the token after it, or -1.
func (j *jsScan) arrowResult(i, end int) (int, string) {
	if j.pair(i, '=', '>') {
		return i + 2, ""
	}
	if j.ch(i) != ':' {
		return -1, ""
	}
	// The type of a function's result may contain arrows itself: the last one that
	// skipType reads before the body is the function's own.
	t := j.skipArrowType(i+1, end)
	if t < 0 {
		return -1, ""
	}
	return t + 2, j.text(i+1, t)
}

// skipArrowType is the arrow after the result type that begins at i, or -1.
func (j *jsScan) skipArrowType(i, end int) int {
	for i < end {
		switch {
		case j.pair(i, '=', '>'):
			return i
		case j.ch(i) == ';', j.ch(i) == ',', j.ch(i) == '=', j.ch(i) == ')', j.ch(i) == '}':
			return -1
		case j.ch(i) == '<':
			i = j.skipAngle(i, end)
			continue
		case j.ch(i) == '(' && j.pair(j.next(i), '=', '>') && j.ch(j.next(i)+2) != '{':
			i = j.next(i) + 2
			continue
		}
		i = j.next(i)
	}
	return -1
}

// shapeFunc turns the definition added last into the function f, if f is a
// function.
func (j *jsScan) shapeFunc(d *Found, f jsFunc, member bool) {
	if f.open < 0 {
		return
	}
	d.Kind = KindFunc
	if member {
		d.Kind = KindMethod
	}
	if f.typ != "" {
		d.Type = f.typ
	}
	d.Sig = max(d.Start, j.lineOf(f.body))
	if j.ch(f.body) != '{' || f.typed {
		d.Sig = min(d.End, d.Start+maxHead-1)
	}
	if f.single >= 0 {
		j.param(d, j.word(f.single))
		d.arity(1, 1)
		return
	}
	j.parameters(d, f.open+1, f.close)
}

// inside scans a function's body; anything else is scanned from token from on
// by the caller. It returns the token at which to continue.
func (j *jsScan) inside(f jsFunc, last int, scope jsScope, from int) int {
	if f.open < 0 {
		return from
	}
	j.statements(f.body, last, scope)
	return last
}

// variables reads the declarators of const, let and var from i on.
func (j *jsScan) variables(h jsHead, i, end int, scope jsScope) int {
	for i < end {
		if j.ch(i) == '{' || j.ch(i) == '[' {
			i = j.destructure(h, i, end, scope)
		} else if j.isIdent(i) {
			i = j.variable(h, i, end, scope)
		} else {
			return i
		}
		if j.ch(i) != ',' {
			return i
		}
		i++
		h.first, h.at = i, i
	}
	return i
}

// variable reads one declarator.
func (j *jsScan) variable(h jsHead, n, end int, scope jsScope) int {
	i, typ := n+1, ""
	if j.ch(i) == '!' {
		i++
	}
	if j.ch(i) == ':' {
		t := j.skipType(i+1, end)
		typ = j.text(i+1, t)
		i = t
	}
	if j.ch(i) != '=' || i >= end {
		if !scope.local {
			j.value(h, n, n, max(i-1, n), scope, typ)
		}
		return i
	}
	init := i + 1
	f := j.arrow(init, end)
	last := j.exprEnd(init, end)
	j.requires(n, init)
	if scope.local && f.open < 0 {
		return init
	}
	d := j.value(h, n, n, max(last-1, n), scope, typ)
	exported := d.Exported
	j.shapeFunc(d, f, false)
	inner := jsScope{container: within(scope.container, j.name(n)), local: true}
	switch c := j.closing(init); {
	case f.open >= 0:
		return j.inside(f, last, inner, last)
	case j.word(init) == kwClass:
		j.class(jsHead{first: init, at: init}, init, last, inner)
	case j.ch(init) == '{' && c >= 0:
		j.object(init+1, c, inner.container, exported)
	default:
		j.statements(init, last, scope)
	}
	return last
}

func (j *jsScan) value(h jsHead, n, sig, last int, scope jsScope, typ string) *Found {
	kind := KindVar
	if h.constant {
		kind = KindConst
	}
	d := j.define(kind, h, scope, n, sig, last)
	d.Sig = min(d.End, d.Start+maxHead-1)
	d.Type = typ
	return d
}

// requires reads const x = require("p").
func (j *jsScan) requires(n, init int) {
	if j.name(init) == "require" && j.ch(init+1) == '(' && j.tok(init+2).kind == tString {
		j.imports = append(j.imports, Import{Path: unquoteScript(j.name(init + 2)), Name: "*", Alias: j.name(n), Line: int(j.lineOf(n))})
	}
}

// destructure reads the names that a pattern binds.
func (j *jsScan) destructure(h jsHead, i, end int, scope jsScope) int {
	c := j.closing(i)
	if c < 0 {
		return i + 1
	}
	last := c + 1
	if j.ch(last) == ':' {
		last = j.skipType(last+1, end)
	}
	if j.ch(last) == '=' && last < end {
		last = j.exprEnd(last+1, end)
	}
	if scope.local {
		return c + 1
	}
	for k := i + 1; k < c; k++ {
		if j.isIdent(k) && (j.ch(k+1) == ',' || j.ch(k+1) == '}' || j.ch(k+1) == ']' || j.ch(k+1) == '=') {
			j.value(jsHead{first: h.first, at: h.at, exported: h.exported}, k, k, last-1, scope, "").Kind = KindConst
		}
	}
	return last
}

// object reads the members of an object literal that a variable holds.
func (j *jsScan) object(i, end int, container string, exported bool) {
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
			d := j.addMember(KindField, m, n, n, max(last-1, n), container)
			d.Sig = min(d.End, d.Start+maxHead-1)
			d.Exported = exported
			j.shapeFunc(d, f, true)
			inner := within(container, unquoteScript(j.name(n)))
			if c := j.closing(n + 2); j.ch(n+2) == '{' && c >= 0 {
				j.object(n+3, c, inner, exported)
			}
			i = j.inside(f, last, jsScope{container: inner, local: true}, last)
		case j.ch(n) == 0 && (j.ch(n+1) == '(' || j.ch(n+1) == '<'):
			i = j.member(i, end, container)
		default:
			i = j.skipTo(n, end, ',')
		}
		i = max(i, from+1)
	}
}
