// Package zoekt searches a Zoekt server (the search engine behind Sourcegraph) for
// code in more repositories than the workspace has, so that its hits become part
// of the context window.
//
// Invariant: a search never makes a caller wait longer than its context allows,
// and a server that fails gets no request for a while. Only names are sent, never
// code. There is deliberately no retry and no index of its own.
package zoekt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Options are the address of a server and the settings of its searches.
type Options struct {
	URL     string        // of the zoekt-webserver, such as https://search.example.com
	Query   string        // added to every query, such as "r:backend"; may be empty
	Timeout time.Duration // of one search; 0 takes DefaultTimeout
	// Transport makes the requests, of which none follows a redirect to another
	// host; nil is http.DefaultTransport.
	Transport http.RoundTripper
}

// DefaultTimeout bounds a search if Options set no timeout.
const DefaultTimeout = 300 * time.Millisecond

// Limits of what is requested and accepted.
const (
	maxFiles     = 8       // files of an answer
	contextLines = 2       // above and below a hit
	maxAnswer    = 8 << 20 // bytes of an answer
	maxHit       = 4 << 10 // bytes of a hit; a longer one is a table or a minified line
)

// A Client asks one server. It may be used by any number of goroutines.
type Client struct {
	base    *url.URL
	query   string
	timeout time.Duration
	http    *http.Client
}

// New returns a client. The error states what is wrong with the address.
func New(o Options) (*Client, error) {
	base, err := url.Parse(o.URL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("the search server's address %q is no http or https URL; correct search.url", o.URL)
	}
	c := &Client{base: base, query: strings.TrimSpace(o.Query), timeout: o.Timeout, http: &http.Client{Transport: o.Transport, CheckRedirect: sameHost}}
	if c.timeout <= 0 {
		c.timeout = DefaultTimeout
	}
	return c, nil
}

func sameHost(r *http.Request, via []*http.Request) error {
	if len(via) > 3 || r.URL.Host != via[0].URL.Host || r.URL.Scheme != via[0].URL.Scheme {
		return errors.New("it redirects to another address")
	}
	return nil
}

// A Hit is a piece of a file that matched.
type Hit struct {
	Repository string
	File       string // its path in the repository
	Line       int    // of the first line of Text, from 1
	Text       string // whole lines
	Symbols    []string
}

// A QueryError means that the server does not understand a query.
type QueryError struct{ Message string }

// Error is one sentence.
func (e *QueryError) Error() string {
	return "the search server rejects the query: " + e.Message + "; correct search.query"
}

// Search returns the best hits of a query in Zoekt's language, the best first.
// Its error is a *QueryError, or states why the server gave no answer.
func (c *Client) Search(ctx context.Context, query string) ([]Hit, error) {
	if c.query != "" {
		query = "(" + query + ") " + c.query
	}
	var answer struct{ Result result }
	err := c.post(ctx, "api/search", request{Q: query, Opts: &options{MaxDocDisplayCount: maxFiles, NumContextLines: contextLines, ChunkMatches: true}}, &answer)
	if err != nil {
		return nil, err
	}
	return answer.Result.hits(), nil
}

// The JSON of requests and answers.
type (
	request struct {
		Q    string
		Opts *options `json:",omitempty"`
	}
	options struct {
		MaxDocDisplayCount int
		NumContextLines    int
		ChunkMatches       bool
	}
	result struct{ Files []file }
	file   struct {
		FileName, Repository string
		ChunkMatches         []chunk
	}
	chunk struct {
		Content      []byte
		FileName     bool // the name matched, not the content
		ContentStart struct{ LineNumber int }
		SymbolInfo   []*struct{ Sym string }
	}
)

func (r result) hits() []Hit {
	var out []Hit
	for _, f := range r.Files {
		for _, m := range f.ChunkMatches {
			if m.FileName || len(m.Content) == 0 || len(m.Content) > maxHit || m.ContentStart.LineNumber < 1 {
				continue
			}
			hit := Hit{Repository: f.Repository, File: f.FileName, Line: m.ContentStart.LineNumber, Text: string(m.Content)}
			for _, s := range m.SymbolInfo {
				if s != nil {
					hit.Symbols = append(hit.Symbols, s.Sym)
				}
			}
			out = append(out, hit)
		}
	}
	return out
}

// post sends a request and reads the answer.
func (c *Client) post(ctx context.Context, path string, body request, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	data, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("prepare a search: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base.JoinPath(path).String(), bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("prepare a search: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(req)
	if err != nil {
		return c.failure(err)
	}
	defer response.Body.Close()
	reply := io.LimitReader(response.Body, maxAnswer)
	if response.StatusCode != http.StatusOK {
		return c.refusal(response.StatusCode, reply)
	}
	if err := json.NewDecoder(reply).Decode(answer); err != nil {
		return c.failure(fmt.Errorf("its answer cannot be read: %w", err))
	}
	return nil
}

func (c *Client) failure(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return fmt.Errorf("the search server at %s gives no answer: %w; check search.url, windows go on without it", c.base.Host, err)
}

func (c *Client) refusal(status int, body io.Reader) error {
	var reply struct{ Error string }
	if err := json.NewDecoder(body).Decode(&reply); err == nil && status == http.StatusBadRequest {
		return &QueryError{reply.Error}
	}
	return c.failure(fmt.Errorf("HTTP status %d", status))
}
