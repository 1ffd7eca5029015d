package tokens

import (
	"unicode"
	"unicode/utf8"
)

// SafeCut reports whether no token can cross the border between s[:at] and
// s[at:], whatever the rest of both is, so that the counts of the two parts add
// up to the count of s. That is so after a line end when the next line does not
// begin with a slash (symbols take slashes along after a line end) and is not
// blank (white space takes all the line ends of a run along).
func SafeCut(s string, at int) bool {
	if at <= 0 || at >= len(s) {
		return at == 0 || at == len(s)
	}
	return s[at-1] == '\n' && SafeStart(s[at:])
}

// SafeStart reports whether s may follow any text that ends in a line end
// without a token crossing the border: the part of SafeCut that checks the text
// after it.
func SafeStart(s string) bool {
	if s == "" || s[0] == '/' {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ' || c == '\t':
		case c < utf8.RuneSelf:
			return c > ' ' || c < '\t'
		default:
			r, _ := utf8.DecodeRuneInString(s[i:])
			return !unicode.IsSpace(r)
		}
	}
	return false
}
