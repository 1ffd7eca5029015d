package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
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

	came, begun time.Time // when the request came, and when its answer began
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
	{"/messages", (*server).messages},
	{"/completion", (*server).llama},
	{"/infill", (*server).llama},
	{"/api/generate", (*server).ollama},
}

func newServer(sc *script, rec *recorder) *server {
	s := &server{script: sc, rec: rec, mux: http.NewServeMux()}
	s.local = &local{names: s.modelNames(), rec: rec}
	for _, e := range endpoints {
		h := s.post(e.serve)
		for _, prefix := range []string{"", "/v1"} {
			s.mux.Handle("POST "+prefix+e.path, h)
		}
	}
	for _, prefix := range []string{"", "/v1"} {
		s.mux.HandleFunc("GET "+prefix+"/responses", s.upgrade)
		s.mux.HandleFunc("GET "+prefix+"/models", s.models)
	}
	s.mux.HandleFunc("GET /api/ps", s.local.ps)
	s.mux.HandleFunc("GET /props", s.local.props)
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

func (s *server) newID(kind string) string { return fmt.Sprintf("%s_%08d", kind, s.ids.Add(1)) }

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
		c := &call{came: time.Now()}
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
	if e := c.refused(); e != nil {
		if sleep(r.Context(), msec(c.rule.DelayMS)) == nil {
			httpError(w, e)
		}
		return
	}
	c.begun = time.Now()
	serve(s, w, r, c)
}

// refused is the error that answers the request, or nil.
func (c *call) refused() *wireError {
	f := &c.rule.Fault
	for _, name := range f.Unsupported {
		if c.req.members[name] != nil {
			e := f.wire(400)
			e.Type, e.Code, e.Param = "invalid_request_error", "unsupported_parameter", name
			e.Message = or(f.Message, fmt.Sprintf("Unsupported parameter: '%s' is not supported with this model.", name))
			return e
		}
	}
	if f.Status == 0 {
		return nil
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
	_ = play(r.Context(), out, c.rule, frames) // the client has gone, or the script cuts it off
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
