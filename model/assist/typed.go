package assist

import (
	"strings"

	"tandem/edits"
)

// A typed is a suggestion that follows the user's typing: it is known what of
// it has been typed already and what still stands to be offered.
type typed struct {
	Completion     // as first made; Version moves with the document
	cursor     int // where the user's cursor must be for the rest to continue the text
	done       int // bytes of Text that stand before the cursor
	tail       int // bytes after the cursor that the rest replaces
	shown      bool
	dead       bool
}

func newTyped(c Completion, cursor int) *typed {
	return &typed{Completion: c, cursor: cursor, tail: max(c.Replace.End-cursor, 0)}
}

// rest is what of the suggestion is not typed yet.
func (c *typed) rest() string { return c.Text[c.done:] }

// offer is the suggestion as it stands now, for a cursor at c.cursor.
func (c *typed) offer() Completion {
	out := c.Completion
	out.Text = c.rest()
	if c.done == 0 {
		out.Replace.End = c.cursor + c.tail
		return out
	}
	out.Replace = edits.Span{Start: c.cursor, End: c.cursor + c.tail}
	return out
}

// follow carries the suggestion over one edit of its document. Typing its next
// bytes moves it on and deleting them moves it back; anything else ends it,
// because it was made for another text.
func (c *typed) follow(e edits.Edit) {
	switch {
	case c.dead:
	case e.Start == c.cursor && e.Len() == 0 && strings.HasPrefix(c.rest(), e.New):
		c.move(len(e.New))
	case c.autoClosed(e):
		c.move(1)
		c.tail++
	case e.End == c.cursor && e.New == "" && e.Len() <= c.done:
		c.move(-e.Len())
	default:
		c.dead = true
	}
}

func (c *typed) move(n int) {
	c.done += n
	c.cursor += n
}

// autoClosed reports whether e is the suggestion's next bracket or quote
// together with the closing one that an editor adds behind the cursor.
func (c *typed) autoClosed(e edits.Edit) bool {
	if e.Start != c.cursor || e.Len() != 0 || len(e.New) != 2 || c.rest() == "" || c.rest()[0] != e.New[0] {
		return false
	}
	switch e.New {
	case "()", "[]", "{}", `""`, "''", "``":
		return strings.Contains(c.rest()[1:], e.New[1:])
	}
	return false
}
