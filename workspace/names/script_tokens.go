package names

import (
	"slices"

	"tandem/workspace/language"
)

// A scriptText is a text in JavaScript or TypeScript with its tokens. Comments
// and the inside of templates are not among them.
type scriptText struct {
	text string
	toks []language.Token
}

func readScript(text string) scriptText {
	toks := language.Tokens("typescript", text)
	return scriptText{text, slices.DeleteFunc(toks, func(t language.Token) bool { return t.Kind == language.Comment })}
}

// s is the i-th token's text, "" outside.
func (t scriptText) s(i int) string {
	if i < 0 || i >= len(t.toks) {
		return ""
	}
	return t.text[t.toks[i].Start:t.toks[i].End]
}

func (t scriptText) isName(i int) bool {
	return i >= 0 && i < len(t.toks) && t.toks[i].Kind == language.Name
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
