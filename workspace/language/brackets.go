package language

// BracketDepth is how many more round, square and curly brackets a text opens than it closes.
// It reads no tokens: a bracket in a literal or a comment counts as well, so that a part of a
// line can be asked about.
func BracketDepth(text string) int {
	n := 0
	for _, r := range text {
		switch r {
		case '(', '[', '{':
			n++
		case ')', ']', '}':
			n--
		}
	}
	return n
}
