package provider

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"tandem/model"
	"tandem/model/provider/dialect"
)

// encodedAs is the body of a request in a wire API.
// TestStopStrings holds that an answer ends before a stop string, wherever the
// server splits it.
func TestStopStrings(t *testing.T) {
	for _, c := range []struct{ text, want string }{{"abcSTOPdef", "abc"}, {"abcSTO", "abcSTO"}, {"abc\n\n\ndef", "abc"}, {"SSTOP", "S"}, {"", ""}} {
		for size := 1; size < 6; size++ {
			s := newStopper(dialect.All["responses"], []string{"STOP", "\n\n"})
			got, stopped := "", false
			for i := 0; i < len(c.text) && !stopped; i += size {
				var out []byte
				out, stopped = s.filter([]byte(c.text[i:min(i+size, len(c.text))]), false)
				got += string(out)
			}
			if !stopped {
				out, _ := s.filter(nil, true)
				got += string(out)
			}
			if got != c.want {
				t.Errorf("%q in pieces of %d gives %q, want %q", c.text, size, got, c.want)
			}
		}
	}
}

// TestUnsupportedParameter holds that a refused parameter is dropped, reported
// and remembered, also by another client of the same program.
func TestUnsupportedParameter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newFakeNet(t)
		var mu sync.Mutex
		var bodies []string
		stop := n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			b, _ := io.ReadAll(r.Body)
			mu.Lock()
			bodies = append(bodies, string(b))
			mu.Unlock()
			for _, param := range []string{"temperature", "verbosity"} {
				if strings.Contains(string(b), `"`+param+`"`) {
					full := map[string]string{"verbosity": "text.verbosity"}[param]
					fail(w, 400, `{"error":{"type":"invalid_request_error","code":"unsupported_parameter","param":"`+cmp.Or(full, param)+`","message":"no"}}`)
					return
				}
			}
			ok(w)
		}))
		defer stop()
		shared, warm := NewShared(), 0.5
		setup := func(_ *model.ProviderConfig, m *model.ModelConfig, o *Options) {
			m.Temperature, m.Verbosity, o.Shared = &warm, "low", shared
		}
		first, obs := newTestClient(t, n, setup)
		defer first.Close()
		wantText(t, ask(t, t.Context(), first, hello()))
		if !slices.Equal(obs.dropped, []string{"temperature", "text.verbosity"}) || len(bodies) != 3 {
			t.Errorf("dropped %q in %d requests, want both in 3", obs.dropped, len(bodies))
		}
		second, obs := newTestClient(t, n, setup)
		defer second.Close()
		wantText(t, ask(t, t.Context(), second, hello()))
		if len(bodies) != 4 || len(obs.dropped) != 0 {
			t.Errorf("the second client sent %d requests and reported %q, want 1 and nothing", len(bodies)-3, obs.dropped)
		}
	})
}

// TestOutputStaysBounded holds that a model that requires the newer name of the
// bound gets it, instead of no bound.
func TestOutputStaysBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newFakeNet(t)
		last := ""
		stop := n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			b, _ := io.ReadAll(r.Body)
			if last = string(b); strings.Contains(last, `"max_tokens"`) {
				fail(w, 400, `{"error":{"code":"unsupported_parameter","param":"max_tokens","message":"Use 'max_completion_tokens' instead."}}`)
				return
			}
			stream(w, chatEvents("one ", "two"))
		}))
		defer stop()
		client, _ := newTestClient(t, n, func(p *model.ProviderConfig, _ *model.ModelConfig, _ *Options) { p.WireAPI = "chat" })
		defer client.Close()
		wantText(t, ask(t, t.Context(), client, hello()))
		if !strings.Contains(last, `"max_completion_tokens":4096`) {
			t.Errorf("no bound in %s", last)
		}
	})
}

// TestSeveralAddresses holds that base URLs are used round-robin, and that one
// that is down is skipped without an error.
func TestSeveralAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newFakeNet(t)
		var mu sync.Mutex
		hits := map[string]int{}
		down := map[string]bool{}
		for _, host := range []string{"a.test", "b.test"} {
			stop := n.serve(host+":80", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				hits[host]++
				bad := down[host]
				mu.Unlock()
				if bad {
					fail(w, 503, "{}")
					return
				}
				ok(w)
			}))
			defer stop()
		}
		client, _ := newTestClient(t, n, func(p *model.ProviderConfig, _ *model.ModelConfig, _ *Options) {
			p.BaseURLs = []string{"http://a.test/v1", "http://b.test/v1", "http://gone.test/v1"}
		})
		defer client.Close()
		for range 10 {
			wantText(t, ask(t, t.Context(), client, hello()))
		}
		if hits["a.test"] < 4 || hits["b.test"] < 4 {
			t.Errorf("ten requests went %v, want both about as often", hits)
		}
		mu.Lock()
		down["a.test"] = true
		clear(hits)
		mu.Unlock()
		for range 6 {
			if got := ask(t, t.Context(), client, hello()); got.text != "one two" || got.took > 0 {
				t.Errorf("with one address down: %q, %v after %v", got.text, got.err, got.took)
			}
		}
		if hits["a.test"] != 1 {
			t.Errorf("the address that is down was asked %d times, want once", hits["a.test"])
		}
	})
}

// TestRotatedKey holds that a refused token is requested again once.
func TestRotatedKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newFakeNet(t)
		stop := n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer fresh-token" {
				fail(w, 401, `{}`)
				return
			}
			ok(w)
		}))
		defer stop()
		token := "stale-token"
		client, obs := newTestClient(t, n, func(_ *model.ProviderConfig, _ *model.ModelConfig, o *Options) {
			o.Key = func(context.Context) (model.Secret, error) { return model.NewSecret(token), nil }
			o.Rejected = func(model.Secret) { token = "fresh-token" }
		})
		defer client.Close()
		wantText(t, ask(t, t.Context(), client, hello()))
		token = "wrong-token"
		if got := ask(t, t.Context(), client, hello()); got.text != "one two" || obs.requests() != 4 {
			t.Errorf("gives %q, %v after %d requests", got.text, got.err, obs.requests())
		}
	})
}

// TestServedName: what a server calls its model is one short line of visible characters.
func TestServedName(t *testing.T) {
	for said, want := range map[string]string{"gpt-5 mini": "gpt-5 mini", "a\x1b[31mb\r\nc\u202ed\u200be\U000E0041\xff": "a[31mbcde", strings.Repeat("é", 500): strings.Repeat("é", maxName)} {
		if got := nameOf(said); got != want {
			t.Errorf("nameOf(%q) = %q, want %q", said, got, want)
		}
	}
}
