package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.lsp.dev/jsonrpc2"

	"tandem/edits"
	"tandem/lsp/client"
	"tandem/model"
	"tandem/model/assist/ask"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/task"
	"tandem/workspace"
	"tandem/workspace/run"
	"tandem/workspace/state"
)

// A consulted asker records the questions, and answers all of them the same.
type consulted struct {
	Asker
	requests []ask.Request
	answer   ask.Answer
	err      error
}

func (c *consulted) Ask(_ context.Context, _ *workspace.Snapshot, req ask.Request) (ask.Answer, error) {
	c.requests = append(c.requests, req)
	return c.answer, c.err
}

func (c *consulted) CommitMessage(_ context.Context, _ *workspace.Snapshot, uri string, _ func(string)) (model.Answer, error) {
	return model.Whole{Text: "Change " + path.Base(uri)}, c.err
}

// command runs a command of the server.
func (e *editor) command(name string, token any, args ...any) (json.RawMessage, error) {
	params := object{"command": name, "arguments": args}
	if token != nil {
		params["workDoneToken"] = token
	}
	return e.call("workspace/executeCommand", params)
}

// ends waits for the end of a progress and returns its message.
func (e *editor) ends(token string) (message string) {
	e.t.Helper()
	e.until("$/progress", func(raw json.RawMessage) bool {
		var p struct {
			Token any
			Value struct{ Kind, Message string }
		}
		_ = json.Unmarshal(raw, &p)
		message = p.Value.Message
		return p.Token == token && p.Value.Kind == "end"
	})
	return message
}

// at is the place and the selection of a command in untitled:a.
func at(r wireRange) object { return object{"uri": "untitled:a.go", "range": r} }

// TestQuestionsOfCommands: the question, the place, the thread and the lane of each command
// that asks, and how its progress ends.
func TestQuestionsOfCommands(t *testing.T) {
	c := &consulted{answer: ask.Answer{Text: "yes", End: model.Ended(model.WhyWhole, "")}}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { c.Asker = use.Asker; use.Asker = c })
	o.initialize(fullClient())
	long := strings.Repeat("x", maxHover)
	o.open("untitled:a.go", "go", "package a\n\nfunc F() {}\n"+long+"yz\n")
	place := func(offset int) core.Place { return core.Place{URI: "untitled:a.go", Offset: offset} }
	o.settled()
	for i, c2 := range []struct {
		command string
		arg     any
		want    ask.Request
		err     string
	}{
		{"ask", object{"question": "why?", "thread": "t", "lane": "deep"}, ask.Request{Question: "why?", Thread: "t", Lane: model.Deep}, ""},
		{"ask", object{"text": "why?"}, ask.Request{Question: "why?"}, ""},
		{"ask", object{"instruction": "why?"}, ask.Request{Question: "why?"}, ""},
		{"ask", "why?", ask.Request{Question: "why?"}, ""},
		{"ask", object{"question": "why?", "uri": "untitled:a.go", "position": position{2, 5}}, ask.Request{Question: "why?", Place: place(16)}, ""},
		{"ask", object{}, ask.Request{}, "Ask something: give a question"},
		{"ask", object{"question": "why?", "uri": "untitled:closed.go"}, ask.Request{}, "is not open"},
		{"explain", at(wireRange{position{2, 5}, position{2, 5}}), ask.Request{Explains: true, Explain: edits.Span{Start: 16, End: 16}, Place: place(16)}, ""},
		{"explain", at(wireRange{position{2, 5}, position{2, 6}}), ask.Request{Explains: true, Explain: edits.Span{Start: 16, End: 17}, Place: place(16)}, ""},
		{"explain", at(wireRange{position{3, 0}, position{3, maxHover + 1}}), ask.Request{Explains: true, Explain: edits.Span{Start: 23, End: 23 + maxHover + 1}, Place: place(23)}, ""},
		{"explain", object{}, ask.Request{}, "names no document"},
	} {
		c.requests = nil
		token := fmt.Sprint("w", i)
		raw, err := o.command("tandem."+c2.command, token, c2.arg)
		if c2.err != "" {
			if err == nil || !strings.Contains(err.Error(), c2.err) {
				t.Errorf("%s %v: %v, want %s", c2.command, c2.arg, err, c2.err)
			}
			continue
		}
		if err != nil || asJSON(t, raw) != `{"answer":"yes","citations":[]}` || len(c.requests) != 1 {
			t.Fatalf("%s %v: %s, %v, %d questions", c2.command, c2.arg, raw, err, len(c.requests))
		}
		if got := c.requests[0]; got.Question != c2.want.Question || got.Explains != c2.want.Explains || got.Explain != c2.want.Explain || got.Place != c2.want.Place || got.Thread != c2.want.Thread || got.Lane != c2.want.Lane {
			t.Errorf("%s %v asks %+v, want %+v", c2.command, c2.arg, got, c2.want)
		}
		if got := o.ends(token); got != "answered" {
			t.Errorf("%s %v ends as %q", c2.command, c2.arg, got)
		}
	}
	c.answer.End = model.Ended(model.WhyPaused, "pause_turn")
	if raw, err := o.command("tandem.ask", "cut", "why?"); err != nil || asJSON(t, raw) != `{"answer":"yes","citations":[],"interrupted":true,"reason":"the server paused it"}` {
		t.Errorf("an answer that was cut: %s, %v", raw, err)
	}
	c.answer, c.err = ask.Answer{}, errors.New("cut")
	if _, err := o.command("tandem.ask", "failed", "why?"); err == nil || !strings.Contains(err.Error(), "Cut") || o.ends("failed") != "failed" {
		t.Errorf("no answer: %v", err)
	}
	if _, err := o.command("tandem.commitMessage", nil); err == nil || !strings.Contains(err.Error(), "No folder is open") {
		t.Errorf("a message without a folder: %v", err)
	}
	c.err = nil
	if raw, err := o.command("tandem.commitMessage", "message", object{"uri": "untitled:a.go"}); err != nil || asJSON(t, raw) != `{"message":"Change untitled:a.go"}` || o.ends("message") != "" {
		t.Errorf("a message: %s, %v", raw, err)
	}
}

// TestLongAnswersOpenAsDocuments: a hover shows an answer of the largest size whole, and the
// beginning of a longer one, which opens beside the file.
func TestLongAnswersOpenAsDocuments(t *testing.T) {
	c := &consulted{}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { c.Asker = use.Asker; use.Asker = c })
	o.initialize(fullClient())
	hover := func(name, text string, end model.End, err error) string {
		c.answer, c.err = ask.Answer{Text: text, End: end}, err
		o.open("untitled:"+name, "go", "// ?? why\ncode\n")
		raw, failed := o.call("textDocument/hover", object{"textDocument": object{"uri": "untitled:" + name}, "position": position{}})
		if failed != nil {
			return failed.Error()
		}
		var got hoverResult
		if err := json.Unmarshal(raw, &got); err != nil || *got.Range != (wireRange{position{0, 0}, position{0, 9}}) {
			t.Errorf("%s: %v", raw, err)
		}
		return got.Contents.Value
	}
	whole, ended, cut := strings.Repeat("x", maxHover), model.Ended(model.WhyWhole, ""), model.EndBy(&model.Error{Message: "no quota"})
	if got := hover("a", whole, ended, nil); got != whole {
		t.Errorf("the largest answer is shown with %d bytes", len(got))
	}
	if got, want := hover("b", whole+"x", ended, nil), whole[:maxHover/2]+"…\n\n*The whole answer is open beside this file.*"; got != want {
		t.Errorf("a longer one is shown as %q", got)
	}
	o.mu.Lock()
	if got := o.contentOf["tandem:/answer.md"]; got != whole+"x" {
		t.Errorf("beside the file are %d bytes", len(got))
	}
	o.mu.Unlock()
	if got := hover("c", "part", cut, nil); got != "part\n\n*The answer was cut: no quota*" {
		t.Errorf("an answer that was cut is shown as %q", got)
	}
	if got := hover("c2", "", model.End{}, errors.New("no quota")); !strings.Contains(got, "No quota") {
		t.Errorf("a failure is shown as %q", got)
	}
	if want := (ask.Request{Place: core.Place{URI: "untitled:c2.go"}, Question: "why", Thread: "hover untitled:c2.go"}); c.requests[3].Place != want.Place || c.requests[3].Question != want.Question || c.requests[3].Thread != want.Thread {
		t.Errorf("asked %+v", c.requests[3])
	}
}

// An escalated task is one of which the request is recorded.
type escalated struct {
	Tasks
	requests []task.Request
}

func (e *escalated) Escalate(_ *workspace.Snapshot, req task.Request) (task.Task, error) {
	e.requests = append(e.requests, req)
	return task.Task{Record: state.Task{ID: "t1", State: task.Queued}}, nil
}

// TestEscalations: what a deep task is asked for, and about which place.
func TestEscalations(t *testing.T) {
	e := &escalated{}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { e.Tasks = use.Tasks; use.Tasks = e })
	o.initialize(fullClient())
	o.open("untitled:a.go", "go", "package a\n// rename F to G\nfunc F() {}\n")
	here := func(offset int) core.Place { return core.Place{URI: "untitled:a.go", Offset: offset} }
	for _, c := range []struct {
		arg  any
		want task.Request
		err  string
	}{
		{object{"instruction": "x"}, task.Request{Instruction: "x"}, ""},
		{object{"text": "x", "tests": true}, task.Request{Instruction: "x", Tests: true}, ""},
		{"x", task.Request{Instruction: "x"}, ""},
		{object{"instruction": "x", "uri": "untitled:a.go"}, task.Request{Instruction: "x", Place: here(0)}, ""},
		{object{"instruction": "x", "uri": "untitled:a.go", "position": position{2, 5}}, task.Request{Instruction: "x", Place: here(32)}, ""},
		{object{"instruction": "x", "uri": "untitled:a.go", "position": position{0, 3}, "range": wireRange{position{2, 5}, position{2, 6}}}, task.Request{Instruction: "x", Place: here(32), Span: edits.Span{Start: 32, End: 33}}, ""},
		{object{"uri": "untitled:a.go", "range": wireRange{position{2, 5}, position{2, 6}}}, task.Request{Instruction: "rename F to G", Found: true, Place: here(32), Span: edits.Span{Start: 32, End: 33}}, ""},
		{object{"uri": "untitled:a.go"}, task.Request{}, "Say what the deep model should do"},
		{object{"instruction": " "}, task.Request{}, "Say what the deep model should do"},
		{object{"instruction": "x", "uri": "untitled:closed.go"}, task.Request{}, "is not open"},
	} {
		e.requests = nil
		raw, err := o.command("tandem.escalate", nil, c.arg)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%v: %v, want %s", c.arg, err, c.err)
			}
			continue
		}
		if err != nil || asJSON(t, raw) != `{"taskId":"t1"}` || len(e.requests) != 1 || e.requests[0] != c.want {
			t.Errorf("%v: %s, %v, asked %+v, want %+v", c.arg, raw, err, e.requests, c.want)
		}
	}
}

// TestSettingsCommands: what the commands and requests that read settings hand on.
func TestSettingsCommands(t *testing.T) {
	d := deps(t, &cassette{})
	var profiles []string
	var payloads []int
	var windows []WindowQuery
	d.SelectProfile = func(name string) error { profiles = append(profiles, name); return nil }
	d.LastPayload = func(n int) (any, error) { payloads = append(payloads, n); return n, nil }
	d.Window = func(_ context.Context, _ *workspace.Snapshot, q WindowQuery) (any, error) {
		windows = append(windows, q)
		return object{}, nil
	}
	r := &reported{}
	o := observe(t, d, func(use *UseCases) { r.Completer = use.Completer; use.Completer = r })
	o.initialize(fullClient())
	o.open("untitled:a.go", "go", "package a\n\nfunc F() {}\n")
	call := func(raw json.RawMessage, err error) string {
		if err != nil {
			t.Error(err)
		}
		return string(raw)
	}
	call(o.command("tandem.selectProfile", nil, object{"profile": "one"}))
	call(o.command("tandem.selectProfile", nil, "two"))
	if !slices.Equal(profiles, []string{"one", "two"}) {
		t.Errorf("profiles %q", profiles)
	}
	for _, p := range []any{nil, object{}, object{"n": 1}, object{"n": 2}, object{"n": -1}} {
		call(o.call("tandem/lastPayload", p))
	}
	if !slices.Equal(payloads, []int{1, 1, 1, 2, 1}) {
		t.Errorf("payloads %v", payloads)
	}
	call(o.call("tandem/window", object{"textDocument": object{"uri": "untitled:a.go"}, "position": position{2, 5}, "budget": 9, "purpose": "edit", "text": true}))
	call(o.command("tandem.showWindow", nil, object{"uri": "untitled:a.go", "position": position{2, 5}, "budget": 9, "purpose": "edit"}))
	o.mu.Lock()
	if slices.ContainsFunc(o.asked, func(m message) bool { return m.Method == "window/showDocument" }) {
		t.Error("a window without a text is shown")
	}
	o.mu.Unlock()
	for _, got := range windows {
		if want := (WindowQuery{URI: "untitled:a.go", Offset: 16, Budget: 9, Purpose: "edit", Text: true}); got != want {
			t.Errorf("window %+v", got)
		}
	}
	for _, c := range []struct {
		args   any
		length time.Duration
	}{{nil, 30 * time.Minute}, {object{"minutes": 0.5}, 30 * time.Second}, {object{"minutes": 0}, 0}, {object{"minutes": -1}, 0}} {
		before := time.Now()
		raw := call(o.command("tandem.snooze", nil, c.args))
		switch {
		case c.length == 0 && (!r.until.IsZero() || raw != `{"until":null}`):
			t.Errorf("%v: until %v, %s", c.args, r.until, raw)
		case c.length > 0 && (r.until.Before(before.Add(c.length)) || r.until.After(time.Now().Add(c.length)) || raw != `{"until":"`+r.until.UTC().Format(time.RFC3339)+`"}`):
			t.Errorf("%v: until %v, %s", c.args, r.until, raw)
		}
	}
	for text, want := range map[string]bool{`{"title":"x","kind":"quickfix"}`: true, `{"title":"x","kind":"quickfix","data":{"id":"p9"}}`: false, `{"title":"x","kind":"quickfix","command":{"title":"x","command":"y"}}`: true, `{"title":"x","kind":"quickfix","edit":{"changes":{"u":[]}}}`: true} {
		raw, err := o.call("codeAction/resolve", json.RawMessage(text))
		if (err == nil) != want || want && asJSON(t, raw) != asJSON(t, json.RawMessage(text)) || !want && !strings.Contains(err.Error(), "no suggestion") {
			t.Errorf("%s: %s, %v", text, raw, err)
		}
	}
	for _, c := range []struct {
		end  uint32
		want bool
	}{{0, false}, {1, false}, {2, true}} {
		raw, err := o.call("textDocument/codeAction", object{"textDocument": object{"uri": "untitled:a.go"}, "range": wireRange{position{2, 0}, position{2, c.end}}, "context": object{"diagnostics": []object{}}})
		if err != nil || strings.Count(string(raw), "implify") > 0 != c.want {
			t.Errorf("of %d selected characters: %s, %v", c.end, raw, err)
		}
	}
}

// TestFilesAreRegistered: the client is asked for what it offers to report, in one request.
func TestFilesAreRegistered(t *testing.T) {
	const files = `{"id":"tandem-files","method":"workspace/didChangeWatchedFiles","registerOptions":{"watchers":[{"globPattern":"**/*"}]}}`
	const settings = `{"id":"tandem-settings","method":"workspace/didChangeConfiguration","registerOptions":{"section":"tandem"}}`
	for _, c := range []struct {
		files, settings bool
		want            string
	}{{true, false, files}, {false, true, settings}, {true, true, files + "," + settings}} {
		e := start(t, deps(t, &cassette{}))
		e.initialize(object{"workspace": object{"didChangeWatchedFiles": object{"dynamicRegistration": c.files}, "didChangeConfiguration": object{"dynamicRegistration": c.settings}}})
		if got := asJSON(t, e.requested("client/registerCapability")); got != `{"registrations":[`+c.want+`]}` {
			t.Errorf("registered %s", got)
		}
	}
}

// requested waits for a request of the server and returns its parameters.
func (e *editor) requested(method string) json.RawMessage {
	e.t.Helper()
	for range 100_000 { // each is an exchange of messages
		e.mu.Lock()
		i := slices.IndexFunc(e.asked, func(m message) bool { return m.Method == method })
		if i >= 0 {
			raw := e.asked[i].Params
			e.asked = slices.Delete(e.asked, i, i+1)
			e.mu.Unlock()
			return raw
		}
		e.mu.Unlock()
		if _, err := e.call("test/sync", nil); err != nil {
			e.t.Fatal(err)
		}
	}
	e.t.Fatalf("no %s was requested", method)
	return nil
}

// TestFollowerIsForgotten: nothing is kept for a task whose progress has ended.
func TestFollowerIsForgotten(t *testing.T) {
	p := &peer{log: slog.New(slog.DiscardHandler), group: run.NewGroup(t.Context(), nil)}
	s := &tasks{scope: &scope{peer: p}}
	s.follow(task.Task{Record: state.Task{ID: "t1"}})
	s.taskChanged(task.Task{Record: state.Task{ID: "t1", State: task.Done}})
	p.group.Wait()
	if len(s.followers.byID) != 0 {
		t.Errorf("%d are followed", len(s.followers.byID))
	}
}

// TestEndOfTheEditorsProcess: the server ends with the process of its client, and watches no
// process that it never saw.
func TestEndOfTheEditorsProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		number := func(n int) *int { return &n }
		for name, c := range map[string]struct {
			pid   *int
			alive func(call int) bool
			calls int
			code  int // -1: it goes on
		}{
			"none":        {nil, func(int) bool { return true }, 0, -1},
			"0":           {number(0), func(int) bool { return true }, 0, -1},
			"not visible": {number(7), func(int) bool { return false }, 1, -1},
			"not known":   {number(7), nil, 0, -1},
			"alive":       {number(7), func(int) bool { return true }, 11, -1},
			"1, and over": {number(1), func(call int) bool { return call < 4 }, 4, 1},
		} {
			calls := 0
			s := &lifecycle{scope: &scope{peer: newPeer(&Deps{})}, deps: &Deps{}}
			s.group = run.NewGroup(context.Background(), nil)
			if c.alive != nil {
				s.deps.Alive = func(int) bool { calls++; return c.alive(calls) }
			}
			s.watchParent(c.pid)
			time.Sleep(10*parentTick + parentTick/2)
			synctest.Wait()
			code := -1
			if len(s.life.exit) > 0 {
				code = <-s.life.exit
			}
			if calls != c.calls || code != c.code {
				t.Errorf("%s: looked %d times, exit code %d; want %d, %d", name, calls, code, c.calls, c.code)
			}
			s.group.Close()
		}
	})
}

// A capturing editor keeps a draft of an edit.
type capturing struct {
	Editor
	draft *edit.Draft
}

func (c *capturing) Edit(ctx context.Context, snap *workspace.Snapshot, req edit.Request) (*edit.Proposal, error) {
	watch := req.Watch
	req.Watch = func(p edit.Progress) {
		if p.Draft != nil {
			c.draft = p.Draft
		}
		watch(p)
	}
	return c.Editor.Edit(ctx, snap, req)
}

// TestPiecesLeaveBeforeTheEnd: what is left of a draft and of a text is sent when its edit has
// no more pieces, or its request ends; a client that shows neither gets nothing.
func TestPiecesLeaveBeforeTheEnd(t *testing.T) {
	c := &capturing{}
	o := observe(t, deps(t, &cassette{answers: map[model.Purpose][]reply{model.Edit: {{text: draftedAnswer}}}}), func(use *UseCases) { c.Editor = use.Editor; use.Editor = c })
	o.initialize(fullClient())
	o.open("untitled:a.go", "go", draftedText)
	if _, err := o.call("tandem/edit", object{"textDocument": object{"uri": "untitled:a.go"}, "instruction": "x", "draft": true, "partialResultToken": "p"}); err != nil || c.draft == nil {
		t.Fatal(err)
	}
	for _, partial := range []token{"", `"p"`} {
		var sent []string
		p := &peer{client: announced(client.Extensions{Proposals: true})}
		p.notifications = newNotificationQueue(func(method string, params any) {
			sent = append(sent, method+" "+asJSON(t, json.RawMessage(params.(jsonrpc2.RawMessage))))
		}, nil)
		s := &proposals{scope: &scope{peer: p}}
		watch, finish := s.watchEdit(partial)
		watch(edit.Progress{ID: "p1", Draft: c.draft})
		watch(edit.Progress{ID: "p1", URI: "u", Append: "one "})
		watch(edit.Progress{ID: "p1", URI: "u", Append: "two"})
		watch(edit.Progress{ID: "p2", URI: "u", Append: "other"})
		if len(sent) != 0 {
			t.Errorf("sent at once: %q", sent)
		}
		watch(edit.Progress{ID: "p1", Done: true})
		text := func(id, text string) string {
			note := fmt.Sprintf(`{"append":{"text":%q,"uri":"u"},"costUSD":0,"id":%q,"state":"streaming"}`, text, id)
			if partial != "" {
				return `$/progress {"token":"p","value":{"proposal":` + note + `}}`
			}
			return "tandem/proposal " + note
		}
		if len(sent) != 2 || sent[0] != text("p1", "one two") || !strings.Contains(sent[1], `"draft":{"hunks":[{"end":`) {
			t.Errorf("at the end of the pieces: %q", sent)
		}
		sent = nil
		if finish(); !slices.Equal(sent, []string{text("p2", "other")}) {
			t.Errorf("at the end of the request: %q", sent)
		}
	}
	p := &peer{}
	p.notifications = newNotificationQueue(nil, nil)
	watch, finish := (&proposals{scope: &scope{peer: p}}).watchEdit("")
	watch(edit.Progress{ID: "p1", Append: "one"})
	if finish(); len(p.notifications.queue) != 0 {
		t.Error("a client that shows no proposals gets their text")
	}
}

// A writing editor makes an edit that is written in pieces and has no end.
type writing struct {
	Editor
	proposal *edit.Proposal
}

func (w *writing) Edit(_ context.Context, _ *workspace.Snapshot, req edit.Request) (*edit.Proposal, error) {
	for _, piece := range []string{"one ", "two ", "three"} {
		req.Watch(edit.Progress{ID: w.proposal.ID, URI: "untitled:a.go", Append: piece})
	}
	return w.proposal, nil
}

// TestTextOfAnEditComesBeforeItsAnswer: a client that shows proposals has all of an edit's text
// when the request or the command that asked for it is answered.
func TestTextOfAnEditComesBeforeItsAnswer(t *testing.T) {
	for _, method := range []string{"tandem/edit", "workspace/executeCommand"} {
		w := &writing{proposal: pending()}
		o := observe(t, deps(t, &cassette{}), func(use *UseCases) { w.Editor = use.Editor; use.Editor = w })
		capabilities := fullClient()
		capabilities["experimental"] = object{"tandem": object{"proposals": true}}
		o.initialize(capabilities)
		o.open("untitled:a.go", "go", "package a\n")
		params := object{"textDocument": object{"uri": "untitled:a.go"}, "instruction": "x"}
		if method != "tandem/edit" {
			params = object{"command": "tandem.edit", "arguments": []object{{"uri": "untitled:a.go", "instruction": "x"}}}
		}
		if _, err := o.call(method, params); err != nil {
			t.Fatal(err)
		}
		o.mu.Lock()
		text := ""
		for _, m := range o.received {
			var note struct{ Append struct{ Text string } }
			if m.Method == "tandem/proposal" && json.Unmarshal(m.Params, &note) == nil {
				text += note.Append.Text
			}
		}
		o.mu.Unlock()
		if text != "one two three" {
			t.Errorf("%s is answered after %q", method, text)
		}
	}
}
