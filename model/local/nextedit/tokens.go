package nextedit

import (
	"regexp"
	"strings"

	"tandem/workspace/language"
)

// A codeToken is a token of code.
type codeToken struct {
	text       string
	start, end int
	name       bool
	line       int // counted from 1
}

var (
	templateParts = regexp.MustCompile(`\$\{([^{}]*)\}`)
	formatParts   = regexp.MustCompile(`\{([^{}:!]*)[:!}]`)
)

// A tokenFile is a file as the tokens of its code, those in the values of templates too.
type tokenFile struct {
	lang, src string
	tokens    []codeToken
}

func tokensOf(lang, src string) *tokenFile {
	f := &tokenFile{lang: lang, src: src}
	for _, t := range language.Tokens(lang, src) {
		switch t.Kind {
		case language.Name, language.Number, language.Operator, language.Other:
			f.tokens = append(f.tokens, codeToken{text: src[t.Start:t.End], start: t.Start, end: t.End, name: t.Kind == language.Name})
		case language.String:
			f.addString(t.Start, t.End)
		}
	}
	line, at := 1, 0
	for i := range f.tokens {
		t := &f.tokens[i]
		line, at = line+strings.Count(src[at:t.start], "\n"), t.start
		t.line = line
	}
	return f
}

// addString adds a string as a token without a text, and what its values are made of.
func (f *tokenFile) addString(start, end int) {
	text := f.src[start:end]
	f.tokens = append(f.tokens, codeToken{text: `""`, start: start, end: start})
	parts := templateParts
	switch quote := strings.IndexAny(text, `"'`); {
	case f.lang != "python" && strings.HasPrefix(text, "`"):
	case f.lang == "python" && quote > 0 && strings.ContainsAny(text[:quote], "fF"):
		parts = formatParts
	default:
		return
	}
	for _, m := range parts.FindAllStringSubmatchIndex(text, -1) {
		for _, t := range language.Tokens(f.lang, text[m[2]:m[3]]) {
			from, to := start+m[2]+t.Start, start+m[2]+t.End
			f.tokens = append(f.tokens, codeToken{text: f.src[from:to], start: from, end: to, name: t.Kind == language.Name})
		}
	}
	f.tokens = append(f.tokens, codeToken{text: `""`, start: end, end: end})
}

// text is that of a token, "" before the first and behind the last.
func (f *tokenFile) text(i int) string {
	if i < 0 || i >= len(f.tokens) {
		return ""
	}
	return f.tokens[i].text
}

// dotted reports whether a token names a member.
func (f *tokenFile) dotted(i int) bool {
	switch before := f.text(i - 1); before {
	case ".", "?.":
		return true
	default:
		return f.text(i-2)+before == "->" || f.text(i-2)+before == "::"
	}
}

// key reports whether a token names an argument or a property, or is the key of a literal.
func (f *tokenFile) key(i int) bool {
	before, after := f.text(i-1), f.text(i+1)
	if f.lang == "python" {
		return after == "=" && (before == "(" || before == ",")
	}
	return (before == "{" || before == "," || before == "async") && (after == ":" && f.text(i+2) != "=" || after == "(" && f.method(i))
}

// shorthand reports whether a token is the name of a property and of a variable, as in
// { name }.
func (f *tokenFile) shorthand(i int) bool {
	t := f.tokens[i]
	return strings.Contains(f.lang, "script") && shorthandAt(f.src[:t.start], f.src[t.end:]) && !f.inImport(i)
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

// maxImport bounds the tokens of one import.
const maxImport = 400

// inImport reports whether a token is in an import of Python or TypeScript, or in a list of
// what a file exports, which may take several lines.
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
			if !f.tokens[k].name || python && f.tokens[k].line != f.tokens[k+1].line {
				return false
			}
		}
	}
	return false
}
