package dialect

import (
	"cmp"
	"encoding/json"
	"time"

	"tandem/model"
)

// A choiceDecoder reads the chunks of chat, text and Mistral's fill-in-the-middle
// completions.
type choiceDecoder struct {
	served bool
	final  model.Final
	reason bool          // a finish reason arrived: the answer is complete
	others []choiceState // of the answers after the first one, as many as were asked for
	calls  calls
	open   map[int]*assembledCall // the newest call of each index
}

// A choiceState is how much of an answer besides the first one has come.
type choiceState struct{ begun, ended bool }

func (d *choiceDecoder) Event(data []byte, b *Batch) (bool, error) {
	if string(data) == "[DONE]" {
		if !d.reason {
			d.reason, d.final.End = true, choiceWords.end("")
		}
		for i := range d.others {
			d.others[i].ended = d.others[i].begun
		}
		return true, d.end(b)
	}
	s := scanObject(data)
	var choices, usage, fault, name []byte
	for s.next() {
		switch string(s.key) {
		case "choices":
			choices = s.val
		case "model":
			name = s.val
		case "usage":
			usage = s.val
		case "error":
			fault = s.val
		case "timings":
			b.Speed = llamaSpeed(s.val)
		}
	}
	if !s.whole() {
		return false, errBadEvent
	}
	if len(fault) > 0 && string(fault) != "null" {
		return true, readAPIError(0, data)
	}
	b.Events++
	if !d.served && len(name) > 2 {
		d.served, b.Served = true, text(name)
	}
	if len(usage) > 2 && usage[0] == '{' {
		d.final.Usage = choiceUsage(usage)
		b.Active = true
	}
	for choice := range elements(choices) {
		switch index, numbered := number(Member(choice, "index")); {
		case !numbered || index == 0:
			if d.choice(choice, b) {
				return true, readAPIError(0, choice)
			}
		case index > 0 && index <= len(d.others):
			d.other(index, choice, b)
		}
	}
	return false, nil
}

// choice reads the first choice of a chunk: its piece of text and the reason it ended,
// if it did. It reports whether the server says that it failed.
func (d *choiceDecoder) choice(choice []byte, b *Batch) (failed bool) {
	for s := scanObject(choice); s.next(); {
		switch string(s.key) {
		case "text":
			b.Text = appendUnquoted(b.Text, s.val)
			b.Active = b.Active || filled(s.val)
		case "delta", "message":
			chatPiece(s.val, b)
			d.toolCalls(Member(s.val, "tool_calls"))
		case "finish_reason":
			if reason := Unquoted(s.val); len(reason) > 0 {
				if !d.reason || d.final.End.Whole() {
					d.final.End = choiceWords.end(string(reason))
				}
				d.reason, b.Active = true, true
			}
		case "error":
			failed = failed || len(s.val) > 0 && s.val[0] == '{'
		}
	}
	return failed
}

// other reads another choice of a chunk that was asked for. Servers send choices in turns,
// some of them more than were asked for.
func (d *choiceDecoder) other(index int, choice []byte, b *Batch) {
	state := &d.others[index-1]
	state.begun = true
	for s := scanObject(choice); s.next(); {
		switch string(s.key) {
		case "text":
			b.add(index, s.val)
		case "delta", "message":
			b.add(index, Member(s.val, "content"))
		case "finish_reason":
			state.ended = state.ended || len(Unquoted(s.val)) > 0
		}
	}
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

func chatPiece(delta []byte, b *Batch) {
	for s := scanObject(delta); s.next(); {
		b.Active = b.Active || string(s.key) != "role" && filled(s.val)
		switch string(s.key) {
		case "content":
			b.Text = appendUnquoted(b.Text, s.val)
		case "reasoning", "reasoning_content", "thinking":
			b.Reasoning = appendUnquoted(b.Reasoning, s.val)
		case "refusal":
			b.Refusal = appendUnquoted(b.Refusal, s.val)
		}
	}
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
		return ErrEarlyEnd
	}
	return d.end(b)
}

// end adds what is known when the answer has ended.
func (d *choiceDecoder) end(b *Batch) error {
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

// A messagesDecoder reads the events of Anthropic's messages.
type messagesDecoder struct {
	final model.Final
}

func (d *messagesDecoder) Event(data []byte, b *Batch) (bool, error) {
	s := scanObject(data)
	var kind, delta, message, usage []byte
	for s.next() {
		switch string(s.key) {
		case "type":
			kind = Unquoted(s.val)
		case "delta":
			delta = s.val
		case "message":
			message = s.val
		case "usage":
			usage = s.val
		}
	}
	if !s.whole() {
		return false, errBadEvent
	}
	b.Events++
	switch string(kind) {
	case "ping":
		return false, nil
	case "content_block_delta":
		messagePiece(delta, b)
		return false, nil
	}
	b.Active = true
	switch string(kind) {
	case "message_start":
		b.Served = text(Member(message, "model"))
		d.usage(Member(message, "usage"))
	case "message_delta":
		if word := text(Member(delta, "stop_reason")); word != "" {
			d.final.End = messageWords.end(word)
		}
		d.usage(usage)
	case "message_stop":
		if d.final.End == (model.End{}) {
			d.final.End = messageWords.end("")
		}
		b.Final = &d.final
		return true, nil
	case "error":
		return true, readAPIError(0, data)
	}
	return false, nil
}

func messagePiece(delta []byte, b *Batch) {
	for s := scanObject(delta); s.next(); {
		b.Active = b.Active || string(s.key) != "type" && filled(s.val)
		switch string(s.key) {
		case "text":
			b.Text = appendUnquoted(b.Text, s.val)
		case "thinking":
			b.Reasoning = appendUnquoted(b.Reasoning, s.val)
		}
	}
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

func (d *messagesDecoder) Ended(*Batch) error { return ErrEarlyEnd }

// A textDecoder reads the chunks of llama.cpp and the lines of Ollama, which give the same
// things other names.
type textDecoder struct{ served bool }

func (d *textDecoder) Event(data []byte, b *Batch) (bool, error) {
	if string(data) == "[DONE]" {
		return false, nil
	}
	s := scanObject(data)
	var fault bool
	var final func([]byte) *model.Final // of the last event
	for s.next() {
		switch string(s.key) {
		case "content", "response":
			b.Text = appendUnquoted(b.Text, s.val)
			b.Active = b.Active || filled(s.val)
		case "thinking":
			b.Reasoning = appendUnquoted(b.Reasoning, s.val)
			b.Active = b.Active || filled(s.val)
		case "message":
			chatPiece(s.val, b)
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
	if final == nil {
		return false, nil
	}
	b.Final, b.Active = final(data), true
	if b.Final.Speed != (model.Speed{}) {
		b.Speed = &b.Final.Speed
	}
	return true, nil
}

func (d *textDecoder) Ended(*Batch) error { return ErrEarlyEnd }

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
