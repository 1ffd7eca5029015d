package dialect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"time"

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

// A messagesDecoder reads the events of Anthropic's messages, and a message that was not
// streamed.
type messagesDecoder struct {
	final   model.Final
	ended   bool   // the reason of the end has come
	begun   []byte // what the first event holds of the message
	text    []byte // of the answer, so far
	opening []byte // of the current block, of which it is not known whether the first piece has it too
	filled  bool   // the current block has text
}

func (d *messagesDecoder) Event(data []byte, b *Batch) (bool, error) {
	if string(data) == "[DONE]" {
		return true, d.Ended(b)
	}
	s := scanObject(data)
	var kind, delta, message, block, content, reason, usage []byte
	failed := false
	for s.next() {
		switch string(s.key) {
		case "type":
			kind = Unquoted(s.val)
		case "delta":
			delta = s.val
		case "message":
			message = s.val
		case "content_block":
			block = s.val
		case "content":
			content = s.val
		case "stop_reason":
			reason = s.val
		case "usage":
			usage = s.val
		case "error", "detail":
			failed = filled(s.val)
		}
	}
	if !s.whole() {
		return false, errBadEvent
	}
	if failed || string(kind) == "error" {
		return true, readAPIError(0, data)
	}
	b.Events++
	from := len(b.Text)
	defer func() { d.text = append(d.text, b.Text[from:]...) }()
	switch string(kind) {
	case "ping":
		return false, nil
	case "content_block_delta", "":
		d.piece(delta, b)
		d.open(b, from)
		d.end(Member(delta, "stop_reason"))
		return false, nil
	}
	b.Active = true
	switch string(kind) {
	case "message_start":
		b.Served = text(Member(message, "model"))
		d.usage(Member(message, "usage"))
		d.begun = bytes.Clone(Member(message, "content"))
	case "content_block_start":
		d.filled = false
		d.piece(block, b)
		d.opening = bytes.Clone(b.Text[from:])
		b.Text = b.Text[:from]
	case "content_block_stop":
		d.open(b, from)
		if !d.filled {
			d.piece(block, b)
		}
	case "message_delta":
		d.end(Member(delta, "stop_reason"))
		d.usage(usage)
	case "message": // not streamed, or said again behind what was
		b.Served = text(Member(data, "model"))
		d.piece(content, b)
		if rest, ok := bytes.CutPrefix(b.Text[from:], d.text); ok {
			b.Text = append(b.Text[:from], rest...)
		} else {
			b.Text = b.Text[:from]
		}
		d.usage(usage)
		d.end(reason)
		return true, d.whole(b)
	case "message_stop":
		return true, d.whole(b)
	}
	return false, nil
}

// open writes the opening of the current block before what has come behind it from an offset on,
// unless that begins with the opening itself.
func (d *messagesDecoder) open(b *Batch, from int) {
	if len(d.opening) > 0 && (len(bytes.TrimSpace(d.opening)) == 0 || !bytes.HasPrefix(b.Text[from:], d.opening)) {
		b.Text = slices.Insert(b.Text, from, d.opening...)
	}
	d.opening = nil
}

// piece reads a block, a delta of one or the blocks of a message.
func (d *messagesDecoder) piece(val []byte, b *Batch) {
	from, thoughts := len(b.Text), len(b.Reasoning)
	b.shaped(val, false)
	d.filled = d.filled || len(b.Text) > from
	b.Active = b.Active || len(b.Text) > from || len(b.Reasoning) > thoughts
}

func (d *messagesDecoder) end(reason []byte) {
	if word := text(reason); word != "" {
		d.ended, d.final.End = true, messageWords.end(word)
	}
}

// whole is the end of a message that its server has ended.
func (d *messagesDecoder) whole(b *Batch) error {
	if !d.ended {
		d.final.End = messageWords.end("")
	}
	d.open(b, len(b.Text))
	if len(d.text) == 0 && len(b.Text) == 0 {
		d.piece(d.begun, b)
	}
	b.Final = &d.final
	return nil
}

// usage records the figures of an event; later events repeat and correct earlier
// ones.
func (d *messagesDecoder) usage(raw []byte) {
	var u struct {
		Input  tokenCount `json:"input_tokens"`
		Write  tokenCount `json:"cache_creation_input_tokens"`
		Read   tokenCount `json:"cache_read_input_tokens"`
		Output tokenCount `json:"output_tokens"`
	}
	if raw == nil || json.Unmarshal(raw, &u) != nil {
		return
	}
	total := &d.final.Usage
	total.Known = true
	if all := u.Input + u.Write + u.Read; all > 0 {
		total.Input, total.Cached, total.CacheWrite = int(all), int(u.Read), int(u.Write)
	}
	total.Output = max(total.Output, int(u.Output))
}

// Ended implements Decoder: a message is whole when the reason of its end has come.
func (d *messagesDecoder) Ended(b *Batch) error {
	if !d.ended {
		return errNoReason
	}
	return d.whole(b)
}

// A textDecoder reads the chunks of llama.cpp and the lines of Ollama, which give the same
// things other names.
type textDecoder struct {
	served bool
	text   sums
}

func (d *textDecoder) Event(data []byte, b *Batch) (bool, error) {
	if string(data) == "[DONE]" {
		return false, nil
	}
	s := scanObject(data)
	var fault bool
	var final func([]byte) *model.Final // of the last event
	from := len(b.Text)
	for s.next() {
		switch string(s.key) {
		case "content", "response":
			b.shaped(s.val, false)
			b.Active = b.Active || filled(s.val)
		case "thinking", "reasoning", "reasoning_content":
			b.shaped(s.val, true)
			b.Active = b.Active || filled(s.val)
		case "message":
			b.delta(s.val)
		case "completion_probabilities", "logprobs":
			b.LogProb += sumLogProbs(s.val)
		case "prompt_progress":
			b.Active = b.Active || filled(s.val)
			b.Speed = cmp.Or(llamaProgress(s.val), b.Speed)
		case "timings":
			b.Speed = llamaSpeed(s.val)
		case "stop":
			if string(s.val) == "true" {
				final = llamaFinal
			}
		case "done":
			if string(s.val) == "true" {
				final = ollamaFinal
			}
		case "error":
			fault = string(s.val) != "null"
		case "model":
			if !d.served {
				b.Served = text(s.val)
				d.served = b.Served != ""
			}
		}
	}
	if !s.whole() {
		return false, errBadEvent
	}
	if fault {
		return true, readAPIError(0, data)
	}
	b.Events++
	b.Text = d.text.take(b.Text, from)
	if final == nil {
		return false, nil
	}
	b.Text = append(b.Text, d.text.end()...)
	b.Final, b.Active = final(data), true
	if b.Final.Speed != (model.Speed{}) {
		b.Speed = &b.Final.Speed
	}
	return true, nil
}

func (d *textDecoder) Ended(b *Batch) error {
	b.Text = append(b.Text, d.text.end()...)
	return errNoReason
}

// sumLogProbs is the sum over the tokens of a chunk, of which llama.cpp and Ollama say it alike.
func sumLogProbs(data []byte) (sum float64) {
	var tokens []struct {
		LogProb float64 `json:"logprob"`
	}
	if json.Unmarshal(data, &tokens) != nil {
		return 0 // a server of another version
	}
	for _, t := range tokens {
		sum += t.LogProb
	}
	return sum
}

func llamaFinal(data []byte) *model.Final {
	var u struct {
		StopType  string     `json:"stop_type"`
		Cached    tokenCount `json:"tokens_cached"`
		Evaluated tokenCount `json:"tokens_evaluated"`
		Predicted tokenCount `json:"tokens_predicted"`
		Timings   struct {
			Cached tokenCount `json:"cache_n"`
		}
	}
	if json.Unmarshal(data, &u) != nil {
		return &model.Final{End: textWords.end("")}
	}
	final := &model.Final{End: textWords.end(u.StopType)}
	if u.Evaluated > 0 {
		final.Usage = usageOf(u.Evaluated, min(u.Timings.Cached, u.Evaluated), 0, u.Predicted, 0)
	}
	return final
}

// llamaSpeed reads llama.cpp's timings, which are of all that was done so far.
func llamaSpeed(timings []byte) *model.Speed {
	var t struct {
		Evaluated   tokenCount `json:"prompt_n"`
		EvaluatedMS float64    `json:"prompt_ms"`
		Written     tokenCount `json:"predicted_n"`
		WrittenMS   float64    `json:"predicted_ms"`
	}
	if json.Unmarshal(timings, &t) != nil {
		return nil
	}
	return &model.Speed{Evaluated: int(t.Evaluated), EvaluatedIn: milliseconds(t.EvaluatedMS), Written: int(t.Written), WrittenIn: milliseconds(t.WrittenMS)}
}

// llamaProgress reads how far llama.cpp is with a prompt.
func llamaProgress(progress []byte) *model.Speed {
	var p struct {
		Cached    tokenCount `json:"cache"`
		Processed tokenCount
		MS        float64 `json:"time_ms"`
	}
	if json.Unmarshal(progress, &p) != nil {
		return nil
	}
	return &model.Speed{Evaluated: int(p.Processed - p.Cached), EvaluatedIn: milliseconds(p.MS)}
}

// milliseconds is a time as a server wrote it; longer than a day is no time.
func milliseconds(ms float64) time.Duration {
	if !(ms > 0 && ms < float64((24*time.Hour).Milliseconds())) {
		return 0
	}
	return time.Duration(ms * float64(time.Millisecond))
}

func ollamaFinal(data []byte) *model.Final {
	var u struct {
		Reason string     `json:"done_reason"`
		Prompt tokenCount `json:"prompt_eval_count"`
		Eval   tokenCount `json:"eval_count"`
		// Nanoseconds. That of the prompt is without what was cached; its count is with it.
		PromptTime float64 `json:"prompt_eval_duration"`
		EvalTime   float64 `json:"eval_duration"`
	}
	if json.Unmarshal(data, &u) != nil {
		return &model.Final{End: textWords.end("")}
	}
	final := &model.Final{End: textWords.end(u.Reason)}
	if u.Eval > 0 {
		final.Usage = usageOf(u.Prompt, 0, 0, u.Eval, 0)
		final.Speed = model.Speed{EvaluatedIn: milliseconds(u.PromptTime / 1e6), Written: int(u.Eval), WrittenIn: milliseconds(u.EvalTime / 1e6)}
	}
	return final
}
