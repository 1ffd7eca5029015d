package names

import (
	"tandem/edits"
	"tandem/workspace/language"
)

// closing is the token that closes the bracket at i.
func (p pyText) closing(i int) int {
	depth := 0
	for ; i < len(p.toks); i++ {
		switch p.s(i) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(p.toks)
}

// statementEnd is the offset at which the statement of the token at i ends.
func (p pyText) statementEnd(i int) int {
	for i < len(p.toks)-1 && p.kind(i+1) != language.Newline {
		i++
	}
	return p.toks[i].Start
}

// importing marks the tokens that are part of import statements.
func (p pyText) importing() []bool {
	out := make([]bool, len(p.toks))
	in := false
	for i := range p.toks {
		switch w := p.s(i); {
		case p.kind(i) == language.Newline:
			in = false
		case w == "import":
			in = true
		case w == "from" && !in && p.s(i-1) != "yield" && p.s(i-1) != "raise":
			in = i == 0 || p.kind(i-1) != language.Name && p.kind(i-1) != language.Operator
		}
		out[i] = in
	}
	return out
}

// inCall reports whether a token is inside brackets, where = names an argument.
func (p pyText) inCall(i int) bool { prev := p.s(i - 1); return prev == "(" || prev == "," }

// arguments counts the arguments of the call that opens at i; ok is false when
// some are unpacked with * or **, or nothing about the call is certain.
func (p pyText) arguments(i int, added []edits.Span) (count int, keywords []string, ok bool) {
	end := p.closing(i)
	if end >= len(p.toks) || !isNew(added, edits.Span{Start: p.toks[i].Start, End: p.toks[end].End}) {
		return 0, nil, false
	}
	depth, fresh := 0, true
	for j := i + 1; j < end; j++ {
		s := p.s(j)
		if fresh {
			if s == "*" || s == "**" {
				return 0, nil, false
			}
			count++
			fresh = false
			if p.isName(j) && p.s(j+1) == "=" {
				keywords = append(keywords, s)
			}
		}
		switch s {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case "for":
			if depth == 0 {
				return 1, nil, true // a generator
			}
		case ",":
			fresh = depth == 0
		case "lambda":
			if depth == 0 {
				j = p.skipLambda(j, end)
			}
		}
	}
	return count, keywords, true
}

func (p pyText) skipLambda(at, end int) int {
	depth := 0
	for j := at + 1; j < end; j++ {
		switch p.s(j) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ":":
			if depth == 0 {
				return j
			}
		}
	}
	return end
}

// isSuper reports whether the name at i follows super().
func (p pyText) isSuper(i int) bool {
	return p.s(i-2) == ")" && p.s(i-3) == "(" && p.s(i-4) == "super"
}

// assigned reports whether the name at i is all that a statement assigns to.
func (p pyText) assigned(i int) bool {
	lead := p.kind(i - 1)
	return p.s(i+1) == "=" && (lead == language.Newline || lead == language.Indent || lead == language.Dedent)
}

// onlyRead reports whether the name at i is used and not bound. The name of a
// keyword argument counts as used, too.
func (p pyText) onlyRead(i int) bool {
	prev := p.s(i - 1)
	switch next := p.s(i + 1); next {
	case "=":
		return !p.assigned(i) && (prev == "(" || prev == ",")
	case ":=", "in":
		return next == "in" && prev != "for" && prev != ","
	case ",", ":":
		return prev != "for" && prev != "as" && !p.ofSignature(i)
	case "+=", "-=", "*=", "|=", "&=":
		return false
	}
	return prev != "as" && prev != "for" && prev != "*" && !p.ofSignature(i)
}

// ofSignature reports whether the name at i is a parameter.
func (p pyText) ofSignature(i int) bool {
	for depth := 0; i >= 0 && p.kind(i) != language.Newline; i-- {
		switch p.s(i) {
		case ")", "]", "}":
			depth++
		case "(", "[", "{":
			depth--
		case "def", "lambda":
			return depth < 0 || p.s(i) == "lambda"
		}
	}
	return false
}
