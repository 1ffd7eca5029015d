package lsp

import (
	"strings"
	"unicode"
)

// printableText removes characters that control a terminal or hide text from a
// message for the user: control and formatting characters, bidi marks, tags.
func printableText(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, s)
}
