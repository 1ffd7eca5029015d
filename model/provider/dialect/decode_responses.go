package dialect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"strings"

	"tandem/model"
)

// A ResponsesDecoder reads the events of the Responses protocol, which are the
// same on a socket and as server-sent events.
type ResponsesDecoder struct {
	ID         string           // of the response
	last       int              // sequence number of the last event applied
	any        bool             // an event with a number was applied
	Text       []byte           // the text so far: a continued chain must repeat it
	part       int              // length of text before the current content part
	item       int              // length of text before the current message
	place      []byte           // the current message's place in the output, as written
	aside      []byte           // the place of a message that is a remark before the answer
	remarks    []byte           // what the remarks said
	ahead      bool             // a number is missing: wait for the event that holds the whole text
	repeated   bool             // a piece was dropped since its number had been there, and the whole text has not come since
	refused    bool             // a piece of a refusal came
	open       bool             // text was added since the last event that holds a whole part
	unreadable int              // unreadable events that may stand for missing numbers
	Calls      []model.ToolCall // of the answer, when it has ended
	calls      calls
	served     bool
}

// NewResponsesDecoder returns the decoder of one answer.
func NewResponsesDecoder() *ResponsesDecoder { return &ResponsesDecoder{last: -1} }

// A head holds the members of an event that decide how it is handled.
type head struct {
	kind, delta, text, response []byte
	place                       []byte // in the output
	seq                         int
	hasSeq, bad                 bool
}

func readHead(data []byte) (h head) {
	s := scanObject(data)
	for s.next() {
		switch string(s.key) {
		case "type":
			h.kind = Unquoted(s.val)
		case "sequence_number":
			h.seq, h.hasSeq = number(s.val)
		case "delta":
			h.delta = s.val
		case "text":
			h.text = s.val
		case "response":
			h.response = s.val
		case "output_index":
			h.place = s.val
		}
	}
	h.bad = !s.whole()
	return h
}

// counts reports whether the event shows that the server works on the answer.
func (h *head) counts() bool {
	switch string(h.kind) {
	case "", "ping", "keepalive":
		return false
	}
	return !bytes.HasSuffix(h.kind, []byte(".delta")) || filled(h.delta)
}

// ends reports whether the event is the last one of a response.
func (h *head) ends() bool {
	switch string(h.kind) {
	case "response.completed", "response.incomplete", "response.failed", "error":
		return true
	}
	return false
}

// Unquoted is the inside of a JSON string without escapes, not copied.
func Unquoted(val []byte) []byte {
	if len(val) < 2 || val[0] != '"' {
		return nil
	}
	return val[1 : len(val)-1]
}

// Event reads an event, and reports whether it is the last one.
func (d *ResponsesDecoder) Event(data []byte, b *Batch) (bool, error) {
	if string(data) == "[DONE]" {
		return false, nil
	}
	h := readHead(data)
	if h.bad {
		d.unreadable++
		d.calls.lost = true
		return false, errBadEvent
	}
	if h.hasSeq {
		fresh, err := d.order(&h)
		if !fresh || err != nil {
			return false, err
		}
	}
	b.Events++
	b.Active = b.Active || h.counts()
	switch string(h.kind) {
	case "response.output_text.delta":
		if !d.ahead {
			d.add(&h, b)
		}
		return false, nil
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		b.Reasoning = appendUnquoted(b.Reasoning, h.delta)
		return false, nil
	}
	return d.rare(&h, data, b)
}

// order drops events that were already applied and returns an error for one that
// comes too early. If a number is missing after an unreadable event, the event
// that repeats the whole text supplies the lost text.
func (d *ResponsesDecoder) order(h *head) (fresh bool, err error) {
	switch {
	case !d.any:
		d.any, d.last = true, h.seq
		d.ahead = h.seq > 1 && len(h.delta) > 0
		return true, nil
	case h.seq <= d.last && h.ends(), h.seq == d.last && d.open && string(h.kind) == "response.output_text.done":
		return true, nil // a part and a response end once, so only the number is repeated
	case h.seq <= d.last:
		d.repeated = d.repeated || string(h.kind) == "response.output_text.delta"
		d.calls.lost = d.calls.lost || string(h.kind) == "response.function_call_arguments.delta"
		return false, nil
	case h.seq > d.last+1+d.unreadable:
		return false, ErrGap
	case h.seq > d.last+1:
		d.unreadable -= h.seq - d.last - 1
		d.ahead = true
	}
	d.last = h.seq
	return true, nil
}

func (d *ResponsesDecoder) add(h *head, b *Batch) {
	if !bytes.Equal(h.place, d.place) {
		d.message(h.place, b)
	}
	if d.isAside(h.place) {
		from := len(b.Reasoning)
		b.shaped(h.delta, true)
		d.remarks = append(d.remarks, b.Reasoning[from:]...)
		return
	}
	from := len(b.Text)
	b.shaped(h.delta, false)
	d.Text = append(d.Text, b.Text[from:]...)
	d.open = true
}

// message begins another message of the answer. Messages are apart.
func (d *ResponsesDecoder) message(place []byte, b *Batch) {
	d.place = append(d.place[:0], place...)
	if gap := apart(d.Text); gap != "" && !d.isAside(place) {
		b.Text = append(b.Text, gap...)
		d.Text = append(d.Text, gap...)
	}
	d.item, d.part = len(d.Text), len(d.Text)
}

// apart is what separates a message from the text of the one before it.
func apart(before []byte) string {
	switch {
	case len(before) == 0, bytes.HasSuffix(before, []byte("\n\n")):
		return ""
	case bytes.HasSuffix(before, []byte("\n")):
		return "\n"
	}
	return "\n\n"
}

func (d *ResponsesDecoder) isAside(place []byte) bool {
	return len(d.aside) > 0 && bytes.Equal(place, d.aside)
}

// isRemark reports whether a message of this phase is a remark before the answer.
func isRemark(phase string) bool { return phase == "commentary" || phase == "analysis" }

// rare handles the events other than text and reasoning deltas.
func (d *ResponsesDecoder) rare(h *head, data []byte, b *Batch) (bool, error) {
	switch string(h.kind) {
	case "response.created":
		d.created(h.response, b)
	case "response.output_text.done":
		return false, d.textDone(h, h.text, b)
	case "response.content_part.added":
		d.part = len(d.Text)
	case "response.output_item.added", "response.output_item.done":
		return false, d.outputItem(h, data, b)
	case "response.function_call_arguments.delta":
		if place, ok := number(Member(data, "output_index")); ok {
			a := d.calls.at(place)
			a.arguments = appendUnquoted(a.arguments, h.delta)
		}
	case "response.function_call_arguments.done":
		if place, ok := number(Member(data, "output_index")); ok {
			d.calls.item(place, "", "", appendUnquoted([]byte{}, Member(data, "arguments")))
			d.ahead = d.ahead && d.open // what was lost was of this call, unless a text is still open
		}
	case "response.refusal.delta":
		d.refused = true
		b.Refusal = appendUnquoted(b.Refusal, h.delta)
	case "response.reasoning.delta", "response.reasoning_summary.delta", "response.thinking.delta":
		b.shaped(h.delta, true)
	case "response.completed", "response.done", "response.incomplete", "response.cancelled":
		return true, d.terminal(string(h.kind), h.response, b)
	case "response.failed":
		return true, failedResponse(h.response)
	case "error", "response.error":
		return true, readAPIError(0, data)
	case "":
		fault := Member(data, "error")
		switch answer := filled(Member(data, "output")) || text(Member(data, "object")) == "response"; {
		case answer: // not streamed
			d.created(data, b)
			return true, d.terminal("response.completed", data, b)
		case filled(fault), filled(Member(data, "detail")), filled(Member(data, "message")):
			return true, readAPIError(0, data)
		}
	case "codex.rate_limits":
		b.Limits = CodexLimits(data)
	case "response.metadata", "codex.response.metadata":
		if m := text(Member(Member(data, "headers"), "openai-model")); m != "" {
			d.serve(m, b)
		}
	}
	return false, nil
}

// outputItem reads the beginning or the end of a part of the answer: a tool call, or a message,
// of which the end may hold text that has not come.
func (d *ResponsesDecoder) outputItem(h *head, data []byte, b *Batch) error {
	item := Member(data, "item")
	ends := string(h.kind) == "response.output_item.done"
	switch text(Member(item, "type")) {
	case "function_call":
		place, ok := number(h.place)
		if !ok {
			return nil
		}
		var arguments []byte
		if ends {
			arguments = appendUnquoted([]byte{}, Member(item, "arguments"))
		}
		d.calls.item(place, text(Member(item, "call_id")), text(Member(item, "name")), arguments)
	case "message":
		if !ends && isRemark(text(Member(item, "phase"))) {
			d.aside = append(d.aside[:0], h.place...)
		}
		if ends && !isRemark(text(Member(item, "phase"))) {
			var whole Batch
			whole.shaped(Member(item, "content"), false)
			return d.itemDone(h, whole.Text, b)
		}
	}
	return nil
}

// itemDone adds what a whole message has and its pieces had not.
func (d *ResponsesDecoder) itemDone(h *head, whole []byte, b *Batch) error {
	if !bytes.Equal(h.place, d.place) && len(whole) > 0 {
		d.message(h.place, b)
	}
	rest, ok := bytes.CutPrefix(whole, d.Text[d.item:])
	if !ok || len(whole) == 0 {
		return nil
	}
	d.ahead, d.repeated, d.open = false, false, false
	b.Text = append(b.Text, rest...)
	d.Text = append(d.Text, rest...)
	return nil
}

func (d *ResponsesDecoder) created(response []byte, b *Batch) {
	d.ID = text(Member(response, "id"))
	if m := text(Member(response, "model")); m != "" {
		d.serve(m, b)
	}
}

// serve records the model that answers; the first name is kept.
func (d *ResponsesDecoder) serve(name string, b *Batch) {
	if !d.served {
		d.served, b.Served = true, name
	}
}

// textDone compares the whole text of a part with the text that arrived for it,
// and adds what is missing.
func (d *ResponsesDecoder) textDone(h *head, val []byte, b *Batch) error {
	if !bytes.Equal(h.place, d.place) {
		d.message(h.place, b)
	}
	if d.isAside(h.place) {
		return nil
	}
	var of Batch
	of.shaped(val, false)
	whole := of.Text
	rest, ok := strings.CutPrefix(string(whole), string(d.Text[d.part:]))
	if !ok {
		if d.ahead || d.repeated {
			return ErrLostText
		}
		return nil
	}
	d.ahead, d.repeated, d.open = false, false, false
	b.Text = append(b.Text, rest...)
	d.Text = append(d.Text, rest...)
	d.part = len(d.Text)
	return nil
}

// A responseObject holds the members that are read of a response at its end.
type responseObject struct {
	ID         string
	Status     string
	Error      *APIError
	Incomplete *struct{ Reason string } `json:"incomplete_details"`
	Usage      *struct {
		Input        tokenCount `json:"input_tokens"`
		InputDetails struct {
			Cached tokenCount `json:"cached_tokens"`
			Write  tokenCount `json:"cache_write_tokens"`
		} `json:"input_tokens_details"`
		Output        tokenCount `json:"output_tokens"`
		OutputDetails struct {
			Reasoning tokenCount `json:"reasoning_tokens"`
		} `json:"output_tokens_details"`
	}
	Output []struct {
		Type      string
		CallID    string `json:"call_id"`
		Name      string
		Arguments string
		Phase     string
		Content   json.RawMessage
	}
	OutputText json.RawMessage `json:"output_text"`
}

// terminal reads the last event. What the response says of itself goes before the event's name.
func (d *ResponsesDecoder) terminal(kind string, raw []byte, b *Batch) error {
	var r responseObject
	var mistyped *json.UnmarshalTypeError // of one member; the others are read
	if err := json.Unmarshal(raw, &r); err != nil && !errors.As(err, &mistyped) {
		return errBadEvents
	}
	if r.Error != nil {
		d.unstreamed(&r, b)
		return r.Error
	}
	if !d.unstreamed(&r, b) && (d.ahead || d.repeated) {
		return ErrLostText
	}
	if r.ID != "" {
		d.ID = r.ID
	}
	if ended := strings.TrimPrefix(kind, "response."); r.Status == "" && ended != "done" {
		r.Status = ended
	}
	final := &model.Final{End: responseWords.end(r.Status)}
	if u := r.Usage; u != nil && mistyped == nil {
		final.Usage = usageOf(u.Input, u.InputDetails.Cached, u.InputDetails.Write, u.Output, u.OutputDetails.Reasoning)
	}
	if r.Incomplete != nil && r.Incomplete.Reason != "" {
		final.End = responseWords.end(r.Incomplete.Reason)
	}
	var err error
	if d.Calls, err = d.calls.end(); err != nil {
		return err
	}
	b.Calls, b.Final = d.Calls, final
	return nil
}

// unstreamed takes from the last event what the server did not send before it:
// calls, and the end of the text or all of it. It reports whether the text is now the one
// that the event holds; false if it holds none, or another.
func (d *ResponsesDecoder) unstreamed(r *responseObject, b *Batch) bool {
	var whole, remarks, refusal []byte
	called := false
	for place, item := range r.Output {
		if item.Type == "function_call" {
			called = true
			d.calls.item(place, item.CallID, item.Name, []byte(item.Arguments))
		}
		if item.Type != "message" && item.Type != "" {
			continue
		}
		var said Batch
		said.shaped(item.Content, isRemark(item.Phase))
		if len(said.Text) > 0 {
			whole = append(append(whole, apart(whole)...), said.Text...)
		}
		remarks = append(remarks, said.Reasoning...)
		for part := range elements(item.Content) {
			refusal = appendUnquoted(refusal, Member(part, "refusal"))
		}
	}
	if len(whole) == 0 && len(r.OutputText) > 0 {
		whole = appendUnquoted(whole, r.OutputText)
	}
	if !d.refused {
		b.Refusal = append(b.Refusal, refusal...)
	}
	if len(whole) == 0 && len(d.Text) == 0 && len(b.Refusal) == 0 && !called {
		whole = append(whole, cmp.Or(string(d.remarks), string(remarks))...) // all that it said
	}
	rest, ok := bytes.CutPrefix(whole, d.Text)
	if len(whole) == 0 || !ok {
		return called && len(whole) == 0 && len(d.Text) == 0
	}
	b.Text = append(b.Text, rest...)
	d.Text = append(d.Text, rest...)
	return true
}

// Ended is for a stream that stops before its last event.
func (d *ResponsesDecoder) Ended(*Batch) error { return errNoReason }

func failedResponse(raw []byte) error {
	var r responseObject
	if json.Unmarshal(raw, &r) != nil || r.Error == nil {
		return &APIError{Message: "the server reported a failure without saying which"}
	}
	return r.Error
}
