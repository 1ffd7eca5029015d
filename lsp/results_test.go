package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/ask"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/assist/next"
	"tandem/workspace"
	"tandem/workspace/cut"
)

// A recorder records the edits that are asked for, and whether their folder was indexed. It
// makes none.
type recorder struct {
	Editor
	requests []edit.Request
	ready    []bool
}

func (r *recorder) Edit(_ context.Context, snap *workspace.Snapshot, req edit.Request) (*edit.Proposal, error) {
	r.requests = append(r.requests, req)
	r.ready = append(r.ready, snap.View(req.URI) != nil && snap.View(req.URI).Ready())
	return nil, errors.New("recorded")
}

// TestEditCommandOptions: an edit is made by the lane that the client names, with at most
// four more candidates.
func TestEditCommandOptions(t *testing.T) {
	r := &recorder{}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { r.Editor = use.Editor; use.Editor = r })
	o.initialize(fullClient(), t.TempDir())
	o.open("untitled:a.go", "go", "package a\n")
	for asked, want := range map[int]int{-1: 0, 0: 0, 3: 3, 4: 4, 5: 4, 1000: 4} {
		r.requests = nil
		_, err := o.call("workspace/executeCommand", object{"command": "tandem.edit", "arguments": []object{{"uri": "untitled:a.go", "instruction": "x", "lane": "deep", "alternatives": asked}}})
		if err == nil || !strings.Contains(strings.ToLower(err.Error()), "recorded") || len(r.requests) != 1 {
			t.Fatalf("%d requests, %v", len(r.requests), err)
		}
		if got := r.requests[0]; got.Lane != model.Deep || got.Alternatives != want {
			t.Errorf("asked for %d more: lane %q, %d more, want %d", asked, got.Lane, got.Alternatives, want)
		}
	}
}

// A readiness records whether the folder was indexed when a next edit was asked for.
type readiness struct {
	NextEdits
	ready []bool
}

func (r *readiness) NextEdit(_ context.Context, snap *workspace.Snapshot, req next.Request) (*next.Offer, string, error) {
	r.ready = append(r.ready, snap.View(req.URI).Ready())
	return nil, "recorded", nil
}

// TestNextEditWaitsForTheIndex: who uses what was changed is not known while a folder is
// being indexed, so a next edit is made from a snapshot that has the index.
func TestNextEditWaitsForTheIndex(t *testing.T) {
	dir := manyFiles(t)
	r := &readiness{}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { r.NextEdits = use.NextEdits; use.NextEdits = r })
	o.initialize(fullClient(), dir)
	uri := workspace.URIOf(filepath.Join(dir, "f0.go"))
	o.open(uri, "go", "package a\n\nfunc G() int { return 0 }\n")
	if _, err := o.call("textDocument/copilotInlineEdit", object{"textDocument": object{"uri": uri, "version": 1}, "position": position{2, 6}}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.ready, []bool{true}) {
		t.Errorf("the folder was indexed: %v", r.ready)
	}
}

// manyFiles is a folder that takes some time to be indexed.
func manyFiles(t *testing.T) string {
	t.Helper()
	dir, files := t.TempDir(), 1500
	if testing.Short() {
		files = 150 // within the wait of a request, also where files are slow
	}
	for i := range files {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.go", i)), fmt.Appendf(nil, "package a\n\nfunc F%d() int { return %d }\n", i, i), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestEditsWaitForTheIndex: an edit that is asked for right after the start is made from a
// snapshot that has the index, since without it the model is not shown what it must change.
func TestEditsWaitForTheIndex(t *testing.T) {
	for _, kind := range []model.Kind{model.KindEdit, model.KindFix, model.KindDocument, model.KindTest} {
		dir := manyFiles(t)
		r := &recorder{}
		o := observe(t, deps(t, &cassette{}), func(use *UseCases) { r.Editor = use.Editor; use.Editor = r })
		o.initialize(fullClient(), dir)
		uri := workspace.URIOf(filepath.Join(dir, "f0.go"))
		o.open(uri, "go", "package a\n\nfunc G() int { return 0 }\n")
		at := object{"start": position{2, 6}, "end": position{2, 6}}
		params := object{"textDocument": object{"uri": uri, "version": 1}, "range": at, "kind": kind, "instruction": "x",
			"diagnostics": []object{{"range": at, "severity": 1, "message": "m"}}}
		if _, err := o.call("tandem/edit", params); err == nil || !slices.Equal(r.ready, []bool{true}) {
			t.Errorf("%s: the folder was indexed: %v, %v", kind, r.ready, err)
		}
	}
}

// A diskResult is a task's proposal that changes one file, however often it is accepted.
type diskResult struct {
	Editor
	edit core.DocumentEdit
}

func (d *diskResult) Get(id string) (*edit.Proposal, error) {
	return &edit.Proposal{Proposal: edits.Proposal{ID: id}, Task: edit.TaskResult{ID: "t1"}, State: edit.Ready}, nil
}

func (d *diskResult) AcceptPart(context.Context, *workspace.Snapshot, string, edit.Part, bool) ([]core.DocumentEdit, []edits.Conflict, error) {
	return []core.DocumentEdit{d.edit}, nil, nil
}

func (d *diskResult) Wrote(string) {}

// TestChangeOnDiskIsRead: a change that the editor writes to a file that is not open is in
// the snapshot when the acceptance is answered, also where nothing reports changed files.
func TestChangeOnDiskIsRead(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.go")
	if err := os.WriteFile(file, []byte("package a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	uri := workspace.URIOf(file)
	d := &diskResult{edit: core.DocumentEdit{URI: uri, Base: edits.NewText("package a\n"), Edits: []edits.Edit{{Span: edits.Span{Start: 8, End: 9}, New: "b"}}}}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { d.Editor = use.Editor; use.Editor = d })
	o.initialize(fullClient(), dir)
	o.settled()
	if f, err := o.session.Snapshot().File(uri); err != nil || f.Raw().String() != "package a\n" {
		t.Fatal(err)
	}
	o.onDisk = func(string) { _ = os.WriteFile(file, []byte("package b\n"), 0o600) }
	raw, err := o.call("tandem/resolve", object{"id": "p1", "action": "accept"})
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Files int }
	if err := json.Unmarshal(raw, &got); err != nil || got.Files != 1 {
		t.Errorf("%s %v", raw, err)
	}
	if f, err := o.session.Snapshot().File(uri); err != nil || f.Raw().String() != "package b\n" {
		t.Errorf("after the answer the snapshot has %q, %v", f.Raw().String(), err)
	}
}

// TestTracePlace: a debug session begins at the first line of a trace that lies in an open
// document, however the trace writes it.
func TestTracePlace(t *testing.T) {
	o := observe(t, deps(t, &cassette{}), nil)
	o.initialize(fullClient(), t.TempDir())
	o.open("untitled:/p/a.py", "python", strings.Repeat("x\n", 40))
	o.open("untitled:/p/b.ts", "typescript", strings.Repeat("y\n", 40))
	o.settled()
	for trace, want := range map[string]string{
		"  File \"/p/a.py\", line 12, in f\n": "a.py 11",
		"a.py:3:14: error":                    "a.py 2",
		"at f (/p/b.ts:7:1)":                  "b.ts 6",
		"b.ts(9,5): error":                    "b.ts 8",
		"a.py:38":                             "a.py 37",
		"a.py:9999":                           "a.py 40",
		"a.py:99999999999999999999":           "a.py 40",
		"b.ts:2 was called by a.py:5":         "b.ts 1",
		"a.py failed; a.py:5":                 "a.py 4",
		"a.py:x, b.ts: 5, c.go:5":             "",
		"a.py, line ?":                        "",
		"":                                    "",
	} {
		got := ""
		if uri, line := tracePlace(o.session.Snapshot(), trace); uri != "" {
			got = fmt.Sprint(strings.TrimPrefix(uri, "untitled:/p/"), " ", line)
		}
		if got != want {
			t.Errorf("%q leads to %q, want %q", trace, got, want)
		}
	}
}

// TestStatusText: what is known of a lane is on its line, and what is not is left out.
func TestStatusText(t *testing.T) {
	whole := model.LaneStatus{Lane: model.Fast, Provider: "p", Model: "m", Asked: "m", Served: "other", State: model.LaneReady, UsedPercent: 80.4, DayUSD: 1.5, Reason: "tired"}
	whole.Totals.Input, whole.Totals.Cached = 1000, 250
	st := Status{}
	st.Lanes = []model.LaneStatus{whole, {Lane: model.Deep, Model: "d", State: model.LaneReady}, {Lane: model.Fast, For: model.NextEdit, State: model.LaneBuiltIn}}
	st.SpentUSD, st.Files = 0.25, 1
	want := "fast: other at p, ready (asked for m), 80 % of the quota used, 25 % of the prompts from its cache, about $1.50 for a normal day: tired\n" +
		"deep: d, ready\n" +
		"next_edit: the built-in engine\n" +
		"index: 1 file\n" +
		"today: $0.25"
	if got := st.String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestSymbolText: a hover has a section for what is known, and none for what is not.
func TestSymbolText(t *testing.T) {
	if got := symbolText(ask.Symbol{Name: "f"}, "", new(workspace.Snapshot).Absent); got != "Used nowhere else\n\nNo test uses it" {
		t.Errorf("of nothing: %q", got)
	}
	part := func(string, ...cut.Cut) string { return "31,000 of 78,000 files are read" }
	if got := symbolText(ask.Symbol{Name: "f"}, "", part); got != part("") {
		t.Errorf("of nothing, while the workspace is read: %q", got)
	}
	got := symbolText(ask.Symbol{Name: "f", Language: "go", Signature: "func f()", Where: "example.com/m@v1`2", Defined: []ask.Citation{{Path: "a.go"}}, Used: ask.Uses{Places: 2, Files: 1, First: []ask.Citation{{Path: "b.go"}}}}, "", new(workspace.Snapshot).Absent)
	for _, part := range []string{"```go\nfunc f()\n```", "Defined in ", "From `example.com/m@v1'2`", "Used in 2 places: "} {
		if !strings.Contains(got, part) {
			t.Errorf("%q lacks %q", got, part)
		}
	}
}

// TestCheckNote: what a check could not judge is named beside what it found, and is absent
// where it judged everything.
func TestCheckNote(t *testing.T) {
	c := edits.Check{Findings: []edits.Finding{{Message: "there is no f.", Name: "f"}, {Message: "it does not parse."}}}
	if got := checkNote(c); got.Message != "there is no f. it does not parse." || !slices.Equal(got.Names, []string{"f"}) {
		t.Errorf("%+v", got)
	}
	c.Unknown = []string{"g", "h"}
	if got := checkNote(c); !strings.HasSuffix(got.Message, " not judged: g, h") {
		t.Errorf("%+v", got)
	}
}

// TestLongTextAsMessage: a client that can show no document gets a text as a message, cut
// at the end of a line where it is long.
func TestLongTextAsMessage(t *testing.T) {
	line := strings.Repeat("é", 50) + "\n"
	for text, want := range map[string]string{
		"short\n":                        "short\n",
		strings.Repeat(line, 100):        strings.TrimSuffix(strings.Repeat(line, maxMessage/len(line)), "\n") + "\n…",
		"\n" + strings.Repeat("y", 5000): "\n" + strings.Repeat("y", maxMessage-1) + "\n…",
		"x" + strings.Repeat("é", 4000):  "x" + strings.Repeat("é", (maxMessage-1)/2) + "\n…",
	} {
		if got := clipText(text); got != want {
			t.Errorf("%d bytes became %d, want %d", len(text), len(got), len(want))
		}
	}
}

// A reviewing records what is reviewed.
type reviewing struct {
	Reviewer
	uris []string
}

func (r *reviewing) Review(_ context.Context, _ *workspace.Snapshot, req ask.ReviewRequest) (ask.Reviewed, error) {
	r.uris = req.URIs
	return ask.Reviewed{End: model.Ended(model.WhyWhole, "")}, nil
}

// TestReviewWithoutADocument: the command reviews the named document, else every open one
// of the workspace and no other.
func TestReviewWithoutADocument(t *testing.T) {
	r := &reviewing{}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { use.Reviewer = r })
	dir := t.TempDir()
	o.initialize(fullClient(), dir)
	command := object{"command": "tandem.review"}
	o.open("untitled:b.go", "go", "package b\n")
	if _, err := o.call("workspace/executeCommand", command); err == nil || r.uris != nil {
		t.Errorf("with nothing open: %q, %v", r.uris, err)
	}
	uri := workspace.URIOf(filepath.Join(dir, "a.go"))
	o.open(uri, "go", "package a\n")
	if _, err := o.call("workspace/executeCommand", command); err != nil || !slices.Equal(r.uris, []string{uri}) {
		t.Errorf("reviewed %q, %v", r.uris, err)
	}
	command["arguments"] = []object{{"uri": "untitled:b.go"}}
	if _, err := o.call("workspace/executeCommand", command); err != nil || !slices.Equal(r.uris, []string{"untitled:b.go"}) {
		t.Errorf("reviewed %q, %v", r.uris, err)
	}
}

// TestFolderThatCannotBeAdded: a message names a folder that cannot be opened, and the
// others of the message are.
func TestFolderThatCannotBeAdded(t *testing.T) {
	o := observe(t, deps(t, &cassette{}), nil)
	o.initialize(fullClient(), t.TempDir())
	more := t.TempDir()
	o.notify("workspace/didChangeWorkspaceFolders", object{"event": object{"added": []object{
		{"uri": workspace.URIOf(filepath.Join(more, "lost")), "name": "l"}, {"uri": workspace.URIOf(more), "name": "m"}}, "removed": []object{}}})
	o.until("window/showMessage", func(raw json.RawMessage) bool { return strings.Contains(string(raw), "lost") })
	o.settled()
	if n := len(o.session.Snapshot().Views()); n != 2 {
		t.Errorf("%d folders are open", n)
	}
}

// TestSkippedDocumentIsNamed: where the editor reports a change as made and has made it in
// one of two documents, the error names the other alone.
func TestSkippedDocumentIsNamed(t *testing.T) {
	dir := t.TempDir()
	answer := "a.go\n<<<<<<< SEARCH\npackage p\n=======\npackage q\n>>>>>>> REPLACE\n\nb.go\n<<<<<<< SEARCH\npackage p\n=======\npackage q\n>>>>>>> REPLACE\n"
	e := observe(t, deps(t, &cassette{answers: map[model.Purpose][]reply{model.Edit: {{text: answer}}}}), nil)
	for _, name := range []string{"a.go", "b.go"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("package p\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e.initialize(fullClient(), dir)
	uri := func(name string) string { return workspace.URIOf(filepath.Join(dir, name)) }
	e.open(uri("a.go"), "go", "package p\n")
	e.open(uri("b.go"), "go", "package p\n")
	e.settled() // b.go is shown because the index has it
	e.skip = uri("b.go")
	_, err := e.call("workspace/executeCommand", object{"command": "tandem.edit", "arguments": []object{{"uri": uri("a.go"), "instruction": "call the packages of a.go and b.go q"}}})
	if err == nil || !strings.Contains(err.Error(), "change of b.go as made") || e.text(uri("a.go")) != "package q\n" {
		t.Errorf("the error is %v", err)
	}
}
