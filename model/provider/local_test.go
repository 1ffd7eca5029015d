package provider

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

func discardLog() *log.Logger { return log.New(io.Discard, "", 0) }

// TestFindLocal holds that servers are recognised by their answer, and that
// another program on a usual port is not taken for one.
func TestFindLocal(t *testing.T) {
	serve := func(path, body string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != path || r.Header.Get("Authorization") != "" {
				http.NotFound(w, r)
				return
			}
			_, _ = io.WriteString(w, body)
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	found := findLocal(t.Context(), []probe{
		{kind: "ollama", address: serve("/api/tags", `{"models":[{"name":"qwen2.5-coder:7b"}]}`), wire: "ollama"},
		{kind: "vllm", address: serve("/v1/models", `{"object":"list","data":[{"id":"b"},{"id":"a"}]}`), wire: "completions", base: "/v1"},
		{kind: "llama.cpp", address: serve("/", "<html>a web page</html>"), wire: "infill"},
		{kind: "lmstudio", address: "http://127.0.0.1:1", wire: "chat"},
	}, nil)
	if len(found) != 2 || found[0].Kind != "ollama" || len(found[1].Models) != 2 || found[1].Models[0].ID != "a" || !strings.HasSuffix(found[1].Provider.BaseURLs[0], "/v1") {
		t.Errorf("found %+v, want ollama and vllm", found)
	}
}

// countingDial dials and counts.
func countingDial(n *int) func(context.Context, string, string) (net.Conn, error) {
	var mu sync.Mutex
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		mu.Lock()
		*n++
		mu.Unlock()
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}
}
