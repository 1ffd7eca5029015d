package main

import (
	"bytes"
	"iter"
	"net/http"
	"slices"
	"time"
)

// messages answers POST /v1/messages, Anthropic's protocol.
func (s *server) messages(w http.ResponseWriter, r *http.Request, c *call) {
	id, model := s.newID("msg"), or(c.rule.ServedModel, c.req.Model)
	text, cut := answer(c.req, c.rule)
	stop := "end_turn"
	if cut {
		stop = "max_tokens"
	}
	head := obj{{"id", id}, {"type", "message"}, {"role", "assistant"}, {"model", model}}
	usage := obj{{"input_tokens", c.req.InputTokens}, {"cache_creation_input_tokens", 0}, {"cache_read_input_tokens", 0}, {"output_tokens", roughTokens(text)}}
	if !c.req.Stream {
		s.whole(r.Context(), w, c, append(head, kv{"content", []any{obj{{"type", "text"}, {"text", text}}}},
			kv{"stop_reason", stop}, kv{"stop_sequence", nil}, kv{"usage", usage}).json())
		return
	}
	start := append(head, kv{"content", []any{}}, kv{"stop_reason", nil}, kv{"stop_sequence", nil}, kv{"usage", usage})
	s.stream(w, r, c, true, messageFrames(start, text, c.rule.Reasoning, stop, usage))
}

func messageFrames(start obj, text, thinking, stop string, usage obj) iter.Seq[frame] {
	event := func(kind string, members ...kv) frame {
		return frame{name: kind, data: append(obj{{"type", kind}}, members...).json()}
	}
	block := func(yield func(frame) bool, index int, kind, delta, text string) bool {
		ok := yield(event("content_block_start", kv{"index", index}, kv{"content_block", obj{{"type", kind}, {kind, ""}}}))
		for _, piece := range pieces(text) {
			f := event("content_block_delta", kv{"index", index}, kv{"delta", obj{{"type", delta}, {kind, piece}}})
			f.token = kind == "text"
			if ok = ok && yield(f); !ok {
				return false
			}
		}
		return ok && yield(event("content_block_stop", kv{"index", index}))
	}
	return func(yield func(frame) bool) {
		if !yield(event("message_start", kv{"message", start})) || !yield(event("ping")) {
			return
		}
		index := 0
		if thinking != "" {
			if !block(yield, index, "thinking", "thinking_delta", thinking) {
				return
			}
			index++
		}
		if block(yield, index, "text", "text_delta", text) &&
			yield(event("message_delta", kv{"delta", obj{{"stop_reason", stop}, {"stop_sequence", nil}}}, kv{"usage", usage})) {
			yield(event("message_stop"))
		}
	}
}

// llama answers POST /completion and POST /infill of llama.cpp's server.
func (s *server) llama(w http.ResponseWriter, r *http.Request, c *call) {
	text, cut := answer(c.req, c.rule)
	stop := "eos"
	if cut {
		stop = "limit"
	}
	if n := c.req.wire.NPredict; n != nil && *n == 0 {
		text, stop = "", "limit"
	}
	list := pieces(text)
	last := func(content string) []byte {
		return obj{{"content", content}, {"tokens", []any{}}, {"stop", true}, {"model", or(c.rule.ServedModel, c.req.Model)}, {"stop_type", stop}, {"stopping_word", ""},
			{"tokens_cached", c.req.InputTokens + len(list)}, {"tokens_evaluated", c.req.InputTokens}, {"tokens_predicted", len(list)}, {"truncated", false},
			{"timings", c.timings(len(list))}}.json()
	}
	if !c.req.Stream {
		s.whole(r.Context(), w, c, last(text))
		return
	}
	s.stream(w, r, c, false, func(yield func(frame) bool) {
		for _, piece := range list {
			if !yield(frame{data: obj{{"content", piece}, {"tokens", []any{}}, {"stop", false}}.json(), token: true}) {
				return
			}
		}
		yield(frame{data: last("")})
	})
}

// ollama answers POST /api/generate: lines of JSON.
func (s *server) ollama(w http.ResponseWriter, r *http.Request, c *call) {
	text, cut := answer(c.req, c.rule)
	reason := "stop"
	if cut {
		reason = "length"
	}
	if c.req.prompt == "" {
		text, reason = "", "load"
	}
	model := or(c.rule.ServedModel, c.req.Model)
	line := func(piece string, done bool, members ...kv) []byte {
		return append(obj{{"model", model}, {"created_at", time.Now().UTC().Format(time.RFC3339Nano)}, {"response", piece}, {"done", done}}, members...).json()
	}
	list := pieces(text)
	end := func() []kv { return append([]kv{{"done_reason", reason}}, c.durations(len(list))...) }
	if c.req.wire.Stream != nil && !*c.req.wire.Stream {
		s.whole(r.Context(), w, c, line(text, true, end()...))
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	out := newSSE(w, c.rule, false)
	out.lines = true
	_ = play(r.Context(), out, c.rule, func(yield func(frame) bool) {
		for _, piece := range list {
			if !yield(frame{data: line(piece, false), token: true}) {
				return
			}
		}
		yield(frame{data: line("", true, end()...)})
	})
}

// modelNames are the models that the script names.
func (s *server) modelNames() []string {
	names := slices.Clone(s.script.Server.Models)
	for _, r := range s.script.Rules {
		if r.Model != "" && !slices.Contains(names, r.Model) && !bytes.ContainsAny([]byte(r.Model), "*?[") {
			names = append(names, r.Model)
		}
	}
	return names
}

// models answers GET /v1/models.
func (s *server) models(w http.ResponseWriter, r *http.Request) {
	s.rec.http(r, nil)
	if !s.authorized(r.Header) {
		httpError(w, (&fault{}).wire(401))
		return
	}
	if rule := s.script.match(r.URL.Path, "", ""); rule.Path != "" && rule.Fault.Status != 0 {
		httpError(w, rule.Fault.wire(rule.Fault.Status))
		return
	}
	data := []any{}
	for _, name := range s.modelNames() {
		data = append(data, obj{{"id", name}, {"object", "model"}, {"created", 1795199695}, {"owned_by", "scripted"}})
	}
	writeJSON(w, obj{{"object", "list"}, {"data", data}}.json())
}
