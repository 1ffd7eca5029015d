package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// A proxy passes requests on to the model's server and notes what became of them. A client
// that disconnects is passed on too: else the server would go on with what nobody awaits.
type proxy struct {
	listener *httptest.Server

	mu       sync.Mutex // guards requests and what they hold
	requests []*request
}

// A request is one that asked for text.
type request struct {
	Path     string
	Start    time.Time
	Prompt   int // tokens evaluated, as far as the server said
	Whole    int // of the prompt, with those that the server had
	Text     string
	Tokens   int // pieces of text that came
	Finished bool
}

// asks are the paths that ask a model for text.
var asks = []string{"/completion", "/completions", "/infill", "/generate"}

func startProxy(address string) (*proxy, error) {
	target, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	p := &proxy{}
	onward := httputil.NewSingleHostReverseProxy(target)
	onward.FlushInterval = -1
	onward.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) } // a disconnect is no news
	onward.ModifyResponse = func(reply *http.Response) error {
		if noted, ok := reply.Request.Context().Value(requestKey{}).(*request); ok {
			reply.Body = &reader{ReadCloser: reply.Body, proxy: p, request: noted}
		}
		return nil
	}
	p.listener = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !slices.ContainsFunc(asks, func(end string) bool { return strings.HasSuffix(r.URL.Path, end) }) {
			onward.ServeHTTP(w, r)
			return
		}
		noted := &request{Path: r.URL.Path, Start: time.Now()}
		p.mu.Lock()
		p.requests = append(p.requests, noted)
		p.mu.Unlock()
		onward.ServeHTTP(w, r.WithContext(withRequest(r.Context(), noted)))
	}))
	return p, nil
}

type requestKey struct{}

func withRequest(ctx context.Context, r *request) context.Context {
	return context.WithValue(ctx, requestKey{}, r)
}

func (p *proxy) close() {
	p.listener.CloseClientConnections()
	p.listener.Close()
}

// take returns the requests so far and forgets them.
func (p *proxy) take() []*request {
	p.mu.Lock()
	defer p.mu.Unlock()
	taken := p.requests
	p.requests = nil
	return taken
}

// wrote reports whether a text is part of what the model has written by now.
func (p *proxy) wrote(text string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.requests, func(r *request) bool { return strings.Contains(r.Text, text) })
}

// A reader notes an answer on its way.
type reader struct {
	io.ReadCloser
	proxy   *proxy
	request *request
	rest    []byte // of a line
}

func (r *reader) Read(b []byte) (int, error) {
	n, err := r.ReadCloser.Read(b)
	r.rest = append(r.rest, b[:n]...)
	for {
		end := bytes.IndexByte(r.rest, '\n')
		if end < 0 {
			break
		}
		r.note(r.rest[:end])
		r.rest = r.rest[end+1:]
	}
	if err == io.EOF {
		r.note(r.rest)
		r.proxy.mu.Lock()
		r.request.Finished = true
		r.proxy.mu.Unlock()
	}
	return n, err
}

// A piece is what the servers' dialects say in one event, or in a whole answer.
type piece struct {
	Content  string `json:"content"`
	Response string `json:"response"`
	Written  int    `json:"tokens_predicted"`
	Choices  []struct {
		Text    string                   `json:"text"`
		Delta   struct{ Content string } `json:"delta"`
		Message struct{ Content string } `json:"message"`
	} `json:"choices"`
	Timings struct {
		Prompt  int `json:"prompt_n"` // without what was in the server's cache
		Cached  int `json:"cache_n"`
		Written int `json:"predicted_n"`
	} `json:"timings"`
}

// note takes in a line of an answer.
func (r *reader) note(line []byte) {
	var p piece
	if json.Unmarshal(bytes.TrimPrefix(line, []byte("data: ")), &p) != nil {
		return
	}
	text := p.Content + p.Response
	for _, c := range p.Choices {
		text += c.Text + c.Delta.Content + c.Message.Content
	}
	r.proxy.mu.Lock()
	defer r.proxy.mu.Unlock()
	if text != "" {
		r.request.Text += text
		r.request.Tokens++
	}
	r.request.Tokens = max(r.request.Tokens, p.Written, p.Timings.Written)
	r.request.Prompt = max(r.request.Prompt, p.Timings.Prompt)
	r.request.Whole = max(r.request.Whole, p.Timings.Prompt+p.Timings.Cached)
}
