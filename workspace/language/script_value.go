package language

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
		jsMembers{j, inner.container}.object(init+1, c, exported)
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
