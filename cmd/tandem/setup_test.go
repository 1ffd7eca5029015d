package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"tandem/cmd/tandem/config"
	"tandem/model"
	"tandem/model/assist/core"
)

// A gate is a company's gateway: it lists models and answers with chat completions, to one key.
type gate struct {
	key    string // "" is none
	models []string
	chat   string // the path at which it answers
	broken int    // status of its answers, 0: it answers
	late   time.Duration
}

func (g gate) serve(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.URL.Path == g.chat {
			time.Sleep(g.late)
		}
		switch {
		case g.key != "" && r.Header.Get("Authorization") != "Bearer "+g.key:
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"error":{"message":"bad key"}}`)
		case r.URL.Path == "/v1/models":
			list := []map[string]any{}
			for _, m := range g.models {
				list = append(list, map[string]any{"id": m, "context_length": 64000, "pricing": map[string]string{"prompt": "0.0000005", "completion": "0.000002", "input_cache_read": "0.0000001"}})
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"data": list})
		case r.URL.Path != g.chat:
			http.NotFound(w, r)
		case g.broken != 0:
			w.WriteHeader(g.broken)
		case strings.HasSuffix(r.URL.Path, "/responses"):
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: {\"type\":\"response.output_text.delta\",\"delta\":\"ready\"}\n\ndata: {\"type\":\"response.completed\",\"response\":{\"model\":\"m\",\"usage\":{\"input_tokens\":10,\"output_tokens\":1}}}\n\n")
		default:
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ready\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":1}}\n\ndata: [DONE]\n\n")
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// A talk is a session of tandem setup --json: each step that asks is answered by the next line.
func (h *home) talk(args []string, answers ...string) (code int, steps []step, problems string) {
	h.t.Helper()
	var in strings.Builder
	for _, a := range answers {
		line, err := json.Marshal(map[string]string{"answer": a})
		if err != nil {
			h.t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	h.stdin = strings.NewReader(in.String())
	code, out, problems := h.run(append([]string{"setup", "--json"}, args...)...)
	for lines := bufio.NewScanner(strings.NewReader(out)); lines.Scan(); {
		var s step
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			h.t.Fatalf("%q is no step: %v", lines.Text(), err)
		}
		if s.Step != stepWorking {
			steps = append(steps, s)
		}
	}
	return code, steps, problems
}

func ids(steps []step) (out []string) {
	for _, s := range steps {
		if out = append(out, s.ID); s.Problem != "" {
			out[len(out)-1] += "!"
		}
	}
	return out
}

func (h *home) file(path string) string {
	h.t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		h.t.Fatal(err)
	}
	return string(text)
}

// TestSetUpOfAGateway: from an address to a model that answers, in four answers; a refused key
// is asked for again in its place.
func TestSetUpOfAGateway(t *testing.T) {
	for _, chat := range []string{"/v1/chat/completions", "/v1/responses"} {
		h := newHome(t)
		url := gate{key: canary, models: []string{"text-embedding-3", "big-chat", "qwen2.5-coder-32b"}, chat: chat}.serve(t)
		h.write(h.config, "# my settings\n[editor]\ntrigger = \"automatic\"\n")
		code, steps, problems := h.talk(nil, "gateway", "http://models.example.com", url, "sk-wrong", canary, "big-chat")
		if want := []string{"who", "address", "address!", "key", "key!", "model", ""}; code != exitDone || !slices.Equal(ids(steps), want) {
			t.Fatalf("%s: exit %d: %s\nsteps %q, want %q", chat, code, problems, ids(steps), want)
		}
		if model := steps[5]; len(model.Options) != 3 || model.Options[0].ID != "qwen2.5-coder-32b" || !strings.Contains(model.Options[1].Detail, "64000 tokens · $0.50 in, $2.00 out per million") {
			t.Errorf("models are offered as %+v", model.Options)
		}
		if done := steps[6]; !strings.HasPrefix(done.Title, "big-chat answers from now on: first text after ") {
			t.Errorf("it ends with %q", done.Title)
		}
		text := h.file(h.config)
		settings, err := (&globals{}).settings()
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		m := settings.Models[settings.Fast]
		if m.Model != "big-chat" || settings.Deep != settings.Fast || m.ContextWindow != 64000 || m.CachedPrice != 0.1 || settings.Providers[m.Provider].BaseURLs[0] != url+"/v1" ||
			strings.Contains(text, canary) || !strings.Contains(text, "# my settings\n[editor]") {
			t.Errorf("written: %+v\n%s", m, text)
		}
		if key, _, err := keyRing().Get("gateway"); err != nil || key.Reveal() != canary {
			t.Errorf("the key is not where tandem key set puts it: %v", err)
		}
		if code, out, _ := h.run("doctor"); code != exitDone || !strings.Contains(out, "big-chat") {
			t.Errorf("doctor exits with %d\n%s", code, out)
		}
		if code, out, _ := h.run("ledger"); code != exitDone || strings.Count(out, "big-chat") == 0 {
			t.Errorf("the test is not in the ledger: %d %s", code, out)
		}
	}
}

// TestSetUpWritesNothingUntested: whoever stops, or whose model does not answer, keeps the
// configuration and the keys as they were.
func TestSetUpWritesNothingUntested(t *testing.T) {
	url := gate{key: canary, models: []string{"m"}, chat: "/v1/chat/completions", broken: http.StatusInternalServerError}.serve(t)
	const before = "# nothing yet\n"
	for _, answers := range [][]string{
		{"gateway", url}, {"gateway", url, canary}, {"gateway", url, canary, "again"}, {"gateway", url, canary, "other"}, {"nonsense"}, {}, {"gateway", "http://127.0.0.1:1/v1"},
	} {
		h := newHome(t)
		h.write(h.config, before)
		code, steps, problems := h.talk(nil, answers...)
		if code != exitFailed || !strings.Contains(problems, "nothing was changed") || h.file(h.config) != before {
			t.Errorf("%q: exit %d %s\n%s", answers, code, problems, h.file(h.config))
		}
		if stored, err := keyRing().List(); err != nil || len(stored) > 0 {
			t.Errorf("%q: keys were stored: %v %v", answers, stored, err)
		}
		for _, o := range steps[len(steps)-1].Options {
			if o.ID == answerKeep {
				t.Errorf("%q: a model that did not answer is offered: %+v", answers, steps[len(steps)-1])
			}
		}
	}
}

// TestSetUpOfASlowModel: a model for which nobody would wait is written only if the person
// takes it.
func TestSetUpOfASlowModel(t *testing.T) {
	url := gate{models: []string{"m"}, chat: "/v1/chat/completions", late: (slowMs + 50) * time.Millisecond}.serve(t)
	for _, taken := range []bool{false, true} {
		h := newHome(t)
		answers := []string{"gateway", url, "keep"}
		if !taken {
			answers = answers[:2]
		}
		code, steps, problems := h.talk(nil, answers...)
		if tested := steps[2]; tested.ID != "tested" || !strings.HasPrefix(tested.Title, "m answers, but slowly: first text after 2") {
			t.Errorf("%+v", tested)
		}
		if want := map[bool]int{false: exitFailed, true: exitDone}[taken]; code != want || (h.file(h.config) != "") != taken {
			t.Errorf("exit %d %s\n%s", code, problems, h.file(h.config))
		}
	}
}

// TestSetUpWithoutCertificates: a file of certificates that is missing keeps no server of plain
// addresses from being used, and no key is asked for where one would not help.
func TestSetUpWithoutCertificates(t *testing.T) {
	t.Setenv("SSL_CERT_FILE", "/nowhere/ca.pem")
	url := gate{models: []string{"m"}, chat: "/v1/chat/completions"}.serve(t)
	h := newHome(t)
	code, steps, problems := h.talk(nil, "gateway", "https"+strings.TrimPrefix(url, "http"), url)
	if want := []string{"who", "address", "address!", ""}; code != exitDone || !slices.Equal(ids(steps), want) || !strings.Contains(steps[2].Problem, "correct ca_file or SSL_CERT_FILE") {
		t.Errorf("exit %d %s: %+v", code, problems, steps)
	}
}

// TestSetUpAtATerminal: the same steps, by numbers.
func TestSetUpAtATerminal(t *testing.T) {
	h := newHome(t)
	url := gate{models: []string{"only-model"}, chat: "/v1/chat/completions"}.serve(t)
	h.stdin = strings.NewReader("A gateway or another server\n" + url + "/v1/\n")
	code, out, problems := h.run("setup")
	if code != exitDone || !strings.Contains(out, "No model") || !strings.Contains(out, "only-model answers from now on: first text after ") || !strings.Contains(h.file(h.config), `model = "only-model"`) {
		t.Errorf("exit %d %s\n%s\n%s", code, problems, out, h.file(h.config))
	}
}

// TestSetUpOfNoModel: the built-in engine takes every lane, and the rest stays for later.
func TestSetUpOfNoModel(t *testing.T) {
	h := newHome(t)
	if code, _, problems := h.talk(nil, "built-in"); code != exitDone || h.file(h.config) != "" {
		t.Errorf("exit %d %s: %q", code, problems, h.file(h.config))
	}
	h.write(h.config, "deep = \"m\"\n"+oneModel("http://127.0.0.1:1"))
	if code, _, problems := h.talk(nil, "built-in"); code != exitDone || !strings.HasPrefix(h.file(h.config), "deep = \"local\"\nfast = \"local\"\n[models.m]") {
		t.Errorf("exit %d %s: %q", code, problems, h.file(h.config))
	}
}

// TestSetUpOfAKey: a missing or refused key is asked for where it is missing.
func TestSetUpOfAKey(t *testing.T) {
	h := newHome(t)
	h.write(h.config, oneModel(gate{key: canary, chat: "/v1/chat/completions"}.serve(t)))
	before := h.file(h.config)
	code, steps, problems := h.talk([]string{"--key", "p"}, "sk-wrong", canary)
	if want := []string{"key", "key!", ""}; code != exitDone || !slices.Equal(ids(steps), want) || h.file(h.config) != before {
		t.Errorf("exit %d %s: steps %q", code, problems, ids(steps))
	}
	if key, _, err := keyRing().Get("p"); err != nil || key.Reveal() != canary {
		t.Errorf("the key is not stored: %v", err)
	}
	h.write(h.config, strings.Replace(before, "keyring = \"p\"", "env_key = \"SOME_KEY\"", 1))
	t.Setenv("SOME_KEY", "x")
	if code, _, problems := h.talk([]string{"--key", "p"}, canary); code != exitRefused || !strings.Contains(problems, "SOME_KEY in the environment") {
		t.Errorf("exit %d %s", code, problems)
	}
	if code, _, _ := h.talk([]string{"--key", "q"}); code != exitUsage {
		t.Errorf("a provider that is not there: exit %d", code)
	}
}

// TestSetUpKeepsOtherTables: a second server of the same kind gets tables of its own.
func TestSetUpKeepsOtherTables(t *testing.T) {
	h := newHome(t)
	first := gate{models: []string{"m"}, chat: "/v1/chat/completions"}.serve(t)
	second := gate{models: []string{"m"}, chat: "/v1/chat/completions"}.serve(t)
	for _, url := range []string{first, second, first} {
		if code, steps, problems := h.talk(nil, "gateway", url+"/v1"); code != exitDone {
			t.Fatalf("exit %d %s: %q", code, problems, ids(steps))
		}
		settings, err := (&globals{}).settings()
		if err != nil {
			t.Fatal(err)
		}
		if m := settings.Models[settings.Fast]; settings.Providers[m.Provider].BaseURLs[0] != url+"/v1" || settings.Fast != settings.Deep {
			t.Errorf("%+v\n%s", m, h.file(h.config))
		}
	}
	if text := h.file(h.config); strings.Count(text, "base_url") != 2 || strings.Count(text, ".model =") != 2 {
		t.Errorf("two servers, and\n%s", text)
	}
}

// TestTroublesNameWhatMendsThem: the line to correct comes first, and a key or a model has the
// step of Set Up that mends it.
func TestTroublesNameWhatMendsThem(t *testing.T) {
	h := newHome(t)
	h.write(h.config, "fast = \"m\"\n\n[models.m]\nprovider = \"openai\"\ncontext_windwo = 3\nother = 1\n")
	_, err := config.Load((&globals{}).options())
	got := invalidConfiguration(err)
	if want := "Correct line 5 of config.toml: "; !strings.HasPrefix(got.Text, want) || !strings.Contains(got.Text, "(and 1 more)") || got.File != h.config || got.Line != 5 {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		code  model.Code
		key   string
		setUp bool
	}{{model.CodeAuth, "p", false}, {model.CodeNotConfigured, "p", false}, {model.CodeNotFound, "", true}} {
		failed := &model.Error{Code: c.code, Provider: "p", Message: "x"}
		if got := ofModel(model.Notice{Kind: model.NoticeKey, Text: "x", Err: failed}, "f"); got.Provider != c.key || got.SetUp != c.setUp {
			t.Errorf("%s: %+v", c.code, got)
		}
	}
	for kind, want := range map[model.NoticeKind]core.Trouble{model.NoticeQuota: {Text: "x", SetUp: true}, model.NoticeUsage: {Text: "x", File: "f"}, model.NoticeLedger: {Text: "x"}} {
		if got := ofModel(model.Notice{Kind: kind, Text: "x"}, "f"); got != want {
			t.Errorf("%s: %+v", kind, got)
		}
	}
}
