package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tandem/lsp"
	"tandem/workspace/run"
)

// session runs a recorded session against a server and returns the recording's path.
func (h *home) session(text bool, messages func(send func(format string, args ...any), answer func(id int) message)) string {
	h.t.Helper()
	path := filepath.Join(h.t.TempDir(), "session.jsonl")
	in, feed := io.Pipe()
	out, sink := io.Pipe()
	tappedIn, tappedOut, rec, done, err := recorded(in, sink, path, text)
	if err != nil {
		h.t.Fatal(err)
	}
	s := &server{globals: &globals{}, log: slog.New(slog.DiscardHandler), recorder: rec, wrap: recordingOf(rec)}
	group := run.NewGroup(h.t.Context(), nil)
	ended := make(chan struct{})
	group.Go("server", func(context.Context) {
		lsp.Run(h.t.Context(), lsp.Deps{Version: version(), Log: s.log, Open: s.open}, tappedIn, tappedOut)
		s.close()
		close(ended)
		_ = sink.Close()
	})
	seen := newAnswers()
	group.Go("editor", func(context.Context) { _, _ = io.Copy(&frames{message: seen.add}, out) })
	send := func(format string, args ...any) {
		body := fmt.Sprintf(format, args...)
		fmt.Fprintf(feed, "Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	messages(send, func(id int) message {
		h.t.Helper()
		m, ok := seen.wait(h.t.Context(), fmt.Sprint("answer ", id))
		if !ok {
			h.t.Fatalf("no answer to %d", id)
		}
		return m
	})
	<-ended
	group.Close()
	done()
	return path
}

// recordedSession opens a document, sends the model a question and ends.
func (h *home) recordedSession(text bool) string {
	h.write(h.config, oneModel(chatServer(h.t, 200, "text/event-stream", "")))
	h.setKey()
	uri := "file://" + filepath.ToSlash(filepath.Join(h.workspace, "a.go"))
	return h.session(text, func(send func(string, ...any), answer func(int) message) {
		send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"capabilities":{},"workspaceFolders":[{"uri":"file://%s","name":"w"}],"initializationOptions":{"trusted":true}}}`, filepath.ToSlash(h.workspace))
		answer(1)
		send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
		send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"go","version":1,"text":"package a\n\n// private words\nfunc f() {}\nvar key = \"%s\"\n"}}}`, uri, "sk-proj-0123456789abcdefghijABCDEFGHIJ0123456789abcdefghij")
		send(`{"jsonrpc":"2.0","id":2,"method":"tandem/ask","params":{"question":"private question?","textDocument":{"uri":%q},"position":{"line":3,"character":2}}}`, uri)
		if m := answer(2); m.Error != nil || !strings.Contains(string(m.Result), "ready") {
			h.t.Errorf("the answer: %s%s", m.Result, m.Error)
		}
		send(`{"jsonrpc":"2.0","id":3,"method":"shutdown"}`)
		answer(3)
		send(`{"jsonrpc":"2.0","method":"exit"}`)
	})
}

func TestReplayIsTheSame(t *testing.T) {
	h := newHome(t)
	path := h.recordedSession(true)
	if err := os.Remove(h.config); err != nil { // the recording holds what it needs
		t.Fatal(err)
	}
	code, out, problems := h.run("replay", path)
	if code != exitDone || !strings.Contains(problems, "3 answers are the same, 0 differ") {
		t.Errorf("%d: %s%s", code, out, problems)
	}
}

func TestReplayFindsADifference(t *testing.T) {
	h := newHome(t)
	path := h.recordedSession(true)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	for i, line := range lines {
		if bytes.Contains(line, []byte(`"dir":"model"`)) {
			lines[i] = bytes.Replace(line, []byte("ready"), []byte("never"), 1)
		}
	}
	h.write(path, string(bytes.Join(lines, nil)))
	code, out, problems := h.run("replay", path)
	if code != exitFailed || !strings.Contains(out, "answer 2: recorded") || !strings.Contains(problems, "1 differ") {
		t.Errorf("%d: %s%s", code, out, problems)
	}
}

func TestRecordingHoldsNoTextUnlessAsked(t *testing.T) {
	h := newHome(t)
	path := h.recordedSession(false)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"private", "ready", "sk-proj", canary} {
		if bytes.Contains(data, []byte(secret)) {
			t.Errorf("the recording holds %q", secret)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	code, out, problems := h.run("replay", path)
	if code != exitDone || !strings.Contains(problems, "of the same kind") {
		t.Errorf("%d: %s%s", code, out, problems)
	}
}

func TestRecordingWithTextHoldsNoKey(t *testing.T) {
	h := newHome(t)
	data, err := os.ReadFile(h.recordedSession(true))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte("private words")) || bytes.Contains(data, []byte("sk-proj")) || bytes.Contains(data, []byte(canary)) {
		t.Errorf("%s", data)
	}
}

func TestUntrustedWorkspaceIsNotRecorded(t *testing.T) {
	h := newHome(t)
	path := h.session(true, func(send func(string, ...any), answer func(int) message) {
		send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"capabilities":{},"workspaceFolders":[{"uri":"file://%s","name":"w"}],"initializationOptions":{"trusted":false}}}`, filepath.ToSlash(h.workspace))
		answer(1)
		send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:x","languageId":"go","version":1,"text":"private words"}}}`)
		send(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`)
		answer(2)
		send(`{"jsonrpc":"2.0","method":"exit"}`)
	})
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(data, []byte("private")) || bytes.Contains(data, []byte("shutdown")) {
		t.Errorf("%s", data)
	}
}

func TestReplayOfSomethingElse(t *testing.T) {
	h := newHome(t)
	path := filepath.Join(h.workspace, "x")
	for _, text := range []string{"", "{}\n", "hello\n", `{"tandem_recording":99}` + "\n", `{"tandem_recording":1}` + "\nrubbish\n{}\n"} {
		h.write(path, text)
		if code, _, problems := h.run("replay", path); code != exitFailed || problems == "" {
			t.Errorf("%q: %d %s", text, code, problems)
		}
	}
	if code, _, _ := h.run("replay", path+"y"); code != exitUsage {
		t.Errorf("a file that is not there: %d", code)
	}
}
