package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"tandem/edits"
	"tandem/lsp/wire"
	"tandem/model"
	"tandem/model/assist"
	"tandem/model/task"
	"tandem/workspace"
)

// asJSON is what a client receives.
func asJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := protocol.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var plain any
	if err := json.Unmarshal(raw, &plain); err != nil {
		t.Fatal(err)
	}
	sorted, err := json.Marshal(plain)
	if err != nil {
		t.Fatal(err)
	}
	return string(sorted)
}

// TestErrorsOfTheProtocol: each cause of an error has its code, its sentence and its data.
func TestErrorsOfTheProtocol(t *testing.T) {
	ended := func(cause error) context.Context {
		ctx, end := context.WithCancelCause(t.Context())
		end(cause)
		return ctx
	}
	failed := errors.New("it broke")
	for _, c := range []struct {
		name string
		ctx  context.Context
		err  error
		code jsonrpc2.Code
		text string
		data string
	}{
		{"known", t.Context(), fmt.Errorf("more: %w", invalid("The thing is %d.", 3)), -32602, "The thing is 3.", ""},
		{"known, of a request that ended", ended(failed), invalid("No."), -32602, "No.", ""},
		{"cancelled by the client", ended(wire.ErrCancelled), failed, -32800, "The request was cancelled.", ""},
		{"the server ends", ended(failed), failed, -32802, "The request was stopped because the server is shutting down.", ""},
		{"a bad request", t.Context(), &model.Error{Code: model.CodeBadRequest, Message: "There is no task."}, -32602, "There is no task.", ""},
		{"a model failed", t.Context(), &model.Error{Code: model.CodeDailyLimit, Message: "The limit is reached."}, -32803, "The limit is reached.", `{"code":"daily_limit"}`},
		{"anything else", t.Context(), errors.New("élan is missing"), -32803, "Élan is missing", ""},
		{"nothing to say", t.Context(), errors.New(""), -32803, "", ""},
	} {
		var got *jsonrpc2.Error
		if !errors.As(toWire(c.ctx, c.err), &got) {
			t.Fatalf("%s: no error of the protocol", c.name)
		}
		if got.Code != c.code || strings.Trim(got.Message, "�") != c.text || string(got.Data) != c.data {
			t.Errorf("%s: %d %q %s; want %d %q %s", c.name, got.Code, got.Message, got.Data, c.code, c.text, c.data)
		}
	}
}

// TestStatusOnTheWire: the status in the three forms that a client may read.
func TestStatusOnTheWire(t *testing.T) {
	lane := func(state model.LaneState, reason string) model.LaneStatus {
		return model.LaneStatus{Lane: model.Fast, Model: "m", State: state, Reason: reason}
	}
	status := func(change func(*assist.Status), lanes ...model.LaneStatus) assist.Status {
		var st assist.Status
		st.Lanes = lanes
		change(&st)
		return st
	}
	full := lane(model.LaneLimited, "Slow down.")
	full.Provider, full.Served, full.UsedPercent, full.DayUSD, full.ResetsAt = "p", "served", 99.5, 1.006, time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600))
	full.Totals.Input, full.Totals.Cached = 1000, 333
	for _, c := range []struct {
		name              string
		st                assist.Status
		text, own, others string
	}{
		{"nothing is open", status(func(*assist.Status) {}),
			"index: no files; open a folder for suggestions that know your code\ntoday: $0.00",
			`{"busy":false,"costUSD":0,"index":{"files":0,"ready":true},"lanes":{},"reason":""}`, `{"busy":false,"kind":"Normal"}`},
		{"much at once", status(func(st *assist.Status) {
			st.Busy, st.Files, st.Indexing, st.SpentUSD, st.Reason, st.Paused, st.Others = true, 2, true, 1.5, "no key", "Snoozed.", "Another one suggests too."
		}, full),
			"fast: served at p, limited, 100 % of the quota used, 33 % of the prompts from its cache, about $1.01 for a normal day: Slow down.\nindex: 2 files so far\ntoday: $1.50\n" +
				"working on a suggestion\nSnoozed.\nAnother one suggests too.\nlast time nothing was shown: no key",
			`{"busy":true,"costUSD":1.5,"index":{"files":2,"ready":false},"lanes":{"fast":{"cachedPercent":33,"dayUSD":1.01,"model":"m","provider":"p","reason":"Slow down.","resetsAt":"2026-01-02T02:04:05Z",` +
				`"servedModel":"served","state":"limited","usedPercent":99.5}},"others":"Another one suggests too.","paused":true,"reason":"Snoozed."}`,
			`{"busy":true,"kind":"Warning","message":"Slow down."}`},
		{"a key is missing", status(func(st *assist.Status) { st.Files, st.Reason = 1, "no key" }, lane(model.LaneDisabled, "")),
			"fast: m, disabled\nindex: 1 file\ntoday: $0.00\nlast time nothing was shown: no key",
			`{"busy":false,"costUSD":0,"index":{"files":1,"ready":true},"lanes":{"fast":{"model":"m","provider":"","servedModel":"","state":"disabled","usedPercent":0}},"reason":"no key"}`,
			`{"busy":false,"kind":"Error"}`},
		{"paused and ready", status(func(st *assist.Status) { st.Paused = "Snoozed." }, lane(model.LaneReady, "unused"), lane(model.LaneBuiltIn, "unused")),
			"fast: m, ready: unused\nfast: the built-in engine: unused\nindex: no files; open a folder for suggestions that know your code\ntoday: $0.00\nSnoozed.",
			`{"busy":false,"costUSD":0,"index":{"files":0,"ready":true},"lanes":{"fast":{"model":"m","provider":"","reason":"unused","servedModel":"","state":"built-in","usedPercent":0}},"paused":true,"reason":"Snoozed."}`,
			`{"busy":false,"kind":"Inactive","message":"Snoozed."}`},
	} {
		if got := statusText(c.st); got != c.text {
			t.Errorf("%s: the text is\n%s\nwant\n%s", c.name, got, c.text)
		}
		if got := asJSON(t, wireStatus(c.st)); got != c.own {
			t.Errorf("%s: tandem/status is\n%s\nwant\n%s", c.name, got, c.own)
		}
		if got := asJSON(t, plainStatus(c.st)); got != c.others {
			t.Errorf("%s: didChangeStatus is\n%s\nwant\n%s", c.name, got, c.others)
		}
	}
	asked := lane(model.LaneReady, "")
	for _, c := range []struct {
		asked, served string
		want          bool
	}{{"a", "b", true}, {"a", "a", false}, {"", "b", false}, {"a", "", false}} {
		asked.Asked, asked.Served = c.asked, c.served
		if got := strings.Contains(statusText(status(func(*assist.Status) {}, asked)), "asked for"); got != c.want {
			t.Errorf("asked for %q, served by %q: named %v", c.asked, c.served, got)
		}
	}
	var sent lastStatus
	if !sent.changed("a", 1) || sent.changed("a", 1) || !sent.changed("b", 1) || !sent.changed("a", 2) || sent.changed("a", 2) {
		t.Error("a status is not sent when, and only when, it has changed")
	}
}

// TestCommentsAtAPlace: what a comment at the cursor asks for, or asks.
func TestCommentsAtAPlace(t *testing.T) {
	many := func(n int) string { return strings.Repeat("// word\n", n) }
	for _, c := range []struct{ text, want string }{ // | is the cursor
		{"// rename x| to y\ncode", "rename x to y"},
		{"# rename x\nco|de", "rename x"},
		{"# rename x\n\nco|de", ""},
		{"// one\n// t|wo\n// three\ncode", "one two three"},
		{"// one\n// two\nco|de\n", "one two"},
		{"co|de // not this one", ""},
		{"// sin|gle", ""},
		{"// ?? why th|is", ""},
		{"/* do it n|ow */", "do it now"},
		{"<!-- do it n|ow -->", "do it now"},
		{"/// do i|t", "do it"}, {"//! do i|t", "do it"}, {"-- do i|t", "do it"}, {";; do i|t", "do it"}, {"; do i|t", "do it"}, {"% do i|t", "do it"}, {" * do i|t", "do it"}, {"/** do i|t */", "do it"},
		{many(10) + "// la|st one", strings.Repeat("word ", 10) + "last one"},
		{many(11) + "// la|st one", strings.Repeat("word ", 10) + "last one"},
		{"// fir|st one\n" + many(30), "first one" + strings.Repeat(" word", 19)},
		{"|", ""},
	} {
		before, after, _ := strings.Cut(c.text, "|")
		text := edits.NewText(before + after)
		if got := instructionAt(text, edits.Span{Start: len(before), End: len(before)}); got != c.want {
			t.Errorf("%q asks for %q, want %q", c.text, got, c.want)
		}
	}
	for _, c := range []struct {
		text, question, span string
		ok                   bool
	}{
		{"// ?? why| so\ncode\n", "why so", "// ?? why so", true},
		{"a()\n// ?? why\n// so| slow\n// here\ncode", "why so slow here", "// ?? why\n// so slow\n// here", true},
		{"x = 1 // ?? wh|y one\n", "why one", "x = 1 // ?? why one", true},
		{"x = 1 #?? wh|y one\n", "why one", "x = 1 #?? why one", true},
		{"x = 1 # plain| comment\n", "", "", false},
		{"// ?? first\n// ?? sec|ond", "second", "// ?? second", true},
		{"// ?? fir|st\n// ?? second", "first", "// ?? first", true},
		{"// ??|", "", "// ??", false},
		{"// ?? why\ncode|", "", "", false},
		{"code|", "", "", false},
		{"// not|hing", "", "", false},
		{"// ?? why\n" + many(9) + "// |too far\n", "", "", false},
		{"// ?? why\n" + many(8) + "// |near\n", "why" + strings.Repeat(" word", 8) + " near", "// ?? why\n" + many(8) + "// near", true},
		{"// ?? w|hy\n" + many(20), "why" + strings.Repeat(" word", 9), "// ?? why\n" + strings.TrimSuffix(many(9), "\n"), true},
	} {
		before, after, _ := strings.Cut(c.text, "|")
		text := edits.NewText(before + after)
		question, span, ok := questionAt(text, text.LineOf(len(before)))
		if ok != c.ok || ok && (question != c.question || text.Slice(span) != c.span) {
			t.Errorf("%q asks %q at %q, %v; want %q at %q, %v", c.text, question, text.Slice(span), ok, c.question, c.span, c.ok)
		}
	}
}

// TestAnswersAsText: an answer with links to what it cites, each a link of tandem's own or
// no link at all.
func TestAnswersAsText(t *testing.T) {
	for uri, want := range map[string]string{
		"file:///w/a.go":            "[a\\_b.go:3](file:///w/a.go#L3)",
		"untitled:a":                "`a_b.go:3`",
		"file:///w/a(1).go":         "`a_b.go:3`",
		"file:///w/a b.go":          "`a_b.go:3`",
		"file:///w/a\\b.go":         "`a_b.go:3`",
		"http://example.com/a.go":   "`a_b.go:3`",
		"file:///w/%zz":             "`a_b.go:3`",
		"file:///w/%5Bid%5D/pg.tsx": "[a\\_b.go:3](file:///w/%5Bid%5D/pg.tsx#L3)",
	} {
		if got := citation(assist.Citation{Path: "a_b.go", URI: uri, Line: 3}); got != want {
			t.Errorf("%s: %s, want %s", uri, got, want)
		}
	}
	if got := citation(assist.Citation{Path: "a`[b]\n<!~*&", URI: "untitled:a", Line: 1}); strings.Count(got, "`") != 2 {
		t.Errorf("a path ends its quotation: %s", got)
	}
	if got, want := linkLabel("`*_[]<>!&~\\x\ny"), "\\`\\*\\_\\[\\]\\<\\>\\!\\&\\~\\\\x y"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	cited := []assist.Citation{{Path: "a.go", URI: "file:///a.go", Line: 1}, {Path: "b.go", URI: "file:///b.go", Line: 2}}
	for _, c := range []struct {
		answer assist.Answer
		want   string
	}{
		{assist.Answer{Text: "yes"}, "yes"},
		{assist.Answer{Text: "yes", Interrupted: true}, "yes\n\n*This answer was interrupted.*"},
		{assist.Answer{Text: "yes", Citations: cited}, "yes\n\n[a.go:1](file:///a.go#L1) · [b.go:2](file:///b.go#L2)"},
	} {
		if got := answerText(c.answer); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	y := assist.Symbol{Name: "f", Language: "go", Signature: "func f()\r\n```", Doc: "It does.", Where: "m@v1", Defined: cited[:1], Users: cited, UserCount: 5, Neighbours: []string{"g", "h"}}
	const want = "```go\nfunc f()\n'''\n```\n\nIt does.\n\nDefined in [a.go:1](file:///a.go#L1)\n\nFrom `m@v1`\n\nUsed in 5 files: [a.go:1](file:///a.go#L1), [b.go:2](file:///b.go#L2)\n\nBeside it: `g`, `h`"
	if got := symbolText(y); got != want {
		t.Errorf("%q\nwant\n%q", got, want)
	}
	for _, c := range []struct {
		n    int
		want string
	}{{0, "0 files"}, {1, "1 file"}, {2, "2 files"}} {
		if got := plural(c.n, "file"); got != c.want {
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

// TestDiagnosticsAsTheyCome: numbers and names of severities, codes of both kinds, and which
// diagnostics are at a place or of one kind.
func TestDiagnosticsAsTheyCome(t *testing.T) {
	for raw, want := range map[string]string{"": "error", "0": "error", "1": "error", "2": "warning", "3": "information", "4": "hint", "5": "error", `"warning"`: "warning", `"hint"`: "hint", `"fatal"`: "error", "{}": "error"} {
		if got := severityName(protocol.LSPAny(raw)); got != want {
			t.Errorf("severity %s is %s, want %s", raw, got, want)
		}
	}
	for name, want := range map[string]int{"error": 1, "warning": 2, "information": 3, "hint": 4, "": 2, "fatal": 2} {
		if got := severityNumber(name); got != want {
			t.Errorf("%s is severity %d, want %d", name, got, want)
		}
	}
	for raw, want := range map[string]string{"": "", `"E1"`: "E1", "7": "7", `""`: ""} {
		if got := anyText(protocol.LSPAny(raw)); got != want {
			t.Errorf("code %s is %q, want %q", raw, got, want)
		}
	}
	if quoted("") != nil || string(quoted("E\"1")) != `"E\"1"` {
		t.Errorf("a code is sent as %s", quoted("E\"1"))
	}
	for _, c := range []struct {
		start, end int
		want       bool
	}{{0, 4, false}, {0, 5, true}, {5, 5, true}, {6, 7, true}, {8, 9, true}, {9, 9, false}, {0, 20, true}} {
		d := []workspace.Diagnostic{{Span: edits.Span{Start: c.start, End: c.end}}}
		if got := len(diagnosticsIn(d, edits.Span{Start: 5, End: 8})) == 1; got != c.want {
			t.Errorf("%d to %d touches 5 to 8: %v", c.start, c.end, got)
		}
	}
	d := func(source, code, message string) workspace.Diagnostic {
		return workspace.Diagnostic{Source: source, Code: code, Message: message}
	}
	for _, c := range []struct {
		a, b       workspace.Diagnostic
		kind, same bool
	}{
		{d("s", "1", "x"), d("s", "1", "y"), true, false},
		{d("s", "1", "x"), d("s", "2", "x"), false, false},
		{d("s", "1", "x"), d("s", "", "x"), false, false},
		{d("s", "", "x"), d("s", "1", "x"), false, false},
		{d("s", "1", "x"), d("r", "1", "x"), false, false},
		{d("s", "", "x"), d("s", "", "x"), true, true},
		{d("s", "", "x"), d("s", "", "y"), false, false},
		{d("s", "", "x"), d("r", "", "x"), false, false},
		{d("s", "1", "x"), d("s", "1", "x"), true, true},
	} {
		if sameKind(c.a, c.b) != c.kind || sameDiagnostic(c.a, c.b) != c.same {
			t.Errorf("%v and %v: of one kind %v, the same %v", c.a, c.b, sameKind(c.a, c.b), sameDiagnostic(c.a, c.b))
		}
	}
	for _, c := range []struct {
		kind string
		only []string
		want bool
	}{{"refactor.rewrite", nil, true}, {"refactor.rewrite", []string{"refactor"}, true}, {"refactor", []string{"refactor.rewrite"}, false}, {"quickfix", []string{"source", "quickfix"}, true},
		{"quickfix", []string{""}, true}, {"refactoring", []string{"refactor"}, false}, {"source", []string{"quickfix"}, false}} {
		if wanted(c.kind, c.only) != c.want {
			t.Errorf("%s of %q: %v", c.kind, c.only, !c.want)
		}
	}
}

// TestCapabilitiesOfAClient: each capability that the server reads is read from its place,
// and sets nothing else.
func TestCapabilitiesOfAClient(t *testing.T) {
	read := func(text string) *client {
		var p initializeParams
		if err := protocol.Unmarshal([]byte(`{"capabilities":`+text+`}`), &p); err != nil {
			t.Fatal(text, err)
		}
		c := clientOf(&p)
		return &c
	}
	for text, want := range map[string]*client{
		`{}`:                               {},
		`{"workspace":{"applyEdit":true}}`: {applyEdit: true},
		`{"workspace":{"workspaceEdit":{"documentChanges":true}}}`:                            {documentChanges: true},
		`{"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true}}}`:                {watches: true},
		`{"workspace":{"didChangeConfiguration":{"dynamicRegistration":true}}}`:               {configuration: true},
		`{"workspace":{"textDocumentContent":{}}}`:                                            {content: true},
		`{"workspace":{"codeLens":{"refreshSupport":true}}}`:                                  {lensRefresh: true},
		`{"textDocument":{"codeLens":{}}}`:                                                    {lenses: true},
		`{"textDocument":{"hover":{"contentFormat":["plaintext","markdown"]}}}`:               {markdown: true},
		`{"textDocument":{"hover":{"contentFormat":["plaintext"]}}}`:                          {},
		`{"textDocument":{"codeAction":{"codeActionLiteralSupport":{}}}}`:                     {actionLiteral: true},
		`{"textDocument":{"codeAction":{"disabledSupport":true}}}`:                            {disabled: true},
		`{"window":{"workDoneProgress":true}}`:                                                {progress: true},
		`{"window":{"showDocument":{"support":true}}}`:                                        {showDocument: true},
		`{"experimental":{"tandem":{"proposals":true,"jumps":true}}}`:                         {tandem: extensions{Proposals: true, Jumps: true}},
		`{"experimental":{"tandem":{"status":true,"tasks":true,"inline":true,"other":true}}}`: {tandem: extensions{Status: true, Tasks: true, Inline: true}},
	} {
		if got := read(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v", text, got)
		}
	}
	for text, want := range map[string][]string{
		`{"workspaceFolders":[{"uri":"file:///a"},{"uri":"untitled:b"},{"uri":"file:///c"}],"rootUri":"file:///d"}`: {"/a", "/c"},
		`{"workspaceFolders":[],"rootUri":"file:///d"}`:                                                             nil,
		`{"rootUri":"file:///d","rootPath":"/e"}`:                                                                   {"/d"},
		`{"rootUri":"untitled:d","rootPath":"/e"}`:                                                                  {"/e"},
		`{"workspaceFolders":null,"rootUri":null,"rootPath":"/e"}`:                                                  {"/e"},
		`{"rootPath":""}`: nil,
		`{}`:              nil,
	} {
		var p initializeParams
		if err := protocol.Unmarshal([]byte(text), &p); err != nil {
			t.Fatal(text, err)
		}
		if got := p.folders(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

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
		inv := &invocation{}
		err := inv.parse([]protocol.LSPAny{protocol.LSPAny(c.args)})
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want %s", c.args, err, c.err)
			}
			continue
		}
		id, missing := inv.id()
		if err != nil || inv.URI != c.uri || id != c.id || (missing == nil) != (c.id != "") || inv.stringArg(0) != c.first || inv.stringArg(1) != "" {
			t.Errorf("%s: %v, uri %q, id %q, %q", c.args, err, inv.URI, id, inv.stringArg(0))
		}
	}
}

// TestWhatIsKept: the oldest texts and answers go, the latest stay, and what was asked in
// another life of a document is not found.
func TestWhatIsKept(t *testing.T) {
	var d shown
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
	o := &workspace.Overlay{URI: "untitled:a", Generation: 1, Revision: 1}
	for i := range maxAnswers + 1 {
		a.put(o, fmt.Sprint("q", i), assist.Answer{Text: fmt.Sprint(i)})
	}
	a.put(o, "q5", assist.Answer{Text: "newer"})
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
	a.forget(o.URI)
	if _, _, ok := a.get(o, "q5"); ok {
		t.Error("an answer outlives its document")
	}
	var seen reports
	if !seen.first("a") || seen.first("a") || !seen.first("b") {
		t.Error("a message is not reported once")
	}
}

// TestWaitingFor: who follows a task gets its latest state alone, until it stops; who waits
// for a proposal goes on when it ends.
func TestWaitingFor(t *testing.T) {
	var f followers
	f.publish(assist.Task{ID: "t1"}) // nobody follows
	events := f.add("t1")
	f.publish(assist.Task{ID: "t2"})
	f.publish(assist.Task{ID: "t1", Title: "first"})
	f.publish(assist.Task{ID: "t1", Title: "second"})
	if got := (<-events).Title; got != "second" || len(events) != 0 {
		t.Errorf("got %q, and %d more", got, len(events))
	}
	f.remove("t1")
	f.publish(assist.Task{ID: "t1"})
	if len(events) != 0 {
		t.Error("one who has stopped gets more")
	}
	var w watchers
	ended := func(c <-chan struct{}) bool {
		select {
		case <-c:
			return true
		default:
			return false
		}
	}
	a, b, c := w.on("a"), w.on("b"), w.on("a")
	w.finished("a")
	w.finished("a")
	if !ended(a) || !ended(c) || ended(b) {
		t.Error("the wrong ones go on")
	}
	w.forget("b")
	if w.finished("b"); ended(b) {
		t.Error("one that was forgotten ends")
	}
}

// TestNotificationsInOrder: a notification put again keeps its place, one that was dropped
// or has nothing to say is not sent, and one that is flushed overtakes.
func TestNotificationsInOrder(t *testing.T) {
	var sent []string
	q := newNotificationQueue(func(method string, params any) { sent = append(sent, fmt.Sprintf("%s %s", method, params)) }, nil)
	put := func(key string, v any) { q.put(key, key, func() any { return v }) }
	put("a", 1)
	q.post("b", 2)
	put("c", 3)
	put("a", 4)
	put("d", 5)
	put("e", nil)
	q.drop("c")
	q.drop("none")
	q.flush("d")
	q.flush("none")
	for len(q.queue) > 0 {
		q.sendOne(func() int { return q.firstReady(time.Now()) })
	}
	if want := []string{"d 5", "a 4", "b 2"}; !slices.Equal(sent, want) {
		t.Errorf("sent %q, want %q", sent, want)
	}
	q.enqueue(&queuedNotification{method: "late", params: func() any { return 1 }, after: time.Now().Add(time.Hour)})
	q.post("soon", 2)
	if i := q.firstReady(time.Now()); i != 1 {
		t.Errorf("number %d is sent first", i)
	}
}

// pending is a proposal for two documents: two changes in the first, one in the second.
func pending() *assist.Proposal {
	const text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"
	return &assist.Proposal{
		Proposal: edits.Proposal{ID: "p1", Title: "count", Files: []edits.ProposedFile{
			{Path: "a.go", Version: 3, Base: edits.NewText(text), Edits: []edits.Edit{{Span: edits.Span{Start: 0, End: 3}, New: "1"}, {Span: edits.Span{Start: 28, End: 33}, New: "7"}}},
			{Path: "b.go", Version: 4, Base: edits.NewText(text), Edits: []edits.Edit{{Span: edits.Span{Start: 4, End: 7}, New: "2"}}},
		}},
		Documents: []string{"untitled:a", "untitled:b"}, State: assist.Ready,
	}
}

// TestLenses: a proposal has its lenses at its first change in the document, and one at each
// change where there are several; changes are counted through all of its files.
func TestLenses(t *testing.T) {
	f := &fixing{live: []*assist.Proposal{pending()}}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { f.Editor = use.Editor; use.Editor = f })
	o.initialize(fullClient())
	for uri, version := range map[string]int{"untitled:a": 3, "untitled:b": 4, "untitled:c": 1} {
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
		p    *assist.Proposal
		want []string
	}{
		{"untitled:a", pending(), []string{lens(0, "Accept: count", "accept", id), lens(0, "Reject", "reject", id), lens(0, "Accept this change (1 of 2)", "acceptHunk", `{"hunk":0,"id":"p1"}`), lens(6, "Accept this change (2 of 2)", "acceptHunk", `{"hunk":1,"id":"p1"}`)}},
		{"untitled:b", pending(), []string{lens(1, "Accept: count", "accept", id), lens(1, "Reject", "reject", id)}},
		{"untitled:a", swapped, []string{lens(0, "Accept: count", "accept", id), lens(0, "Reject", "reject", id), lens(0, "Accept this change (1 of 2)", "acceptHunk", `{"hunk":1,"id":"p1"}`), lens(6, "Accept this change (2 of 2)", "acceptHunk", `{"hunk":2,"id":"p1"}`)}},
		{"untitled:c", pending(), nil},
		{"untitled:closed", pending(), nil},
	} {
		f.live = []*assist.Proposal{c.p}
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
	waits.State = assist.Checking
	failed := pending()
	failed.State, failed.Err = assist.Failed, errors.New("it broke")
	full := pending()
	full.From = edits.Provenance{Lane: "fast", Model: "m", ServedModel: "s", Reason: "small", OutputTokens: 7, TokensPerSecond: 2.5, FirstTokenMs: 3.5, CostUSD: 0.25}
	full.Alternatives = []string{"p2"}
	full.Checks = []edits.Check{{Kind: edits.CheckKind("syntax"), OK: true}, {Kind: edits.CheckKind("names"), Findings: []edits.Finding{{Message: "no f", Name: "f"}}}}
	ofTask := pending()
	ofTask.Task, ofTask.Review = "t1", "fine"
	ofTask.Files[1].Edits = nil
	ofTask.Parts = []assist.TaskPart{{Step: 1, Title: "one", Lane: "fast", Files: []string{"a.go"}}, {Step: 2, Title: "two", Lane: "deep", Files: []string{"a.go", "b.go"}}}
	ofTask.Conflicts = []task.Conflict{{Path: "c.go", Line: 3, Message: "it has changed"}}
	for _, c := range []struct {
		name string
		p    *assist.Proposal
		want string
	}{
		{"checking", waits, `{"costUSD":0,"id":"p1","state":"checking","title":"count"}`},
		{"failed", failed, `{"costUSD":0,"error":"it broke","id":"p1","state":"failed","title":"count"}`},
		{"ready", full, `{"alternatives":["p2"],"checks":[{"kind":"syntax","message":"","names":[],"ok":true},{"kind":"names","message":"no f","names":["f"],"ok":false}],"costUSD":0.25,"documents":[` +
			first + `,"uri":"untitled:a","version":3},` + second + `,"uri":"untitled:b","version":4}],"firstTokenMs":3.5,"id":"p1","lane":"fast","model":"s","reason":"small","state":"ready","title":"count","tokens":7,"tokensPerSecond":2.5}`},
		{"of a task", ofTask, `{"conflicts":[{"line":3,"message":"it has changed","path":"c.go"}],"costUSD":0,"documents":[` + first + `,"path":"a.go","steps":[1,2],"uri":"untitled:a","version":3}],"id":"p1","review":"fine","state":"ready",` +
			`"steps":[{"files":["a.go"],"lane":"fast","step":1,"title":"one"},{"files":["a.go","b.go"],"lane":"deep","step":2,"title":"two"}],"taskId":"t1","title":"count"}`},
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
	edited := func(names ...string) (out []assist.DocumentEdit) {
		for _, n := range names {
			out = append(out, assist.DocumentEdit{URI: "file:///w/" + n})
		}
		return out
	}
	for want, list := range map[string][]assist.DocumentEdit{"a.go was": edited("a.go"), "a.go and b.go were": edited("a.go", "b.go"), "a.go and b.go and c.go were": edited("a.go", "b.go", "c.go"), "a.go and b.go and c.go and 1 more were": edited("a.go", "b.go", "c.go", "d.go")} {
		if got := were(list); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// An asking records the questions.
type asking struct {
	Asker
	requests []assist.AskRequest
}

func (a *asking) Ask(_ context.Context, _ *workspace.Snapshot, req assist.AskRequest) (assist.Answer, error) {
	a.requests = append(a.requests, req)
	req.Piece("y")
	req.Piece("es")
	return assist.Answer{Text: "yes"}, nil
}

// TestAskAtAPlace: a question is asked about the document and the place that the client
// names, in its thread and lane.
func TestAskAtAPlace(t *testing.T) {
	a := &asking{}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { a.Asker = use.Asker; use.Asker = a })
	o.initialize(fullClient())
	o.open("untitled:a", "go", "package a\n\nfunc F() {}\n")
	place := object{"textDocument": object{"uri": "untitled:a"}, "position": position{2, 5}}
	for _, c := range []struct {
		params object
		want   assist.AskRequest
	}{
		{object{}, assist.AskRequest{}},
		{object{"thread": "t", "lane": "deep"}, assist.AskRequest{Thread: "t", Lane: model.Deep}},
		{object{"textDocument": place["textDocument"]}, assist.AskRequest{Place: assist.Place{URI: "untitled:a"}}},
		{place, assist.AskRequest{Place: assist.Place{URI: "untitled:a", Offset: 16}}},
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

// TestStatesOfAProposal: a state that was not sent yet is replaced by a later one, and a
// state that ends a proposal is sent for each.
func TestStatesOfAProposal(t *testing.T) {
	var sent []string
	p := &peer{client: client{tandem: extensions{Proposals: true}}}
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
		state assist.State
	}{{"p1", assist.Streaming}, {"p2", assist.Streaming}, {"p1", assist.Checking}, {"p1", assist.Ready}, {"p2", assist.Checking}, {"p1", assist.Ready}} {
		s.proposalChanged(&assist.Proposal{Proposal: edits.Proposal{ID: now.id}, State: now.state})
	}
	for len(p.notifications.queue) > 0 {
		p.notifications.sendOne(func() int { return 0 })
	}
	if want := []string{"p2 checking", "p1 ready", "p1 ready"}; !slices.Equal(sent, want) {
		t.Errorf("sent %q, want %q", sent, want)
	}
}

// A resuming returns a task that goes on, or an error.
type resuming struct {
	Tasks
	err error
}

func (r *resuming) Resume(_ *workspace.Snapshot, id string) (assist.Task, error) {
	return assist.Task{ID: id, Title: "rename", State: assist.TaskQueued}, r.err
}

// TestResumedTask: a task that goes on is the answer, and why it does not is the error.
func TestResumedTask(t *testing.T) {
	r := &resuming{}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { r.Tasks = use.Tasks; use.Tasks = r })
	o.initialize(fullClient())
	resume := func() (json.RawMessage, error) {
		one, err := o.call("tandem/resume", object{"id": "t7"})
		other, failed := o.call("workspace/executeCommand", object{"command": "tandem.resume", "arguments": []object{{"id": "t7"}}})
		if string(one) != string(other) || (err == nil) != (failed == nil) {
			t.Errorf("the request answers %s, %v and the command %s, %v", one, err, other, failed)
		}
		return one, err
	}
	if raw, err := resume(); err != nil || asJSON(t, raw) != `{"costUSD":0,"id":"t7","state":"queued","steps":[],"title":"rename"}` {
		t.Errorf("%s, %v", raw, err)
	}
	r.err = errors.New("it is done")
	if _, err := resume(); err == nil || !strings.Contains(err.Error(), "It is done") {
		t.Errorf("the error is %v", err)
	}
}

// TestMessagesAreShownOnce: the same message reaches the user once, and an empty one never.
func TestMessagesAreShownOnce(t *testing.T) {
	o := observe(t, deps(t, &cassette{}), nil)
	o.initialize(fullClient())
	for _, notice := range []string{"One.", "One.", "Two.", "One."} {
		o.setup.OnEngine(assist.Event{Notice: notice})
	}
	o.setup.OnWorkspace(workspace.Event{})
	o.setup.OnWorkspace(workspace.Event{Problem: "Three."})
	for _, task := range []assist.Task{{Title: "a", State: assist.TaskInterrupted}, {Title: "b", State: assist.TaskInterrupted, Err: "The key is gone."}, {Title: "c", State: assist.TaskFailed, Err: "No answer."}, {Title: "d", State: assist.TaskRunning, Err: "Slow."}} {
		o.setup.OnEngine(assist.Event{Task: &task})
	}
	o.settled()
	o.mu.Lock()
	defer o.mu.Unlock()
	var got []string
	for _, m := range o.received {
		if m.Method == "window/showMessage" {
			got = append(got, asJSON(t, m.Params))
		}
	}
	if want := []string{`{"message":"One.","type":2}`, `{"message":"Two.","type":2}`, `{"message":"Three.","type":2}`,
		`{"message":"The task \"b\" was interrupted: The key is gone.","type":1}`, `{"message":"The task \"c\" failed: No answer.","type":1}`}; !slices.Equal(got, want) {
		t.Errorf("shown %q, want %q", got, want)
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
	o.setup.OnEngine(assist.Event{Proposal: &assist.Proposal{Proposal: edits.Proposal{ID: "p1"}, State: assist.Checking}})
	if asked() {
		t.Error("asked for a proposal that has not ended")
	}
	o.setup.OnEngine(assist.Event{Proposal: &assist.Proposal{Proposal: edits.Proposal{ID: "p1"}, State: assist.Rejected}})
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
	known map[string]*assist.Proposal
	parts []assist.Part
}

func (p *parting) Get(id string) (*assist.Proposal, error) {
	if found, ok := p.known[id]; ok {
		return found, nil
	}
	return nil, errors.New("there is none")
}

func (p *parting) AcceptPart(_ *workspace.Snapshot, _ string, part assist.Part) ([]assist.DocumentEdit, []task.Conflict, error) {
	p.parts = append(p.parts, part)
	return nil, nil, nil
}

func (p *parting) Wrote(string) {}

func (p *parting) Edit(context.Context, *workspace.Snapshot, assist.EditRequest) (*assist.Proposal, error) {
	return p.known["p1"], nil
}

// TestPartsOfATask: the first change of a task's result is a part like any other, and all of
// it is no part.
func TestPartsOfATask(t *testing.T) {
	ofTask := pending()
	ofTask.Task = "t1"
	p := &parting{known: map[string]*assist.Proposal{"p1": ofTask}}
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
		p := &parting{known: map[string]*assist.Proposal{"p1": first, "p2": second}}
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
		if _, err := o.call("tandem/edit", object{"textDocument": object{"uri": "untitled:a"}, "instruction": "count"}); err == nil {
			t.Error("a document that is not open is edited")
		}
		o.open("untitled:a", "go", "package a\n")
		raw, err = o.call("tandem/edit", object{"textDocument": object{"uri": "untitled:a"}, "instruction": "count", "workDoneToken": "w"})
		if err != nil || asJSON(t, raw) != `{"proposalId":"p1"}` {
			t.Errorf("%s, %v", raw, err)
		}
		o.until("$/progress", func(raw json.RawMessage) bool {
			return asJSON(t, raw) == `{"token":"w","value":{"kind":"end","message":"ready"}}`
		})
	}
}
