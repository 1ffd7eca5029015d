package names

import (
	"slices"
	"unicode"

	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// A scriptUse is how a script, or a piece of one, uses a name.
type scriptUse struct {
	plain     bool // it occurs without being called
	unread    bool // it occurs in a way that may declare it
	called    bool // it is called, and not as a member
	declared  bool // as a variable, a function or a parameter, as far as the tokens beside it show
	shadowed  bool // it is a parameter, or a variable that gets another value
	constants int  // declarations by const
	function  bool // it is declared as one
}

// and is the use in two pieces.
func (u scriptUse) and(other scriptUse) scriptUse {
	return scriptUse{u.plain || other.plain, u.unread || other.unread, u.called || other.called, u.declared || other.declared, u.shadowed || other.shadowed, u.constants + other.constants, u.function || other.function}
}

// uses are the names of a text and how it uses them.
func (t scriptText) uses() map[string]scriptUse {
	out, around := map[string]scriptUse{}, t.enclosing()
	for i := range t.toks {
		if t.isName(i) {
			name := t.s(i)
			out[name] = out[name].and(t.useAt(i, int(around[i])))
		}
	}
	return out
}

// useAt is the use of the name at i, in what the bracket at end ends.
func (t scriptText) useAt(i, end int) (u scriptUse) {
	prev, next := t.s(i-1), t.s(i+1)
	member := prev == "." || prev == "?."
	u.plain = !member && !t.called(i)
	u.called = !member && !u.plain && !t.declares(i)
	u.unread = u.plain && !t.reads(i, end)
	u.function = prev == "function"
	u.declared = prev == "const" || prev == "let" || prev == "var" || prev == "function" || next == "=>" || (prev == "(" || prev == ",") && next == ":"
	switch {
	case next == "=>", prev == "...", prev == "let", prev == "var", next == "=" && prev != "const",
		next == ":" && (prev == "(" || prev == "," || prev == "{"), next == "?" && (prev == "(" || prev == ","),
		next == ":" && prev == "const":
		u.shadowed = true
	case prev == "const":
		u.constants = 1
	case (prev == "(" || prev == ",") && (next == ")" || next == ","):
		u.shadowed = t.endsParameters(end)
	}
	return u
}

// readsNext are tokens after which a name is read, where no arrow and no other value follows it.
var readsNext = terms.Set("= === !== == != && || ?? + - ! return throw")

// reads reports whether the tokens beside the name at i show that it declares nothing there:
// it is an argument of a call, a value, or the key of a member. The bracket at end ends what
// is around it.
func (t scriptText) reads(i, end int) bool {
	prev, next := t.s(i-1), t.s(i+1)
	switch {
	case next == "=>", next == "=":
		return false
	case readsNext[prev]:
		return true
	case next == ":":
		return t.s(end) == "}" && (prev == "{" || prev == "," || prev == ";" || t.startsLine(i) && prev != "?" && prev != ":")
	}
	return t.argument(i, end)
}

// isValue reports whether the name at i is read as a value that a compiler must know.
func (t scriptText) isValue(i int) bool {
	name := t.s(i)
	isType := t.s(i-1) == "=" && unicode.IsUpper(rune(name[0]))
	return t.typed && !isType && t.s(i+1) != ":" && t.reads(i, int(t.closes[i])) && !standardGlobals()[name] && !runtimeGlobals[name]
}

// runtimeGlobals are values of the runtimes beside browsers, whose types a project may lack.
var runtimeGlobals = terms.Set("process Buffer global __dirname __filename module exports Bun Deno")

// maxArguments bounds the tokens of the arguments of a call before the one that is looked at.
const maxArguments = 200

// argument reports whether the name at i, in what the bracket at end ends, is an argument of a
// call, and no parameter.
func (t scriptText) argument(i, end int) bool {
	prev, next := t.s(i-1), t.s(i+1)
	if prev != "(" && prev != "," || next != ")" && next != "," || t.s(end) != ")" || slices.Contains([]string{"{", ":", "=>"}, t.s(end+1)) {
		return false
	}
	depth := 0
	for j := i - 1; j > max(0, i-maxArguments); j-- {
		switch t.s(j) {
		case ")", "]", "}":
			depth++
		case "(", "[", "{":
			if depth--; depth < 0 {
				return t.isName(j-1) && !scriptKeywords[t.s(j-1)] && t.s(j-2) != "function" && t.s(j-2) != "#"
			}
		}
	}
	return false
}

// begins reports whether a part of a text begins with a word, so that it is read the same
// without what is above it.
func (t scriptText) begins() bool {
	return len(t.toks) == 0 || t.toks[0].Kind == language.Name || t.s(0) == "@"
}

// ends reports whether a part of a text ends neither in an expression nor in a declaration,
// and nothing that is looked for beyond a name is cut off there.
func (t scriptText) ends() bool {
	n := len(t.toks)
	if n == 0 || t.open {
		return !t.open
	}
	last := t.toks[n-1]
	ended := last.Kind == language.String || last.Kind == language.Number || last.Kind == language.Name && !scriptKeywords[t.s(n-1)] ||
		slices.Contains([]string{"}", ")", "]", ";"}, t.s(n-1))
	if !ended || !balanced(t.text, t.toks) {
		return false
	}
	for i := range t.toks {
		if t.s(i) == "<" && t.cutOff(i) {
			return false
		}
		if t.s(i) == "import" && t.importOpen(i) {
			return false
		}
	}
	return true
}

// cutOff reports whether the end of the type arguments at i may be in what follows.
func (t scriptText) cutOff(i int) bool {
	depth := 0
	for j := i; j < i+200; j++ {
		switch t.s(j) {
		case "<":
			depth++
		case ">":
			if depth--; depth == 0 {
				return false
			}
		case "(", "[", "{":
			j = t.closing(j)
		case ")", "]", "}", ";", "&&", "||", "?":
			return false
		}
		if j >= len(t.toks)-1 {
			return true
		}
	}
	return false
}

// importOpen reports whether the import at i may go on in what follows.
func (t scriptText) importOpen(i int) bool {
	for j := i + 1; j < len(t.toks); j++ {
		switch s := t.s(j); {
		case t.toks[j].Kind == language.String, s == "(", s == ".", s == "=", s == ";":
			return false
		case s == "{":
			j = t.closing(j)
		}
	}
	return true
}
