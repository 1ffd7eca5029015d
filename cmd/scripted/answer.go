package main

import (
	"strings"
	"unicode"
)

// answer is the text that answers a request, and whether the request's own
// bound on the output cut it short.
func answer(req *request, r *rule) (text string, cut bool) {
	switch {
	case len(r.Calls) > 0 && r.Answer == nil && len(req.Offered) > 0:
		return "", false
	case len(r.Calls) > 0 && r.Answer == nil:
		text = "I was offered no function to call.\n"
	case r.Answer != nil:
		text = strings.Repeat(*r.Answer, or(r.Repeat, 1))
	default:
		text = showOnly(req, r)
	}
	for _, stop := range req.Stop {
		if stop != "" {
			text, _, _ = strings.Cut(text, stop)
		}
	}
	return limit(text, req.MaxTokens)
}

// limit cuts a text after so many tokens; 0 is no bound.
func limit(text string, tokens int) (string, bool) {
	if tokens <= 0 {
		return text, false
	}
	n := 0
	for i, piece := range pieces(text) {
		if i == tokens {
			return text[:n], true
		}
		n += len(piece)
	}
	return text, false
}

// pieces splits a text the way a tokenizer might: a word with the space before
// it, a run of other marks, at most maxPiece bytes, never inside a rune.
func pieces(text string) []string {
	const maxPiece = 8
	var out []string
	start := 0
	var last rune
	for i, r := range text {
		if i > start && (i-start >= maxPiece || boundary(last, r)) {
			out = append(out, text[start:i])
			start = i
		}
		last = r
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}

// boundary reports whether a new piece begins at r after last.
func boundary(last, r rune) bool {
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	switch {
	case r == '\n':
		return last != '\n'
	case r == ' ':
		return last != ' '
	case word(r):
		return !word(last) && last != ' '
	default:
		return word(last)
	}
}
