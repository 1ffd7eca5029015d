package inline

import (
	"strings"

	"tandem/edits"
	"tandem/model/assist/core"
)

// A suggestion is a Completion that follows the user's typing: it records how much of
// it has been typed already and how much is still to be offered.
type suggestion struct {
	completion Completion // as created; Version changes with the document
	cursor     int        // where the user's cursor must be for the rest to continue the text
	done       int        // bytes of the text that are already before the cursor
	tail       int        // bytes after the cursor that the rest replaces
	pair       int        // bytes that the last edit typed as a pair, which may have left the cursor between them
	begun      bool       // the user has typed or taken a part of it
	shown      bool
	ended      bool
}

func newSuggestion(c Completion, cursor int) *suggestion {
	return &suggestion{completion: c, cursor: cursor, tail: max(c.Replace.End-cursor, 0)}
}

// guess reports whether the built-in engine made it.
func (c *suggestion) guess() bool { return c.completion.From.Lane == core.BuiltIn }

// rest returns the part of the suggestion that is not typed yet.
func (c *suggestion) rest() string { return c.completion.Text[c.done:] }

// edit is what is not typed yet, as an edit of the document.
func (c *suggestion) edit() edits.Edit { return edits.Edit{Span: c.offer().Replace, New: c.rest()} }

// offer returns the rest of the suggestion as a Completion for a cursor at c.cursor.
func (c *suggestion) offer() Completion {
	out := c.completion
	out.Text = c.rest()
	if c.done == 0 {
		out.Replace.End = c.cursor + c.tail
		return out
	}
	out.Replace = edits.Span{Start: c.cursor, End: c.cursor + c.tail}
	return out
}

// follow applies one edit of the document to the suggestion. Typing its next bytes
// moves it forward and deleting them moves it back. Its next bytes may be written over
// the text that it replaces: so a closing bracket that the editor added is typed, and so
// editors accept a part that reaches beyond one. Any other edit ends it, because it was
// made for another text.
func (c *suggestion) follow(e edits.Edit) {
	c.pair = 0
	switch {
	case c.ended:
	case e.Start == c.cursor && e.Len() <= c.tail && e.New != "" && strings.HasPrefix(c.rest(), e.New):
		c.move(len(e.New))
		c.tail -= e.Len()
		if autoClosing(e.New) {
			c.pair = 1
		}
	case c.autoClosed(e):
		c.move(1)
		c.tail++
	case e.End == c.cursor && e.New == "" && e.Len() <= c.done:
		c.move(-e.Len())
	default:
		c.ended = true
	}
}

func (c *suggestion) move(n int) {
	c.begun = c.begun || n > 0
	c.done += n
	c.cursor += n
}

// reach moves the suggestion to a cursor that was moved without an edit: over the
// closing brackets that the suggestion replaces, as some editors type them, or back
// between the two halves of a pair that was just typed.
func (c *suggestion) reach(text edits.Text, cursor int) bool {
	switch over := cursor - c.cursor; {
	case over == 0:
		return true
	case over > 0 && over <= c.tail && len(c.rest()) >= over && cursor <= text.Len() && text.Slice(edits.Span{Start: c.cursor, End: cursor}) == c.rest()[:over]:
		c.move(over)
		c.tail -= over
		return true
	case over == -c.pair:
		c.move(over)
		c.tail -= over
		c.pair = 0
		return true
	}
	return false
}

// autoClosed reports whether e is the suggestion's next bracket or quote
// together with the closing one that an editor adds behind the cursor.
func (c *suggestion) autoClosed(e edits.Edit) bool {
	if e.Start != c.cursor || e.Len() != 0 || !autoClosing(e.New) || c.rest() == "" || c.rest()[0] != e.New[0] {
		return false
	}
	return strings.Contains(c.rest()[1:], e.New[1:])
}

// autoClosing reports whether text is an opening bracket or quote and its closing one.
func autoClosing(text string) bool {
	switch text {
	case "()", "[]", "{}", `""`, "''", "``":
		return true
	}
	return false
}
