package dialect

import (
	"cmp"

	"tandem/model"
)

// A Batch is what was decoded and not yet delivered. Pieces that arrived
// together are delivered together: one allocation for all of them.
type Batch struct {
	Text      []byte
	LogProb   float64  // of the tokens of Text; see model.Delta
	Others    [][]byte // texts of the second answer and further ones, which are empty where nothing came
	Reasoning []byte
	Calls     []model.ToolCall // all of the answer's, with Final
	Served    string
	Final     *model.Final
	Refusal   []byte // in place of an answer
	Events    int    // decoded since the last delivery
	Active    bool   // one of them shows that the server works on the answer: not a ping, not an empty piece
	Limits    *model.Limits
	Speed     *model.Speed // so far, as the server says
}

// Empty reports whether there is nothing to deliver.
func (b *Batch) Empty() bool {
	return len(b.Text) == 0 && len(b.Others) == 0 && len(b.Reasoning) == 0 && len(b.Calls) == 0 && b.Served == "" && b.Final == nil
}

// add adds a quoted piece to the text of a choice.
func (b *Batch) add(choice int, quoted []byte) {
	if choice == 0 {
		b.Text = appendUnquoted(b.Text, quoted)
		return
	}
	for len(b.Others) < choice {
		b.Others = append(b.Others, nil)
	}
	b.Others[choice-1] = appendUnquoted(b.Others[choice-1], quoted)
}

// Take moves what other holds to the end of b and empties it.
func (b *Batch) Take(other *Batch) {
	b.Text, b.LogProb = append(b.Text, other.Text...), b.LogProb+other.LogProb
	b.Reasoning = append(b.Reasoning, other.Reasoning...)
	b.Refusal = append(b.Refusal, other.Refusal...)
	b.Calls = append(b.Calls, other.Calls...)
	b.Served, b.Final = cmp.Or(other.Served, b.Served), cmp.Or(other.Final, b.Final)
	b.Limits, b.Speed = cmp.Or(other.Limits, b.Limits), cmp.Or(other.Speed, b.Speed)
	b.Events += other.Events
	b.Active = b.Active || other.Active
	other.Reset()
}

// Reset empties the batch and keeps its memory.
func (b *Batch) Reset() {
	*b = Batch{Text: b.Text[:0], Reasoning: b.Reasoning[:0], Refusal: b.Refusal[:0]}
}

// A Decoder converts the events of one answer into pieces of it. It keeps the
// state between events.
type Decoder interface {
	// Event decodes one event into b. done is true for the one that ends the
	// answer. The error is errBadEvent if the event is not JSON.
	Event(data []byte, b *Batch) (done bool, err error)
	// Ended returns the error for an answer whose body ended without a last
	// event: nil if the protocol allows that.
	Ended(b *Batch) error
}

// maxBadEvents is how many events of one answer may be unreadable.
const maxBadEvents = 3

// A Tolerant decoder accepts unreadable events that cannot have held text. The
// events of a protocol begin alike, so an unreadable event that begins like the
// first good one was a piece of the answer.
type Tolerant struct {
	Decoder
	Sequenced bool // the protocol numbers its events: a lost one is detected by its number
	bad       int
	begin     []byte // of the first good event
}

// alike is how many first bytes two events of one kind have in common at least.
const alike = 6

// Event implements Decoder.
func (t *Tolerant) Event(data []byte, b *Batch) (bool, error) {
	done, err := t.Decoder.Event(data, b)
	if err != errBadEvent {
		if !t.Sequenced && len(t.begin) == 0 && len(data) >= alike {
			t.begin = append(t.begin, data[:alike]...)
		}
		return done, err
	}
	if t.bad++; t.bad >= maxBadEvents {
		return false, errBadEvents
	}
	if !t.Sequenced && len(t.begin) > 0 && len(data) >= alike && string(data[:alike]) == string(t.begin) {
		return false, ErrLostText
	}
	return false, nil
}
