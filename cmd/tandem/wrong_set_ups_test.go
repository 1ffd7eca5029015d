package main

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tandem/cmd/tandem/config"
	"tandem/model"
	"tandem/workspace"
	"tandem/workspace/redact"
	"tandem/workspace/run"
)

// A wrongSetUp is a configuration that cannot work, and what the server that it leads to
// answers, as the real ones do.
type wrongSetUp struct {
	name    string
	table   string // of the model
	server  string // of its provider, with URL in the place of the address
	proxied bool   // the address is that of a proxy
	answers http.HandlerFunc
	want    string // the sentence, with HOST in the place of the server's
}

func replies(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// byPath answers requests for the paths that it has, and others with 404 as Go's servers do.
func byPath(of map[string]http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if answer := of[r.URL.Path]; answer != nil {
			answer(w, r)
			return
		}
		http.NotFound(w, r)
	}
}

const jsonType = "application/json"

var wrongSetUps = []wrongSetUp{
	{"a chat model asked to fill (Ollama)", `model = "llama3.2"`, `base_url = "URL"
wire_api = "ollama"`, false, byPath(map[string]http.HandlerFunc{
		"/api/generate": func(w http.ResponseWriter, r *http.Request) {
			if body, _ := io.ReadAll(r.Body); strings.Contains(string(body), `"prompt"`) {
				replies(400, jsonType, `{"error":"registry.ollama.ai/library/llama3.2:latest does not support insert"}`)(w, r)
				return
			}
			replies(200, jsonType, `{"model":"llama3.2","response":"","done":true,"done_reason":"load"}`)(w, r)
		},
		"/api/ps":   replies(200, jsonType, `{"models":[{"name":"llama3.2:latest","context_length":8192}]}`),
		"/api/chat": replies(200, "application/x-ndjson", `{"model":"llama3.2","message":{"role":"assistant","content":"return 10"},"done":true,"done_reason":"stop","prompt_eval_count":90,"eval_count":4}`+"\n"),
	}), "Name a model that fills in, such as qwen2.5-coder, in complete = for suggestions while you type: mine is one for chats, which answers later and less exactly."},
	{"a reasoning model", `model = "deepseek-r1"`, `base_url = "URL/v1"
wire_api = "chat"`, false, byPath(map[string]http.HandlerFunc{
		"/v1/models": replies(200, jsonType, `{"data":[{"id":"deepseek-r1","max_model_len":32768}]}`),
		"/v1/chat/completions": replies(200, "text/event-stream", strings.Repeat(`data: {"id":"1","model":"deepseek-r1","choices":[{"index":0,"delta":{"role":"assistant","reasoning_content":"Okay. "}}]}

`, 128)+`data: {"id":"1","model":"deepseek-r1","choices":[{"index":0,"delta":{},"finish_reason":"length"}],"usage":{"prompt_tokens":100,"completion_tokens":128,"total_tokens":228}}

data: [DONE]

`),
	}), "Choose a model that does not reason, or lower reasoning_effort or raise max_output_tokens in [models.mine]: it spent all its tokens on thinking and did not answer."},
	{"a wrong path", `model = "qwen2.5-coder"`, `base_url = "URL"
wire_api = "chat"`, false, byPath(map[string]http.HandlerFunc{
		"/v1/chat/completions": replies(200, "text/event-stream", ""),
	}), "Correct base_url (most servers' ends in /v1) or wire_api of [providers.own]: HOST has nothing there (404)."},
	{"a model that is not loaded (llama.cpp)", `model = "qwen2.5-coder"`, `base_url = "URL"
wire_api = "infill"`, false, replies(503, jsonType, `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`), "Wait a moment: own (HOST) is still loading its model."},
	{"a model that is not loaded (LM Studio)", `model = "qwen2.5-coder"`, `base_url = "URL/v1"
wire_api = "chat"`, false, byPath(map[string]http.HandlerFunc{
		"/v1/models":           replies(200, jsonType, `{"data":[],"object":"list"}`),
		"/v1/chat/completions": replies(404, jsonType, `{"error":{"message":"No models loaded. Please load a model in the developer page or use the 'lms load' command.","type":"invalid_request_error","param":"model","code":"model_not_found"}}`),
	}), "Load qwen2.5-coder in own (HOST): it has no model loaded."},
	{"a model that Ollama does not have", `model = "qwen2.5-coder:7b"`, `base_url = "URL"
wire_api = "ollama"`, false, byPath(map[string]http.HandlerFunc{
		"/api/generate": replies(404, jsonType, `{"error":"model 'qwen2.5-coder:7b' not found"}`),
		"/api/ps":       replies(200, jsonType, `{"models":[]}`),
	}), "Run ollama pull qwen2.5-coder:7b, or choose another model in [models.mine]: own (HOST) does not have it."},
	{"2,048 tokens of context", `model = "qwen2.5-coder"`, `base_url = "URL"
wire_api = "infill"`, false, byPath(map[string]http.HandlerFunc{
		"/props":      replies(200, jsonType, `{"default_generation_settings":{"n_ctx":2048},"total_slots":1,"model_path":"/m/qwen2.5-coder-1.5b.gguf"}`),
		"/completion": replies(200, "text/event-stream", "data: {\"content\":\"\\treturn 1\",\"stop\":true,\"tokens_predicted\":3,\"tokens_evaluated\":100}\n\n"),
	}), "Give the server of mine a context of 4,096 tokens or more (llama.cpp: -c, LM Studio: Context Length, vLLM: --max-model-len, Ollama: context_window in [models.mine]): 2048 show it too little of your code."},
	{"a wrong port", `model = "qwen2.5-coder"`, `base_url = "http://127.0.0.1:9/v1"
wire_api = "chat"`, false, nil, "Start the server, or correct base_url of [providers.own]: nothing listens at 127.0.0.1:9."},
	{"a wrong port where another program listens", `model = "qwen2.5-coder"`, `base_url = "URL/v1"
wire_api = "chat"`, false, replies(200, "text/html", "<!doctype html><html><head><title>Grafana</title></head><body></body></html>"), "Correct base_url of [providers.own]: own (HOST) answers with a web page, not as a model."},
	{"a key that is refused", `model = "gpt-x"`, `base_url = "URL/v1"
wire_api = "chat"
env_key = "GATEWAY_KEY"`, false, replies(401, jsonType, `{"error":{"message":"Incorrect API key provided: `+canary+`. You can find your API key at https://platform.openai.com/account/api-keys.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`),
		"Set a valid key in GATEWAY_KEY or with tandem key set: own did not accept the one there (401)."},
	{"a name that is unknown", `model = "gpt-x"`, `base_url = "URL/v1"
wire_api = "chat"
env_key = "GATEWAY_KEY"`, false, replies(404, jsonType, `{"error":{"message":"The model `+"`gpt-x`"+` does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"}}`),
		"Choose a model in [models.mine] that tandem models own lists: own does not know gpt-x, or your key has no access to it."},
	{"a proxy that refuses", `model = "gpt-x"`, `base_url = "https://api.example.com/v1"
wire_api = "chat"
env_key = "GATEWAY_KEY"`, true, replies(407, "text/html", "<html>Proxy Authentication Required</html>"), "Put a user name and password into proxy of [providers.own] or into HTTPS_PROXY: the proxy asks for them (407)."},
	{"a server far too slow", `model = "qwen2.5-coder"`, `base_url = "URL/v1"
wire_api = "chat"`, false, byPath(map[string]http.HandlerFunc{
		"/v1/models": replies(200, jsonType, `{"data":[{"id":"qwen2.5-coder","max_model_len":32768}]}`),
		"/v1/chat/completions": func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		},
	}), "Wait a moment, and choose a smaller model if this stays: mine has not begun to answer after 4s, and may still be loading or reading its first prompt."},
}

// TestWrongSetUpsAreNamed: what cannot work is said in one sentence, in the editor and by
// tandem doctor, with what to do about it and without the server's own words.
func TestWrongSetUpsAreNamed(t *testing.T) {
	for _, c := range wrongSetUps {
		t.Run(c.name, func(t *testing.T) {
			url := "http://127.0.0.1:9"
			if c.answers != nil {
				s := httptest.NewServer(c.answers)
				t.Cleanup(s.Close)
				url = s.URL
			}
			h := newHome(t)
			t.Setenv("GATEWAY_KEY", canary)
			if c.proxied {
				t.Setenv("HTTPS_PROXY", url)
			}
			h.write(h.config, strings.ReplaceAll("fast = \"mine\"\n\n[models.mine]\nprovider = \"own\"\ncontext_window = 32000\n"+c.table+"\n\n[providers.own]\n"+c.server+"\n", "URL", url))
			h.write("lib.go", lib)
			want := strings.ReplaceAll(c.want, "HOST", strings.TrimPrefix(url, "http://"))
			start := time.Now()
			h.typed("lib.go", want, func() {})
			shown := time.Since(start)
			start = time.Now()
			_, out, _ := h.run("doctor", "--json")
			t.Logf("%.1f s in the editor, %.1f s by the doctor: %s", shown.Seconds(), time.Since(start).Seconds(), want)
			var said diagnosis
			if err := json.Unmarshal([]byte(out), &said); err != nil {
				t.Fatal(err)
			}
			named := 0
			for _, f := range said.Findings {
				if strings.EqualFold(f.Message, want) { // after the name of the check
					named++
				}
			}
			if named != 1 || strings.Contains(out, canary) {
				t.Errorf("the doctor says it %d times: %s", named, out)
			}
		})
	}
}

// TestANewKeyIsUsed: a model whose key was refused is asked again when the user has stored
// another one, without being asked to.
func TestANewKeyIsUsed(t *testing.T) {
	h := newHome(t)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+canary {
			replies(401, jsonType, `{"error":{"message":"no such key"}}`)(w, r)
			return
		}
		replies(200, "text/event-stream", chunks(`{"content":"return 10"}`))(w, r)
	}))
	t.Cleanup(s.Close)
	h.write(h.config, oneModel(s.URL))
	h.stdin = strings.NewReader("sk-another\n")
	h.run("key", "set", "p")
	lanes := newLanes(func() *config.Config { c, _ := (&globals{}).settings(); return c }, h.store(), nil, run.NewGroup(t.Context(), nil), func(model.Notice) {}, nil)
	ask := func() (err error) {
		for _, err = range lanes.Stream(t.Context(), model.Fast, &model.Request{Purpose: model.Complete, Input: []model.Message{{Role: "user", Text: redact.Const("Go on.")}}}) {
			if err != nil {
				return err
			}
		}
		return nil
	}
	state := func() model.LaneState { return lanes.Status().Lanes[0].State }
	if err := ask(); err == nil || state() != model.LaneDisabled {
		t.Fatalf("a wrong key: %v, %s", err, state())
	}
	h.setKey()
	if err := ask(); err == nil {
		t.Error("a refused key is tried again and again")
	}
	lanes.KeysChanged()
	if err := ask(); err != nil || state() != model.LaneReady {
		t.Errorf("the new key: %v, %s", err, state())
	}
	_ = lanes.Close()
}

// TestAServerThatIsConfiguredLaterIsAsked: what a server has is learned when it is configured, also
// behind a document that was open before.
func TestAServerThatIsConfiguredLaterIsAsked(t *testing.T) {
	i := slices.IndexFunc(wrongSetUps, func(c wrongSetUp) bool { return c.name == "2,048 tokens of context" })
	s := httptest.NewServer(wrongSetUps[i].answers)
	t.Cleanup(s.Close)
	h := newHome(t)
	h.write("lib.go", lib)
	h.typed("lib.go", wrongSetUps[i].want, func() {
		h.write(h.config, strings.ReplaceAll("fast = \"mine\"\n\n[models.mine]\nprovider = \"own\"\n"+wrongSetUps[i].table+"\n\n[providers.own]\n"+wrongSetUps[i].server+"\n", "URL", s.URL))
	})
}

// typed asks for a suggestion as an editor does, until its user is shown a sentence. then is called
// once the document is open.
func (h *home) typed(file, want string, then func()) {
	h.t.Helper()
	var mu sync.Mutex // guards shown
	shown := map[string]bool{}
	named := make(chan bool, 1)
	uri := workspace.URIOf(filepath.Join(h.workspace, file))
	h.session(`"capabilities":{"experimental":{"tandem":{"status":true,"inline":true}}},"initializationOptions":{"trusted":true}`, func(body []byte) {
		mu.Lock()
		defer mu.Unlock()
		for _, sentence := range sentencesOf(body) {
			shown[sentence] = true
		}
		if shown[want] {
			select {
			case named <- true:
			default:
			}
		}
	}, nil, func(e *editor) {
		e.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"go","version":1,"text":%q}}}`, uri, lib)
		then()
		e.send(`{"jsonrpc":"2.0","id":2,"method":"textDocument/inlineCompletion","params":{"textDocument":{"uri":%q},"position":{"line":3,"character":1},"context":{"triggerKind":1}}}`, uri)
		select {
		case <-named:
		case <-time.After(30 * time.Second):
			mu.Lock()
			h.t.Errorf("the editor shows %q", slices.Sorted(maps.Keys(shown)))
			mu.Unlock()
		}
	})
}

// sentencesOf are the texts of a message that a person sees: toasts, and what the status says.
func sentencesOf(body []byte) []string {
	var m struct {
		Method string
		Params struct {
			Message, Reason string
			Lanes           map[string]struct{ Reason string }
		}
	}
	if json.Unmarshal(body, &m) != nil || m.Method != "window/showMessage" && m.Method != "tandem/status" {
		return nil
	}
	out := []string{m.Params.Message, m.Params.Reason}
	for _, l := range m.Params.Lanes {
		out = append(out, l.Reason)
	}
	return out
}
