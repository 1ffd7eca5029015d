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

// A recorder writes what arrives to a file, if one is set.
type recorder struct {
	mu      sync.Mutex // guards file
	file    *os.File
	sockets atomic.Int64
}

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
	r.write(obj{{"time", time.Now().UTC().Format(time.RFC3339Nano)}, {"transport", "http"}, {"method", req.Method},
		{"path", req.URL.Path}, {"query", req.URL.RawQuery}, {"headers", flat(req.Header)}}, body)
}

// upgrade records the handshake of a socket.
func (r *recorder) upgrade(req *http.Request) {
	r.write(obj{{"time", time.Now().UTC().Format(time.RFC3339Nano)}, {"transport", "websocket"}, {"method", "GET"},
		{"path", req.URL.Path}, {"query", req.URL.RawQuery}, {"headers", flat(req.Header)}}, nil)
}

// frame records a message of the client on a socket.
func (r *recorder) frame(socket int64, path string, body []byte) {
	r.write(obj{{"time", time.Now().UTC().Format(time.RFC3339Nano)}, {"transport", "websocket"}, {"socket", socket}, {"path", path}}, body)
}

func (r *recorder) write(o obj, body []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return
	}
	var value any = string(body)
	if json.Valid(body) {
		value = json.RawMessage(body)
	}
	_, _ = r.file.Write(append(append(o, kv{"bytes", len(body)}, kv{"body", value}).json(), '\n'))
}

func flat(h http.Header) map[string]string {
	out := map[string]string{}
	for k, v := range h {
		out[strings.ToLower(k)] = strings.Join(v, ", ")
	}
	return out
}
