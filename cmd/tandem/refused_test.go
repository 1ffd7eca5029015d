package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestRefusedParametersAreKept: a parameter that a server refused is left out by the next run too, of
// this server and model alone.
func TestRefusedParametersAreKept(t *testing.T) {
	refused, asked := 0, 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method == http.MethodGet {
			http.NotFound(w, r)
			return
		}
		asked++
		if strings.Contains(string(body), `"max_tokens"`) && strings.Contains(string(body), `"model":"small"`) {
			refused++
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, (wireEnd{wire: "chat", word: "stop"}).frames("A returns one.\n"))
	}))
	defer s.Close()
	h := newHome(t)
	config := func(served string) {
		h.write(h.config, fmt.Sprintf("fast = \"m\"\n[models.m]\nprovider = \"p\"\nmodel = %q\ncontext_window = 64000\nmax_output_tokens = 4096\ninput_price = 0.0\noutput_price = 0.0\n[providers.p]\nbase_url = \"%s/v1\"\nwire_api = \"chat\"\n", served, s.URL))
	}
	config("small")
	h.write("a.go", endsFile)
	for run := range 2 {
		if code, _, stderr := h.run("ask", "what does A return?"); code != exitDone || refused != 1 {
			t.Errorf("run %d: exit %d, refused %d times: %s", run, code, refused, stderr)
		}
	}
	if asked != 3 {
		t.Errorf("%d requests, want 3", asked)
	}
	config("large")
	if code, _, stderr := h.run("ask", "what does A return?"); code != exitDone || refused != 1 {
		t.Errorf("another model: exit %d, %s", code, stderr)
	}
}

// TestWaitsAreSaid: who waits because a server asked for it reads how long, and why.
func TestWaitsAreSaid(t *testing.T) {
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			http.NotFound(w, r)
			return
		}
		if asked++; asked == 1 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = io.WriteString(w, `{"error":{"message":"Too many requests."}}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, (wireEnd{wire: "chat", word: "stop"}).frames("A returns one.\n"))
	}))
	defer s.Close()
	h := newHome(t)
	h.write(h.config, fmt.Sprintf("fast = \"m\"\n[models.m]\nprovider = \"p\"\nmodel = \"small\"\ncontext_window = 64000\ninput_price = 0.0\noutput_price = 0.0\n[providers.p]\nbase_url = \"%s/v1\"\nwire_api = \"chat\"\n", s.URL))
	h.write("a.go", endsFile)
	code, out, stderr := h.run("ask", "what does A return?")
	if code != exitDone || asked != 2 || !strings.Contains(out, "A returns one.") || !strings.Contains(strings.ToLower(stderr), "wait a second") {
		t.Errorf("exit %d, %d requests: %s%s", code, asked, out, stderr)
	}
}
