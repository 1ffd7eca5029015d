package dynamic

import (
	"slices"

	"tandem/edits"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// scriptBlocks are the parts of a text in which what it declares is known.
type scriptBlocks struct{ t Script }

// region is the part of the text in which a name is known if the token at i declares it: at
// most the block or function that the token is in. It is false where that may be everywhere.
func (b scriptBlocks) region(i int) (edits.Span, bool) {
	if b.t.Word(i-1) == "infer" {
		return edits.Span{}, false
	}
	if b.t.Word(i+1) == "=>" {
		return b.span(i, b.arrowEnd(i+1))
	}
	hoisted := b.t.Word(i-1) == "function" || b.t.Word(i-1) == "*" && b.t.Word(i-2) == "function"
	for open := int(b.t.around[i]); open >= 0; open = int(b.t.around[open]) {
		end := b.t.Closing(open)
		switch {
		case (hoisted || b.hasVar(open, end)) && !b.isFunctionBody(open):
		case b.t.Word(open) == "(":
			return b.span(open, b.bodyEnd(open))
		case !b.mayBePattern(open):
			return b.span(open, end)
		}
	}
	return edits.Span{}, false
}

// span is the text of some tokens; it is false where the last is not there.
func (b scriptBlocks) span(first, last int) (edits.Span, bool) {
	if last < 0 || last >= len(b.t.Tokens) {
		return edits.Span{}, false
	}
	return edits.Span{Start: b.t.Tokens[first].Start, End: b.t.Tokens[last].End}, true
}

// hasVar reports whether a var stands between two tokens: what it declares is known outside of
// its block.
func (b scriptBlocks) hasVar(first, last int) bool {
	i, _ := slices.BinarySearch(b.t.vars, int32(first))
	return i < len(b.t.vars) && int(b.t.vars[i]) < last
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
func (b scriptBlocks) mayBePattern(open int) bool {
	prev := b.t.Word(open - 1)
	switch {
	case beforePattern[prev]:
		return true
	case b.t.Word(open) == "[":
		return !b.t.endsValue(open-1) && prev != "=" && prev != "return"
	case prev == ")" && b.t.Word(int(b.t.around[open])) == "(": // a pattern after a decorator's call
		call := int(b.t.match[open-1])
		return b.t.Word(call-1) != "function" && b.t.Word(call-2) != "function"
	}
	return false
}

// isFunctionBody reports whether the bracket at i opens the body of a function, or of a class.
func (b scriptBlocks) isFunctionBody(open int) bool {
	switch prev := b.t.Word(open - 1); {
	case b.t.Word(open) != "{":
		return false
	case prev == ")":
		return !beforeBlock[b.t.Word(int(b.t.match[open-1])-1)]
	case prev == "=>", prev == ">", prev == "]":
		return true
	}
	return b.t.IsName(open-1) && !beforeBlock[b.t.Word(open-1)]
}

// arrowEnd is the token that ends the body of the function whose arrow is at i, or what is around it.
func (b scriptBlocks) arrowEnd(arrow int) int {
	if b.t.Word(arrow+1) == "{" {
		return b.t.Closing(arrow + 1)
	}
	return b.expressionEnd(arrow + 1)
}

// expressionEnd is the last token of the expression, or the statement without braces, at i.
func (b scriptBlocks) expressionEnd(i int) int {
	chosen := 0 // of conditions, what is before their colons
	for k := i; k < len(b.t.Tokens); k++ {
		if k > i && b.t.Tokens[k].Kind == language.Name && b.t.startsLine(k) && (b.t.endsValue(k-1) || b.t.Word(k-1) == "}" || b.t.Tokens[k-1].Kind < language.Operator) && !goesOn[b.t.Word(k)] {
			return k - 1
		}
		switch b.t.Word(k) {
		case "(", "[", "{":
			k = b.t.Closing(k)
		case "<":
			k = max(b.t.Generics(k)-1, k)
		case "?":
			chosen++
		case ":":
			if chosen--; chosen >= 0 {
				continue
			}
			arrow := b.returned(i, k)
			if arrow < 0 {
				return k - 1
			}
			k, chosen = arrow, 0
		case ";":
			if b.t.Word(k+1) != "else" {
				return k - 1
			}
		case ",", ")", "]", "}":
			return k - 1
		}
	}
	return len(b.t.Tokens) - 1
}

// returned is the arrow behind the type that a function of an expression, which begins at i, has
// behind the colon at k, or -1: in (a) => (b): T => c the names of a go as far as those of b.
func (b scriptBlocks) returned(i, k int) int {
	if b.t.Word(k-1) != ")" {
		return -1
	}
	open := int(b.t.match[k-1])
	if open != i && !b.t.is(open-1, "=>", "async", ">") {
		return -1
	}
	if arrow := b.typeEnd(k + 1); b.t.Word(arrow) == "=>" {
		return arrow
	}
	return -1
}

// goesOn are words that go on with what is in the line above.
var goesOn = terms.Set("in instanceof as satisfies else catch finally while of")

// bodyEnd is the token up to which names that are declared in the parentheses at i are known: the
// end of the body of a function or loop.
func (b scriptBlocks) bodyEnd(open int) int {
	end := b.t.Closing(open)
	next := end + 1
	if b.t.Word(next) == ":" {
		next = b.typeEnd(next + 1)
	}
	switch before := b.t.Word(open - 1); {
	case b.t.Word(next) == "{":
		return b.t.Closing(next)
	case b.t.Word(next) == "=>":
		return b.arrowEnd(next)
	case before == "for", before == "await":
		return b.expressionEnd(next)
	case next != end+1:
		return b.t.end(open)
	}
	return end
}

// beforeType are words before a type that belong to it.
var beforeType = terms.Set("keyof typeof readonly unique infer asserts abstract new | &")

// typeEnd is the token after the type at i, as far as it is understood.
func (b scriptBlocks) typeEnd(i int) int {
	for {
		for beforeType[b.t.Word(i)] {
			i++
		}
		switch s := b.t.Word(i); {
		case s == "(" || s == "[" || s == "{":
			i = b.t.Closing(i) + 1
		case b.t.opensTemplate(i):
			i = b.t.Closing(i+1) + 1
			continue
		case i < len(b.t.Tokens) && b.t.Tokens[i].Kind != language.Operator:
			i = b.t.Generics(i + 1)
		default:
			return i
		}
		for b.t.Word(i) == "[" {
			i = b.t.Closing(i) + 1
		}
		switch b.t.Word(i) {
		case "|", "&", ".", "is", "extends", "?", ":":
			i++
		case "=>":
			if b.t.Word(i-1) != ")" {
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
