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
	noise noise
	named bool // SSE with an event line
	lines bool // NDJSON instead of SSE
	left  int  // bytes until the connection is reset; 0 is never
}

func newSSE(w http.ResponseWriter, r *rule, named bool) *httpSink {
	return &httpSink{w: w, rc: http.NewResponseController(w), noise: r.Noise, named: named, left: r.Fault.CutBytes}
}

func (s *httpSink) send(f frame) error {
	b := s.frame(f)
	if s.left == 0 || len(b) < s.left {
		s.left = max(0, s.left-len(b))
		return s.write(b)
	}
	_ = s.write(b[:s.left])
	s.cut()
	return errCut
}

// write delivers bytes in chunks, if the rule says so.
func (s *httpSink) write(b []byte) error {
	size := or(s.noise.ChunkBytes, max(len(b), 1))
	for len(b) > 0 {
		n := min(size, len(b))
		if _, err := s.w.Write(b[:n]); err != nil {
			return err
		}
		if b = b[n:]; s.noise.ChunkBytes > 0 {
			if err := s.rc.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *httpSink) frame(f frame) []byte {
	if s.lines {
		return append(f.data[:len(f.data):len(f.data)], '\n')
	}
	eol := "\n"
	if s.noise.CRLF {
		eol = "\r\n"
	}
	text := ""
	if s.noise.Comments {
		text = ": ping" + eol
	}
	if s.named {
		text += "event: " + f.name + eol
	}
	return []byte(text + "data: " + string(f.data) + eol + eol)
}

func (s *httpSink) flush() error { return s.rc.Flush() }

// cut ends an answer in the middle, without its last chunk.
func (s *httpSink) cut() {
	_ = s.rc.Flush()
	if conn, _, err := s.rc.Hijack(); err == nil {
		_ = conn.Close()
	}
}
