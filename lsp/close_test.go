package lsp

import (
	"encoding/json"
	"strings"
	"testing"

	"tandem/model"
)

// TestClosingEndsWhatRuns: the request of a document that is closed ends before its model has
// answered, and a document that is opened again under the same name has nothing of it.
func TestClosingEndsWhatRuns(t *testing.T) {
	hold := make(chan struct{})
	models := &cassette{hold: hold, answers: map[model.Purpose][]reply{model.Complete: {{text: "one\n"}}}}
	e := start(t, deps(t, models))
	e.initialize(object{})
	const uri = "untitled:a.go"
	complete := object{"textDocument": object{"uri": uri}, "position": position{2, 8}, "context": object{"triggerKind": 1}}
	sent := func() int {
		models.mu.Lock()
		defer models.mu.Unlock()
		return len(models.requests)
	}
	e.open(uri, "go", "package a\n\nvar x = \n")
	_, answer := e.request("textDocument/inlineCompletion", complete)
	for sent() == 0 {
		if _, err := e.call("test/sync", nil); err != nil {
			t.Fatal(err)
		}
	}
	e.notify("textDocument/didClose", object{"textDocument": object{"uri": uri}})
	if a := <-answer; strings.Contains(string(a.result), "one") { // nothing has released the model
		t.Errorf("a closed document is answered %s", a.result)
	}
	close(hold)
	e.open(uri, "go", "package b\n\nvar y = \n")
	raw, err := e.call("textDocument/inlineCompletion", complete)
	if err != nil || !strings.Contains(string(raw), "one") || sent() != 2 {
		t.Errorf("opened again: %s, %v, %d requests", raw, err, sent())
	}
	var list struct{ Items []json.RawMessage }
	if err := json.Unmarshal(raw, &list); err != nil || len(list.Items) != 1 {
		t.Errorf("%s: %v", raw, err)
	}
}
