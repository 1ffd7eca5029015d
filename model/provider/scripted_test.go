package provider

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tandem/model"
	"tandem/workspace/redact"
)

// scriptedDir holds the scripted server while tests run.
var scriptedDir string

// scriptedBinary builds the scripted server once for all tests that run it. Without Go, it is the
// one on the PATH.
var scriptedBinary = sync.OnceValues(func() (string, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return exec.LookPath("scripted")
	}
	var err error
	if scriptedDir, err = os.MkdirTemp("", "scripted"); err != nil {
		return "", err
	}
	file := filepath.Join(scriptedDir, "scripted")
	out, err := exec.Command("go", "build", "-ldflags=-w", "-o", file, "tandem/cmd/scripted").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return file, nil
})

// startScripted runs the scripted server with a script until the test ends and
// returns its address. "" is the server's own two models.
func startScripted(t testing.TB, script string) string {
	t.Helper()
	address, _ := startRecorded(t, script)
	return address
}

// startRecorded is startScripted with the file in which the server records requests.
func startRecorded(t testing.TB, script string) (address, record string) {
	t.Helper()
	binary, err := scriptedBinary()
	if err != nil {
		t.Fatal(err)
	}
	record = filepath.Join(t.TempDir(), "record.jsonl")
	args := []string{"--record", record}
	if script != "" {
		file := filepath.Join(t.TempDir(), "script.toml")
		if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--script", file)
	}
	cmd := exec.Command(binary, args...)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if cmd.Process.Signal(os.Interrupt) != nil { // Windows interrupts nobody
			_ = cmd.Process.Kill()
		}
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(strings.TrimPrefix(line, "listening ")), record
}

// A sentRequest is one request that the scripted server has recorded.
type sentRequest struct {
	Socket int
	Body   struct {
		Input    []any
		Previous string `json:"previous_response_id"`
		Generate *bool
	}
}

// sentTo are the requests in a record, without those of other kinds and without warm-ups.
func sentTo(t testing.TB, record string) (out []sentRequest) {
	t.Helper()
	text, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var r sentRequest
		if json.Unmarshal([]byte(line), &r) == nil && r.Body.Generate == nil { // a handshake's body is a string
			out = append(out, r)
		}
	}
	return out
}

// A transportCase is a wire API as it is configured.
type transportCase struct {
	name, wire, base string
	sockets          bool
}

var transports = []transportCase{
	{"responses over a socket", "responses", "/v1", true}, {"responses over SSE", "responses", "/v1", false}, {"chat", "chat", "/v1", false},
	{"messages", "messages", "/v1", false}, {"completions", "completions", "/v1", false}, {"infill", "infill", "", false},
	{"ollama", "ollama", "", false}, {"mistral", "mistral-fim", "/v1", false},
}

func (c transportCase) client(t testing.TB, address, id string) model.Client {
	t.Helper()
	zero := 0
	client, err := New(model.ProviderConfig{Name: "scripted", BaseURLs: []string{address + c.base}, WireAPI: c.wire, SupportsWebsockets: c.sockets, RequestMaxRetries: &zero, StreamMaxRetries: &zero},
		model.ModelConfig{Name: "m", Model: id, FIM: "qwen"}, Options{Key: func(context.Context) (model.Secret, error) { return model.NewSecret("scripted-key"), nil }})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// request is an infill request for every wire API that fills in code, and a
// conversation for the others.
func (c transportCase) request() *model.Request {
	req := &model.Request{ID: "q", Purpose: model.Ask, Input: []model.Message{{Role: "user", Text: redact.Said("say it")}},
		Deadline: model.Deadlines{FirstByte: 10 * time.Second}}
	switch c.wire {
	case "completions", "infill", "ollama", "mistral-fim":
		req.Fill = &model.Infill{Path: redact.Said("a.go"), Prefix: redact.Said("func a() {\n"), Suffix: redact.Said("}\n")}
	}
	return req
}

// trickyText is an answer with everything that encodings often break.
const trickyText = "func wörld() {\n\treturn \"世界 👩‍👩‍👧 \\\"quoted\\\"\"\r\n}\u2028</tag> & \x01 end"

// TestScriptedServerInEveryProtocol drives every wire API through a server that
// adds all the noise that is allowed and splits everything inside words and runes.
func TestScriptedServerInEveryProtocol(t *testing.T) {
	text, _ := json.Marshal(trickyText)
	noisy := startScripted(t, fmt.Sprintf(`
[server]
key = "scripted-key"
[[rules]]
answer = %s
reasoning = "Let me think."
served_model = "m-served"
tokens_per_second = 20000
[rules.noise]
obfuscation = true
unknown_events = true
rate_limits = true
metadata = true
chunk_bytes = 3
comments = true
crlf = true
no_done = true
`, tomlString(string(text))))
	for _, c := range transports {
		t.Run(c.name, func(t *testing.T) {
			client := c.client(t, noisy, "m-asked")
			defer client.Close()
			for range 3 {
				got := ask(t, t.Context(), client, c.request())
				if got.text != trickyText || got.final == nil || !got.final.End.Whole() || !got.final.Usage.Known {
					t.Fatalf("text %q, final %+v, error %v", got.text, got.final, got.err)
				}
				if len(got.served) != 1 || got.served[0] != "m-served" {
					t.Errorf("served by %q, want m-served once", got.served)
				}
			}
		})
	}
}

// tomlString turns a JSON string into a TOML one: TOML wants \u escapes for
// control characters and knows all others that JSON has.
func tomlString(s string) string { return strings.ReplaceAll(s, `\/`, "/") }

// TestScriptedCuts cuts answers of every protocol after n bytes and events.
func TestScriptedCuts(t *testing.T) {
	const full = "one two three four five six seven eight nine ten eleven twelve"
	var rules strings.Builder
	var ids []string
	for i, at := range []int{1, 50, 200, 400, 800, 1200, 2000} {
		for _, kind := range []string{"cut_bytes", "cut_events", "end_events", "duplicate", "reorder", "drop", "bad_json"} {
			n := fmt.Sprint(at)
			if kind != "cut_bytes" {
				n = fmt.Sprint(i + 2)
			}
			if kind != "cut_bytes" && !strings.Contains(kind, "events") {
				n = "[" + n + "]"
			}
			id := fmt.Sprintf("%s-%d", kind, i)
			ids = append(ids, id)
			fmt.Fprintf(&rules, "[[rules]]\nmodel = %q\nanswer = %q\nfault = {%s = %s}\n", id, full, kind, n)
		}
	}
	address := startScripted(t, rules.String())
	for i, c := range transports {
		for _, id := range ids {
			if i >= 2 && !strings.HasPrefix(id, "cut") && !strings.HasPrefix(id, "end") {
				continue // only Responses numbers its events: elsewhere a lost one cannot be detected
			}
			client := c.client(t, address, id)
			req := c.request()
			req.Deadline = model.Deadlines{FirstByte: 200 * time.Millisecond, Stall: 100 * time.Millisecond}
			got := ask(t, t.Context(), client, req)
			_ = client.Close()
			if got.err == nil && got.text != full || !strings.HasPrefix(full, got.text) {
				t.Errorf("%s, %s: text %q, error %v", c.name, id, got.text, got.err)
			}
		}
	}
}

// TestScriptedSocketRules holds that the server follows the rules of real ones,
// and that the client works with them.
func TestScriptedSocketRules(t *testing.T) {
	address, record := startRecorded(t, "")
	client := transportCase{wire: "responses", base: "/v1", sockets: true}.client(t, address, "scripted-fast")
	defer client.Close()
	first := ask(t, t.Context(), client, &model.Request{Purpose: model.Ask, Input: []model.Message{{Role: "user", Text: redact.Said("alpha")}}})
	second := ask(t, t.Context(), client, &model.Request{Purpose: model.Ask, Input: []model.Message{
		{Role: "user", Text: redact.Said("alpha")}, {Role: "assistant", Text: redact.Said(first.text)}, {Role: "user", Text: redact.Said("beta")}}})
	if first.err != nil || second.err != nil {
		t.Fatal(first.err, second.err)
	}
	sent := sentTo(t, record)
	if len(sent) != 2 || sent[0].Socket != 1 || sent[1].Socket != 1 || sent[0].Body.Previous != "" || sent[1].Body.Previous == "" {
		t.Errorf("sent %+v, want one request in full and one continued, on one socket", sent)
	}
}

// TestKeepAliveSurvivesAnswers holds that a connection serves more than one
// request. How many it serves depends on when the body's end is read.
func TestKeepAliveSurvivesAnswers(t *testing.T) {
	address := startScripted(t, "")
	for _, c := range transports[1:] {
		n := 0
		client, err := New(model.ProviderConfig{Name: "s", BaseURLs: []string{address + c.base}, WireAPI: c.wire}, model.ModelConfig{Model: "scripted-fast", FIM: "qwen", MaxOutputTokens: 20},
			Options{Dial: countingDial(&n)})
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			if got := ask(t, t.Context(), client, c.request()); got.err != nil && got.err.Code != model.CodeEmpty {
				t.Fatal(got.err)
			}
			time.Sleep(20 * time.Millisecond) // most times enough: the body's end is read in the background, after the answer
		}
		_ = client.Close()
		if n >= 5 {
			t.Errorf("%s: five requests took %d connections", c.name, n)
		}
	}
}
