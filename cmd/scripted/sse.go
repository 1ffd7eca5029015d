package main

import (
	"net/http"
	"time"
)

func msec(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// An httpSink frames events in an HTTP body: server-sent events, or lines of JSON.
type httpSink struct {
	w     http.ResponseWriter
	rc    *http.ResponseController
	link  *link
	noise noise
	named bool // SSE with an event line
	lines bool // NDJSON instead of SSE
	buf   []byte
}

func newSSE(w http.ResponseWriter, r *rule, named bool) *httpSink {
	rc := http.NewResponseController(w)
	l := &link{w: w, sync: rc.Flush, drop: func() { dropHTTP(w) }, chunk: r.Noise.ChunkBytes, left: r.Fault.CutBytes}
	return &httpSink{w: w, rc: rc, link: l, noise: r.Noise, named: named}
}

func (s *httpSink) send(f frame) error {
	s.buf = s.frame(s.buf[:0], f)
	_, err := s.link.Write(s.buf)
	return err
}

func (s *httpSink) frame(b []byte, f frame) []byte {
	if s.lines {
		return append(append(b, f.data...), '\n')
	}
	eol := "\n"
	if s.noise.CRLF {
		eol = "\r\n"
	}
	if s.noise.Comments {
		b = append(append(b, ": ping"...), eol...)
	}
	if s.named {
		b = append(append(append(b, "event: "...), f.name...), eol...)
	}
	b = append(append(b, "data: "...), f.data...)
	return append(append(b, eol...), eol...)
}

func (s *httpSink) flush() error { return s.rc.Flush() }

func (s *httpSink) cut() { dropHTTP(s.w) }
