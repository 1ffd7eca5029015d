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
	jsMembers{j, container}.all(body+1, c)
	return c + 1
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
	jsMembers{j, within(scope.container, j.name(n))}.all(body+1, c)
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
			jsMembers{j, within(scope.container, j.name(n))}.all(k+1, c)
		}
	}
	return last
}
