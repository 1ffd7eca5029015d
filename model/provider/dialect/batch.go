package dialect

import (
	"bytes"
	"cmp"
	"regexp"

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

// addOther adds a piece to the text of a choice besides the first.
func (b *Batch) addOther(choice int, piece []byte) {
	for len(b.Others) < choice {
		b.Others = append(b.Others, nil)
	}
	b.Others[choice-1] = append(b.Others[choice-1], piece...)
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
// first good one was a piece of the answer. What is no JSON at all keeps the connection
// alive, or says what went wrong.
type Tolerant struct {
	Decoder
	Sequenced bool // the protocol numbers its events: a lost one is detected by its number
	bad       int
	begin     []byte // of the first good event
	words     []byte // of the last event that was no JSON
}

// alike is how many first bytes two events of one kind have in common at least.
const alike = 6

// Event implements Decoder.
func (t *Tolerant) Event(data []byte, b *Batch) (bool, error) {
	if len(t.begin) == 0 && faultWords.Match(t.words) && string(data) == "[DONE]" {
		return true, readAPIError(0, t.words) // all that came
	}
	done, err := t.Decoder.Event(data, b)
	if err != errBadEvent {
		if !t.Sequenced && len(t.begin) == 0 && len(data) >= alike {
			t.begin = append(t.begin, data[:alike]...)
		}
		return done, err
	}
	if trimmed := bytes.TrimSpace(data); len(trimmed) == 0 || trimmed[0] != '{' {
		if !keptAlive.Match(trimmed) {
			t.words = append(t.words[:0], trimmed[:min(len(trimmed), maxSaid)]...)
		}
		return false, nil
	}
	if t.bad++; t.bad >= maxBadEvents {
		return false, errBadEvents
	}
	if !t.Sequenced && len(t.begin) > 0 && len(data) >= alike && string(data[:alike]) == string(t.begin) {
		return false, ErrLostText
	}
	return false, nil
}

// What gateways send so that a connection is not taken for dead, and what is an error in words.
var (
	keptAlive  = regexp.MustCompile(`(?i)^(?::.*|\[?\W*(?:ping|pong|keep[-_ ]?alive|heartbeat|processing|waiting|open\w* processing)\W*\]?|null|\d*)$`)
	faultWords = regexp.MustCompile(`(?i)\b(?:error|exception|fail\w*|denied|exceeded|unavailable)\b`)
)

// Ended implements Decoder. An answer of which nothing could be read is in another form, and
// one that was cut after words of a fault has that fault.
func (t *Tolerant) Ended(b *Batch) error {
	err := t.Decoder.Ended(b)
	switch {
	case err == nil || len(t.words) == 0:
		return err
	case faultWords.Match(t.words):
		return readAPIError(0, t.words)
	case len(t.begin) == 0 && t.bad == 0 && b.Events == 0:
		return errBadEvents
	}
	return err
}
