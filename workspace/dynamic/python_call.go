package dynamic

import (
	"strings"

	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// Closing is the token that closes the bracket at i.
func (p Python) Closing(i int) int {
	depth := 0
	for ; i < len(p.Tokens); i++ {
		switch p.Word(i) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(p.Tokens)
}

// Opening is the bracket that the one at i closes, or i itself where it is none.
func (p Python) Opening(i int) int {
	for depth := 0; i >= 0; i-- {
		switch p.Word(i) {
		case ")", "]", "}":
			depth++
		case "(", "[", "{":
			depth--
		}
		if depth == 0 {
			return i
		}
	}
	return -1
}

// Displayed is the class of builtins of which the string, list or dictionary that ends at i is
// written there; "" for anything else.
func (p Python) Displayed(i int) string {
	if p.Kind(i) == language.String {
		s := p.Word(i)
		if quote := strings.IndexAny(s, `"'`); quote > 0 && pyBytes[strings.ToLower(s[:quote])] {
			return "bytes" // the last part of an f-string begins after a field, with anything
		}
		return "str"
	}
	open := p.Opening(i)
	if open < 0 || open == i {
		return ""
	}
	switch p.Word(open) {
	case "[":
		if before := p.Word(open - 1); p.IsName(open-1) || before == ")" || before == "]" || before == "}" || p.Kind(open-1) == language.String || pyValues[before] {
			return "" // an index
		}
		return "list"
	case "{":
		for j, depth := open+1, 0; j <= i; j++ {
			switch s := p.Word(j); {
			case s == "(" || s == "[" || s == "{" || s == "lambda":
				depth++
			case depth > 0 && (s == ")" || s == "]" || s == "}"):
				depth--
			case depth == 0 && (s == ":" || s == "**" && j == open+1 || j == i && j == open+1):
				return "dict"
			case depth == 0 && (s == "," || s == "for"):
				return "set"
			}
		}
	}
	return ""
}

// pyBytes begin a literal of bytes.
var pyBytes = terms.Set("b br rb")

// pyValues are words that end an expression.
var pyValues = terms.Set("None True False ...")

// Last is the last token of the statement of the token at i.
func (p Python) Last(i int) int {
	for i < len(p.Tokens)-1 && p.Kind(i+1) != language.Newline {
		i++
	}
	return i
}

// StatementEnd is the offset at which the last token of the statement of the token at i begins.
func (p Python) StatementEnd(i int) int { return p.Tokens[p.Last(i)].Start }

// Importing marks the tokens that are part of import statements.
func (p Python) Importing() []bool {
	out := make([]bool, len(p.Tokens))
	in := false
	for i := range p.Tokens {
		switch w := p.Word(i); {
		case p.Kind(i) == language.Newline:
			in = false
		case w == "import":
			in = true
		case w == "from" && !in && p.Word(i-1) != "yield" && p.Word(i-1) != "raise":
			in = i == 0 || p.Kind(i-1) != language.Name && p.Kind(i-1) != language.Operator
		}
		out[i] = in
	}
	return out
}

// IsKeyword reports whether the name at i is that of a keyword argument, or of a parameter with
// a default.
func (p Python) IsKeyword(i int) bool {
	prev := p.Word(i - 1)
	return p.Word(i+1) == "=" && (prev == "(" || prev == ",")
}

// Arguments counts the arguments of the call that opens at i; ok is false when
// some are unpacked with * or **, or nothing about the call is certain.
func (p Python) Arguments(i int) (count int, keywords []string, ok bool) {
	end := p.Closing(i)
	if end >= len(p.Tokens) {
		return 0, nil, false
	}
	depth, fresh := 0, true
	for j := i + 1; j < end; j++ {
		s := p.Word(j)
		if fresh {
			if s == "*" || s == "**" {
				return 0, nil, false
			}
			count++
			fresh = false
			if p.IsName(j) && p.Word(j+1) == "=" {
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

func (p Python) skipLambda(at, end int) int {
	depth := 0
	for j := at + 1; j < end; j++ {
		switch p.Word(j) {
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

// IsSuper reports whether the name at i follows super().
func (p Python) IsSuper(i int) bool {
	return p.Word(i-2) == ")" && p.Word(i-3) == "(" && p.Word(i-4) == "super"
}

// Assigned reports whether the name at i is all that a statement assigns to.
func (p Python) Assigned(i int) bool {
	lead := p.Kind(i - 1)
	return p.Word(i+1) == "=" && (lead == language.Newline || lead == language.Indent || lead == language.Dedent)
}
