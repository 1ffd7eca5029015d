package main

import (
	"bytes"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"time"
)

// A completion is an answer in the shape that chat, text and fill-in-the-middle
// endpoints share: chunks with choices.
type completion struct {
	id, object, model string
	created           int64
	text              string
	others            []string       // texts of the second answer and further ones
	calls             []scriptedCall // of a chat completion
	finish            string
	rule              *rule
	req               *request
	cached            int // tokens of the prompt
	// choice is the member that carries a piece of text: delta or text.
	choice func(first bool, text string) kv
	// full is the member that carries the whole text if nothing is streamed.
	full func(text string) kv
}

// maxChoices bounds the answers to one request.
const maxChoices = 16

func (s *server) newCompletion(c *call, kind, object string) *completion {
	p := &completion{id: s.newID(kind), object: object, model: or(c.rule.ServedModel, c.req.Model),
		created: time.Now().Unix(), finish: "stop", rule: c.rule, req: c.req}
	if c.rule.PromptTokensPerSecond > 0 { // else usage would depend on what came before
		p.cached = c.cached
	}
	var cut bool
	if p.text, cut = answer(c.req, c.rule); cut {
		p.finish = "length"
	}
	if c.rule.Incomplete == "content_filter" {
		p.finish = "content_filter"
	}
	for i := 1; i < min(c.req.wire.N, maxChoices); i++ {
		other := p.text
		if i <= len(c.rule.Alternatives) {
			other, _ = limit(c.rule.Alternatives[i-1], c.req.MaxTokens)
		}
		p.others = append(p.others, other)
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
	cerebrasHeaders(w.Header(), c)
	p := s.newCompletion(c, "chatcmpl", "chat.completion")
	p.choice, p.full = chatDelta, chatFull
	if p.calls = s.calls(c.req, c.rule); len(p.calls) > 0 {
		p.finish = or(c.rule.Incomplete, "tool_calls")
		p.full = func(text string) kv {
			return kv{"message", obj{{"role", "assistant"}, {"content", text}, {"refusal", nil}, {"tool_calls", chatCalls(p.calls)}}}
		}
	}
	if refusal := c.rule.Refusal; refusal != "" {
		p.full = func(string) kv {
			return kv{"message", obj{{"role", "assistant"}, {"content", nil}, {"refusal", refusal}}}
		}
	}
	s.complete(w, r, c, p)
}

// completions answers POST /v1/completions, as vLLM does: without suffix.
func (s *server) completions(w http.ResponseWriter, r *http.Request, c *call) {
	if c.req.wire.Suffix != nil && r.URL.Path != "/beta/completions" {
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
		for i, text := range p.others {
			choices = append(choices, obj{{"index", i + 1}, p.full(text), {"finish_reason", p.finish}})
		}
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
	for _, text := range p.others {
		out += roughTokens(text)
	}
	return obj{{"prompt_tokens", in}, {"completion_tokens", out}, {"total_tokens", in + out},
		{"prompt_tokens_details", obj{{"cached_tokens", p.cached}}},
		{"completion_tokens_details", obj{{"accepted_prediction_tokens", 0}, {"rejected_prediction_tokens", 0}, {"reasoning_tokens", 0}}}}
}

// chunk is the hot event: everything but the text is the same each time.
func (p *completion) chunk(index int, first bool, text string, finish any) []byte {
	object := p.object
	if object == "chat.completion" {
		object += ".chunk"
	}
	return p.object1(object, []any{obj{{"index", index}, p.choice(first, text), {"finish_reason", finish}}}).json()
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
		for _, piece := range p.refusal() {
			d := obj{{"index", 0}, {"delta", obj{{"refusal", piece}}}, {"finish_reason", nil}}
			if !yield(frame{data: p.object1("chat.completion.chunk", []any{d}).json(), token: true}) {
				return
			}
		}
		if len(p.others) > 0 {
			if !p.several(yield) {
				return
			}
		} else if !p.one(yield) {
			return
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

// one sends the pieces of the only answer.
func (p *completion) one(yield func(frame) bool) bool {
	template := p.template()
	for i, piece := range pieces(p.text) {
		data := template(piece)
		if i == 0 {
			data = p.chunk(0, true, piece, nil)
		}
		if !yield(frame{data: data, token: true}) {
			return false
		}
	}
	return true
}

// several sends the pieces of several answers, alternating or in turn, and the ends of all
// but the first one.
func (p *completion) several(yield func(frame) bool) bool {
	type numbered struct{ index, n int }
	texts := append([]string{p.text}, p.others...)
	var order []numbered
	list := make([][]string, len(texts))
	longest := 0
	for i, text := range texts {
		list[i] = pieces(text)
		longest = max(longest, len(list[i]))
	}
	for n := range longest {
		for i := range list {
			if n < len(list[i]) {
				order = append(order, numbered{i, n})
			}
		}
	}
	if p.rule.InTurn {
		slices.SortStableFunc(order, func(a, b numbered) int { return a.index - b.index })
	}
	for _, at := range order {
		if !yield(frame{data: p.chunk(at.index, at.n == 0, list[at.index][at.n], nil), token: true}) {
			return false
		}
	}
	for i := range p.others {
		if !yield(frame{data: p.chunk(i+1, false, "", p.finish)}) {
			return false
		}
	}
	return true
}

// refusal is the rule's refusal text, if the answer's shape has a member for it.
func (p *completion) refusal() []string {
	if p.object != "chat.completion" {
		return nil
	}
	return pieces(p.rule.Refusal)
}

// template returns a function that makes the chunk of a piece: only the text
// differs from chunk to chunk.
func (p *completion) template() func(string) []byte {
	const placeholder = "\x00"
	before, after, _ := bytes.Cut(p.chunk(0, false, placeholder, nil), appendString(nil, placeholder))
	return func(piece string) []byte {
		b := make([]byte, 0, len(before)+len(piece)+len(after)+16)
		return append(appendString(append(b, before...), piece), after...)
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
		if !yield(frame{data: p.object1(or(last[1].value.(string), p.object), []any{}, kv{"usage", p.usage()}, kv{"time_info", p.times()}).json()}) {
			return
		}
	}
	if !p.rule.Noise.NoDone {
		yield(frame{data: []byte("[DONE]")})
	}
}

// times are the figures that Cerebras adds to the last chunk.
func (p *completion) times() obj {
	var seconds float64
	if p.rule.TokensPerSecond > 0 {
		seconds = float64(len(pieces(p.text))) / p.rule.TokensPerSecond
	}
	return obj{{"queue_time", 0.001}, {"prompt_time", 0.002}, {"completion_time", seconds}, {"total_time", seconds + 0.003}, {"created", p.created}}
}

// cerebrasHeaders sets the state of the token bucket as Cerebras does, and as
// OpenAI does: resets are seconds for Cerebras and durations for OpenAI.
func cerebrasHeaders(h http.Header, c *call) {
	charge := c.req.InputTokens + or(c.req.MaxTokens, 32768)
	set := func(k, v string) {
		if h.Get(k) == "" {
			h.Set(k, v)
		}
	}
	set("X-Ratelimit-Limit-Requests-Day", "1440000")
	set("X-Ratelimit-Limit-Tokens-Minute", "1000000")
	set("X-Ratelimit-Remaining-Requests-Day", "1439999")
	set("X-Ratelimit-Remaining-Tokens-Minute", fmt.Sprint(max(0, 1000000-charge)))
	set("X-Ratelimit-Reset-Requests-Day", "86399.5")
	set("X-Ratelimit-Reset-Tokens-Minute", "42.5")
}
