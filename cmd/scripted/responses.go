package main

import (
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"
)

// A response is one answer of the Responses protocol while it is produced.
type response struct {
	id       string
	req      *request
	rule     *rule
	model    string
	text     string
	calls    []scriptedCall
	streamID *string
	previous string
	warm     bool // generate:false
	short    bool // the text was cut by the request's bound
	seq      int
}

func (s *server) newResponse(req *request, r *rule) *response {
	resp := &response{id: s.newID("resp"), req: req, rule: r, model: or(r.ServedModel, req.Model), streamID: req.wire.StreamID,
		previous: req.wire.PreviousResponseID, warm: req.wire.Generate != nil && !*req.wire.Generate}
	if !resp.warm {
		resp.text, resp.short = answer(req, r)
		resp.calls = s.calls(req, r)
	}
	return resp
}

// event is one server event with what every event has.
func (resp *response) event(kind string, members ...kv) frame {
	e := obj{{"type", kind}, {"sequence_number", resp.seq}}
	resp.seq++
	if resp.streamID != nil {
		e = append(e, kv{"stream_id", *resp.streamID})
	}
	return frame{name: kind, data: append(e, members...).json()}
}

// delta is an event with a piece of the text.
func (resp *response) delta(kind, item string, index int, text string) frame {
	members := []kv{{"item_id", item}, {"output_index", index}, {"content_index", 0}, {"delta", text}, {"logprobs", []any{}}}
	if o := resp.req.wire.StreamOptions.IncludeObfuscation; resp.rule.Noise.Obfuscation && (o == nil || *o) {
		members = append(members, kv{"obfuscation", padding(resp.seq)})
	}
	f := resp.event(kind, members...)
	f.token = true
	return f
}

// padding has a length that looks random, but is the same each time.
func padding(seed int) string {
	const letters = "x8KqZp0LmW3vTn5R"
	return strings.Repeat(letters, 2)[seed%len(letters):][:1+seed*7%len(letters)]
}

func (resp *response) snapshot(status string, output []any, members ...kv) obj {
	var previous any
	if resp.previous != "" {
		previous = resp.previous
	}
	if output == nil {
		output = []any{}
	}
	o := obj{{"id", resp.id}, {"object", "response"}, {"created_at", time.Now().Unix()}, {"status", status}, {"model", resp.model},
		{"output", output}, {"previous_response_id", previous}, {"store", resp.req.wire.Store == nil || *resp.req.wire.Store},
		{"instructions", nil}, {"parallel_tool_calls", true}, {"tool_choice", "auto"}, {"tools", []any{}},
		{"temperature", nil}, {"top_p", nil}, {"reasoning", obj{{"effort", nil}, {"summary", nil}}},
		{"text", obj{{"format", obj{{"type", "text"}}}}}, {"truncation", "disabled"}, {"service_tier", "default"}, {"metadata", obj{}}}
	for _, def := range []kv{{"error", nil}, {"incomplete_details", nil}, {"usage", nil}} {
		if !slices.ContainsFunc(members, func(m kv) bool { return m.key == def.key }) {
			members = append(members, def)
		}
	}
	return append(o, members...)
}

func (resp *response) usage(output string) obj {
	in, out := resp.req.InputTokens, roughTokens(output)
	reasoning := roughTokens(resp.rule.Reasoning)
	return obj{{"input_tokens", in}, {"input_tokens_details", obj{{"cached_tokens", resp.cached()}, {"cache_write_tokens", 0}}},
		{"output_tokens", out + reasoning}, {"output_tokens_details", obj{{"reasoning_tokens", reasoning}}}, {"total_tokens", in + out + reasoning}}
}

// cached is how many tokens of a continued conversation a prompt cache would
// have kept.
func (resp *response) cached() int {
	if resp.previous == "" || resp.req.InputTokens < 1024 {
		return 0
	}
	return resp.req.InputTokens / 128 * 128
}

// frames is the whole answer, event by event, in the order of real servers.
func (resp *response) frames() iter.Seq[frame] {
	return func(yield func(frame) bool) {
		if !yield(resp.event("response.created", kv{"response", resp.snapshot("in_progress", nil)})) {
			return
		}
		if resp.warm {
			yield(resp.event("response.completed", kv{"response", resp.snapshot("completed", nil, kv{"usage", resp.usage("")})}))
			return
		}
		if !yield(resp.event("response.in_progress", kv{"response", resp.snapshot("in_progress", nil)})) {
			return
		}
		var output []any
		if resp.rule.Reasoning != "" {
			item, ok := resp.reasoning(yield)
			if !ok {
				return
			}
			output = append(output, item)
		}
		if resp.text == "" && len(resp.calls) > 0 {
			resp.end(output, "", yield)
			return
		}
		resp.message(output, yield)
	}
}

// reasoning is the item that comes before the message of a reasoning model.
func (resp *response) reasoning(yield func(frame) bool) (obj, bool) {
	id := "rs_" + resp.id
	item := func(summary []any) obj { return obj{{"id", id}, {"type", "reasoning"}, {"summary", summary}} }
	at := []kv{{"item_id", id}, {"output_index", 0}, {"summary_index", 0}}
	part := obj{{"type", "summary_text"}, {"text", resp.rule.Reasoning}}
	if !yield(resp.event("response.output_item.added", kv{"output_index", 0}, kv{"item", item([]any{})})) ||
		!yield(resp.event("response.reasoning_summary_part.added", append(at, kv{"part", obj{{"type", "summary_text"}, {"text", ""}}})...)) {
		return nil, false
	}
	for _, piece := range pieces(resp.rule.Reasoning) {
		if !yield(resp.event("response.reasoning_summary_text.delta", append(at, kv{"delta", piece})...)) {
			return nil, false
		}
	}
	done := item([]any{part})
	ok := yield(resp.event("response.reasoning_summary_text.done", append(at, kv{"text", resp.rule.Reasoning})...)) &&
		yield(resp.event("response.reasoning_summary_part.done", append(at, kv{"part", part})...)) &&
		yield(resp.event("response.output_item.done", kv{"output_index", 0}, kv{"item", done}))
	return done, ok
}

// message is the answer's text, and the end of the response.
func (resp *response) message(output []any, yield func(frame) bool) {
	index, id := len(output), "msg_"+resp.id
	text := resp.text
	part := func(text string) obj {
		return obj{{"type", "output_text"}, {"text", text}, {"annotations", []any{}}, {"logprobs", []any{}}}
	}
	item := func(status string, content []any) obj {
		return obj{{"id", id}, {"type", "message"}, {"status", status}, {"role", "assistant"}, {"content", content}}
	}
	at := []kv{{"item_id", id}, {"output_index", index}, {"content_index", 0}}
	if !yield(resp.event("response.output_item.added", kv{"output_index", index}, kv{"item", item("in_progress", []any{})})) ||
		!yield(resp.event("response.content_part.added", append(at, kv{"part", part("")})...)) {
		return
	}
	for _, piece := range pieces(text) {
		if !yield(resp.delta("response.output_text.delta", id, index, piece)) {
			return
		}
	}
	whole := item("completed", []any{part(text)})
	if yield(resp.event("response.output_text.done", append(at, kv{"text", text})...)) &&
		yield(resp.event("response.content_part.done", append(at, kv{"part", part(text)})...)) &&
		yield(resp.event("response.output_item.done", kv{"output_index", index}, kv{"item", whole})) {
		resp.end(append(output, whole), text, yield)
	}
}

// end sends the calls, and the end of the response.
func (resp *response) end(output []any, sent string, yield func(frame) bool) {
	all := output
	add := func(item any) { all = append(all, item) }
	if !resp.callItems(output, yield, add) {
		return
	}
	for _, c := range resp.calls {
		sent += c.Name + c.Arguments
	}
	yield(resp.terminal(all, sent))
}

// terminal is the one event that ends a response.
func (resp *response) terminal(output []any, sent string) frame {
	usage := kv{"usage", resp.usage(sent)}
	reason := resp.rule.Incomplete
	if resp.short {
		reason = "max_output_tokens"
	}
	if reason != "" {
		return resp.event("response.incomplete", kv{"response", resp.snapshot("incomplete", output, usage,
			kv{"incomplete_details", obj{{"reason", reason}}})})
	}
	return resp.event("response.completed", kv{"response", resp.snapshot("completed", output, usage)})
}

// responsesHTTP answers POST /v1/responses.
func (s *server) responsesHTTP(w http.ResponseWriter, r *http.Request, c *call) {
	if c.req.wire.PreviousResponseID != "" {
		httpError(w, previousNotFound(c.req.wire.PreviousResponseID))
		return
	}
	resp := s.newResponse(c.req, c.rule)
	if !c.req.Stream {
		var last []byte
		for f := range resp.frames() {
			last = f.data
		}
		s.whole(r.Context(), w, c, responseOf(last))
		return
	}
	s.stream(w, r, c, true, resp.frames())
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
