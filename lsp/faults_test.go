package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"

	"tandem/model"
)

// paramsFor are well-formed params for every method of the table.
func paramsFor(uri, method string) object {
	at := object{"textDocument": object{"uri": uri}, "position": object{"line": 0, "character": 3}}
	p := object{"textDocument": object{"uri": uri, "version": 9, "languageId": "go", "text": "secret text"}, "contentChanges": []object{{"text": "secret text"}},
		"position": at["position"], "range": wireRange{}, "context": object{"diagnostics": []object{}, "triggerKind": 1}, "command": "tandem.tasks",
		"uri": "tandem:/x", "id": "p1", "action": "reject", "text": "x", "question": "why?", "instruction": "x", "title": "x", "kind": "edit"}
	if method == "workspace/executeCommand" {
		return object{"command": "tandem.tasks"}
	}
	return p
}

// breakMethods makes each method of a server panic where it begins and, if it has a second
// half, where that begins, if fails says so.
func breakMethods(s *Server, fails func(where string)) {
	for name, m := range s.methods {
		broken := m
		broken.begin = func(ctx context.Context, raw jsonrpc2.RawMessage) (any, work, error) {
			fails(name)
			result, second, err := m.begin(ctx, raw)
			if second == nil {
				return result, nil, err
			}
			return result, func(ctx context.Context) (any, error) {
				fails(name + ", second half")
				return second(ctx)
			}, err
		}
		s.methods[name] = broken
	}
}

// TestPanicsAreContained makes every handler and every kind of background work
// panic, one at a time: that work fails, with -32603 where a request waits for
// it, the next request is answered and no document's text is in the log.
func TestPanicsAreContained(t *testing.T) {
	var mu sync.Mutex
	broken := ""
	var log bytes.Buffer
	d := deps(t, &cassette{answers: map[model.Purpose][]reply{model.Ask: {{text: "x"}}}})
	d.Log = slog.New(slog.NewTextHandler(&lockedWriter{mu: &mu, w: &log}, nil))
	fails := func(where string) {
		mu.Lock()
		now := where == broken
		if now {
			broken = ""
		}
		mu.Unlock()
		if now {
			panic("secret text")
		}
	}
	var methods map[string]method
	e := startAfter(t, d, func(s *Server) {
		methods = maps.Clone(s.methods)
		breakMethods(s, fails)
	})
	e.initialize(fullClient())
	const uri = "untitled:a.go"
	halves := 0
	e.open(uri, "go", "secret text")
	for _, name := range slices.Sorted(maps.Keys(methods)) {
		if strings.HasPrefix(name, "test/") || methods[name].early || name == "shutdown" {
			continue
		}
		for _, where := range []string{name, name + ", second half"} {
			mu.Lock()
			broken = where
			mu.Unlock()
			var err error
			if methods[name].notification {
				e.notify(name, paramsFor(uri, name))
			} else {
				_, err = e.call(name, paramsFor(uri, name))
			}
			if _, err := e.call("test/sync", nil); err != nil {
				t.Fatalf("after %s broke: %v", where, err)
			}
			mu.Lock()
			reached := broken == ""
			broken = ""
			mu.Unlock()
			if wire, ok := err.(*responseError); reached && !methods[name].notification && (!ok || wire.Code != -32603) {
				t.Errorf("%s broke and was answered %v, want -32603", where, err)
			}
			switch {
			case reached && where != name:
				halves++
			case !reached && where == name:
				t.Errorf("%s did not break", name)
			}
			e.open(uri, "go", "secret text")
		}
	}
	if halves < 5 {
		t.Errorf("%d second halves broke", halves)
	}
	mu.Lock()
	defer mu.Unlock()
	if strings.Contains(log.String(), "secret") || !strings.Contains(log.String(), "dispatch.go") {
		t.Errorf("the log has a document's text or no stack: %.2000s", log.String())
	}
}

type lockedWriter struct {
	mu *sync.Mutex
	w  *bytes.Buffer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// TestBackgroundPanicsAreContained makes work of the connection panic.
func TestBackgroundPanicsAreContained(t *testing.T) {
	var s *Server
	e := startAfter(t, deps(t, &cassette{}), func(prepared *Server) { s = prepared })
	e.initialize(object{})
	s.group.Go("break", func(context.Context) { panic("broken") })
	if _, err := e.call("test/sync", nil); err != nil {
		t.Error(err)
	}
}

// TestOutputIsBounded sends many edits while the server has much output: its own
// notifications stay within the rate, and the last notification arrives.
func TestOutputIsBounded(t *testing.T) {
	d := deps(t, &cassette{answers: map[model.Purpose][]reply{model.Review: {{text: "untitled:a.go:1: warning: last word\n"}}, model.Edit: {{text: strings.Repeat("looping ", 40_000)}}}})
	e := start(t, d)
	capabilities := fullClient()
	capabilities["experimental"] = object{"tandem": object{"proposals": true, "status": true, "tasks": true, "inline": true}}
	e.initialize(capabilities)
	e.open("untitled:a.go", "go", "package a\n")
	done, start := make(chan struct{}), time.Now()
	go func() {
		defer close(done)
		_, _ = e.call("tandem/edit", object{"textDocument": object{"uri": "untitled:a.go"}, "instruction": "x", "partialResultToken": "p"})
	}()
	for range 1000 {
		e.change("untitled:a.go", wireRange{}, "x")
		e.notify("textDocument/didFocus", object{})
	}
	<-done
	raw, err := e.call("tandem/edit", object{"textDocument": object{"uri": "untitled:never.go"}, "instruction": "x"})
	if err == nil {
		t.Errorf("an edit of a document that is not open gave %s", raw)
	}
	e.until("tandem/proposal", func(raw json.RawMessage) bool { return strings.Contains(string(raw), `"state":"failed"`) })
	e.mu.Lock()
	defer e.mu.Unlock()
	bytes := 0
	for _, m := range e.received {
		bytes += len(m.Params)
	}
	if seconds := 1 + int(time.Since(start).Seconds()); len(e.received) > 50*seconds || bytes > seconds<<20 {
		t.Errorf("%d notifications with %d bytes in %d s for 1,000 edits and one looping model", len(e.received), bytes, seconds)
	}
}

func TestWatchedFilesAreRegistered(t *testing.T) {
	e := start(t, deps(t, &cassette{}))
	e.initialize(object{"workspace": object{"didChangeWatchedFiles": object{"dynamicRegistration": true}}}, t.TempDir())
	for {
		e.mu.Lock()
		for _, m := range e.asked {
			if m.Method == "client/registerCapability" && strings.Contains(string(m.Params), "workspace/didChangeWatchedFiles") {
				e.mu.Unlock()
				return
			}
		}
		e.mu.Unlock()
		if _, err := e.call("test/sync", nil); err != nil {
			t.Fatal(err)
		}
	}
}

// TestProgressIsCancelled cancels an edit by its progress, and by its request.
func TestProgressIsCancelled(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	e := start(t, deps(t, &cassette{hold: hold, answers: map[model.Purpose][]reply{model.Edit: {{text: "x"}}}}))
	e.initialize(fullClient())
	e.open("untitled:a.go", "go", "package a\n")
	edit := object{"command": "tandem.edit", "arguments": []any{object{"uri": "untitled:a.go", "instruction": "make it b"}}}
	_, byProgress := e.request("workspace/executeCommand", edit)
	raw := e.until("$/progress", func(raw json.RawMessage) bool { return strings.Contains(string(raw), "begin") })
	var p struct{ Token any }
	if err := json.Unmarshal(raw, &p); err != nil {
		t.Fatal(err)
	}
	e.notify("window/workDoneProgress/cancel", object{"token": p.Token})
	if a := <-byProgress; a.err == nil {
		t.Errorf("a stopped edit was answered %s", a.result)
	}
	id, byRequest := e.request("workspace/executeCommand", edit)
	e.notify("$/cancelRequest", object{"id": id})
	if a := <-byRequest; a.err == nil || a.err.Code != -32800 {
		t.Errorf("a cancelled edit was answered %s %v, want -32800", a.result, a.err)
	}
	e.until("$/progress", func(raw json.RawMessage) bool { return strings.Contains(string(raw), `"stopped"`) })
}
