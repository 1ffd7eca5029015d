package inline

import (
	"slices"
	"strings"

	"tandem/edits"
)

// maxLeft is how many guesses that were typed over are remembered.
const maxLeft = 4

// responses are what the user does about suggestions besides accepting and rejecting them.
// Where a guess of the built-in engine was typed over, another one on the same line, or the
// same one at the next, would only be in the way.
type responses struct {
	revealed bool     // what a mark stands for is to be seen
	line     int      // of the last guess that was typed over, from 1
	lines    []string // that such guesses would have made, the oldest first
}

// add takes a guess that a text was left at.
func (l *responses) add(text edits.Text, t *suggestion) {
	l.line = 1 + text.LineOf(t.cursor)
	l.lines = append(l.lines, resultingLine(text, t.cursor, t.rest()))
	l.lines = l.lines[max(len(l.lines)-maxLeft, 0):]
}

// resultingLine is the line that a suggestion makes, without white space around it.
func resultingLine(text edits.Text, cursor int, rest string) string {
	first, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(text.Slice(edits.Span{Start: text.LineStart(text.LineOf(cursor)), End: cursor}) + first)
}

// wasLeft reports whether a guess is not to be shown to a user who does not ask: one was left
// on this line, or this one was, and nothing of it is typed.
func (d *inlineDoc) wasLeft(cursor int, guess string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if cursor > d.text.Len() {
		return false
	}
	line := resultingLine(d.text, cursor, guess)
	return d.answers.line == 1+d.text.LineOf(cursor) || strings.TrimSpace(guess) == line && slices.Contains(d.answers.lines, line)
}
