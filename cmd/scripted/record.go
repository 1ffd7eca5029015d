package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A recorder counts what arrives and, if a file is set, writes it to the file.
type recorder struct {
	mu   sync.Mutex // guards file and last
	file *os.File
	last []lastRequest

	requests, bytes, upgrades, sockets, open, frames, delta, full, warm, unfinished, evaluated, written, loads atomic.Int64
}

// A lastRequest is the short form of a request, for assertions.
type lastRequest struct {
	Path       string `json:"path"`
	Bytes      int    `json:"bytes"`
	Model      string `json:"model,omitempty"`
	InputItems int    `json:"input_items"`
	Previous   string `json:"previous_response_id,omitempty"`
}

// keptRequests is how many short forms are kept.
const keptRequests = 100

func newRecorder(file string) (*recorder, error) {
	r := &recorder{}
	if file == "" {
		return r, nil
	}
	var err error
	if r.file, err = os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
		return nil, fmt.Errorf("cannot record: %w", err)
	}
	return r, nil
}

func (r *recorder) close() {
	if r.file != nil {
		_ = r.file.Close()
	}
}

// http records a request with its headers and body.
func (r *recorder) http(req *http.Request, body []byte) {
	r.requests.Add(1)
	r.write(obj{{"time", time.Now().UTC().Format(time.RFC3339Nano)}, {"transport", "http"}, {"method", req.Method},
		{"path", req.URL.Path}, {"query", req.URL.RawQuery}, {"headers", flat(req.Header)}}, req.URL.Path, body)
}

// upgrade records the handshake of a socket.
func (r *recorder) upgrade(req *http.Request) {
	r.upgrades.Add(1)
	r.write(obj{{"time", time.Now().UTC().Format(time.RFC3339Nano)}, {"transport", "websocket"}, {"method", "GET"},
		{"path", req.URL.Path}, {"query", req.URL.RawQuery}, {"headers", flat(req.Header)}}, "upgrade:"+req.URL.Path, nil)
}

// frame records a message of the client on a socket.
func (r *recorder) frame(socket int64, path string, body []byte) {
	r.frames.Add(1)
	r.write(obj{{"time", time.Now().UTC().Format(time.RFC3339Nano)}, {"transport", "websocket"}, {"socket", socket}, {"path", path}}, "ws:"+path, body)
}

func (r *recorder) write(o obj, path string, body []byte) {
	r.bytes.Add(int64(len(body)))
	short := shorten(path, body)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last = append(r.last, short); len(r.last) > keptRequests {
		r.last = r.last[1:]
	}
	if r.file == nil {
		return
	}
	var value any = string(body)
	if json.Valid(body) {
		value = json.RawMessage(body)
	}
	_, _ = r.file.Write(append(append(o, kv{"bytes", len(body)}, kv{"body", value}).json(), '\n'))
}

func shorten(path string, body []byte) lastRequest {
	l := lastRequest{Path: path, Bytes: len(body)}
	var w struct {
		Model    string            `json:"model"`
		Previous string            `json:"previous_response_id"`
		Input    json.RawMessage   `json:"input"`
		Messages []json.RawMessage `json:"messages"`
	}
	if json.Unmarshal(body, &w) != nil {
		return l
	}
	var items []json.RawMessage
	if json.Unmarshal(w.Input, &items) != nil && len(w.Input) > 0 {
		items = items[:0]
		l.InputItems = 1
	}
	l.Model, l.Previous = w.Model, w.Previous
	l.InputItems += len(items) + len(w.Messages)
	return l
}

func flat(h http.Header) map[string]string {
	out := map[string]string{}
	for k, v := range h {
		out[strings.ToLower(k)] = strings.Join(v, ", ")
	}
	return out
}

// countRequest counts a socket's request by how it refers to earlier input.
func (r *recorder) countRequest(req *request) {
	switch {
	case req.wire.Generate != nil && !*req.wire.Generate:
		r.warm.Add(1)
	case req.wire.PreviousResponseID != "":
		r.delta.Add(1)
	default:
		r.full.Add(1)
	}
}

// stats answers GET /scripted/stats.
func (s *server) stats(w http.ResponseWriter, _ *http.Request) {
	r := s.rec
	r.mu.Lock()
	last := append([]lastRequest{}, r.last...)
	r.mu.Unlock()
	writeJSON(w, obj{{"requests", r.requests.Load()}, {"upgrades", r.upgrades.Load()}, {"sockets", r.sockets.Load()},
		{"sockets_open", r.open.Load()}, {"frames", r.frames.Load()}, {"bytes", r.bytes.Load()}, {"delta", r.delta.Load()},
		{"full", r.full.Load()}, {"warm", r.warm.Load()}, {"unfinished", r.unfinished.Load()},
		{"prompt_tokens", r.evaluated.Load()}, {"output_tokens", r.written.Load()}, {"loads", r.loads.Load()}, {"last", last}}.json())
}
