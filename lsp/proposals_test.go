package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"

	"tandem/edits"
	"tandem/lsp/client"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/workspace"
)

// pending is a proposal for two documents: two changes in the first, one in the second.
func pending() *edit.Proposal {
	const text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"
	return &edit.Proposal{
		Proposal: edits.Proposal{ID: "p1", Title: "count", Files: []edits.ProposedFile{
			{Path: "a.go", Version: 3, Base: edits.NewText(text), Edits: []edits.Edit{{Span: edits.Span{Start: 0, End: 3}, New: "1"}, {Span: edits.Span{Start: 28, End: 33}, New: "7"}}},
			{Path: "b.go", Version: 4, Base: edits.NewText(text), Edits: []edits.Edit{{Span: edits.Span{Start: 4, End: 7}, New: "2"}}},
		}},
		Documents: []string{"untitled:a.go", "untitled:b.go"}, State: edit.Ready,
	}
}

// TestLenses: a proposal has its lenses at its first change in the document, and one at each
// change where there are several; changes are counted through all of its files.
func TestLenses(t *testing.T) {
	f := &fixing{live: []*edit.Proposal{pending()}}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { f.Editor = use.Editor; use.Editor = f })
	o.initialize(fullClient())
	for uri, version := range map[string]int{"untitled:a.go": 3, "untitled:b.go": 4, "untitled:c.go": 1} {
		o.notify("textDocument/didOpen", object{"textDocument": object{"uri": uri, "languageId": "go", "version": version, "text": "one\n"}})
	}
	o.settled()
	lens := func(line int, title, command, arguments string) string {
		return fmt.Sprintf(`{"command":{"arguments":[%s],"command":"tandem.%s","title":%q},"range":{"end":{"character":0,"line":%d},"start":{"character":0,"line":%d}}}`, arguments, command, title, line, line)
	}
	const id = `{"id":"p1"}`
	swapped := pending()
	slices.Reverse(swapped.Files)
	slices.Reverse(swapped.Documents)
	for _, c := range []struct {
		uri  string
		p    *edit.Proposal
		want []string
	}{
		{"untitled:a.go", pending(), []string{lens(0, "Accept: count", "accept", id), lens(0, "Reject", "reject", id), lens(0, "Accept this change (1 of 2)", "acceptHunk", `{"hunk":0,"id":"p1"}`), lens(6, "Accept this change (2 of 2)", "acceptHunk", `{"hunk":1,"id":"p1"}`)}},
		{"untitled:b.go", pending(), []string{lens(1, "Accept: count", "accept", id), lens(1, "Reject", "reject", id)}},
		{"untitled:a.go", swapped, []string{lens(0, "Accept: count", "accept", id), lens(0, "Reject", "reject", id), lens(0, "Accept this change (1 of 2)", "acceptHunk", `{"hunk":1,"id":"p1"}`), lens(6, "Accept this change (2 of 2)", "acceptHunk", `{"hunk":2,"id":"p1"}`)}},
		{"untitled:c.go", pending(), nil},
		{"untitled:closed.go", pending(), nil},
	} {
		f.live = []*edit.Proposal{c.p}
		raw, err := o.call("textDocument/codeLens", object{"textDocument": object{"uri": c.uri}})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := asJSON(t, json.RawMessage(raw)), "["+strings.Join(c.want, ",")+"]"; got != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.uri, got, want)
		}
	}
	if got := lineRange(-1); got.Start.Line != 0 {
		t.Errorf("a lens is on line %d", got.Start.Line)
	}
}

// TestProposalsOnTheWire: what tandem/proposal is in each state, member by member.
func TestProposalsOnTheWire(t *testing.T) {
	s := &proposals{scope: &scope{peer: &peer{}}}
	const first = `{"edits":[{"newText":"1","range":{"end":{"character":3,"line":0},"start":{"character":0,"line":0}}},{"newText":"7","range":{"end":{"character":5,"line":6},"start":{"character":0,"line":6}}}]`
	const second = `{"edits":[{"newText":"2","range":{"end":{"character":3,"line":1},"start":{"character":0,"line":1}}}]`
	waits := pending()
	waits.State = edit.Checking
	failed := pending()
	failed.State, failed.Err = edit.Failed, errors.New("it broke")
	full := pending()
	full.From = edits.Provenance{Lane: "fast", Model: "m", ServedModel: "s", Reason: "small", OutputTokens: 7, TokensPerSecond: 2.5, FirstTokenMs: 3.5, CostUSD: 0.25}
	full.Alternatives = []string{"p2"}
	changes, err := full.Changes()
	if err != nil {
		t.Fatal(err)
	}
	full.Verdict = edits.Judge(changes, edits.Check{Kind: edits.CheckSyntax}, edits.Check{Kind: edits.CheckNames, Findings: []edits.Finding{{Message: "no f", Name: "f", Severity: "error"}}})
	ofTask := pending()
	ofTask.Task.ID, ofTask.Task.Review = "t1", "fine"
	ofTask.Files[1].Edits = nil
	ofTask.Task.Parts = []edit.TaskPart{{Step: 1, Title: "one", Lane: "fast", Files: []string{"a.go"}}, {Step: 2, Title: "two", Lane: "deep", Files: []string{"a.go", "b.go"}}}
	ofTask.Task.Conflicts = []edits.Conflict{{Path: "c.go", Line: 3, Message: "it has changed"}}
	for _, c := range []struct {
		name string
		p    *edit.Proposal
		want string
	}{
		{"checking", waits, `{"costUSD":0,"id":"p1","state":"checking","title":"count"}`},
		{"failed", failed, `{"costUSD":0,"error":"it broke","id":"p1","state":"failed","title":"count"}`},
		{"ready", full, `{"alternatives":["p2"],"checks":[{"kind":"syntax","message":"","names":[],"ok":true},{"kind":"names","message":"no f","names":["f"],"ok":false}],"costUSD":0.25,"documents":[` +
			first + `,"uri":"untitled:a.go","version":3},` + second + `,"uri":"untitled:b.go","version":4}],"firstTokenMs":3.5,"id":"p1","lane":"fast","model":"s","reason":"small","state":"ready","title":"count","tokens":7,"tokensPerSecond":2.5,"verdict":{"reason":"no f","state":"failed"}}`},
		{"of a task", ofTask, `{"conflicts":[{"line":3,"message":"it has changed","path":"c.go"}],"costUSD":0,"documents":[` + first + `,"path":"a.go","steps":[1,2],"uri":"untitled:a.go","version":3}],"id":"p1","review":"fine","state":"ready",` +
			`"steps":[{"files":["a.go"],"lane":"fast","step":1,"title":"one"},{"files":["a.go","b.go"],"lane":"deep","step":2,"title":"two"}],"taskId":"t1","title":"count","verdict":{"reason":"the texts are not those that were checked","state":"not_judged"}}`},
	} {
		if got := asJSON(t, s.noteOf(c.p)); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	if got := unified(full); !strings.Contains(got, "-one\n+1\n") || !strings.Contains(got, "-two\n+2\n") || strings.Count(got, "--- ") != 2 {
		t.Errorf("as a diff it is\n%s", got)
	}
	gone := pending()
	gone.Files = []edits.ProposedFile{{Path: "a.go", Base: edits.NewText("one\n"), Delete: true}}
	if got := unified(gone); !strings.Contains(got, "-one\n") || strings.Contains(got, "+one") {
		t.Errorf("a deletion as a diff is\n%s", got)
	}
	edited := func(names ...string) (out []core.DocumentEdit) {
		for _, n := range names {
			out = append(out, core.DocumentEdit{URI: "file:///w/" + n})
		}
		return out
	}
	for want, list := range map[string][]core.DocumentEdit{"a.go was": edited("a.go"), "a.go and b.go were": edited("a.go", "b.go"), "a.go and b.go and c.go were": edited("a.go", "b.go", "c.go"), "a.go and b.go and c.go and 1 more were": edited("a.go", "b.go", "c.go", "d.go")} {
		if got := were(list); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestStatesOfAProposal: a state that was not sent yet is replaced by a later one, and a
// state that ends a proposal is sent for each.
func TestStatesOfAProposal(t *testing.T) {
	var sent []string
	p := &peer{client: announced(client.Extensions{Proposals: true})}
	p.notifications = newNotificationQueue(func(_ string, params any) {
		var note proposalNote
		if err := json.Unmarshal(params.(jsonrpc2.RawMessage), &note); err != nil {
			t.Error(err)
		}
		sent = append(sent, note.ID+" "+note.State)
	}, nil)
	s := &proposals{scope: &scope{peer: p}}
	for _, now := range []struct {
		id    string
		state edit.State
	}{{"p1", edit.Streaming}, {"p2", edit.Streaming}, {"p1", edit.Checking}, {"p1", edit.Ready}, {"p2", edit.Checking}, {"p1", edit.Ready}} {
		s.proposalChanged(&edit.Proposal{Proposal: edits.Proposal{ID: now.id}, State: now.state})
	}
	for len(p.notifications.queue) > 0 {
		p.notifications.sendOne(func() int { return 0 })
	}
	if want := []string{"p2 checking", "p1 ready", "p1 ready"}; !slices.Equal(sent, want) {
		t.Errorf("sent %q, want %q", sent, want)
	}
}

// TestLensesAreAskedForAgain: a client that can is asked to ask for the lenses again once a
// proposal has ended.
func TestLensesAreAskedForAgain(t *testing.T) {
	o := observe(t, deps(t, &cassette{}), nil)
	o.initialize(fullClient())
	asked := func() bool {
		o.settled()
		o.mu.Lock()
		defer o.mu.Unlock()
		return slices.ContainsFunc(o.asked, func(m message) bool { return m.Method == "workspace/codeLens/refresh" })
	}
	o.setup.OnEngine(&edit.Proposal{Proposal: edits.Proposal{ID: "p1"}, State: edit.Checking})
	if asked() {
		t.Error("asked for a proposal that has not ended")
	}
	o.setup.OnEngine(&edit.Proposal{Proposal: edits.Proposal{ID: "p1"}, State: edit.Rejected})
	for range 10000 { // each is an exchange of messages
		if asked() {
			return
		}
	}
	t.Error("the client was not asked")
}

// A parting editor has proposals, of which a part may be accepted, and makes an edit.
type parting struct {
	Editor
	known map[string]*edit.Proposal
	parts []edit.Part
}

func (p *parting) Get(id string) (*edit.Proposal, error) {
	if found, ok := p.known[id]; ok {
		return found, nil
	}
	return nil, errors.New("there is none")
}

func (p *parting) AcceptPart(_ context.Context, _ *workspace.Snapshot, _ string, part edit.Part, _ bool) ([]core.DocumentEdit, []edits.Conflict, error) {
	p.parts = append(p.parts, part)
	return nil, nil, nil
}

func (p *parting) Wrote(string) {}

func (p *parting) Edit(context.Context, *workspace.Snapshot, edit.Request) (*edit.Proposal, error) {
	return p.known["p1"], nil
}

// TestPartsOfATask: the first change of a task's result is a part like any other, and all of
// it is no part.
func TestPartsOfATask(t *testing.T) {
	ofTask := pending()
	ofTask.Task.ID = "t1"
	p := &parting{known: map[string]*edit.Proposal{"p1": ofTask}}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { p.Editor = use.Editor; use.Editor = p })
	o.initialize(fullClient())
	for _, c := range []struct {
		command string
		more    object
		want    string
	}{
		{"tandem.acceptHunk", object{"hunk": 0}, "hunk 0"}, {"tandem.acceptHunk", object{"hunk": 2}, "hunk 2"}, {"tandem.accept", object{}, "all"}, {"", object{"action": "accept"}, "all"},
		{"", object{"action": "acceptHunk", "hunk": 0}, "hunk 0"}, {"", object{"action": "accept", "step": 2, "file": "a.go"}, "step 2 of a.go"},
	} {
		p.parts = nil
		c.more["id"] = "p1"
		method, params := "tandem/resolve", c.more
		if c.command != "" {
			method, params = "workspace/executeCommand", object{"command": c.command, "arguments": []object{c.more}}
		}
		if _, err := o.call(method, params); err != nil || len(p.parts) != 1 {
			t.Fatalf("%s %v: %v, %d parts", method, params, err, len(p.parts))
		}
		got := "all"
		switch part := p.parts[0]; {
		case part.Hunk != nil:
			got = fmt.Sprint("hunk ", *part.Hunk)
		case part.Step > 0 || part.File != "":
			got = fmt.Sprintf("step %d of %s", part.Step, part.File)
		}
		if got != c.want {
			t.Errorf("%s %v accepts %s, want %s", method, params, got, c.want)
		}
	}
}

// TestAlternativesAreShown: the candidates of an edit as one diff to a client without a view
// of proposals, and their ids to every client.
func TestAlternativesAreShown(t *testing.T) {
	first, second := pending(), pending()
	first.Alternatives, second.ID, second.Title = []string{"p2", "gone"}, "p2", "sum"
	for _, own := range []bool{false, true} {
		p := &parting{known: map[string]*edit.Proposal{"p1": first, "p2": second}}
		o := observe(t, deps(t, &cassette{}), func(use *UseCases) { p.Editor = use.Editor; use.Editor = p })
		capabilities := fullClient()
		capabilities["experimental"] = object{"tandem": object{"proposals": own}}
		o.initialize(capabilities)
		raw, err := o.call("workspace/executeCommand", object{"command": "tandem.alternatives", "arguments": []object{{"id": "p1"}}})
		if err != nil || asJSON(t, raw) != `{"ids":["p1","p2","gone"]}` {
			t.Errorf("%s, %v", raw, err)
		}
		o.mu.Lock()
		text, shown := o.contentOf["tandem:/p1-alternatives.diff"]
		o.mu.Unlock()
		if shown == own || shown && (!strings.HasPrefix(text, "# 1 of 3: count, accept with tandem.accept p1\n\n--- ") || !strings.Contains(text, "\n# 2 of 3: sum, accept with tandem.accept p2\n") || strings.Contains(text, "3 of 3")) {
			t.Errorf("a client with a view of proposals (%v) is shown %q", own, text)
		}
		if _, err := o.call("tandem/edit", object{"textDocument": object{"uri": "untitled:a.go"}, "instruction": "count"}); err == nil {
			t.Error("a document that is not open is edited")
		}
		o.open("untitled:a.go", "go", "package a\n")
		raw, err = o.call("tandem/edit", object{"textDocument": object{"uri": "untitled:a.go"}, "instruction": "count", "workDoneToken": "w"})
		if err != nil || asJSON(t, raw) != `{"proposalId":"p1"}` {
			t.Errorf("%s, %v", raw, err)
		}
		o.until("$/progress", func(raw json.RawMessage) bool {
			return asJSON(t, raw) == `{"token":"w","value":{"kind":"end","message":"ready"}}`
		})
	}
}
