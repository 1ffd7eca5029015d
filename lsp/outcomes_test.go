package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
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
	"tandem/workspace/state"
)

// TestEditRequests: what each kind of edit is asked for, about which part of the document.
func TestEditRequests(t *testing.T) {
	r := &recorder{}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { r.Editor = use.Editor; use.Editor = r })
	o.initialize(fullClient())
	o.open("untitled:a.go", "go", "package a\n// rename F to G\nfunc F() {}\n")
	o.open("untitled:large.go", "go", strings.Repeat("x", 1<<20))
	problem := func(message string) object {
		return object{"range": wireRange{position{2, 5}, position{2, 6}}, "severity": 1, "message": message}
	}
	place := func(more object) object {
		args := object{"uri": "untitled:a.go", "position": position{2, 5}}
		for k, v := range more {
			args[k] = v
		}
		return args
	}
	f, name := edits.Span{Start: 32, End: 32}, edits.Span{Start: 32, End: 33}
	known := func(messages ...string) (out []workspace.Diagnostic) {
		for _, m := range messages {
			out = append(out, workspace.Diagnostic{Span: name, Severity: "error", Message: m})
		}
		return out
	}
	type req = edit.Request
	for i, c := range []struct {
		method string
		args   []any
		want   req
		title  string
		err    string
	}{
		{"edit", []any{object{"uri": "untitled:a.go", "instruction": "x"}}, req{Instruction: "x"}, "x", ""},
		{"edit", []any{object{"uri": "untitled:a.go", "range": wireRange{position{2, 6}, position{2, 5}}, "text": "x"}}, req{Span: name, Instruction: "x"}, "x", ""},
		{"edit", []any{place(nil), "x"}, req{Span: f, Instruction: "x"}, "x", ""},
		{"edit", []any{place(nil)}, req{Span: f, Instruction: "rename F to G", Found: true}, "rename F to G", ""},
		{"edit", []any{object{"uri": "untitled:a.go"}}, req{}, "", "Say what to change"},
		{"edit", []any{object{"uri": "untitled:large.go", "instruction": "x", "range": wireRange{position{}, position{0, 1 << 20}}}}, req{URI: "untitled:large.go", Span: edits.Span{End: 1 << 20}, Instruction: "x"}, "x", ""},
		{"fix", []any{place(object{"diagnostics": []object{problem("no F")}})}, req{Span: name, Title: "Fix: no F", Kind: model.KindFix, Diagnostics: known("no F")}, "Fix: no F", ""},
		{"fix", []any{place(object{"diagnostics": []object{problem("no F")}, "instruction": "now"})}, req{Span: name, Instruction: "now", Title: "Fix: no F now", Kind: model.KindFix, Diagnostics: known("no F")}, "Fix: no F now", ""},
		{"fix", []any{object{"uri": "untitled:a.go", "range": wireRange{position{2, 0}, position{2, 4}}, "diagnostics": []object{problem("no F")}}}, req{Span: edits.Span{Start: 27, End: 31}, Title: "Fix: no F", Kind: model.KindFix, Diagnostics: known("no F")}, "Fix: no F", ""},
		{"fix", []any{place(object{"diagnostics": []object{problem("no F"), problem("nor G")}, "all": true})}, req{Span: f, Title: "Fix these 2 problems, all of one kind: no F", Kind: model.KindFix, Diagnostics: known("no F", "nor G")}, "Fix these 2 problems, all of one kind: no F", ""},
		{"fix", []any{place(nil)}, req{}, "", "No problem is known at this place"},
		{"debug", []any{place(object{"text": "panic"})}, req{Span: f, Instruction: "panic", Kind: model.KindDebug, Title: "Debug"}, "Debug", ""},
		{"debug", []any{"at untitled:a.go:3"}, req{Span: edits.Span{Start: 27, End: 27}, Instruction: "at untitled:a.go:3", Kind: model.KindDebug, Title: "Debug"}, "Debug", ""},
		{"debug", []any{"at other:3"}, req{}, "", "The trace names no document that is open"},
		{"debug", []any{object{"text": " "}}, req{}, "", "Give the stack trace"},
		{"document", []any{place(nil)}, req{Span: f, Kind: model.KindDocument, Title: "Document"}, "Document", ""},
		{"test", []any{place(object{"text": "with a table"})}, req{Span: f, Instruction: "with a table", Kind: model.KindTest, Title: "Write a test"}, "Write a test", ""},
	} {
		r.requests = nil
		token := fmt.Sprint("w", i)
		_, err := o.command("tandem."+c.method, token, c.args...)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) || r.requests != nil {
				t.Errorf("%s %v: %v, want %s", c.method, c.args, err, c.err)
			}
			continue
		}
		if err == nil || len(r.requests) != 1 {
			t.Fatalf("%s %v: %v", c.method, c.args, err)
		}
		got := r.requests[0]
		if got.Watch == nil {
			t.Errorf("%s %v: its pieces go nowhere", c.method, c.args)
		}
		if got.Watch = nil; c.want.URI == "" {
			c.want.URI = "untitled:a.go"
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %v: asked for %+v, want %+v", c.method, c.args, got, c.want)
		}
		o.until("$/progress", func(raw json.RawMessage) bool {
			return asJSON(t, raw) == fmt.Sprintf(`{"token":%q,"value":{"cancellable":true,"kind":"begin","title":"tandem: %s"}}`, token, c.title)
		})
		if got := o.ends(token); got != "failed" {
			t.Errorf("%s %v ends as %q", c.method, c.args, got)
		}
	}
	for n, most := range map[int]int{-1: 0, 4: 4, 5: 4} {
		r.requests = nil
		_, err := o.call("tandem/edit", object{"textDocument": object{"uri": "untitled:a.go"}, "range": wireRange{position{2, 5}, position{2, 6}}, "instruction": "x", "lane": "deep",
			"alternatives": n, "attempt": n, "draft": true, "after": "p0", "steering": "more"})
		if err == nil || len(r.requests) != 1 {
			t.Fatalf("%v, %d requests", err, len(r.requests))
		}
		got := r.requests[0]
		got.Watch = nil
		if want := (req{URI: "untitled:a.go", Span: name, Instruction: "x", Lane: model.Deep, Alternatives: most, Attempt: most, Draft: true, After: "p0", Steering: "more"}); !reflect.DeepEqual(got, want) {
			t.Errorf("asked for %+v, want %+v", got, want)
		}
	}
}

// A making editor makes an edit once it may, in pieces.
type making struct {
	accepting
	may chan struct{}
}

func (m *making) Edit(ctx context.Context, _ *workspace.Snapshot, req edit.Request) (*edit.Proposal, error) {
	req.Watch(edit.Progress{ID: "p1", Append: "a\nb\nc", Lane: model.Fast})
	req.Watch(edit.Progress{ID: "p1", Append: "\n", Lane: model.Fast})
	select {
	case <-m.may:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	p := pending()
	return p, nil
}

// TestEndsOfAnEdit: an edit's progress has the lines so far, and ends with what became of it.
func TestEndsOfAnEdit(t *testing.T) {
	for _, c := range []struct {
		proposals, applies bool
		want               string
	}{{true, true, "ready"}, {false, false, "shown"}, {false, true, "done"}} {
		m := &making{may: make(chan struct{})}
		o := observe(t, deps(t, &cassette{}), func(use *UseCases) { m.Editor = use.Editor; use.Editor = m })
		capabilities := fullClient()
		capabilities["experimental"] = object{"tandem": object{"proposals": c.proposals}}
		capabilities["workspace"].(object)["applyEdit"] = c.applies
		o.initialize(capabilities)
		o.open("untitled:a.go", "go", "package a\n")
		_, answer := o.request("workspace/executeCommand", object{"command": "tandem.edit", "workDoneToken": "w", "arguments": []object{{"uri": "untitled:a.go", "instruction": "x"}}})
		o.until("$/progress", func(raw json.RawMessage) bool {
			return asJSON(t, raw) == `{"token":"w","value":{"kind":"report","message":"fast: 3 lines"}}`
		})
		close(m.may)
		if a := <-answer; a.err != nil || asJSON(t, a.result) != `{"proposalId":"p1"}` {
			t.Errorf("%s: %s, %v", c.want, a.result, a.err)
		}
		if got := o.ends("w"); got != c.want {
			t.Errorf("it ends as %q, want %q", got, c.want)
		}
		o.mu.Lock()
		if _, shown := o.contentOf["tandem:/p1.diff"]; shown != (c.want == "shown") {
			t.Errorf("%s: the diff is shown %v", c.want, shown)
		}
		o.mu.Unlock()
		m.may = make(chan struct{})
		id, answer := o.request("workspace/executeCommand", object{"command": "tandem.edit", "workDoneToken": "v", "arguments": []object{{"uri": "untitled:a.go", "instruction": "x"}}})
		o.until("$/progress", func(raw json.RawMessage) bool { // a cancel that overtakes it stops nothing
			return asJSON(t, raw) == `{"token":"v","value":{"kind":"report","message":"fast: 3 lines"}}`
		})
		o.notify("$/cancelRequest", object{"id": id})
		if a := <-answer; a.err == nil || a.err.Code != -32800 || o.ends("v") != "stopped" {
			t.Errorf("%s: stopped with %v", c.want, a.err)
		}
	}
}

// TestProgressIsForgotten: a progress that has ended is not kept, its last report is not
// sent behind its end, and its work has ended.
func TestProgressIsForgotten(t *testing.T) {
	var sent []string
	p := &peer{}
	p.notifications = newNotificationQueue(func(_ string, params any) {
		sent = append(sent, asJSON(t, json.RawMessage(params.(jsonrpc2.RawMessage))))
	}, nil)
	ctx, one := p.begin(t.Context(), `"w"`, "title")
	_, other := p.begin(t.Context(), "1", "other")
	one.report("half")
	if len(p.progresses.running) != 2 || ctx.Err() != nil {
		t.Errorf("%d run, %v", len(p.progresses.running), ctx.Err())
	}
	one.done("done")
	if len(p.progresses.running) != 1 || p.progresses.running[other.key()] != other || ctx.Err() == nil {
		t.Errorf("%d run, %v", len(p.progresses.running), ctx.Err())
	}
	other.done("")
	_, none := p.begin(t.Context(), "", "not shown")
	none.report("x")
	none.done("x")
	for len(p.notifications.queue) > 0 {
		p.notifications.sendOne(func() int { return 0 })
	}
	if want := []string{`{"token":"w","value":{"cancellable":true,"kind":"begin","title":"title"}}`, `{"token":1,"value":{"cancellable":true,"kind":"begin","title":"other"}}`,
		`{"token":"w","value":{"kind":"end","message":"done"}}`, `{"token":1,"value":{"kind":"end"}}`}; !slices.Equal(sent, want) {
		t.Errorf("sent %q", sent)
	}
}

// A resulting use case has the result of one task, and records what is decided.
type resulting struct {
	Tasks
	Editor
	result *edit.Proposal
	err    error
	made   []string
}

func (r *resulting) Propose(context.Context, *workspace.Snapshot, string) (*edit.Proposal, error) {
	return r.result, r.err
}

func (r *resulting) Get(id string) (*edit.Proposal, error) {
	if id == "p7" {
		return &edit.Proposal{Proposal: edits.Proposal{ID: "p7"}, Task: edit.TaskResult{ID: "t7"}}, nil
	}
	return nil, errors.New("there is no suggestion")
}

func (r *resulting) note(format string, args ...any) error {
	r.made = append(r.made, fmt.Sprintf(format, args...))
	return r.err
}

func (r *resulting) RejectPart(_ *workspace.Snapshot, id string, part edit.Part) error {
	hunk := -1
	if part.Hunk != nil {
		hunk = *part.Hunk
	}
	return r.note("reject %s %d %d %s", id, hunk, part.Step, part.File)
}

// The halves of a resulting that are the tasks and the editor.
type (
	resultTasks  struct{ *resulting }
	resultEditor struct{ *resulting }
)

func (r resultTasks) TakeBack(_ *workspace.Snapshot, id string) (edit.Back, error) {
	return edit.Back{ID: id}, r.note("take back task %s", id)
}

func (r resultEditor) Completion(context.Context, *workspace.Snapshot, string) (edit.Estimate, int, error) {
	return edit.Estimate{Model: "m", CostUSD: 0.01}, 2, nil
}

func (r resultEditor) Complete(_ context.Context, _ *workspace.Snapshot, id string) (*edit.Proposal, error) {
	return &edit.Proposal{Proposal: edits.Proposal{ID: id}}, r.note("complete %s", id)
}

func (r resultEditor) TakeBack(_ *workspace.Snapshot, id string) (edit.Back, error) {
	if strings.HasPrefix(id, "t") {
		return edit.Back{}, errors.New("there is none")
	}
	return edit.Back{ID: "p9"}, r.note("take back edit %q", id)
}

func (r resultEditor) TookBack(string)       {}
func (r resultTasks) Cancel(id string) error { return r.note("cancel %s", id) }
func (r resultTasks) SetPlan(_ *workspace.Snapshot, id, text string) error {
	return r.note("plan %s %s", id, text)
}

func (r resultTasks) Steer(_ *workspace.Snapshot, id, text string, _ bool) (bool, error) {
	if !strings.HasPrefix(id, "t") {
		return false, nil
	}
	return true, r.note("steer task %s %s", id, text)
}

func (r resultTasks) Resume(_ *workspace.Snapshot, id string) (task.Task, error) {
	return task.Task{}, r.note("resume %s", id)
}

func (r resultTasks) List(snap *workspace.Snapshot) []task.Task { return r.Tasks.List(snap) }
func (r resultTasks) Resolved(string, string)                   {}
func (r resultTasks) Escalate(*workspace.Snapshot, task.Request) (task.Task, error) {
	return task.Task{}, nil
}

func (r resultEditor) Cancel(id string) error { return r.note("cancel edit %s", id) }
func (r resultEditor) Steer(_ *workspace.Snapshot, id, text string, _ bool, _ func(edit.Progress)) error {
	return r.note("steer edit %s %s", id, text)
}

// TestDecisionsAboutTasks: what each request and command does to which task or suggestion.
func TestDecisionsAboutTasks(t *testing.T) {
	for _, own := range []bool{false, true} {
		r := &resulting{result: pending()}
		o := observe(t, deps(t, &cassette{}), func(use *UseCases) {
			r.Tasks, r.Editor = use.Tasks, use.Editor
			use.Tasks, use.Editor = resultTasks{r}, resultEditor{r}
		})
		capabilities := fullClient()
		capabilities["experimental"] = object{"tandem": object{"proposals": own}}
		o.initialize(capabilities)
		if raw, err := o.call("tandem/resolve", object{"id": "t1", "action": "show"}); err != nil || asJSON(t, raw) != `{"proposalId":"p1"}` {
			t.Errorf("%s, %v", raw, err)
		}
		if own {
			o.until("tandem/proposal", func(raw json.RawMessage) bool { return strings.Contains(string(raw), `"id":"p1","state":"ready"`) })
		}
		o.mu.Lock()
		if text := o.contentOf["tandem:/p1.diff"]; strings.Contains(text, "+2\n") == own {
			t.Errorf("a client with a view of proposals (%v) is shown %q", own, text)
		}
		o.mu.Unlock()
		for _, c := range []struct {
			method string
			params any
			want   string
		}{
			{"tandem/resolve", object{"id": "t1", "action": "reject"}, "reject p1 -1 0 "},
			{"tandem/resolve", object{"id": "t1", "action": "reject", "hunk": 0}, "reject p1 0 0 "},
			{"tandem/resolve", object{"id": "t1", "action": "reject", "step": 2, "file": "a.go"}, "reject p1 -1 2 a.go"},
			{"tandem/steer", object{"id": "t1", "text": "more"}, "steer task t1 more"},
			{"tandem/steer", object{"id": "p7", "text": "more"}, "steer task t7 more"},
			{"tandem/steer", object{"id": "p1", "text": "more"}, "steer edit p1 more"},
			{"tandem.steer", []any{object{"id": "t1", "text": "more"}}, "steer task t1 more"},
			{"tandem.steer", []any{object{"id": "t1", "instruction": "more"}}, "steer task t1 more"},
			{"tandem.steer", []any{"p1", "more"}, "steer edit p1 more"},
			{"tandem.completeChange", []any{object{"id": "p1"}}, "complete p1"},
			{"tandem/cancel", object{"id": "t1"}, "cancel t1"},
			{"tandem.cancel", []any{"t1"}, "cancel t1"},
			{"tandem/plan", object{"id": "t1", "text": "1. [FAST] x"}, "plan t1 1. [FAST] x"},
			{"tandem/resume", object{"id": "t1"}, "resume t1"},
			{"tandem.resume", []any{"t1"}, "resume t1"},
			{"tandem.takeBack", []any{"t1"}, "take back task t1"},
			{"tandem.takeBack", nil, "take back edit \"\""},
			{"tandem.takeBack", []any{object{"id": "p1"}}, "take back edit \"p1\""},
		} {
			for _, failing := range []error{nil, errors.New("not now")} {
				if r.made, r.err = nil, failing; strings.HasPrefix(c.want, "reject") && failing != nil {
					continue // there would be no result to reject
				}
				method, params := c.method, c.params
				if strings.HasPrefix(method, "tandem.") {
					method, params = "workspace/executeCommand", object{"command": c.method, "arguments": c.params}
				}
				_, err := o.call(method, params)
				if (err == nil) != (failing == nil) || !slices.Equal(r.made, []string{c.want}) {
					t.Errorf("%s %v: %q, %v; want %q", c.method, c.params, r.made, err, c.want)
				}
			}
		}
		r.err = nil
		for _, c := range []struct{ method, text string }{{"tandem/steer", " "}, {"tandem/steer", ""}} {
			if _, err := o.call(c.method, object{"id": "t1", "text": c.text}); err == nil || !strings.Contains(err.Error(), "Say where to steer") {
				t.Errorf("%q: %v", c.text, err)
			}
		}
		for failed, want := range map[error]string{task.ErrNoTask: "There is no suggestion", errors.New("it is broken"): "It is broken"} {
			r.err = failed
			for _, action := range []string{"show", "accept", "reject"} {
				if _, err := o.call("tandem/resolve", object{"id": "t1", "action": action}); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s of what is not there: %v, want %s", action, err, want)
				}
			}
		}
	}
}

// TestTasksThatAsk: what a task waits for is asked in its words, an agreement lets it go on,
// and why it cannot is shown.
func TestTasksThatAsk(t *testing.T) {
	for _, c := range []struct {
		task     task.Task
		question string
		answers  [2]string
	}{
		{task.Task{Record: state.Task{ID: "t1", State: task.Waiting, Messages: []state.Message{{Kind: "question", Text: "Agree to $1?"}}, Error: "no"}}, "Agree to $1?", [2]string{"Start", "Cancel"}},
		{task.Task{Record: state.Task{ID: "t1", State: task.Waiting, Error: "Agree."}}, "Agree.", [2]string{"Start", "Cancel"}},
		{task.Task{Record: state.Task{ID: "t1", State: task.Planned, Title: "all", Steps: make([]state.Step, 2)}}, `tandem: the plan of "all" has 2 steps. Run it?`, [2]string{"Run", "Cancel"}},
		{task.Task{Record: state.Task{ID: "t1", State: task.Planned, Error: "Step 2 writes nothing."}}, "Step 2 writes nothing.", [2]string{"Run", "Cancel"}},
	} {
		for i, answer := range c.answers {
			tasks := &decisions{made: make(chan string, 1)}
			o := observe(t, deps(t, &cassette{}), func(use *UseCases) { tasks.Tasks = use.Tasks; use.Tasks = tasks })
			o.answer = answer
			o.initialize(fullClient())
			o.setup.OnEngine(&c.task)
			if got, want := <-tasks.made, []string{"t1 resumed", "t1 cancelled"}[i]; got != want {
				t.Errorf("%q answered %s: %s", c.question, answer, got)
			}
			if got, want := asJSON(t, o.requested("window/showMessageRequest")), fmt.Sprintf(`{"actions":[{"title":%q},{"title":"Cancel"}],"message":%q,"type":3}`, c.answers[0], c.question); got != want {
				t.Errorf("asked %s, want %s", got, want)
			}
		}
	}
	r := &resulting{err: errors.New("The key is gone.")}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { r.Tasks = use.Tasks; use.Tasks = resultTasks{r} })
	o.answer = "Start"
	o.initialize(fullClient())
	o.setup.OnEngine(&task.Task{Record: state.Task{ID: "t1", State: task.Waiting, Messages: []state.Message{{Kind: "question", Text: "Agree?"}}}})
	o.until("window/showMessage", func(raw json.RawMessage) bool { return asJSON(t, raw) == `{"message":"The key is gone.","type":2}` })
}

// TestTaskNotes: a state that was not sent yet is replaced by a later one of its task, and
// one that the user has to see is sent itself.
func TestTaskNotes(t *testing.T) {
	var sent []string
	p := &peer{client: announced(client.Extensions{Tasks: true})}
	p.notifications = newNotificationQueue(func(method string, params any) {
		var n taskNote
		if err := json.Unmarshal(params.(jsonrpc2.RawMessage), &n); err != nil {
			t.Error(err)
		}
		sent = append(sent, method+" "+n.ID+" "+n.State)
	}, nil)
	s := &tasks{scope: &scope{peer: p}}
	for _, now := range []state.Task{{ID: "t1", State: task.Planning}, {ID: "t2", State: task.Running}, {ID: "t1", State: task.Planned}, {ID: "t1", State: task.Running},
		{ID: "t1", State: task.Waiting}, {ID: "t2", State: task.Running}, {ID: "t1", State: task.Running}, {ID: "t1", State: task.Done}} {
		s.taskChanged(task.Task{Record: now})
	}
	for len(p.notifications.queue) > 0 {
		p.notifications.sendOne(func() int { return 0 })
	}
	if want := []string{"tandem/task t2 running", "tandem/task t1 planned", "tandem/task t1 waiting", "tandem/task t1 done"}; !slices.Equal(sent, want) {
		t.Errorf("sent %q, want %q", sent, want)
	}
}

// A describing asker knows one symbol, and describes it unless it fails.
type describing struct {
	Asker
	wanted bool
	err    error
	asked  int
}

func (d *describing) Describes(string) bool { return d.wanted }
func (d *describing) Symbol(*workspace.Snapshot, core.Place) (ask.Symbol, bool) {
	return ask.Symbol{Name: "F", Language: "go", Signature: "func F()", Span: edits.Span{Start: 16, End: 17}}, true
}

func (d *describing) Describe(context.Context, *workspace.Snapshot, core.Place, ask.Symbol) (ask.Answer, error) {
	d.asked++
	return ask.Answer{Text: "It adds.", End: model.Ended(model.WhyWhole, "")}, d.err
}

// TestHoverOfASymbol: what the index knows, with a model's paragraph where the user wants one,
// which is asked for once.
func TestHoverOfASymbol(t *testing.T) {
	const signature = "```go\nfunc F()\n```\n\nUsed nowhere else\n\nNo test uses it"
	d := &describing{}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { d.Asker = use.Asker; use.Asker = d })
	o.initialize(fullClient())
	o.open("untitled:a.go", "go", "package a\n\nfunc F() {}\n")
	for _, c := range []struct {
		wanted bool
		err    error
		asked  int
		want   string
	}{
		{false, nil, 0, signature},
		{true, errors.New("no quota"), 1, signature},
		{true, nil, 2, signature + "\n\n---\n\nIt adds."},
		{true, nil, 2, signature + "\n\n---\n\nIt adds."},
	} {
		d.wanted, d.err = c.wanted, c.err
		raw, err := o.call("textDocument/hover", object{"textDocument": object{"uri": "untitled:a.go"}, "position": position{2, 5}})
		var got hoverResult
		if err != nil || json.Unmarshal(raw, &got) != nil || got.Contents != (markup{"markdown", c.want}) || *got.Range != (wireRange{position{2, 5}, position{2, 6}}) || d.asked != c.asked {
			t.Errorf("%+v: %s, %v, asked %d times", c, raw, err, d.asked)
		}
	}
}

// TestPlacesOfAnAnswer: a citation is its whole line, or the beginning of a line that is not
// there.
func TestPlacesOfAnAnswer(t *testing.T) {
	c := &consulted{answer: ask.Answer{Text: "yes", End: model.Ended(model.WhyWhole, ""), Shown: "the prompt"}}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { c.Asker = use.Asker; use.Asker = c })
	o.initialize(fullClient())
	o.open("untitled:a.go", "go", "package a\n\nfunc F() {}")
	for _, line := range []int{0, 1, 3, 4, 99} {
		c.answer.Citations = append(c.answer.Citations, ask.Citation{URI: "untitled:a.go", Line: line})
	}
	c.answer.Citations = append(c.answer.Citations, ask.Citation{URI: "untitled:closed.go", Line: 2})
	for n := range 2 {
		raw, err := o.call("tandem/ask", object{"question": "why?"})
		if err != nil {
			t.Fatal(err)
		}
		var got askResult
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
		var places []string
		for _, p := range got.Citations {
			places = append(places, fmt.Sprint(p.Range))
		}
		if want := []string{"{{0 0} {0 9}}", "{{0 0} {0 9}}", "{{2 0} {2 11}}", "{{3 0} {3 0}}", "{{98 0} {98 0}}", "{{1 0} {1 0}}"}; !slices.Equal(places, want) {
			t.Errorf("the places are %q, want %q", places, want)
		}
		if want := fmt.Sprintf("tandem:/shown-%d.txt", n+1); got.Window != want {
			t.Errorf("the window is %s, want %s", got.Window, want)
		}
	}
}

// TestStoppedServer: a server whose context ends is no failure.
func TestStoppedServer(t *testing.T) {
	ended, stop := context.WithCancel(t.Context())
	stop()
	in, out := io.Pipe()
	defer out.Close()
	if code := Run(ended, deps(t, &cassette{}), in, io.Discard); code != 0 {
		t.Errorf("exit code %d of a server that was stopped", code)
	}
}

// TestEditorWritesLate: an acceptance is answered once the change is on disk, also where the
// editor writes it after it has reported that it did.
func TestEditorWritesLate(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.go")
	if err := os.WriteFile(file, []byte("package a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := &diskResult{edit: core.DocumentEdit{URI: workspace.URIOf(file), Base: edits.NewText("package a\n"), Edits: []edits.Edit{{Span: edits.Span{Start: 8, End: 9}, New: "b"}}}}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { d.Editor = use.Editor; use.Editor = d })
	o.initialize(fullClient(), dir)
	o.settled()
	written := make(chan error, 1)
	o.onDisk = func(string) {
		go func() {
			time.Sleep(3 * writtenInterval) // earlier, the test passes for another reason
			written <- os.WriteFile(file, []byte("package b\n"), 0o600)
		}()
	}
	if _, err := o.call("tandem/resolve", object{"id": "p1", "action": "accept"}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); string(text) != "package b\n" {
		t.Errorf("answered while the file holds %q, %v", text, err)
	}
	if err := <-written; err != nil {
		t.Error(err)
	}
}

// TestFoldersAreOpenedOnce: a workspace is opened again without its folders only where one of
// them cannot be opened, and what fails without folders is an error.
func TestFoldersAreOpenedOnce(t *testing.T) {
	for _, c := range []struct {
		folders []string
		fails   bool
		want    [][]string
		err     bool
	}{
		{[]string{t.TempDir()}, false, [][]string{{"one"}}, false}, {nil, false, [][]string{nil}, false}, {nil, true, [][]string{nil}, true}, {[]string{t.TempDir()}, true, [][]string{{"one"}, nil}, true},
	} {
		d := deps(t, &cassette{})
		open := d.Open
		var opened [][]string
		d.Open = func(ctx context.Context, s Setup) (*workspace.Session, UseCases, error) {
			if opened = append(opened, nil); len(s.Folders) > 0 {
				opened[len(opened)-1] = []string{"one"}
			}
			if c.fails {
				return nil, UseCases{}, errors.New("it is broken")
			}
			return open(ctx, s)
		}
		s := newServer(d, io.NopCloser(strings.NewReader("")), io.Discard)
		err := s.features.lifecycle.openWorkspace(Setup{Folders: c.folders, Group: s.group})
		if (err != nil) != c.err || !reflect.DeepEqual(opened, c.want) {
			t.Errorf("%v, failing %v: opened %v, %v", c.folders, c.fails, opened, err)
		}
		s.group.Close()
		_ = s.wire.Close()
	}
}
