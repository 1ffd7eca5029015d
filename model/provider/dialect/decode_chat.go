package dialect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"tandem/model"
)

// A choiceDecoder reads the chunks of chat, text and Mistral's fill-in-the-middle
// completions.
type choiceDecoder struct {
	served   bool
	final    model.Final
	reason   bool          // a finish reason arrived: the answer is complete
	others   []choiceState // of the answers after the first one, as many as were asked for
	calls    calls
	open     map[int]*assembledCall // the newest call of each index
	text     sums
	ids      answerIDs
	late     []byte // text that came after the end
	streamed bool   // a piece came
}

// A choiceState is how much of an answer besides the first one has come.
type choiceState struct{ begun, ended bool }

// A chunk is the members of an event that are read.
type chunk struct {
	id, choices, usage, model []byte
	failed                    bool
}

func (d *choiceDecoder) Event(data []byte, b *Batch) (bool, error) {
	if string(data) == "[DONE]" {
		switch {
		case !d.reason && d.ids.mixed:
			return true, ErrEarlyEnd // nobody knows which answer has ended
		case !d.reason:
			d.reason, d.final.End = true, choiceWords.end("")
		}
		for i := range d.others {
			d.others[i].ended = d.others[i].begun
		}
		return true, d.end(b)
	}
	c, ok := readChunk(data, b)
	switch {
	case !ok:
		return false, errBadEvent
	case c.failed:
		return true, readAPIError(0, data)
	}
	b.Events++
	if !d.served && len(c.model) > 2 {
		d.served, b.Served = true, text(c.model)
	}
	if len(c.usage) > 2 && c.usage[0] == '{' {
		d.final.Usage = choiceUsage(c.usage)
		b.Active = true
	}
	for val := range elements(c.choices) {
		choice := readChoice(val)
		switch {
		case choice.failed:
			return true, readAPIError(0, val)
		case choice.index == 0:
			d.choice(Unquoted(c.id), &choice, b)
		case choice.index > 0 && choice.index <= len(d.others):
			d.other(choice.index, &choice, b)
		}
	}
	return false, nil
}

func readChunk(data []byte, b *Batch) (c chunk, ok bool) {
	s := scanObject(data)
	odd := false // what an event without choices is an error by
	for s.next() {
		switch string(s.key) {
		case "choices":
			c.choices = s.val
		case "id":
			c.id = s.val
		case "model":
			c.model = s.val
		case "usage":
			c.usage = s.val
		case "error":
			c.failed = c.failed || filled(s.val) && string(s.val) != "false"
		case "object":
			c.failed = c.failed || string(s.val) == `"error"`
		case "type":
			c.failed = c.failed || string(s.val) == `"error"`
		case "base_resp": // MiniMax
			code, _ := number(Member(s.val, "status_code"))
			c.failed = c.failed || code != 0
		case "detail", "message", "errors":
			odd = odd || filled(s.val)
		case "success":
			odd = odd || string(s.val) == "false"
		case "timings":
			b.Speed = llamaSpeed(s.val)
		}
	}
	c.failed = c.failed || odd && c.choices == nil
	return c, s.whole()
}

// A choice is the members of a choice that are read.
type choice struct {
	index                        int
	delta, message, text, reason []byte
	failed                       bool
}

func readChoice(val []byte) (c choice) {
	for s := scanObject(val); s.next(); {
		switch string(s.key) {
		case "index":
			c.index, _ = number(s.val)
		case "text":
			c.text = s.val
		case "delta":
			c.delta = s.val
		case "message":
			c.message = s.val
		case "finish_reason", "finishReason":
			if reason := Unquoted(s.val); string(reason) != "null" { // a word for none
				c.reason = reason
			}
		case "error":
			c.failed = c.failed || len(s.val) > 0 && s.val[0] == '{'
		}
	}
	return c
}

// choice reads the first choice of a chunk: its piece of text and the reason it ended, if it
// did. Text of another answer is none of this one's, and text after the end only if it ends
// once more.
func (d *choiceDecoder) choice(id []byte, c *choice, b *Batch) {
	from := len(b.Text)
	streamed := d.piece(c, b)
	came := len(b.Text) > from
	switch {
	case d.ids.foreign(id, came, d.reason):
		b.Text = b.Text[:from]
		return
	case came && d.reason && len(d.text.text) > 0 && len(c.reason) == 0:
		d.late = append(d.late, b.Text[from:]...)
		b.Text = b.Text[:from]
		return
	case came && len(d.text.text) == 0:
		d.reason = false // an end before any text is none
	case len(d.late) > 0 && len(c.reason) > 0:
		b.Text, d.late, streamed = slices.Insert(b.Text, from, d.late...), nil, true
	}
	switch {
	case len(c.reason) > 0 && d.text.again(b.Text[from:]):
		b.Text = b.Text[:from]
	case streamed || !d.streamed:
		d.text.whole = !streamed
		b.Text = d.text.take(b.Text, from)
	default:
		b.Text = d.text.snapshot(b.Text, from)
	}
	d.streamed = d.streamed || streamed && came
	if len(c.reason) == 0 {
		return
	}
	if !d.reason || d.final.End.Whole() {
		d.final.End = choiceWords.end(string(c.reason))
	}
	d.reason, b.Active = true, true
}

// piece reads the text of a chunk, and reports whether it is a piece: else it is the message so
// far, or all of it.
func (d *choiceDecoder) piece(c *choice, b *Batch) (streamed bool) {
	from := len(b.Text)
	b.shaped(c.text, false)
	d.toolCalls(b.delta(c.delta))
	if streamed = len(b.Text) > from; !streamed {
		d.toolCalls(b.delta(c.message))
	}
	b.Active = b.Active || len(b.Text) > from
	return streamed
}

// answerIDs tell the chunks of an answer from those of another that comes in the same stream.
// Some servers give every chunk an id of its own: an id counts when two pieces have had it.
type answerIDs struct {
	own      []byte
	repeated bool
	mixed    bool // text of another answer came
}

// foreign reports whether a chunk is of another answer.
func (a *answerIDs) foreign(id []byte, came, ended bool) bool {
	switch {
	case len(id) == 0:
		return false
	case bytes.Equal(a.own, id):
		a.repeated = a.repeated || came
		return false
	case len(a.own) > 0 && (a.repeated || ended):
		a.mixed = a.mixed || came
		return a.mixed
	case came:
		a.own = append(a.own[:0], id...)
	}
	return false
}

// other reads another choice of a chunk that was asked for. Servers send choices in turns,
// some of them more than were asked for.
func (d *choiceDecoder) other(index int, c *choice, b *Batch) {
	state := &d.others[index-1]
	state.begun = true
	var piece Batch
	piece.shaped(c.text, false)
	piece.delta(c.delta)
	if len(piece.Text) == 0 {
		piece.delta(c.message)
	}
	b.addOther(index, piece.Text)
	state.ended = state.ended || len(c.reason) > 0
	b.Active = true
}

// whole is how many choices have ended: the first one, and those after it without a gap.
func (d *choiceDecoder) whole() int {
	n := 0
	for n < len(d.others) && d.others[n].ended {
		n++
	}
	return n + 1
}

// thoughtFields are the members in which servers put what a model thinks.
var thoughtFields = []string{"reasoning", "reasoning_content", "reasoning_text", "reasoning_details", "reasoning_summary", "thinking", "thinking_content", "thinking_blocks", "thought", "thoughts"}

// delta adds what a delta or a message says, in any shape, and returns its calls of tools.
func (b *Batch) delta(val []byte) (calls []byte) {
	if len(val) > 2 && val[0] == '"' {
		b.shaped(val, false)
		return nil
	}
	thoughts := len(b.Reasoning)
	for s := scanObject(val); s.next(); {
		if len(s.val) < 3 || string(s.val) == "null" {
			continue
		}
		switch key := string(s.key); key {
		case "role", "type", "name":
			continue
		case "content", "text":
			b.shaped(s.val, false)
		case "tool_calls":
			calls = s.val
		case "refusal":
			b.Refusal = appendUnquoted(b.Refusal, s.val)
		default:
			if len(b.Reasoning) == thoughts && slices.Contains(thoughtFields, key) { // servers say it twice
				b.shaped(s.val, true)
			}
		}
		b.Active = true
	}
	return calls
}

// unnumbered stands for the index of fragments that have none.
const unnumbered = -1

// toolCalls reads fragments of calls. The first one of a call names it. Servers number
// calls by an index, by new ids under one index, or send each in one piece without either.
func (d *choiceDecoder) toolCalls(list []byte) {
	for fragment := range elements(list) {
		function := Member(fragment, "function")
		id, name := text(Member(fragment, "id")), text(Member(function, "name"))
		index, numbered := number(Member(fragment, "index"))
		if !numbered {
			index = unnumbered
		}
		a := d.open[index]
		if a == nil || a.call.Name != "" && name != "" && (id != a.call.ID || id == "" && !numbered) {
			a = d.calls.at(len(d.calls.list))
			if d.open == nil {
				d.open = map[int]*assembledCall{}
			}
			d.open[index] = a
		}
		a.call.ID, a.call.Name = cmp.Or(a.call.ID, id), cmp.Or(a.call.Name, name)
		if arguments := Member(function, "arguments"); len(arguments) > 0 && arguments[0] == '{' {
			a.arguments = append(a.arguments, arguments...) // not quoted
		} else {
			a.arguments = appendUnquoted(a.arguments, arguments)
		}
	}
}

func (d *choiceDecoder) Ended(b *Batch) error {
	if !d.reason {
		b.Text = append(b.Text, d.text.end()...)
		return errNoReason
	}
	return d.end(b)
}

// end adds what is known when the answer has ended.
func (d *choiceDecoder) end(b *Batch) error {
	b.Text = append(b.Text, d.text.end()...)
	list, err := d.calls.end()
	if err == nil {
		d.final.Choices = d.whole()
		b.Calls, b.Final = list, &d.final
	}
	return err
}

func choiceUsage(raw []byte) model.Usage {
	var u struct {
		Prompt     tokenCount `json:"prompt_tokens"`
		Completion tokenCount `json:"completion_tokens"`
		Details    struct {
			Cached tokenCount `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
		Output struct {
			Reasoning tokenCount `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
	}
	if json.Unmarshal(raw, &u) != nil {
		return model.Usage{}
	}
	return usageOf(u.Prompt, u.Details.Cached, 0, u.Completion, u.Output.Reasoning)
}
