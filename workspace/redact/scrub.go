package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"tandem/edits"
)

// Invisible returns the spans of characters that are invisible to a person but
// that a model reads: tags, zero-width and directional marks, soft hyphens, byte
// order marks, and runs of variation selectors.
func Invisible(text string) []edits.Span {
	var out []edits.Span
	for at := 0; at < len(text); {
		if text[at] < 0xC2 { // ASCII, or no start of a character
			at++
			continue
		}
		if n := joiner(text[:at], text[at:]); n > 0 {
			at += n
			continue
		}
		n := invisibleRun(text[at:])
		if n > 0 {
			out = append(out, edits.Span{Start: at, End: at + n})
			at += n
			continue
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return out
}

// joiner is how many bytes at the start of after make one emoji of the symbols
// on their two sides.
func joiner(before, after string) int {
	rest := strings.TrimPrefix(after, "\uFE0F") // shown as an emoji, not as text
	right, joined := strings.CutPrefix(rest, "\u200D")
	if !joined || right == "" {
		return 0
	}
	l, _ := utf8.DecodeLastRuneInString(before)
	r, size := utf8.DecodeRuneInString(right)
	if size == 1 || !unicode.In(l, unicode.So, unicode.Sk) || !unicode.Is(unicode.So, r) {
		return 0
	}
	return len(after) - len(right)
}

// invisibleRun is how many bytes at the start of text are invisible. A single
// variation selector is part of the character before it.
func invisibleRun(text string) int {
	n, selectors, others := 0, 0, 0
	for n < len(text) {
		r, size := utf8.DecodeRuneInString(text[n:])
		switch {
		case edits.VariationSelector(r):
			selectors++
		case hidden(r):
			others++
		default:
			size = 0
		}
		if size == 0 {
			break
		}
		n += size
	}
	if others == 0 && selectors < 2 {
		return 0
	}
	return n
}

// hidden reports whether a character is one that a person does not see and a model reads. Lines
// and controls stay: they are visible as what they do.
func hidden(r rune) bool {
	kind := edits.HiddenKind(r)
	return kind != "" && kind != edits.HiddenControl && kind != edits.HiddenLine
}

// Scrub returns text without its invisible characters, and how many runs of them
// there were. It is for text that goes into a prompt; the file is not changed.
func Scrub(text string) (clean string, found int) {
	spans := Invisible(text)
	if len(spans) == 0 {
		return text, 0
	}
	var b strings.Builder
	at := 0
	for _, sp := range spans {
		b.WriteString(text[at:sp.Start])
		at = sp.End
	}
	b.WriteString(text[at:])
	return b.String(), len(spans)
}
