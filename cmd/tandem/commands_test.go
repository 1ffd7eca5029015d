package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tandem/cmd/tandem/config"
	"tandem/edits"
	"tandem/model"
	"tandem/model/provider"
	"tandem/workspace/state"
)

// A home is the environment of one test user: configuration, state and a
// workspace as the working directory.
type home struct {
	t         *testing.T
	config    string // config.toml
	workspace string
	stdin     io.Reader
	managed   string // the administrator's file of an editor's session; "" is the platform's
}

func newHome(t *testing.T) *home {
	t.Helper()
	dir := t.TempDir()
	h := &home{t: t, config: filepath.Join(dir, "config", "tandem", "config.toml"), workspace: filepath.Join(dir, "workspace"), stdin: strings.NewReader("")}
	t.Setenv("HOME", dir)
	t.Setenv("USERPROFILE", dir)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	for _, d := range []string{filepath.Dir(h.config), h.workspace} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(h.workspace)
	return h
}

func (h *home) write(path, text string) {
	h.t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// run runs the program and returns its exit code and its output.
func (h *home) run(args ...string) (code int, stdout, stderr string) {
	h.t.Helper()
	var out, problems bytes.Buffer
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(h.stdin)
	root.SetOut(&out)
	root.SetErr(&problems)
	code = report(root.Execute(), &problems)
	return code, out.String(), problems.String()
}

func (h *home) store() *state.Store {
	h.t.Helper()
	s, err := openStore()
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

// chatServer serves chat completions: it answers every request with status and
// body, or, if body is empty, with a stream of the text "ready".
func chatServer(t *testing.T, status int, contentType, body string) string {
	t.Helper()
	if body == "" {
		body = `data: {"id":"1","object":"chat.completion.chunk","created":1,"model":"gpt-9-mini","choices":[{"index":0,"delta":{"content":"ready"},"finish_reason":null}]}` + "\n\n" +
			`data: {"id":"1","object":"chat.completion.chunk","created":1,"model":"gpt-9-mini","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":10,"total_tokens":110}}` + "\n\ndata: [DONE]\n\n"
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func oneModel(url string) string {
	return fmt.Sprintf("fast = \"m\"\n[models.m]\nprovider = \"p\"\nmodel = \"gpt-9\"\ninput_price = 1.0\noutput_price = 10.0\n[providers.p]\nbase_url = \"%s/v1\"\nwire_api = \"chat\"\nkeyring = \"p\"\n", url)
}

const canary = "sk-canary-9f8e7d6c5b4a"

func (h *home) setKey() {
	h.t.Helper()
	h.stdin = strings.NewReader(canary + "\n")
	if code, _, problems := h.run("key", "set", "p"); code != exitDone {
		h.t.Fatal(problems)
	}
	h.stdin = strings.NewReader("")
}

func TestConfigShowsOrigins(t *testing.T) {
	h := newHome(t)
	h.write(h.config, "fast = \"m\"\n[models.m]\nprovider = \"openai\"\n[providers.openai]\nhttp_headers = { X-Token = \""+canary+"\" }\n")
	code, out, problems := h.run("config", "--json")
	if code != exitDone || strings.Contains(out, canary) {
		t.Errorf("%d: %s%s", code, out, problems)
	}
	var got effective
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	origins := map[string]string{}
	for _, v := range got.Values {
		origins[v.Name] = strings.TrimPrefix(v.Origin, h.config)
	}
	for name, want := range map[string]string{"fast": ":1", "models.m.provider": ":3", "providers.openai.wire_api": "built-in provider", "models.m.context_window": "default"} {
		if origins[name] != want {
			t.Errorf("%s comes from %q, want %q", name, origins[name], want)
		}
	}
	if code, out, _ := h.run("--offline", "config"); code != exitDone || !strings.Contains(out, "fast = \"local\"") || !strings.Contains(out, "# --offline") {
		t.Errorf("%d: %s", code, out)
	}
}

func TestConfigurationMistakesEndWithTheirCode(t *testing.T) {
	h := newHome(t)
	h.write(h.config, "fast = 3\nmodle = 1\n")
	for _, args := range [][]string{{"config"}, {"doctor"}, {"doctor", "--json"}} {
		code, out, problems := h.run(args...)
		if text := out + problems; code != exitConfig || !strings.Contains(text, "config.toml:1") || !strings.Contains(text, "config.toml:2") {
			t.Errorf("%q: %d %s", args, code, text)
		}
	}
	if code, _, problems := h.run("config", "--config", "/nonexistent.toml"); code != exitConfig || !strings.Contains(problems, "cannot be read") {
		t.Errorf("%d %s", code, problems)
	}
	if code, _, _ := h.run("config", "--bogus"); code != exitUsage {
		t.Errorf("a wrong flag: %d", code)
	}
}

func TestKeyNeverComesFromArguments(t *testing.T) {
	h := newHome(t)
	code, out, problems := h.run("key", "set", "p", canary)
	if code != exitUsage || strings.Contains(out+problems, canary) {
		t.Errorf("%d: %s%s", code, out, problems)
	}
	h.setKey()
	if code, out, problems := h.run("key", "list"); code != exitDone || !strings.HasPrefix(out, "p  ") || strings.Contains(out+problems, canary) {
		t.Errorf("%d: %s%s", code, out, problems)
	}
	if code, _, _ := h.run("key", "delete", "p"); code != exitDone {
		t.Errorf("delete: %d", code)
	}
	if code, _, _ := h.run("key", "delete", "p"); code != exitFailed {
		t.Errorf("delete again: %d", code)
	}
}

func TestDoctorRequestIsInTheLedger(t *testing.T) {
	h := newHome(t)
	h.write(h.config, oneModel(chatServer(t, 200, "text/event-stream", "")))
	h.setKey()
	code, out, problems := h.run("doctor", "--json")
	var got diagnosis
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitDone || !got.OK {
		t.Fatalf("%d %v %s%s", code, err, out, problems)
	}
	for _, want := range []string{"gpt-9-mini answered after", "has access to gpt-9: gpt-9-mini answered", "$0.0002"} {
		if !strings.Contains(out, want) {
			t.Errorf("the doctor does not print %q:\n%s", want, out)
		}
	}
	code, listed, problems := h.run("ledger", "--json")
	var sent request
	if err := json.Unmarshal([]byte(listed), &sent); err != nil || code != exitDone {
		t.Fatalf("%d %v %s%s", code, err, listed, problems)
	}
	if sent.State != "done" || sent.Served != "gpt-9-mini" || sent.Input != 100 || sent.Output != 10 || sent.CostUSD != 0.0002 || sent.Bytes == 0 || len(sent.Body) != 64 || sent.Host == "" {
		t.Errorf("%+v", sent)
	}
	if strings.Contains(listed+out, canary) || strings.Contains(listed, "ready") {
		t.Errorf("the ledger holds text or the key: %s", listed)
	}
}

// Every fault of a server is reported in one sentence.
func TestDoctorReportsFaults(t *testing.T) {
	for _, c := range []struct {
		name        string
		status      int
		contentType string
		body        string
		want        string
	}{
		{"wrong key", 401, "application/json", `{"error":{"message":"Incorrect API key provided: ` + canary + `","type":"invalid_request_error","code":"invalid_api_key"}}`, "key"},
		{"a page", 200, "text/html", "<!doctype html><html><body>Sign in</body></html>", "web page"},
		{"no such model", 404, "application/json", `{"error":{"message":"The model does not exist","code":"model_not_found"}}`, "[models.m]"},
		{"nothing", 200, "text/event-stream", "data: {\"id\":\"1\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", "m"},
	} {
		h := newHome(t)
		h.write(h.config, oneModel(chatServer(t, c.status, c.contentType, c.body)))
		h.setKey()
		code, out, _ := h.run("--offline=false", "doctor", "--json")
		var got diagnosis
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatalf("%s: %v %s", c.name, err, out)
		}
		message := ""
		for _, f := range got.Findings {
			if f.Check == "fast lane" {
				message = f.Message
			}
		}
		if code != exitNoModel || got.OK || !strings.Contains(message, c.want) || strings.ContainsAny(message, "\n<>") || strings.Contains(out, canary) {
			t.Errorf("%s: %d %q", c.name, code, message)
		}
	}
}

func TestDoctorTriesEveryAddress(t *testing.T) {
	h := newHome(t)
	good := chatServer(t, 200, "text/event-stream", "")
	text := oneModel(good)
	h.write(h.config, strings.Replace(text, fmt.Sprintf("%q", good+"/v1"), fmt.Sprintf("[%q, %q]", good+"/v1", "http://127.0.0.1:1/v1"), 1))
	h.setKey()
	code, out, _ := h.run("doctor")
	if code != exitNoModel || !strings.Contains(out, "m at "+good) || !strings.Contains(out, "XX  fast lane") {
		t.Errorf("%d %s", code, out)
	}
}

func TestDoctorOfflineAsksNobody(t *testing.T) {
	h := newHome(t)
	asked := false
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer s.Close()
	h.write(h.config, oneModel(s.URL))
	if code, out, problems := h.run("--offline", "doctor"); code != exitDone || asked {
		t.Errorf("%d, asked %v: %s%s", code, asked, out, problems)
	}
}

func TestDailyLimitHasItsOwnCode(t *testing.T) {
	h := newHome(t)
	h.write(h.config, "daily_limit_usd = 0\n"+oneModel("http://127.0.0.1:1"))
	h.setKey()
	if code, out, _ := h.run("doctor"); code != exitDailyLimit || !strings.Contains(out, "daily limit") {
		t.Errorf("%d %s", code, out)
	}
}

func TestLedgerListsEveryRequestThatLeft(t *testing.T) {
	h := newHome(t)
	l := h.store().Ledger()
	for _, e := range []state.Entry{
		{Event: state.EventSent, ID: "a", Host: "h1"}, {Event: state.EventSent, ID: "b", Host: "h2"}, {Event: state.EventSent, ID: "a", Host: "h3"},
		{Event: state.EventDone, ID: "a", Output: 7}, {Event: state.EventSent, ID: "c", Host: "h4"}, {Event: state.EventDone, ID: "b", Error: "server"},
	} {
		if err := l.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	code, out, _ := h.run("ledger", "--json")
	var got []string
	for line := range strings.Lines(out) {
		var r request
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %s %d %s", r.Host, r.State, r.Output, r.Error))
	}
	if want := "h1 continued 0 |h2 failed 0 server|h3 done 7 |h4 open 0 "; code != exitDone || strings.Join(got, "|") != want {
		t.Errorf("%d %q, want %q", code, strings.Join(got, "|"), want)
	}
}

func TestLedgerVerify(t *testing.T) {
	h := newHome(t)
	l := h.store().Ledger()
	for i := range 3 {
		if err := l.Append(state.Entry{Time: time.Now(), Event: state.EventSent, ID: fmt.Sprint(i), Host: "h"}); err != nil {
			t.Fatal(err)
		}
	}
	if code, out, _ := h.run("ledger", "--verify"); code != exitDone || !strings.Contains(out, "whole: 3 requests") {
		t.Errorf("%d %s", code, out)
	}
	path := filepath.Join(h.store().Dir, "ledger", "ledger.jsonl")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	h.write(path, strings.Replace(string(data), `"host":"h"`, `"host":"g"`, 1))
	for _, args := range [][]string{{"ledger", "--verify"}, {"ledger", "--verify", "--json"}, {"ledger"}} {
		if code, out, problems := h.run(args...); code != exitFailed || !strings.Contains(out+problems, "line 1 was changed") {
			t.Errorf("%q: %d %s%s", args, code, out, problems)
		}
	}
}

func TestTasksAreShownAppliedAndSteered(t *testing.T) {
	h := newHome(t)
	file := filepath.Join(h.workspace, "a.go")
	h.write(file, "package a\n")
	tasks := h.store().Tasks()
	keepIn := func(id, text string) string {
		name, err := tasks.PutText(id, text)
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
	keep := func(text string) string { return keepIn("done1", text) }
	done := state.Task{ID: "done1", Title: "Rename", State: "done", Root: h.workspace, Steps: []state.Step{
		{Title: "rename", Lane: "fast", State: "done", Order: 1, Result: []state.Change{{Path: "a.go", Before: keep("package a\n"), After: keep("package b\n")}}},
		{Title: "add", Lane: "fast", State: "done", Order: 2, Result: []state.Change{{Path: "new.go", After: keep("package b\n")}}},
	}}
	done.Verdict = edits.Judge([]edits.FileChange{{Path: "a.go", After: "package b\n"}, {Path: "new.go", After: "package b\n"}})
	running := state.Task{ID: "run1", Title: "Think", State: "running", Root: h.workspace}
	for _, task := range []state.Task{done, running} {
		if err := tasks.Save(task); err != nil {
			t.Fatal(err)
		}
	}
	defer tasks.Close()
	if code, out, _ := h.run("tasks"); code != exitDone || !strings.Contains(out, "done1  done") || !strings.Contains(out, "run1   running") {
		t.Errorf("%d %s", code, out)
	}
	if code, out, _ := h.run("tasks", "show", "done"); code != exitDone || !strings.Contains(out, "-package a\n+package b") {
		t.Errorf("%d %s", code, out)
	}
	if code, _, problems := h.run("tasks", "steer", "run1", "use a map"); code != exitDone {
		t.Errorf("%d %s", code, problems)
	}
	if code, _, problems := h.run("tasks", "cancel", "run1"); code != exitDone {
		t.Errorf("%d %s", code, problems)
	}
	if words, err := tasks.Receive("run1"); err != nil || len(words) != 2 || words[0].Text != "use a map" || words[1].Action != "cancel" {
		t.Errorf("%+v %v", words, err)
	}
	failed := state.Task{ID: "failed1", Title: "Rename", State: "done", Root: h.workspace, Verdict: done.Verdict, Steps: []state.Step{ // whatever was kept, it fails now
		{Title: "rename", Lane: "fast", State: "done", Order: 1, Result: []state.Change{{Path: "a.go", Before: keepIn("failed1", "package a\n"), After: keepIn("failed1", "package b\n\nvar _ = inventedName()\n")}}},
	}}
	if err := tasks.Save(failed); err != nil {
		t.Fatal(err)
	}
	if code, _, problems := h.run("tasks", "apply", "failed1"); code != exitFailed || !strings.Contains(problems, "inventedName is declared nowhere") {
		t.Errorf("what failed: %d %s", code, problems)
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "package a\n" {
		t.Errorf("what failed was written: %q, %v", data, err)
	}
	if code, _, problems := h.run("tasks", "apply", "done1"); code != exitDone {
		t.Errorf("%d %s", code, problems)
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "package b\n" {
		t.Errorf("%q, %v", data, err)
	}
	// Once more, nothing is left to do; a file that has changed there is a conflict.
	if code, _, problems := h.run("tasks", "apply", "done1"); code != exitDone || !strings.Contains(problems, "already") {
		t.Errorf("%d %s", code, problems)
	}
	h.write(file, "package b\n\n// mine\n")
	if code, _, problems := h.run("tasks", "revert", "done1"); code != exitDone || readFile(t, h.workspace, "a.go") != "package a\n\n// mine\n" {
		t.Errorf("taken back: %d %s, %q", code, problems, readFile(t, h.workspace, "a.go"))
	}
	h.write(file, "package c\n")
	if code, _, problems := h.run("tasks", "revert", "done1"); code != exitRefused || !strings.Contains(problems, "a.go:1") {
		t.Errorf("taken back over another change: %d %s", code, problems)
	}
	if code, _, problems := h.run("tasks", "apply", "done1", "--step", "1"); code != exitRefused || !strings.Contains(problems, "a.go:1") {
		t.Errorf("%d %s", code, problems)
	}
	for _, args := range [][]string{{"resume", "done1"}, {"cancel", "done1"}, {"apply", "run1"}, {"show", "nope"}} {
		if code, _, _ := h.run(append([]string{"tasks"}, args...)...); code != exitFailed {
			t.Errorf("tasks %q: %d", args, code)
		}
	}
}

// TestTasksOfThisFolder: the list has the tasks of the folder that it is asked in, of those above
// it and below it; --all has every one.
func TestTasksOfThisFolder(t *testing.T) {
	all := []state.Task{{ID: "here", Root: "/a/b"}, {ID: "above", Root: "/a"}, {ID: "below", Root: "/a/b/c"}, {ID: "beside", Root: "/a/bc"}, {ID: "none"}}
	var got []string
	for _, rec := range tasksOf(all, "/a/b") {
		got = append(got, rec.ID)
	}
	if want := []string{"here", "above", "below"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	h := newHome(t)
	tasks := h.store().Tasks()
	defer tasks.Close()
	if err := tasks.Save(state.Task{ID: "far1", Title: "Far", State: "done", Root: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := h.run("tasks"); code != exitDone || out != "No deep task of this folder; tandem tasks --all lists 1 of others.\n" {
		t.Errorf("%d %q", code, out)
	}
	if code, out, _ := h.run("tasks", "--all"); code != exitDone || !strings.Contains(out, "far1") {
		t.Errorf("%d %q", code, out)
	}
}

func TestInterruptedTaskIsListedAndCancelled(t *testing.T) {
	h := newHome(t)
	tasks := h.store().Tasks()
	if err := tasks.Save(state.Task{ID: "x1", State: "running", Root: h.workspace}); err != nil {
		t.Fatal(err)
	}
	if err := tasks.Close(); err != nil {
		t.Fatal(err)
	}
	if _, out, _ := h.run("tasks", "list", "--json"); !strings.Contains(out, `"state": "interrupted"`) {
		t.Error(out)
	}
	if code, _, problems := h.run("tasks", "cancel", "x1"); code != exitDone {
		t.Errorf("%d %s", code, problems)
	}
	if _, out, _ := h.run("tasks"); !strings.Contains(out, "cancelled") {
		t.Error(out)
	}
}

func TestPurgeReportsWhatItRemoved(t *testing.T) {
	h := newHome(t)
	s := h.store()
	if err := s.Ledger().Append(state.Entry{Event: state.EventSent}); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{h.workspace, "/elsewhere"} {
		if err := s.Tasks().Save(state.Task{ID: filepath.Base(root), State: "done", Root: root}); err != nil {
			t.Fatal(err)
		}
	}
	if code, out, _ := h.run("purge", "--workspace", h.workspace); code != exitDone || !strings.HasPrefix(out, "removed tasks: 1 file(s)") || strings.Contains(out, "ledger") {
		t.Errorf("%d %s", code, out)
	}
	if code, out, _ := h.run("purge"); code != exitDone || !strings.Contains(out, "removed ledger") || !strings.Contains(out, "removed tasks: 1 file(s)") {
		t.Errorf("%d %s", code, out)
	}
	if left, err := os.ReadDir(s.Dir); err != nil || len(left) != 0 {
		t.Errorf("%v %v", left, err)
	}
}

func TestDoctorReportsModelsWithoutPrices(t *testing.T) {
	h := newHome(t)
	for text, warns := range map[string]bool{
		"daily_limit_usd = 5\nmodels.m.provider = \"away\"\n":                                              true,
		"daily_limit_usd = 5\nmodels.m = { provider = \"away\", output_price = 1.0 }\n":                    true,
		"daily_limit_usd = 5\nmodels.m = { provider = \"away\", input_price = 0.0, output_price = 0.0 }\n": false,
		"daily_limit_usd = 5\nmodels.m.provider = \"here\"\n":                                              false,
		"models.m.provider = \"away\"\n":                                                                   false,
	} {
		// No server runs at either address, and a missing key prevents the doctor's request.
		h.write(h.config, "fast = \"m\"\n"+text+"providers.away = { base_url = \"https://models.example.com/v1\", keyring = \"none\" }\n"+
			"providers.here = { base_url = \"http://127.0.0.1:1/v1\", keyring = \"none\" }\n")
		_, out, _ := h.run("doctor")
		if strings.Contains(out, "m lacks a price") != warns {
			t.Errorf("%s\n%s", text, out)
		}
	}
}

// The lines that the doctor prints for a local server are a valid configuration.
func TestLinesForLocalServersAreRight(t *testing.T) {
	for _, c := range []struct {
		kind, url string
		models    []string
		want      string
		deep      string // "" is none
		lines     int
	}{
		{"ollama", "http://127.0.0.1:11434", []string{"llama3:8b", "qwen2.5-coder:7b"}, "qwen2.5-coder:7b", "qwen2.5-coder:7b", 4},
		{"ollama", "http://127.0.0.1:11434", []string{"llama3:8b", "starcoder2:3b"}, "starcoder2:3b", "llama3:8b", 6},
		{"ollama", "http://127.0.0.1:11434", []string{"qwen2.5-coder:1.5b-base"}, "qwen2.5-coder:1.5b-base", "", 3},
		{"llamacpp", "http://127.0.0.1:9931", []string{"/models/star coder.gguf"}, "/models/star coder.gguf", "/models/star coder.gguf", 5},
		{"llamacpp", "http://127.0.0.1:8080", []string{"qwen2.5-coder-1.5b-q8_0.gguf"}, "qwen2.5-coder-1.5b-q8_0.gguf", "", 3},
		{"llamacpp", "http://127.0.0.1:8080", []string{"qwen2.5-coder-1.5b-instruct-q8_0.gguf"}, "qwen2.5-coder-1.5b-instruct-q8_0.gguf", "qwen2.5-coder-1.5b-instruct-q8_0.gguf", 4},
		{"lmstudio", "http://127.0.0.1:1234/v1", []string{"local"}, "local", "local", 4},
		{"vllm", "http://127.0.0.1:8000/v1", []string{"Qwen/Qwen3-Coder-30B", "x"}, "Qwen/Qwen3-Coder-30B", "Qwen/Qwen3-Coder-30B", 5},
		{"llamacpp", "http://127.0.0.1:9931", []string{"/models/sweep-next-edit-1.5b.q8_0.v2.gguf"}, "/models/sweep-next-edit-1.5b.q8_0.v2.gguf", "", 4},
		{"ollama", "http://127.0.0.1:11434", []string{"zeta-2:latest", "zeta-2.1:latest", "qwen2.5-coder:7b"}, "qwen2.5-coder:7b", "qwen2.5-coder:7b", 7},
	} {
		h := newHome(t)
		var offered []provider.Offer
		for _, id := range c.models {
			offered = append(offered, provider.Offer{ID: id, InputPrice: -1, OutputPrice: -1})
		}
		text := strings.TrimSpace(string(config.Assign(nil, selection(provider.Server{Kind: c.kind, Models: offered, Provider: model.ProviderConfig{Name: c.kind, BaseURLs: []string{c.url}, WireAPI: config.PresetWire(c.kind)}}, "", config.Fallback(config.Options{})))))
		h.write(h.config, text+"\n")
		settings, err := (&globals{}).settings()
		if err != nil {
			t.Errorf("%s: %v\n%s", c.kind, err, text)
			continue
		}
		lane := settings.Fast
		if settings.NextEdit != "" && lane == "local" {
			lane = settings.NextEdit
		}
		if m := settings.Models[lane]; m.Model != c.want || settings.Providers[m.Provider].BaseURLs[0] != c.url || strings.Count(text, "\n")+1 != c.lines {
			t.Errorf("%s: %+v\n%s", c.kind, m, text)
		}
		if got := settings.Models[settings.Deep].Model; got != c.deep {
			t.Errorf("%s: edits and questions go to %q, want %q\n%s", c.kind, got, c.deep, text)
		}
	}
}

// TestHiddenWordsAreSaid: a secret in the words of a question leaves with --send-secrets
// alone, and without it that is said.
func TestHiddenWordsAreSaid(t *testing.T) {
	sent := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent += string(body)
		w.WriteHeader(http.StatusBadRequest)
	}))
	defer server.Close()
	h := newHome(t)
	h.write(h.config, oneModel(server.URL))
	h.setKey()
	const question = `why is password = "hunter22xyz9" refused?`
	for _, send := range []bool{false, true} {
		sent = ""
		args := []string{"ask", question}
		if send {
			args = append(args, "--send-secrets")
		}
		_, _, problems := h.run(args...)
		if strings.Contains(sent, "hunter22xyz9") != send || !strings.Contains(sent, "why is password") || strings.Contains(problems, "--send-secrets") == send {
			t.Errorf("--send-secrets %v: sent %q, said %q", send, sent, problems)
		}
	}
}
