package language

import "strings"

var (
	clang = &language{marks: "/\"'#\\", letters: "$", special: lexC, digitQuote: true, scan: scanC, exact: true, reserved: cWords}
	cpp   = &language{marks: "/\"'#\\", letters: "$", special: lexC, digitQuote: true, scan: scanCPP, exact: true, reserved: cWords}
)

const cWords = "alignas alignof asm auto bool break case catch char class const constexpr consteval constinit const_cast " +
	"continue decltype default delete do double dynamic_cast else enum explicit export extern false float for friend " +
	"goto if inline int long mutable namespace new noexcept nullptr operator private protected public register " +
	"reinterpret_cast restrict return short signed sizeof static static_assert static_cast struct switch template this " +
	"thread_local throw true try typedef typeid typename union unsigned using virtual void volatile while concept requires"

// A cScan is the state of scanning one C or C++ file.
type cScan struct {
	*scan
	plus bool // C++
}

// A cScope is the scope of declarations.
type cScope struct {
	container string
	class     string // name of the class, "" outside of one
	hidden    bool   // private or protected
}

func scanC(s *scan)   { (&cScan{scan: s}).file() }
func scanCPP(s *scan) { (&cScan{scan: s, plus: true}).file() }
func (c *cScan) file() {
	if !c.plus && strings.HasSuffix(c.path, ".h") {
		c.plus = c.isCPlusPlus()
	}
	c.declarations(0, c.end(), cScope{})
	c.macros()
}

// isCPlusPlus reports whether a header holds what only C++ has.
func (c *cScan) isCPlusPlus() bool {
	for i := range c.toks {
		switch c.toks[i].name {
		case kwNamespace, kwTemplate, kwClass:
			if c.isIdent(i+1) || c.ch(i+1) == '<' || c.ch(i+1) == '{' {
				return true
			}
		}
	}
	return false
}

// macros reads the directives: macros and includes.
func (c *cScan) macros() {
	for _, d := range c.directs {
		switch d.word {
		case "include", "include_next", "import":
			if len(d.rest) > 2 {
				if end := strings.IndexAny(d.rest[1:], ">\""); end >= 0 {
					c.imports = append(c.imports, Import{Path: d.rest[1 : 1+end], Name: "*", Line: int(d.line)})
				}
			}
		case "define":
			c.macro(d)
		}
	}
}

func (c *cScan) macro(d directive) {
	n := 0
	for n < len(d.rest) && (c.lang.class[d.rest[n]] == cIdent || c.lang.class[d.rest[n]] == cDigit) {
		n++
	}
	if n == 0 || n == len(d.rest) {
		return // nothing, or the mark of an included file
	}
	m := Found{Name: c.in.Intern(d.rest[:n]), Kind: KindMacro, Exported: true, MinParams: Unknown, MaxParams: Unknown,
		Doc: d.line, Start: d.line, Sig: min(d.last, d.line+maxHead-1), End: d.last, Params: uint32(len(c.params))}
	if d.comments > 0 {
		if k := c.comms[d.comments-1]; k.own && k.end+1 == d.line {
			m.Doc = k.start
		}
	}
	c.defs = append(c.defs, m)
	if close := strings.IndexByte(d.rest, ')'); d.rest[n] == '(' && close > n {
		c.macroParams(&c.defs[len(c.defs)-1], d.rest[n+1:close])
	}
}

func (c *cScan) macroParams(m *Found, list string) {
	count, variadic := 0, false
	for _, name := range strings.Split(list, ",") {
		name = strings.TrimSpace(name)
		switch {
		case strings.HasSuffix(name, "..."):
			variadic = true
		case name != "":
			c.param(m, c.in.Intern(name))
			count++
		}
	}
	if variadic {
		m.arity(count, Variadic)
	} else {
		m.arity(count, count)
	}
}

// declarations reads what is declared from i to end.
func (c *cScan) declarations(i, end int, scope cScope) {
	if !c.enter() {
		c.exit()
		return
	}
	defer c.exit()
	for i < end {
		i = max(c.declaration(i, end, &scope), i+1)
	}
}

func (c *cScan) declaration(first, end int, scope *cScope) int {
	at := c.prefix(first, end)
	switch c.ch(at) {
	case ';', '}', ')', ']', ',', ':':
		return at + 1
	case '{':
		return c.next(at)
	}
	switch c.word(at) {
	case kwNamespace:
		return c.namespace(first, at, end, *scope)
	case kwUsing:
		return c.using(first, at, end, *scope)
	case kwPublic, kwProtected, kwPrivate:
		return c.access(at, end, scope)
	case kwExtern:
		if c.tok(at+1).kind == tString {
			if cl := c.closing(at + 2); c.ch(at+2) == '{' && cl >= 0 {
				c.declarations(at+3, cl, *scope)
				return cl + 1
			}
			at += 2
		}
	}
	d := cDecl{cScan: c, first: first, at: at, end: end, scope: *scope, name: -1, typeEnd: -1, op: -1}
	return d.read()
}

// prefix skips templates and attributes.
func (c *cScan) prefix(i, end int) int {
	for i < end {
		switch {
		case c.word(i) == kwTemplate && c.ch(i+1) == '<':
			i = c.skipAngle(i+1, end)
		case c.word(i) == kwTemplate:
			i++
		case c.name(i) == "requires" && c.plus && c.ch(i+1) == '(':
			i = c.next(i + 1)
		case c.ch(i) == '[' && c.ch(i+1) == '[':
			i = c.next(i)
		case c.name(i) == "__extension__":
			i++
		default:
			return i
		}
	}
	return i
}

// access reads public: and similar labels.
func (c *cScan) access(at, end int, scope *cScope) int {
	i := at + 1
	for i < end && c.isIdent(i) && i < at+3 {
		i++ // slots
	}
	if c.ch(i) == ':' {
		scope.hidden = c.word(at) != kwPublic
	}
	return i + 1
}

// semicolon is the one that ends the declaration at i, or where its scope ends.
func (c *cScan) semicolon(i, end int) int {
	for i < end && c.ch(i) != ';' {
		i = c.next(i)
	}
	return max(min(i, end-1), 0)
}

func (c *cScan) namespace(first, at, end int, scope cScope) int {
	i := at + 1
	var parts []string
	for i < end && c.ch(i) != '{' && c.ch(i) != ';' && c.ch(i) != '=' {
		if c.isIdent(i) && c.name(i) != "inline" && c.ch(i+1) != '(' {
			parts = append(parts, c.name(i))
		}
		i = c.next(i)
	}
	cl := c.closing(i)
	if c.ch(i) != '{' || cl < 0 {
		return c.semicolon(i, end) + 1
	}
	if len(parts) > 0 {
		name := c.in.Intern(parts[len(parts)-1])
		outer := strings.Join(append(splitDots(scope.container), parts[:len(parts)-1]...), ".")
		c.add(KindNamespace, outer, name, first, at, i, cl).Exported = true
	}
	inner := strings.Join(append(splitDots(scope.container), parts...), ".")
	c.declarations(i+1, cl, cScope{container: inner})
	return cl + 1
}

func splitDots(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ".")
}

// using reads an alias; other uses of using only refer to existing names.
func (c *cScan) using(first, at, end int, scope cScope) int {
	last := c.semicolon(at, end)
	if c.isIdent(at+1) && c.ch(at+2) == '=' && last > at+2 {
		d := c.add(KindType, scope.container, c.word(at+1), first, at, last, last)
		d.Exported = !scope.hidden
		d.Type = c.text(at+3, last)
	}
	return last + 1
}
