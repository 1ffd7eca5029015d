package lsp

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"

	"tandem/model"
)

// FuzzSession sends the server a session of the fuzzer's: it must answer, end,
// and find no error of its own, for any input. A line that begins with { is sent
// as it is. Any other line is a kind of step, a letter, with parameters in the
// bytes that follow:
//
//	o open with LF          C open with CRLF     r close and open again
//	d delete lines          D delete the last lines
//	t type a line           l edit the last line
//	j join two lines        w replace the whole text
//	n next edit             c complete           h hover
//	e edit and accept       a alternatives       f edit with alternatives, accept one
//	s save                  x close              u take what was suggested last
func FuzzSession(f *testing.F) {
	steps := []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:a","languageId":"go","version":1,"text":"package a\n// ?? why\nfunc f() {}\n"}}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"untitled:a","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":3},"end":{"line":0,"character":1}},"text":"é"}]}}`,
		`{"jsonrpc":"2.0","id":2,"method":"textDocument/inlineCompletion","params":{"textDocument":{"uri":"untitled:a"},"position":{"line":1,"character":0},"context":{"triggerKind":1}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"textDocument/hover","params":{"textDocument":{"uri":"untitled:a"},"position":{"line":1,"character":4}}}`,
		`{"jsonrpc":"2.0","id":4,"method":"workspace/executeCommand","params":{"command":"tandem.edit","arguments":[{"uri":"untitled:a","instruction":"x"}]}}`,
		`{"jsonrpc":"2.0","id":5,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"untitled:a"},"range":{"start":{"line":9,"character":0},"end":{"line":0,"character":0}},"context":{"diagnostics":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"message":"m"}]}}}`,
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":3}}`,
		`{"jsonrpc":"2.0","id":6,"method":"shutdown"}`,
		`{"jsonrpc":"2.0","method":"exit"}`,
	}
	f.Add(strings.Join(steps, "\n"))
	f.Add(strings.Join(steps[:4], "\n"))
	f.Add(steps[0] + "\n" + steps[1] + "\n" + steps[6] + "\nnot json\n" + steps[5])
	f.Add("C\nl\nt0\nd02\nn\nn0")
	f.Add("C\nl\nt0a\nD2\nn\nn0")
	f.Add("C\nlb\nt1a\nD1\nn\nD3\nn\ne1\nn")
	f.Add("o\nt3 hello\ns\nr\ne1\nt1\nr\na\nu\nx\nn")
	f.Add("C\nf1\nt2a\nj0\nr\nf2\nw\nn0\nc3\nu\nh2")
	f.Add("o\nd09\nn\nt0a\nn\nu\nc0\nd00\nl\nn\ne0")
	f.Fuzz(func(t *testing.T, session string) {
		edit := "untitled:a\n<<<<<<< SEARCH\n\tone := 1\n=======\n\tone := 2\n>>>>>>> REPLACE\n"
		d := deps(t, &cassette{answers: map[model.Purpose][]reply{
			model.Edit: {{text: edit}}, model.NextEdit: {{text: strings.TrimPrefix(edit, "untitled:a\n")}}, model.Complete: {{text: "one + two\n\tthree()\n"}}, model.Ask: {{text: "Because.\n"}},
		}})
		d.Log = slog.New(noErrors{t})
		s := &fuzzedSession{editor: start(t, d), t: t}
		s.failOn = func(e *responseError) {
			if e.Code == -32603 {
				t.Errorf("the server answered with an error of its own: %v", e)
			}
		}
		if !strings.HasPrefix(session, "{") {
			c := fullClient()
			c["experimental"] = object{"tandem": object{"proposals": true, "status": true, "tasks": true, "inline": true}}
			s.wait("initialize", object{"processId": nil, "rootUri": nil, "capabilities": c})
			s.notify("initialized", object{})
		}
		for line := range strings.SplitSeq(session, "\n") {
			s.step(line)
		}
		s.out.Close()
		s.end()
	})
}

// A fuzzedSession is an editor that does what the fuzzer wants. It knows one
// document, whose text it keeps.
type fuzzedSession struct {
	*editor
	t     *testing.T
	last  string // the id of what was suggested last
	ended bool
}

const fuzzedURI = "untitled:a"

func (s *fuzzedSession) end() {
	if s.ended {
		return
	}
	s.ended = true
	select {
	case <-s.editor.ended:
	case <-time.After(2 * time.Minute): // ends a failing test alone
		stacks := make([]byte, 1<<20)
		s.t.Fatalf("the server hangs:\n%s", stacks[:runtime.Stack(stacks, true)])
	}
}

// wait sends a request and waits for its response or the server's end.
func (s *fuzzedSession) wait(method string, params any) []byte {
	if s.ended {
		return nil
	}
	_, c := s.request(method, params)
	select {
	case r := <-c:
		return r.result
	case <-s.editor.ended:
		s.ended = true
		return nil
	case <-time.After(2 * time.Minute):
		stacks := make([]byte, 1<<20)
		s.t.Fatalf("%s was not answered:\n%s", method, stacks[:runtime.Stack(stacks, true)])
		return nil
	}
}

func (s *fuzzedSession) step(line string) {
	if line == "" || line[0] == '{' {
		s.raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(line), line))
		return
	}
	rest := line[1:]
	number := func(i int) uint32 { // a parameter: a byte as a small number
		if i < len(rest) {
			return uint32(rest[i]) % 16
		}
		return 0
	}
	const text = "package a\n\nfunc f() {\n\tone := 1\n\ttwo := 2\n\t_, _ = one, two\n}\n// ?? why\n"
	switch line[0] {
	case 'o':
		s.open(fuzzedURI, "go", text)
		return
	case 'C':
		s.open(fuzzedURI, "go", strings.ReplaceAll(text, "\n", "\r\n"))
		return
	}
	s.mu.Lock()
	doc := s.docs[fuzzedURI]
	s.mu.Unlock()
	if doc == nil {
		s.raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(line), line))
		return
	}
	now := s.text(fuzzedURI)
	lineEnd := "\n"
	if strings.Contains(now, "\r\n") {
		lineEnd = "\r\n"
	}
	end := endOf(now)
	at := position{number(0), 0}
	typed := strings.ToValidUTF8(strings.TrimLeft(rest, "0123456789"), "?")
	id := object{"uri": fuzzedURI}
	switch line[0] {
	case 'r':
		s.notify("textDocument/didClose", object{"textDocument": id})
		s.open(fuzzedURI, "go", now)
	case 'x':
		s.notify("textDocument/didClose", object{"textDocument": id})
	case 's':
		s.notify("textDocument/didSave", object{"textDocument": id})
	case 'd':
		s.change(fuzzedURI, wireRange{at, position{at.Line + number(1), 0}}, "")
	case 'D':
		s.change(fuzzedURI, wireRange{position{max(end.Line, number(0)) - number(0), 0}, end}, "")
	case 't':
		s.change(fuzzedURI, wireRange{at, at}, typed+lineEnd)
	case 'l':
		s.change(fuzzedURI, wireRange{end, end}, "x"+typed)
	case 'j':
		s.change(fuzzedURI, wireRange{position{at.Line, 1 << 20}, position{at.Line + 1, 0}}, typed)
	case 'w':
		s.change(fuzzedURI, wireRange{position{}, end}, typed)
	case 'n':
		raw := s.wait("textDocument/copilotInlineEdit", object{"textDocument": object{"uri": fuzzedURI, "version": doc.version}, "position": at})
		s.suggested(raw)
	case 'c':
		raw := s.wait("textDocument/inlineCompletion", object{"textDocument": id, "position": position{at.Line, number(1)}, "context": object{"triggerKind": 1 + number(2)%2}})
		s.suggested(raw)
	case 'h':
		s.wait("textDocument/hover", object{"textDocument": id, "position": position{at.Line, 4}})
	case 'e', 'f':
		alternatives := 0
		if line[0] == 'f' {
			alternatives = 2
		}
		raw := s.wait("tandem/edit", object{"textDocument": id, "range": wireRange{at, position{at.Line + number(1), 0}}, "instruction": "change one", "alternatives": alternatives, "partialResultToken": "p"})
		s.suggested(raw)
		if s.last != "" && number(2)%3 != 0 {
			s.wait("tandem/resolve", object{"id": s.last, "action": []string{"accept", "acceptHunk", "reject"}[number(2)%3], "hunk": 0})
		}
	case 'a':
		s.wait("workspace/executeCommand", object{"command": "tandem.alternatives", "arguments": []any{s.last}})
	case 'u':
		s.wait("workspace/executeCommand", object{"command": "github.copilot.didAcceptCompletionItem", "arguments": []any{s.last}})
		s.wait("tandem/resolve", object{"id": s.last, "action": "accept"})
	default:
		s.raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(line), line))
	}
}

// suggested remembers the id in an answer.
func (s *fuzzedSession) suggested(raw []byte) {
	for _, mark := range []string{`"proposalId":"`, `"arguments":["`} {
		if _, rest, ok := strings.Cut(string(raw), mark); ok {
			s.last, _, _ = strings.Cut(rest, `"`)
		}
	}
}

// noErrors is a log in which a recovered panic fails the test. That a connection
// broke is what the fuzzer wanted.
type noErrors struct{ t *testing.T }

func (noErrors) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelError }
func (n noErrors) Handle(_ context.Context, r slog.Record) error {
	if r.Message != "internal error" {
		return nil
	}
	var b strings.Builder
	r.Attrs(func(a slog.Attr) bool { fmt.Fprintf(&b, "\n%s: %v", a.Key, a.Value); return true })
	n.t.Errorf("%s%s", r.Message, b.String())
	return nil
}
func (n noErrors) WithAttrs([]slog.Attr) slog.Handler { return n }
func (n noErrors) WithGroup(string) slog.Handler      { return n }
