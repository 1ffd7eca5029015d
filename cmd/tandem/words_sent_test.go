package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestHiddenWordsAreSaid: a secret in the words of a question leaves with --send-secrets
// alone, and without it that is said.
func TestHiddenWordsAreSaid(t *testing.T) {
	sent := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent += string(body)
		w.WriteHeader(http.StatusBadRequest)
	}))
	defer server.Close()
	h := newHome(t)
	h.write(h.config, oneModel(server.URL))
	h.setKey()
	const question = `why is password = "hunter22xyz9" refused?`
	for _, send := range []bool{false, true} {
		sent = ""
		args := []string{"ask", question}
		if send {
			args = append(args, "--send-secrets")
		}
		_, _, problems := h.run(args...)
		if strings.Contains(sent, "hunter22xyz9") != send || !strings.Contains(sent, "why is password") || strings.Contains(problems, "--send-secrets") == send {
			t.Errorf("--send-secrets %v: sent %q, said %q", send, sent, problems)
		}
	}
}
