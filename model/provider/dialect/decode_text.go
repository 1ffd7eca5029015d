package dialect

import (
	"cmp"
	"encoding/json"
	"time"

	"tandem/model"
)

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
		case "done_reason": // some gateways leave done out
			if filled(s.val) {
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
