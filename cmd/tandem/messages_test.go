package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"tandem/cmd/tandem/config"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/workspace/platformtest"
	"tandem/workspace/redact"
	"tandem/workspace/run"
)

var update = flag.Bool("update", false, "write the golden file of the messages")

// event is one chunk of a chat completion.
func event(delta, end string) string {
	return `data: {"id":"1","model":"gpt-x","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + end + `}]}` + "\n\n"
}

const stream = "text/event-stream"

// A serverFault is what a server answers, and a configuration that leads to it.
type serverFault struct {
	name, table, server string
	first               string // before all tables
	times               int    // how often it is asked; 0 is once
	proxied             bool
	answers             http.HandlerFunc
}

// serverFaults are what servers answer besides what wrongSetUps have.
var serverFaults = []serverFault{
	{name: "the credit is used up", answers: replies(429, jsonType, `{"error":{"code":"insufficient_quota","message":"You exceeded your current quota."}}`)},
	{name: "the plan is used up", answers: replies(429, jsonType, `{"error":{"type":"usage_limit_reached"}}`)},
	{name: "the plan lacks the model", answers: replies(403, jsonType, `{"error":{"type":"usage_not_included"}}`)},
	{name: "asked too often", answers: replies(429, jsonType, `{"error":{"message":"Rate limit reached for gpt-x: 3 requests a minute"}}`)},
	{name: "overloaded", answers: replies(503, jsonType, `{}`)},
	{name: "a fault of the server", answers: replies(500, jsonType, `{"error":{"message":"CUDA out of memory"}}`)},
	{name: "not allowed", answers: replies(403, jsonType, `{"error":{"message":"Project has no access"}}`)},
	{name: "it has moved", answers: func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "https://new.example.com/v1")
		w.WriteHeader(307)
	}},
	{name: "too long", answers: replies(400, jsonType, `{"error":{"code":"context_length_exceeded","message":"This model's maximum context length is 8192 tokens."}}`)},
	{name: "another wire API", answers: replies(422, jsonType, `{"detail":"field required: input"}`)},
	{name: "down behind a gateway", answers: replies(502, "text/html", "<html>Bad Gateway</html>")},
	{name: "cut off", answers: replies(200, stream, event(`{"content":"return"}`, "null"))},
	{name: "garbage", answers: replies(200, stream, "data: <<<\n\n")},
	{name: "filtered", answers: replies(200, stream, event(`{}`, `"content_filter"`)+"data: [DONE]\n\n")},
	{name: "declined", answers: replies(200, stream, event(`{"refusal":"I can't help with that."}`, "null")+event(`{}`, `"stop"`)+"data: [DONE]\n\n")},
	{name: "nothing", answers: replies(200, stream, event(`{}`, `"stop"`)+"data: [DONE]\n\n")},
	{name: "another model answers", answers: replies(200, stream, strings.ReplaceAll(event(`{"content":"x"}`, `"stop"`), "gpt-x", "gpt-mini")+"data: [DONE]\n\n")},
	{name: "another file is loaded", server: "base_url = \"URL/v1\"\nwire_api = \"chat\"", answers: byPath(map[string]http.HandlerFunc{
		"/v1/chat/completions": replies(200, stream, strings.ReplaceAll(event(`{"content":"x"}`, `"stop"`), "gpt-x", "/srv/starcoder2-3b.gguf")+"data: [DONE]\n\n")})},
	{name: "a use that cannot be", answers: replies(200, stream, event(`{"content":"x"}`, `"stop"`)+`data: {"id":"1","model":"gpt-x","choices":[],"usage":{"prompt_tokens":9000000,"completion_tokens":1,"total_tokens":9000001}}`+"\n\ndata: [DONE]\n\n")},
	{name: "TLS where there is none", server: "base_url = \"https://HOST/v1\"\nwire_api = \"chat\"\nenv_key = \"GATEWAY_KEY\"", answers: replies(200, jsonType, "{}")},
	{name: "no key", server: "base_url = \"URL/v1\"\nwire_api = \"chat\"\nenv_key = \"NO_SUCH_KEY\"", answers: replies(200, jsonType, "{}")},
	{name: "the program for the key fails", server: "base_url = \"URL/v1\"\nwire_api = \"chat\"\nauth.command = [\"false\"]", answers: replies(200, jsonType, "{}")},
	{name: "the day's limit is reached", table: "model = \"gpt-x\"\ninput_price = 0.1\noutput_price = 0.1", first: "daily_limit_usd = 0.0\n", answers: replies(200, jsonType, "{}")},
	{name: "a limit and no price", server: "base_url = \"https://gateway.example.com/v1\"\nwire_api = \"chat\"\nenv_key = \"GATEWAY_KEY\"", first: "daily_limit_usd = 1.0\n"},
	{name: "a dear model", table: "model = \"gpt-x\"\ninput_price = 5.0\noutput_price = 25.0", answers: replies(200, stream, event(`{"content":"x"}`, `"stop"`)+"data: [DONE]\n\n")},
	{name: "no cache", table: "model = \"gpt-x\"\ninput_price = 0.1\noutput_price = 0.1", times: 21, answers: replies(200, stream, event(`{"content":"x"}`, `"stop"`)+`data: {"id":"1","model":"gpt-x","choices":[],"usage":{"prompt_tokens":2000,"completion_tokens":1,"total_tokens":2001}}`+"\n\ndata: [DONE]\n\n")},
}

// mistakes are lines of config.toml that are wrong.
var mistakes = []string{
	`fats = "mine"`, `fast = 3`, `fast = "mine`, `fast = "mine"`, "fast = \"mine\"\n[models.mine]\nmodel = \"x\"", "fast = \"mine\"\n[models.mine]\nprovider = \"nobody\"\nmodel = \"x\"",
	"[providers.own]\nbase_url = \"http://models.example.com/v1\"", "[providers.own]\nbase_url = \"models.example.com\"", "[providers.own]\nwire_api = \"chats\"", "[editor]\nlines = 900",
	"[models.mine]\nprovider = \"openai\"\nmodel = \"x\"\ninput_price = -1.0", "[providers.own]\nbase_url = \"https://u:secret@models.example.com/v1\"", "[models.mine]\nprovider = \"openai\"\nmodel = \"x\"\ntemperature = 0.2\nomit = [\"temperature\"]",
}

// refusedCommands are what a person may type that cannot be done.
var refusedCommands = [][]string{
	{"ask", "where is One called?"}, {"edit", "lib.go", "return more"}, {"edit", "lib.go:90", "return more"}, {"edit", "none.go", "return more"}, {"complete", "lib.go"}, {"complete", "lib.go:90:1"},
	{"complete", "none.go:1:1"}, {"review"}, {"check", "none.go"}, {"check", "--diff", "none"}, {"window", "lib.go:x"}, {"hook", "install", "nobody"}, {"key", "set", "p"}, {"key", "rm", "p"}, {"models", "nobody"}, {"replay", "none.jsonl"},
	{"tasks", "show", "none"}, {"frobnicate"},
}

// spoken are the calls in which the editors' own sentences are.
var spoken = map[string]*regexp.Regexp{
	"../../editors/vscode/src/*.ts":         regexp.MustCompile("show(?:Warning|Error|Information)Message\\(\\s*(?:\"tandem:? ([^\"]*)\"|`tandem:? ([^`]*)`)"),
	"../../editors/neovim/lua/tandem/*.lua": regexp.MustCompile(`(?:vim\.notify|say|warn)\(\(?(?:'(?:tandem: )?([^']*)'|"(?:tandem: )?([^"]*)")`),
}

// remedies are the verbs that sentences of toasts begin with: what to do comes first, since editors fold the rest away.
var remedies = strings.Fields("Add Ask Check Choose Correct Give Load Lower Name Put Raise Run Set Start Store Try Wait Write")

// protocolText is what no person is told.
var protocolText = regexp.MustCompile(`(?i)json-?rpc|\bLSP\b|textDocument|workspace/|-32\d\d\d|<nil>|%!|\bnil\b|undefined|goroutine|context canceled|dial tcp|\bEOF\b|unmarshal|\$0\.0000`)

// TestMessages: what people are told, as the code says it, stands in a golden file, to be read one
// sentence after another. A toast begins with what to do, and no sentence has words of a protocol.
func TestMessages(t *testing.T) {
	platformtest.Unix(t, platformtest.Words)
	h := newHome(t)
	t.Setenv("GATEWAY_KEY", canary)
	t.Setenv("TZ", "UTC")
	h.write("lib.go", lib)
	var out strings.Builder
	say := func(kind, text string) {
		text = strings.NewReplacer("tandem "+version(), "tandem VERSION", h.workspace, "WORKSPACE", filepath.Dir(h.workspace), "HOME", "`", "'").Replace(text)
		for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
			if i > 0 {
				kind = ""
			}
			fmt.Fprintf(&out, "  %-8s %s\n", kind, line)
		}
		if found := protocolText.FindString(text); found != "" {
			t.Errorf("%q is no word for a person: %s", found, text)
		}
		if verb, _, _ := strings.Cut(text, " "); kind == "toast" && !slices.Contains(remedies, verb) {
			t.Errorf("a toast begins with %q, and not with what to do: %s", verb, text)
		}
	}
	fmt.Fprintf(&out, "Models and servers\n")
	var all []serverFault
	for _, c := range wrongSetUps {
		all = append(all, serverFault{name: c.name, table: c.table, server: c.server, proxied: c.proxied, answers: c.answers})
	}
	for _, c := range append(all, serverFaults...) {
		fmt.Fprintf(&out, "- %s\n", c.name)
		h.reported(c, say)
	}
	fmt.Fprintf(&out, "\nconfig.toml\n")
	for _, text := range mistakes {
		h.write(h.config, text+"\n")
		_, err := config.Load((&globals{}).options())
		if err == nil {
			t.Errorf("no mistake: %s", text)
			continue
		}
		fmt.Fprintf(&out, "- %s\n", strings.ReplaceAll(text, "\n", " · "))
		say("toast", button(invalidConfiguration(err)))
	}
	_ = os.Remove(h.config)
	fmt.Fprintf(&out, "\ntandem doctor, with nothing configured\n")
	_, report, _ := h.run("doctor", "--json")
	var found diagnosis
	if err := json.Unmarshal([]byte(report), &found); err != nil {
		t.Fatal(err)
	}
	for _, f := range found.Findings {
		if !slices.Contains([]string{"state", "local models", "watching", "policy"}, f.Check) { // what they say is of this machine
			say(f.Status, strings.TrimSpace(f.Check+": "+f.Message+" "+f.Todo))
		}
	}
	fmt.Fprintf(&out, "\nCommands\n")
	for _, args := range refusedCommands {
		_, _, problems := h.run(args...)
		fmt.Fprintf(&out, "- tandem %s\n", strings.Join(args, " "))
		say("", strings.TrimPrefix(problems, "tandem: "))
	}
	for _, files := range []string{"../../editors/vscode/src/*.ts", "../../editors/neovim/lua/tandem/*.lua"} {
		fmt.Fprintf(&out, "\n%s\n", strings.TrimPrefix(files, "../../"))
		for _, sentence := range sentencesIn(t, files, spoken[files]) {
			say("", sentence)
		}
	}
	golden := filepath.Join(sources, "testdata/messages.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(want) != out.String() {
		t.Errorf("what people are told has changed: read it, and write it with -update (%v)\n%s", err, out.String())
	}
}

// sources is the folder of this package.
var sources, _ = os.Getwd()

// sentencesIn are the sentences of an editor's own code.
func sentencesIn(t *testing.T, pattern string, calls *regexp.Regexp) []string {
	files, err := filepath.Glob(filepath.Join(sources, pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v", pattern, err)
	}
	var out []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range calls.FindAllStringSubmatch(string(text), -1) {
			if sentence := m[1] + m[2]; strings.Contains(sentence, " ") && !slices.Contains(out, sentence) {
				out = append(out, sentence)
			}
		}
	}
	return out
}

// button is the text of a toast with the button that mends what it is about.
func button(t core.Trouble) string {
	text := strings.ToUpper(t.Text[:1]) + t.Text[1:]
	switch {
	case t.File != "":
		return text + " [Open]"
	case t.Provider != "":
		return text + " [Give the Key]"
	case t.SetUp:
		return text + " [Set Up]"
	}
	return text
}

// reported asks for a suggestion and says what the person is told of it: toasts, the status, and
// the answer where it is none of these.
func (h *home) reported(c serverFault, say func(kind, text string)) {
	h.t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c.answers == nil {
			return
		}
		c.answers(w, r)
		_, _ = io.Copy(io.Discard, r.Body)
	}))
	defer s.Close()
	host := strings.TrimPrefix(s.URL, "http://")
	if c.proxied {
		h.t.Setenv("HTTPS_PROXY", s.URL)
		defer os.Unsetenv("HTTPS_PROXY")
	}
	table, server := c.table, c.server
	if table == "" {
		table = `model = "gpt-x"`
	}
	if server == "" {
		server = "base_url = \"URL/v1\"\nwire_api = \"chat\"\nenv_key = \"GATEWAY_KEY\""
	}
	text := c.first + "fast = \"mine\"\n\n[models.mine]\nprovider = \"own\"\ncontext_window = 32000\n" + table + "\n\n[providers.own]\nrequest_max_retries = 0\n" + server + "\n"
	h.write(h.config, strings.NewReplacer("URL", s.URL, "//HOST/", "//"+host+"/").Replace(text))
	settings, err := config.Load((&globals{}).options())
	if err != nil {
		h.t.Errorf("%s: %v", c.name, err)
		return
	}
	var mu sync.Mutex // guards toasts
	var toasts []string
	group := run.NewGroup(h.t.Context(), nil)
	defer group.Close()
	ctx, cancel := context.WithCancel(h.t.Context())
	defer cancel()
	lanes := newLanes(func() *config.Config { return settings }, h.store(), nil, group, func(n model.Notice) {
		mu.Lock()
		defer mu.Unlock()
		toasts = append(toasts, button(ofModel(n, h.config)))
		if n.Err != nil && n.Err.Code == model.CodeTimeout {
			cancel() // it never answers
		}
	}, nil)
	defer func() { _ = lanes.Close() }()
	if c.answers != nil { // else the network would be asked
		lanes.Warm(ctx, model.Fast)
	}
	m, _ := lanes.ConfigFor(model.Complete)
	var answer string
	for range max(c.times, 1) {
		req := tinyRequest(model.Fast, m)
		req.ID, req.Purpose = "", model.Complete
		if c.times > 1 { // providers cache no short prompt
			req.Input[0].Text = redact.Said(strings.Repeat("Say ready. ", 1000))
		}
		for _, err := range lanes.Stream(ctx, model.Fast, req) {
			if err != nil {
				answer = button(core.Trouble{Text: model.AsError(err).Error()})
			}
		}
	}
	mu.Lock()
	defer mu.Unlock()
	hidden := func(text string) string { return strings.ReplaceAll(text, host, "HOST") }
	for _, toast := range toasts {
		say("toast", hidden(toast))
	}
	shown := strings.Join(toasts, "\n")
	if answer != "" && ctx.Err() == nil && !strings.Contains(shown, answer) {
		say("answer", hidden(answer))
	}
	if state := lanes.Status().Lanes[0]; state.State != model.LaneReady {
		reason := button(core.Trouble{Text: state.Reason})
		if strings.Contains(shown, reason) || reason == answer {
			reason = "the same"
		}
		say("status", fmt.Sprintf("%s: %s", state.State, hidden(reason)))
	}
}
