package main

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// A slot holds the text of one conversation as a local server's cache holds its tokens:
// what a prompt shares with it from the start is not evaluated again.
type slot struct {
	text string
	busy bool
	used time.Time
}

// A cache is the slots of the server. Requests whose rule bounds the evaluation of prompts
// wait for a free one, as at real servers; others never wait.
type cache struct {
	mu    sync.Mutex // guards slots
	slots []*slot
	freed chan struct{} // holds a value after a slot was freed
}

func newCache(n int) *cache {
	c := &cache{freed: make(chan struct{}, 1)}
	for range n {
		c.slots = append(c.slots, &slot{})
	}
	return c
}

// An evaluation is what was done with a prompt, and what was written since.
type evaluation struct {
	cached, tokens int // of the prompt; tokens besides the cached ones
	took           time.Duration
	begun          time.Time // when writing began
	written        strings.Builder
}

// take chooses the slot that shares the most with a prompt, else the one that was used the
// longest ago.
func (c *cache) take(ctx context.Context, prompt string, wait bool) (*slot, error) {
	for {
		if s := c.choose(prompt, wait); s != nil {
			return s, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.freed:
		}
	}
}

func (c *cache) choose(prompt string, wait bool) *slot {
	c.mu.Lock()
	defer c.mu.Unlock()
	var best *slot
	for _, s := range c.slots {
		if s.busy && wait {
			continue
		}
		if best == nil || shared(s.text, prompt) > shared(best.text, prompt) || shared(s.text, prompt) == shared(best.text, prompt) && s.used.Before(best.used) {
			best = s
		}
	}
	if best != nil {
		best.busy, best.used = best.busy || wait, time.Now()
	}
	return best
}

// free gives a slot back with what it has evaluated and written.
func (c *cache) free(s *slot, text string, waited bool) {
	c.mu.Lock()
	s.text = text
	if waited {
		s.busy = false
	}
	c.mu.Unlock()
	select {
	case c.freed <- struct{}{}:
	default:
	}
}

// shared is how many bytes two texts have in common from their start.
func shared(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// A local is what servers on a person's own machine have besides an answer: a cache of
// prompts, models in memory, and a context that is as large as the machine allows.
type local struct {
	config *serverConfig
	names  []string
	rec    *recorder
	cache  *cache

	mu     sync.Mutex // guards loaded
	loaded []loadedModel
}

// evaluate reads the prompt of a call at the speed of its rule. What was read before the
// client went away stays in the slot. end is called with what was written.
func (s *local) evaluate(ctx context.Context, c *call) (end func(written string), err error) {
	rate := c.rule.PromptTokensPerSecond
	sl, err := s.cache.take(ctx, c.req.prompt, rate > 0)
	if err != nil {
		return nil, err
	}
	s.cache.mu.Lock()
	have := shared(sl.text, c.req.prompt)
	s.cache.mu.Unlock()
	e := &c.evaluation
	e.cached = min(have/bytesPerToken, max(c.req.InputTokens-1, 0)) // at least one token is evaluated
	e.tokens = c.req.InputTokens - e.cached
	began := time.Now()
	if rate > 0 {
		err = sleep(ctx, time.Duration(float64(e.tokens)/rate*float64(time.Second)))
	}
	e.took, e.begun = time.Since(began), time.Now()
	if err != nil {
		done := have + int(e.took.Seconds()*rate)*bytesPerToken
		s.rec.evaluated.Add(int64(e.took.Seconds() * rate))
		s.cache.free(sl, c.req.prompt[:min(done, len(c.req.prompt))], true)
		return nil, err
	}
	s.rec.evaluated.Add(int64(e.tokens))
	return func(written string) { s.cache.free(sl, c.req.prompt+written, rate > 0) }, nil
}

// timings are llama.cpp's figures of a call that has written so many tokens.
func (e *evaluation) timings(written int) obj {
	return obj{{"cache_n", e.cached}, {"prompt_n", e.tokens}, {"prompt_ms", milliseconds(e.took)}, {"predicted_n", written}, {"predicted_ms", milliseconds(time.Since(e.begun))}}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// durations are Ollama's figures: the count includes what was cached, the time does not.
func (e *evaluation) durations(written int) []kv {
	return []kv{{"total_duration", int64(e.took + time.Since(e.begun))}, {"load_duration", 0}, {"prompt_eval_count", e.cached + e.tokens},
		{"prompt_eval_duration", int64(e.took)}, {"eval_count", written}, {"eval_duration", int64(time.Since(e.begun))}}
}

// tooLong is the error for a prompt that does not fit the server's context.
func (s *local) tooLong(c *call) *wireError {
	most := s.config.Context
	if most == 0 || c.req.InputTokens <= most {
		return nil
	}
	e := badRequest("", "", "request (%d tokens) exceeds the available context size (%d tokens), try increasing it", c.req.InputTokens, most)
	e.Type, e.Extra = "exceed_context_size_error", map[string]any{"n_prompt_tokens": c.req.InputTokens, "n_ctx": most}
	return e
}

// usualContext is the context of a server whose script names none.
const usualContext = 131072

func (s *local) context() int { return or(s.config.Context, usualContext) }

// props answers GET /props of llama.cpp's server. n_ctx is that of one slot.
func (s *local) props(w http.ResponseWriter, r *http.Request) {
	s.rec.http(r, nil)
	name := ""
	if len(s.names) > 0 {
		name = s.names[0]
	}
	writeJSON(w, obj{{"default_generation_settings", obj{{"n_ctx", s.context()}}}, {"total_slots", len(s.cache.slots)},
		{"model_alias", name}, {"model_path", "/models/" + name}, {"build_info", "scripted"}}.json())
}

// ps answers GET /api/ps: the models that were asked, with the context that they were
// loaded with.
func (s *local) ps(w http.ResponseWriter, r *http.Request) {
	s.rec.http(r, nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []any{}
	for _, m := range s.loaded {
		list = append(list, obj{{"name", m.name}, {"model", m.name}, {"size", 0}, {"size_vram", 0}, {"context_length", m.context}})
	}
	writeJSON(w, obj{{"models", list}}.json())
}

// A loadedModel is a model in Ollama's memory.
type loadedModel struct {
	name    string
	context int
}

// load loads a model with the context that a request asks for, or loads it anew.
func (s *local) load(req *request) {
	m := loadedModel{req.Model, min(or(req.wire.Options.NumCtx, usualContext), s.context())}
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(s.loaded, m) {
		return
	}
	s.rec.loads.Add(1)
	s.loaded = append(slices.DeleteFunc(s.loaded, func(old loadedModel) bool { return old.name == m.name }), m)
}
