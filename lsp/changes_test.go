package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/ask"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/workspace"
)

// An accepting editor has one proposal, whose acceptance changes what a test says.
type accepting struct {
	Editor
	list  []core.DocumentEdit
	hunks []int
	wrote []string
}

func (a *accepting) Get(id string) (*edit.Proposal, error) {
	return &edit.Proposal{Proposal: edits.Proposal{ID: id}, State: edit.Ready}, nil
}

func (a *accepting) Accept(_ context.Context, _ *workspace.Snapshot, _ string, hunk int, _ bool) ([]core.DocumentEdit, error) {
	a.hunks = append(a.hunks, hunk)
	return a.list, nil
}

func (a *accepting) AcceptPart(context.Context, *workspace.Snapshot, string, edit.Part, bool) ([]core.DocumentEdit, []edits.Conflict, error) {
	return a.list, []edits.Conflict{{Path: "c.go", Line: 2, Message: "moved"}}, nil
}

func (a *accepting) Wrote(id string) { a.wrote = append(a.wrote, id) }

// TestChangesOnTheWire: the change of a file that is accepted, as the client gets it, and what
// is said where the client does not make it.
func TestChangesOnTheWire(t *testing.T) {
	a := &accepting{}
	begin := func(change func(object)) *observed {
		o := observe(t, deps(t, &cassette{}), func(use *UseCases) { a.Editor = use.Editor; use.Editor = a })
		capabilities := fullClient()
		change(capabilities["workspace"].(object))
		o.initialize(capabilities)
		o.open("untitled:a.go", "go", "one\n")
		o.onDisk = func(string) {}
		return o
	}
	edit := []edits.Edit{{Span: edits.Span{Start: 0, End: 3}, New: "two"}}
	const made = `[{"newText":"two","range":{"end":{"character":3,"line":0},"start":{"character":0,"line":0}}}]`
	base := edits.NewText("one\n")
	o := begin(func(object) {})
	for name, c := range map[string]struct {
		d    core.DocumentEdit
		want string
	}{
		"a file":     {core.DocumentEdit{URI: "file:///w/b.go", Base: base, Edits: edit}, `{"documentChanges":[{"edits":` + made + `,"textDocument":{"uri":"file:///w/b.go","version":null}}]}`},
		"a new one":  {core.DocumentEdit{URI: "file:///w/b.go", Base: base, Edits: edit, Create: true}, `{"documentChanges":[{"kind":"create","uri":"file:///w/b.go"},{"edits":` + made + `,"textDocument":{"uri":"file:///w/b.go","version":null}}]}`},
		"an old one": {core.DocumentEdit{URI: "file:///w/b.go", Base: base, Delete: true}, `{"documentChanges":[{"kind":"delete","uri":"file:///w/b.go"}]}`},
	} {
		a.list, a.wrote, a.hunks = []core.DocumentEdit{c.d}, nil, nil
		if _, err := o.command("tandem.accept", nil, "p1"); err != nil {
			t.Fatal(name, err)
		}
		if got := asJSON(t, o.requested("workspace/applyEdit")); got != `{"edit":`+c.want+`,"label":"tandem"}` {
			t.Errorf("%s: %s", name, got)
		}
		if !slices.Equal(a.wrote, []string{"p1"}) || !slices.Equal(a.hunks, []int{-1}) {
			t.Errorf("%s: written %q, hunks %v", name, a.wrote, a.hunks)
		}
	}
	from := "file:///w/b.sh" // which is no path where paths begin with a drive
	if path, ok := workspace.PathOf(from); ok {
		from = filepath.ToSlash(path)
	}
	moved := core.DocumentEdit{URI: "file:///w/n.sh", Edits: []edits.Edit{{New: "two\n"}}, Create: true, Form: edits.Form{From: from, Mode: edits.Executable}}
	gone := core.DocumentEdit{URI: "file:///w/b.sh", Base: base, Edits: []edits.Edit{{Span: edits.Span{End: 4}}}, Delete: true}
	a.list = []core.DocumentEdit{gone, moved}
	if _, err := o.command("tandem.accept", nil, "p1"); err != nil {
		t.Fatal(err)
	}
	if got, want := asJSON(t, o.requested("workspace/applyEdit")), `{"edit":{"documentChanges":[{"kind":"rename","newUri":"file:///w/n.sh","oldUri":"file:///w/b.sh"},{"edits":`+made+`,"textDocument":{"uri":"file:///w/n.sh","version":null}}]},"label":"tandem"}`; got != want {
		t.Errorf("a moved file: %s\nwant %s", got, want)
	}
	still := begin(func(w object) { w["workspaceEdit"].(object)["resourceOperations"] = []string{"create", "delete"} })
	if _, err := still.command("tandem.accept", nil, "p1"); err != nil {
		t.Errorf("a moved file where there is no renaming: %v", err)
	}
	still.until("window/showMessage", func(raw json.RawMessage) bool { return strings.Contains(string(raw), "n.sh is to be executable") })
	a.list, a.wrote, a.hunks = []core.DocumentEdit{{URI: "untitled:a.go", Version: 1, Base: base, Edits: edit}}, nil, nil
	if _, err := o.command("tandem.acceptHunk", nil, object{"id": "p1", "hunk": 0}); err != nil || o.text("untitled:a.go") != "two\n" || a.wrote != nil || !slices.Equal(a.hunks, []int{0}) {
		t.Errorf("one change: %v, %q, written %q, hunks %v", err, o.text("untitled:a.go"), a.wrote, a.hunks)
	}
	a.list = []core.DocumentEdit{{URI: "untitled:a.go", Version: 2, Base: edits.NewText("two\n"), Edits: []edits.Edit{{Span: edits.Span{Start: 0, End: 3}, New: "six"}}}}
	raw, err := o.call("tandem/resolve", object{"id": "p1", "action": "accept", "file": "a.go"})
	if err != nil || asJSON(t, raw) != `{"conflicts":[{"line":2,"message":"moved","path":"c.go"}],"files":1}` || o.text("untitled:a.go") != "six\n" || a.wrote != nil {
		t.Errorf("one file: %s, %v, %q, written %q", raw, err, o.text("untitled:a.go"), a.wrote)
	}
	if _, err := o.call("tandem/resolve", object{"id": "p1", "action": "acceptHunk"}); err == nil || !strings.Contains(err.Error(), "Say which change to accept") {
		t.Errorf("a change without its number: %v", err)
	}
	if _, err := o.call("tandem/resolve", object{"id": "p1", "action": "x"}); err == nil || !strings.Contains(err.Error(), `"x" is none of accept`) {
		t.Errorf("an unknown action: %v", err)
	}
	plain := begin(func(w object) { w["workspaceEdit"] = object{} })
	a.list = []core.DocumentEdit{{URI: "untitled:a.go", Version: 1, Base: base, Edits: edit}}
	if _, err := plain.command("tandem.acceptHunk", nil, object{"id": "p1", "hunk": 0}); err != nil || asJSON(t, plain.requested("workspace/applyEdit")) != `{"edit":{"changes":{"untitled:a.go":`+made+`}},"label":"tandem"}` {
		t.Errorf("without versions: %v", err)
	}
	without := begin(func(w object) { w["applyEdit"] = false })
	if _, err := without.command("tandem.accept", nil, "p1"); err == nil || !strings.Contains(err.Error(), "Nothing was changed: this editor applies no edits that a server sends; accept the change to untitled:a.go in the menu") {
		t.Errorf("a client that applies nothing: %v", err)
	}
	stale := begin(func(object) {})
	stale.change("untitled:a.go", wireRange{}, "x")
	a.list = []core.DocumentEdit{{URI: "untitled:a.go", Version: 1, Base: base, Edits: edit}}
	if _, err := stale.command("tandem.accept", nil, "p1"); err == nil || !strings.Contains(err.Error(), "the editor did not apply the change to untitled:a.go: stale; its text may have moved on") {
		t.Errorf("a stale change: %v", err)
	}
}

// A finding reviewer finds the same in every document.
type finding struct {
	Reviewer
	found    []ask.ReviewFinding
	requests []ask.ReviewRequest
	onSave   bool
}

func (f *finding) Reviews(string) bool { return f.onSave }

func (f *finding) Review(_ context.Context, _ *workspace.Snapshot, req ask.ReviewRequest) (ask.Reviewed, error) {
	f.requests = append(f.requests, req)
	return ask.Reviewed{Findings: f.found, End: model.Ended(model.WhyWhole, "")}, nil
}

// TestFindingsOnTheWire: what a review found as diagnostics of its document, how its progress
// ends, and that a closed document has none.
func TestFindingsOnTheWire(t *testing.T) {
	at := func(uri string, start, end int, code, fix string) ask.ReviewFinding {
		severity := map[bool]string{true: "error", false: "warning"}[code == ""]
		return ask.ReviewFinding{URI: uri, Span: edits.Span{Start: start, End: end}, Severity: severity, Code: code, Message: "wrong", Fix: fix}
	}
	f := &finding{found: []ask.ReviewFinding{at("untitled:a.go", 0, 3, "", ""), at("untitled:a.go", 4, 7, "review", "mend it"), at("untitled:a.go", 5, 99, "", ""), at("untitled:b.go", 0, 1, "", "")}}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { f.Reviewer = use.Reviewer; use.Reviewer = f })
	o.initialize(fullClient())
	o.open("untitled:a.go", "go", "one\ntwo\n")
	raw, err := o.command("tandem.review", "w", object{"uri": "untitled:a.go", "diff": "+x", "lane": "deep"})
	if err != nil || asJSON(t, raw) != `{"findings":4}` || o.ends("w") != "4 findings" {
		t.Errorf("%s, %v", raw, err)
	}
	if got := f.requests[0]; !slices.Equal(got.URIs, []string{"untitled:a.go"}) || got.Diff != "+x" || got.Lane != model.Deep {
		t.Errorf("reviewed %+v", got)
	}
	published := func(want string) {
		t.Helper()
		o.until("textDocument/publishDiagnostics", func(raw json.RawMessage) bool { return asJSON(t, raw) == want })
	}
	one := func(line int, more string) string {
		return fmt.Sprintf(`{%s"message":"wrong","range":{"end":{"character":3,"line":%d},"start":{"character":0,"line":%d}},"severity":%d,"source":"tandem"}`, more, line, line, map[bool]int{true: 1, false: 2}[more == ""])
	}
	published(`{"diagnostics":[` + one(0, "") + "," + one(1, `"code":"review","data":{"fix":"mend it"},`) + `],"uri":"untitled:a.go","version":1}`)
	o.notify("textDocument/didSave", object{"textDocument": object{"uri": "untitled:a.go"}})
	o.settled() // the user wants no review on save
	f.found, f.onSave = f.found[1:2], true
	o.notify("textDocument/didSave", object{"textDocument": object{"uri": "untitled:a.go"}})
	published(`{"diagnostics":[` + one(1, `"code":"review","data":{"fix":"mend it"},`) + `],"uri":"untitled:a.go","version":1}`)
	o.change("untitled:a.go", wireRange{position{1, 0}, position{1, 1}}, "x")
	published(`{"diagnostics":[],"uri":"untitled:a.go","version":2}`)
	if _, err := o.command("tandem.review", "again", object{"uri": "untitled:a.go"}); err != nil || o.ends("again") != "1 finding" {
		t.Error(err)
	}
	o.notify("textDocument/didClose", object{"textDocument": object{"uri": "untitled:a.go"}})
	published(`{"diagnostics":[],"uri":"untitled:a.go"}`)
	if len(f.requests) != 3 {
		t.Errorf("reviewed %d times", len(f.requests))
	}
}
