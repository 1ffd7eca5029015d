package redact

import (
	"strings"

	"tandem/edits"
)

// given finds the value that a name has without a sign of assignment: as the option of a command
// (--password VALUE), as the second argument of a call (define('PASSWORD', 'VALUE')), or as a
// block of YAML. at is where the name begins, and end where it ends.
func given(text string, at, end int) (edits.Span, bool) {
	start := at
	for start > 0 && dashed[text[start-1]] {
		start--
	}
	for end < len(text) && dashed[text[end]] {
		end++
	}
	rest := text[end:]
	switch {
	case strings.HasPrefix(text[start:], "--") && strings.HasPrefix(rest, " "):
		from := end + 1
		if from < len(text) && quote(text[from]) {
			close := quotedEnd(text, from+1, text[from], false)
			return edits.Span{Start: from + 1, End: close}, close > from+1
		}
		to := bareEnd(text, from)
		return edits.Span{Start: from, End: to}, to > from && !isCode(text, from, to) && text[from] != '$' && text[from] != '-'
	case start > 2 && quote(text[start-1]) && text[start-2] == '(' && word[text[start-3]] && strings.HasPrefix(rest, text[start-1:start]+","):
		from := skipAny(text, end+2, " ")
		if from >= len(text) || !quote(text[from]) {
			return edits.Span{}, false
		}
		close := quotedEnd(text, from+1, text[from], false)
		return edits.Span{Start: from + 1, End: close}, close > from+1
	case strings.HasPrefix(rest, ": |"), strings.HasPrefix(rest, ": >"):
		head, block, _ := strings.Cut(rest, "\n")
		if len(strings.TrimRight(head, " \r")) > len(": |-") {
			return edits.Span{}, false
		}
		from := end + len(head) + 1
		indent := set(" ").run(block, 0)
		from += indent
		to := bareEnd(text, min(from, len(text)))
		return edits.Span{Start: from, End: to}, indent > 0 && to > from
	}
	return edits.Span{}, false
}

// cookies are the values of a Cookie header that look made by a generator.
func cookies(text string, at int) (found []edits.Span) {
	at += len("cookie:")
	end := at + max(0, strings.IndexAny(text[at:]+"\n", "\r\n"))
	for at < end {
		pair, _, _ := strings.Cut(text[at:end], ";")
		name, value, ok := strings.Cut(pair, "=")
		value = value[:bareEnd(value, 0)]
		if from := at + len(name) + 1; ok && tokenValue(value, false) {
			found = append(found, edits.Span{Start: from, End: from + len(value)})
		}
		at += len(pair) + 1
	}
	return found
}
