package lsp

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"tandem/model"
	"tandem/model/assist/ask"
	"tandem/model/assist/core"
	"tandem/workspace"
	"tandem/workspace/terms"
)

// TestAnswersAsText: an answer with links to what it cites, each a link of tandem's own or
// no link at all.
func TestAnswersAsText(t *testing.T) {
	for uri, want := range map[string]string{
		"file:///w/a.go":            "[`a_b.go:3`](file:///w/a.go#L3)",
		"untitled:a.go":             "`a_b.go:3`",
		"file:///w/a(1).go":         "`a_b.go:3`",
		"file:///w/a b.go":          "`a_b.go:3`",
		"file:///w/a\\b.go":         "`a_b.go:3`",
		"http://example.com/a.go":   "`a_b.go:3`",
		"file:///w/%zz":             "`a_b.go:3`",
		"file:///w/%5Bid%5D/pg.tsx": "[`a_b.go:3`](file:///w/%5Bid%5D/pg.tsx#L3)",
	} {
		if got := citation(ask.Citation{Path: "a_b.go", URI: uri, Line: 3}); got != want {
			t.Errorf("%s: %s, want %s", uri, got, want)
		}
	}
	if got := citation(ask.Citation{Path: "a`[b]\n<!~*&", URI: "untitled:a.go", Line: 1}); strings.Count(got, "`") != 2 {
		t.Errorf("a path ends its quotation: %s", got)
	}
	if got, want := citation(ask.Citation{Path: "__[x](y)`\n", URI: "file:///w/a.go", Line: 1}), "[`__[x](y)' :1`](file:///w/a.go#L1)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	whole := model.Ended(model.WhyWhole, "")
	cited := []ask.Citation{{Path: "a.go", URI: "file:///a.go", Line: 1}, {Path: "b.go", URI: "file:///b.go", Line: 2}}
	for _, c := range []struct {
		answer ask.Answer
		want   string
	}{
		{ask.Answer{Text: "yes", End: whole}, "yes"},
		{ask.Answer{Text: "yes", End: model.Ended(model.WhyFilter, "SAFETY")}, "yes\n\n*The answer was cut: a content filter of the server stopped it; ask for it in other words.*"},
		{ask.Answer{Text: "yes", End: whole, Citations: cited}, "yes\n\n[`a.go:1`](file:///a.go#L1) · [`b.go:2`](file:///b.go#L2)"},
	} {
		if got := answerText(c.answer); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	y := ask.Symbol{Name: "f", Language: "go", Signature: "func f()\r\n```", Doc: "It does.", Where: "m@v1", Defined: cited[:1], Used: ask.Uses{Places: 7, Files: 5, First: cited}, Tested: ask.Uses{Places: 1, Files: 1}, Implementations: ask.Uses{Places: 1, Files: 1, First: cited[:1]}}
	const want = "```go\nfunc f()\n'''\n```\n\nIt does.\n\nDefined in [`a.go:1`](file:///a.go#L1)\n\nFrom `m@v1`\n\nUsed in 7 places of 5 files: [`a.go:1`](file:///a.go#L1), [`b.go:2`](file:///b.go#L2)\n\nTested in 1 place\n\nImplemented in 1 place: [`a.go:1`](file:///a.go#L1)\n\nLast changed on 2026-01-02: Say `<b>`"
	if got := symbolText(y, "2026-01-02: Say <b>", new(workspace.Snapshot).Absent); got != want {
		t.Errorf("%q\nwant\n%q", got, want)
	}
	for _, c := range []struct {
		n    int
		want string
	}{{0, "0 files"}, {1, "1 file"}, {2, "2 files"}} {
		if got := terms.Counted(c.n, "file"); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	for text, want := range map[string]string{"abcd": "abcd", "abcde": "abcd…", "abcé": "abc…", "": ""} {
		if got := clipTo(text, 4); got != want {
			t.Errorf("%q is cut to %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{" one \ntwo": "one ", strings.Repeat("é", 60): strings.Repeat("é", 60), strings.Repeat("é", 61): strings.Repeat("é", 59) + "…"} {
		if got := clipLine(text); got != want {
			t.Errorf("%q is cut to %q, want %q", text, got, want)
		}
	}
}

// An asking records the questions.
type asking struct {
	Asker
	requests []ask.Request
}

func (a *asking) Ask(_ context.Context, _ *workspace.Snapshot, req ask.Request) (ask.Answer, error) {
	a.requests = append(a.requests, req)
	req.Piece("y")
	req.Piece("es")
	return ask.Answer{Text: "yes", End: model.Ended(model.WhyWhole, "")}, nil
}

// TestAskAtAPlace: a question is asked about the document and the place that the client
// names, in its thread and lane.
func TestAskAtAPlace(t *testing.T) {
	a := &asking{}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { a.Asker = use.Asker; use.Asker = a })
	o.initialize(fullClient())
	o.open("untitled:a.go", "go", "package a\n\nfunc F() {}\n")
	place := object{"textDocument": object{"uri": "untitled:a.go"}, "position": position{2, 5}}
	for _, c := range []struct {
		params object
		want   ask.Request
	}{
		{object{}, ask.Request{}},
		{object{"thread": "t", "lane": "deep"}, ask.Request{Thread: "t", Lane: model.Deep}},
		{object{"textDocument": place["textDocument"]}, ask.Request{Place: core.Place{URI: "untitled:a.go"}}},
		{place, ask.Request{Place: core.Place{URI: "untitled:a.go", Offset: 16}}},
	} {
		a.requests = nil
		c.params["question"], c.want.Question = "why?", "why?"
		raw, err := o.call("tandem/ask", c.params)
		if err != nil || asJSON(t, json.RawMessage(raw)) != `{"answer":"yes","citations":[]}` || len(a.requests) != 1 {
			t.Fatalf("%s, %v, %d questions", raw, err, len(a.requests))
		}
		got := a.requests[0]
		if got.Place != c.want.Place || got.Question != c.want.Question || got.Thread != c.want.Thread || got.Lane != c.want.Lane {
			t.Errorf("asked %+v, want %+v", got, c.want)
		}
	}
	if _, err := o.call("tandem/ask", object{"question": ""}); err == nil || !strings.Contains(err.Error(), "the question is empty") {
		t.Errorf("of nothing: %v", err)
	}
}
