package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"sync/atomic"
)

// maxBody bounds a request: more than any model's window.
const maxBody = 64 << 20

// A server answers requests as its script defines.
type server struct {
	script *script
	rec    *recorder
	mux    *http.ServeMux
	ids    atomic.Int64
	local  *local
}

// A call is one request with the rule that decides its answer.
type call struct {
	req  *request
	rule *rule
	body []byte
	evaluation
}

// endpoints is the list of served paths, with the function that answers each.
var endpoints = []struct {
	path  string
	serve func(*server, http.ResponseWriter, *http.Request, *call)
}{
	{"/responses", (*server).responsesHTTP},
	{"/chat/completions", (*server).chat},
	{"/completions", (*server).completions},
	{"/fim/completions", (*server).mistralFIM},
	{"/edit/completions", (*server).chat},
	{"/messages", (*server).messages},
	{"/completion", (*server).llama},
	{"/infill", (*server).llama},
	{"/api/generate", (*server).ollama},
	{"/api/chat", (*server).ollama},
}

func newServer(sc *script, rec *recorder) *server {
	s := &server{script: sc, rec: rec, mux: http.NewServeMux()}
	s.local = &local{config: &sc.Server, names: s.modelNames(), rec: rec, cache: newCache(sc.Server.Slots)}
	for _, e := range endpoints {
		h := s.post(e.serve)
		for _, prefix := range []string{"", "/v1", "/beta", "/backend-api/codex"} {
			s.mux.Handle("POST "+prefix+e.path, h)
		}
		s.mux.Handle("POST /openai/deployments/{deployment}"+e.path, h)
	}
	s.mux.Handle("POST /openai/v1/{rest...}", http.StripPrefix("/openai", s.mux))
	for _, prefix := range []string{"", "/v1", "/backend-api/codex"} {
		s.mux.HandleFunc("GET "+prefix+"/responses", s.upgrade)
		s.mux.HandleFunc("GET "+prefix+"/models", s.models)
	}
	s.mux.HandleFunc("GET /api/tags", s.ollamaTags)
	s.mux.HandleFunc("GET /api/ps", s.local.ps)
	s.mux.HandleFunc("GET /props", s.local.props)
	s.mux.HandleFunc("GET /api/version", s.ollamaVersion)
	s.mux.HandleFunc("GET /health", s.health)
	s.mux.HandleFunc("GET /v1/tcp_warming", s.health)
	s.mux.HandleFunc("GET /scripted/stats", s.stats)
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

func (s *server) newID(kind string) string { return fmt.Sprintf("%s_%08d", kind, s.ids.Add(1)) }

func (s *server) health(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, obj{{"status", "ok"}}.json())
}

func writeJSON(w http.ResponseWriter, b []byte) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(b)
}

// authorized checks the key, in whichever header the protocol carries it.
func (s *server) authorized(h http.Header) bool {
	want := s.script.Server.Key
	return want == "" || h.Get("Authorization") == "Bearer "+want || h.Get("X-Api-Key") == want || h.Get("Api-Key") == want
}

// post wraps an endpoint in what all of them share: key, body, rule, record and
// faults that replace the answer.
func (s *server) post(serve func(*server, http.ResponseWriter, *http.Request, *call)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			return
		}
		c := &call{body: body}
		if c.req, err = parseRequest(r.URL.Path, body); err == nil {
			c.rule = s.script.match(r.URL.Path, c.req.Model, c.req.text())
		}
		s.rec.http(r, body)
		switch {
		case !s.authorized(r.Header):
			httpError(w, (&fault{}).wire(401))
		case err != nil:
			httpError(w, badRequest("", "", "%s", err))
		default:
			s.answer(w, r, c, serve)
		}
	})
}

// answer applies a fault that replaces the answer, else serves the request.
func (s *server) answer(w http.ResponseWriter, r *http.Request, c *call, serve func(*server, http.ResponseWriter, *http.Request, *call)) {
	for k, v := range c.rule.Headers {
		w.Header().Set(k, v)
	}
	if m := c.rule.ServedModel; m != "" {
		w.Header().Set("Openai-Model", m)
	}
	w.Header().Set("X-Request-Id", s.newID("req"))
	e := c.refused()
	if e == nil {
		e = s.local.tooLong(c)
	}
	if e != nil {
		if sleep(r.Context(), msec(c.rule.DelayMS)) == nil {
			httpError(w, e)
		}
		return
	}
	end, err := s.local.evaluate(r.Context(), c)
	if err != nil {
		s.played(err)
		return
	}
	defer func() { end(c.written.String()) }()
	serve(s, w, r, c)
}

// refused is the error that answers the request, or nil.
func (c *call) refused() *wireError {
	f := &c.rule.Fault
	if param, bad := f.unsupported(c.body); bad {
		e := f.wire(400)
		e.Type, e.Code, e.Param = "invalid_request_error", "unsupported_parameter", param
		e.Message = or(f.Message, fmt.Sprintf("Unsupported parameter: '%s' is not supported with this model.", param))
		return e
	}
	if f.Status == 0 || f.ErrorEvents > 0 {
		return c.req.unpaired()
	}
	e := f.wire(f.Status)
	if strings.HasPrefix(c.req.Where, "ws:") {
		e.Headers = c.rule.Headers
	}
	return e
}

// stream serves an answer as server-sent events.
func (s *server) stream(w http.ResponseWriter, r *http.Request, c *call, named bool, frames iter.Seq[frame]) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	out := newSSE(w, c.rule, named)
	s.played(play(r.Context(), out, c.rule, s.counted(c, frames)))
}

// counted passes the frames on and counts those of text that were written.
func (s *server) counted(c *call, frames iter.Seq[frame]) iter.Seq[frame] {
	return func(yield func(frame) bool) {
		for f := range frames {
			if f.token {
				s.rec.written.Add(1)
				c.written.WriteString(f.text)
			}
			if !yield(f) {
				return
			}
		}
	}
}

// whole serves an answer that is not streamed, at the time a stream would have
// ended.
func (s *server) whole(ctx context.Context, w http.ResponseWriter, c *call, body []byte) {
	delay := msec(c.rule.DelayMS)
	if c.rule.TokensPerSecond > 0 {
		text, _ := answer(c.req, c.rule)
		delay += msec(int(1000 * float64(len(pieces(text))) / c.rule.TokensPerSecond))
	}
	if sleep(ctx, delay) == nil {
		writeJSON(w, body)
	}
}

// played counts answers that their client did not receive to the end.
func (s *server) played(err error) {
	if err != nil {
		s.rec.unfinished.Add(1)
	}
}
