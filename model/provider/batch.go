package provider

import (
	"tandem/model"
)

// A batch is what was decoded and not yet delivered. Pieces that arrived
// together are delivered together: one allocation for all of them.
type batch struct {
	text      []byte
	reasoning []byte
	served    string
	final     *model.Final
	refusal   []byte // in place of an answer
	events    int    // decoded since the last delivery
	active    bool   // one of them shows that the server works on the answer: not a ping, not an empty piece
	limits    *model.Limits
}

// empty reports whether there is nothing to deliver.
func (b *batch) empty() bool {
	return len(b.text) == 0 && len(b.reasoning) == 0 && b.served == "" && b.final == nil
}

// take moves what other holds to the end of b and empties it.
func (b *batch) take(other *batch) {
	b.text = append(b.text, other.text...)
	b.reasoning = append(b.reasoning, other.reasoning...)
	b.refusal = append(b.refusal, other.refusal...)
	if other.served != "" {
		b.served = other.served
	}
	if other.final != nil {
		b.final = other.final
	}
	if other.limits != nil {
		b.limits = other.limits
	}
	b.events += other.events
	b.active = b.active || other.active
	other.reset()
}

func (b *batch) reset() {
	b.text, b.reasoning, b.refusal = b.text[:0], b.reasoning[:0], b.refusal[:0]
	b.served, b.final, b.limits, b.events, b.active = "", nil, nil, 0, false
}

// A decoder converts the events of one answer into pieces of it. It keeps the
// state between events.
type decoder interface {
	// event decodes one event into b. done is true for the one that ends the
	// answer. The error is errBadEvent if the event is not JSON.
	event(data []byte, b *batch) (done bool, err error)
	// ended returns the error for an answer whose body ended without a last
	// event: nil if the protocol allows that.
	ended(b *batch) error
}

// maxBadEvents is how many events of one answer may be unreadable.
const maxBadEvents = 3

// A tolerant decoder accepts unreadable events that cannot have held text. The
// events of a protocol begin alike, so an unreadable event that begins like the
// first good one was a piece of the answer.
type tolerant struct {
	decoder
	sequenced bool // the protocol numbers its events: a lost one is detected by its number
	bad       int
	begin     []byte // of the first good event
}

// alike is how many first bytes two events of one kind have in common at least.
const alike = 6

func (t *tolerant) event(data []byte, b *batch) (bool, error) {
	done, err := t.decoder.event(data, b)
	if err != errBadEvent {
		if !t.sequenced && len(t.begin) == 0 && len(data) >= alike {
			t.begin = append(t.begin, data[:alike]...)
		}
		return done, err
	}
	if t.bad++; t.bad >= maxBadEvents {
		return false, errBadEvents
	}
	if !t.sequenced && len(t.begin) > 0 && len(data) >= alike && string(data[:alike]) == string(t.begin) {
		return false, errLostText
	}
	return false, nil
}
