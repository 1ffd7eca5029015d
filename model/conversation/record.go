package conversation

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"tandem/model"
	"tandem/workspace/redact"
)

// A Kind says what an item is.
type Kind string

// The kinds of item.
const (
	Shown  Kind = "shown"  // code of the workspace
	Asked  Kind = "asked"  // the person's words, with the place that they are about
	Looked Kind = "looked" // what a model asked to see before it answered, and what it saw
	Said   Kind = "said"   // what a model wrote
)

// An Item is one part of a conversation. It never changes.
type Item struct {
	Kind  Kind
	Role  string          // whose message it is; "" is the model's of what was said, else the person's
	Text  redact.Text     // as a model reads it
	Words redact.Text     // the person's own words of what was asked
	Turns []model.Message // in place of Text: what was looked at
	Shown []Piece         // what Text shows of files
	Host  string          // the provider that Text was made for: it may hold secrets that the person lets that one see; "" is the host of what stands before, and of the first item the one that is asked
	End   model.End       // of what was said
	At    time.Time
}

// A Record is a conversation. Its zero value is an empty one.
type Record struct {
	Secrets *redact.Redactor // what the placeholders in the texts stand for
	Bound   int              // the most tokens of its prompts; 0: what the model can read
	items   []Item
}

// With returns the record with items at its end.
func (r Record) With(items ...Item) Record {
	r.items = append(r.items[:len(r.items):len(r.items)], items...)
	return r
}

// Said returns the record with an answer, as far as it came, and how it ended.
func (r Record) Said(text string, end model.End, at time.Time) Record {
	return r.With(Item{Kind: Said, Text: redact.Said(text), End: end, At: at})
}

// Len is the number of items.
func (r Record) Len() int { return len(r.items) }

// Joined returns a record that goes on from an earlier state of this one, with what this one has
// had added meanwhile before what the other adds.
func (r Record) Joined(from int, other Record) Record {
	if len(r.items) <= from || len(other.items) < from {
		return other
	}
	r.Bound = other.Bound
	return r.With(other.items[from:]...)
}

// Last is when the conversation was last added to.
func (r Record) Last() (at time.Time) {
	if len(r.items) > 0 {
		at = r.items[len(r.items)-1].At
	}
	return at
}

// Words are what the person has asked for, the newest last, with its secrets.
func (r Record) Words() (out []string) {
	for _, item := range r.items {
		if item.Kind == Asked && item.Words.Len() > 0 {
			out = append(out, r.Secrets.Restore(item.Words.String()))
		}
	}
	return out
}

// mostCarried bounds, in bytes, what another conversation repeats of an answer.
const mostCarried = 8 << 10

// Anew returns the beginning of another conversation with the last turns of this one: what was
// asked and said, and nothing of the code that was shown for it.
func (r Record) Anew(turns int) Record {
	out := Record{Secrets: r.Secrets}
	for _, item := range slices.Backward(r.items) {
		if turns == 0 {
			break
		}
		switch item.Kind {
		case Said:
			item.Text = redact.Said(strings.ToValidUTF8(item.Text.String()[:min(item.Text.Len(), mostCarried)], ""))
			out.items = append(out.items, item)
		case Asked:
			if turns--; item.Words.Len() > 0 {
				item.Text, item.Shown = redact.Format("Request: %s", item.Words), nil
				out.items = append(out.items, item)
			}
		}
	}
	slices.Reverse(out.items)
	return out
}

// A Rendered is a record as the messages to a model.
type Rendered struct {
	Messages []model.Message // none where they would be over the bound
	Tokens   int             // at most, as the model counts: with its instructions, and over the bound too
	Over     bool
}

// Render turns a record into messages. Those of a longer record begin with those of a shorter one.
// What was made for another provider than the model's is searched for secrets again.
func Render(r Record, m model.ModelConfig) Rendered {
	var out Rendered
	host := m.Provider
	for _, item := range r.items {
		if host = cmp.Or(item.Host, host); host != m.Provider && r.Secrets != nil {
			item = item.searched(r.Secrets)
		}
		switch {
		case item.Kind == Looked:
			out.Messages = append(out.Messages, item.Turns...)
			continue
		case item.Kind != Said:
			role := item.Role
			if role == "" {
				role = "user"
			}
			out.Messages = append(out.Messages, model.Message{Role: role, Text: item.Text})
			continue
		case item.Text.Len() > 0:
			out.Messages = append(out.Messages, model.Message{Role: "assistant", Text: item.Text})
		}
		if note := cutNote(item); note.Len() > 0 {
			out.Messages = append(out.Messages, model.Message{Role: "user", Text: note})
		}
	}
	out.Tokens = model.Count(m, &model.Request{Instructions: model.Instructions(model.KindAsk, m), Input: out.Messages})
	if bound := r.bound(m); bound > 0 && out.Tokens > bound {
		out.Messages, out.Over = nil, true
	}
	return out
}

// searched is an item for a host that may see none of the secrets which another one may.
func (i Item) searched(secrets *redact.Redactor) Item {
	i.Text, i.Turns = secrets.Redact(i.Text.String()), slices.Clone(i.Turns)
	for n := range i.Turns {
		turn := &i.Turns[n]
		turn.Text, turn.Call.Arguments = secrets.Redact(turn.Text.String()), secrets.Redact(turn.Call.Arguments.String())
	}
	return i
}

// bound is how many tokens a prompt for a model may have.
func (r Record) bound(m model.ModelConfig) int {
	if m.ContextWindow <= 0 {
		return r.Bound
	}
	room := model.Room(m, m.MostOutput())
	if r.Bound > 0 {
		return min(r.Bound, room)
	}
	return room
}

// cutNote tells a model how its answer ended that was cut.
func cutNote(item Item) redact.Text {
	switch {
	case item.End.Whole():
		return redact.Text{}
	case item.End.Why == model.WhyStopped && item.Text.Len() == 0:
		return redact.Const("(The person stopped you before you wrote anything.)")
	case item.End.Why == model.WhyStopped:
		return redact.Const("(The person stopped you there; what you wrote so far stands above.)")
	case item.Text.Len() == 0:
		return redact.Const("(Your answer did not arrive.)")
	}
	return redact.Const("(Your answer was cut off there.)")
}
