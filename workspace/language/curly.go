package language

import "tandem/workspace/terms"

var java = &language{marks: "/\"'", letters: "$", special: javaSpecial, scan: scanJava, exact: true,
	reserved: "abstract assert boolean break byte case catch char class const continue default do double else enum " +
		"extends final finally float for goto if implements import instanceof int interface long native new package private " +
		"protected public return short static strictfp super switch synchronized this throw throws transient try void " +
		"volatile while true false null var"}

// A curlyScan is the state of scanning a Java or C# file: both declare the same
// things in the same form and differ in their keywords.
type curlyScan struct {
	*scan
	sharp bool // C#
}

// A curlyHead is what comes before a declaration's own keywords.
type curlyHead struct {
	first, at int  // first token with and without annotations
	public    bool // by modifier
	hidden    bool // private, or protected
	constant  bool
	static    bool
}

var curlyModifiers = terms.Set("public private protected internal static final abstract native synchronized transient volatile " +
	"strictfp sealed default virtual override async extern readonly unsafe new partial const required file ref fixed non")

func scanJava(s *scan) { (&curlyScan{scan: s}).body(0, s.end(), "", KindUnknown) }

// body reads the members of a type or namespace from i to end.
func (c *curlyScan) body(i, end int, container string, kind Kind) {
	if !c.enter() {
		c.exit()
		return
	}
	defer c.exit()
	for i < end {
		i = max(c.member(i, end, container, kind), i+1)
	}
}

// head reads annotations, attributes and modifiers.
func (c *curlyScan) head(i, end int) (curlyHead, int) {
	h := curlyHead{first: i, at: -1}
	for i < end {
		switch {
		case c.ch(i) == '@' && c.word(i+1) != kwInterface:
			i = c.annotation(i)
			continue
		case c.sharp && c.ch(i) == '[' && c.closing(i) >= 0:
			i = c.next(i)
			continue
		}
		if h.at < 0 {
			h.at = i
		}
		if !c.isIdent(i) || !curlyModifiers[c.name(i)] || !c.modifies(i) {
			break
		}
		switch c.word(i) {
		case kwPublic, kwInternal:
			h.public = true
		case kwPrivate, kwProtected:
			h.hidden = true
		case kwConst:
			h.constant = true
		case kwFinal:
			h.constant = h.static
		case kwStatic:
			h.static = true
		}
		i++
	}
	if h.at < 0 {
		h.at = i
	}
	return h, i
}

// modifies reports whether the word i is a modifier here and not a name.
func (c *curlyScan) modifies(i int) bool {
	switch c.ch(i + 1) {
	case '(', '=', ';', ',', '.', ':':
		return false
	case '-':
		return c.name(i) == "non"
	case '{':
		return c.word(i) == kwStatic
	}
	return true
}

func (c *curlyScan) annotation(i int) int {
	i += 2
	for c.ch(i) == '.' {
		i += 2
	}
	if c.ch(i) == '(' {
		i = c.next(i)
	}
	return i
}

func (c *curlyScan) member(i, end int, container string, kind Kind) int {
	h, at := c.head(i, end)
	if c.ch(at) == '-' { // non-sealed
		_, at = c.head(at+1, end)
	}
	switch c.word(at) {
	case kwPackage:
		return c.packageName(at)
	case kwImport:
		return c.javaImport(at, end)
	case kwUsing, kwExtern:
		return c.sharpUsing(at, end)
	case kwNamespace:
		return c.namespace(h, at, end, container)
	case kwGlobal:
		if c.word(at+1) == kwUsing {
			return c.sharpUsing(at+1, end)
		}
	}
	if k, n := c.typeWord(at); k != KindUnknown {
		return c.typeDef(h, k, n, end, container, kind)
	}
	switch c.ch(at) {
	case '{':
		return c.next(at)
	case ';', '}', ')', ']', ',':
		return at + 1
	}
	if c.sharp && c.word(at) == kwDelegate {
		at++
	}
	if container == "" && !c.sharp {
		return c.skipStatement(at, end) // only types can be declared outside types
	}
	return c.declaration(h, at, end, container, kind)
}

// typeWord returns the kind of type that token i begins, and its name's token.
func (c *curlyScan) typeWord(i int) (Kind, int) {
	n := i + 1
	kind := KindUnknown
	switch c.word(i) {
	case kwClass:
		kind = KindClass
	case kwInterface:
		kind = KindInterface
	case kwEnum:
		kind = KindEnum
	case kwStruct:
		kind = KindStruct
	case kwRecord:
		if c.word(n) == kwClass || c.word(n) == kwStruct {
			n++
		}
		if !c.isIdent(n) || c.ch(n+1) != '(' && c.ch(n+1) != '<' && c.ch(n+1) != '{' && c.ch(n+1) != ':' && c.ch(n+1) != ';' {
			return KindUnknown, i
		}
		kind = KindStruct
	}
	if c.ch(i) == '@' && c.word(i+1) == kwInterface {
		kind, n = KindInterface, i+2
	}
	if kind == KindUnknown || !c.isIdent(n) {
		return KindUnknown, i
	}
	return kind, n
}

// typeDef reads the type whose name is token n.
func (c *curlyScan) typeDef(h curlyHead, kind Kind, n, end int, container string, outer Kind) int {
	i := n + 1
	if c.ch(i) == '<' {
		i = c.skipAngle(i, end)
	}
	params := -1
	if c.ch(i) == '(' {
		params = i
		i = c.next(i)
	}
	bases := i
	for i < end && c.ch(i) != '{' && c.ch(i) != ';' {
		if c.ch(i) == '<' {
			i = c.skipAngle(i, end)
			continue
		}
		i = c.next(i)
	}
	last := i
	if cl := c.closing(i); cl >= 0 && c.ch(i) == '{' {
		last = cl
	}
	d := c.add(kind, container, c.word(n), h.first, h.at, i, last)
	d.Exported = c.visible(h, outer)
	d.Type = c.text(bases, i)
	name := within(container, c.name(n))
	if params >= 0 {
		c.parameters(d, params+1, c.closing(params))
		c.components(params+1, c.closing(params), name)
	}
	if last <= i {
		return i + 1
	}
	from := i + 1
	if kind == KindEnum {
		from = c.constants(from, last, name, d.Exported)
	}
	c.body(from, last, name, kind)
	return last + 1
}

// visible reports whether a member of this kind of type can be seen outside.
func (c *curlyScan) visible(h curlyHead, outer Kind) bool {
	switch {
	case h.public:
		return true
	case h.hidden:
		return false
	case outer == KindInterface || outer == KindEnum:
		return true
	}
	return !c.sharp || outer == KindUnknown || outer == KindNamespace // Java: visible in its package
}

// components records the components of a record as its fields.
func (c *curlyScan) components(i, end int, container string) {
	for i < end {
		next := c.listEnd(i, end)
		if n := next - 1; n > i && c.isIdent(n) {
			d := c.add(KindField, container, c.word(n), i, i, n, n)
			d.Exported = true
			d.Type = c.text(i, n)
		}
		i = next + 1
	}
}

// listEnd is the comma, or end, after the list's element at i.
func (c *curlyScan) listEnd(i, end int) int {
	for i < end && c.ch(i) != ',' {
		if c.ch(i) == '<' {
			i = min(c.skipAngle(i, end), end)
			continue
		}
		i = c.next(i)
	}
	return min(i, end)
}

// constants reads the constants of an enum, and returns the token after them.
func (c *curlyScan) constants(i, end int, container string, exported bool) int {
	for i < end && c.ch(i) != ';' {
		first := i
		for c.ch(i) == '@' || c.sharp && c.ch(i) == '[' {
			if c.ch(i) == '@' {
				i = c.annotation(i)
			} else {
				i = c.next(i)
			}
		}
		next := i
		for next < end && c.ch(next) != ',' && c.ch(next) != ';' {
			next = c.next(next)
		}
		if c.isIdent(i) && next > i {
			d := c.add(KindEnumMember, container, c.word(i), first, i, next-1, next-1)
			d.Exported = exported
		}
		i = max(next, i)
		if c.ch(i) == ',' {
			i++
		} else if i == first {
			i++
		}
	}
	return min(i+1, end)
}

// skipStatement is the token after the semicolon or block that comes next.
func (c *curlyScan) skipStatement(i, end int) int {
	for i < end && c.ch(i) != ';' && c.ch(i) != '{' {
		i = c.next(i)
	}
	return c.next(i)
}
