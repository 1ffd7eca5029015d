package language

import "strings"

var rust = &language{marks: "/\"'#", special: rustSpecial, scan: scanRust, exact: true,
	reserved: "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod " +
		"move mut pub ref return self Self static struct super trait true type unsafe use where while"}

// A rustLexer reads the literals and raw names of Rust.
type rustLexer struct{ *lexer }

func rustSpecial(read *lexer, p int) int {
	l := rustLexer{read}
	switch l.src[p] {
	case '"':
		return l.literal(p, p)
	case '#':
		if end, ok := l.raw(p); ok {
			return end
		}
		l.punct(p, '#')
		return p + 1
	case '\'':
		return l.charOrTick(p)
	}
	if l.at(p, "/*") {
		return l.nestedComment(p)
	}
	return l.slash(p)
}

// literal reads a literal whose quote is at p.
func (l rustLexer) literal(start, p int) int {
	prefix, ok := l.before(p)
	if !ok || strings.Trim(prefix, "bcr") != "" {
		return l.str(start, l.quoted(p, true))
	}
	start = l.dropPrefix(p)
	if strings.HasSuffix(prefix, "r") {
		return l.str(start, l.endOf(p+1, `"`))
	}
	return l.str(start, l.quoted(p, true))
}

// raw reads r#"..."#, from its first # on, and r#name.
func (l rustLexer) raw(p int) (int, bool) {
	prefix, ok := l.before(p)
	if !ok || !strings.HasSuffix(prefix, "r") || strings.Trim(prefix, "bcr") != "" {
		return 0, false
	}
	q := p
	for q < len(l.src) && l.src[q] == '#' {
		q++
	}
	if q >= len(l.src) {
		return 0, false
	}
	if l.src[q] == '"' {
		start := l.dropPrefix(p)
		return l.str(start, l.endOf(q+1, `"`+l.src[p:q])), true
	}
	if q == p+1 && l.lang.class[l.src[q]] == cIdent {
		l.dropPrefix(p)
		return l.ident(q), true
	}
	return 0, false
}

// A rustScan is the state of scanning one Rust file.
type rustScan struct{ *scan }

func scanRust(s *scan) { rustScan{s}.items(0, s.end(), "", KindUnknown, false) }

// A rustHead is what comes before an item's keyword.
type rustHead struct {
	first, at int
	public    bool
}

// items reads the items from i to end. inside is the kind of what they are in.
func (r rustScan) items(i, end int, container string, inside Kind, local bool) {
	if !r.enter() {
		r.exit()
		return
	}
	defer r.exit()
	from := len(r.defs)
	for i < end {
		i = max(r.item(i, end, container, inside), i+1)
	}
	if local {
		for k := from; k < len(r.defs); k++ {
			r.defs[k].Local = true
		}
	}
}

// head reads attributes, visibility and qualifiers.
func (r rustScan) head(i, end int) (rustHead, int) {
	h := rustHead{first: i, at: -1}
	for i < end {
		switch {
		case r.ch(i) == '#' && (r.ch(i+1) == '[' || r.ch(i+1) == '!'):
			if r.ch(i+1) == '!' {
				i++
			}
			i = r.next(i + 1)
			continue
		case h.at < 0:
			h.at = i
		}
		switch r.word(i) {
		case kwPub:
			h.public = true
			if i++; r.ch(i) == '(' {
				h.public = false
				i = r.next(i)
			}
			continue
		case kwUnsafe, kwAsync, kwDefault:
			if r.isIdent(i + 1) {
				i++
				continue
			}
		case kwConst:
			if w := r.word(i + 1); w == kwFn || w == kwUnsafe || w == kwAsync || w == kwExtern {
				i++
				continue
			}
		case kwExtern:
			if r.tok(i+1).kind == tString && r.word(i+2) == kwFn {
				i += 2
				continue
			}
			if r.word(i+1) == kwFn {
				i++
				continue
			}
		}
		break
	}
	if h.at < 0 {
		h.at = i
	}
	return h, i
}

func (r rustScan) item(i, end int, container string, inside Kind) int {
	h, at := r.head(i, end)
	h.public = h.public || inside == KindInterface
	switch r.word(at) {
	case kwFn:
		return r.function(h, at+1, end, container, inside)
	case kwStruct:
		return r.structDef(h, at+1, end, container)
	case kwUnion:
		if r.isIdent(at + 1) {
			return r.structDef(h, at+1, end, container)
		}
	case kwEnum:
		return r.enum(h, at+1, end, container)
	case kwTrait:
		return r.trait(h, at+1, end, container)
	case kwImpl:
		return r.impl(at, end, container)
	case kwMod:
		return r.module(h, at+1, container)
	case kwConst, kwStatic:
		return r.value(h, at, end, container)
	case kwType:
		return r.alias(h, at+1, end, container)
	case kwUse:
		return r.use(at+1, end)
	case kwExtern:
		return r.external(at, end, container)
	case kwMacroRules:
		return r.macro(h, at, container)
	}
	if at > i {
		return at
	}
	if r.ch(i) == '{' { // a block, or a macro's tokens, which are often items
		if c := r.closing(i); c >= 0 && inside == KindFunc {
			r.items(i+1, c, container, KindFunc, false)
		} else if c >= 0 && r.ch(i-1) == '!' {
			r.items(i+1, c, container, inside, false)
		}
	}
	return r.next(i)
}

// generics is the token after the type parameters at i, if there are any.
func (r rustScan) generics(i, end int) int {
	if r.ch(i) == '<' {
		return r.skipAngle(i, end)
	}
	return i
}

// bodyAt is the brace or semicolon that comes next.
func (r rustScan) bodyAt(i, end int) int {
	end = min(end, i+maxAhead/4)
	for i < end && r.ch(i) != '{' && r.ch(i) != ';' {
		if r.ch(i) == '}' {
			return i - 1
		}
		i = r.next(i)
	}
	return min(i, end)
}

func (r rustScan) define(kind Kind, h rustHead, container string, n, sig, last int) *Found {
	d := r.add(kind, container, r.word(n), h.first, h.at, sig, last)
	d.Exported = h.public
	return d
}

// lastOf is the token that ends what opens at i.
func (r rustScan) lastOf(i int) int {
	if c := r.closing(i); c >= 0 {
		return c
	}
	return i
}

func (r rustScan) function(h rustHead, n, end int, container string, inside Kind) int {
	open := r.generics(n+1, end)
	c := r.closing(open)
	if !r.isIdent(n) || r.ch(open) != '(' || c < 0 {
		return n
	}
	body := r.bodyAt(c+1, end)
	last := r.lastOf(body)
	kind := KindFunc
	if inside == KindStruct || inside == KindInterface {
		kind = KindMethod
	}
	d := r.define(kind, h, container, n, body, last)
	r.parameters(d, open+1, c)
	d.Type = r.result(c+1, body)
	if last > body {
		r.items(body+1, last, within(container, r.name(n)), KindFunc, true)
	}
	return last + 1
}

// result is the type after the arrow, without a where clause.
func (r rustScan) result(i, end int) string {
	if !r.pair(i, '-', '>') {
		return ""
	}
	to := i + 2
	for to < end && r.word(to) != kwWhere {
		to = r.next(to)
	}
	return r.text(i+2, to)
}

// parameters reads the list between two parentheses, without self.
func (r rustScan) parameters(d *Found, i, end int) {
	count := 0
	for i < end {
		name, colon, from := NameID(0), false, i
		for i < end && r.ch(i) != ',' {
			switch {
			case r.ch(i) == '<' && colon:
				i = min(r.skipAngle(i, end), end)
				continue
			case r.ch(i) == ':':
				colon = true
			case r.isIdent(i) && !colon && r.word(i) != kwMut:
				name = r.word(i)
			}
			i = r.next(i)
		}
		if i > from && name != kwSelf {
			r.param(d, name)
			count++
		}
		i++
	}
	d.arity(count, count)
}

func (r rustScan) structDef(h rustHead, n, end int, container string) int {
	if !r.isIdent(n) {
		return n
	}
	open := r.generics(n+1, end)
	name := within(container, r.name(n))
	if c := r.closing(open); r.ch(open) == '(' && c >= 0 {
		last := r.bodyAt(c+1, end)
		r.define(KindStruct, h, container, n, open, last).Type = r.text(open, c+1)
		return last + 1
	}
	body := r.bodyAt(open, end)
	last := r.lastOf(body)
	r.define(KindStruct, h, container, n, body, last)
	r.fields(body+1, last, name)
	return last + 1
}

// fields reads the fields of a struct, up to end.
func (r rustScan) fields(i, end int, container string) {
	for i < end {
		h, n := r.head(i, end)
		next := n
		for next < end && r.ch(next) != ',' {
			if r.ch(next) == '<' {
				next = min(r.skipAngle(next, end), end)
				continue
			}
			next = r.next(next)
		}
		if r.isIdent(n) && r.ch(n+1) == ':' && n < end {
			d := r.define(KindField, h, container, n, n, next-1)
			d.Type = r.text(n+2, next)
		}
		i = max(next, i) + 1
	}
}

func (r rustScan) enum(h rustHead, n, end int, container string) int {
	if !r.isIdent(n) {
		return n
	}
	body := r.bodyAt(n+1, end)
	last := r.lastOf(body)
	r.define(KindEnum, h, container, n, body, last)
	name := within(container, r.name(n))
	for i := body + 1; i < last; {
		v, m := r.head(i, last)
		next := m
		for next < last && r.ch(next) != ',' {
			next = r.next(next)
		}
		if r.isIdent(m) && m < last {
			v.public = h.public
			r.define(KindEnumMember, v, name, m, m, next-1)
			if c := r.closing(m + 1); r.ch(m+1) == '{' && c >= 0 {
				r.fields(m+2, c, within(name, r.name(m)))
			}
		}
		i = max(next, i) + 1
	}
	return last + 1
}

func (r rustScan) trait(h rustHead, n, end int, container string) int {
	if !r.isIdent(n) {
		return n
	}
	body := r.bodyAt(n+1, end)
	last := r.lastOf(body)
	d := r.define(KindInterface, h, container, n, body, last)
	d.Type = strings.TrimSpace(strings.TrimPrefix(r.text(n+1, body), ":"))
	if last > body {
		r.items(body+1, last, within(container, r.name(n)), KindInterface, false)
	}
	return last + 1
}

// impl reads the members that a block adds to a type.
func (r rustScan) impl(at, end int, container string) int {
	i := r.generics(at+1, end)
	body := r.bodyAt(i, end)
	c := r.closing(body)
	if c < 0 || r.ch(body) != '{' {
		return at + 1
	}
	name, trait := "", false
	for i < body && r.word(i) != kwWhere {
		switch {
		case r.word(i) == kwFor:
			trait = true
		case r.isIdent(i) && !r.reserved(i):
			name = r.name(i)
		case r.ch(i) == '<':
			i = r.skipAngle(i, body)
			continue
		}
		i = r.next(i)
	}
	inside := KindStruct
	if trait {
		inside = KindInterface // its functions are as visible as the trait
	}
	r.items(body+1, c, within(container, name), inside, false)
	return c + 1
}

func (r rustScan) module(h rustHead, n int, container string) int {
	if !r.isIdent(n) {
		return n
	}
	last := r.lastOf(n + 1)
	if r.ch(n+1) == ';' {
		r.imports = append(r.imports, Import{Path: "self", Name: r.name(n), Line: int(r.lineOf(n))})
		return n + 2
	}
	r.define(KindNamespace, h, container, n, n+1, last)
	if r.ch(n+1) == '{' && last > n+1 {
		r.items(n+2, last, within(container, r.name(n)), KindNamespace, false)
	}
	return last + 1
}

// semicolon is the one that ends the item at i, or where its scope ends.
func (r rustScan) semicolon(i, end int) int {
	for i < end && r.ch(i) != ';' {
		i = r.next(i)
	}
	return min(i, end-1)
}

func (r rustScan) value(h rustHead, at, end int, container string) int {
	n := at + 1
	for r.word(n) == kwMut {
		n++
	}
	if !r.isIdent(n) || r.ch(n+1) != ':' {
		return n
	}
	last := r.semicolon(n, end)
	kind := KindConst
	if r.word(at) == kwStatic {
		kind = KindVar
	}
	d := r.define(kind, h, container, n, n, max(last, n))
	d.Sig = min(d.End, d.Start+maxHead-1)
	to := n + 2
	for to < last && r.ch(to) != '=' {
		to = r.next(to)
	}
	d.Type = r.text(n+2, to)
	return last + 1
}

func (r rustScan) alias(h rustHead, n, end int, container string) int {
	if !r.isIdent(n) {
		return n
	}
	last := max(r.semicolon(n, end), n)
	d := r.define(KindType, h, container, n, last, last)
	eq := r.generics(n+1, end)
	for eq < last && r.ch(eq) != '=' {
		eq = r.next(eq)
	}
	d.Type = r.text(eq+1, last)
	return last + 1
}

// external reads extern crate x; and the block of a foreign interface.
func (r rustScan) external(at, end int, container string) int {
	if r.word(at+1) == kwCrate {
		r.imports = append(r.imports, Import{Path: r.name(at + 2), Line: int(r.lineOf(at))})
		return r.semicolon(at, end) + 1
	}
	open := at + 1
	if r.tok(open).kind == tString {
		open++
	}
	if c := r.closing(open); r.ch(open) == '{' && c >= 0 {
		r.items(open+1, c, container, KindUnknown, false)
		return c + 1
	}
	return at + 1
}

func (r rustScan) macro(h rustHead, at int, container string) int {
	n := at + 2
	if r.ch(at+1) != '!' || !r.isIdent(n) {
		return at + 1
	}
	last := r.lastOf(n + 1)
	d := r.define(KindMacro, h, container, n, n+1, last)
	d.Exported = strings.Contains(r.text(h.first, h.at), "macro_export")
	d.Sig = min(d.End, d.Start+maxHead-1)
	return last + 1
}

// use reads the paths of a use declaration.
func (r rustScan) use(i, end int) int {
	last := r.semicolon(i, end)
	r.useTree(i, last, "")
	return last + 1
}

func (r rustScan) useTree(i, end int, prefix string) {
	if !r.enter() {
		r.exit()
		return
	}
	defer r.exit()
	for i < end {
		next := i
		for next < end && r.ch(next) != ',' {
			next = r.next(next)
		}
		r.usePath(i, next, prefix)
		i = next + 1
	}
}

// usePath reads one path, from i to end.
func (r rustScan) usePath(i, end int, prefix string) {
	path, name := prefix, ""
	for ; i < end; i++ {
		switch {
		case r.ch(i) == '{':
			if name != "" {
				path = joinPath(path, name)
			}
			r.useTree(i+1, max(r.closing(i), i+1), path)
			return
		case r.word(i) == kwAs:
			r.imports = append(r.imports, Import{Path: path, Name: name, Alias: r.name(i + 1), Line: int(r.lineOf(i))})
			return
		case r.isIdent(i) || r.ch(i) == '*':
			if name != "" {
				path = joinPath(path, name)
			}
			name = r.name(i)
		}
	}
	if name == "self" && prefix != "" {
		path, name = prefix, ""
	}
	if path != "" || name != "" {
		r.imports = append(r.imports, Import{Path: path, Name: name, Line: int(r.lineOf(min(i, end) - 1))})
	}
}

func joinPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "::" + name
}
