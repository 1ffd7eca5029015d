package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
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

func TestTheServersContext(t *testing.T) {
	_, url := newScripted(t, "[server]\nmodels = [\"m.gguf\"]\n[[rules]]\nanswer = \"one two\"\n")
	props := get(t, url+"/props")
	if at(props, "default_generation_settings.n_ctx") != float64(usualContext) || at(props, "total_slots") != 1.0 || at(props, "model_path") != "/models/m.gguf" {
		t.Errorf("props %v", props)
	}
	values, _, text := post(t, url+"/completion", `{"prompt":"`+strings.Repeat("abcd", 10)+`","stream":true}`)
	last := values[len(values)-1]
	if at(last, "timings.prompt_n") != 10.0 || at(last, "timings.predicted_n") != 2.0 || at(last, "timings.predicted_ms") == nil || at(last, "tokens_evaluated") != 10.0 {
		t.Errorf("timings: %s", text)
	}
}

// TestOllamaLoads holds what an empty prompt gives, and what /api/ps says.
func TestOllamaLoads(t *testing.T) {
	_, url := newScripted(t, "[[rules]]\nmodel = \"m\"\nanswer = \"x\"\n")
	values, _, _ := post(t, url+"/api/generate", `{"model":"m","options":{"num_ctx":4096}}`)
	if at(values[0], "done_reason") != "load" || at(values[0], "response") != "" {
		t.Errorf("an empty prompt: %v", values)
	}
	if models := at(get(t, url+"/api/ps"), "models.0"); at(models, "name") != "m" || at(models, "context_length") != float64(usualContext) {
		t.Errorf("loaded: %v", models)
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
