package dialect

import (
	"cmp"
	"fmt"
	"slices"

	"tandem/model"
	"tandem/workspace/redact"
)

// maxCalls bounds the calls of one answer.
const maxCalls = 128

// calls assembles the tool calls of one answer from the fragments in which they are
// streamed.
type calls struct {
	list []*assembledCall
	lost bool // an event was unreadable or dropped: a fragment may be missing
}

// An assembledCall is a call as far as it has arrived.
type assembledCall struct {
	place     int // among the parts of the answer
	call      model.ToolCall
	arguments []byte
	whole     bool // arguments came in one piece
}

// at returns the call at a place of the answer, which it begins if there is none.
func (c *calls) at(place int) *assembledCall {
	for _, a := range c.list {
		if a.place == place {
			return a
		}
	}
	a := &assembledCall{place: place}
	c.list = append(c.list, a)
	return a
}

// item reads a call that arrived in one piece: {"call_id","name","arguments"}.
func (c *calls) item(place int, id, name string, arguments []byte) {
	a := c.at(place)
	for _, other := range c.list {
		if id != "" && other.call.ID == id {
			a = other
		}
	}
	a.call.ID, a.call.Name = cmp.Or(id, a.call.ID), cmp.Or(name, a.call.Name)
	if arguments != nil {
		a.arguments, a.whole = arguments, true
	}
}

// end returns the calls in the order of the answer. Each has an id of its own.
func (c *calls) end() ([]model.ToolCall, error) {
	if len(c.list) > maxCalls {
		return nil, fmt.Errorf("more than %d calls in one answer: %w", maxCalls, ErrTooLarge)
	}
	slices.SortStableFunc(c.list, func(a, b *assembledCall) int { return a.place - b.place })
	var out []model.ToolCall
	for _, a := range c.list {
		if a.call.Name == "" {
			continue // a place that only a stray fragment names
		}
		if c.lost && !a.whole {
			return nil, ErrLostText
		}
		a.call.Arguments = redact.Said(string(a.arguments))
		if a.call.ID == "" || slices.ContainsFunc(out, func(o model.ToolCall) bool { return o.ID == a.call.ID }) {
			a.call.ID = fmt.Sprintf("call_%d", len(out)+1)
		}
		out = append(out, a.call)
	}
	return out, nil
}
