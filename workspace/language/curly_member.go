package language

// declaration reads a method, field or property: a type and a name, then what
// distinguishes them.
func (c *curlyScan) declaration(h curlyHead, i, end int, container string, outer Kind) int {
	from := i
	if c.ch(i) == '<' { // type parameters of a Java method
		i = c.skipAngle(i, end)
		from = i
	}
	name := -1
	for i < end {
		switch c.ch(i) {
		case 0:
			if c.sharp && c.word(i) == kwOperator {
				return c.operator(h, from, i, end, container)
			}
			if c.isIdent(i) {
				name = i
			}
			i++
		case '<':
			i = c.skipAngle(i, end)
		case '[':
			if c.sharp && name >= 0 && c.word(name) == kwThis {
				return c.property(h, from, name, c.next(i), end, container)
			}
			i = c.next(i)
		case '(':
			if c.sharp && (name < 0 || c.tok(i-1).kind != tIdent && c.ch(i-1) != '>') {
				i = c.next(i) // a tuple type
				continue
			}
			if name < 0 {
				return c.next(i)
			}
			return c.method(h, from, name, i, end, container, outer)
		case '=', ';', ',', ':':
			if c.pair(i, ':', ':') {
				i += 2
				continue
			}
			if c.sharp && c.pair(i, '=', '>') && name >= 0 {
				return c.property(h, from, name, i, end, container)
			}
			return c.fields(h, from, name, i, end, container, outer)
		case '{':
			if name < 0 {
				return c.next(i)
			}
			if c.sharp {
				return c.property(h, from, name, i, end, container)
			}
			return c.compact(h, name, i, container)
		case '}', ')', ']':
			return i + 1
		default:
			i++
		}
	}
	return i
}

// compact reads the constructor of a record that repeats no parameters.
func (c *curlyScan) compact(h curlyHead, name, body int, container string) int {
	cl := c.closing(body)
	if cl < 0 || c.name(name) != LastPart(container) {
		return c.next(body)
	}
	d := c.add(KindConstructor, container, c.word(name), h.first, h.at, body, cl)
	d.Exported = !h.hidden
	return cl + 1
}

// bodyEnd finds what ends the declaration whose parameter list ends before i:
// its brace, arrow or semicolon; and the last token of its body.
func (c *curlyScan) bodyEnd(i, end int) (sig, last int) {
	for i < end {
		switch c.ch(i) {
		case '{':
			if cl := c.closing(i); cl >= 0 {
				return i, cl
			}
			return i, i
		case ';':
			return i, i
		case '}':
			return i - 1, i - 1
		case '=':
			return i, c.semicolon(i, end)
		}
		i = c.next(i)
	}
	return i - 1, i - 1
}

// semicolon is the one that ends the expression at i, or the token before the
// bracket that does.
func (c *curlyScan) semicolon(i, end int) int {
	for i < end && c.ch(i) != ';' && c.ch(i) != '}' {
		i = c.next(i)
	}
	if i < end && c.ch(i) == ';' {
		return i
	}
	return i - 1
}

func (c *curlyScan) method(h curlyHead, from, name, open, end int, container string, outer Kind) int {
	cl := c.closing(open)
	if cl < 0 {
		return open + 1
	}
	sig, last := c.bodyEnd(cl+1, end)
	kind := KindMethod
	switch {
	case c.word(from-1) == kwDelegate:
		kind = KindType
	case name == from && c.name(name) == LastPart(container):
		kind = KindConstructor
	case container == "" || outer == KindUnknown:
		kind = KindFunc
	case name == from:
		return last + 1 // a call, or a macro
	}
	d := c.add(kind, container, c.word(name), h.first, h.at, sig, last)
	if c.ch(name-1) == '~' {
		d.Name = c.in.Intern("~" + c.name(name))
	}
	d.Exported = c.visible(h, outer)
	d.Type = c.text(from, name)
	c.parameters(d, open+1, cl)
	c.locals(sig, last, within(container, c.name(name)))
	return last + 1
}

// locals finds the types declared inside a method's body.
func (c *curlyScan) locals(open, end int, container string) {
	if c.ch(open) != '{' || !c.enter() {
		if c.ch(open) == '{' {
			c.exit()
		}
		return
	}
	defer c.exit()
	for i := open + 1; i < end; i++ {
		if w := c.word(i); w != kwClass && w != kwInterface && w != kwEnum && w != kwRecord || c.ch(i-1) == '.' {
			continue
		}
		kind, n := c.typeWord(i)
		if kind == KindUnknown || c.ch(n+1) == '=' || c.ch(n+1) == ';' && kind != KindStruct {
			continue
		}
		at := len(c.defs)
		i = c.typeDef(curlyHead{first: i, at: i}, kind, n, end, container, KindClass) - 1
		for k := at; k < len(c.defs); k++ {
			c.defs[k].Local, c.defs[k].Exported = true, false
		}
	}
}

// parameters reads the list between two parentheses.
func (c *curlyScan) parameters(d *Found, i, end int) {
	least, most, variadic := 0, 0, false
	for i < end {
		next := c.listEnd(i, end)
		name, optional := -1, false
		for k := i; k < next; k = c.next(k) {
			if c.ch(k) == '=' {
				optional = true
				break
			}
			if c.isIdent(k) {
				name = k
			}
			variadic = variadic || c.pair(k, '.', '.') || c.sharp && c.name(k) == "params"
		}
		if name >= i && c.word(name) != kwThis {
			c.param(d, c.word(name))
			most++
			if !optional && !variadic {
				least++
			}
		}
		i = next + 1
	}
	if variadic {
		most = Variadic
	}
	d.arity(least, most)
}

// property reads a C# property, indexer or event with accessors.
func (c *curlyScan) property(h curlyHead, from, name, i, end int, container string) int {
	last := i
	if c.ch(i) == '{' {
		if cl := c.closing(i); cl >= 0 {
			last = cl
		}
		if c.ch(last+1) == '=' && last+1 < end {
			last = c.semicolon(last+1, end)
		}
	} else {
		last = c.semicolon(i, end)
	}
	d := c.add(KindProperty, container, c.word(name), h.first, h.at, name, last)
	d.Sig = min(d.End, d.Start+maxHead-1)
	d.Exported = c.visible(h, KindClass)
	d.Type = c.text(from, name)
	return last + 1
}

// operator reads a C# operator.
func (c *curlyScan) operator(h curlyHead, from, i, end int, container string) int {
	open := i + 1
	for open < end && c.ch(open) != '(' {
		open++
	}
	cl := c.closing(open)
	if cl < 0 {
		return open
	}
	sig, last := c.bodyEnd(cl+1, end)
	d := c.add(KindMethod, container, c.in.Intern("operator "+c.text(i+1, open)), h.first, h.at, sig, last)
	d.Exported = c.visible(h, KindClass)
	d.Type = c.text(from, i)
	c.parameters(d, open+1, cl)
	return last + 1
}

// fields reads the variables of one declaration: the first name is known, and
// its type comes before it.
func (c *curlyScan) fields(h curlyHead, from, name, i, end int, container string, outer Kind) int {
	last := c.semicolon(i, end)
	if name <= from || name >= i && c.ch(i) != ':' || c.ch(i) == ':' {
		return last + 1
	}
	typ := c.text(from, name)
	kind := KindField
	if h.constant || outer == KindInterface {
		kind = KindConst
	}
	if c.name(from) == "event" {
		kind = KindProperty
	}
	for name < last {
		d := c.add(kind, container, c.word(name), h.first, h.at, name, last)
		d.Sig = min(d.End, d.Start+maxHead-1)
		d.Exported = c.visible(h, outer)
		d.Type = typ
		for i = name; i < last && c.ch(i) != ','; {
			i = c.next(i)
		}
		if name = i + 1; !c.isIdent(name) || c.ch(name+1) != '=' && c.ch(name+1) != ',' && c.ch(name+1) != ';' {
			break
		}
	}
	return last + 1
}
