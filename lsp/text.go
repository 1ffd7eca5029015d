package lsp

import (
	"strings"
	"unicode"
)

// printableText keeps what would steer a terminal or hide text out of a
// sentence for the user: control and formatting characters, bidi marks, tags.
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
