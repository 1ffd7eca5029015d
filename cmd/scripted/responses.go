package main

import (
	"fmt"
	"iter"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// A turn is one response of the Responses protocol while it is produced.
type turn struct {
	id       string
	req      *request
	rule     *rule
	model    string
	text     string
	streamID *string
	previous string
	steered  atomic.Pointer[steer] // set while it runs: end here
	warm     bool                  // generate:false
	short    bool                  // the text was cut by the request's bound
	seq      int
}

// A steer is user input added to a running response.
type steer struct{ id, text string }

func (s *server) newTurn(req *request, r *rule) *turn {
	t := &turn{id: s.newID("resp"), req: req, rule: r, model: or(r.ServedModel, req.Model), streamID: req.wire.StreamID,
		previous: req.wire.PreviousResponseID, warm: req.wire.Generate != nil && !*req.wire.Generate}
	if !t.warm {
		t.text, t.short = answer(req, r)
	}
	return t
}

// event is one server event with what every event has.
func (t *turn) event(kind string, members ...kv) frame {
	e := obj{{"type", kind}, {"sequence_number", t.seq}}
	t.seq++
	if t.streamID != nil {
		e = append(e, kv{"stream_id", *t.streamID})
	}
	return frame{name: kind, data: append(e, members...).json()}
}

// delta is the hot event, written by hand.
func (t *turn) delta(kind, item string, index int, text string) frame {
	b := make([]byte, 0, 192+len(text))
	b = fmt.Appendf(b, `{"type":"%s","sequence_number":%d,"item_id":"%s","output_index":%d,"content_index":0,"delta":`, kind, t.seq, item, index)
	b = appendString(b, text)
	t.seq++
	b = append(b, `,"logprobs":[]`...)
	if t.streamID != nil {
		b = appendString(append(b, `,"stream_id":`...), *t.streamID)
	}
	if o := t.req.wire.StreamOptions.IncludeObfuscation; t.rule.Noise.Obfuscation && (o == nil || *o) {
		b = appendString(append(b, `,"obfuscation":`...), padding(t.seq))
	}
	return frame{name: kind, data: append(b, '}'), token: true}
}

// padding is as long as chance would have it, but the same each time.
func padding(seed int) string {
	const letters = "x8KqZp0LmW3vTn5R"
	return strings.Repeat(letters, 2)[seed%len(letters):][:1+seed*7%len(letters)]
}

func (t *turn) snapshot(status string, output []any, members ...kv) obj {
	var previous any
	if t.previous != "" {
		previous = t.previous
	}
	if output == nil {
		output = []any{}
	}
	o := obj{{"id", t.id}, {"object", "response"}, {"created_at", time.Now().Unix()}, {"status", status}, {"model", t.model},
		{"output", output}, {"previous_response_id", previous}, {"store", t.req.wire.Store == nil || *t.req.wire.Store},
		{"instructions", nil}, {"parallel_tool_calls", true}, {"tool_choice", "auto"}, {"tools", []any{}},
		{"temperature", nil}, {"top_p", nil}, {"reasoning", obj{{"effort", nil}, {"summary", nil}}},
		{"text", obj{{"format", obj{{"type", "text"}}}}}, {"truncation", "disabled"}, {"service_tier", "default"}, {"metadata", obj{}}}
	for _, def := range []kv{{"error", nil}, {"incomplete_details", nil}, {"usage", nil}} {
		found := false
		for _, m := range members {
			found = found || m.key == def.key
		}
		if !found {
			members = append(members, def)
		}
	}
	return append(o, members...)
}

func (t *turn) usage(output string) obj {
	in, out := t.req.InputTokens, roughTokens(output)
	reasoning := roughTokens(t.rule.Reasoning)
	return obj{{"input_tokens", in}, {"input_tokens_details", obj{{"cached_tokens", t.cached()}, {"cache_write_tokens", 0}}},
		{"output_tokens", out + reasoning}, {"output_tokens_details", obj{{"reasoning_tokens", reasoning}}}, {"total_tokens", in + out + reasoning}}
}

// cached is what a prompt cache would have kept of a continued conversation.
func (t *turn) cached() int {
	if t.previous == "" || t.req.InputTokens < 1024 {
		return 0
	}
	return t.req.InputTokens / 128 * 128
}

// frames is the whole answer, event by event, in the order of real servers.
func (t *turn) frames() iter.Seq[frame] {
	return func(yield func(frame) bool) {
		if !yield(t.event("response.created", kv{"response", t.snapshot("in_progress", nil)})) {
			return
		}
		if t.warm {
			yield(t.event("response.completed", kv{"response", t.snapshot("completed", nil, kv{"usage", t.usage("")})}))
			return
		}
		if !yield(t.event("response.in_progress", kv{"response", t.snapshot("in_progress", nil)})) {
			return
		}
		var output []any
		if t.rule.Reasoning != "" {
			item, ok := t.reasoning(yield)
			if !ok {
				return
			}
			output = append(output, item)
		}
		t.message(output, yield)
	}
}

// reasoning is the item that comes before the message of a reasoning model.
func (t *turn) reasoning(yield func(frame) bool) (obj, bool) {
	id := "rs_" + t.id
	item := func(summary []any) obj { return obj{{"id", id}, {"type", "reasoning"}, {"summary", summary}} }
	at := []kv{{"item_id", id}, {"output_index", 0}, {"summary_index", 0}}
	part := obj{{"type", "summary_text"}, {"text", t.rule.Reasoning}}
	if !yield(t.event("response.output_item.added", kv{"output_index", 0}, kv{"item", item([]any{})})) ||
		!yield(t.event("response.reasoning_summary_part.added", append(at, kv{"part", obj{{"type", "summary_text"}, {"text", ""}}})...)) {
		return nil, false
	}
	for _, piece := range pieces(t.rule.Reasoning) {
		if !yield(t.event("response.reasoning_summary_text.delta", append(at, kv{"delta", piece})...)) {
			return nil, false
		}
	}
	done := item([]any{part})
	ok := yield(t.event("response.reasoning_summary_text.done", append(at, kv{"text", t.rule.Reasoning})...)) &&
		yield(t.event("response.reasoning_summary_part.done", append(at, kv{"part", part})...)) &&
		yield(t.event("response.output_item.done", kv{"output_index", 0}, kv{"item", done}))
	return done, ok
}

// message is the answer's text, and the end of the response.
func (t *turn) message(output []any, yield func(frame) bool) {
	index, id := len(output), "msg_"+t.id
	kind, field := "output_text", "text"
	text := t.text
	if t.rule.Refusal != "" {
		kind, field, text = "refusal", "refusal", t.rule.Refusal
	}
	part := func(text string) obj {
		o := obj{{"type", kind}, {field, text}}
		if kind == "output_text" {
			o = append(o, kv{"annotations", []any{}}, kv{"logprobs", []any{}})
		}
		return o
	}
	item := func(status string, content []any) obj {
		return obj{{"id", id}, {"type", "message"}, {"status", status}, {"role", "assistant"}, {"content", content}}
	}
	at := []kv{{"item_id", id}, {"output_index", index}, {"content_index", 0}}
	if !yield(t.event("response.output_item.added", kv{"output_index", index}, kv{"item", item("in_progress", []any{})})) ||
		!yield(t.event("response.content_part.added", append(at, kv{"part", part("")})...)) {
		return
	}
	said, ok := t.deltas("response."+kind+".delta", id, index, text, yield)
	if !ok {
		return
	}
	whole := item(t.itemStatus(), []any{part(said)})
	if yield(t.event("response."+kind+".done", append(at, kv{field, said})...)) &&
		yield(t.event("response.content_part.done", append(at, kv{"part", part(said)})...)) &&
		yield(t.event("response.output_item.done", kv{"output_index", index}, kv{"item", whole})) {
		yield(t.terminal(append(output, whole), said))
	}
}

func (t *turn) itemStatus() string {
	if t.steered.Load() != nil {
		return "incomplete"
	}
	return "completed"
}

// deltas says the text piece by piece, until it is steered, and returns what was said.
func (t *turn) deltas(kind, id string, index int, text string, yield func(frame) bool) (string, bool) {
	said := 0
	for _, piece := range pieces(text) {
		if t.steered.Load() != nil {
			break
		}
		if !yield(t.delta(kind, id, index, piece)) {
			return "", false
		}
		said += len(piece)
	}
	return text[:said], true
}

// terminal is the one event that ends a response.
func (t *turn) terminal(output []any, said string) frame {
	reason := t.rule.Incomplete
	if t.short && reason == "" {
		reason = "max_output_tokens"
	}
	if t.steered.Load() != nil {
		reason = "steered"
	}
	usage := kv{"usage", t.usage(said)}
	if reason != "" {
		return t.event("response.incomplete", kv{"response", t.snapshot("incomplete", output, usage,
			kv{"incomplete_details", obj{{"reason", reason}}})})
	}
	return t.event("response.completed", kv{"response", t.snapshot("completed", output, usage)})
}

// responsesHTTP answers POST /v1/responses.
func (s *server) responsesHTTP(w http.ResponseWriter, r *http.Request, c *call) {
	if c.req.wire.PreviousResponseID != "" {
		httpError(w, previousNotFound(c.req.wire.PreviousResponseID))
		return
	}
	t := s.newTurn(c.req, c.rule)
	if !c.req.Stream {
		var last []byte
		for f := range t.frames() {
			last = f.data
		}
		s.whole(r.Context(), w, c, responseOf(last))
		return
	}
	s.stream(w, r, c, true, t.frames())
}

func rateLimitsEvent() []byte {
	reset := time.Now().Add(time.Hour).Unix()
	return obj{{"type", "codex.rate_limits"}, {"plan_type", "pro"}, {"limit_name", "scripted"},
		{"rate_limits", obj{{"primary", obj{{"used_percent", 42}, {"window_minutes", 300}, {"reset_at", reset}}}, {"secondary", nil}}},
		{"credits", obj{{"has_credits", false}, {"unlimited", false}, {"balance", nil}}}}.json()
}

func metadataEvent(r *rule) []byte {
	headers := obj{{"x-codex-turn-state", "opaque"}}
	if r.ServedModel != "" {
		headers = append(headers, kv{"openai-model", r.ServedModel})
	}
	return obj{{"type", "response.metadata"}, {"headers", headers}}.json()
}
