package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"tandem/workspace/tokens"
)

// TestASmallLocalServerDoesEverything: one server with 4,096 tokens completes, edits and
// answers, although nothing in the configuration says how small it is.
func TestASmallLocalServerDoesEverything(t *testing.T) {
	const context = 4096
	var took atomic.Int64 // milliseconds for a prompt of 700 tokens
	took.Store(350)
	var mu sync.Mutex
	paths := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var req struct {
			Prompt   string
			Messages []struct{ Content string }
			Output   int `json:"max_tokens"`
			Predict  int `json:"n_predict"`
		}
		_ = json.Unmarshal(body, &req)
		text := req.Prompt
		for _, m := range req.Messages {
			text += m.Content
		}
		n := tokens.Count(text) + req.Output + req.Predict
		mu.Lock()
		paths[r.URL.Path] = max(paths[r.URL.Path], n)
		mu.Unlock()
		w.Header().Set("Content-Type", "text/event-stream")
		switch {
		case r.URL.Path == "/props":
			_, _ = fmt.Fprintf(w, `{"default_generation_settings":{"n_ctx":%d},"total_slots":1,"model_path":"/m/qwen2.5-coder-7b-instruct-q4_k_m.gguf"}`, context)
		case n > context:
			w.WriteHeader(400)
			_, _ = fmt.Fprintf(w, `{"error":{"code":400,"message":"too long","type":"exceed_context_size_error","n_ctx":%d}}`, context)
		case r.URL.Path == "/completion":
			_, _ = io.WriteString(w, fmt.Sprintf("data: {\"content\":\"77 + \",\"stop\":false}\n\ndata: {\"content\":\"\",\"stop\":true,\"stop_type\":\"eos\",\"tokens_evaluated\":700,\"tokens_predicted\":8,"+
				"\"timings\":{\"cache_n\":0,\"prompt_n\":700,\"prompt_ms\":%d,\"predicted_n\":8,\"predicted_ms\":400}}\n\n", took.Load()))
		case r.URL.Path == "/v1/chat/completions":
			answer, _ := json.Marshal("It is in lib.go.\n\n" + block("\treturn 1", "\treturn 10"))
			_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%s},\"finish_reason\":\"stop\"}],\"timings\":{\"cache_n\":0,\"prompt_n\":700,\"prompt_ms\":%d,\"predicted_n\":8,\"predicted_ms\":400}}\n\ndata: [DONE]\n\n", answer, took.Load())
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	h := newHome(t)
	h.write(h.config, "fast = \"own\"\ndeep = \"own\"\nmodels.own.provider = \"llamacpp\"\nmodels.own.model = \"qwen2.5-coder-7b\"\nproviders.llamacpp.base_url = \""+server.URL+"\"\n")
	h.write("go.mod", "module example.com/lib\n")
	h.write("lib.go", lib)
	for i := range 40 {
		var text strings.Builder
		fmt.Fprintf(&text, "package lib\n")
		for k := range 30 {
			fmt.Fprintf(&text, "\n// Retry%d%d says how often One and Two are tried again.\nfunc Retry%d%d(limit int) int {\n\tif limit > %d {\n\t\treturn One() + Two()\n\t}\n\treturn limit * %d\n}\n", i, k, i, k, k, i)
		}
		h.write(fmt.Sprintf("retry%d.go", i), text.String())
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"complete", "retry0.go:6:10"}, "77 +"},
		{[]string{"edit", "lib.go:3-5", "return ten, as Retry00 says"}, "+\treturn 10"},
		{[]string{"ask", "where is the retry limit set?"}, "It is in lib.go."},
		{[]string{"doctor"}, "its server takes 4096 tokens (context_window is 32000), of which tandem uses the smaller number; it fills in as a model of the family qwen; it reads 2000 tokens a second; it writes 20 tokens a second."},
		{[]string{"doctor"}, "; expect a suggestion 430ms after one"},
	} {
		code, out, problems := h.run(c.args...)
		if code != exitDone || !strings.Contains(out, c.want) || strings.Contains(out+problems, "account") {
			t.Errorf("%s: exit %d\n%s%s", c.args[0], code, out, problems)
		}
	}
	took.Store(14_000) // it shares its processor now
	slow := "own reads too slowly: what is new at a key takes it"
	h.run("doctor") // what was kept of the time before counts a little
	if _, out, _ := h.run("doctor"); !strings.Contains(out, slow) || !strings.Contains(out, "B parameters in place of 7B, or set editor.first_text_ms = 1") {
		t.Errorf("a slow server:\n%s", out)
	}
	for path, n := range paths {
		if n > context {
			t.Errorf("%s was sent %d tokens", path, n)
		}
	}
	if paths["/completion"] < context/8 || paths["/v1/chat/completions"] < context/4 {
		t.Errorf("so little was sent that the test shows nothing: %v", paths)
	}
}
