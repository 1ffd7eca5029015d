package syntax

import (
	"fmt"
	"regexp"
	"strings"

	"tandem/edits"
	"tandem/workspace/language"
)

// balance reports the first literal or comment of an exact language that has no
// end, or bracket that has no partner.
func (r *report) balance(lang string) {
	var open brackets
	for _, t := range language.Tokens(lang, r.text) {
		var message string
		switch {
		case t.Unended && opensCode(lang, r.text[t.Start:t.End]):
			return // an expression over several lines in a string: what follows is read as the string's end
		case t.Unended:
			message = r.unended(t)
		case t.Kind == language.Operator && t.End == t.Start+1:
			message = open.see(r.text, t.Start)
		}
		if message != "" && conditional(lang, r.text[:t.Start]) {
			return
		}
		if message != "" {
			r.add(edits.Span{Start: t.Start, End: min(t.Start+markLen(r.text[t.Start:]), t.End)}, message)
			return
		}
	}
	if n := len(open); n > 0 && !conditional(lang, r.text) {
		r.add(edits.Span{Start: open[n-1], End: open[n-1] + 1}, unclosed(r.text, open[n-1]))
	}
}

// conditional reports whether a text has code that only some builds read, or none, in a language
// in which that may be anything.
func conditional(lang, text string) bool {
	return (lang == "csharp" || lang == "swift") && condition.MatchString(text)
}

var condition = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*if\b`)

// opensCode reports whether an expression that a string holds does not end on its line.
func opensCode(lang, text string) bool {
	mark := map[string]string{"kotlin": "${", "dart": "${", "scala": "${", "groovy": "${", "swift": "\\(", "csharp": "{", "ruby": "#{", "php": "{$"}[lang]
	at := strings.LastIndex(text, mark)
	return mark != "" && at >= 0 && !strings.ContainsAny(text[at:], "})")
}

// markLen is the length of what a comment or a text of several lines begins
// with, 1 for anything else.
func markLen(rest string) int {
	for _, mark := range []string{"/*", `"""`, "'''"} {
		if strings.HasPrefix(rest, mark) {
			return len(mark)
		}
	}
	return 1
}

func (r *report) unended(t language.Token) string {
	line := lineOf(r.text, t.Start)
	switch {
	case t.Kind == language.Directive:
		return fmt.Sprintf("the preprocessor line %d contains a comment that never ends", line)
	case t.Kind == language.Comment:
		return fmt.Sprintf("the comment that begins on line %d never ends", line)
	case markLen(r.text[t.Start:]) == 3:
		return fmt.Sprintf("the text that begins on line %d never ends", line)
	case t.End < len(r.text):
		return fmt.Sprintf("the string that begins on line %d does not end there", line)
	}
	return fmt.Sprintf("the string that begins on line %d never ends", line)
}

// brackets are the offsets of those that are open.
type brackets []int

// see takes notice of the byte at an offset and returns what is wrong with it.
// A bracket that closes another kind is taken for the one that was meant.
func (b *brackets) see(text string, at int) string {
	c := text[at]
	n := len(*b)
	switch {
	case strings.IndexByte("([{", c) >= 0:
		*b = append(*b, at)
	case strings.IndexByte(")]}", c) < 0:
	case n == 0:
		return fmt.Sprintf("%q closes nothing", string(c))
	default:
		open := (*b)[n-1]
		*b = (*b)[:n-1]
		if !matches(text[open], c) {
			return fmt.Sprintf("%q does not close %q of line %d", string(c), text[open:open+1], lineOf(text, open))
		}
	}
	return ""
}

func matches(open, close byte) bool {
	return open == '(' && close == ')' || open == '[' && close == ']' || open == '{' && close == '}'
}
