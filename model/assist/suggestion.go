package assist

import (
	"strings"

	"tandem/edits"
)

// A suggestion is a Completion that follows the user's typing: it records how much of
// it has been typed already and how much is still to be offered.
type suggestion struct {
	Completion     // as created; Version changes with the document
	cursor     int // where the user's cursor must be for the rest to continue the text
	done       int // bytes of Text that are already before the cursor
	tail       int // bytes after the cursor that the rest replaces
	shown      bool
	ended      bool
}

func newSuggestion(c Completion, cursor int) *suggestion {
	return &suggestion{Completion: c, cursor: cursor, tail: max(c.Replace.End-cursor, 0)}
}

// rest returns the part of the suggestion that is not typed yet.
func (c *suggestion) rest() string { return c.Text[c.done:] }

// offer returns the rest of the suggestion as a Completion for a cursor at c.cursor.
func (c *suggestion) offer() Completion {
	out := c.Completion
	out.Text = c.rest()
	if c.done == 0 {
		out.Replace.End = c.cursor + c.tail
		return out
	}
	out.Replace = edits.Span{Start: c.cursor, End: c.cursor + c.tail}
	return out
}

// follow applies one edit of the document to the suggestion. Typing its next bytes
// moves it forward and deleting them moves it back. Any other edit ends it, because it
// was made for another text.
func (c *suggestion) follow(e edits.Edit) {
	switch {
	case c.ended:
	case e.Start == c.cursor && e.Len() == 0 && strings.HasPrefix(c.rest(), e.New):
		c.move(len(e.New))
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
	c.done += n
	c.cursor += n
}

// autoClosed reports whether e is the suggestion's next bracket or quote
// together with the closing one that an editor adds behind the cursor.
func (c *suggestion) autoClosed(e edits.Edit) bool {
	if e.Start != c.cursor || e.Len() != 0 || len(e.New) != 2 || c.rest() == "" || c.rest()[0] != e.New[0] {
		return false
	}
	switch e.New {
	case "()", "[]", "{}", `""`, "''", "``":
		return strings.Contains(c.rest()[1:], e.New[1:])
	}
	return false
}
