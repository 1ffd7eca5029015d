package dynamic

import (
	"slices"
	"strings"

	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// A Script is a text in JavaScript or TypeScript with its tokens. Comments are not among
// them.
type Script struct {
	code
	open bool    // a comment does not end
	vars []int32 // the tokens that are "var"
}

// ReadScript reads a text.
func ReadScript(text string) Script {
	open := false
	tokens := slices.DeleteFunc(language.TokensInTemplates("typescript", text), func(tok language.Token) bool {
		open = open || tok.Kind == language.Comment && tok.Unended
		return tok.Kind == language.Comment
	})
	t := ScriptOf(text, tokens)
	t.open = open
	return t
}

// ScriptOf is a text of which only some tokens, in their order, are read.
func ScriptOf(text string, tokens []language.Token) Script {
	t := Script{code: codeOf(text, tokens)}
	for i := range tokens {
		if t.Word(i) == "var" {
			t.vars = append(t.vars, int32(i))
		}
	}
	return t
}

// end is the token that ends what is around the token at i, -1 at the top and the number of
// tokens where there is none.
func (t Script) end(i int) int {
	if i < 0 || i >= len(t.Tokens) || t.around[i] < 0 {
		return -1
	}
	return int(t.match[t.around[i]])
}

// ScriptTokens are the tokens by which a text is read.
func ScriptTokens(text string) []language.Token { return ReadScript(text).Tokens }

// IsName reports whether the i-th token is a name or a word of the language.
func (t Script) IsName(i int) bool {
	return t.Kind(i) == language.Name
}

// ScriptKeyword reports whether a word is one of the language, or no name that a file declares.
func ScriptKeyword(word string) bool { return scriptKeywords[word] }

var scriptKeywords = terms.Set(`async await break case catch class const continue debugger default delete do else enum export extends false finally for function
	if import in instanceof new null return super switch this throw true try typeof var void while with yield let static implements interface package private
	protected public of as from get set keyof infer is asserts satisfies readonly declare abstract type namespace module undefined constructor require
	unique using accessor override out arguments any never unknown string number boolean object symbol bigint`)

// Generics is the token after the type arguments at i, or i.
func (t Script) Generics(i int) int {
	next, _ := t.generics(i)
	return next
}

// generics is the same; cutOff is whether what follows the text may end them.
func (t Script) generics(i int) (next int, cutOff bool) {
	if t.Word(i) != "<" {
		return i, false
	}
	depth := 0
	for j := i; j < i+200; j++ {
		switch t.Word(j) {
		case "<":
			depth++
		case ">":
			if depth--; depth == 0 {
				return j + 1, false
			}
		case "(", "[", "{":
			j = t.Closing(j)
		case ")", "]", "}", ";", "&&", "||", "?":
			return i, false
		}
		if j >= len(t.Tokens)-1 {
			return i, true
		}
	}
	return i, false
}

// Called reports whether the name at i is called, or made with new.
func (t Script) Called(i int) bool {
	return t.Word(t.Generics(i+1)) == "(" || t.Word(i-1) == "new"
}

// Declares reports whether the name at i, which a bracket follows, is the name
// of a function or method being declared and not called.
func (t Script) Declares(i int) bool {
	switch t.Word(i - 1) {
	case "function", "*", "get", "set", "static", "public", "private", "protected", "override", "abstract", "readonly", "declare":
		return true
	}
	open := t.Generics(i + 1)
	if t.Word(open) != "(" {
		return false
	}
	end := t.Closing(open)
	switch t.Word(end + 1) {
	case "{":
		return true
	case ":":
		return t.is(i-1, "{", "}", ";", ",", "async", "") || t.startsLine(i) && !t.is(i-1, "?", ":")
	case "?":
		return t.Word(end+2) == ":"
	}
	return false
}

// startsLine reports whether the token at i is the first of its line.
func (t Script) startsLine(i int) bool {
	lead := strings.TrimRight(t.Text[:t.Tokens[i].Start], " \t")
	return lead == "" || strings.HasSuffix(lead, "\n")
}

// endsParameters reports whether the bracket at i ends the parameters of a function without
// types.
func (t Script) endsParameters(i int) bool {
	return i >= 0 && t.is(i+1, "=>", "{")
}

// Arguments counts the arguments of the call that opens at i.
func (t Script) Arguments(i int) (count int, ok bool) {
	end := t.Closing(i)
	if end >= len(t.Tokens) {
		return 0, false
	}
	fresh := true
	for j := i + 1; j < end; j++ {
		s := t.Word(j)
		if fresh {
			if s == "..." {
				return 0, false
			}
			count++
			fresh = false
		}
		switch s {
		case "(", "[", "{":
			j = t.Closing(j)
		case "<":
			if next := t.Generics(j); next > j {
				j = next - 1
			}
		case ",":
			fresh = true
		}
	}
	return count, true
}
