package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func newScripted(t *testing.T, text string) (*server, string) {
	t.Helper()
	sc, err := parseScript(text)
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(sc, &recorder{})
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	return s, h.URL
}

func get(t *testing.T, url string) any {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var v any
	if err := json.NewDecoder(resp.Body).Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestPromptsAreCachedByTheirBeginning holds what is evaluated again: nothing that a slot
// has from the start of the prompt, also of what was written.
func TestPromptsAreCachedByTheirBeginning(t *testing.T) {
	_, url := newScripted(t, "[server]\nslots = 2\n[[rules]]\nanswer = \"abcdefgh\"\n")
	long := strings.Repeat("word ", 40)
	for _, c := range []struct {
		prompt         string
		cached, tokens float64
	}{
		{long, 0, 50}, {long + "more", 50, 1}, {"other " + long, 0, 52}, {long + "moreabcdefgh, and", 53, 2}, {long, 49, 1},
	} {
		values, _, text := post(t, url+"/completion", fmt.Sprintf(`{"prompt":%q,"stream":true}`, c.prompt))
		last := values[len(values)-1]
		if at(last, "timings.cache_n") != c.cached || at(last, "timings.prompt_n") != c.tokens || at(last, "tokens_evaluated") != c.cached+c.tokens {
			t.Errorf("%.20q: %s; want %v cached and %v evaluated", c.prompt, text, c.cached, c.tokens)
		}
	}
}

// TestADisconnectEndsTheWork holds that a client that goes away frees the slot, and that
// what was read until then is in its cache.
func TestADisconnectEndsTheWork(t *testing.T) {
	s, url := newScripted(t, "[[rules]]\ntimes = 1\nprompt_tokens_per_second = 40\n[[rules]]\nanswer = \"x\"\nprompt_tokens_per_second = 100000\n")
	prompt := strings.Repeat("abcd", 4000) // 100 seconds
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/completion", strings.NewReader(`{"prompt":"`+prompt+`","stream":true}`))
	if err != nil {
		t.Fatal(err)
	}
	if resp, err := http.DefaultClient.Do(req); err == nil {
		resp.Body.Close()
		t.Fatal("the prompt was read in no time")
	}
	values, _, text := post(t, url+"/completion", `{"prompt":"`+prompt+`","stream":true}`)
	cached, _ := at(values[len(values)-1], "timings.cache_n").(float64)
	if cached < 1 || cached > 3000 || s.rec.unfinished.Load() != 1 {
		t.Errorf("%v tokens are cached: %s", cached, text)
	}
}

func TestTheServersContext(t *testing.T) {
	_, url := newScripted(t, "[server]\ncontext = 100\nslots = 3\nmodels = [\"m.gguf\"]\n[[rules]]\nanswer = \"x\"\n")
	props := get(t, url+"/props")
	if at(props, "default_generation_settings.n_ctx") != 100.0 || at(props, "total_slots") != 3.0 || at(props, "model_path") != "/models/m.gguf" {
		t.Errorf("props %v", props)
	}
	if got := at(get(t, url+"/v1/models"), "data.0.max_model_len"); got != 100.0 {
		t.Errorf("max_model_len %v", got)
	}
	values, status, text := post(t, url+"/completion", `{"prompt":"`+strings.Repeat("abcd", 101)+`"}`)
	if status != 400 || at(values[0], "error.type") != "exceed_context_size_error" || at(values[0], "error.n_ctx") != 100.0 {
		t.Errorf("too long: %d %s", status, text)
	}
}

// TestOllamaLoadsWithOneContext holds what /api/ps says, and that another num_ctx loads the
// model anew.
func TestOllamaLoadsWithOneContext(t *testing.T) {
	s, url := newScripted(t, "[server]\ncontext = 8192\n[[rules]]\nanswer = \"x\"\n")
	values, _, _ := post(t, url+"/api/generate", `{"model":"m","options":{"num_ctx":4096}}`)
	if at(values[0], "done_reason") != "load" || at(values[0], "response") != "" {
		t.Errorf("an empty prompt: %v", values)
	}
	post(t, url+"/api/generate", `{"model":"m","prompt":"a","raw":true,"options":{"num_ctx":4096}}`)
	if got := at(get(t, url+"/api/ps"), "models.0.context_length"); got != 4096.0 || s.rec.loads.Load() != 1 {
		t.Errorf("context_length %v after %d loads", got, s.rec.loads.Load())
	}
	values, _, text := post(t, url+"/api/chat", `{"model":"m","messages":[{"role":"user","content":"hi"}],"options":{"num_ctx":32000}}`)
	if at(values[0], "message.content") != "x" {
		t.Errorf("chat: %s", text)
	}
	if got := at(get(t, url+"/api/ps"), "models.0.context_length"); got != 8192.0 || s.rec.loads.Load() != 2 {
		t.Errorf("context_length %v after %d loads", got, s.rec.loads.Load())
	}
}

// TestFormsOfTheFamilies holds that the text around the site is found in either order.
func TestFormsOfTheFamilies(t *testing.T) {
	for prompt, want := range map[string][3]string{
		"<|repo_name|>r\n<|file_sep|>a.go\n<|fim_prefix|>P<|fim_suffix|>S<|fim_middle|>": {"P", "S", "<|repo_name|>r\n<|file_sep|>a.go\n"},
		"<[fim-suffix]>S<[fim-prefix]>P<[fim-middle]>":                                   {"P", "S", ""},
		"[SUFFIX]S[PREFIX]P": {"P", "S", ""},
		"<|user|>\n###PATH:a\n<|code_suffix|>S<|code_prefix|>P<|code_middle|><|assistant|>\n": {"P", "S", "<|user|>\n###PATH:a\n"},
		"no mark": {"no mark", "", ""},
	} {
		r, err := parseRequest("/completion", obj{{"prompt", prompt}}.json())
		if err != nil {
			t.Fatal(err)
		}
		if got := [3]string{r.Prefix, r.Suffix, strings.TrimSuffix(extraText(r.Extra), "\n")}; !r.Fill || got != want {
			t.Errorf("%q gives %q, want %q", prompt, got, want)
		}
	}
}
