package lsp

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"tandem/model"
)

const draftedText = "package a\r\n\r\nfunc one() int {\r\n\treturn 1\r\n}\r\n\r\nfunc two() int {\r\n\treturn 2\r\n}\r\n"

const draftedAnswer = "<<<<<<< SEARCH\n\treturn 1\n=======\n\tx := 10\n\treturn x\n>>>>>>> REPLACE\n\n<<<<<<< SEARCH\n\treturn 2\n=======\n\treturn 20\n>>>>>>> REPLACE\n"

// A drafting is a client that shows edits in its own documents.
type drafting struct {
	*editor
	models *cassette
}

func startDrafting(t *testing.T) *drafting {
	models := &cassette{answers: map[model.Purpose][]reply{model.Edit: {{text: draftedAnswer}}}}
	e := &drafting{start(t, deps(t, models)), models}
	client := fullClient()
	client["experimental"] = object{"tandem": object{"proposals": true}}
	e.initialize(client, t.TempDir())
	e.open("untitled:a.go", "go", draftedText)
	return e
}

func (e *drafting) edit(more object) string {
	e.t.Helper()
	params := object{"textDocument": object{"uri": "untitled:a.go"}, "instruction": "make it more", "draft": true, "partialResultToken": "p"}
	for k, v := range more {
		params[k] = v
	}
	raw, err := e.call("tandem/edit", params)
	if err != nil {
		e.t.Fatal(err)
	}
	var got struct{ ProposalID string }
	if err := json.Unmarshal(raw, &got); err != nil {
		e.t.Fatal(err)
	}
	return got.ProposalID
}

// state waits for a state of a proposal.
func (e *drafting) state(id, state string) proposalNote {
	e.t.Helper()
	var note proposalNote
	e.until("tandem/proposal", func(raw json.RawMessage) bool {
		note = proposalNote{}
		_ = json.Unmarshal(raw, &note)
		return note.ID == id && note.State == state
	})
	return note
}

func (e *drafting) applied(list []draftHunk) string {
	lines := strings.Split(draftedText, "\r\n")
	for _, h := range slices.Backward(list) {
		lines = slices.Replace(lines, h.Start, h.End, h.Lines...)
	}
	return strings.Join(lines, "\r\n")
}

// TestDraftStreams: the client gets the document's lines as they are written and no text
// of the edit format, and the last draft is what the proposal makes.
func TestDraftStreams(t *testing.T) {
	e := startDrafting(t)
	id := e.edit(nil)
	ready := e.state(id, "ready")
	want := strings.NewReplacer("return 1\r", "x := 10\r\n\treturn x\r", "return 2\r", "return 20\r").Replace(draftedText)
	if got := e.applied(ready.Draft.Hunks); got != want {
		t.Errorf("the proposal makes %q", got)
	}
	var last *draftNote
	e.mu.Lock()
	for _, m := range e.received {
		var p struct {
			Token string
			Value struct{ Proposal proposalNote }
		}
		if m.Method != "$/progress" || json.Unmarshal(m.Params, &p) != nil || p.Token != "p" {
			continue
		}
		if p.Value.Proposal.Append != nil {
			t.Errorf("the client got the edit format too: %s", m.Params)
		}
		last = p.Value.Proposal.Draft
	}
	e.mu.Unlock()
	if last == nil || last.Version != 1 || e.applied(last.Hunks) != want {
		t.Errorf("the last draft is %+v", last)
	}
}

// TestDraftIsTheClients: the proposal stays at the version that it was made for, whatever
// the client does to its document, and accepting it applies nothing there.
func TestDraftIsTheClients(t *testing.T) {
	for _, action := range []string{"accept", "reject"} {
		e := startDrafting(t)
		id := e.edit(nil)
		ready := e.state(id, "ready")
		e.change("untitled:a.go", wireRange{position{3, 0}, position{3, 9}}, "\tx := 10\r\n\treturn x")
		e.change("untitled:a.go", wireRange{position{8, 8}, position{8, 9}}, "777")
		text := e.text("untitled:a.go")
		if _, err := e.call("tandem/resolve", object{"id": id, "action": action}); err != nil {
			t.Fatal(err)
		}
		e.state(id, action+"ed")
		if e.text("untitled:a.go") != text || ready.Draft.Version != 1 {
			t.Errorf("%s changed the text of the client", action)
		}
	}
}

// TestDraftIsSteered: another request continues the answer of the first.
func TestDraftIsSteered(t *testing.T) {
	e := startDrafting(t)
	id := e.edit(nil)
	next := e.edit(object{"after": id, "steering": "make it much more"})
	if next == id {
		t.Error("the steered edit is the same proposal")
	}
	e.models.mu.Lock()
	defer e.models.mu.Unlock()
	var said []string
	for _, m := range e.models.requests[len(e.models.requests)-1].Input {
		said = append(said, m.Text.String())
	}
	all := strings.Join(said, "\n")
	if !strings.Contains(all, "x := 10") || !strings.Contains(all, "make it much more") {
		t.Errorf("the model was not shown what it is to continue: %q", said)
	}
}

// TestEstimate: the size and the lane of an edit, and nothing is sent.
func TestEstimate(t *testing.T) {
	e := startDrafting(t)
	raw, err := e.call("tandem/estimate", object{"textDocument": object{"uri": "untitled:a.go"}, "lane": "deep", "instruction": "x"})
	if err != nil {
		t.Fatal(err)
	}
	var got estimateResult
	if err := json.Unmarshal(raw, &got); err != nil || got.Lane != "deep" || got.Model != "scripted-deep" || got.Tokens < 100 {
		t.Errorf("estimate %s", raw)
	}
	if len(e.models.requests) != 0 {
		t.Error("an estimate asked the model")
	}
}

// TestDraftKinds: every kind of edit is written into the client's document, and the model
// is asked what the kind asks.
func TestDraftKinds(t *testing.T) {
	at := wireRange{position{3, 8}, position{3, 9}}
	for _, c := range []struct {
		kind string
		more object
		want []string
	}{
		{"fix", object{"instruction": "", "range": at, "diagnostics": []object{{"range": at, "severity": 1, "message": "it should be ten"}}}, []string{"Fix: it should be ten", "untitled:a.go:4: error: it should be ten"}},
		{"document", object{"instruction": ""}, []string{"Document this code."}},
		{"test", object{"instruction": "with a table"}, []string{"Write a test for this code. with a table"}},
		{"debug", object{"instruction": "panic: it is not ten"}, []string{"panic: it is not ten"}},
		{"edit", object{}, []string{"make it more"}},
	} {
		e := startDrafting(t)
		c.more["kind"] = c.kind
		ready := e.state(e.edit(c.more), "ready")
		if ready.Draft == nil || len(ready.Draft.Hunks) != 2 {
			t.Errorf("%s: the draft is %+v", c.kind, ready.Draft)
		}
		e.models.mu.Lock()
		var said strings.Builder
		for _, m := range e.models.requests[0].Input {
			said.WriteString(m.Text.String())
		}
		e.models.mu.Unlock()
		for _, w := range c.want {
			if !strings.Contains(said.String(), w) {
				t.Errorf("%s: the model was not asked %q", c.kind, w)
			}
		}
	}
}

// TestDraftKindsThatAreRefused: what cannot be asked is refused before a model is.
func TestDraftKindsThatAreRefused(t *testing.T) {
	e := startDrafting(t)
	for kind, want := range map[string]string{"guess": "none of edit, fix", "fix": "No problem is known", "edit": "Say what to change", "debug": "stack trace"} {
		_, err := e.call("tandem/edit", object{"textDocument": object{"uri": "untitled:a.go"}, "kind": kind, "draft": true})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", kind, err)
		}
	}
	if len(e.models.requests) != 0 {
		t.Error("a model was asked")
	}
}
