package dialect

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand"
	"net/http"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tandem/model"
	"tandem/workspace/redact"
)

func encodedAs(t *testing.T, p model.ProviderConfig, m model.ModelConfig, req *model.Request, host string) (string, *Failure) {
	t.Helper()
	e := &Encoder{Provider: &p, Model: &m, Req: req, Host: host}
	f, failed := For(p.WireAPI, &m, req, nil).Encode(e)
	if failed != nil {
		return "", failed
	}
	for _, param := range e.Omitted() {
		f = f.Without(param)
	}
	body := f.AppendJSON(nil)
	if !json.Valid(body) {
		t.Fatalf("%s: the body is no JSON: %s", p.WireAPI, body)
	}
	return string(body), nil
}

func TestRequestsOnTheWire(t *testing.T) {
	t.Parallel()
	warm := 0.2
	req := &model.Request{Purpose: model.Complete, Instructions: redact.Said("Go on."), CacheKey: redact.Said("key"), MaxOutputTokens: 64, Stop: []string{"\n\n"}, Temperature: &warm,
		Input: []model.Message{{Role: "developer", Text: redact.Said("rules")}, {Role: "user", Text: redact.Said("a\"b")}, {Role: "assistant", Text: redact.Said("c")}, {Role: "user", Text: redact.Said("d")}},
		Fill:  &model.Infill{Path: redact.Said("m.go"), Prefix: redact.Said("func ("), Suffix: redact.Said(") {}"), Extra: []model.Excerpt{{Path: redact.Said("x.go"), Text: redact.Said("package x")}}}}
	for _, c := range []struct {
		name, wire, host string
		model            model.ModelConfig
		provider         model.ProviderConfig
		want, not        []string
	}{
		{name: "responses", wire: "responses", model: model.ModelConfig{ReasoningEffort: "low", Verbosity: "low", ServiceTier: "priority"},
			want: []string{`"store":false`, `"reasoning":{"effort":"low"}`, `"max_output_tokens":64`, `"text":"a\"b"`, `"type":"output_text","text":"c"`, `"prompt_cache_key":"key"`, `"include_obfuscation":false`, `"service_tier":"priority"`},
			not:  []string{`"stop"`, `"stream"`}},
		{name: "a model's omissions", wire: "responses", model: model.ModelConfig{ReasoningEffort: "low", Omit: []string{"reasoning.effort", "temperature"}}, not: []string{"reasoning", "temperature"}},
		{name: "ChatGPT's omissions", wire: "responses", provider: model.ProviderConfig{AccountID: "a"}, want: []string{`"store":false`}, not: []string{"temperature", "max_output_tokens"}},
		{name: "chat at OpenAI", wire: "chat", host: "api.openai.com", want: []string{`"max_completion_tokens":64`, `"role":"system","content":"Go on."`, `"stop":["\n\n"]`, `"include_usage":true`, `"stream":true`}, not: []string{`"max_tokens"`, "developer"}},
		{name: "chat elsewhere", wire: "chat", host: "127.0.0.1", want: []string{`"max_tokens":64`}, not: []string{"max_completion_tokens", "prompt_cache_key"}},
		{name: "chat at Cerebras", wire: "chat", host: "api.cerebras.ai", want: []string{`"max_completion_tokens":64`}},
		{name: "messages", wire: "messages", want: []string{`"max_tokens":64`, `"system":[{"type":"text","text":"Go on."`, `"stop_sequences":["\n\n"]`}, not: []string{"developer"}},
		{name: "completions with a template", wire: "completions", model: model.ModelConfig{FIM: "starcoder"}, want: []string{`<file_sep>x.go\npackage x`, `<fim_prefix>m.go\nfunc (<fim_suffix>) {}<fim_middle>`, `"<|endoftext|>"`}, not: []string{`"suffix"`}},
		{name: "completions by the model's name", wire: "completions", model: model.ModelConfig{Model: "vendor/Qwen3-Coder-30B"}, want: []string{"<|fim_prefix|>func (<|fim_suffix|>) {}<|fim_middle|>"}},
		{name: "completions without a template", wire: "completions", model: model.ModelConfig{Model: "unheard-of"}, want: []string{`func ("`, `"suffix":") {}"`}},
		{name: "llama.cpp with a family", wire: "infill", model: model.ModelConfig{Model: "qwen2.5-coder-1.5b.gguf"},
			want: []string{`"prompt":"<|file_sep|>x.go\npackage x\n<|file_sep|>m.go\n<|fim_prefix|>func (<|fim_suffix|>) {}<|fim_middle|>"`, `"n_predict":64`, `"cache_prompt":true`, `"<|file_sep|>"`}, not: []string{"input_prefix"}},
		{name: "a conversation with llama.cpp", wire: "infill", model: model.ModelConfig{Model: "gpt-oss-20b.gguf"}, want: []string{`"messages":[`, `"max_tokens":64`}, not: []string{"input_prefix"}},
		{name: "infill", wire: "infill", want: []string{`"input_prefix":"func ("`, `"input_suffix":") {}"`, `"input_extra":[{"filename":"x.go","text":"package x"}]`, `"n_predict":64`, `"cache_prompt":true`}},
		{name: "ollama", wire: "ollama", model: model.ModelConfig{ContextWindow: 8192}, want: []string{`"suffix":") {}"`, `"num_predict":64`, `"num_ctx":8192`, `"shift":false`, `"truncate":false`, `"keep_alive":"30m"`}, not: []string{`"raw"`}},
		{name: "ollama by the model's name", wire: "ollama", model: model.ModelConfig{Model: "seed-coder:8b", ContextWindow: 8192}, want: []string{`"raw":true`, "<[fim-suffix]>) {}<[fim-prefix]>", `"num_ctx":8192`}, not: []string{`"suffix"`}},
		{name: "a conversation with ollama", wire: "ollama", model: model.ModelConfig{Model: "gpt-oss:20b", ContextWindow: 8192}, want: []string{`"messages":[`, `"num_ctx":8192`, `"shift":false`}, not: []string{`"prompt"`}},
		{name: "ollama raw", wire: "ollama", model: model.ModelConfig{FIM: "codellama"}, want: []string{`"raw":true`, `func ( <SUF>) {} <MID>`}, not: []string{`"suffix"`}},
		{name: "mistral", wire: "mistral-fim", want: []string{`func ("`, `"suffix":") {}"`, `"max_tokens":64`}},
		{name: "mistral without a family", wire: "mistral-fim", want: []string{`"prompt":"// Path: x.go\n// package x\n// Path: m.go\nfunc ("`}},
		{name: "mistral's Codestral", wire: "mistral-fim", model: model.ModelConfig{Model: "codestral-latest"}, want: []string{`"prompt":"+++++ x.go\npackage x\n\n+++++ m.go\nfunc ("`, `"\n+++++ "`}},
	} {
		c.provider.WireAPI = c.wire
		body, failed := encodedAs(t, c.provider, c.model, req, c.host)
		if failed != nil {
			t.Errorf("%s: %v", c.name, failed.Error)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(body, w) {
				t.Errorf("%s: no %s in %s", c.name, w, body)
			}
		}
		for _, w := range c.not {
			if strings.Contains(body, w) {
				t.Errorf("%s: there is %s in %s", c.name, w, body)
			}
		}
	}
}

// TestCerebrasIsAlwaysBounded holds that a bound on the output is sent even
// if none is configured: otherwise the server counts its maximum.
func TestCerebrasIsAlwaysBounded(t *testing.T) {
	t.Parallel()
	body, _ := encodedAs(t, model.ProviderConfig{WireAPI: "chat", Name: "cerebras"}, model.ModelConfig{}, &model.Request{Input: []model.Message{{Role: "user", Text: redact.Said("x")}}}, "127.0.0.1")
	if !strings.Contains(body, `"max_completion_tokens":1024`) {
		t.Errorf("no bound in %s", body)
	}
}

func TestConversationsNeedAModelThatConverses(t *testing.T) {
	t.Parallel()
	req := &model.Request{Input: []model.Message{{Role: "user", Text: redact.Said("x")}}}
	if _, failed := encodedAs(t, model.ProviderConfig{WireAPI: "mistral-fim"}, model.ModelConfig{Name: "m"}, req, ""); failed == nil || failed.Code != model.CodeNeedsModel {
		t.Errorf("a conversation gives %v, want needs_model", failed)
	}
}

// TestFormatsChooseTheirPath holds where a request to a model of a format goes, and that
// a prompt which must arrive verbatim does, whatever the provider's wire API is.
func TestFormatsChooseTheirPath(t *testing.T) {
	t.Parallel()
	raw := &model.Request{Purpose: model.NextEdit, Raw: redact.Said("<|file_sep|>updated/a.go\n"), Instructions: redact.Said("never sent"), Input: []model.Message{{Role: "user", Text: redact.Said("never sent")}}}
	edit := &model.Request{Purpose: model.NextEdit, Input: []model.Message{{Role: "user", Text: redact.Said("<|code_to_edit|>")}}}
	fill := &model.Request{Purpose: model.Complete, Fill: &model.Infill{Prefix: redact.Said("a("), Suffix: redact.Said(")")}, Input: []model.Message{{Role: "user", Text: redact.Said("never sent")}}}
	chat := &model.Request{Purpose: model.Ask, Input: []model.Message{{Role: "user", Text: redact.Said("why?")}}}
	for _, c := range []struct {
		wire, format, path, want, not string
		req                           *model.Request
	}{
		{"infill", "chat", "/infill", `"input_prefix":"a("`, "never sent", fill},
		{"infill", "chat", "/v1/chat/completions", "why?", "", chat},
		{"ollama", "chat", "/api/generate", `"suffix":")"`, "never sent", fill},
		{"ollama", "chat", "/api/chat", "why?", "", chat},
		{"chat", "sweep", "/completions", `"prompt":"<|file_sep|>updated/a.go\n"`, "never sent", raw},
		{"responses", "zeta2", "/completions", `"prompt":"<|file_sep|>updated/a.go\n"`, "never sent", raw},
		{"completions", "sweep-v2", "/completions", `"prompt":"<|file_sep|>updated/a.go\n"`, "never sent", raw},
		{"infill", "sweep", "/completion", `"prompt":"<|file_sep|>updated/a.go\n"`, "never sent", raw},
		{"ollama", "sweep", "/api/generate", `"raw":true`, "never sent", raw},
		{"chat", "mercury", "/edit/completions", `"messages":[{"role":"user","content":"<|code_to_edit|>"}]`, "stream", edit},
		{"chat", "mercury", "/fim/completions", `"prompt":"a(","suffix":")"`, "never sent", fill},
		{"chat", "mercury", "/chat/completions", "why?", "", chat},
		{"chat", "fim", "/completions", `"prompt":"a(","suffix":")"`, "never sent", fill},
		{"mistral-fim", "fim", "/fim/completions", `"prompt":"a("`, "never sent", fill},
		{"chat", "chat", "/chat/completions", "never sent", "prompt\"", fill},
		{"chat", "", "/chat/completions", "never sent", "prompt\"", fill},
	} {
		p, m := model.ProviderConfig{WireAPI: c.wire}, model.ModelConfig{Name: "m", Model: "m", Format: c.format}
		d := For(c.wire, &m, c.req, nil)
		f, failed := d.Encode(&Encoder{Provider: &p, Model: &m, Req: c.req, Host: "127.0.0.1"})
		if failed != nil {
			t.Fatal(failed)
		}
		body := string(f.AppendJSON(nil))
		if d.Path != c.path || !strings.Contains(body, c.want) || c.not != "" && strings.Contains(body, c.not) {
			t.Errorf("%s, %s: %s %s; want %s with %s, without %q", c.wire, c.format, d.Path, body, c.path, c.want, c.not)
		}
	}
}

// TestKnownFamiliesAreAskedRaw holds which servers get a prompt in the family's form, and
// that one which has refused to fill in is asked in words.
func TestKnownFamiliesAreAskedRaw(t *testing.T) {
	t.Parallel()
	fill := &model.Request{Purpose: model.Complete, Fill: &model.Infill{Prefix: redact.Said("a("), Suffix: redact.Said(")")}}
	for _, c := range []struct {
		wire, id, fim string
		refused       bool
		path          string
	}{
		{"infill", "qwen2.5-coder", "", false, "/completion"}, {"infill", "mine", "", false, "/infill"}, {"infill", "mine", "", true, "/v1/chat/completions"},
		{"infill", "mine", "glm", false, "/completion"}, {"infill", "qwen2.5-coder", "", true, "/completion"},
		{"ollama", "qwen2.5-coder", "", false, "/api/generate"}, {"ollama", "mine", "", false, "/api/generate"}, {"ollama", "mine", "", true, "/api/chat"},
		{"completions", "qwen2.5-coder", "", false, "/completions"}, {"completions", "mine", "", false, "/completions"},
		{"chat", "qwen2.5-coder", "", false, "/chat/completions"}, {"chat", "qwen2.5-coder", "qwen", false, "/completions"},
		{"mistral-fim", "codestral-latest", "", false, "/fim/completions"}, {"responses", "qwen3-coder", "", false, "/responses"},
	} {
		var refused []string
		if c.refused {
			refused = []string{"suffix"}
		}
		if d := For(c.wire, &model.ModelConfig{Model: c.id, FIM: c.fim}, fill, refused); d.Path != c.path {
			t.Errorf("%+v goes to %s", c, d.Path)
		}
	}
}

// TestCompletionsAreSteady holds where temperature 0 is sent although nobody has set it.
func TestCompletionsAreSteady(t *testing.T) {
	t.Parallel()
	half := 0.5
	for _, c := range []struct {
		name, wire, host string
		model            model.ModelConfig
		purpose          model.Purpose
		n                int
		want             string
	}{
		{name: "llama.cpp", wire: "infill", model: model.ModelConfig{Model: "starcoder2"}, want: `"temperature":0,`},
		{name: "infill", wire: "infill", want: `"temperature":0,`},
		{name: "Ollama", wire: "ollama", want: `"temperature":0}`},
		{name: "vLLM", wire: "completions", want: `"temperature":0}`},
		{name: "Mistral", wire: "mistral-fim", want: `"temperature":0,`},
		{name: "chat", wire: "chat", host: "127.0.0.1", want: `"temperature":0}`},
		{name: "as configured", wire: "infill", model: model.ModelConfig{Temperature: &half}, want: `"temperature":0.5,`},
		{name: "several answers", wire: "chat", n: 3},
		{name: "a question", wire: "chat", purpose: model.Ask},
		{name: "OpenAI", wire: "chat", host: "api.openai.com"},
		{name: "Responses", wire: "responses"},
		{name: "a model that reasons", wire: "chat", model: model.ModelConfig{ReasoningEffort: "low"}},
	} {
		req := &model.Request{Purpose: model.Complete, N: c.n, Fill: &model.Infill{Prefix: redact.Said("a"), Suffix: redact.Said("b")}}
		if c.purpose != "" {
			req.Purpose = c.purpose
		}
		body, failed := encodedAs(t, model.ProviderConfig{WireAPI: c.wire}, c.model, req, c.host)
		if failed != nil || c.want != "" && !strings.Contains(body, c.want) || c.want == "" && strings.Contains(body, "temperature") {
			t.Errorf("%s: %s (%v), want %q", c.name, body, failed, c.want)
		}
	}
}

// TestScanAgreesWithEncodingJSON compares the scanner with the standard library,
// on objects of any shape.
func TestScanAgreesWithEncodingJSON(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.MapOf(rapid.StringOfN(rapid.Rune(), 1, 8, -1), rapid.String()).Draw(t, "texts")
		nested := rapid.SliceOf(rapid.String()).Draw(t, "nested")
		all := map[string]any{"\x01nested": map[string]any{"list": nested, "deep": []any{texts}}}
		for k, v := range texts {
			all[k] = v
		}
		raw, err := json.MarshalIndent(all, "", rapid.SampledFrom([]string{"", " ", "\t"}).Draw(t, "indent"))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]string{}
		s := scanObject(raw)
		for s.next() {
			if s.val[0] == '"' {
				seen[string(s.key)] = text(s.val)
			} else if !json.Valid(s.val) {
				t.Fatalf("member %q is %s", s.key, s.val)
			}
		}
		if !s.whole() {
			t.Fatalf("%s is reported as broken", raw)
		}
		var want map[string]any
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		for k, v := range want {
			if w, ok := v.(string); ok && seen[k] != w {
				t.Fatalf("member %q is %q, want %q", k, seen[k], w)
			}
		}
		cut := scanObject(raw[:len(raw)-1])
		for cut.next() {
			continue
		}
		if cut.whole() {
			t.Fatal("an object without its end is reported as whole")
		}
	})
}

// TestQuotingIsTheInverseOfUnquoting compares both with the standard library.
func TestQuotingIsTheInverseOfUnquoting(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "text")
		quoted := appendQuoted(nil, in)
		var std string
		if err := json.Unmarshal(quoted, &std); err != nil {
			t.Fatalf("%q quoted is %s: %v", in, quoted, err)
		}
		if got := text(quoted); got != std || std != strings.ToValidUTF8(in, "\uFFFD") && len(in) > 0 && !strings.Contains(std, "\uFFFD") {
			t.Fatalf("%q came back as %q, encoding/json returns %q", in, got, std)
		}
		escaped, _ := json.Marshal(in)
		json.Unmarshal(escaped, &std)
		if got := text(escaped); got != std {
			t.Fatalf("%s is %q, encoding/json returns %q", escaped, got, std)
		}
	})
}

// A slicedReader returns a body in pieces of random sizes.
type slicedReader struct {
	body  []byte
	sizes *rand.Rand
}

func (r *slicedReader) Read(p []byte) (int, error) {
	if len(r.body) == 0 {
		return 0, io.EOF
	}
	n := min(1+r.sizes.Intn(7), len(p), len(r.body))
	copy(p, r.body[:n])
	r.body = r.body[n:]
	return n, nil
}

// TestEventsDoNotDependOnChunks holds that line ends, comments, several data
// lines and the sizes of network reads change nothing.
func TestEventsDoNotDependOnChunks(t *testing.T) {
	t.Parallel()
	want := []string{`{"a":"wörld 世界 👩‍👩‍👧"}`, "two\nlines", "", "last"}
	for _, eol := range []string{"\n", "\r\n", "\r"} {
		body := "\uFEFF: hello" + eol + "event: x" + eol + "data: " + want[0] + eol + eol + "data:two" + eol + "id: 7" + eol + "data: lines" + eol + eol + ":ping" + eol + eol + "data" + eol + eol + "retry: 5" + eol + eol + "data: last" + eol + eol
		for seed := range int64(50) {
			e := NewEventReader(&slicedReader{[]byte(body), rand.New(rand.NewSource(seed))}, false, 0)
			var got []string
			for {
				data, err := e.Next()
				if err != nil {
					if err != io.EOF {
						t.Fatalf("line end %q, seed %d: %v", eol, seed, err)
					}
					break
				}
				got = append(got, string(data))
			}
			if !slices.Equal(got, want) {
				t.Fatalf("line end %q, seed %d: events are %q, want %q", eol, seed, got, want)
			}
		}
	}
}

func FuzzDecoders(f *testing.F) {
	for _, e := range []string{
		`{"type":"response.created","sequence_number":0,"response":{"id":"r","model":"m-1","status":"in_progress"}}`,
		`{"type":"response.output_text.delta","sequence_number":1,"output_index":0,"content_index":0,"delta":"a"}`,
		`{"type":"response.completed","sequence_number":2,"response":{"id":"r","model":"m-1","status":"completed","usage":{"input_tokens":7,"output_tokens":2}}}`,
		`{"id":"c","model":"m-1","choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]}`,
		`{"type":"response.output_item.done","sequence_number":1,"output_index":0,"item":{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}}`,
		`{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}]}}]}`,
		`{"content":"a","stop":true}`, `{"response":"a","done":true}`,
	} {
		f.Add([]byte("data: " + e + "\n\n"))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, d := range All {
			dec, b := d.Decoder(3), &Batch{}
			e := NewEventReader(bytes.NewReader(body), d.Lines, 0)
			for {
				data, err := e.Next()
				if err != nil {
					break
				}
				if done, err := dec.Event(data, b); done || err != nil {
					break
				}
			}
		}
	})
}

// TestHugeUsage holds that sums of usage cannot overflow.
func TestHugeUsage(t *testing.T) {
	t.Parallel()
	sum := &messagesDecoder{}
	sum.usage([]byte(`{"input_tokens":1e30,"cache_creation_input_tokens":1e30,"cache_read_input_tokens":1e30,"output_tokens":-4}`))
	if want := (model.Usage{Input: 3 * maxCount, Cached: maxCount, CacheWrite: maxCount, Known: true}); sum.final.Usage != want {
		t.Errorf("%+v, want %+v", sum.final.Usage, want)
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	key := model.NewSecret("secret-key")
	for _, c := range []struct {
		provider   model.ProviderConfig
		host       string
		name, want string
	}{
		{model.ProviderConfig{}, "api.openai.com", "Authorization", "Bearer secret-key"},
		{model.ProviderConfig{}, "x.openai.azure.com", "Api-Key", "secret-key"},
		{model.ProviderConfig{AuthCommand: []string{"az"}}, "x.openai.azure.com", "Authorization", "Bearer secret-key"},
		{model.ProviderConfig{WireAPI: "messages"}, "api.example", "X-Api-Key", "secret-key"},
		{model.ProviderConfig{WireAPI: "messages"}, "api.example", "Anthropic-Version", "2023-06-01"},
		{model.ProviderConfig{AccountID: "acc"}, "chatgpt.com", "Chatgpt-Account-Id", "acc"},
		{model.ProviderConfig{HTTPHeaders: map[string]string{"X-A": "b"}}, "h", "X-A", "b"},
	} {
		h := http.Header{}
		SetHeaders(h, &c.provider, c.host, key, nil, "tandem")
		if h.Get(c.name) != c.want {
			t.Errorf("%s at %s is %q, want %q", c.name, c.host, h.Get(c.name), c.want)
		}
	}
}

// TestHiddenCharactersAreNeverSent: in no wire form has any part of a request the characters
// that a model reads and a person does not see.
func TestHiddenCharactersAreNeverSent(t *testing.T) {
	t.Parallel()
	hidden := redact.Said("a\u202eb\u200bc\U000E0041")
	message := model.Message{Role: "user", Text: hidden}
	req := &model.Request{Instructions: hidden, CacheKey: hidden, Prediction: hidden, Input: []model.Message{message, {Role: "assistant", Text: hidden}}}
	called := *req
	called.Input = append(slices.Clone(req.Input), model.Message{Role: "assistant", Call: model.ToolCall{ID: "1", Name: "f", Arguments: hidden}}, model.Message{Role: "tool", Text: hidden, Call: model.ToolCall{ID: "1"}})
	fill := &model.Request{Purpose: model.Complete, Fill: &model.Infill{Path: hidden, Repository: hidden, Prefix: hidden, Suffix: hidden, Extra: []model.Excerpt{{Path: hidden, Text: hidden}}}}
	raw := &model.Request{Purpose: model.NextEdit, Raw: hidden}
	for _, wire := range WireAPIs() {
		for _, m := range []model.ModelConfig{{Model: "gpt", Prediction: true}, {Model: "qwen3-coder"}, {Model: "unheard-of"}, {Format: "mercury"}} {
			for _, r := range []*model.Request{req, &called, fill, raw} {
				if wire == "mistral-fim" && r != fill || r == raw && m.Format == "mercury" || r == fill && r.Input == nil && conversations[wire] && m.Format == "" {
					continue
				}
				body, failed := encodedAs(t, model.ProviderConfig{WireAPI: wire}, m, r, "")
				if failed != nil || strings.ContainsAny(body, "\u202e\u200b\U000E0041") || !strings.Contains(body, "abc") {
					t.Errorf("%s, %+v: %v, %s", wire, m, failed, body)
				}
			}
		}
	}
}
