package redact

import (
	"strings"

	"tandem/edits"
)

// cookies are the values of a Cookie header that look made by a generator.
func cookies(text string, at int) []edits.Span {
	at += len("cookie:")
	return cookiesIn(text, edits.Span{Start: at, End: at + max(0, strings.IndexAny(text[at:]+"\n", "\r\n"))})
}

// cookiesIn are those of the pairs in a span.
func cookiesIn(text string, sp edits.Span) (found []edits.Span) {
	for at := sp.Start; at < sp.End; {
		pair, _, _ := strings.Cut(text[at:sp.End], ";")
		name, value, ok := strings.Cut(pair, "=")
		value = value[:bareEnd(value, 0)]
		if from := at + len(name) + 1; ok && tokenValue(value, false) {
			found = append(found, edits.Span{Start: from, End: from + len(value)})
		}
		at += len(pair) + 1
	}
	return found
}
