package nextedit

import (
	"regexp"
	"slices"
	"strings"

	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A codeToken is a token of code.
type codeToken struct {
	text       string
	start, end int
	name       bool
}

var (
	templateParts = regexp.MustCompile(`\$\{([^{}]*)\}`)
	formatParts   = regexp.MustCompile(`\{([^{}:!]*)[:!}]`)
)

// codeTokens are the tokens of code, those in the values of templates too.
func codeTokens(lang, src string) (out []codeToken) {
	for _, t := range language.Tokens(lang, src) {
		text := src[t.Start:t.End]
		switch t.Kind {
		case language.Name, language.Number, language.Operator, language.Other:
			out = append(out, codeToken{text, t.Start, t.End, t.Kind == language.Name})
		case language.String:
			out = append(out, codeToken{`""`, t.Start, t.Start, false})
			parts := templateParts
			if lang == "python" {
				parts = formatParts
				if quote := strings.IndexAny(text, `"'`); quote < 1 || !strings.ContainsAny(text[:quote], "fF") {
					continue
				}
			} else if !strings.HasPrefix(text, "`") {
				continue
			}
			for _, m := range parts.FindAllStringSubmatchIndex(text, -1) {
				for _, inner := range language.Tokens(lang, text[m[2]:m[3]]) {
					at := t.Start + m[2]
					out = append(out, codeToken{src[at+inner.Start : at+inner.End], at + inner.Start, at + inner.End, inner.Kind == language.Name})
				}
			}
			out = append(out, codeToken{`""`, t.End, t.End, false})
		}
	}
	return out
}

// A tokenFile is a file as its tokens.
type tokenFile struct {
	lang   string
	src    string
	tokens []codeToken
	pair   []int // of each bracket the one that belongs to it; -1
	lineOf []int // of each token
}

func tokensOf(lang, src string) *tokenFile {
	f := &tokenFile{lang: lang, src: src, tokens: codeTokens(lang, src)}
	f.pairs()
	f.lines()
	return f
}

func (f *tokenFile) text(i int) string {
	if i < 0 || i >= len(f.tokens) {
		return ""
	}
	return f.tokens[i].text
}

func (f *tokenFile) dotted(i int) bool { return f.text(i-1) == "." || f.text(i-1) == "?." }

// line is the number of a token's line, from 1.
func (f *tokenFile) line(i int) int { return f.lineOf[i] }

// pairs finds where each bracket opens or closes.
func (f *tokenFile) pairs() {
	f.pair = make([]int, len(f.tokens))
	var open []int
	for i := range f.tokens {
		f.pair[i] = -1
		switch f.text(i) {
		case "(", "[", "{":
			open = append(open, i)
		case ")", "]", "}":
			if n := len(open); n > 0 {
				f.pair[i], f.pair[open[n-1]] = open[n-1], i
				open = open[:n-1]
			}
		}
	}
}

// lines counts the line of each token.
func (f *tokenFile) lines() {
	f.lineOf = make([]int, len(f.tokens))
	line, at := 1, 0
	for i, t := range f.tokens {
		line, at = line+strings.Count(f.src[at:t.start], "\n"), t.start
		f.lineOf[i] = line
	}
}

// matching is the bracket that belongs to one, the last token if there is none.
func (f *tokenFile) matching(i int) int {
	if i < 0 || i >= len(f.pair) || f.pair[i] < 0 {
		return len(f.tokens) - 1
	}
	return f.pair[i]
}

// opener is the bracket that is open at a token, -1 if there is none.
func (f *tokenFile) opener(i int) int {
	for k := i - 1; k >= 0; k-- {
		switch f.text(k) {
		case ")", "]", "}":
			if f.pair[k] < 0 {
				return -1
			}
			k = f.pair[k]
		case "(", "[", "{":
			return k
		}
	}
	return -1
}

// firstOfLine reports whether a new line begins at a token.
func (f *tokenFile) firstOfLine(i int) bool {
	return i <= 0 || i >= len(f.tokens) || f.lineOf[i] != f.lineOf[i-1]
}

// block is the innermost block of braces around a token.
func (f *tokenFile) block(i int) (from, to int) {
	for k := f.opener(i); k >= 0; k = f.opener(k) {
		if f.text(k) == "{" {
			return k, f.matching(k)
		}
	}
	return 0, len(f.tokens)
}

// bodyEnd is where the body of a function that begins at a token ends.
func (f *tokenFile) bodyEnd(i int) int {
	if f.text(i) == "{" {
		return f.matching(i)
	}
	for k := i; k < len(f.tokens); k++ {
		switch t := f.text(k); t {
		case "(", "[", "{":
			k = f.matching(k)
		case ")", "]", "}", ";", ",":
			return k
		case "const", "let", "var", "return", "export", "import", "class", "function", "if", "for":
			if k > i && f.firstOfLine(k) {
				return k - 1
			}
		}
	}
	return len(f.tokens)
}

// typeEnd is where the type that begins at a token ends.
func (f *tokenFile) typeEnd(i int) int {
	for k := i; k < len(f.tokens); k++ {
		switch t := f.text(k); t {
		case "(", "[", "{":
			k = f.matching(k)
		case "<":
			if close := f.angleClose(k); close > k {
				k = close
			}
		case ")", "]", "}", ";", ",", "=", "of":
			return k
		default:
			if k > i && f.firstOfLine(k) && t != "|" && t != "&" && t != "=>" && f.text(k-1) != "|" && f.text(k-1) != "&" && f.text(k-1) != "=>" && f.text(k-1) != "." {
				return k
			}
		}
	}
	return len(f.tokens)
}

// between is the text from one token up to another.
func (f *tokenFile) between(from, to int) string {
	if from >= to || to > len(f.tokens) {
		return ""
	}
	end := f.tokens[to-1].end
	if f.text(to-1) == `""` && to < len(f.tokens) { // a string, whose end is not kept
		end = f.tokens[to].start
	}
	return strings.TrimSpace(f.src[f.tokens[from].start:end])
}

// angleClose is where the angle bracket that opens at a token closes, the token itself if
// it compares.
func (f *tokenFile) angleClose(i int) int {
	depth := 0
	for k := i; k < len(f.tokens) && k < i+200; k++ {
		depth += angles(f.tokens, k)
		switch t := f.text(k); {
		case depth <= 0:
			return k
		case t == "(" || t == "[" || t == "{":
			k = f.matching(k)
		case t == ")" || t == "]" || t == "}" || t == ";" || t == "&&" || t == "||":
			return i
		}
	}
	return i
}

// angleOpen is where the angle brackets that close at a token open.
func (f *tokenFile) angleOpen(i int) int {
	depth := 0
	for k := i; k >= 0 && k > i-200; k-- {
		if f.text(k) != "=>" {
			depth -= angles(f.tokens, k)
		}
		switch t := f.text(k); {
		case depth <= 0:
			return k
		case (t == ")" || t == "]" || t == "}") && f.pair[k] >= 0:
			k = f.pair[k]
		case t == "(" || t == "[" || t == "{" || t == ";":
			return i
		}
	}
	return i
}

// start is the first token of the chain of members and calls that ends at a token.
func (f *tokenFile) start(i int) int {
	for i >= 0 {
		for f.text(i) == "!" || f.text(i) == "?." {
			i--
		}
		if t := f.text(i); t == ")" || t == "]" {
			open := f.pair[i]
			if open < 0 {
				return i
			}
			before := open - 1
			if f.text(before) == "?." {
				before--
			}
			if f.text(before) == ">" {
				if angle := f.angleOpen(before); angle < before {
					before = angle - 1
				}
			}
			switch {
			case before >= 0 && (f.tokens[before].name && !notCalled[f.text(before)] || f.text(before) == ")" || f.text(before) == "]" || f.text(before) == "!") && (f.lang != "python" || !f.firstOfLine(open) || f.opener(open) >= 0):
				i = before
				continue
			}
			return f.prefixed(open)
		}
		if f.dotted(i) {
			i -= 2
			continue
		}
		return f.prefixed(i)
	}
	return 0
}

// prefixed is a token, or the new before it.
func (f *tokenFile) prefixed(i int) int {
	if f.text(i-1) == "new" {
		return i - 1
	}
	return i
}

// skipped is where a chain that begins at a token ends.
func (f *tokenFile) skipped(i int) int {
	if f.text(i) == "new" {
		i++
	}
	if t := f.text(i); t == "(" || t == "[" {
		i = f.matching(i)
	}
	for i++; i < len(f.tokens); i++ {
		switch t := f.text(i); {
		case t == "(" || t == "[":
			i = f.matching(i)
		case t == "." || t == "?." || t == "!":
		case f.tokens[i].name && (f.text(i-1) == "." || f.text(i-1) == "?."):
		case t == "<" && f.angleClose(i) > i:
			i = f.angleClose(i)
		default:
			return i
		}
	}
	return i
}

// inBrackets reports whether a token is between round brackets.
func (f *tokenFile) inBrackets(i int) bool {
	depth := 0
	for k := i - 1; k >= 0 && k > i-400; k-- {
		switch f.text(k) {
		case ")", "]", "}":
			depth++
		case "(":
			if depth == 0 {
				return true
			}
			depth--
		case "[", "{":
			if depth == 0 {
				return false
			}
			depth--
		}
	}
	return false
}

// method reports whether a name before a bracket begins a method: a body follows the
// bracket.
func (f *tokenFile) method(i int) bool {
	depth := 0
	for k := i + 1; k < len(f.tokens) && k < i+200; k++ {
		switch f.text(k) {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return f.text(k+1) == "{" || f.text(k+1) == ":"
			}
		}
	}
	return false
}

// inImport reports whether a token is in an import or in a list of what a file exports,
// which may take several lines.
func (f *tokenFile) inImport(i int) bool {
	python := f.lang == "python"
	for k := i - 1; k >= 0 && k > i-maxImport; k-- {
		switch f.text(k) {
		case "import":
			return f.text(k+1) != "(" || python
		case "export":
			return f.text(k+1) == "{" || f.text(k+1) == "type"
		case "{":
			if !python && f.text(k-1) != "import" && f.text(k-1) != "export" && f.text(k-1) != "type" && f.text(k-1) != "," {
				return false
			}
		case ",", "as", "type", "*":
		case "(":
			if !python || f.text(k-1) != "import" {
				return false
			}
		default:
			if !f.tokens[k].name || python && strings.Contains(f.src[f.tokens[k].end:f.tokens[k+1].start], "\n") {
				return false
			}
		}
	}
	return false
}

// nameOn is the token of a definition's name on its line, -1 if it is not there.
func (f *tokenFile) nameOn(d index.Def) int {
	i, _ := slices.BinarySearch(f.lineOf, d.StartLine)
	for ; i < len(f.tokens) && f.lineOf[i] == d.StartLine; i++ {
		if f.text(i) == d.Name || "#"+f.text(i) == d.Name {
			return i
		}
	}
	return -1
}

// bodyOf is where the body of a function opens whose name is at a token.
func (f *tokenFile) bodyOf(d index.Def, at int) int {
	for k := at + 1; k < len(f.tokens) && f.lineOf[k] <= d.EndLine; k++ {
		switch f.text(k) {
		case "(":
			k = f.matching(k)
		case "{":
			return k
		}
	}
	return at
}

// key reports whether a token names an argument, a property or a label.
func (f *tokenFile) key(i int) bool {
	before, after := f.text(i-1), f.text(i+1)
	if f.lang == "python" {
		return after == "=" && (before == "(" || before == ",") && f.inBrackets(i)
	}
	first := before == "{" || before == "," || before == "async"
	return first && (after == ":" || after == "(" && f.method(i))
}

// shorthand reports whether a token is the name of a property and that of a variable, as in
// { name }.
func (f *tokenFile) shorthand(i int) bool {
	before, after := f.text(i-1), f.text(i+1)
	return (before == "{" || before == ",") && (after == "," || after == "}" || after == "=") && f.text(f.opener(i)) == "{" && !f.inImport(i)
}

// maxImport bounds the tokens of one import.
const maxImport = 400
