package edits

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Visible returns a text that controls no terminal and reads as it is: each character that
// cannot be seen, or moves others, becomes an escape such as \u202e. That is an escape in the
// strings of JSON too, so JSON stays what it was. Tabs and ends of lines stay.
func Visible(text string) string { return visible(text, false) }

// OneLine is Visible for what has to stay in one line, such as a name or a path: the ends of lines
// become escapes as well.
func OneLine(text string) string { return visible(text, true) }

func visible(text string, oneLine bool) string {
	var out strings.Builder
	done := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if escaped := escapeOf(r, n, text[i:], oneLine); escaped != "" {
			out.WriteString(text[done:i] + escaped)
			done = i + n
		}
		i += n
	}
	if done == 0 {
		return text
	}
	return out.String() + text[done:]
}

// escapeOf is the escape of the character at the beginning of a text, "" if it is shown as it is.
func escapeOf(r rune, n int, text string, oneLine bool) string {
	switch {
	case r == utf8.RuneError && n == 1: // no UTF-8; some terminals obey single bytes
		return fmt.Sprintf(`\x%02x`, text[0])
	case r == '\n' && oneLine:
		return `\n`
	case r == '\r' && oneLine:
		return `\r`
	case r == '\r' && !strings.HasPrefix(text, "\r\n"):
		return `\u000d`
	case r == '\ufe0e', r == '\ufe0f': // text or picture, as the character before it says
		return ""
	case HiddenKind(r) == "" && !VariationSelector(r):
		return ""
	}
	if first, second := utf16.EncodeRune(r); first != utf8.RuneError {
		return fmt.Sprintf(`\u%04x\u%04x`, first, second)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
