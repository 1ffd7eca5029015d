package main

import (
	"net/http"
	"time"
)

// A local is what servers on a person's own machine tell besides an answer.
type local struct {
	names []string
	rec   *recorder
}

// usualContext is the context of the server, in tokens.
const usualContext = 131072

// timings are llama.cpp's figures of a call that has written so many tokens.
func (c *call) timings(written int) obj {
	return obj{{"cache_n", 0}, {"prompt_n", c.req.InputTokens}, {"prompt_ms", milliseconds(c.begun.Sub(c.came))}, {"predicted_n", written}, {"predicted_ms", milliseconds(time.Since(c.begun))}}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// durations are Ollama's figures of the same.
func (c *call) durations(written int) []kv {
	return []kv{{"total_duration", int64(time.Since(c.came))}, {"load_duration", 0}, {"prompt_eval_count", c.req.InputTokens},
		{"prompt_eval_duration", int64(c.begun.Sub(c.came))}, {"eval_count", written}, {"eval_duration", int64(time.Since(c.begun))}}
}

// props answers GET /props of llama.cpp's server. n_ctx is that of one slot.
func (s *local) props(w http.ResponseWriter, r *http.Request) {
	s.rec.http(r, nil)
	name := ""
	if len(s.names) > 0 {
		name = s.names[0]
	}
	writeJSON(w, obj{{"default_generation_settings", obj{{"n_ctx", usualContext}}}, {"total_slots", 1},
		{"model_alias", name}, {"model_path", "/models/" + name}, {"build_info", "scripted"}}.json())
}

// ps answers GET /api/ps: the models of the script are loaded.
func (s *local) ps(w http.ResponseWriter, r *http.Request) {
	s.rec.http(r, nil)
	list := []any{}
	for _, name := range s.names {
		list = append(list, obj{{"name", name}, {"model", name}, {"size", 0}, {"size_vram", 0}, {"context_length", usualContext}})
	}
	writeJSON(w, obj{{"models", list}}.json())
}
