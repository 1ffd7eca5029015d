package names

import (
	"slices"
	"strings"
	"unicode"

	"tandem/edits"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// A scriptUse is how a script, or a piece of one, uses a name.
type scriptUse struct {
	plain     bool         // it occurs without being called
	unread    bool         // it occurs in a way that may declare it everywhere
	within    []edits.Span // the parts of the text in which other occurrences may declare it
	called    bool         // it is called, and not as a member
	declared  bool         // as a variable, a function or a parameter, as far as the tokens beside it show
	shadowed  bool         // it is a parameter, or a variable that gets another value
	constants int          // declarations by const
	function  bool         // it is declared as one
}

// and is the use in two pieces, of which the other begins at an offset.
func (u scriptUse) and(other scriptUse, at int) scriptUse {
	for _, s := range other.within {
		s.Start, s.End = s.Start+at, s.End+at
		if n := len(u.within); n == 0 || u.within[n-1] != s {
			u.within = append(u.within, s)
		}
	}
	return scriptUse{u.plain || other.plain, u.unread || other.unread, u.within, u.called || other.called, u.declared || other.declared, u.shadowed || other.shadowed, u.constants + other.constants, u.function || other.function}
}

// mayBeDeclared reports whether the text may declare the name anywhere.
func (u scriptUse) mayBeDeclared() bool { return u.unread || len(u.within) > 0 }

// mayBeKnown reports whether the text may declare the name so that code at an offset sees it.
func (u scriptUse) mayBeKnown(at int) bool { return u.unread || u.isWithin(at) }

// isWithin reports whether an offset is in a part of the text that may declare the name for itself.
func (u scriptUse) isWithin(at int) bool {
	return slices.ContainsFunc(u.within, func(s edits.Span) bool { return within(s, at) })
}

func within(s edits.Span, at int) bool { return s.Start <= at && at < s.End }

// uses are the names of a text and how it uses them.
func (t scriptText) uses() map[string]scriptUse {
	out := map[string]scriptUse{}
	for i := range t.toks {
		if t.isName(i) {
			name := t.s(i)
			out[name] = out[name].and(t.useAt(i), 0)
		}
	}
	return out
}

// needs reports whether the text calls or reads a name where nothing in it may declare the name.
func (t scriptText) needs(name string) bool {
	var all scriptUse
	var at []int
	for i := range t.toks {
		if t.s(i) != name || t.s(i-1) == "." || t.s(i-1) == "?." {
			continue
		}
		u := t.useAt(i)
		if all = all.and(u, 0); u.called || u.plain && !u.mayBeDeclared() && !t.isKey(i) {
			at = append(at, t.toks[i].Start)
		}
	}
	return slices.ContainsFunc(at, func(at int) bool { return !all.mayBeKnown(at) })
}

// useAt is the use of the name at i.
func (t scriptText) useAt(i int) (u scriptUse) {
	prev, next := t.s(i-1), t.s(i+1)
	member := prev == "." || prev == "?."
	u.plain = !member && !t.called(i)
	u.called = !member && !u.plain && !t.declares(i)
	u.function = prev == "function"
	switch {
	case u.plain && t.tested(i):
		u.unread = true
	case u.plain && !t.reads(i), u.function, prev == "*" && t.s(i-2) == "function":
		region, ok := scriptBlocks{t}.region(i)
		if u.unread = !ok; ok {
			u.within = []edits.Span{region}
		}
	}
	u.declared = prev == "const" || prev == "let" || prev == "var" || prev == "function" || next == "=>" || (prev == "(" || prev == ",") && next == ":"
	switch {
	case next == "=>", prev == "...", prev == "let", prev == "var", next == "=" && prev != "const",
		next == ":" && (prev == "(" || prev == "," || prev == "{"), next == "?" && (prev == "(" || prev == ","),
		next == ":" && prev == "const":
		u.shadowed = true
	case prev == "const":
		u.constants = 1
	case (prev == "(" || prev == ",") && (next == ")" || next == ","):
		u.shadowed = t.endsParameters(t.end(i))
	}
	return u
}

var (
	// readsNext are tokens after which a name is read, where no arrow and no other value follows it.
	readsNext = terms.Set("= === !== == != && || ?? + - ! % >= <= += -= &&= ||= ??= return throw instanceof await case delete yield in of")
	// readsLast are tokens before which a name is read.
	readsLast = terms.Set(". ?. [ === !== == != && || ?? + - % >= <= instanceof satisfies")
	// opensPattern are tokens after which a brace opens no block.
	opensPattern = terms.Set("( , [ ... const let var")
	// opensValue are tokens after which no type stands, only a statement or a value.
	opensValue = terms.Set("; { } ) (")
)

// reads reports whether the tokens beside the name at i show that it declares nothing there:
// it is an argument of a call, a value, or the key of a member.
func (t scriptText) reads(i int) bool {
	prev, next := t.s(i-1), t.s(i+1)
	switch {
	case next == "=>", next == "=":
		return false
	case next == "[" && t.toks[i].End < t.toks[i+1].Start:
		return false
	case readsNext[prev], readsLast[next], next == "as" && t.s(t.end(i)) != "}", t.inTemplate(i), t.isIndex(i), t.isChosen(i):
		return true
	case next == "?":
		return i+2 < len(t.toks) && !slices.Contains([]string{":", ")", ",", ";", "}", "=", "]"}, t.s(i+2)) && !strings.Contains(t.text[t.toks[i+1].End:t.toks[i+2].Start], "\n")
	case t.isKey(i):
		return prev != "," || opensPattern[t.s(int(t.around[i])-1)] // else it may be the next variable of a list
	}
	return t.argument(i)
}

// tested reports whether code asks whether there is the name at i.
func (t scriptText) tested(i int) bool {
	return t.s(i-1) == "typeof" && strings.HasSuffix(t.s(i+1), "==") && slices.Contains([]string{"undefined", "function", "object"}, strings.Trim(t.s(i+2), "\"'`"))
}

// isKey reports whether the name at i is the key of a member.
func (t scriptText) isKey(i int) bool {
	prev := t.s(i - 1)
	return t.s(i+1) == ":" && t.s(t.end(i)) == "}" && (prev == "{" || prev == "," || prev == ";" || t.startsLine(i) && prev != "?" && prev != ":")
}

// inTemplate reports whether the name at i begins an expression in a template.
func (t scriptText) inTemplate(i int) bool {
	return i > 1 && t.opensTemplate(i-2)
}

// opensTemplate reports whether the literal at i ends where an expression in a template begins.
func (t scriptText) opensTemplate(i int) bool {
	return i < len(t.toks) && t.toks[i].Kind == language.String && strings.HasSuffix(t.s(i), "$") && t.s(i+1) == "{" && t.toks[i].End == t.toks[i+1].Start
}

// isIndex reports whether the name at i begins an index.
func (t scriptText) isIndex(i int) bool {
	return i > 1 && t.s(i-1) == "[" && t.s(i+1) != ":" && t.toks[i-2].End == t.toks[i-1].Start && t.endsValue(i-2)
}

// endsValue reports whether the token at i may end a value.
func (t scriptText) endsValue(i int) bool {
	s := t.s(i)
	return s == ")" || s == "]" || s == "this" || t.isName(i) && !scriptKeywords[s]
}

// isChosen reports whether the name at i is one of two between which a condition chooses, or a type.
func (t scriptText) isChosen(i int) bool {
	switch t.s(i - 1) {
	case "?":
		return !t.startsLine(i)
	case ":":
		open := int(t.around[i])
		return open >= 0 && (t.s(open) == "(" || !(scriptBlocks{t}).mayBePattern(open))
	}
	return false
}

// isValue reports whether the name at i is read as a value that a compiler must know.
func (t scriptText) isValue(i int) bool {
	if !t.typed || !t.reads(i) || t.isKey(i) || runtimeGlobals[t.s(i)] || standardGlobals()[t.s(i)] {
		return false
	}
	prev, upper := t.s(i-1), unicode.IsUpper(rune(t.s(i)[0]))
	switch {
	case prev == "=":
		return !upper || slices.Contains([]string{"const", "let", "."}, t.s(i-3))
	case readsNext[prev], t.inTemplate(i), t.isIndex(i), t.argument(i):
		return prev != "in" || !upper
	case upper:
		return false
	case prev == "?", prev == ":":
		return t.s(i+1) != ":" || prev == "?"
	}
	return opensValue[prev]
}

// runtimeGlobals are values of the runtimes beside browsers, whose types a project may lack.
var runtimeGlobals = terms.Set("process Buffer global __dirname __filename module exports Bun Deno")

// argument reports whether the name at i is an argument of a call, and no parameter.
func (t scriptText) argument(i int) bool {
	prev, next, end := t.s(i-1), t.s(i+1), t.end(i)
	if prev != "(" && prev != "," || next != ")" && next != "," && next != "as" || t.s(end) != ")" || slices.Contains([]string{"{", ":", "=>"}, t.s(end+1)) {
		return false
	}
	call := int(t.around[i]) - 1
	return t.isName(call) && !scriptKeywords[t.s(call)] && t.s(call-1) != "function"
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
