package local

import (
	"strings"
)

// A class is the kind of a token, as far as all languages agree on it.
type class uint8

const (
	punct   class = iota
	word          // an identifier
	keyword       // a word that many languages reserve
	number
	text // a whole string literal
	gap  // white space inside a line that is not one blank
)

// A lexeme is one token of a line, and whether one blank stands before it.
type lexeme struct {
	text   string
	class  class
	spaced bool
}

// Lines beyond these limits are data; each is learned as one opaque line.
const (
	maxLineBytes  = 400
	maxLineTokens = 96
)

// keywords are the reserved words of the most used languages. A name that is
// reserved in another language only makes its line's shape more specific.
var keywords = set(`abstract as assert async await bool boolean break case catch chan class const constexpr continue
	debugger declare def default defer del delete do elif else enum except export extends extern false False final finally
	fn for foreach from func function global go goto if impl implements import in instanceof int interface internal is
	lambda let loop map match mod module move mut namespace new nil None nonlocal not null of or and override package pass
	private protected pub public raise range readonly ref return select self Self sizeof static string struct super switch
	this throw trait true True try type typedef typeof undefined union unsafe use using var virtual void where while with yield
	error number any never unknown unsigned char long short float double byte`)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// pairs are the operators of two bytes.
var pairs = set(`:= == != <= >= => -> && || :: ++ -- += -= *= /= << >> // /* */ ?. ?? ** ..`)

// lexLine appends the tokens of one line, which has no indentation, to buf. A
// string literal is one token if it ends on the line.
func lexLine(line string, buf []lexeme) []lexeme {
	spaced := false
	for i := 0; i < len(line); {
		end := i
		for end < len(line) && (line[end] == ' ' || line[end] == '\t') {
			end++
		}
		switch {
		case end == len(line):
			return buf
		case end-i == 1 && line[i] == ' ':
			spaced = true
		case end > i:
			buf = append(buf, lexeme{text: line[i:end], class: gap})
		}
		i = end
		n, c := lexeme1(line[i:])
		buf = append(buf, lexeme{line[i : i+n], c, spaced})
		spaced = false
		i += n
	}
	return buf
}

// lexeme1 returns the length and the class of the token that line begins with.
func lexeme1(line string) (int, class) {
	switch b := line[0]; {
	case isWordByte(b) && !isDigit(b):
		n := wordEnd(line)
		if keywords[line[:n]] {
			return n, keyword
		}
		return n, word
	case isDigit(b):
		return numberEnd(line), number
	case b == '"' || b == '\'' || b == '`':
		if n := quoteEnd(line); n > 0 {
			return n, text
		}
	}
	if len(line) > 1 && pairs[line[:2]] {
		return 2, punct
	}
	return 1, punct
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// isWordByte treats every non-ASCII byte as part of a word, so that no character
// is split.
func isWordByte(b byte) bool {
	return b|0x20 >= 'a' && b|0x20 <= 'z' || isDigit(b) || b == '_' || b == '$' || b >= 0x80
}

func wordEnd(line string) int {
	n := 1
	for n < len(line) && isWordByte(line[n]) {
		n++
	}
	return n
}

func numberEnd(line string) int {
	n := 1
	for n < len(line) && (isWordByte(line[n]) || line[n] == '.' && n+1 < len(line) && isDigit(line[n+1])) {
		n++
	}
	return n
}

// quoteEnd returns the length of the string literal at the start of line, or 0 if
// it does not end on that line.
func quoteEnd(line string) int {
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case line[0]:
			return i + 1
		}
	}
	return 0
}

// isComment reports whether a line without indentation is a comment in most
// languages: its words are prose.
func isComment(line string) bool {
	switch line[0] {
	case '/':
		return strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*")
	case '#':
		return len(line) == 1 || line[1] == ' ' || line[1] == '#' || line[1] == '!'
	case '*':
		return len(line) == 1 || line[1] == ' ' || line[1] == '/'
	}
	return false
}

// isProse reports whether at least two words directly follow another word, as in
// a documentation string.
func isProse(line []lexeme) bool {
	run := 0
	for i := 1; i < len(line); i++ {
		if line[i].spaced && line[i].class == word && line[i-1].class == word {
			run++
		}
	}
	return run >= 2
}

// isCodeName reports whether a word of prose is a name of the code rather than
// a word of the language: it has an inner capital, a digit or an underscore.
func isCodeName(w string) bool {
	for i := 1; i < len(w); i++ {
		if w[i] >= 'A' && w[i] <= 'Z' || w[i] == '_' || isDigit(w[i]) {
			return true
		}
	}
	return false
}

// A hash is FNV-1a. Texts with equal hashes are treated as equal.
type hash uint64

const noHash hash = 14695981039346656037

func (h hash) str(s string) hash {
	for i := range len(s) {
		h = (h ^ hash(s[i])) * 1099511628211
	}
	return h
}

func (h hash) num(n uint64) hash { return (h ^ hash(n) ^ hash(n>>32)) * 1099511628211 }

// shapeOf returns the hash of a line without its names, strings and numbers, so
// that lines which differ only in these have one shape. Words of prose are kept.
func shapeOf(line string, tokens []lexeme) hash {
	h := noHash
	prose := isComment(line) || isProse(tokens)
	for _, t := range tokens {
		if abstract(t, prose) {
			h = h.num(uint64(t.class) + 7)
		} else {
			h = h.str(t.text).num(3)
		}
	}
	return h
}

// abstract reports whether a token is a variable of its line's shape.
func abstract(t lexeme, prose bool) bool {
	switch t.class {
	case word:
		return !prose || isCodeName(t.text)
	case text, number:
		return !prose
	}
	return false
}
