package lsp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tandem/edits"
	"tandem/lsp/inert"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/assist/next"
	"tandem/workspace"
)

// A predicting use case has one next edit, and records the requests.
type predicting struct {
	NextEdits
	next     *next.Offer
	requests []next.Request
}

func (p *predicting) NextEdit(_ context.Context, _ *workspace.Snapshot, req next.Request) (*next.Offer, string, error) {
	p.requests = append(p.requests, req)
	return p.next, "none", nil
}

// TestNextEditOnTheWire: a next edit as a client gets it, for the text that it was made for
// alone, and what is asked for it.
func TestNextEditOnTheWire(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "b.go")
	if err := os.WriteFile(other, []byte("package b\n\nvar B = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &predicting{}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { p.NextEdits = use.NextEdits; use.NextEdits = p })
	capabilities := fullClient()
	capabilities["experimental"] = object{"tandem": object{"jumps": true}}
	o.initialize(capabilities, dir)
	const text = "package a\n\nfunc F() {}\n"
	o.open("untitled:a.go", "go", text)
	o.settled()
	f, err := o.session.Snapshot().File(workspace.URIOf(other))
	if err != nil {
		t.Fatal(err)
	}
	edit := edits.Edit{Span: edits.Span{Start: 16, End: 17}, New: "G"}
	here := next.Offer{ID: "n1", URI: "untitled:a.go", Version: 1, Base: workspace.HashOf(text), Edit: edit, Line: 2}
	changed := func(change func(*next.Offer)) *next.Offer {
		next := here
		change(&next)
		return &next
	}
	const item = `{"edits":[{"command":{"arguments":["n1"],"command":"github.copilot.didAcceptCompletionItem","title":"Accept next edit in %s"}%s,"range":{"end":{"character":%d,"line":2},"start":{"character":%d,"line":2}},%s"text":"G","textDocument":{"uri":"%s","version":%d}}]}`
	for name, c := range map[string]struct {
		next *next.Offer
		want string
	}{
		"none":            {nil, `{"edits":[]}`},
		"here":            {&here, fmt.Sprintf(item, "untitled:a.go", "", 6, 5, "", "untitled:a.go", 1)},
		"a jump":          {changed(func(n *next.Offer) { n.Jump = "no F\u202e" }), fmt.Sprintf(item, "untitled:a.go", `,"jump":"`+inert.Text("no F\u202e")+`"`, 6, 5, "", "untitled:a.go", 1)},
		"another text":    {changed(func(n *next.Offer) { n.Base = workspace.HashOf("x") }), `{"edits":[]}`},
		"behind the text": {changed(func(n *next.Offer) { n.Edit.End = len(text) + 1 }), `{"edits":[]}`},
		"another file": {changed(func(n *next.Offer) { n.URI, n.Base, n.Version = f.URI(), f.Hash(), 0 }),
			fmt.Sprintf(item, "b.go", "", 6, 5, `"targetLine":2,`, f.URI(), 0)},
	} {
		p.next = c.next
		raw, err := o.call("textDocument/copilotInlineEdit", object{"textDocument": object{"uri": "untitled:a.go", "version": 1}, "position": position{2, 5}})
		if err != nil || asJSON(t, raw) != c.want {
			t.Errorf("%s: %s, %v; want %s", name, raw, err, c.want)
		}
	}
	p.next, p.requests = nil, nil
	for _, document := range []object{{"uri": "untitled:a.go"}, {"uri": "untitled:a.go", "version": 5}} {
		problem := object{"range": wireRange{position{2, 5}, position{2, 6}}, "severity": 1, "message": "no F"}
		if _, err := o.call("textDocument/copilotInlineEdit", object{"textDocument": document, "position": position{2, 5}, "diagnostics": []object{problem}}); err != nil {
			t.Fatal(err)
		}
	}
	place := core.Place{URI: "untitled:a.go", Offset: 16}
	if want := []next.Request{{Place: place, Version: 1, Jumps: true}, {Place: place, Version: 5, Jumps: true}}; !slices.Equal(p.requests, want) {
		t.Errorf("asked %+v", p.requests)
	}
	if got := messagesOf(o.session.Snapshot().Diagnostics("untitled:a.go")); !slices.Equal(got, []string{"no F"}) {
		t.Errorf("known problems: %q", got)
	}
}

// A reported completer and engine records the reports about suggestions.
type reported struct {
	Completer
	mu      sync.Mutex
	reports []string
	imports *core.DocumentEdit
	until   time.Time
}

func (r *reported) note(what, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reports = append(r.reports, what+" "+id)
}

func (r reportedEngine) Shown(id string) { r.note("shown", id) }

func (r *reported) PartlyAccepted(id string) { r.note("partly", id) }

// A reportedEngine is the engine's part of it.
type reportedEngine struct {
	Engine
	*reported
}

func (r reportedEngine) Rejected(id string) { r.note("rejected", id) }
func (r reportedEngine) Ignored(id string)  { r.note("ignored", id) }

func (r *reported) Snooze(until time.Time) { r.until = until }

func (r reportedEngine) Accepted(_ *workspace.Snapshot, id string) *core.DocumentEdit {
	r.note("accepted", id)
	return r.imports
}

// A collecting engine of next edits records where all remaining places are asked for.
type collecting struct {
	predicting
	asked chan string
}

func (s *collecting) NextEverywhere(_ context.Context, _ *workspace.Snapshot, p core.Place, least int) (*edit.Proposal, error) {
	s.asked <- fmt.Sprintf("%s:%d at least %d", p.URI, p.Offset, least)
	return nil, errors.New("none")
}

// TestReportsAboutSuggestions: which report each message and command is, of which suggestion,
// and what an acceptance brings with it.
func TestReportsAboutSuggestions(t *testing.T) {
	r, s := &reported{}, &collecting{asked: make(chan string, 1)}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) {
		r.Completer, s.NextEdits = use.Completer, use.NextEdits
		use.Completer, use.Engine, use.NextEdits = r, reportedEngine{use.Engine, r}, s
	})
	capabilities := fullClient()
	capabilities["experimental"] = object{"tandem": object{"proposals": true}}
	o.initialize(capabilities)
	o.open("untitled:a.go", "go", "package a\n")
	item := object{"item": object{"command": object{"arguments": []string{"s1"}}}, "acceptedLength": 3}
	for _, c := range []struct {
		method string
		params any
		want   string
	}{
		{"textDocument/didShowInlineEdit", item, "shown s1"},
		{"textDocument/didShowCompletion", item, "shown s1"},
		{"textDocument/didPartiallyAcceptCompletion", item, "partly s1"},
		{"notifyShown", object{"uuid": "s2"}, "shown s2"},
		{"notifyAccepted", object{"uuid": "s2"}, "accepted s2"},
		{"notifyRejected", object{"uuids": []string{"s2", "s3"}}, "rejected s2, rejected s3"},
		{"notifyNextEditRejected", object{"uuid": "n1"}, "rejected n1"},
		{"github.copilot.didAcceptCompletionItem", "s1", "accepted s1"},
		{"github.copilot.didAcceptNextEditSuggestionItem", "n1", "accepted n1"},
		{"github.copilot.didAcceptPanelCompletionItem", "s1", "accepted s1"},
		{"github.copilot.didRejectNextEditSuggestionItem", "n1", "rejected n1"},
		{"github.copilot.didIgnoreNextEditSuggestionItem", "n1", "ignored n1"},
		{"github.copilot.finishDeviceFlow", "s1", ""},
		{"tandem.reject", "s1", "rejected s1"},
	} {
		r.mu.Lock()
		r.reports = nil
		r.mu.Unlock()
		switch {
		case strings.HasPrefix(c.method, "notify"):
			if raw, err := o.call(c.method, c.params); err != nil || string(raw) != `"OK"` {
				t.Errorf("%s: %s, %v", c.method, raw, err)
			}
		case strings.HasPrefix(c.method, "textDocument"):
			o.notify(c.method, c.params)
		default:
			if raw, err := o.command(c.method, nil, c.params); err != nil || string(raw) != "null" {
				t.Errorf("%s: %s, %v", c.method, raw, err)
			}
		}
		o.settled()
		r.mu.Lock()
		if got := strings.Join(r.reports, ", "); got != c.want {
			t.Errorf("%s reports %q, want %q", c.method, got, c.want)
		}
		r.mu.Unlock()
	}
	for _, name := range []string{"github.copilot.didAcceptCompletionItem", "github.copilot.didRejectNextEditSuggestionItem", "tandem.reject", "tandem.accept", "tandem.acceptHunk", "tandem.steer", "tandem.cancel", "tandem.resume", "tandem.alternatives"} {
		if _, err := o.command(name, nil); err == nil || !strings.Contains(err.Error(), "needs the id of a suggestion or task") {
			t.Errorf("%s without an id: %v", name, err)
		}
	}
	if _, err := o.command("tandem.nextEditAll", nil, object{"uri": "untitled:a.go", "range": wireRange{position{0, 3}, position{0, 4}}}); err == nil || <-s.asked != "untitled:a.go:3 at least 1" {
		t.Errorf("all places: %v", err)
	}
	r.imports = &core.DocumentEdit{URI: "untitled:a.go", Version: 1, Base: edits.NewText("package a\n"), Edits: []edits.Edit{{Span: edits.Span{Start: 10, End: 10}, New: "import \"b\"\n"}}}
	if raw, err := o.command(acceptedItem, nil, "s1"); err != nil || string(raw) != "null" || o.text("untitled:a.go") != "package a\nimport \"b\"\n" {
		t.Errorf("with its import: %s, %v, %q", raw, err, o.text("untitled:a.go"))
	}
}
