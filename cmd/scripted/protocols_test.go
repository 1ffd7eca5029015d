package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// post sends a request and returns the values of the answer: lines of JSON, or the data of
// server-sent events without [DONE].
func post(t *testing.T, url, body string) (values []any, status int, text string) {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	events := strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream")
	for line := range bytes.Lines(all) {
		data, isData := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data: "))
		if len(data) == 0 || events && !isData || string(data) == "[DONE]" {
			continue
		}
		var v any
		if err := json.Unmarshal(data, &v); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		values = append(values, v)
	}
	return values, resp.StatusCode, string(all)
}

// at is the member of a JSON value that a path of names and, for lists, "0" leads to; nil
// where there is none.
func at(v any, path string) any {
	for _, name := range strings.Split(path, ".") {
		switch in := v.(type) {
		case map[string]any:
			v = in[name]
		case []any:
			if name != "0" || len(in) == 0 {
				return nil
			}
			v = in[0]
		default:
			return nil
		}
	}
	return v
}

// joined are the texts at a path of each value, one after the other.
func joined(values []any, path string) string {
	var b strings.Builder
	for _, v := range values {
		s, _ := at(v, path).(string)
		b.WriteString(s)
	}
	return b.String()
}

// TestEveryProtocol: the same answer comes through each protocol, streamed and whole, where
// that protocol's clients look for it, with why it ended and what it used.
func TestEveryProtocol(t *testing.T) {
	_, url := start(t, "[[rules]]\nanswer = \"one two three four\"\nreasoning = \"first think\"")
	const chatEnd = "choices.0.finish_reason"
	for _, c := range []struct {
		path, body            string // the body without the bound and "stream"
		bound                 string // the name of the bound on the answer's tokens
		piece, whole, thought string // where the text of an event and of a whole answer is
		end, ended, cut, used string
	}{
		{path: "/v1/chat/completions", body: `"messages":[{"role":"user","content":"x"}],"stream_options":{"include_usage":true}`, bound: "max_tokens",
			piece: "choices.0.delta.content", whole: "choices.0.message.content", thought: "choices.0.delta.reasoning", end: chatEnd, ended: "stop", cut: "length", used: "usage.completion_tokens"},
		{path: "/v1/completions", body: `"prompt":"x"`, bound: "max_tokens", piece: "choices.0.text", whole: "choices.0.text", end: chatEnd, ended: "stop", cut: "length", used: "usage.completion_tokens"},
		{path: "/v1/fim/completions", body: `"prompt":"x","suffix":"y"`, bound: "max_tokens", piece: "choices.0.delta.content", whole: "choices.0.message.content", end: chatEnd, ended: "stop", cut: "length", used: "usage.completion_tokens"},
		{path: "/v1/messages", body: `"messages":[{"role":"user","content":"x"}]`, bound: "max_tokens",
			piece: "delta.text", whole: "content.0.text", thought: "delta.thinking", end: "delta.stop_reason", ended: "end_turn", cut: "max_tokens", used: "usage.output_tokens"},
		{path: "/infill", body: `"input_prefix":"x","input_suffix":"y"`, bound: "n_predict", piece: "content", whole: "content", end: "stop_type", ended: "eos", cut: "limit", used: "tokens_predicted"},
		{path: "/api/generate", body: `"prompt":"x"`, bound: "", piece: "response", whole: "response", end: "done_reason", ended: "stop", used: "eval_count"},
		{path: "/v1/responses", body: `"input":"x"`, bound: "max_output_tokens", piece: "delta", whole: "output.0.content.0.text", end: "response.status", ended: "completed", cut: "incomplete", used: "response.usage.output_tokens"},
	} {
		t.Run(strings.ReplaceAll(strings.Trim(c.path, "/"), "/", "-"), func(t *testing.T) {
			values, status, text := post(t, url+c.path, `{"model":"m","stream":true,`+c.body+`}`)
			got := joined(values, c.piece)
			if c.path == "/v1/responses" {
				got = strings.TrimPrefix(got, "first think") // deltas of the summary have the same name
			}
			if status != http.StatusOK || got != "one two three four" {
				t.Errorf("streamed: %d, %q in\n%s", status, got, text)
			}
			if c.thought != "" && joined(values, c.thought) != "first think" {
				t.Errorf("the reasoning is %q", joined(values, c.thought))
			}
			var ends []string
			used := 0.0
			for _, v := range values {
				if s, _ := at(v, c.end).(string); s != "" && s != "in_progress" {
					ends = append(ends, s)
				}
				if n, ok := at(v, c.used).(float64); ok {
					used = n
				}
			}
			if !slices.Equal(ends, []string{c.ended}) || used <= 0 {
				t.Errorf("it ended %v after %v tokens, want one %s", ends, used, c.ended)
			}
			values, _, text = post(t, url+c.path, `{"model":"m","stream":false,`+c.body+`}`)
			if c.path == "/v1/responses" { // the reasoning is the first item
				items, _ := at(values[0], "output").([]any)
				got = joined(items[len(items)-1:], "content.0.text")
			} else {
				got = joined(values, c.whole)
			}
			if len(values) != 1 || got != "one two three four" {
				t.Errorf("whole: %q in\n%s", got, text)
			}
			if c.bound == "" {
				return
			}
			values, _, text = post(t, url+c.path, `{"model":"m","stream":true,"`+c.bound+`":2,`+c.body+`}`)
			ends = nil
			for _, v := range values {
				if s, _ := at(v, c.end).(string); s != "" && s != "in_progress" {
					ends = append(ends, s)
				}
			}
			if got := strings.TrimPrefix(joined(values, c.piece), "first think"); got == "one two three four" || !strings.HasPrefix("one two three four", got) || !slices.Equal(ends, []string{c.cut}) {
				t.Errorf("with a bound of 2 it is %q and ends %v, want a part and %s:\n%s", got, ends, c.cut, text)
			}
		})
	}
}

// TestCallsInEveryProtocol: functions that a request offers are called, streamed and whole.
func TestCallsInEveryProtocol(t *testing.T) {
	_, url := start(t, `[[rules]]
contains = "have results"
answer = "done"
[[rules]]
answer = ""
[[rules.call]]
name = "look"
arguments = "{\"at\": \"a.go\"}"
[[rules.call]]
name = "absent"
arguments = "{}"
[[rules.call]]
name = "look"
arguments = "broken"
`)
	const tools = `"tools":[{"type":"function","name":"look","function":{"name":"look"}}]`
	for _, c := range []struct{ path, body, streamed string }{
		{"/v1/responses", `"input":"x"`, "response.output"},
		{"/v1/chat/completions", `"messages":[{"role":"user","content":"x"}]`, ""},
	} {
		values, _, text := post(t, url+c.path, `{"model":"m","stream":true,`+c.body+`,`+tools+`}`)
		var arguments string
		if c.streamed != "" {
			arguments = joined(values, "delta")
		} else {
			arguments = joined(values, "choices.0.delta.tool_calls.0.function.arguments")
		}
		if arguments != `{"at": "a.go"}broken` || strings.Contains(text, "absent") {
			t.Errorf("%s streams the arguments %q in\n%s", c.path, arguments, text)
		}
		_, _, text = post(t, url+c.path, `{"model":"m",`+c.body+`,`+tools+`}`)
		if !strings.Contains(text, `"name":"look","arguments":"{\"at\": \"a.go\"}"`) || !strings.Contains(text, `"name":"look","arguments":"broken"`) {
			t.Errorf("%s answers\n%s", c.path, text)
		}
	}
}

// TestListsOfModels: clients that look for models find those of the script, if their key
// is right.
func TestListsOfModels(t *testing.T) {
	_, url := start(t, "[server]\nkey = \"k\"\nmodels = [\"listed\"]\n[[rules]]\nmodel = \"ruled\"\nanswer = \"x\"\n[[rules]]\nmodel = \"pat*\"\n[[rules]]\nmodel = \"ruled\"\n")
	get := func(path, key string) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+key)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(b)
	}
	if status, text := get("/v1/models", "wrong"); status != 401 {
		t.Errorf("with a wrong key: %d %s", status, text)
	}
	if status, text := get("/v1/models", "k"); status != 200 || strings.Count(text, "listed") == 0 || !strings.Contains(text, "ruled") || strings.Contains(text, "pat*") {
		t.Errorf("%d %s", status, text)
	}
	if _, status, _ := post(t, url+"/v1/chat/completions", `{"model":"ruled"}`); status != 401 {
		t.Errorf("without a key a request is answered %d", status)
	}
}

// TestFillTemplates: prompts that clients write in their model's own marks are taken apart.
func TestFillTemplates(t *testing.T) {
	for prompt, want := range map[string][2]string{
		"<|fim_prefix|>a<|fim_suffix|>b<|fim_middle|>": {"a", "b"},
		"<PRE> a <SUF>b <MID>":                         {"a", "b"},
		"[SUFFIX]b[PREFIX]a":                           {"a", "b"},
		"plain":                                        {"plain", ""},
		"<|fim_prefix|>only":                           {"<|fim_prefix|>only", ""},
	} {
		body, err := json.Marshal(map[string]any{"prompt": prompt})
		if err != nil {
			t.Fatal(err)
		}
		r, err := parseRequest("/v1/completions", body)
		if err != nil || r.Prefix != want[0] || r.Suffix != want[1] {
			t.Errorf("%q is %q and %q, %v", prompt, r.Prefix, r.Suffix, err)
		}
	}
}

// TestEventFaults: events are dropped, doubled, swapped and broken as the script has it,
// and what a correct client must bear comes as well.
func TestEventFaults(t *testing.T) {
	_, url := start(t, `[[rules]]
model = "events"
answer = "a b c d e f"
fault = {drop = [3], duplicate = [4], reorder = [5]}
[[rules]]
model = "end"
answer = "a b c"
fault = {end_events = 2}
[[rules]]
model = "broken"
answer = "a b c"
fault = {bad_json = [2]}
[[rules]]
model = "noise"
answer = "a b c"
served_model = "other"
noise = {obfuscation = true, unknown_events = true, rate_limits = true, metadata = true, comments = true, crlf = true, chunk_bytes = 7}
[[rules]]
model = "open"
answer = "a b c"
noise = {no_done = true}
`)
	chat := func(model string) ([]any, string) {
		values, _, text := post(t, url+"/v1/chat/completions", `{"model":"`+model+`","stream":true,"messages":[]}`)
		return values, text
	}
	pieces := pieces("a b c d e f")
	pieces[2], pieces[3], pieces[4], pieces[5] = "", pieces[3]+pieces[3], pieces[5], pieces[4]
	if values, text := chat("events"); joined(values, "choices.0.delta.content") != strings.Join(pieces, "") {
		t.Errorf("the events are\n%s", text)
	}
	if values, text := chat("end"); len(values) != 2 || strings.Contains(text, "[DONE]") {
		t.Errorf("the answer without its end is\n%s", text)
	}
	if values, text := chat("open"); joined(values, "choices.0.finish_reason") != "stop" || strings.Contains(text, "[DONE]") {
		t.Errorf("the answer without [DONE] is\n%s", text)
	}
	resp, err := http.Post(url+"/v1/chat/completions", "application/json", strings.NewReader(`{"model":"broken","stream":true,"messages":[]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	n := 0
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if data, ok := strings.CutPrefix(lines.Text(), "data: {"); ok {
			if n++; json.Valid([]byte("{"+data)) == (n == 2) {
				t.Errorf("event %d is %s", n, lines.Text())
			}
		}
	}
	values, _, text := post(t, url+"/v1/responses", `{"model":"noise","stream":true,"input":"x"}`)
	answer := ""
	kinds := map[string]bool{}
	for _, v := range values {
		kind, _ := at(v, "type").(string)
		kinds[kind] = true
		if kind == "response.output_text.delta" {
			answer += joined([]any{v}, "delta")
			if joined([]any{v}, "obfuscation") == "" {
				t.Error("a delta has no padding")
			}
		}
	}
	if answer != "a b c" || !kinds["codex.rate_limits"] || !kinds["response.metadata"] || !kinds["weather.report"] || !strings.Contains(text, ": ping\r\n") {
		t.Errorf("with all noise the answer is %q, of %v", answer, kinds)
	}
	if !strings.Contains(text, `"openai-model":"other"`) {
		t.Errorf("%.400s", text)
	}
}

// TestServeUntilInterrupted runs the command as the program does: it prints its address,
// serves what the flags and the script say, and ends when it is asked to.
func TestServeUntilInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot interrupt itself there")
	}
	dir := t.TempDir()
	script, record := filepath.Join(dir, "s.toml"), filepath.Join(dir, "r.jsonl")
	if err := os.WriteFile(script, []byte("[[rules]]\nanswer = \"served\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--script", filepath.Join(dir, "none.toml")}, {"--no-such-flag"}, {"--record", dir}, {"--listen", "nowhere:-1"}} {
		if err := serve(args, io.Discard); err == nil {
			t.Errorf("%v is no error", args)
		}
	}
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- serve([]string{"--script", script, "--record", record, "--show-only"}, in)
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening ")
	if err != nil || !ok {
		t.Fatalf("it prints %q, %v", line, err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/v1/chat/completions", strings.NewReader(`{"model":"m","messages":[]}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Api-Key", "k")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || !strings.Contains(string(body), "served") {
		t.Errorf("it answers %s, %v", body, err)
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("it ends with %v", err)
	}
	http.DefaultClient.CloseIdleConnections()
	if text, err := os.ReadFile(record); err != nil || !strings.Contains(string(text), "/v1/chat/completions") {
		t.Errorf("the record is %s, %v", text, err)
	}
}
