package language

import "strings"

// typeHead reads class, struct, union or enum at i: a definition, or part of a
// type.
func (d *cDecl) typeHead(i int) (next int, done bool) {
	if i == d.at+1 && d.name == d.at && d.startsLine(i) {
		return i, true // a macro without a semicolon
	}
	kind := map[NameID]Kind{kwClass: KindClass, kwStruct: KindStruct, kwUnion: KindStruct, kwEnum: KindEnum}[d.word(i)]
	k := i + 1
	if kind == KindEnum && (d.word(k) == kwClass || d.word(k) == kwStruct) {
		k++
	}
	name, k := d.typeName(k)
	if name >= 0 {
		d.tag = d.scan.name(name)
	}
	body := k
	if d.ch(k) == ':' && !d.pair(k, ':', ':') {
		body = d.bases(k)
	}
	cl := d.closing(body)
	if d.ch(body) != '{' || cl < 0 {
		if d.ch(k) == ';' { // declared only
			return k + 1, true
		}
		return k, false
	}
	d.typeBody(kind, i, name, k, body, cl)
	d.typeEnd, d.name = cl+1, -1
	if !d.endsBehind(cl + 1) {
		return cl + 1, true // the semicolon is missing: do not read on
	}
	return cl + 1, false
}

// endsBehind reports whether token i can follow a type's body.
func (d *cDecl) endsBehind(i int) bool {
	return i < d.end && (d.isIdent(i) && (!d.startsLine(i) || d.typedef || !d.reserved(i)) || d.ch(i) == '*' || d.ch(i) == ';' || d.ch(i) == ',' ||
		d.ch(i) == '(' || d.ch(i) == '&' || d.ch(i) == '[')
}

// typeName finds a type's name after macros and attributes, and the token after
// it. The name is -1 when there is none.
func (d *cDecl) typeName(k int) (name, next int) {
	name = -1
	for k < d.end {
		switch {
		case d.isIdent(k) && d.scan.name(k) == "final" && name >= 0 && (d.ch(k+1) == '{' || d.ch(k+1) == ':'):
			k++
		case d.isIdent(k) && d.ch(k+1) == '(' && (d.isIdent(d.next(k+1)) || d.ch(d.next(k+1)) == '{'):
			k = d.next(k + 1) // ATTRIBUTE(x) Name
		case d.isIdent(k):
			if name >= 0 && !d.typeFollows(k) {
				return name, k
			}
			name = k
			k++
		case d.ch(k) == '[' && d.ch(k+1) == '[':
			k = d.next(k)
		case d.ch(k) == '<' && d.plus && name >= 0:
			k = d.skipAngle(k, d.end)
		case d.pair(k, ':', ':'):
			k += 2
		default:
			return name, k
		}
	}
	return name, k
}

// typeFollows reports whether the word k, after what could be a type's name, is
// that name, and the former a macro: a body or bases come next.
func (d *cDecl) typeFollows(k int) bool {
	if d.pair(k-2, ':', ':') {
		return true
	}
	n := k + 1
	if d.ch(n) == '<' && d.plus {
		n = d.skipAngle(n, d.end)
	}
	if d.isIdent(n) {
		return d.scan.name(n) == "final" || d.ch(n+1) == '{' || d.ch(n+1) == ':' && d.plus
	}
	return d.ch(n) == '{' || d.ch(n) == ':' && d.plus && !d.pair(n, ':', ':')
}

// bases is the token after the list of base classes at k.
func (d *cDecl) bases(k int) int {
	end := min(d.end, k+maxAhead)
	for k < end && d.ch(k) != '{' && d.ch(k) != ';' {
		if d.ch(k) == '<' && d.plus {
			k = d.skipAngle(k, d.end)
			continue
		}
		k = d.next(k)
	}
	return k
}

// typeBody records a type with a body from brace to brace, and its members. A
// type without a name gets the name of its typedef, or is not recorded.
func (d *cDecl) typeBody(kind Kind, at, name, bases, body, cl int) {
	n := name
	if n < 0 && d.typedef {
		n = d.typedefName(cl + 1)
	}
	container := d.scope.container
	scope := cScope{container: container, class: d.scope.class}
	if n >= 0 {
		for _, q := range d.outer(n) {
			container = within(container, q)
		}
		t := d.add(kind, container, d.word(n), d.first, min(d.at, at), body, cl)
		t.Exported = !d.scope.hidden
		t.Type = d.text(bases, body)
		d.tag = d.scan.name(n)
		scope = cScope{container: within(container, d.tag), class: d.tag, hidden: kind == KindClass}
	}
	if kind != KindEnum {
		d.declarations(body+1, cl, scope)
		return
	}
	if d.word(at+1) != kwClass && d.word(at+1) != kwStruct && n < 0 {
		scope = d.scope
	}
	d.enumerators(body+1, cl, scope.container)
}

// outer are the names that qualify the type name n (A in struct A::B).
func (d *cDecl) outer(n int) []string {
	var out []string
	for k := n; d.pair(k-2, ':', ':') && d.isIdent(k-3); k -= 3 {
		out = append([]string{d.scan.name(k - 3)}, out...)
	}
	return out
}

// typedefName is the first name declared after a typedef's body, or -1.
func (d *cDecl) typedefName(i int) int {
	for ; i < d.end && d.ch(i) != ';' && d.ch(i) != ','; i = d.next(i) {
		if d.isIdent(i) && !d.reserved(i) && d.ch(i+1) != '(' {
			return i
		}
		if d.ch(i) == '*' {
			return -1
		}
	}
	return -1
}

func (d *cDecl) enumerators(i, end int, container string) {
	for i < end {
		next := i
		for next < end && d.ch(next) != ',' {
			next = d.next(next)
		}
		if d.isIdent(i) && next > i {
			d.add(KindEnumMember, container, d.word(i), i, i, next-1, next-1).Exported = !d.scope.hidden
		}
		i = next + 1
	}
}

// variables records the names of a declaration that is not a function:
// variables, fields, typedefs. The first name is read already; i is the token
// after it.
func (d *cDecl) variables(i int) int {
	if d.ch(i) == '{' && d.closing(i) >= 0 && d.typeEnd < 0 && (d.name < 0 || d.name == d.at && d.tag == "") {
		return d.next(i) // the body of something unknown
	}
	last := d.semicolon(i, d.end)
	typeTo := d.nameStart()
	if d.name < 0 || d.name == d.at && d.typeEnd < 0 && d.tag == "" || len(d.quals) > 0 && d.ch(i) == ';' {
		return last + 1
	}
	typ := d.text(max(d.at, d.typeFrom), typeTo)
	if strings.HasSuffix(typ, "(*") {
		typ = d.text(max(d.at, d.typeFrom), last) // a pointer to a function
	}
	if d.typeEnd >= 0 {
		typ = d.tag
	}
	d.variable(last, typ)
	for i < last {
		if d.ch(i) != ',' {
			if d.ch(i) == '<' && d.plus {
				i = d.angle(i)
				continue
			}
			i = d.next(i)
			continue
		}
		for i++; i < last && !d.isIdent(i) && d.ch(i) != '('; i++ {
		}
		if d.ch(i) == '(' {
			i = d.declarator(i, max(d.closing(i), i))
		} else {
			d.name, d.quals = i, d.quals[:0]
			i++
		}
		if d.isIdent(d.name) && d.name < last {
			d.variable(last, typ)
		}
	}
	return last + 1
}

func (d *cDecl) variable(last int, typ string) {
	kind := KindVar
	switch {
	case d.typedef:
		kind = KindType
	case d.scope.class != "":
		kind = KindField
	}
	name := d.scan.name(d.name)
	if kind == KindType && (name == d.tag && d.typeEnd >= 0) {
		return // typedef struct X {...} X
	}
	container := d.scope.container
	for _, q := range d.quals {
		container = within(container, q)
	}
	start := d.at
	if d.typeEnd >= 0 {
		start = d.name
	}
	v := d.add(kind, container, d.word(d.name), d.first, start, last, last)
	v.Sig = min(v.End, v.Start+maxHead-1)
	v.Exported = !d.scope.hidden && !(d.static && d.scope.class == "")
	v.Type = typ
}
