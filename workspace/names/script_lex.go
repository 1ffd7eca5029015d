package names

import "strings"

// A scriptKind is the kind of a JavaScript or TypeScript token.
type scriptKind uint8

const (
	scriptName scriptKind = iota
	scriptNumber
	scriptString // also templates and regular expressions
	scriptPunct
)

type scriptToken struct {
	kind       scriptKind
	start, end int
}

// A scriptText is a text with its tokens. Comments and the inside of templates
// are not tokens.
type scriptText struct {
	text string
	toks []scriptToken
}

func readScript(text string) scriptText {
	s := scriptText{text: text, toks: make([]scriptToken, 0, len(text)/4)}
	for at := 0; at < len(text); {
		at = s.step(at)
	}
	return s
}

// s is the i-th token's text, "" outside.
func (t scriptText) s(i int) string {
	if i < 0 || i >= len(t.toks) {
		return ""
	}
	return t.text[t.toks[i].start:t.toks[i].end]
}

func (t scriptText) isName(i int) bool {
	return i >= 0 && i < len(t.toks) && t.toks[i].kind == scriptName
}

func (t *scriptText) put(kind scriptKind, start, end int) int {
	t.toks = append(t.toks, scriptToken{kind, start, end})
	return end
}

// step reads the token, comment or blank at an offset and returns the offset
// after it.
func (t *scriptText) step(at int) int {
	src := t.text
	switch c := src[at]; {
	case c <= ' ':
		return at + 1
	case strings.HasPrefix(src[at:], "//"), at == 0 && strings.HasPrefix(src, "#!"):
		return ending(src, at, "\n")
	case strings.HasPrefix(src[at:], "/*"):
		return ending(src, at+2, "*/")
	case c == '"' || c == '\'':
		return t.put(scriptString, at, quotedEnd(src, at))
	case c == '`':
		return t.put(scriptString, at, templateEnd(src, at, 0))
	case c >= '0' && c <= '9':
		end := at
		for end < len(src) && (isIdentByte(src[end]) || src[end] == '.') {
			end++
		}
		return t.put(scriptNumber, at, end)
	case isIdentByte(c) || c == '$' || c == '#':
		end := at + 1
		for end < len(src) && (isIdentByte(src[end]) || src[end] == '$') {
			end++
		}
		return t.put(scriptName, at, end)
	case c == '/' && t.regexFits():
		return t.put(scriptString, at, regexEnd(src, at))
	}
	for _, op := range []string{"...", "===", "!==", "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/="} {
		if strings.HasPrefix(src[at:], op) {
			return t.put(scriptPunct, at, at+len(op))
		}
	}
	return t.put(scriptPunct, at, at+1)
}

func ending(src string, from int, mark string) int {
	if i := strings.Index(src[min(from, len(src)):], mark); i >= 0 {
		return from + i + len(mark)
	}
	return len(src)
}

func quotedEnd(src string, at int) int {
	for i := at + 1; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case src[at]:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(src)
}

// templateEnd is the end of the template at an offset, whatever is nested in it.
func templateEnd(src string, at, depth int) int {
	braces := 0
	for i := at + 1; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\\':
			i++
		case braces == 0 && c == '`':
			return i + 1
		case braces == 0 && strings.HasPrefix(src[i:], "${"):
			braces++
			i++
		case braces > 0 && c == '{':
			braces++
		case braces > 0 && c == '}':
			braces--
		case braces > 0 && c == '`' && depth < 20:
			i = templateEnd(src, i, depth+1) - 1
		case braces > 0 && (c == '"' || c == '\''):
			i = quotedEnd(src, i) - 1
		}
	}
	return len(src)
}

// regexFits reports whether a slash here begins a regular expression.
func (t *scriptText) regexFits() bool {
	n := len(t.toks)
	if n == 0 {
		return true
	}
	switch last := t.toks[n-1]; last.kind {
	case scriptNumber, scriptString:
		return false
	case scriptName:
		return scriptKeywords[t.s(n-1)] && t.s(n-1) != "this" && t.s(n-1) != "super"
	}
	switch t.s(n - 1) {
	case ")", "]", "}", "++", "--":
		return false
	}
	return true
}

func regexEnd(src string, at int) int {
	class := false
	for i := at + 1; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\\':
			i++
		case c == '\n':
			return at + 1 // it is a division
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			i++
			for i < len(src) && isIdentByte(src[i]) {
				i++
			}
			return i
		}
	}
	return at + 1
}

var scriptKeywords = setOf(`async await break case catch class const continue debugger default delete do else enum export extends false finally for function
	if import in instanceof new null return super switch this throw true try typeof var void while with yield let static implements interface package private
	protected public of as from get set keyof infer is asserts satisfies readonly declare abstract type namespace module undefined constructor require
	unique using accessor override out arguments any never unknown string number boolean object symbol bigint`)

// closing is the token that closes the bracket at i.
func (t scriptText) closing(i int) int {
	depth := 0
	for ; i < len(t.toks); i++ {
		switch t.s(i) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth <= 0 {
				return i
			}
		}
	}
	return len(t.toks)
}

// generics is the token after the type arguments at i, or i.
func (t scriptText) generics(i int) int {
	if t.s(i) != "<" {
		return i
	}
	depth := 0
	for j := i; j < min(i+200, len(t.toks)); j++ {
		switch t.s(j) {
		case "<":
			depth++
		case ">":
			if depth--; depth == 0 {
				return j + 1
			}
		case "(", "[", "{":
			j = t.closing(j)
		case ")", "]", "}", ";", "&&", "||", "?":
			return i
		}
	}
	return i
}
