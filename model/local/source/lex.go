package source

import (
	"strings"

	"tandem/workspace/terms"
)

// A Class is the kind of a token, as far as all languages agree on it.
type Class uint8

// The classes of tokens.
const (
	Punct   Class = iota
	Word          // an identifier
	Keyword       // a word that many languages reserve
	Number
	Literal // a whole string literal
	Gap     // white space inside a line that is not one blank
)

// A Lexeme is one token of a line, and whether one blank stands before it.
type Lexeme struct {
	Text   string
	Class  Class
	Spaced bool
}

// MaxLineBytes is the length beyond which a line is data, and not code.
const MaxLineBytes = 400

// Keywords are the reserved words of the most used languages. A name that is
// reserved in another language only makes its line's shape more specific.
var Keywords = terms.Set(`abstract as assert async await bool boolean break case catch chan class const constexpr continue
	debugger declare def default defer del delete do elif else enum except export extends extern false False final finally
	fn for foreach from func function global go goto if impl implements import in instanceof int interface internal is
	lambda let loop map match mod module move mut namespace new nil None nonlocal not null of or and override package pass
	private protected pub public raise range readonly ref return select self Self sizeof static string struct super switch
	this throw trait true True try type typedef typeof undefined union unsafe use using var virtual void where while with yield
	error number any never unknown unsigned char long short float double byte`)

// pairs are the operators of two bytes.
var pairs = terms.Set(`:= == != <= >= => -> && || :: ++ -- += -= *= /= << >> // /* */ ?. ?? ** ..`)

// Lex appends the tokens of one line, which has no indentation, to buf. A
// string literal is one token if it ends on the line.
func Lex(line string, buf []Lexeme) []Lexeme {
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
			buf = append(buf, Lexeme{Text: line[i:end], Class: Gap})
		}
		i = end
		n, c := lexeme1(line[i:])
		buf = append(buf, Lexeme{line[i : i+n], c, spaced})
		spaced = false
		i += n
	}
	return buf
}

// lexeme1 returns the length and the class of the token that line begins with.
func lexeme1(line string) (int, Class) {
	switch b := line[0]; {
	case IsWordByte(b) && !IsDigit(b):
		n := WordEnd(line)
		if Keywords[line[:n]] {
			return n, Keyword
		}
		return n, Word
	case IsDigit(b):
		return numberEnd(line), Number
	case b == '"' || b == '\'' || b == '`':
		if n := quoteEnd(line); n > 0 {
			return n, Literal
		}
	}
	if len(line) > 1 && pairs[line[:2]] {
		return 2, Punct
	}
	return 1, Punct
}

// IsDigit is for bytes of ASCII alone.
func IsDigit(b byte) bool { return b >= '0' && b <= '9' }

// IsWordByte treats every non-ASCII byte as part of a word, so that no character
// is split.
func IsWordByte(b byte) bool {
	return b|0x20 >= 'a' && b|0x20 <= 'z' || IsDigit(b) || b == '_' || b == '$' || b >= 0x80
}

// WordEnd is where the word ends that a line begins with.
func WordEnd(line string) int {
	n := 1
	for n < len(line) && IsWordByte(line[n]) {
		n++
	}
	return n
}

func numberEnd(line string) int {
	n := 1
	for n < len(line) && (IsWordByte(line[n]) || line[n] == '.' && n+1 < len(line) && IsDigit(line[n+1])) {
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

// IsComment reports whether a line without indentation is a comment in most
// languages: its words are prose.
func IsComment(line string) bool {
	if line == "" {
		return false
	}
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

// OpensCall holds the tokens that can follow a called name.
var OpensCall = terms.Set("( [ < ! ?.")
