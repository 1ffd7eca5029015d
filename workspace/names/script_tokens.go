package names

import (
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// A scriptText is a text in JavaScript or TypeScript with its tokens. Comments are not among
// them.
type scriptText struct {
	text string
	toks []language.Token
	open bool // a comment does not end

	around []int32 // by token: the bracket that opens what is around it, or -1
	match  []int32 // by bracket: the other one; len(toks) where there is none
	vars   []int32 // the tokens that are "var"

	typed bool // of the window of a file that is checked: a compiler must know its names
}

func readScript(text string) scriptText {
	t := scriptText{text: text}
	t.toks = slices.DeleteFunc(language.TokensInTemplates("typescript", text), func(tok language.Token) bool {
		t.open = t.open || tok.Kind == language.Comment && tok.Unended
		return tok.Kind == language.Comment
	})
	t.nest()
	return t
}

// nest finds the brackets around each token.
func (t *scriptText) nest() {
	t.around, t.match, t.vars = make([]int32, len(t.toks)), make([]int32, len(t.toks)), nil
	var open []int32
	for i := range t.toks {
		t.around[i], t.match[i] = -1, int32(len(t.toks))
		s := t.s(i)
		if closes := s == ")" || s == "]" || s == "}"; closes && len(open) > 0 {
			last := open[len(open)-1]
			t.match[i], t.match[last], open = last, int32(i), open[:len(open)-1]
		}
		if len(open) > 0 {
			t.around[i] = open[len(open)-1]
		}
		switch s {
		case "(", "[", "{":
			open = append(open, int32(i))
		case "var":
			t.vars = append(t.vars, int32(i))
		}
	}
}

// end is the token that ends what is around the token at i, -1 at the top and the number of
// tokens where there is none.
func (t scriptText) end(i int) int {
	if i < 0 || i >= len(t.toks) || t.around[i] < 0 {
		return -1
	}
	return int(t.match[t.around[i]])
}

func scriptTokens(text string) []language.Token { return readScript(text).toks }

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

var scriptKeywords = terms.Set(`async await break case catch class const continue debugger default delete do else enum export extends false finally for function
	if import in instanceof new null return super switch this throw true try typeof var void while with yield let static implements interface package private
	protected public of as from get set keyof infer is asserts satisfies readonly declare abstract type namespace module undefined constructor require
	unique using accessor override out arguments any never unknown string number boolean object symbol bigint`)

// closing is the token that closes the bracket at i.
func (t scriptText) closing(i int) int {
	if i < 0 || i >= len(t.toks) {
		return len(t.toks)
	}
	return int(t.match[i])
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

// called reports whether the name at i is called, or made with new.
func (t scriptText) called(i int) bool {
	return t.s(t.generics(i+1)) == "(" || t.s(i-1) == "new"
}

// declares reports whether the name at i, which a bracket follows, is the name
// of a function or method being declared and not called.
func (t scriptText) declares(i int) bool {
	switch t.s(i - 1) {
	case "function", "*", "get", "set", "static", "public", "private", "protected", "override", "abstract", "readonly", "declare":
		return true
	}
	open := t.generics(i + 1)
	if t.s(open) != "(" {
		return false
	}
	end := t.closing(open)
	switch t.s(end + 1) {
	case "{":
		return true
	case ":":
		prev := t.s(i - 1)
		return prev == "{" || prev == "}" || prev == ";" || prev == "," || prev == "async" || prev == "" || t.startsLine(i) && prev != "?" && prev != ":"
	case "?":
		return t.s(end+2) == ":"
	}
	return false
}

func (t scriptText) startsLine(i int) bool {
	start := t.toks[i].Start
	return strings.TrimSpace(lineBefore(t.text, start)) == ""
}

// lineBefore is what stands on a line before an offset, and the end of that in a long line.
func lineBefore(text string, at int) string {
	from := max(at-4096, 0)
	return text[from+strings.LastIndexByte(text[from:at], '\n')+1 : at]
}

// mayBeJSX reports whether files of a language may hold tags.
func mayBeJSX(lang string) bool {
	return strings.HasSuffix(lang, "react") || strings.HasPrefix(lang, "javascript")
}

// usesJSXText reports whether a name may be a word of text between tags.
func (t scriptText) usesJSXText(i int) bool {
	start := t.toks[i].Start
	line := lineBefore(t.text, start)
	return strings.Contains(line, ">") && !strings.Contains(line, "=>") && !strings.Contains(line, "{")
}

// endsParameters reports whether the bracket at i ends the parameters of a function without
// types.
func (t scriptText) endsParameters(i int) bool {
	return i >= 0 && (t.s(i+1) == "=>" || t.s(i+1) == "{")
}

// arguments counts the arguments of the call that opens at i.
func (t scriptText) arguments(i int, added []edits.Span) (count int, ok bool) {
	end := t.closing(i)
	if end >= len(t.toks) || !isNew(added, edits.Span{Start: t.toks[i].Start, End: t.toks[end].End}) {
		return 0, false
	}
	fresh := true
	for j := i + 1; j < end; j++ {
		s := t.s(j)
		if fresh {
			if s == "..." {
				return 0, false
			}
			count++
			fresh = false
		}
		switch s {
		case "(", "[", "{":
			j = t.closing(j)
		case "<":
			if next := t.generics(j); next > j {
				j = next - 1
			}
		case ",":
			fresh = true
		}
	}
	return count, true
}
