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
		case selector(r):
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

func selector(r rune) bool {
	return 0xFE00 <= r && r <= 0xFE0F || 0xE0100 <= r && r <= 0xE01EF || 0x180B <= r && r <= 0x180D
}

func hidden(r rune) bool {
	switch {
	case r == 0xAD, r == 0xFEFF, r == 0x61C, r == 0x180E, r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0, r == 0x34F:
		return true
	case 0x200B <= r && r <= 0x200F, 0x202A <= r && r <= 0x202E, 0x2060 <= r && r <= 0x206F:
		return true
	}
	return 0xE0000 <= r && r <= 0xE007F || 0xFFF9 <= r && r <= 0xFFFB
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
