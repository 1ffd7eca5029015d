package language

// A jsReader finds where the parts of JavaScript and TypeScript begin and end. It
// records nothing.
type jsReader struct{ *scan }

// A jsHead is what comes before a declaration's keyword.
type jsHead struct {
	first    int // first token, decorators included
	at       int // first token after the decorators
	exported bool
	fallback bool // export default
	constant bool
}

// head reads decorators and modifiers, and returns the keyword's token.
func (j jsReader) head(i, end int) (jsHead, int) {
	h := jsHead{first: i}
	i = j.decorators(i, end)
	h.at = i
	for ; i < end; i++ {
		switch j.word(i) {
		case kwExport:
			h.exported = true
		case kwDefault:
			h.fallback = h.exported
		case kwDeclare, kwAbstract, kwAsync:
			if !j.isIdent(i+1) || j.startsLine(i+1) {
				return h, i
			}
		case kwConst:
			if j.word(i+1) != kwEnum {
				return h, i
			}
			h.constant = true
		default:
			if j.ch(i) == '@' && i > h.at {
				i = j.decorators(i, end) - 1
				continue
			}
			return h, i
		}
	}
	return h, i
}

func (j jsReader) decorators(i, end int) int {
	for i < end && j.ch(i) == '@' && j.isIdent(i+1) {
		i += 2
		for j.ch(i) == '.' {
			i += 2
		}
		if j.ch(i) == '(' {
			i = j.next(i)
		}
	}
	return i
}

// heritage is the brace that opens a class or interface body, after its name,
// type parameters and bases.
func (j jsReader) heritage(i, end int) int {
	end = min(end, i+maxAhead)
	for i < end && j.ch(i) != '{' && j.ch(i) != ';' {
		if j.ch(i) == '<' {
			i = j.skipAngle(i, end)
			continue
		}
		i = j.next(i)
	}
	return i
}

// A jsMember is a member's modifiers.
type jsMember struct {
	first, at int
	private   bool
	accessor  bool
}

// modifiers reads what comes before a member's name, and returns the name's
// token.
func (j jsReader) modifiers(i, end int) (jsMember, int) {
	m := jsMember{first: i}
	i = j.decorators(i, end)
	m.at = i
	for i+1 < end && j.isIdent(i) && !j.namesMember(i+1) {
		switch j.name(i) {
		case "private", "protected":
			m.private = true
		case "get", "set", "accessor":
			m.accessor = true
		case "public", "static", "readonly", "abstract", "async", "override", "declare", "export", "default":
		default:
			return m, i
		}
		i++
	}
	if j.ch(i) == '*' {
		i++
	}
	return m, i
}

// namesMember reports whether token i shows that the word before it was a
// member's name and not a modifier.
func (j jsReader) namesMember(i int) bool {
	switch j.ch(i) {
	case '(', '=', ';', ':', '?', ',', '}', '!', '<':
		return true
	}
	return j.startsLine(i) && j.ch(i) != '*' && j.word(i-1) != kwExport && j.tok(i).kind != tIdent && j.ch(i) != '['
}

// memberEnd is the token after the member that continues at i.
func (j jsReader) memberEnd(i, end int) int {
	if j.ch(i) == '{' {
		return j.next(i)
	}
	if j.ch(i) == '<' {
		i = j.skipAngle(i, end)
	}
	if j.word(i) == kwNew {
		i++
	}
	i = j.next(i)
	if j.ch(i) == '?' {
		i++
	}
	if j.ch(i) == ':' && i < end {
		i = j.skipType(i+1, end)
	}
	if j.ch(i) == '=' && i < end {
		i = j.exprEnd(i+1, end)
	}
	return i
}

// A jsFunc is a function that is a value.
type jsFunc struct {
	open, close int // parentheses of its parameters; open is -1 when there is none
	single      int // the one parameter without parentheses, or -1
	body        int // its brace, or the first token of an expression
	typ         string
	typed       bool // not the function but its type: there is no body
}

// arrow reads the function, if the expression at i is one.
func (j jsReader) arrow(i, end int) jsFunc {
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
func (j jsReader) signature(i, end int, arrow bool) jsFunc {
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
func (j jsReader) arrowResult(i, end int) (int, string) {
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
func (j jsReader) skipArrowType(i, end int) int {
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

// functionType is the function that the declared type of a member, after the
// colon at i, describes.
func (j jsReader) functionType(i, end int) jsFunc {
	f := jsFunc{open: -1, single: -1}
	if next := j.ch(i + 1); i+1 < end && (next == '(' || next == '<') {
		f = j.signature(i+1, end, true)
		if f.open >= 0 && j.pair(f.close+1, '=', '>') {
			f.typ = j.text(f.body, end)
			f.typed = true
			return f
		}
	}
	return jsFunc{open: -1, single: -1}
}

// resultType reads the type after a parameter list, and returns the token after
// it.
func (j jsReader) resultType(i, end int) (int, string) {
	if j.ch(i) != ':' || i >= end {
		return i, ""
	}
	t := j.skipType(i+1, end)
	return t, j.text(i+1, t)
}

// skipTo is the next token ch from i on, outside brackets.
func (j jsReader) skipTo(i, end int, ch byte) int {
	for i < end && j.ch(i) != ch {
		i = j.next(i)
	}
	return i
}

// importNames reads the names between the braces at i.
func (j jsReader) importNames(i int, found []Import) []Import {
	end := j.closing(i)
	for k := i + 1; k < end; k++ {
		if j.word(k) == kwType && j.isIdent(k+1) && j.word(k+1) != kwAs {
			k++
		}
		if !j.isIdent(k) && j.tok(k).kind != tString {
			continue
		}
		im := Import{Name: unquoteScript(j.name(k)), Line: int(j.lineOf(k))}
		if j.word(k+1) == kwAs {
			im.Alias = j.name(k + 2)
			k += 2
		}
		found = append(found, im)
	}
	return found
}
