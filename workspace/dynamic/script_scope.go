package dynamic

import (
	"slices"

	"tandem/edits"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// region is the part of the text in which a name is known if the token at i declares it: at
// most the block or function that the token is in. It is false where that may be everywhere.
func (t Script) region(i int) (edits.Span, bool) {
	if t.Word(i-1) == "infer" {
		return edits.Span{}, false
	}
	if t.Word(i+1) == "=>" {
		return t.span(i, t.arrowEnd(i+1))
	}
	hoisted := t.Word(i-1) == "function" || t.Word(i-1) == "*" && t.Word(i-2) == "function"
	for open := int(t.around[i]); open >= 0; open = int(t.around[open]) {
		end := t.Closing(open)
		switch {
		case (hoisted || t.hasVar(open, end)) && !t.isFunctionBody(open):
		case t.Word(open) == "(":
			return t.span(open, t.bodyEnd(open))
		case !t.mayBePattern(open):
			return t.span(open, end)
		}
	}
	return edits.Span{}, false
}

// span is the text of some tokens; it is false where the last is not there.
func (t Script) span(first, last int) (edits.Span, bool) {
	if last < 0 || last >= len(t.Tokens) {
		return edits.Span{}, false
	}
	return edits.Span{Start: t.Tokens[first].Start, End: t.Tokens[last].End}, true
}

// hasVar reports whether a var stands between two tokens: what it declares is known outside of
// its block.
func (t Script) hasVar(first, last int) bool {
	i, _ := slices.BinarySearch(t.vars, int32(first))
	return i < len(t.vars) && int(t.vars[i]) < last
}

var (
	// beforePattern are tokens after which a bracket may open a pattern that declares names, or
	// a block whose names are known everywhere.
	beforePattern = terms.Set("const let var using ( , [ ... : import export type global readonly")
	// beforeBlock are words after which a block is no function's.
	beforeBlock = terms.Set("if for while switch with catch await else try finally do")
)

// mayBePattern reports whether names that are declared between the brackets that open at i may be
// known outside of them.
func (t Script) mayBePattern(open int) bool {
	prev := t.Word(open - 1)
	switch {
	case beforePattern[prev]:
		return true
	case t.Word(open) == "[":
		return !t.endsValue(open-1) && prev != "=" && prev != "return"
	case prev == ")" && t.Word(int(t.around[open])) == "(": // a pattern after a decorator's call
		call := int(t.match[open-1])
		return t.Word(call-1) != "function" && t.Word(call-2) != "function"
	}
	return false
}

// isFunctionBody reports whether the bracket at i opens the body of a function, or of a class.
func (t Script) isFunctionBody(open int) bool {
	switch prev := t.Word(open - 1); {
	case t.Word(open) != "{":
		return false
	case prev == ")":
		return !beforeBlock[t.Word(int(t.match[open-1])-1)]
	case prev == "=>", prev == ">", prev == "]":
		return true
	}
	return t.IsName(open-1) && !beforeBlock[t.Word(open-1)]
}

// arrowEnd is the token that ends the body of the function whose arrow is at i, or what is around it.
func (t Script) arrowEnd(arrow int) int {
	if t.Word(arrow+1) == "{" {
		return t.Closing(arrow + 1)
	}
	return t.expressionEnd(arrow + 1)
}

// expressionEnd is the last token of the expression, or the statement without braces, at i.
func (t Script) expressionEnd(i int) int {
	chosen := 0 // of conditions, what is before their colons
	for k := i; k < len(t.Tokens); k++ {
		if k > i && t.Tokens[k].Kind == language.Name && t.startsLine(k) && (t.endsValue(k-1) || t.Word(k-1) == "}" || t.Tokens[k-1].Kind < language.Operator) && !goesOn[t.Word(k)] {
			return k - 1
		}
		switch t.Word(k) {
		case "(", "[", "{":
			k = t.Closing(k)
		case "<":
			k = max(t.Generics(k)-1, k)
		case "?":
			chosen++
		case ":":
			if chosen--; chosen >= 0 {
				continue
			}
			arrow := t.returned(i, k)
			if arrow < 0 {
				return k - 1
			}
			k, chosen = arrow, 0
		case ";":
			if t.Word(k+1) != "else" {
				return k - 1
			}
		case ",", ")", "]", "}":
			return k - 1
		}
	}
	return len(t.Tokens) - 1
}

// returned is the arrow behind the type that a function of an expression, which begins at i, has
// behind the colon at k, or -1: in (a) => (b): T => c the names of a go as far as those of t.
func (t Script) returned(i, k int) int {
	if t.Word(k-1) != ")" {
		return -1
	}
	open := int(t.match[k-1])
	if before := t.Word(open - 1); open != i && before != "=>" && before != "async" && before != ">" {
		return -1
	}
	if arrow := t.typeEnd(k + 1); t.Word(arrow) == "=>" {
		return arrow
	}
	return -1
}

// goesOn are words that go on with what is in the line above.
var goesOn = terms.Set("in instanceof as satisfies else catch finally while of")

// bodyEnd is the token up to which names that are declared in the parentheses at i are known: the
// end of the body of a function or loop.
func (t Script) bodyEnd(open int) int {
	end := t.Closing(open)
	next := end + 1
	if t.Word(next) == ":" {
		next = t.typeEnd(next + 1)
	}
	switch before := t.Word(open - 1); {
	case t.Word(next) == "{":
		return t.Closing(next)
	case t.Word(next) == "=>":
		return t.arrowEnd(next)
	case before == "for", before == "await":
		return t.expressionEnd(next)
	case next != end+1:
		return t.end(open)
	}
	return end
}

// beforeType are words before a type that belong to it.
var beforeType = terms.Set("keyof typeof readonly unique infer asserts abstract new | &")

// typeEnd is the token after the type at i, as far as it is understood.
func (t Script) typeEnd(i int) int {
	for {
		for beforeType[t.Word(i)] {
			i++
		}
		switch s := t.Word(i); {
		case s == "(" || s == "[" || s == "{":
			i = t.Closing(i) + 1
		case t.opensTemplate(i):
			i = t.Closing(i+1) + 1
			continue
		case i < len(t.Tokens) && t.Tokens[i].Kind != language.Operator:
			i = t.Generics(i + 1)
		default:
			return i
		}
		for t.Word(i) == "[" {
			i = t.Closing(i) + 1
		}
		switch t.Word(i) {
		case "|", "&", ".", "is", "extends", "?", ":":
			i++
		case "=>":
			if t.Word(i-1) != ")" {
				return i
			}
			i++
		default:
			return i
		}
	}
}

// InNamespace reports whether the token at i is in a block that sees names of other files.
func (t Script) InNamespace(i int) bool {
	for open := int(t.around[i]); open >= 0; open = int(t.around[open]) {
		name := open - 1
		for t.Word(name-1) == "." {
			name -= 2
		}
		if before := t.Word(name - 1); before == "namespace" || before == "module" || t.Word(name) == "global" {
			return true
		}
	}
	return false
}
