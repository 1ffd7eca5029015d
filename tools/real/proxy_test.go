package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestProxyPassesADisconnectOn(t *testing.T) {
	left := make(chan struct{})
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		fmt.Fprint(w, "data: {\"content\":\"one\"}\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done() // what awaits no end notices its client's
		close(left)
	}))
	defer model.Close()
	p, err := startProxy(model.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	ctx, disconnect := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.listener.URL+"/completion", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(reply.Body).ReadString('\n'); err != nil || !strings.Contains(line, "one") {
		t.Fatalf("%q, %v", line, err)
	}
	if !p.wrote("one") {
		t.Error("what the model wrote is not noted while it writes")
	}
	disconnect()
	reply.Body.Close()
	<-left
	taken := p.take()
	if len(taken) != 1 || taken[0].Finished || taken[0].Tokens != 1 {
		t.Errorf("noted %+v", taken)
	}
}

func TestProxyNotesAnswersOfAllDialects(t *testing.T) {
	for name, c := range map[string]struct{ path, body, want string }{
		"llama.cpp whole":  {"/completion", `{"content":"a b","tokens_predicted":2,"timings":{"prompt_n":7}}`, "a b 2 7"},
		"llama.cpp pieces": {"/infill", "data: {\"content\":\"a\"}\n\ndata: {\"content\":\" b\",\"timings\":{\"prompt_n\":7}}\n\n", "a b 2 7"},
		"chat pieces":      {"/v1/chat/completions", "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\" b\"}}]}\n\ndata: [DONE]\n\n", "a b 2 0"},
		"Ollama":           {"/api/generate", "{\"response\":\"a\"}\n{\"response\":\" b\"}\n", "a b 2 0"},
	} {
		t.Run(name, func(t *testing.T) {
			model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, c.body) }))
			defer model.Close()
			p, err := startProxy(model.URL)
			if err != nil {
				t.Fatal(err)
			}
			defer p.close()
			reply, err := http.Post(p.listener.URL+c.path, "application/json", strings.NewReader("{}"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadAll(reply.Body); err != nil {
				t.Fatal(err)
			}
			reply.Body.Close()
			noted := p.take()
			if len(noted) != 1 || !noted[0].Finished {
				t.Fatalf("noted %+v", noted)
			}
			if got := fmt.Sprint(noted[0].Text, " ", noted[0].Tokens, " ", noted[0].Prompt); got != c.want {
				t.Errorf("noted %q, want %q", got, c.want)
			}
		})
	}
}
