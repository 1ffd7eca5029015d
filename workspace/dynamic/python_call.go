package dynamic

import (
	"strings"

	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// Opening is the bracket that the one at i closes; -1 where it closes none.
func (p Python) Opening(i int) int {
	if open := p.Closing(i); open < i {
		return open
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
	if open < 0 {
		return ""
	}
	switch p.Word(open) {
	case "[":
		if p.IsName(open-1) || p.Kind(open-1) == language.String || pyValues[p.Word(open-1)] {
			return "" // an index
		}
		return "list"
	case "{":
		if i == open+1 || p.Word(open+1) == "**" {
			return "dict"
		}
		for j := open + 1; j < i; j++ {
			switch p.Word(j) {
			case "(", "[", "{":
				j = p.Closing(j)
			case "lambda":
				j = p.skipLambda(j, i)
			case ":":
				return "dict"
			case ",", "for":
				return "set"
			}
		}
	}
	return ""
}

// pyBytes begin a literal of bytes.
var pyBytes = terms.Set("b br rb")

// pyValues are words and brackets that end an expression.
var pyValues = terms.Set("None True False ... ) ] }")

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
		in = p.Kind(i) != language.Newline && p.Word(i) != ";" && (in || p.beginsImport(i))
		out[i] = in
	}
	return out
}

// beginsImport reports whether the token at i begins an import statement, or the names of one.
func (p Python) beginsImport(i int) bool {
	return p.Word(i) == "import" || p.Word(i) == "from" && (i == 0 || p.Kind(i-1) != language.Name && p.Kind(i-1) != language.Operator)
}

// IsKeyword reports whether the name at i is that of a keyword argument, or of a parameter with
// a default.
func (p Python) IsKeyword(i int) bool {
	return p.Word(i+1) == "=" && p.is(i-1, "(", ",")
}

// Arguments counts the arguments of the call that opens at i, and lists the tokens that name
// some of them; ok is false when some are unpacked with * or **, or nothing about the call is
// certain.
func (p Python) Arguments(i int) (count int, keywords []int, ok bool) {
	end := p.Closing(i)
	if end >= len(p.Tokens) {
		return 0, nil, false
	}
	fresh := true
	for j := i + 1; j < end; j++ {
		s := p.Word(j)
		if fresh {
			if s == "*" || s == "**" {
				return 0, nil, false
			}
			count++
			fresh = false
			if p.IsName(j) && p.Word(j+1) == "=" {
				keywords = append(keywords, j)
			}
		}
		switch s {
		case "(", "[", "{":
			j = p.Closing(j)
		case "for":
			return 1, nil, true // a generator
		case ",":
			fresh = true
		case "lambda":
			j = p.skipLambda(j, end)
		}
	}
	return count, keywords, true
}

// skipLambda is the colon of the lambda at a token, or end.
func (p Python) skipLambda(at, end int) int {
	for j := at + 1; j < end; j++ {
		switch p.Word(j) {
		case "(", "[", "{":
			j = p.Closing(j)
		case ":":
			return j
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
