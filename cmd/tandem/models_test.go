package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestModelsListsWhatTheKeyGets: ids with window and price as each kind of server says them,
// and lines that work in a configuration.
func TestModelsListsWhatTheKeyGets(t *testing.T) {
	for _, c := range []struct{ wire, path, body, want string }{
		{"chat", "/v1/models", `{"data":[{"id":"big/coder-7b","context_length":65536,"pricing":{"prompt":"0.00000035","completion":"0.00000075"}},{"id":"other"}]}`,
			"models.coder-7b.context_window = 65536\nmodels.coder-7b.input_price = 0.35\nmodels.coder-7b.output_price = 0.75"},
		{"completions", "/v1/models", `{"object":"list","data":[{"id":"qwen2.5-coder","max_model_len":32768}]}`, "context_window = 32768"},
		{"ollama", "/v1/api/tags", `{"models":[{"name":"qwen2.5-coder:1.5b"}]}`, `model = "qwen2.5-coder:1.5b"`},
		{"messages", "/v1/models", `{"data":[{"id":"claude-x","display_name":"Claude X"}],"has_more":false}`, "Claude X"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != c.path || !strings.Contains(fmt.Sprint(r.Header), canary) {
				t.Errorf("%s: asked for %s", c.wire, r.URL.Path)
			}
			fmt.Fprint(w, c.body)
		}))
		h := newHome(t)
		h.write(h.config, strings.Replace(oneModel(s.URL), `"chat"`, fmt.Sprintf("%q", c.wire), 1))
		h.setKey()
		code, out, problems := h.run("models")
		if code != exitDone || !strings.Contains(out, c.want) {
			t.Errorf("%s: %d %s%s", c.wire, code, out, problems)
		}
		_, lines, _ := strings.Cut(out, "configuration:\n\n")
		h.write(h.config, lines+"providers.p.keyring = \"p\"\nproviders.p.wire_api = \""+c.wire+"\"\n")
		if code, _, problems := h.run("config"); code != exitDone {
			t.Errorf("%s: its lines are no configuration: %s\n%s", c.wire, problems, lines)
		}
		var list []offered
		if _, out, _ := h.run("models", "p", "--json"); c.wire == "chat" && (json.Unmarshal([]byte(out), &list) != nil || len(list) != 1 || len(list[0].Models) != 2) {
			t.Errorf("JSON: %s", out)
		}
		s.Close()
	}
}

// TestModelsSaysWhyThereAreNone: a refused key, an unknown provider, no list.
func TestModelsSaysWhyThereAreNone(t *testing.T) {
	h := newHome(t)
	h.write(h.config, oneModel(chatServer(t, http.StatusUnauthorized, "application/json", `{"error":{"message":"Incorrect API key","code":"invalid_api_key"}}`)))
	h.setKey()
	if code, out, problems := h.run("models"); code != exitNoModel || out != "" || !strings.Contains(problems, "key") || strings.Contains(problems, canary) {
		t.Errorf("%d %q %s", code, out, problems)
	}
	if code, _, problems := h.run("models", "opnai"); code != exitUsage || !strings.Contains(problems, "openai") {
		t.Errorf("%d %s", code, problems)
	}
	if code, _, problems := h.run("--offline", "models"); code != exitUsage {
		t.Errorf("%d %s", code, problems)
	}
	h.write(h.config, oneModel(chatServer(t, http.StatusOK, "text/html", "<html>")))
	if code, _, problems := h.run("models"); code != exitNoModel || !strings.Contains(problems, "no list of models") {
		t.Errorf("%d %s", code, problems)
	}
}
