package language

import "strings"

// A scriptDepth measures JavaScript and TypeScript by its tokens.
type scriptDepth struct {
	*depth
	lex      *lexer
	tags     bool // there may be JSX
	last     uint32
	ended    bool // what came last can be the end of a statement: an operand, or the parentheses of a call
	finished bool // what came last is a semicolon or a block's end: unless an else follows, a statement ended
	control  bool // the next parentheses belong to a statement
}

// deepening are signs of code that may be nested, and those of doubt: of many in a row the
// first is enough.
const deepening = "([{<>)]}!~-+?=*&|;,/'"

func (c *scriptDepth) read(i int) {
	t := &c.lex.toks[i]
	text := c.lex.src[t.pos:t.end]
	c.tokens += 2 // esbuild takes more memory for each than others
	c.doubt(i)
	word := t.kind == tIdent
	newline := i > 0 && (t.line > c.last || t.glued)
	c.last = t.line
	if t.kind == tString {
		c.last += uint32(t.aux)
	}
	if c.finished && !(word && text == "else") && t.ch != ')' || newline && c.ended && word && !continues(text) {
		c.end()
	}
	c.finished = false
	switch {
	case word:
		c.word(text)
	case t.kind == tPunct:
		c.sign(i, t.ch)
	default:
		c.add(1)
		c.ended = true
	}
}

// word weighs words that are statements around others, or operators.
func (c *scriptDepth) word(text string) {
	cost := 1
	c.ended = true
	switch text {
	case "if", "for", "while", "with", "switch", "catch":
		c.control, cost, c.ended = true, weighBracket, false
	case "import", "export", "require":
		c.unsure(1) // esbuild takes the square of their time
	case "else", "do", "function", "class", "async":
		cost, c.ended = weighBracket, false
	case "new", "typeof", "void", "delete", "await", "yield", "keyof", "infer", "readonly", "unique", "throw", "return", "case", "in", "of", "instanceof":
		c.ended = false
	}
	c.add(cost)
}

// continues reports words that a line can begin with in the middle of a statement.
func continues(word string) bool {
	switch word {
	case "else", "catch", "finally", "while", "instanceof", "in", "of", "as", "satisfies", "extends", "implements", "is", "from":
		return true
	}
	return false
}

func (c *scriptDepth) sign(i int, ch byte) {
	t := &c.lex.toks[i]
	ended := c.ended
	c.ended = false
	before := func(a byte) bool { return i > 0 && c.lex.toks[i-1].ch == a && c.lex.toks[i-1].end == t.pos }
	next := byte(0)
	if int(t.end) < len(c.lex.src) {
		next = c.lex.src[t.end]
	}
	switch ch {
	case '(', '[', '{':
		c.open(ch, ch == '(' && c.control)
		c.control = false
	case ')', ']', '}':
		c.ended = !c.close(ch)
		c.finished = ch == '}' && i+1 < len(c.lex.toks) && c.lex.toks[i+1].kind == tIdent && !continues(c.name(i+1))
	case ';':
		c.finished = true
	case ',':
		commas := c.top().commas + weighComma
		c.end()
		if in := c.top().open; in == 0 || in == '(' {
			c.top().commas = commas
			c.add(commas)
		}
	case '<':
		if c.tags && (c.jsx || !ended) && (next == '>' || classOf(next) == cIdent) {
			c.jsx = true
			c.open('<', false)
			return
		}
		if !c.jsx || next != '/' {
			c.add(weighLess)
		}
	case '/':
		if c.jsx && (before('<') || next == '>') {
			if c.close('>'); c.top().open == '<' {
				c.end() // what stands beside a tag is not in it
			}
		}
		c.add(1)
	case '>':
		if before('=') {
			c.add(weighArrow - 1)
		}
		c.add(1)
	default:
		c.add(1)
	}
}

func (c *scriptDepth) name(i int) string { t := &c.lex.toks[i]; return c.lex.src[t.pos:t.end] }

// doubt weighs what may be code before or in token i although it is read as none, and the
// other way round: after a slash that may divide or begin a regular expression, in the text
// between tags, and in what else only a parser can tell. It is weighed for good.
func (c *scriptDepth) doubt(i int) {
	t := &c.lex.toks[i]
	from := 0
	if i > 0 {
		from = int(c.lex.toks[i-1].end)
	}
	rest := c.lex.src[t.pos:]
	gap := c.lex.src[min(from, int(t.pos)):t.pos]
	switch {
	case c.jsx && (gap != "" || t.kind == tString):
		if _, code, ok := strings.Cut(c.lex.src[from:max(int(t.end), from)], "{"); ok {
			c.unsure(punctuation(code, deepening))
		}
	case strings.Contains(gap, "//") && (strings.Contains(strings.ReplaceAll(gap, "\r\n", "\n"), "\r") || strings.Contains(gap, "\u2028") || strings.Contains(gap, "\u2029")):
		c.unsure(punctuation(gap, deepening))
	}
	if strings.HasPrefix(rest, "<!--") || strings.HasPrefix(rest, "-->") && strings.Contains(gap, "\n") {
		c.unsure(punctuation(rest, deepening))
	}
	apostrophe := strings.HasPrefix(gap, "'")
	template := i > 0 && t.kind == tString && c.lex.src[c.lex.toks[i-1].pos] == '}'
	if !apostrophe && (rest == "" || rest[0] != '/' || template || i > 0 && !c.ambiguous(i-1, t)) {
		return
	}
	line := c.lex.src[from:]
	if end := strings.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	if len(line) > 2*maxAhead || strings.Contains(line, "`") || strings.Contains(line, "/*") {
		line = rest
	} else if !apostrophe && strings.LastIndexByte(line, '/') == strings.IndexByte(line, '/') && t.kind != tString {
		return // one slash: it divides
	}
	if strings.ContainsAny(line, "\"'`") {
		c.unsure(c.total)
	}
	c.unsure(punctuation(line, deepening))
}

// unsure weighs for the whole rest of the text.
func (c *scriptDepth) unsure(cost int) {
	c.doubts += cost
	c.most = max(c.most, c.total+c.doubts)
}

// ambiguous reports that before a slash after token i, only a parser can tell an operand's
// end from its begin, or that the slash is not read as what the token says.
func (c *scriptDepth) ambiguous(i int, slash *token) bool {
	switch t := &c.lex.toks[i]; t.kind {
	case tNumber, tString:
		return false
	case tIdent:
		return int(t.name) < len(c.lex.lang.words) && c.lex.lang.words[t.name]
	default:
		if strings.IndexByte("(,=:[!&|?{;*%~^", t.ch) >= 0 {
			return slash.kind != tString // too long for a regular expression as it is read here
		}
		return t.ch != ']'
	}
}
