package provider

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tandem/model"
)

// TestServersSayTheirContext holds what is learned of each server when its connection is
// prepared.
func TestServersSayTheirContext(t *testing.T) {
	for _, c := range []struct {
		name, wire, base, id string
		answers              map[string]string // by path
		want                 model.Server
		unasked              bool // it says nothing
	}{
		{name: "llama.cpp", wire: "infill", answers: map[string]string{"/props": `{"default_generation_settings":{"n_ctx":4096,"params":{}},"total_slots":4,"model_path":"/m/qwen2.5-coder-1.5b.gguf"}`},
			want: model.Server{Loaded: "/m/qwen2.5-coder-1.5b.gguf", ContextWindow: 4096, Slots: 4}},
		{name: "Ollama", wire: "ollama", answers: map[string]string{"/api/generate": `{"done":true,"done_reason":"load"}`, "/api/ps": `{"models":[{"name":"other","context_length":1},{"name":"m:latest","context_length":8192}]}`},
			want: model.Server{ContextWindow: 8192}},
		{name: "vLLM", wire: "chat", base: "/v1", answers: map[string]string{"/v1/models": `{"data":[{"id":"a","max_model_len":1},{"id":"m","max_model_len":16384}]}`},
			want: model.Server{Loaded: "m", ContextWindow: 16384}},
		{name: "llama.cpp as OpenAI's", wire: "chat", base: "/v1", answers: map[string]string{"/v1/models": `{"data":[{"id":"/m/x.gguf","meta":{"n_ctx":2048,"n_ctx_train":32768}}]}`},
			want: model.Server{Loaded: "/m/x.gguf", ContextWindow: 2048}},
		{name: "LM Studio", wire: "chat", base: "/v1", answers: map[string]string{"/v1/models": `{"data":[{"id":"m"},{"id":"n"}]}`,
			"/api/v0/models": `{"data":[{"id":"n","loaded_context_length":1},{"id":"m","max_context_length":131072,"loaded_context_length":4096}]}`}, want: model.Server{Loaded: "m", ContextWindow: 4096}},
		{name: "an unknown server", wire: "chat", base: "/v1", unasked: true},
		{name: "no number", wire: "infill", answers: map[string]string{"/props": `{"default_generation_settings":{"n_ctx":-1}}`}, unasked: true},
		{name: "another program", wire: "infill", answers: map[string]string{"/props": "<html>"}, unasked: true},
	} {
		var loaded string
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answer, ok := c.answers[r.URL.Path]
			if !ok {
				http.NotFound(w, r)
				return
			}
			if r.Method == http.MethodPost {
				body, _ := io.ReadAll(r.Body)
				loaded = string(body)
			}
			_, _ = io.WriteString(w, answer)
		}))
		obs := &recordingObserver{}
		client, err := New(model.ProviderConfig{Name: "p", BaseURLs: []string{s.URL + c.base}, WireAPI: c.wire}, model.ModelConfig{Name: "own", Model: "m", ContextWindow: 32000}, Options{Observe: obs})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := client.Warm(t.Context()); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		switch {
		case c.unasked && len(obs.servers) > 0:
			t.Errorf("%s: learned %+v", c.name, obs.servers)
		case !c.unasked && (len(obs.servers) != 1 || obs.servers[0] != c.want):
			t.Errorf("%s: learned %+v, want %+v once", c.name, obs.servers, c.want)
		}
		if want := `"num_ctx":32000`; c.wire == "ollama" && (!strings.Contains(loaded, want) || strings.Contains(loaded, "prompt") || !strings.Contains(loaded, `"shift":false`)) {
			t.Errorf("Ollama was asked to load with %s", loaded)
		}
		_ = client.Close()
		s.Close()
	}
}

// TestTheWorldIsNotAsked holds that no address is asked for what it has loaded that the user
// does not run: there is no such question in its protocol.
func TestTheWorldIsNotAsked(t *testing.T) {
	for _, p := range []model.ProviderConfig{{WireAPI: "chat", BaseURLs: []string{"https://api.example.com/v1"}}, {WireAPI: "responses", BaseURLs: []string{"http://127.0.0.1:1/v1"}},
		{WireAPI: "chat", BaseURLs: []string{"http://127.0.0.1:1/v1"}, EnvKey: "GATEWAY_KEY"}} {
		if list := (&client{provider: p}).questions(); list != nil {
			t.Errorf("%v is asked %d questions", p.BaseURLs, len(list))
		}
	}
}

// TestAnErrorSaysTheContext holds that a refusal teaches how much fits.
func TestAnErrorSaysTheContext(t *testing.T) {
	for body, want := range map[string]int{
		`{"error":{"code":400,"message":"request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5000,"n_ctx":4096}}`: 4096,
		`{"object":"error","message":"This model's maximum context length is 8192 tokens. However, you requested 9000 tokens","type":"BadRequestError","code":400}`:                                           8192,
		`{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 2048 tokens, which is not enough."}`:                             2048,
		`{"error":"the input length exceeds the context length"}`: 0,
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(400)
			_, _ = io.WriteString(w, body)
		}))
		obs := &recordingObserver{}
		client, err := New(model.ProviderConfig{Name: "p", BaseURLs: []string{s.URL}, WireAPI: "infill"}, model.ModelConfig{Name: "m", Model: "m"}, Options{Observe: obs})
		if err != nil {
			t.Fatal(err)
		}
		got := ask(t, t.Context(), client, hello())
		if got.err == nil || got.err.Code != model.CodeContextLength || got.err.MostTokens != want {
			t.Errorf("%s: %+v", body, got.err)
		}
		if want > 0 && (len(obs.servers) != 1 || obs.servers[0].ContextWindow != want) {
			t.Errorf("%s: learned %+v", body, obs.servers)
		}
		_ = client.Close()
		s.Close()
	}
}

// TestTheLoadedFileNamesTheFamily holds that a model without a name of its own is asked in
// the form of the file that its server has loaded.
func TestTheLoadedFileNamesTheFamily(t *testing.T) {
	var paths []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		paths = append(paths, r.URL.Path)
		if r.URL.Path == "/props" {
			_, _ = io.WriteString(w, `{"default_generation_settings":{"n_ctx":4096},"model_path":"/m/starcoder2-3b-q4.gguf"}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {\"content\":\"y\",\"stop\":true}\n\n")
	}))
	defer s.Close()
	client, err := New(model.ProviderConfig{Name: "p", BaseURLs: []string{s.URL}, WireAPI: "infill"}, model.ModelConfig{Name: "mine", Model: "mine"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	ask(t, t.Context(), client, fillRequest())
	if got := strings.Join(paths, " "); got != "/props /completion" {
		t.Errorf("asked at %s", got)
	}
}
