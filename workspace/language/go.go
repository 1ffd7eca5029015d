package language

import (
	"strconv"
	"unicode"
	"unicode/utf8"
)

var golang = &language{marks: "/\"'`", special: goSpecial, scan: scanGo,
	reserved: "break case chan const continue default defer else fallthrough for func go goto if import interface map " +
		"package range return select struct switch type var"}

func goSpecial(l *lexer, p int) int {
	switch l.src[p] {
	case '"':
		return l.str(p, l.quoted(p, false))
	case '`':
		return l.str(p, l.endOf(p+1, "`"))
	case '\'':
		return l.charOrTick(p)
	}
	return l.slash(p)
}

// A goScan is the state of scanning one Go file.
type goScan struct{ *scan }

// scanGo reads the declarations at the top of a Go file.
func scanGo(file *scan) {
	s := goScan{file}
	for i := 0; i < s.end(); {
		switch s.word(i) {
		case kwPackage:
			s.declare(s.name(i + 1))
			i += 2
		case kwImport:
			i = s.group(i, goScan.importSpec)
		case kwFunc:
			i = s.function(i)
		case kwType:
			i = s.group(i, goScan.typeSpec)
		case kwVar:
			i = s.group(i, goScan.variables)
		case kwConst:
			i = s.group(i, goScan.constants)
		default:
			i = s.next(i)
		}
	}
}

// group calls spec for each specification of the declaration at i: the only
// one, or those in parentheses. spec receives its first token, and the token
// whose comment is its own, and returns the token after it.
func (s goScan) group(i int, spec func(s goScan, first, at int) int) int {
	if s.ch(i+1) != '(' {
		return max(spec(s, i, i+1), i+1)
	}
	end := s.closing(i + 1)
	if end < 0 {
		return i + 2
	}
	for j := i + 2; j < end; {
		if s.ch(j) == ';' {
			j++
			continue
		}
		j = max(spec(s, j, j), j+1)
	}
	return end + 1
}

func (s goScan) importSpec(_, i int) int {
	alias := ""
	line := s.lineOf(i)
	if s.tok(i).kind != tString {
		alias = s.name(i)
		i++
	}
	if s.tok(i).kind != tString {
		return i
	}
	if path, err := strconv.Unquote(s.name(i)); err == nil {
		s.imports = append(s.imports, Import{Path: path, Alias: alias, Line: int(line)})
	}
	return i + 1
}

func exportedGo(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// declEnd is the token after the declaration that continues at i: Go ends one at
// the line's end, unless a bracket is open.
func (s goScan) declEnd(i int) int {
	for i < s.end() {
		if ch := s.ch(i); ch == ';' || ch == ')' || ch == '}' {
			return i
		}
		last := s.next(i) - 1
		if s.lineOf(last+1) > s.lastLineOf(last) && !s.continues(last) {
			return last + 1
		}
		i = last + 1
	}
	return i
}

// continues reports whether a line that ends with token i continues on the
// next line.
func (s goScan) continues(i int) bool {
	switch s.ch(i) {
	case 0, ')', ']', '}', '{', '(', '[':
		return false
	}
	return true
}

// function reads the function or method at i.
func (s goScan) function(i int) int {
	j, container := i+1, ""
	if c := s.closing(j); c >= 0 && s.ch(j) == '(' {
		container = s.receiver(j, c)
		j = c + 1
	}
	if !s.isIdent(j) {
		return s.next(i)
	}
	name := j
	j++
	if s.ch(j) == '[' {
		j = s.next(j)
	}
	params := s.closing(j)
	if s.ch(j) != '(' || params < 0 {
		return j
	}
	body := s.result(params + 1)
	kind := KindFunc
	if container != "" {
		kind = KindMethod
	}
	result, sig, last := s.text(params+1, body), body-1, body-1
	if c := s.closing(body); c >= 0 {
		sig, last = body, c
	}
	d := s.add(kind, container, s.word(name), i, i, sig, last)
	d.Exported = exportedGo(s.name(name))
	d.Type = result
	s.parameters(d, j, params)
	return last + 1
}

// receiver is the type in the receiver list from open to close.
func (s goScan) receiver(open, end int) string {
	name := ""
	for i := open + 1; i < end && s.ch(i) != '['; i++ {
		if s.isIdent(i) {
			name = s.name(i)
		}
	}
	return name
}

// result is the token after the result list that begins at i: the body's
// brace, or the next line's first token.
func (s goScan) result(i int) int {
	for i < s.end() && s.lineOf(i) == s.lastLineOf(i-1) {
		if s.ch(i) == '{' && s.word(i-1) != kwStruct && s.word(i-1) != kwInterface {
			return i
		}
		i = s.next(i)
	}
	return i
}

// parameters reads the parameter list between two parentheses.
func (s goScan) parameters(d *Found, open, end int) {
	type group struct{ from, to int }
	var groups [24]group
	list, named, variadic := groups[:0], false, false
	for i := open + 1; i < end; {
		from := i
		for i < end && s.ch(i) != ',' {
			variadic = variadic || s.pair(i, '.', '.')
			i = s.next(i)
		}
		if i > from {
			list = append(list, group{from, i})
			named = named || s.named(from, i)
		}
		i++
	}
	for _, g := range list {
		name := NameID(0)
		if named {
			name = s.word(g.from)
		}
		s.param(d, name)
	}
	if variadic {
		d.arity(len(list)-1, Variadic)
	} else {
		d.arity(len(list), len(list))
	}
}

// named reports whether the parameter from..to has a name and a type.
func (s goScan) named(from, to int) bool {
	if !s.isIdent(from) || s.reserved(from) || to-from < 2 {
		return false
	}
	switch s.ch(from + 1) {
	case '.':
		return s.pair(from+1, '.', '.')
	case '[':
		return s.ch(from+2) == ']' || s.next(from+1) < to && s.ch(s.next(from+1)) != '.'
	}
	return true
}

// typeSpec reads one type specification.
func (s goScan) typeSpec(first, i int) int {
	if !s.isIdent(i) {
		return s.declEnd(i)
	}
	j := i + 1
	if s.ch(j) == '[' && s.typeParams(j) {
		j = s.next(j)
	}
	if s.ch(j) == '=' {
		j++
	}
	kind, body := KindType, -1
	switch {
	case s.word(j) == kwStruct && s.ch(j+1) == '{':
		kind, body = KindStruct, j+1
	case s.word(j) == kwInterface && s.ch(j+1) == '{':
		kind, body = KindInterface, j+1
	}
	end := s.declEnd(j)
	name := s.name(i)
	d := s.add(kind, "", s.word(i), first, first, j, end-1)
	d.Exported = exportedGo(name)
	if kind == KindType {
		d.Type = s.text(j, end)
	}
	s.body(kind, name, body)
	return end
}

// typeParams reports whether the bracket after a type's name holds type
// parameters and not an array's length.
func (s goScan) typeParams(i int) bool {
	if !s.isIdent(i+1) || s.ch(i+2) == ']' || s.ch(i+2) == '.' {
		return false
	}
	return s.isIdent(i+2) || s.tok(i-1).end == s.tok(i).pos
}

func (s goScan) body(kind Kind, name string, body int) {
	end := s.closing(body)
	if body < 0 || end < 0 || !s.enter() {
		return
	}
	defer s.exit()
	for i := body + 1; i < end; {
		if s.ch(i) == ';' {
			i++
			continue
		}
		if kind == KindInterface {
			i = s.element(name, i, end)
		} else {
			i = s.field(name, i, end)
		}
	}
}

// element reads one method, embedded type or union of an interface.
func (s goScan) element(container string, i, end int) int {
	params := s.closing(i + 1)
	if !s.isIdent(i) || s.ch(i+1) != '(' || params < 0 {
		next := min(s.declEnd(i), end)
		s.embedded(container, i, next)
		return max(next, i+1)
	}
	next := params + 1
	if !s.startsLine(next) {
		next = min(s.declEnd(next), end)
	}
	d := s.add(KindMethod, container, s.word(i), i, i, next-1, next-1)
	d.Exported = exportedGo(s.name(i))
	d.Type = s.text(params+1, next)
	s.parameters(d, i+1, params)
	return next
}

// embedded records an embedded type as the field of its name that it is.
func (s goScan) embedded(container string, i, end int) {
	name, at := i, i
	for at < end && (s.ch(at) == '*' || s.ch(at) == '.' || s.isIdent(at)) {
		if s.isIdent(at) {
			name = at
		}
		at++
	}
	if at < end && s.ch(at) != '[' && s.tok(at).kind != tString || !s.isIdent(name) {
		return // a union of types
	}
	d := s.add(KindField, container, s.word(name), i, i, end-1, end-1)
	d.Exported = exportedGo(s.name(name))
	if s.tok(end-1).kind == tString {
		end--
	}
	d.Type = s.text(i, end)
}

// field reads one field declaration of a struct.
func (s goScan) field(container string, i, end int) int {
	next := max(min(s.declEnd(i), end), i+1)
	names := i
	for s.isIdent(names) && s.ch(names+1) == ',' {
		names += 2
	}
	if !s.isIdent(names) || names+1 >= next || s.ch(names+1) == '.' || s.tok(names+1).kind == tString ||
		s.ch(names+1) == '[' && s.embeds(names+1, next) {
		s.embedded(container, i, next)
		return next
	}
	last := next
	if s.tok(next-1).kind == tString {
		last--
	}
	typ := s.text(names+1, last)
	for j := i; j <= names; j += 2 {
		d := s.add(KindField, container, s.word(j), i, j, next-1, next-1)
		d.Exported = exportedGo(s.name(j))
		d.Type = typ
	}
	s.inner(within(container, s.name(i)), names+1, next)
	return next
}

// embeds reports whether the bracket i instantiates an embedded generic type.
func (s goScan) embeds(i, end int) bool {
	next := s.next(i)
	return s.ch(i+1) != ']' && (next >= end || s.tok(next).kind == tString)
}

// inner finds the anonymous struct or interface inside a field's type.
func (s goScan) inner(container string, i, end int) {
	for ; i < end; i = s.next(i) {
		if s.ch(i+1) != '{' {
			continue
		}
		switch s.word(i) {
		case kwStruct:
			s.body(KindStruct, container, i+1)
		case kwInterface:
			s.body(KindInterface, container, i+1)
		}
	}
}

func (s goScan) variables(first, i int) int { return s.values(KindVar, first, i) }
func (s goScan) constants(first, i int) int { return s.values(KindConst, first, i) }

// values reads one specification of variables or constants.
func (s goScan) values(kind Kind, first, i int) int {
	end := s.declEnd(i)
	names := i
	for s.isIdent(names) && s.ch(names+1) == ',' {
		names += 2
	}
	typ := names + 1
	for typ < end && s.ch(typ) != '=' {
		typ = s.next(typ)
	}
	for j := i; j <= names && s.isIdent(j); j += 2 {
		if s.name(j) == "_" {
			continue
		}
		d := s.add(kind, "", s.word(j), first, j, end-1, end-1)
		d.Start = s.lineOf(first)
		d.Sig = min(d.End, d.Start+maxHead-1)
		d.Exported = exportedGo(s.name(j))
		d.Type = s.text(names+1, typ)
	}
	return end
}
