package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tandem/workspace"
)

// inspected reads a line as the LSP inspector does: what follows its 21 characters of time is JSON.
func inspected(t *testing.T, line string) (kind, method string, message map[string]any) {
	t.Helper()
	const header = 21
	var item struct {
		Type      string
		Message   map[string]any
		Timestamp int64
	}
	if err := json.Unmarshal([]byte(line[header:]), &item); err != nil || item.Timestamp == 0 || !strings.HasPrefix(line, "[LSP   - ") {
		t.Fatalf("%q: %v", line, err)
	}
	method, _ = item.Message["method"].(string)
	return item.Type, method, item.Message
}

// traced runs a session that holds texts and a secret, and returns its trace.
func (h *home) traced(texts bool) []string {
	h.t.Helper()
	h.write(h.config, oneModel(chatServer(h.t, 200, "text/event-stream", "")))
	h.setKey()
	path := filepath.Join(h.t.TempDir(), "trace.log")
	tr, err := openTrace(path, texts)
	if err != nil {
		h.t.Fatal(err)
	}
	uri := workspace.URIOf(filepath.Join(h.workspace, "a.go"))
	h.session(`"capabilities":{"general":{"positionEncodings":["utf-8"]}},"clientInfo":{"name":"Some Editor"},"initializationOptions":{"trusted":true}`, nil, tr.message, func(e *editor) {
		e.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"go","version":1,"text":"package a\n\n// private words\nfunc f() {}\nvar key = \"%s\"\n"}}}`, uri, "sk-proj-0123456789abcdefghijABCDEFGHIJ0123456789abcdefghij")
		e.send(`{"jsonrpc":"2.0","id":2,"method":"tandem/ask","params":{"question":"private question?","textDocument":{"uri":%q},"position":{"line":3,"character":2}}}`, uri)
		e.answer(2)
	})
	tr.log().Debug("no next edit", "reason", "because")
	tr.close()
	data, err := os.ReadFile(path)
	if err != nil {
		h.t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		h.t.Errorf("%v %v", info.Mode(), err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// TestTraceIsReadByTheInspector: each message is a line of the form that VS Code's language client
// writes, seen from the editor, and the server's own log is among them.
func TestTraceIsReadByTheInspector(t *testing.T) {
	var said []string
	for _, line := range newHome(t).traced(false) {
		kind, method, message := inspected(t, line)
		if id, ok := message["id"].(float64); ok && kind == "receive-response" {
			method = map[float64]string{100: "initialize", 2: "tandem/ask", 101: "shutdown"}[id]
		}
		said = append(said, kind+" "+method)
		if kind == "send-notification" && method == "textDocument/didOpen" {
			document := message["params"].(map[string]any)["textDocument"].(map[string]any)
			if document["languageId"] != "go" || document["version"] != 1.0 || !strings.HasSuffix(document["uri"].(string), "a.go") || document["text"] != "(111 characters)" {
				t.Errorf("%v", document)
			}
		}
	}
	for _, want := range []string{"send-request initialize", "receive-response initialize", "send-notification textDocument/didOpen", "send-request tandem/ask", "receive-response tandem/ask",
		"send-request shutdown", "receive-response shutdown", "send-notification exit", "receive-notification $/logTrace"} {
		i := slices.Index(said, want)
		if i < 0 {
			t.Fatalf("%s does not come, or not in order: %q", want, said)
		}
		said = said[i:]
	}
}

// TestTraceHasNoTextUnlessAsked: neither source text nor what people and models say is written, but
// what the client announces is.
func TestTraceHasNoTextUnlessAsked(t *testing.T) {
	all := strings.Join(newHome(t).traced(false), "\n")
	for _, text := range []string{"private", "ready", "sk-proj", canary} {
		if strings.Contains(all, text) {
			t.Errorf("the trace has %q", text)
		}
	}
	for _, word := range []string{`"positionEncodings":["utf-8"]`, `"name":"Some Editor"`, `"message":"time=`, `msg=\"no next edit\"`} {
		if !strings.Contains(all, word) {
			t.Errorf("the trace lacks %s: %s", word, all)
		}
	}
}

func TestTraceWithTextsHasNoSecret(t *testing.T) {
	all := strings.Join(newHome(t).traced(true), "\n")
	if !strings.Contains(all, "private words") || !strings.Contains(all, "private question?") || strings.Contains(all, "sk-proj") || strings.Contains(all, canary) {
		t.Error(all)
	}
}

// TestTraceEnds: a trace that is full stops, and harms nothing.
func TestTraceEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.log")
	for range 2 {
		tr, err := openTrace(path, false)
		if err != nil {
			t.Fatal(err)
		}
		tr.left = 200 - fileSize(t, path)
		for range 9 {
			tr.message(true, []byte(`{"jsonrpc":"2.0","method":"initialized","params":{}}`))
		}
		tr.close()
		tr.message(true, []byte(`{"jsonrpc":"2.0","method":"exit"}`))
	}
	if size := fileSize(t, path); size < 100 || size > 200 {
		t.Errorf("%d bytes", size)
	}
	if _, err := openTrace(filepath.Join(path, "x"), false); err == nil || !strings.Contains(err.Error(), "the log cannot be written") {
		t.Error(err)
	}
}

func fileSize(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
