package main

import (
	"iter"
	"net/http"
	"time"
)

// A completion is an answer in the shape that chat, text and fill-in-the-middle
// endpoints share: chunks with choices.
type completion struct {
	id, object, model string
	created           int64
	text              string
	calls             []scriptedCall // of a chat completion
	finish            string
	rule              *rule
	req               *request
	// choice is the member that carries a piece of text: delta or text.
	choice func(first bool, text string) kv
	// full is the member that carries the whole text if nothing is streamed.
	full func(text string) kv
}

func (s *server) newCompletion(c *call, kind, object string) *completion {
	p := &completion{id: s.newID(kind), object: object, model: or(c.rule.ServedModel, c.req.Model),
		created: time.Now().Unix(), finish: "stop", rule: c.rule, req: c.req}
	var cut bool
	if p.text, cut = answer(c.req, c.rule); cut {
		p.finish = "length"
	}
	return p
}

func chatDelta(first bool, text string) kv {
	d := obj{{"content", text}}
	if first {
		d = obj{{"role", "assistant"}, {"content", text}}
	}
	return kv{"delta", d}
}

func textDelta(_ bool, text string) kv { return kv{"text", text} }

func chatFull(text string) kv {
	return kv{"message", obj{{"role", "assistant"}, {"content", text}, {"refusal", nil}}}
}

// chat answers POST /v1/chat/completions.
func (s *server) chat(w http.ResponseWriter, r *http.Request, c *call) {
	p := s.newCompletion(c, "chatcmpl", "chat.completion")
	p.choice, p.full = chatDelta, chatFull
	if p.calls = s.calls(c.req, c.rule); len(p.calls) > 0 {
		p.finish = "tool_calls"
		p.full = func(text string) kv {
			return kv{"message", obj{{"role", "assistant"}, {"content", text}, {"refusal", nil}, {"tool_calls", chatCalls(p.calls)}}}
		}
	}
	s.complete(w, r, c, p)
}

// completions answers POST /v1/completions, as vLLM does: without suffix.
func (s *server) completions(w http.ResponseWriter, r *http.Request, c *call) {
	if c.req.wire.Suffix != nil {
		httpError(w, badRequest("", "", "suffix is not currently supported"))
		return
	}
	p := s.newCompletion(c, "cmpl", "text_completion")
	p.choice, p.full = textDelta, func(t string) kv { return kv{"text", t} }
	s.complete(w, r, c, p)
}

// mistralFIM answers POST /v1/fim/completions: chat-shaped, with a suffix.
func (s *server) mistralFIM(w http.ResponseWriter, r *http.Request, c *call) {
	p := s.newCompletion(c, "fim", "chat.completion")
	p.choice, p.full = chatDelta, chatFull
	s.complete(w, r, c, p)
}

func (s *server) complete(w http.ResponseWriter, r *http.Request, c *call, p *completion) {
	if !c.req.Stream {
		choices := []any{obj{{"index", 0}, p.full(p.text), {"finish_reason", p.finish}}}
		s.whole(r.Context(), w, c, p.object1(p.object, choices, kv{"usage", p.usage()}).json())
		return
	}
	s.stream(w, r, c, false, p.frames())
}

func (p *completion) object1(object string, choices []any, members ...kv) obj {
	return append(obj{{"id", p.id}, {"object", object}, {"created", p.created}, {"model", p.model},
		{"system_fingerprint", "fp_scripted"}, {"choices", choices}}, members...)
}

func (p *completion) usage() obj {
	in, out := p.req.InputTokens, roughTokens(p.text)
	return obj{{"prompt_tokens", in}, {"completion_tokens", out}, {"total_tokens", in + out},
		{"prompt_tokens_details", obj{{"cached_tokens", 0}}},
		{"completion_tokens_details", obj{{"accepted_prediction_tokens", 0}, {"rejected_prediction_tokens", 0}, {"reasoning_tokens", 0}}}}
}

// chunk is an event with a piece of the text.
func (p *completion) chunk(first bool, text string) []byte {
	object := p.object
	if object == "chat.completion" {
		object += ".chunk"
	}
	return p.object1(object, []any{obj{{"index", 0}, p.choice(first, text), {"finish_reason", nil}}}).json()
}

// frames is the whole stream: text, the reason it ended, usage, and [DONE].
func (p *completion) frames() iter.Seq[frame] {
	return func(yield func(frame) bool) {
		for _, piece := range pieces(p.rule.Reasoning) {
			d := obj{{"index", 0}, {"delta", obj{{"reasoning", piece}}}, {"finish_reason", nil}}
			if !yield(frame{data: p.object1("chat.completion.chunk", []any{d}).json()}) {
				return
			}
		}
		for i, piece := range pieces(p.text) {
			if !yield(frame{data: p.chunk(i == 0, piece), token: true}) {
				return
			}
		}
		for _, d := range callChunks(p.calls) {
			f := frame{data: p.object1("chat.completion.chunk", []any{obj{{"index", 0}, {"delta", d}, {"finish_reason", nil}}}).json(), token: true}
			if !yield(f) {
				return
			}
		}
		p.end(yield)
	}
}

func (p *completion) end(yield func(frame) bool) {
	last := p.object1(p.object, []any{obj{{"index", 0}, p.choice(false, ""), {"finish_reason", p.finish}}})
	if p.object == "chat.completion" {
		last = p.object1("chat.completion.chunk", []any{obj{{"index", 0}, {"delta", obj{}}, {"finish_reason", p.finish}}})
	}
	if !yield(frame{data: last.json()}) {
		return
	}
	if p.req.wire.StreamOptions.IncludeUsage || p.req.Fill {
		if !yield(frame{data: p.object1(or(last[1].value.(string), p.object), []any{}, kv{"usage", p.usage()}).json()}) {
			return
		}
	}
	if !p.rule.Noise.NoDone {
		yield(frame{data: []byte("[DONE]")})
	}
}
