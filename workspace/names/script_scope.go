package names

import (
	"slices"

	"tandem/edits"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// region is the part of the text in which a name is known if the token at i declares it: at
// most the block or function that the token is in. It is false where that may be everywhere.
func (t scriptText) region(i int) (edits.Span, bool) {
	if t.s(i-1) == "infer" {
		return edits.Span{}, false
	}
	if t.s(i+1) == "=>" {
		return t.span(i, t.arrowEnd(i+1))
	}
	hoisted := t.s(i-1) == "function" || t.s(i-1) == "*" && t.s(i-2) == "function"
	for open := int(t.around[i]); open >= 0; open = int(t.around[open]) {
		end := t.closing(open)
		switch {
		case (hoisted || t.hasVar(open, end)) && !t.isFunctionBody(open):
		case t.s(open) == "(":
			return t.span(open, t.bodyEnd(open))
		case !t.mayBePattern(open):
			return t.span(open, end)
		}
	}
	return edits.Span{}, false
}

// span is the text of some tokens; it is false where the last is not there.
func (t scriptText) span(first, last int) (edits.Span, bool) {
	if last < 0 || last >= len(t.toks) {
		return edits.Span{}, false
	}
	return edits.Span{Start: t.toks[first].Start, End: t.toks[last].End}, true
}

// hasVar reports whether a var stands between two tokens: what it declares is known outside of
// its block.
func (t scriptText) hasVar(first, last int) bool {
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
func (t scriptText) mayBePattern(open int) bool {
	prev := t.s(open - 1)
	switch {
	case beforePattern[prev]:
		return true
	case t.s(open) == "[":
		return !t.endsValue(open-1) && prev != "=" && prev != "return"
	case prev == ")" && t.s(int(t.around[open])) == "(": // a pattern after a decorator's call
		call := int(t.match[open-1])
		return t.s(call-1) != "function" && t.s(call-2) != "function"
	}
	return false
}

// isFunctionBody reports whether the bracket at i opens the body of a function, or of a class.
func (t scriptText) isFunctionBody(open int) bool {
	switch prev := t.s(open - 1); {
	case t.s(open) != "{":
		return false
	case prev == ")":
		return !beforeBlock[t.s(int(t.match[open-1])-1)]
	case prev == "=>", prev == ">", prev == "]":
		return true
	}
	return t.isName(open-1) && !beforeBlock[t.s(open-1)]
}

// arrowEnd is the token that ends the body of the function whose arrow is at i, or what is around it.
func (t scriptText) arrowEnd(arrow int) int {
	if t.s(arrow+1) == "{" {
		return t.closing(arrow + 1)
	}
	return t.end(arrow)
}

// bodyEnd is the token up to which names that are declared in the parentheses at i are known: the
// end of the body of a function or loop.
func (t scriptText) bodyEnd(open int) int {
	end := t.closing(open)
	next := end + 1
	if t.s(next) == ":" {
		next = t.typeEnd(next + 1)
	}
	switch before := t.s(open - 1); {
	case t.s(next) == "{":
		return t.closing(next)
	case t.s(next) == "=>":
		return t.arrowEnd(next)
	case next != end+1, before == "for", before == "await":
		return t.end(open)
	}
	return end
}

// beforeType are words before a type that belong to it.
var beforeType = terms.Set("keyof typeof readonly unique infer asserts abstract new | &")

// typeEnd is the token after the type at i, as far as it is understood.
func (t scriptText) typeEnd(i int) int {
	for {
		for beforeType[t.s(i)] {
			i++
		}
		switch s := t.s(i); {
		case s == "(" || s == "[" || s == "{":
			i = t.closing(i) + 1
		case t.opensTemplate(i):
			i = t.closing(i+1) + 1
			continue
		case i < len(t.toks) && t.toks[i].Kind != language.Operator:
			i = t.generics(i + 1)
		default:
			return i
		}
		for t.s(i) == "[" {
			i = t.closing(i) + 1
		}
		switch t.s(i) {
		case "|", "&", ".", "is", "extends", "?", ":":
			i++
		case "=>":
			if t.s(i-1) != ")" {
				return i
			}
			i++
		default:
			return i
		}
	}
}

// inNamespace reports whether the token at i is in a block that sees names of other files.
func (t scriptText) inNamespace(i int) bool {
	for open := int(t.around[i]); open >= 0; open = int(t.around[open]) {
		name := open - 1
		for t.s(name-1) == "." {
			name -= 2
		}
		if before := t.s(name - 1); before == "namespace" || before == "module" || t.s(name) == "global" {
			return true
		}
	}
	return false
}
