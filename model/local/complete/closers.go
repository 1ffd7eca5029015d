package complete

import "strings"

// closerOf are the brackets and quotes that editors close as soon as they are typed.
var closerOf = map[byte]byte{'(': ')', '[': ']', '{': '}', '"': '"', '\'': '\'', '`': '`'}

// nesting are the closers that a text still needs, the innermost last.
type nesting []byte

// after is the nesting after one more byte of a text, which has no escape before it. Nothing is
// opened inside quotes.
func (n nesting) after(c byte) nesting {
	top := len(n) - 1
	quoted := top >= 0 && strings.IndexByte("\"'`", n[top]) >= 0
	switch closer, opens := closerOf[c]; {
	case top >= 0 && n[top] == c:
		return n[:top]
	case opens && !quoted:
		return append(n[:top+1:top+1], closer)
	}
	return n
}

// walk is the nesting after a text. It calls each after every byte, until that returns false.
func (n nesting) walk(text string, each func(i int, n nesting) bool) nesting {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' {
			i++
			continue
		}
		n = n.after(text[i])
		if each != nil && !each(i, n) {
			break
		}
	}
	return n
}

// closes reports whether a tail is a run of closers, with a sign that ends a line maybe, which
// balances what a line has opened.
func closes(typed, tail string) bool {
	open := nesting(nil).walk(typed, nil)
	run := strings.TrimRight(tail, ";,")
	if run == "" || len(run) > len(open) {
		return false
	}
	for i := range len(run) {
		if run[i] != open[len(open)-1-i] {
			return false
		}
	}
	return true
}

// beforeCloser is a text that continues a line, up to what closes the innermost that the line has
// open.
func beforeCloser(typed, text string) string {
	open, end := nesting(nil).walk(typed, nil), len(text)
	open.walk(text, func(i int, n nesting) bool {
		if len(n) < len(open) {
			end = i
		}
		return len(n) >= len(open)
	})
	return strings.TrimRight(text[:end], " \t")
}
