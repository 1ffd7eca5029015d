package dynamic

import (
	"slices"
	"strings"
	"unicode"

	"tandem/edits"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// A Use is how a script, or a piece of one, uses a name.
type Use struct {
	Plain     bool         // it occurs without being called
	Unread    bool         // it occurs in a way that may declare it everywhere
	Within    []edits.Span // the parts of the text in which other occurrences may declare it
	Called    bool         // it is called, and not as a member
	Shadowed  bool         // it is a parameter, or a variable that gets another value
	Constants int          // declarations by const
	Function  bool         // it is declared as one
}

// And is the use in two pieces, of which the other begins at an offset.
func (u Use) And(other Use, at int) Use {
	for _, s := range other.Within {
		s.Start, s.End = s.Start+at, s.End+at
		if n := len(u.Within); n == 0 || u.Within[n-1] != s {
			u.Within = append(u.Within, s)
		}
	}
	return Use{u.Plain || other.Plain, u.Unread || other.Unread, u.Within, u.Called || other.Called, u.Shadowed || other.Shadowed, u.Constants + other.Constants, u.Function || other.Function}
}

// MayBeDeclared reports whether the text may declare the name anywhere.
func (u Use) MayBeDeclared() bool { return u.Unread || len(u.Within) > 0 }

// MayBeKnown reports whether the text may declare the name so that code at an offset sees it.
func (u Use) MayBeKnown(at int) bool { return u.Unread || u.IsWithin(at) }

// IsWithin reports whether an offset is in a part of the text that may declare the name for itself.
func (u Use) IsWithin(at int) bool {
	return slices.ContainsFunc(u.Within, func(s edits.Span) bool { return s.Start <= at && at < s.End })
}

// IsNearer reports whether one of these parts holds an offset, and not another one.
func (u Use) IsNearer(at, other int) bool {
	return slices.ContainsFunc(u.Within, func(s edits.Span) bool {
		return s.Start <= at && at < s.End && (other < s.Start || s.End <= other)
	})
}

// Uses are the names of a text and how it uses them.
func (t Script) Uses() map[string]Use {
	out := map[string]Use{}
	for i := range t.Tokens {
		if t.IsName(i) {
			name := t.Word(i)
			out[name] = out[name].And(t.UseAt(i), 0)
		}
	}
	return out
}

// UseAt is the use of the name at i.
func (t Script) UseAt(i int) (u Use) {
	prev, next := t.Word(i-1), t.Word(i+1)
	member := prev == "." || prev == "?."
	u.Plain = !member && !t.Called(i)
	u.Called = !member && !u.Plain && !t.Declares(i)
	u.Function = prev == "function"
	switch {
	case u.Plain && t.tested(i):
		u.Unread = true
	case u.Plain && !t.reads(i), u.Function, prev == "*" && t.Word(i-2) == "function":
		region, ok := scriptBlocks{t}.region(i)
		if u.Unread = !ok; ok {
			u.Within = []edits.Span{region}
		}
	}
	switch {
	case next == "=>", prev == "...", prev == "let", prev == "var", next == "=" && prev != "const",
		next == ":" && t.is(i-1, "(", ",", "{"), next == "?" && t.is(i-1, "(", ","),
		next == ":" && prev == "const":
		u.Shadowed = true
	case prev == "const":
		u.Constants = 1
	case t.is(i-1, "(", ",") && t.is(i+1, ")", ","):
		u.Shadowed = t.endsParameters(t.end(i))
	}
	return u
}

var (
	// readsNext are tokens after which a name is read, where no arrow and no other value follows it.
	readsNext = terms.Set("= === !== == != && || ?? + - ! % >= <= += -= &&= ||= ??= return throw instanceof await case delete yield in of typeof")
	// readsLast are tokens before which a name is read.
	readsLast = terms.Set(". ?. [ === !== == != && || ?? + - % >= <= instanceof satisfies")
	// opensPattern are tokens after which a brace opens no block.
	opensPattern = terms.Set("( , [ ... const let var")
	// opensValue are tokens after which no type stands, only a statement or a value.
	opensValue = terms.Set("; { } ) (")
)

// reads reports whether the tokens beside the name at i show that it declares nothing there:
// it is an argument of a call, a value, or the key of a member.
func (t Script) reads(i int) bool {
	prev, next := t.Word(i-1), t.Word(i+1)
	switch {
	case next == "=>", next == "=":
		return false
	case next == "[" && t.Tokens[i].End < t.Tokens[i+1].Start, t.optional(i):
		return false
	case readsNext[prev], readsLast[next], next == "as" && t.Word(t.end(i)) != "}", t.inTemplate(i), t.isIndex(i), t.isChosen(i):
		return true
	case next == "?":
		return i+2 < len(t.Tokens) && !slices.Contains([]string{":", ")", ",", ";", "}", "=", "]"}, t.Word(i+2)) && !strings.Contains(t.Text[t.Tokens[i+1].End:t.Tokens[i+2].Start], "\n")
	case t.IsKey(i):
		return prev != "," || opensPattern[t.Word(int(t.around[i])-1)] // else it may be the next variable of a list
	}
	return t.Argument(i)
}

// optional reports whether the name at i is that of an optional method, as in a?(): void or a?<T>(b: T): void.
func (t Script) optional(i int) bool {
	rest := t.Text[t.Tokens[i].End:]
	return strings.HasPrefix(rest, "?(") || strings.HasPrefix(rest, "?<")
}

// tested reports whether code asks whether there is the name at i.
func (t Script) tested(i int) bool {
	return t.Word(i-1) == "typeof" && strings.HasSuffix(t.Word(i+1), "==") && slices.Contains([]string{"undefined", "function", "object"}, strings.Trim(t.Word(i+2), "\"'`"))
}

// IsKey reports whether the name at i is the key of a member.
func (t Script) IsKey(i int) bool {
	if t.Word(i+1) != ":" || t.Word(t.end(i)) != "}" {
		return false
	}
	return t.is(i-1, "{", ",", ";") || t.startsLine(i) && !t.is(i-1, "?", ":")
}

// inTemplate reports whether the name at i begins an expression in a template.
func (t Script) inTemplate(i int) bool {
	return i > 1 && t.opensTemplate(i-2)
}

// opensTemplate reports whether the literal at i ends where an expression in a template begins.
func (t Script) opensTemplate(i int) bool {
	return t.Kind(i) == language.String && strings.HasSuffix(t.Word(i), "$") && t.Word(i+1) == "{" && t.adjoined(i, 1)
}

// isIndex reports whether the name at i begins an index.
func (t Script) isIndex(i int) bool {
	return t.Word(i-1) == "[" && t.Word(i+1) != ":" && t.adjoined(i-2, 1) && t.endsValue(i-2)
}

// endsValue reports whether the token at i may end a value.
func (t Script) endsValue(i int) bool {
	return t.is(i, ")", "]", "this") || t.IsName(i) && !scriptKeywords[t.Word(i)]
}

// isChosen reports whether the name at i is one of two between which a condition chooses, or a type.
func (t Script) isChosen(i int) bool {
	switch t.Word(i - 1) {
	case "?":
		return !t.startsLine(i)
	case ":":
		open := int(t.around[i])
		return open >= 0 && (t.Word(open) == "(" || !(scriptBlocks{t}).mayBePattern(open))
	}
	return false
}

// ReadsValue reports whether the name at i is read as a value that a compiler must know.
func (t Script) ReadsValue(i int) bool {
	if !t.reads(i) || t.IsKey(i) {
		return false
	}
	prev, upper := t.Word(i-1), unicode.IsUpper(rune(t.Word(i)[0]))
	switch {
	case prev == "=":
		return !upper || slices.Contains([]string{"const", "let", "."}, t.Word(i-3))
	case readsNext[prev], t.inTemplate(i), t.isIndex(i), t.Argument(i):
		return prev != "in" || !upper
	case upper:
		return false
	case prev == "?", prev == ":":
		return t.Word(i+1) != ":" || prev == "?"
	}
	return opensValue[prev]
}

// Argument reports whether the name at i is an argument of a call, and no parameter.
func (t Script) Argument(i int) bool {
	end := t.end(i)
	if !t.is(i-1, "(", ",") || !t.is(i+1, ")", ",", "as") {
		return false
	}
	if t.Word(end) != ")" || t.is(end+1, "{", ":", "=>") { // of a declaration
		return false
	}
	call := int(t.around[i]) - 1
	return t.IsName(call) && !scriptKeywords[t.Word(call)] && t.Word(call-1) != "function"
}

// Begins reports whether a part of a text begins with a word, so that it is read the same
// without what is above it.
func (t Script) Begins() bool {
	return len(t.Tokens) == 0 || t.Tokens[0].Kind == language.Name || t.Word(0) == "@"
}

// Ends reports whether a part of a text ends neither in an expression nor in a declaration,
// and nothing that is looked for beyond a name is cut off there.
func (t Script) Ends() bool {
	n := len(t.Tokens)
	if n == 0 || t.open {
		return !t.open
	}
	last := t.Tokens[n-1]
	ended := last.Kind == language.String || last.Kind == language.Number || last.Kind == language.Name && !scriptKeywords[t.Word(n-1)] ||
		slices.Contains([]string{"}", ")", "]", ";"}, t.Word(n-1))
	if !ended || !t.balanced {
		return false
	}
	for i := range t.Tokens {
		if _, cutOff := t.generics(i); cutOff {
			return false
		}
		if t.Word(i) == "import" && t.importOpen(i) {
			return false
		}
	}
	return true
}

// importOpen reports whether the import at i may go on in what follows.
func (t Script) importOpen(i int) bool {
	for j := i + 1; j < len(t.Tokens); j++ {
		switch s := t.Word(j); {
		case t.Tokens[j].Kind == language.String, s == "(", s == ".", s == "=", s == ";":
			return false
		case s == "{":
			j = t.Closing(j)
		}
	}
	return true
}
