package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tandem/edits"
	"tandem/lsp"
	"tandem/model/assist/core"
	"tandem/workspace"
	"tandem/workspace/run"
	"tandem/workspace/state"
	"tandem/workspace/tokens"
)

// An agent is the SDK's client of `tandem mcp`, and all that it was sent.
type agent struct {
	t *testing.T
	*sdk.ClientSession
	progress chan string // progress
	mu       sync.Mutex
	received strings.Builder
}

// agent connects a client to a server in this process.
func (h *home) agent(managed string) *agent {
	h.t.Helper()
	return h.agentOf(managed, "")
}

// agentOf connects a client that speaks a version of the protocol, "" for the latest.
func (h *home) agentOf(managed, protocol string) *agent {
	h.t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	a := &agent{t: h.t, progress: make(chan string, 100)}
	ended := make(chan error, 1)
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		ended <- (&globals{managed: managed, workspace: h.workspace}).agent(ctx, fromClient, toClient)
		_ = toClient.Close()
	}()
	a.connect(&sdk.IOTransport{Reader: a.record(fromServer), Writer: toServer}, protocol)
	h.t.Cleanup(func() {
		_ = a.Close()
		_ = toServer.Close()
		if err := <-ended; err != nil {
			h.t.Error(err)
		}
		stop()
	})
	return a
}

func (a *agent) connect(to sdk.Transport, protocol string) {
	a.t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test-agent", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			select {
			case a.progress <- r.Params.Message:
			default:
			}
		},
	})
	var err error
	if a.ClientSession, err = client.Connect(context.Background(), to, &sdk.ClientSessionOptions{ProtocolVersion: protocol}); err != nil {
		a.t.Fatal(err)
	}
}

// record keeps what is read.
func (a *agent) record(from io.ReadCloser) io.ReadCloser {
	return struct {
		io.Reader
		io.Closer
	}{io.TeeReader(from, writerFunc(func(p []byte) (int, error) {
		a.mu.Lock()
		defer a.mu.Unlock()
		return a.received.Write(p)
	})), from}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// use calls a tool and returns its text; failed is whether it is an error.
func (a *agent) use(tool string, args any) (text string, failed bool) {
	a.t.Helper()
	r, err := a.CallTool(a.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return err.Error(), true
	}
	if len(r.Content) != 1 || r.StructuredContent != nil {
		a.t.Fatalf("%s: %d contents, structured %v: clients show structured content in place of text", tool, len(r.Content), r.StructuredContent)
	}
	text = r.Content[0].(*sdk.TextContent).Text
	if n := tokens.Count(text); n >= 8000 {
		a.t.Errorf("%s: a result of %d tokens", tool, n)
	}
	return text, r.IsError
}

type args = map[string]any

// TestAgentLearnsWhatToolsAreFor: few tools with all four hints, and instructions that say
// when each is worth a call in what the strictest client shows.
func TestAgentLearnsWhatToolsAreFor(t *testing.T) {
	for _, write := range []bool{false, true} {
		h := newHome(t)
		h.write(h.config, fmt.Sprintf("[mcp]\nwrite = %v\n", write))
		a := h.agent("")
		if in := a.InitializeResult().Instructions; strings.Count(in, ". ") != 3 || len(in) > 2048 || !strings.Contains(in[:512], "`check`") {
			t.Errorf("instructions of %d bytes: %s", len(in), in)
		}
		list, err := a.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, tool := range list.Tools {
			hints, err := json.Marshal(tool.Annotations)
			if schema, _ := json.Marshal(tool.InputSchema); strings.Contains(string(schema), `"type":[`) {
				t.Errorf("%s: clients read one type: %s", tool.Name, schema)
			}
			if err != nil || tool.OutputSchema != nil || len(tool.Description) > 1024 {
				t.Errorf("%s: %v, %v", tool.Name, err, tool.OutputSchema)
			}
			got = append(got, tool.Name+string(hints))
		}
		want := fmt.Sprintf(`check{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":true} `+
			`context{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":true} `+
			`edit{"destructiveHint":%v,"idempotentHint":false,"openWorldHint":true,"readOnlyHint":%v}`, write, !write)
		if strings.Join(got, " ") != want {
			t.Errorf("got %s", got)
		}
	}
}

// TestAgentGetsContext: whole functions for words and for a place, within the budget.
func TestAgentGetsContext(t *testing.T) {
	h := newHome(t)
	h.write("go.mod", "module example.com/shop\n")
	h.write("price.go", "package shop\n\n// Discount takes a percentage off.\nfunc Discount(cents, percent int) int {\n\treturn cents - cents*percent/100\n}\n")
	h.write("order.go", "package shop\n\n// Place makes an order.\nfunc Place(cents int) int {\n\treturn Discount(cents, 5)\n}\n")
	h.write("utf16.go", "\xff\xfep\x00a\x00c\x00k\x00")
	h.write("compose.yml", "services:\n  web:\n    image: nginx\n")
	h.write("money.go", "package shop\n\ntype Money int\n\nfunc (m Money) Whole() bool { return m%100 == 0 }\n")
	var long strings.Builder
	long.WriteString("package shop\n\nvar prices = map[string]int{\n")
	for i := range 3000 {
		fmt.Fprintf(&long, "\t\"discount %d\": %d,\n", i, i)
	}
	h.write("table.go", long.String()+"}\n")
	a := h.agent("")
	const discount = "price.go:3-6\n// Discount takes a percentage off.\nfunc Discount(cents, percent int) int {\n\treturn cents - cents*percent/100\n}\n"
	for _, c := range []struct {
		args args
		want []string
	}{
		{args{"words": "where is the percentage of a discount taken off"}, []string{discount}},
		{args{"file": "order.go", "line": 5}, []string{"order.go:3-6\n// Place makes", discount}},
		{args{"words": "Discount", "budget": 1}, []string{discount}},
		{args{"words": "is it whole money"}, []string{"money.go:5-5\nfunc (m Money) Whole() bool"}},
		{args{"file": "order.go", "line": 5, "column": 9, "purpose": "edit"}, []string{"return Discount(cents, 5)"}},
		{args{"file": "table.go"}, []string{"table.go:"}},
		{args{"file": "order.go", "line": "5", "words": nil, "budget": 2000.0}, []string{discount}}, // as models write arguments
		{args{"words": "what makes it"}, []string{"order.go:3-6"}},                                  // in a comment alone
		{args{"words": "nginx image"}, []string{"compose.yml:1-3"}},
	} {
		text, failed := a.use("context", c.args)
		if n := tokens.Count(text); failed || n > 2000 {
			t.Errorf("%v: %d tokens: %s", c.args, n, text)
		}
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%v: no %q in\n%s", c.args, want, text)
			}
		}
	}
	for _, c := range []struct {
		args args
		want string
	}{
		{args{}, "give words"},
		{args{"words": 1}, "words"},
		{args{"question": "x"}, "give words"},
		{args{"file": "none.go"}, "none.go"},
		{args{"file": "../out.go"}, "outside the workspace"},
		{args{"file": "order.go", "purpose": "lunch"}, "lunch"},
		{args{"words": "qwertz uiop"}, "nothing in the workspace"},
		{args{"file": "order.go", "line": 99}, "lines 1-7, and no line 99"},
		{args{"file": "utf16.go"}, "no text"},
	} {
		if text, failed := a.use("context", c.args); !failed || !strings.Contains(text, c.want) {
			t.Errorf("%v: failed %v: %s", c.args, failed, text)
		}
	}
}

// TestAgentSpeaksEveryProtocol: clients of the versions with a handshake and of those without
// get the same tools, texts, refusals and progress, and are named in the ledger.
func TestAgentSpeaksEveryProtocol(t *testing.T) {
	for _, version := range protocols {
		h, _ := withModel(t, answer{"return more", block("\treturn 1", "\treturn 10")})
		h.write("lib.go", lib)
		a := h.agentOf("", version)
		if spoken := a.InitializeResult().ProtocolVersion; spoken != version || a.InitializeResult().Instructions == "" {
			t.Errorf("%s: %s is spoken, instructions %q", version, spoken, a.InitializeResult().Instructions)
		}
		if list, err := a.ListTools(t.Context(), nil); err != nil || len(list.Tools) != 3 {
			t.Errorf("%s: %v, %v", version, list, err)
		}
		if text, failed := a.use("context", args{"words": "Two"}); failed || !strings.Contains(text, "return 2") {
			t.Errorf("%s: context: %s", version, text)
		}
		if text, failed := a.use("check", args{"files": 1}); !failed || text != "the argument files of check has to be a list of texts" {
			t.Errorf("%s: wrong arguments: %s", version, text)
		}
		p := &sdk.CallToolParams{Name: "edit", Arguments: args{"instruction": "return more", "files": []string{"lib.go"}}}
		p.SetProgressToken("p")
		if r, err := a.CallTool(t.Context(), p); err != nil || r.IsError {
			t.Errorf("%s: edit: %v, %v", version, r, err)
		}
		if said := <-a.progress; said == "" {
			t.Errorf("%s: progress without a message", version)
		}
		if _, out, _ := h.run("ledger"); !strings.Contains(out, "test-agent") {
			t.Errorf("%s: the ledger: %s", version, out)
		}
	}
}

// TestAgentResultsAreBounded: whatever a tool finds, a client shows it whole.
func TestAgentResultsAreBounded(t *testing.T) {
	h, _ := withModel(t, answer{"rename", "<<<<<<< SEARCH\npackage lib\n=======\npackage lib2\n>>>>>>> REPLACE"})
	var wrong strings.Builder
	wrong.WriteString("package lib\n")
	for i := range 500 {
		fmt.Fprintf(&wrong, "\nfunc find%d() int {\n\treturn missing%d()\n}\n", i, i)
	}
	h.write("go.mod", "module example.com/lib\n\ngo 1.26\n")
	h.write("lib.go", wrong.String())
	a := h.agent("")
	for _, c := range []struct {
		tool string
		args args
	}{
		{"check", args{"files": []string{"lib.go"}}},
		{"check", args{"texts": args{"other.go": wrong.String()}}},
		{"context", args{"words": "missing", "budget": 1 << 30}},
		{"context", args{"file": "lib.go", "line": 500, "budget": 1 << 30}},
		{"context", args{"words": strings.Repeat("missing ", 100_000)}},
		{"check", args{"texts": args{strings.Repeat("long", 50_000): ""}}},
	} {
		text, failed := a.use(c.tool, c.args) // which counts the tokens
		if failed || text == "" {
			t.Errorf("%s: %s", c.tool, text[:min(len(text), 300)])
		}
	}
}

// TestAgentChecks: what `tandem check` finds, in files, patches, texts and since the last
// commit, also in what was written a moment ago.
func TestAgentChecks(t *testing.T) {
	h := newHome(t)
	h.write("go.mod", "module example.com/lib\n\ngo 1.26\n")
	h.write("lib.go", lib)
	h.git("init", "-q")
	h.git("add", ".")
	h.git("commit", "-qm", "one")
	a := h.agent("")
	const found = "lib.go:4:9: error: "
	broken := strings.Replace(lib, "return 1", "return Tow()", 1)
	patch := "--- a/lib.go\n+++ b/lib.go\n@@ -3,3 +3,3 @@\n func One() int {\n-\treturn 1\n+\treturn Tow()\n }\n"
	for _, arg := range []args{{"patch": patch}, {"texts": args{"lib.go": broken}}} {
		if text, failed := a.use("check", arg); failed || !strings.Contains(text, found) || !strings.Contains(text, "Two") {
			t.Errorf("%v: %s", arg, text)
		}
	}
	if text, failed := a.use("check", args{}); failed || text != "nothing has changed since the last commit\n" {
		t.Errorf("nothing has changed: %s", text)
	}
	h.write("lib.go", broken)
	if text, failed := a.use("check", args{}); failed || !strings.Contains(text, found) {
		t.Errorf("since the last commit, at once: %s", text)
	}
	for _, arg := range []args{{"files": []string{"lib.go"}}, {"files": []string{"."}}, {"patch": patch}} {
		if text, failed := a.use("check", arg); failed || !strings.Contains(text, found) {
			t.Errorf("%v: %s", arg, text)
		}
	}
	for _, arg := range []args{{"patch": "no patch"}, {"files": []string{"none.go"}}, {"files": []string{"lib.go\x00"}}, {"files": []string{""}}} {
		if text, failed := a.use("check", arg); !failed {
			t.Errorf("%v: %s", arg, text)
		}
	}
	if text, _ := a.use("check", args{"files": []string{"../lib.go"}, "texts": args{"/etc/hosts": "x"}}); strings.Contains(text, "localhost") {
		t.Errorf("outside: %s", text)
	}
}

// TestAgentEdits: a checked patch with its price, which is written where the user allows it
// and the checks passed, and an entry of the ledger that names the agent.
func TestAgentEdits(t *testing.T) {
	answers := []answer{
		{"return more", block("\treturn 1", "\treturn 10")},
		{"break it", block("\treturn 1", "\treturn Tow()")},
		{"count them", strings.ReplaceAll(block("\treturn 7", "\treturn thing.Count()"), "lib.go", "far.go")},
	}
	for _, write := range []bool{false, true} {
		h, asked := withModel(t, answers...)
		const far = "package lib\n\nimport \"example.com/missing/thing\"\n\nfunc Seven() int {\n\treturn 7\n}\n"
		h.write("go.mod", "module example.com/lib\n\ngo 1.26\n\nrequire example.com/missing v1.0.0\n")
		h.write("far.go", far)
		h.write(h.config, readFile(t, filepath.Dir(h.config), "config.toml")+fmt.Sprintf("[mcp]\nwrite = %v\n", write))
		h.write("AGENTS.md", "Be kind.\n")
		a := h.agent("")
		text, failed := a.use("edit", args{"instruction": "return more", "files": []string{"lib.go"}, "range": "3-5"})
		if failed || !strings.Contains(text, "verdict: passed\n") || !strings.HasPrefix(text, "cost: $0.000") || !strings.Contains(text, "--- a/lib.go\n+++ b/lib.go\n") || !strings.Contains(text, "-\treturn 1\n+\treturn 10\n") {
			t.Errorf("a patch: %s", text)
		}
		if now := readFile(t, h.workspace, "lib.go"); now != lib {
			t.Errorf("without write the file is %q", now)
		}
		text, failed = a.use("edit", args{"instruction": "break it", "files": []string{"lib.go"}, "write": true})
		if failed == write || write && !strings.Contains(text, "verdict: failed") || write && !strings.Contains(text, "not written: ") || !write && !strings.Contains(text, "mcp") {
			t.Errorf("write %v, a patch that fails its checks: %s", write, text)
		}
		if now := readFile(t, h.workspace, "lib.go"); now != lib {
			t.Errorf("what failed its checks was written: %q", now)
		}
		if write {
			text, _ = a.use("edit", args{"instruction": "count them", "files": []string{"far.go"}, "write": true})
			if now := readFile(t, h.workspace, "far.go"); now != far || !strings.Contains(text, "verdict: not_judged") || !strings.Contains(text, "not written: ") {
				t.Errorf("what cannot be judged: %s, and the file is %q", text, now)
			}
			text, failed = a.use("edit", args{"instruction": "return more", "files": []string{"lib.go"}, "write": true})
			if now := readFile(t, h.workspace, "lib.go"); failed || !strings.Contains(text, "written: 1 file\n") || now != strings.Replace(lib, "return 1\n", "return 10\n", 1) {
				t.Errorf("the file is %q: %s", now, text)
			}
			if text, _ = a.use("context", args{"file": "lib.go", "line": 4}); !strings.Contains(text, "return 10") {
				t.Errorf("after the edit: %s", text)
			}
		}
		before := asked.Load()
		for _, c := range []struct {
			args args
			want string
		}{
			{args{"instruction": "return more"}, "files"},
			{args{"instruction": " ", "files": []string{"lib.go"}}, "say in a sentence"},
			{args{"instruction": "return more", "files": []string{"lib.go"}, "range": "4-99"}, "1-10"},
			{args{"instruction": "return more", "files": []string{"lib.go", "go.mod"}, "range": "1"}, "one file"},
			{args{"instruction": "return more", "files": []string{"none.go"}}, "none.go"},
			{args{"instruction": "return more", "files": []string{"../out.go"}}, "outside"},
			{args{"instruction": "change AGENTS.md", "files": []string{"AGENTS.md"}, "write": true}, map[bool]string{true: "makes programs run", false: "not allowed"}[write]},
		} {
			if text, failed := a.use("edit", c.args); !failed || !strings.Contains(text, c.want) {
				t.Errorf("%v: failed %v: %s", c.args, failed, text)
			}
		}
		if asked.Load() != before {
			t.Errorf("what is refused was sent to the model")
		}
		var by []string
		if _, err := h.store().Ledger().Read(func(e state.Entry) error {
			if e.Event == state.EventSent {
				by = append(by, e.By)
			}
			return nil
		}); err != nil || len(by) != int(asked.Load()) || by[0] != "test-agent" {
			t.Errorf("who asked: %q, %v", by, err)
		}
		if _, out, _ := h.run("ledger"); !strings.Contains(out, "test-agent") {
			t.Errorf("the ledger: %s", out)
		}
	}
}

// TestAgentSeesNoSecrets: no tool shows what an ignored or denied file holds, nor a secret in
// an open one, whatever it is asked.
func TestAgentSeesNoSecrets(t *testing.T) {
	const key, pem = "AKIA2OGYBAH6QXL7RWNP", "MIIEowIBAAKCAQEAx7Vf3kq9ZzLk2mPpQw8rT5yUe1oIaSdFgHjKlZxCvBnM1234"
	h, _ := withModel(t, answer{"return more", block("\treturn 1", "\treturn 10")})
	managed := filepath.Join(t.TempDir(), "managed.toml")
	h.write(managed, "[policy]\ndeny_globs = [\"**/payments.go\"]\n")
	h.write(".gitignore", "hidden.go\n")
	h.write("hidden.go", "package lib\n\nfunc CanaryHidden() int { return canaryBody }\n")
	h.write("payments.go", "package lib\n\nfunc CanaryDenied() int { return canaryBody }\n")
	h.write(".env", "TOKEN="+key+"\n")
	h.write("lib.go", strings.Replace(lib, "func One() int {\n", "func One() int {\n\tconst key = \""+key+"\"\n\t_ = key\n", 1))
	a := h.agent(managed)
	for _, file := range []string{"hidden.go", "payments.go", ".env", "lib.go"} {
		patch := fmt.Sprintf("--- a/%s\n+++ b/%s\n@@ -1,1 +1,1 @@\n-package lib\n+package lib2\n", file, file)
		a.use("context", args{"words": "canary hidden denied body key token " + file})
		a.use("context", args{"file": file, "line": 3})
		a.use("context", args{"file": file, "line": 3, "purpose": "edit"})
		a.use("check", args{"files": []string{file}})
		a.use("check", args{"patch": patch})
		a.use("check", args{"texts": args{file: "package lib\n\nvar x = CanaryHiden() + CanaryDenid() + canaryBod\n"}})
		a.use("edit", args{"instruction": "return more", "files": []string{file}})
	}
	a.use("check", args{})
	a.use("check", args{"files": []string{"."}})
	h.write("keys.go", "package lib\n\nconst pem = `-----BEGIN RSA PRIVATE KEY-----\n"+pem+"\n-----END RSA PRIVATE KEY-----`\n")
	for file, near := range map[string]string{"hidden.go": "func CanaryHide() int { return canaryBod }", "payments.go": "func CanaryDeny() int { return canaryBod }", "keys.go": pem[:40] + "zzz"} {
		// what a patch does not fit is quoted
		if text, failed := a.use("check", args{"patch": fmt.Sprintf("--- a/%s\n+++ b/%s\n@@ -3,1 +3,1 @@\n-%s\n+x\n", file, file, near)}); !failed {
			t.Errorf("a patch of %s: %s", file, text)
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, canary := range []string{key, pem, "CanaryHidden", "CanaryDenied", "canaryBody"} {
		if got := a.received.String(); strings.Contains(got, canary) {
			at := strings.Index(got, canary)
			t.Errorf("%s came through: %s", canary, got[max(0, at-300):at+100])
		}
	}
	if !strings.Contains(a.received.String(), "secrets are hidden in this patch") {
		t.Error("the edit of a function with a secret gave no patch")
	}
}

// TestAgentSurvivesWhatIsNoMessage: it is answered, with its id where it has one, and the next
// message is served.
func TestAgentSurvivesWhatIsNoMessage(t *testing.T) {
	for version, batch := range map[string]string{"2025-03-26": `[{"jsonrpc":"2.0","id":6,"result":{}}]`, "2025-06-18": `"code":-32600`} {
		newHome(t)
		fromClient, toServer := io.Pipe()
		fromServer, toClient := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			ended <- (&globals{workspace: "."}).agent(context.Background(), fromClient, toClient)
			_ = toClient.Close()
		}()
		answers := bufio.NewReader(fromServer)
		ask := func(line, want string) {
			t.Helper()
			if _, err := io.WriteString(toServer, line+"\n"); err != nil {
				t.Fatal(err)
			}
			if got, err := answers.ReadString('\n'); err != nil || !strings.Contains(got, want) {
				t.Errorf("%s: %.100q is answered by %s (%v), want %s", version, line, got, err, want)
			}
		}
		ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"`+version+`","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, `"id":1,`)
		_, _ = io.WriteString(toServer, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
		for line, want := range map[string]string{
			`{"jsonrpc":"2.0","id":"`: `"code":-32700`, "\xff\xfe\x00": `"code":-32700`, `5`: `"code":-32600`, `[]`: `"code":-32600`,
			`{"id":7,"method":"ping"}`: `"id":7`, `{"jsonrpc":"2.0","id":"a","method":5}`: `"id":"a"`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`: `"id":null`,
			strings.Repeat("[", 100_000): `"code":-32700`, `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 17<<20): `at most 16 MB`,
			`[{"jsonrpc":"2.0","id":6,"method":"ping"}]`: batch,
		} {
			ask(line, want)
			ask(`{"jsonrpc":"2.0","id":2,"method":"ping"}`, `"id":2,"result"`)
		}
		_ = toServer.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// TestAgentAnswersAtTheEndOfInput: a script writes its requests and closes the stream. What a
// client has cancelled keeps nobody waiting.
func TestAgentAnswersAtTheEndOfInput(t *testing.T) {
	h := newHome(t)
	h.write("lib.go", lib)
	var out closing
	in := strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"check","arguments":{"files":"[\"lib.go\"]","task_progress":"done"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"check","arguments":{"texts":"{\"lib.go\":\"package lib\\n\\nfunc Two() int { return Three() }\\n\"}"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"c"}}`,
	}, "\n")
	if err := (&globals{workspace: "."}).agent(t.Context(), io.NopCloser(strings.NewReader(in)), &out); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, `"id":3,"result"`) || !strings.Contains(got, "Three") {
		t.Errorf("answered %s", got)
	}
}

// A closing is a buffer that somebody else writes to and closes.
type closing struct{ bytes.Buffer }

func (*closing) Close() error { return nil }

// TestAgentObeysPolicy: an administrator who disables the agents' protocol stops it at once.
func TestAgentObeysPolicy(t *testing.T) {
	h := newHome(t)
	managed := filepath.Join(t.TempDir(), "managed.toml")
	h.write(managed, "[policy]\ndisable = [\"mcp\"]\nmessage = \"Ask us.\"\n")
	if code, said := h.runManaged(managed, "mcp"); code != exitRefused || !strings.Contains(said, "disables the agents' protocol") || !strings.Contains(said, "Ask us.") {
		t.Errorf("%d %s", code, said)
	}
}

// TestAgentProcess is the program as a process: two clients at once, progress, a call that is
// cancelled, and a client that dies while its edit runs, whose request to the model ends too.
func TestAgentProcess(t *testing.T) {
	if os.Getenv("TANDEM_TEST_AGENT") != "" { // in the process
		os.Exit(execute([]string{"mcp", "--workspace", "."}))
	}
	begun, over := make(chan bool, 10), make(chan bool, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		begun <- true
		<-r.Context().Done()
		over <- true
	}))
	t.Cleanup(s.Close)
	h := newHome(t)
	h.write(h.config, bothLanes(s.URL))
	h.setKey()
	h.write("lib.go", lib)
	start := func() (a *agent, in io.Closer, program *exec.Cmd) {
		c := exec.Command(os.Args[0], "-test.run=^TestAgentProcess$")
		c.Env, c.Stderr = append(os.Environ(), "TANDEM_TEST_AGENT=1"), t.Output()
		stdin, err1 := c.StdinPipe()
		stdout, err2 := c.StdoutPipe()
		if err := errors.Join(err1, err2, c.Start()); err != nil {
			t.Fatal(err)
		}
		a = &agent{t: t, progress: make(chan string, 100)}
		a.connect(&sdk.IOTransport{Reader: stdout, Writer: stdin}, "")
		return a, stdin, c
	}
	one, _, first := start()
	two, in, second := start()
	edit := func(a *agent, ctx context.Context) chan error {
		done := make(chan error, 1)
		go func() {
			p := &sdk.CallToolParams{Name: "edit", Arguments: args{"instruction": "return more", "files": []string{"lib.go"}}}
			p.SetProgressToken("p")
			_, err := a.CallTool(ctx, p)
			done <- err
		}()
		return done
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancelled, cut := edit(one, ctx), edit(two, t.Context())
	for range 2 {
		select {
		case <-begun:
		case err := <-cancelled:
			t.Fatalf("an edit ended before it asked: %v", err)
		case err := <-cut:
			t.Fatalf("an edit ended before it asked: %v", err)
		}
	}
	if said := <-one.progress; said == "" {
		t.Error("progress without a message")
	}
	for _, a := range []*agent{one, two} { // while both edit
		if text, failed := a.use("context", args{"words": "Two"}); failed || !strings.Contains(text, "return 2") {
			t.Errorf("beside an edit: %s", text)
		}
	}
	cancel()
	if err := <-cancelled; err == nil {
		t.Error("a cancelled call has a result")
	}
	<-over
	// Its stdin ends while it edits, and then it is told to end, as clients do.
	told := in.Close()
	if runtime.GOOS != "windows" { // which has no such signal
		told = errors.Join(told, second.Process.Signal(syscall.SIGTERM))
	}
	if err := errors.Join(told, second.Wait()); err != nil {
		t.Errorf("the program did not end well: %v", err)
	}
	<-over
	<-cut
	if text, failed := one.use("context", args{"words": "Two"}); failed || !strings.Contains(text, "return 2") {
		t.Errorf("after the other client: %s", text)
	}
	if err := errors.Join(one.Close(), first.Wait()); err != nil {
		t.Error(err)
	}
	if now := readFile(t, h.workspace, "lib.go"); now != lib {
		t.Errorf("the file is %q", now)
	}
}

// TestAgentSeesUnsaved: where the user wants it, the tools see what an editor has not saved, and
// the files again once it has; no ignored document comes through, and nothing is written below
// the editor's text.
func TestAgentSeesUnsaved(t *testing.T) {
	for _, wanted := range []bool{false, true} {
		h, _ := withModel(t, answer{"return more", block("\treturn 1", "\treturn 10")})
		dir, err := os.MkdirTemp("", "t") // a socket's path is short
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		t.Setenv("XDG_RUNTIME_DIR", dir)
		h.write(h.config, readFile(t, filepath.Dir(h.config), "config.toml")+fmt.Sprintf("[mcp]\nwrite = true\nsocket = %v\n", wanted))
		h.write("lib.go", lib)
		h.write(".gitignore", "hidden.go\n")
		h.write("hidden.go", "package lib\n")
		h.git("init", "-q")
		h.git("add", ".")
		h.git("commit", "-qm", "one")
		editor := h.server("lib.go", "hidden.go")
		uri := workspace.URIOf(filepath.Join(h.workspace, "lib.go"))
		unsaved := strings.Replace(lib, "func Two", "func Twofold() int {\n\treturn Two() + Tow()\n}\n\nfunc Two", 1)
		editor.Update(workspace.Edited{URI: uri, Version: 2, Text: edits.NewText(unsaved)},
			workspace.Edited{URI: workspace.URIOf(filepath.Join(h.workspace, "hidden.go")), Version: 2, Text: edits.NewText("package lib\n\nfunc CanaryHidden() {}\n")})
		a := h.agent("")
		sees := func(want bool) {
			t.Helper()
			if text, failed := a.use("context", args{"words": "Twofold"}); failed == want || strings.Contains(text, "Two() + Tow()") != want {
				t.Errorf("context, want %v: %s", want, text)
			}
			if text, _ := a.use("check", args{}); strings.Contains(text, "Tow") != want {
				t.Errorf("check, want %v: %s", want, text)
			}
			edit := args{"instruction": "return more", "files": []string{"lib.go"}}
			if text, failed := a.use("edit", edit); failed || !strings.Contains(text, "+\treturn 10\n") || want != strings.Contains(text, " func Twofold") {
				t.Errorf("edit, want %v: %s", want, text)
			}
			if text, _ := a.use("context", args{"words": "CanaryHidden"}); strings.Contains(text, "func CanaryHidden") {
				t.Errorf("an ignored document: %s", text)
			}
			edit["write"] = true
			if text, _ := a.use("edit", edit); strings.Contains(text, "not written: lib.go has changes in the user's editor") != want {
				t.Errorf("edit and write, want %v: %s", want, text)
			}
		}
		sees(wanted)
		if now := readFile(t, h.workspace, "lib.go"); wanted && now != lib {
			t.Errorf("the file is %q", now)
		}
		h.write("lib.go", lib)
		editor.Update(workspace.Closed{URI: uri})
		sees(false)
	}
}

// server is an editor's server with these files open.
func (h *home) server(files ...string) *workspace.Session {
	h.t.Helper()
	s := &server{globals: &globals{}, log: slog.New(slog.DiscardHandler)}
	group := run.NewGroup(context.Background(), nil)
	listening := filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "tandem")
	session, _, err := s.open(h.t.Context(), lsp.Setup{Folders: []string{h.workspace}, Trusted: true, Group: group,
		OnWorkspace: func(workspace.Event) {}, OnEngine: func(core.Event) {}})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { group.Close(); s.close() })
	for _, file := range files {
		session.Update(workspace.Opened{URI: workspace.URIOf(filepath.Join(h.workspace, file)), Version: 1, Language: "go", Text: edits.NewText(readFile(h.t, h.workspace, file))})
	}
	for s.live.Config().MCP.Socket {
		found, _ := filepath.Glob(listening + "/*.sock")
		if slices.ContainsFunc(found, func(path string) bool { return !strings.HasSuffix(path, ".judge.sock") }) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	return session
}
