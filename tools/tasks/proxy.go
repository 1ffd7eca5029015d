package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"sync"
	"time"
)

// A lineProxy passes requests on to a model's server, and notes when the first line of a
// plan passes in an answer.
type lineProxy struct {
	server *httptest.Server

	mu   sync.Mutex // guards line
	line time.Time
}

// listen returns the address that stands for a server's.
func (p *lineProxy) listen(address string) (string, error) {
	target, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.FlushInterval = -1
	proxy.ModifyResponse = func(r *http.Response) error {
		r.Body = &lineWatch{ReadCloser: r.Body, proxy: p}
		return nil
	}
	p.server = httptest.NewServer(proxy)
	return p.server.URL, nil
}

func (p *lineProxy) close() {
	p.server.CloseClientConnections()
	p.server.Close()
}

func (p *lineProxy) reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.line = time.Time{}
}

func (p *lineProxy) passed() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.line
}

// A lineWatch is the body of an answer on its way.
type lineWatch struct {
	io.ReadCloser
	proxy *lineProxy
	seen  []byte
}

// lineEnd is a piece of text with the end of a line.
var lineEnd = regexp.MustCompile(`output_text\.delta"[^\n]*"delta":"[^"]*\\n`)

func (w *lineWatch) Read(b []byte) (int, error) {
	n, err := w.ReadCloser.Read(b)
	w.proxy.mu.Lock()
	defer w.proxy.mu.Unlock()
	if w.proxy.line.IsZero() && len(w.seen) < 1<<20 {
		if w.seen = append(w.seen, b[:n]...); lineEnd.Match(w.seen) {
			w.proxy.line = time.Now()
		}
	}
	return n, err
}
