package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	"tandem/lsp"
	"tandem/workspace"
	"tandem/workspace/run"
)

// An editor is the other end of a server's connection in a test.
type editor struct {
	t       *testing.T
	feed    io.Writer
	answers chan reply
}

// A reply is what the server said to a request.
type reply struct {
	ID            int
	Method        string
	Result, Error json.RawMessage
}

func (e *editor) send(format string, args ...any) {
	body := fmt.Sprintf(format, args...)
	fmt.Fprintf(e.feed, "Content-Length: %d\r\n\r\n%s", len(body), body)
}

// answer waits for the answer to a request; others that come before are not kept.
func (e *editor) answer(id int) reply {
	e.t.Helper()
	late := time.After(time.Minute)
	for {
		select {
		case r := <-e.answers:
			if r.ID == id {
				return r
			}
		case <-late:
			e.t.Fatalf("no answer to %d", id)
		}
	}
}

// session runs a server as an editor does, from initialize to exit. params are members of
// initialize. said is told each message of the server, and traced each of both; they may be nil.
func (h *home) session(params string, said func(body []byte), traced func(fromClient bool, body []byte), messages func(*editor)) {
	h.t.Helper()
	in, feed := io.Pipe()
	s := &server{globals: &globals{managed: h.managed}, log: slog.New(slog.DiscardHandler)}
	e := &editor{t: h.t, feed: feed, answers: make(chan reply, 100)}
	deps := s.deps()
	deps.Trace = func(fromClient bool, body []byte) {
		if traced != nil {
			traced(fromClient, body)
		}
		if fromClient {
			return
		}
		if said != nil {
			said(body)
		}
		var r reply
		if json.Unmarshal(body, &r) == nil && r.Method == "" {
			e.answers <- r
		}
	}
	group := run.NewGroup(h.t.Context(), nil)
	group.Go("server", func(context.Context) {
		lsp.Run(h.t.Context(), deps, in, io.Discard)
		s.close()
	})
	e.send(`{"jsonrpc":"2.0","id":100,"method":"initialize","params":{"processId":null,"workspaceFolders":[{"uri":%q,"name":"w"}],%s}}`, workspace.URIOf(h.workspace), params)
	if r := e.answer(100); r.Error != nil {
		h.t.Errorf("initialize: %s", r.Error)
	}
	e.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	messages(e)
	e.send(`{"jsonrpc":"2.0","id":101,"method":"shutdown"}`)
	e.answer(101)
	e.send(`{"jsonrpc":"2.0","method":"exit"}`)
	group.Close()
}
