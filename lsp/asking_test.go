package lsp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tandem/model"
	"tandem/workspace"
	"tandem/workspace/judge"
	"tandem/workspace/syntax"
)

// TestQuestionIsPaidOnce: typing elsewhere does not ask the model again; the answer says
// that it is about an earlier text. Another question is asked.
func TestQuestionIsPaidOnce(t *testing.T) {
	models := &cassette{answers: map[model.Purpose][]reply{model.Ask: {{text: "It adds."}}}}
	e := start(t, deps(t, models))
	e.initialize(fullClient(), t.TempDir())
	e.open("untitled:a.go", "go", "package a\n\n// ?? what does it do\nfunc add() {}\n")
	hover := func() string {
		raw, err := e.call("textDocument/hover", object{"textDocument": object{"uri": "untitled:a.go"}, "position": position{2, 8}})
		if err != nil {
			t.Fatal(err)
		}
		var got hoverResult
		_ = json.Unmarshal(raw, &got)
		return got.Contents.Value
	}
	for _, step := range []struct {
		change   func()
		requests int
		earlier  bool
	}{
		{func() {}, 1, false},
		{func() {}, 1, false},
		{func() { e.change("untitled:a.go", wireRange{position{3, 12}, position{3, 12}}, "return") }, 1, true},
		{func() { e.change("untitled:a.go", wireRange{position{2, 22}, position{2, 22}}, " now") }, 2, false},
	} {
		step.change()
		text := hover()
		if !strings.Contains(text, "It adds") || strings.Contains(text, "before your last changes") != step.earlier {
			t.Errorf("the hover shows %q", text)
		}
		if n := len(models.requests); n != step.requests {
			t.Fatalf("%d requests, want %d", n, step.requests)
		}
	}
}

// TestAnswerShowsItsWindow: what the model was shown for an answer can be opened.
func TestAnswerShowsItsWindow(t *testing.T) {
	models := &cassette{answers: map[model.Purpose][]reply{model.Ask: {{text: "It adds."}}}}
	e := start(t, deps(t, models))
	e.initialize(fullClient(), t.TempDir())
	e.open("untitled:a.go", "go", "package a\n\nfunc add() {}\n")
	raw, err := e.call("tandem/ask", object{"question": "what is add for", "textDocument": object{"uri": "untitled:a.go"}, "position": position{2, 5}})
	if err != nil {
		t.Fatal(err)
	}
	var answer askResult
	_ = json.Unmarshal(raw, &answer)
	raw, err = e.call("workspace/textDocumentContent", object{"uri": answer.Window})
	if err != nil || !strings.Contains(string(raw), "func add() {}") || !strings.Contains(string(raw), "what is add for") {
		t.Errorf("%q shows %s, %v", answer.Window, raw, err)
	}
}

// TestPartlyAppliedIsNamed: where the editor applies the change of one file and not of
// the next, the error says which is which.
func TestPartlyAppliedIsNamed(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package p\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	answer := "a.go\n<<<<<<< SEARCH\npackage p\n=======\npackage q\n>>>>>>> REPLACE\n\nb.go\n<<<<<<< SEARCH\n=======\npackage q\n>>>>>>> REPLACE\n"
	models := &cassette{answers: map[model.Purpose][]reply{model.Edit: {{text: answer}}}}
	e := start(t, deps(t, models))
	e.initialize(fullClient(), dir)
	uri := workspace.URIOf(filepath.Join(dir, "a.go"))
	e.open(uri, "go", "package p\n")
	// The editor of this test creates no files.
	_, err := e.call("workspace/executeCommand", object{"command": "tandem.edit", "arguments": []object{{"uri": uri, "instruction": "call the package q, and begin b.go"}}})
	if err == nil || !strings.Contains(err.Error(), "Only a.go was changed, b.go was not") {
		t.Errorf("the error is %v", err)
	}
}

// TestFailedEditIsNotApplied: an editor that shows no proposals gets what passes its checks
// applied, and what fails only as a text to look at.
func TestFailedEditIsNotApplied(t *testing.T) {
	for answer, applied := range map[string]bool{"package q\n": true, "package (\n": false} {
		models := &cassette{judge: &judge.Judge{Syntax: syntax.Parsers{}}, answers: map[model.Purpose][]reply{model.Edit: {{text: "a.go\n<<<<<<< SEARCH\npackage p\n=======\n" + answer + ">>>>>>> REPLACE\n"}}}}
		dir := t.TempDir()
		uri := workspace.URIOf(filepath.Join(dir, "a.go"))
		e := start(t, deps(t, models))
		e.initialize(fullClient(), dir)
		e.open(uri, "go", "package p\n")
		_, err := e.call("workspace/executeCommand", object{"command": "tandem.edit", "arguments": []object{{"uri": uri, "instruction": "call the package q"}}})
		want := map[bool]string{true: answer, false: "package p\n"}[applied]
		if (err == nil) != applied || e.text(uri) != want {
			t.Errorf("%q: the text is %q, %v", answer, e.text(uri), err)
		}
	}
}
