package provider

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"tandem/model"
	"tandem/workspace/redact"
)

// servers are those that people run themselves, and what each must get for one place in a
// file: at which address, and in which words.
var servers = []struct {
	name, wire, base string
	model            model.ModelConfig
	path, body       string
	piece            string // of a stream that never ends
}{
	{name: "llama.cpp", wire: "infill", model: model.ModelConfig{Model: "qwen2.5-coder-1.5b-q8_0.gguf"}, path: "/completion",
		body: `{"prompt":"<|repo_name|>store\n<|file_sep|>b.py\nB = 1\n<|file_sep|>a.py\n<|fim_prefix|>x = <|fim_suffix|>\n<|fim_middle|>",` +
			`"model":"qwen2.5-coder-1.5b-q8_0.gguf","n_predict":48,"cache_prompt":true,"temperature":0,"stop":["<|endoftext|>","<|file_sep|>","<|repo_name|>","<|fim_pad|>","<|im_end|>"],"stream":true,"n_probs":1,"timings_per_token":true,"return_progress":true}`,
		piece: "data: {\"content\":\"y\",\"stop\":false}\n\n"},
	{name: "llama.cpp with an unknown model", wire: "infill", model: model.ModelConfig{Model: "mine"}, path: "/infill",
		body:  `{"input_prefix":"x = ","input_suffix":"\n","input_extra":[{"filename":"b.py","text":"B = 1\n"}],"model":"mine","n_predict":48,"cache_prompt":true,"temperature":0,"stream":true,"n_probs":1,"timings_per_token":true,"return_progress":true}`,
		piece: "data: {\"content\":\"y\",\"stop\":false}\n\n"},
	{name: "Ollama", wire: "ollama", model: model.ModelConfig{Model: "deepseek-coder:6.7b-base", ContextWindow: 8192}, path: "/api/generate",
		body: `{"model":"deepseek-coder:6.7b-base","prompt":"#b.py\nB = 1\n<｜fim▁begin｜>x = <｜fim▁hole｜>\n<｜fim▁end｜>","raw":true,"logprobs":true,"stream":true,"keep_alive":"30m","shift":false,"truncate":false,` +
			`"options":{"num_predict":48,"num_ctx":8192,"temperature":0,"stop":["<｜end▁of▁sentence｜>","<｜fim▁begin｜>","<|EOT|>"]}}`,
		piece: "{\"response\":\"y\",\"done\":false}\n"},
	{name: "vLLM", wire: "chat", base: "/v1", model: model.ModelConfig{Model: "bigcode/starcoder2-7b", FIM: "starcoder"}, path: "/v1/completions",
		body: `{"model":"bigcode/starcoder2-7b","prompt":"<repo_name>store<file_sep>b.py\nB = 1\n<file_sep><fim_prefix>a.py\nx = <fim_suffix>\n<fim_middle>","stream":true,"stream_options":{"include_usage":true},` +
			`"max_tokens":48,"temperature":0,"stop":["<|endoftext|>","<file_sep>","<repo_name>","<fim_prefix>"]}`,
		piece: "data: {\"choices\":[{\"index\":0,\"text\":\"y\"}]}\n\n"},
	{name: "LM Studio", wire: "chat", base: "/v1", model: model.ModelConfig{Model: "seed-coder-8b-base", FIM: "seed-coder"}, path: "/v1/completions",
		body: `{"model":"seed-coder-8b-base","prompt":"<[fim-suffix]>\n<[fim-prefix]># Path: b.py\n# B = 1\n# Path: a.py\nx = <[fim-middle]>","stream":true,"stream_options":{"include_usage":true},` +
			`"max_tokens":48,"temperature":0,"stop":["<[end▁of▁sentence]>","<[fim-suffix]>","<[fim-prefix]>"]}`,
		piece: "data: {\"choices\":[{\"index\":0,\"text\":\"y\"}]}\n\n"},
	{name: "Mistral", wire: "mistral-fim", base: "/v1", model: model.ModelConfig{Model: "codestral-latest"}, path: "/v1/fim/completions",
		body:  `{"model":"codestral-latest","prompt":"+++++ b.py\nB = 1\n\n+++++ a.py\nx = ","suffix":"\n","max_tokens":48,"temperature":0,"stop":["</s>","\n+++++ ","[PREFIX]","[SUFFIX]"],"stream":true}`,
		piece: "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"y\"}}]}\n\n"},
	{name: "a server of completions", wire: "completions", base: "/v1", model: model.ModelConfig{Model: "JetBrains/Mellum-4b-base"}, path: "/v1/completions",
		body: `{"model":"JetBrains/Mellum-4b-base","prompt":"<filename>b.py\nB = 1\n<filename>a.py\n<fim_suffix>\n<fim_prefix>x = <fim_middle>","stream":true,"stream_options":{"include_usage":true},` +
			`"max_tokens":48,"temperature":0,"stop":["<|endoftext|>","<filename>","<fim_suffix>"]}`,
		piece: "data: {\"choices\":[{\"index\":0,\"text\":\"y\"}]}\n\n"},
}

func fillRequest() *model.Request {
	return &model.Request{ID: "q", Purpose: model.Complete, MaxOutputTokens: 48, Instructions: redact.Said("Say it."), Input: []model.Message{{Role: "user", Text: redact.Said("in words")}},
		Fill: &model.Infill{Path: redact.Said("a.py"), Repository: redact.Said("store"), Prefix: redact.Said("x = "), Suffix: redact.Said("\n"), Extra: []model.Excerpt{{Path: redact.Said("b.py"), Text: redact.Said("B = 1\n")}}}}
}

// TestServersGetTheirForm holds what every server gets, and that it may stop as soon as the
// caller has what it wants: its connection is closed while it would go on for ever.
func TestServersGetTheirForm(t *testing.T) {
	for _, c := range servers {
		t.Run(c.name, func(t *testing.T) {
			ended := make(chan struct{})
			var path, body string
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				defer close(ended)
				all, _ := io.ReadAll(r.Body)
				path, body = r.URL.Path, string(all)
				if strings.HasPrefix(c.piece, "data") {
					w.Header().Set("Content-Type", "text/event-stream")
				}
				for r.Context().Err() == nil {
					if _, err := io.WriteString(w, c.piece); err != nil {
						return
					}
					_ = http.NewResponseController(w).Flush()
					time.Sleep(time.Millisecond)
				}
			}))
			defer s.Close()
			client, err := New(model.ProviderConfig{Name: "p", BaseURLs: []string{s.URL + c.base}, WireAPI: c.wire}, c.model, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			for d, err := range client.Stream(t.Context(), fillRequest()) {
				if err != nil {
					t.Fatal(err)
				}
				if d.Text != "" {
					break
				}
			}
			select {
			case <-ended:
			case <-time.After(30 * time.Second):
				s.CloseClientConnections()
				t.Fatal("the server goes on although nobody reads")
			}
			if path != c.path || body != c.body {
				t.Errorf("%s %s\nwant %s %s", path, body, c.path, c.body)
			}
		})
	}
}

// TestAModelThatCannotFillIsAskedInWords holds that a refusal to fill in is met by a
// conversation, at once and from then on, and said once.
func TestAModelThatCannotFillIsAskedInWords(t *testing.T) {
	for wire, refusal := range map[string]struct {
		status int
		body   string
	}{
		"infill": {501, `{"error":{"code":501,"message":"Infill is not supported by this model: prefix token is missing.","type":"not_supported_error"}}`},
		"ollama": {400, `{"error":"registry.ollama.ai/library/llama3:latest does not support insert"}`},
	} {
		var paths []string
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			paths = append(paths, r.URL.Path)
			body, _ := io.ReadAll(r.Body)
			switch {
			case !strings.Contains(string(body), "in words"):
				w.WriteHeader(refusal.status)
				_, _ = io.WriteString(w, refusal.body)
			case wire == "ollama":
				_, _ = io.WriteString(w, `{"message":{"role":"assistant","content":"1"},"done":false}`+"\n"+`{"message":{"content":""},"done":true,"done_reason":"stop"}`+"\n")
			default:
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"1\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
			}
		}))
		obs := &recordingObserver{}
		client, err := New(model.ProviderConfig{Name: "p", BaseURLs: []string{s.URL}, WireAPI: wire}, model.ModelConfig{Name: "m", Model: "mine"}, Options{Observe: obs})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got := ask(t, t.Context(), client, fillRequest()); got.err != nil || got.text != "1" {
				t.Errorf("%s: %q, %v", wire, got.text, got.err)
			}
		}
		if len(paths) != 3 || paths[1] != paths[2] || fmt.Sprint(obs.dropped) != "[suffix]" {
			t.Errorf("%s: asked at %q, dropped %q", wire, paths, obs.dropped)
		}
		_ = client.Close()
		s.Close()
	}
}

// TestHowLikelyTokensAre holds what is learned of an answer's tokens, also from chunks of several,
// and that a server of a version which tells otherwise tells nothing.
func TestHowLikelyTokensAre(t *testing.T) {
	for _, c := range []struct {
		name, wire, answer string
		want               float64
	}{
		{"llama.cpp", "infill", `data: {"content":"ab","stop":false,"completion_probabilities":[{"token":"a","logprob":-0.5},{"token":"b","logprob":-0.25}]}` + "\n\n" + `data: {"content":"","stop":true}` + "\n\n", -0.75},
		{"llama.cpp before 2024-12", "infill", `data: {"content":"a","stop":false,"completion_probabilities":[{"content":"a","probs":[{"tok_str":"a","prob":0.5}]}]}` + "\n\n" + `data: {"content":"","stop":true}` + "\n\n", 0},
		{"Ollama", "ollama", `{"response":"a","done":false,"logprobs":[{"token":"a","logprob":-0.5}]}` + "\n" + `{"response":"b","done":false,"logprobs":[{"token":"b","logprob":-1}]}` + "\n" + `{"response":"","done":true,"done_reason":"stop"}` + "\n", -1.5},
		{"another shape", "ollama", `{"response":"a","done":false,"logprobs":{"content":[]}}` + "\n" + `{"response":"","done":true,"done_reason":"stop"}` + "\n", 0},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if c.wire == "infill" {
				w.Header().Set("Content-Type", "text/event-stream")
			}
			_, _ = io.WriteString(w, c.answer)
		}))
		client, err := New(model.ProviderConfig{Name: "p", BaseURLs: []string{s.URL}, WireAPI: c.wire}, model.ModelConfig{Name: "m", Model: "qwen2.5-coder", ContextWindow: 8192}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if answer := ask(t, t.Context(), client, fillRequest()); answer.err != nil || answer.text == "" || answer.logProb != c.want {
			t.Errorf("%s: %g of %q, %v, want %g", c.name, answer.logProb, answer.text, answer.err, c.want)
		}
		_ = client.Close()
		s.Close()
	}
}

// A cachingServer answers "y" in the wire API of a path. It keeps its last prompt, and reads of the
// next one what follows the part that both begin with.
type cachingServer struct {
	mu     sync.Mutex // guards all below: one request at a time
	prompt string
	read   int // bytes
}

func (s *cachingServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var asked struct {
		Extra   []struct{ Text string } `json:"input_extra"`
		Prefix  string                  `json:"input_prefix"`
		Suffix  string                  `json:"input_suffix"`
		Prompt  string
		Predict *int `json:"n_predict"`
	}
	if json.NewDecoder(r.Body).Decode(&asked) != nil {
		w.WriteHeader(400)
		return
	}
	prompt := ""
	for _, e := range asked.Extra {
		prompt += e.Text
	}
	prompt += asked.Prefix + asked.Prompt + asked.Suffix
	shared := 0
	for shared < min(len(prompt), len(s.prompt)) && prompt[shared] == s.prompt[shared] {
		shared++
	}
	s.prompt, s.read = prompt, s.read+len(prompt)-shared
	switch {
	case strings.HasSuffix(r.URL.Path, "/api/generate"):
		_, _ = io.WriteString(w, "{\"response\":\"y\",\"done\":false}\n{\"response\":\"\",\"done\":true,\"done_reason\":\"stop\"}\n")
		return
	case strings.HasSuffix(r.URL.Path, "/completions"):
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"text\":\"y\",\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	if asked.Predict == nil || *asked.Predict > 0 {
		_, _ = io.WriteString(w, "data: {\"content\":\"y\",\"stop\":false}\n\n")
	}
	_, _ = io.WriteString(w, "data: {\"content\":\"\",\"stop\":true,\"stop_type\":\"eos\"}\n\n")
}

// bytesRead is how much of prompts it has read.
func (s *cachingServer) bytesRead() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.read
}

// TestPromptsAreReadAhead holds that a request for no answer ends well, that the server has
// read its prompt, and that the next request reads only what is new.
func TestPromptsAreReadAhead(t *testing.T) {
	for _, wire := range []string{"infill", "ollama", "completions"} {
		s := &cachingServer{}
		served := httptest.NewServer(s)
		obs := &recordingObserver{}
		client, err := New(model.ProviderConfig{Name: "p", BaseURLs: []string{served.URL}, WireAPI: wire}, model.ModelConfig{Name: "m", Model: "qwen2.5-coder", ContextWindow: 8192}, Options{Observe: obs})
		if err != nil {
			t.Fatal(err)
		}
		req := fillRequest()
		req.Fill.Extra[0].Text = redact.Said(strings.Repeat("a = 1\n", 400))
		req.Ahead = true
		ahead := ask(t, t.Context(), client, req)
		read := s.bytesRead()
		req.Ahead = false
		req.Fill.Prefix = redact.Format("%sz", req.Fill.Prefix)
		next := ask(t, t.Context(), client, req)
		more := s.bytesRead() - read
		if ahead.err != nil || next.err != nil || next.text != "y" || read < 2400 || more == 0 || more > 120 || wire == "infill" && ahead.text != "" {
			t.Errorf("%s: %q, %v; %q, %v; %d bytes were read ahead, %d then", wire, ahead.text, ahead.err, next.text, next.err, read, more)
		}
		_ = client.Close()
		served.Close()
	}
}
