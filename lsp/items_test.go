package lsp

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"tandem/model/assist/ask"
	"tandem/workspace"
)

// TestIDsOfItems: the id of a suggestion is the first argument of its command, if that is a
// text.
func TestIDsOfItems(t *testing.T) {
	for text, want := range map[string]string{`{"item":{"command":{"arguments":["a","b"]}}}`: "a", `{"item":{"command":{"arguments":[1]}}}`: "", `{"item":{"command":{"arguments":[]}}}`: "", `{}`: ""} {
		var p itemParams
		if err := protocol.Unmarshal([]byte(text), &p); err != nil {
			t.Fatal(err)
		}
		if got := p.id(); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for _, c := range []struct{ args, uri, id, first, err string }{
		{`{"uri":"a","id":"p1"}`, "a", "p1", "", ""},
		{`"p2"`, "", "p2", "p2", ""},
		{`null`, "", "", "", ""},
		{`{"textDocument":{"uri":"b"}}`, "b", "", "", ""},
		{`{"uri":"a","textDocument":{"uri":"b"}}`, "a", "", "", ""},
		{`7`, "", "", "", "The command takes one object"},
		{`{"uri":7}`, "", "", "", "The command's arguments have the wrong shape"},
		{``, "", "", "", "The command takes one object"},
	} {
		inv, named := &invocation{}, struct {
			idArgs
			placeArgs
		}{}
		err := inv.parse([]protocol.LSPAny{protocol.LSPAny(c.args)})
		if err == nil {
			_, err = withArgs(func(_ context.Context, _ *invocation, a *struct {
				idArgs
				placeArgs
			}) (any, error) {
				named = *a
				return nil, nil
			})(t.Context(), inv)
		}
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want %s", c.args, err, c.err)
			}
			continue
		}
		id, missing := inv.id(named.ID)
		if err != nil || named.uri() != c.uri || id != c.id || (missing == nil) != (c.id != "") || inv.stringArg(0) != c.first || inv.stringArg(1) != "" {
			t.Errorf("%s: %v, uri %q, id %q, %q", c.args, err, named.uri(), id, inv.stringArg(0))
		}
	}
}

// TestWhatIsKept: the oldest texts and answers go, the latest stay, and what was asked in
// another life of a document is not found.
func TestWhatIsKept(t *testing.T) {
	var d virtualDocuments
	for i := range maxShown + 2 {
		d.put(fmt.Sprint("u", i), fmt.Sprint(i))
	}
	d.put("u2", "again") // it keeps its place
	for i, want := range map[int]string{0: "", 1: "", 2: "again", 3: "3", maxShown + 1: fmt.Sprint(maxShown + 1)} {
		if got, ok := d.get(fmt.Sprint("u", i)); got != want || ok != (want != "") {
			t.Errorf("text %d is %q", i, got)
		}
	}
	var a answers
	o := &workspace.Overlay{URI: "untitled:a.go", Generation: 1, Revision: 1}
	for i := range maxAnswers + 1 {
		a.put(o, fmt.Sprint("q", i), ask.Answer{Text: fmt.Sprint(i)})
	}
	a.put(o, "q5", ask.Answer{Text: "newer"})
	later := &workspace.Overlay{URI: o.URI, Generation: 1, Revision: 2}
	again := &workspace.Overlay{URI: o.URI, Generation: 2, Revision: 1}
	for _, c := range []struct {
		o        *workspace.Overlay
		question string
		text     string
		current  bool
	}{{o, "q0", "", false}, {o, "q1", "", false}, {o, "q2", "2", true}, {o, "q5", "newer", true}, {later, "q5", "newer", false}, {again, "q5", "", false}} {
		got, current, ok := a.get(c.o, c.question)
		if got.Text != c.text || current != c.current || ok != (c.text != "") {
			t.Errorf("%s: %q, current %v, known %v", c.question, got.Text, current, ok)
		}
	}
	a.remove(o.URI)
	if _, _, ok := a.get(o, "q5"); ok {
		t.Error("an answer outlives its document")
	}
	var seen reports
	if !seen.first("a") || seen.first("a") || !seen.first("b") {
		t.Error("a message is not reported once")
	}
}
