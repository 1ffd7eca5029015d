package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"tandem/workspace"
	"tandem/workspace/git/gittest"
)

// A wireEnd is one way in which a server of a wire ends an answer: with a word, "" is without one.
type wireEnd struct {
	wire, word string
	whole      bool
	served     string // the name of its model; "" is "small"
}

// Ends without a word: the connection closes, or the stream has an error.
const (
	breaks   = "connection closes"
	fails    = "error in the stream"
	declines = "a refusal behind the text"
)

// wireEnds are the ends of each wire: those of whole answers, and what servers send of cut ones
// by public reports about them.
var wireEnds = map[string]struct{ whole, cut []string }{
	"chat":        {[]string{"stop", "STOP", "end_turn", "eos_token", ""}, []string{"length", "content_filter", "error", "abort", "network_error", "SAFETY", "MAX_TOKENS", "halted", breaks, fails, declines}},
	"completions": {[]string{"stop", ""}, []string{"length", "abort", breaks}},
	"messages":    {[]string{"end_turn", "stop_sequence"}, []string{"max_tokens", "refusal", "pause_turn", "model_context_window_exceeded", "halted", breaks, fails}},
	"responses":   {[]string{"completed", ""}, []string{"max_output_tokens", "content_filter", "failed", "cancelled", "incomplete", "halted", breaks, declines}},
	"ollama":      {[]string{"stop", ""}, []string{"length", "halted", breaks, fails}},
}

// frames is an answer of the wire, as its server writes it.
func (e wireEnd) frames(text string) string {
	var out strings.Builder
	event := func(kind string, v any) {
		body, _ := json.Marshal(v) // of texts and numbers
		switch {
		case e.wire == "ollama":
			fmt.Fprintf(&out, "%s\n", body)
		case kind != "":
			fmt.Fprintf(&out, "event: %s\ndata: %s\n\n", kind, body)
		default:
			fmt.Fprintf(&out, "data: %s\n\n", body)
		}
	}
	type object = map[string]any
	said := any(e.word)
	if e.word == "" {
		said = nil
	}
	cut, fault, served := e.word == breaks, e.word == fails, cmp.Or(e.served, "small")
	switch e.wire {
	case "chat", "completions":
		piece := func(text string) object {
			if e.wire == "completions" {
				return object{"index": 0, "text": text}
			}
			return object{"index": 0, "delta": object{"content": text}}
		}
		event("", object{"id": "c", "model": served, "choices": []object{piece(text)}})
		last := piece("")
		last["finish_reason"] = said
		switch {
		case cut:
			return out.String()
		case e.word == declines:
			event("", object{"id": "c", "model": served, "choices": []object{{"index": 0, "delta": object{"refusal": "I cannot go on."}}}})
			last["finish_reason"] = "stop"
		case fault:
			last["finish_reason"], last["error"] = "error", object{"code": 502, "message": "upstream went away"}
		}
		event("", object{"id": "c", "model": served, "choices": []object{last}})
		out.WriteString("data: [DONE]\n\n")
	case "messages":
		event("message_start", object{"type": "message_start", "message": object{"model": served}})
		event("content_block_delta", object{"type": "content_block_delta", "delta": object{"type": "text_delta", "text": text}})
		switch {
		case cut:
			return out.String()
		case fault:
			event("error", object{"type": "error", "error": object{"type": "overloaded_error", "message": "overloaded"}})
			return out.String()
		}
		event("message_delta", object{"type": "message_delta", "delta": object{"stop_reason": said}})
		event("message_stop", object{"type": "message_stop"})
	case "responses":
		event("", object{"type": "response.output_text.delta", "sequence_number": 0, "delta": text})
		if cut {
			return out.String()
		}
		number := 1
		kind, response := "response.completed", object{"id": "r", "model": served}
		switch e.word {
		case "":
		case declines:
			event("", object{"type": "response.refusal.delta", "sequence_number": 1, "delta": "I cannot go on."})
			number++
		case "incomplete":
			kind, response["status"], response["incomplete_details"] = "response.incomplete", "incomplete", object{"reason": nil}
		case "failed":
			response["status"], response["error"] = "failed", object{"code": "server_error", "message": "boom"}
		case "max_output_tokens", "content_filter":
			kind, response["status"], response["incomplete_details"] = "response.incomplete", "incomplete", object{"reason": e.word}
		default:
			response["status"] = e.word
		}
		event("", object{"type": kind, "sequence_number": number, "response": response})
	case "ollama":
		event("", object{"model": served, "message": object{"role": "assistant", "content": text}, "done": false})
		switch {
		case cut:
			return out.String()
		case fault:
			event("", object{"error": "llama runner process no longer running"})
			return out.String()
		}
		last := object{"model": served, "message": object{"role": "assistant", "content": ""}, "done": true}
		if e.word != "" {
			last["done_reason"] = e.word
		}
		event("", last)
	}
	return out.String()
}

// What the server of an end answers, by what it is asked.
const (
	endsFile = "package w\n\nfunc A() int {\n\treturn 1\n}\n\nfunc two() int {\n\treturn 2\n}\n"
	takesTwo = "a.go\n<<<<<<< SEARCH\n\nfunc two() int {\n\treturn 2\n}\n=======\n>>>>>>> REPLACE\n"
	counts11 = "a.go\n<<<<<<< SEARCH\n\treturn 1\n=======\n\treturn 11\n>>>>>>> REPLACE\n"
	saidText = "A returns one.\n"
	findings = "a.go:4: warning: it always returns one\n"
)

// serve answers every request so. Plans of tasks are whole: it is their steps that are cut.
func (e *wireEnd) serve(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked, end, text := string(body), *e, saidText
		has := func(words string) bool { return strings.Contains(asked, words) }
		switch {
		case r.Method == http.MethodGet:
			http.NotFound(w, r)
			return
		case has("[FAST]") && !has("now and nothing else"):
			end.word = wireEnds[e.wire].whole[0]
			text = "1. [FAST] move two | write: a.go\n"
		case has("numbers from 1 to 30"):
			text = oneTo30()
		case has("move two"):
			text = takesTwo
		case has("count more"):
			text = counts11
		case has("a reviewer") || has("warning"):
			text = findings
		}
		w.Header().Set("Content-Type", map[bool]string{true: "application/x-ndjson", false: "text/event-stream"}[e.wire == "ollama"])
		_, _ = io.WriteString(w, end.frames(text))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestEndsOfAnswers: what each road makes of each end of each wire. Of an answer that is cut nothing
// is written, judged passed or ended with exit code 0, and what came is shown with what cut it.
func TestEndsOfAnswers(t *testing.T) {
	var all []wireEnd
	for wire, ends := range wireEnds {
		for _, word := range ends.whole {
			all = append(all, wireEnd{wire: wire, word: word, whole: true})
		}
		for _, word := range ends.cut {
			all = append(all, wireEnd{wire: wire, word: word})
		}
	}
	for _, e := range all {
		t.Run(e.wire+" "+e.word, func(t *testing.T) {
			h := newHome(t)
			path := map[bool]string{true: "", false: "/v1"}[e.wire == "ollama"]
			h.write(h.config, fmt.Sprintf("fast = \"m\"\ndeep = \"m\"\n[models.m]\nprovider = \"p\"\nmodel = \"small\"\ncontext_window = 64000\ninput_price = 0.0\noutput_price = 0.0\n[providers.p]\nbase_url = \"%s%s\"\nwire_api = %q\nrequest_max_retries = 0\nstream_max_retries = 0\n", e.serve(t), path, e.wire))
			h.write("go.mod", "module w\n\ngo 1.26\n")
			for _, road := range endRoads {
				h.write("a.go", endsFile)
				now := func() string {
					data, err := os.ReadFile("a.go")
					if err != nil {
						t.Fatal(err)
					}
					return string(data)
				}
				road.check(&endRoad{T: t, home: h, end: e, now: now})
			}
		})
	}
}

// An endRoad is one road with one end.
type endRoad struct {
	*testing.T
	home *home
	end  wireEnd
	now  func() string // the text of a.go
}

// commanded runs a command and checks its exit code, that its output holds what came, and that
// the reason of a cut is said.
func (r *endRoad) commanded(code int, shows string, args ...string) {
	r.Helper()
	if r.end.whole {
		code = exitDone
	}
	got, out, stderr := r.home.run(args...)
	if got != code || !strings.Contains(out, shows) || !r.end.whole && code != exitDone && !strings.Contains(stderr, "cut: ") {
		r.Errorf("%s: exit %d, want %d; printed %q, stderr %q", args, got, code, out, stderr)
	}
}

// wrote checks whether a.go was written.
func (r *endRoad) wrote(what string, want bool) {
	r.Helper()
	if got := r.now() != endsFile; got != want {
		r.Errorf("%s: written %v, want %v", what, got, want)
	}
}

var endRoads = []struct {
	name  string
	check func(*endRoad)
}{
	{"ask", func(r *endRoad) { r.commanded(exitNoModel, "A returns one.", "ask", "what does A return?") }},
	{"review", func(r *endRoad) { r.commanded(exitNoModel, "a.go:4:2: warning: it always", "review", "a.go") }},
	{"edit", func(r *endRoad) {
		r.commanded(exitFailed, "-\treturn 1\n+\treturn 11\n", "edit", "a.go", "count more")
		r.wrote("edit", false)
	}},
	{"edit --write", func(r *endRoad) {
		r.commanded(exitFailed, "+\treturn 11\n", "edit", "a.go", "count more", "--write")
		r.wrote("edit --write", r.end.whole)
	}},
	{"edit --write of a part that takes away", func(r *endRoad) {
		r.commanded(exitRefused, "-func two", "edit", "a.go", "move two above A", "--write", "--require-judged=false", "--force")
		r.wrote("edit --force of a part that takes away", r.end.whole)
	}},
	{"edit --write --force", func(r *endRoad) {
		r.commanded(exitDone, "+\treturn 11\n", "edit", "a.go", "count more", "--write", "--force")
		r.wrote("edit --force", true)
	}},
	{"edit --deep --write", func(r *endRoad) {
		code, out, stderr := r.home.run("edit", "a.go", "move two above A", "--write", "--deep")
		if (code == exitDone) != r.end.whole || strings.Contains(out+stderr, "passed") && !r.end.whole {
			r.Errorf("a task: exit %d, %s%s", code, out, stderr)
		}
		r.wrote("a task", r.end.whole)
	}},
	{"MCP edit", mcpRoad},
	{"LSP", lspRoad},
}

func mcpRoad(r *endRoad) {
	r.home.write(r.home.config, readFile(r.T, "", r.home.config)+"[mcp]\nwrite = true\n")
	defer func() {
		r.home.write(r.home.config, strings.TrimSuffix(readFile(r.T, "", r.home.config), "[mcp]\nwrite = true\n"))
	}()
	text, isError := r.home.agent("").use("edit", map[string]any{"instruction": "count more", "files": []string{"a.go"}, "write": true})
	cut := strings.Contains(text, "end: cut: 1 block, then ") && strings.Contains(text, "verdict: not_judged") && strings.Contains(text, "not written")
	if isError || !strings.Contains(text, "+\treturn 11") || cut == r.end.whole || !r.end.whole && strings.Contains(text, "passed") {
		r.Errorf("MCP: error %v, %s", isError, text)
	}
	r.wrote("MCP edit", r.end.whole)
}

// A heard is what a server says without being asked.
type heard struct {
	mu        sync.Mutex
	proposals []struct {
		State, Error string
		Verdict      struct{ State, Reason string }
		End          struct {
			Whole  bool
			Reason string
		}
	}
	applied bool
}

func (l *heard) say(body []byte) {
	var m struct {
		Method string
		Params json.RawMessage
	}
	_ = json.Unmarshal(body, &m) // it is the server's
	l.mu.Lock()
	defer l.mu.Unlock()
	switch m.Method {
	case "tandem/proposal":
		l.proposals = append(l.proposals, struct {
			State, Error string
			Verdict      struct{ State, Reason string }
			End          struct {
				Whole  bool
				Reason string
			}
		}{})
		_ = json.Unmarshal(m.Params, &l.proposals[len(l.proposals)-1])
	case "workspace/applyEdit":
		l.applied = true
	}
}

func lspRoad(r *endRoad) {
	if r.end.wire == "chat" { // one repository is enough
		gittest.New(r, r.home.workspace).Stage(map[string]string{"a.go": endsFile})
		defer os.RemoveAll(".git")
	}
	uri := workspace.URIOf(r.home.workspace + "/a.go")
	text, _ := json.Marshal("// ?? what does A return\n" + endsFile)
	const capable = `"capabilities":{"workspace":{"applyEdit":true,"workspaceEdit":{"documentChanges":true}},"experimental":{"tandem":{"proposals":true}}},"initializationOptions":{"trusted":true}`
	var l heard
	r.home.session(capable, l.say, nil, func(e *editor) {
		e.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"go","version":1,"text":%s}}}`, uri, text)
		call := func(id int, method, params string) reply {
			e.send(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
			return e.answer(id)
		}
		holds := func(what, got string, words ...string) {
			r.Helper()
			for _, w := range words {
				if strings.Contains(got, w) == r.end.whole {
					r.Errorf("%s: %s has %q: %v", what, got, w, r.end.whole)
				}
			}
		}
		asked := call(1, "tandem/ask", `{"question":"what does A return?"}`)
		holds("tandem/ask", string(asked.Result), `"interrupted":true`, `"reason":"`)
		hovered := call(2, "textDocument/hover", fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":0,"character":3}}`, uri))
		holds("hover", string(hovered.Result), "answer was cut")
		if r.end.wire == "chat" {
			message := call(3, "workspace/executeCommand", fmt.Sprintf(`{"command":"tandem.commitMessage","arguments":[{"uri":%q}]}`, uri))
			holds("commit message", string(message.Result), `"interrupted":true`, `"reason":"`)
		}
		edited := call(4, "tandem/edit", fmt.Sprintf(`{"textDocument":{"uri":%q},"range":{"start":{"line":0,"character":0},"end":{"line":9,"character":1}},"instruction":"count more"}`, uri))
		var made struct{ ProposalID string }
		if err := json.Unmarshal(edited.Result, &made); err != nil || made.ProposalID == "" {
			r.Fatalf("tandem/edit: %s %s", edited.Result, edited.Error)
		}
		ready := func() bool {
			l.mu.Lock()
			defer l.mu.Unlock()
			return len(l.proposals) > 0 && l.proposals[len(l.proposals)-1].State == "ready"
		}
		for deadline := time.Now().Add(time.Minute); !ready() && time.Now().Before(deadline); {
			time.Sleep(5 * time.Millisecond)
		}
		l.mu.Lock()
		if p := l.proposals[len(l.proposals)-1]; p.End.Whole != r.end.whole || !r.end.whole && (p.Verdict.State != "not_judged" || !strings.HasPrefix(p.End.Reason, "1 block, then ")) {
			r.Errorf("tandem/proposal: %+v", p)
		}
		l.mu.Unlock()
		if !r.end.whole {
			accepted := call(5, "tandem/resolve", fmt.Sprintf(`{"id":%q,"action":"accept"}`, made.ProposalID))
			l.mu.Lock()
			if !strings.Contains(string(accepted.Error), "the answer was cut") || l.applied {
				r.Errorf("accepted: %s %s, applied %v", accepted.Result, accepted.Error, l.applied)
			}
			l.mu.Unlock()
		}
	})
	r.wrote("LSP", false)
}
