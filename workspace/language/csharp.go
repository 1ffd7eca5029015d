package language

import "strings"

var csharp = &language{marks: "/\"'#$@", special: csharpSpecial, scan: scanCSharp, exact: true,
	reserved: "abstract as base bool break byte case catch char checked class const continue decimal default delegate " +
		"do double else enum event explicit extern false finally fixed float for foreach goto if implicit in int interface " +
		"internal is lock long namespace new null object operator out override params private protected public readonly ref " +
		"return sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof uint ulong " +
		"unchecked unsafe ushort using virtual void volatile while var async await get set value yield"}

func scanCSharp(s *scan) { (&curlyScan{scan: s, sharp: true}).body(0, s.end(), "", KindUnknown) }

func javaSpecial(l *lexer, p int) int {
	switch l.src[p] {
	case '"':
		if l.at(p, `"""`) {
			return l.str(p, l.tripled(p, true))
		}
		return l.str(p, l.quoted(p, false))
	case '\'':
		return l.str(p, l.quoted(p, false))
	}
	return l.slash(p)
}

// A csharpLexer reads what only C# has: its literals and names, and a preprocessor
// whose lines are comments but for the alternatives that they leave out.
type csharpLexer struct{ cLexer }

func csharpSpecial(read *lexer, p int) int {
	l := csharpLexer{cLexer{read}}
	switch l.src[p] {
	case '#':
		return l.preprocessed(p)
	case '\'':
		return l.str(p, l.quoted(p, false))
	case '"', '$', '@':
		return l.literal(p)
	}
	return l.slash(p)
}

// preprocessed reads a line of the preprocessor.
func (l csharpLexer) preprocessed(p int) int {
	end := lineEnd(l.src, p)
	if word := strings.TrimLeft(l.src[p+1:end], " \t"); l.stream && strings.HasPrefix(word, "el") {
		l.note(Directive, p, l.skipAlternatives(end))
		return l.extra[len(l.extra)-1].End
	}
	return l.comment(p, end)
}

// literal reads a literal with its prefix of $ and @.
func (l csharpLexer) literal(p int) int {
	q := p
	for q < len(l.src) && (l.src[q] == '$' || l.src[q] == '@') {
		q++
	}
	if q >= len(l.src) || l.src[q] != '"' {
		return l.name(p, q)
	}
	prefix := l.src[p:q]
	quotes := 0
	for q+quotes < len(l.src) && l.src[q+quotes] == '"' {
		quotes++
	}
	end := 0
	switch {
	case quotes >= 3:
		end = l.endOf(q+quotes, strings.Repeat(`"`, quotes))
	case strings.Contains(prefix, "@"):
		end = l.verbatim(q + 1)
	default:
		end = l.quoted(q, false)
	}
	if strings.Contains(prefix, "$") {
		l.interpolated(q, end)
	}
	return l.str(p, end)
}

// name reads @name, a name that may be a reserved word.
func (l csharpLexer) name(p, q int) int {
	if q < len(l.src) && l.lang.class[l.src[q]] == cIdent {
		return l.ident(q)
	}
	l.punct(p, l.src[p])
	return p + 1
}

// verbatim is the end of a literal in which "" means one quote.
func (l csharpLexer) verbatim(p int) int {
	src := l.src
	for ; p < len(src); p++ {
		if src[p] != '"' {
			continue
		}
		if p+1 < len(src) && src[p+1] == '"' {
			p++
			continue
		}
		return p + 1
	}
	l.unended = true
	return len(src)
}

// dottedName is the name a.b.c that begins at i, and the token after it.
func (c *curlyScan) dottedName(i int) (string, int) {
	from := i
	for c.isIdent(i) && c.ch(i+1) == '.' && (c.isIdent(i+2) || c.ch(i+2) == '*') {
		i += 2
	}
	return c.text(from, i+1), i + 1
}

func (c *curlyScan) packageName(at int) int {
	name, next := c.dottedName(at + 1)
	c.declare(name)
	return next
}

func (c *curlyScan) javaImport(at, end int) int {
	i := at + 1
	if c.word(i) == kwStatic {
		i++
	}
	line := int(c.lineOf(at))
	path, next := c.dottedName(i)
	if next > end || path == "" {
		return next
	}
	im := Import{Path: path, Line: line}
	if dot := strings.LastIndexByte(path, '.'); dot >= 0 {
		im.Path, im.Name = path[:dot], path[dot+1:]
	}
	c.imports = append(c.imports, im)
	return next
}

// sharpUsing reads a using directive.
func (c *curlyScan) sharpUsing(at, end int) int {
	i := at + 1
	im := Import{Name: "*", Line: int(c.lineOf(at))}
	if c.word(i) == kwStatic {
		i++
	}
	if c.ch(i+1) == '=' {
		im.Alias, im.Name = c.name(i), ""
		i += 2
	}
	im.Path, i = c.dottedName(i)
	if c.word(at) == kwUsing && im.Path != "" && c.ch(at+1) != '(' {
		c.imports = append(c.imports, im)
	}
	return c.skipStatement(min(i, end), end)
}

// namespace reads a block of a namespace, or the one that holds the rest of
// the file.
func (c *curlyScan) namespace(h curlyHead, at, end int, container string) int {
	name, i := c.dottedName(at + 1)
	c.declare(name)
	inner := within(container, name)
	if c.ch(i) == ';' {
		c.far = true // it is the container of all that follows
		c.add(KindNamespace, container, c.in.Intern(name), h.first, h.at, i, i).Exported = true
		c.body(i+1, end, inner, KindNamespace)
		c.far = true
		return end
	}
	cl := c.closing(i)
	if cl < 0 || c.ch(i) != '{' {
		return i
	}
	c.add(KindNamespace, container, c.in.Intern(name), h.first, h.at, i, cl).Exported = true
	c.body(i+1, cl, inner, KindNamespace)
	return cl + 1
}
