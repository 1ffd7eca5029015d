package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/inline"
	"tandem/workspace"
	"tandem/workspace/platformtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestInitialize(t *testing.T) {
	e := start(t, deps(t, &cassette{}))
	if _, err := e.call("textDocument/hover", object{}); err == nil || err.(*responseError).Code != -32002 {
		t.Errorf("a request before initialize gave %v, want -32002", err)
	}
	var got struct {
		ServerInfo   struct{ Name, Version string }
		Capabilities struct {
			PositionEncoding         string
			InlineCompletionProvider any
			CodeActionProvider       struct{ CodeActionKinds []string }
			ExecuteCommandProvider   struct{ Commands []string }
			Workspace                struct{ TextDocumentContent struct{ Schemes []string } }
		}
	}
	if err := json.Unmarshal(e.initialize(object{"general": object{"positionEncodings": []string{"utf-16", "utf-8"}}, "textDocument": object{"codeAction": object{"codeActionLiteralSupport": object{}}}}), &got); err != nil {
		t.Fatal(err)
	}
	c := got.Capabilities
	if got.ServerInfo.Name != "tandem" || c.PositionEncoding != "utf-8" || c.InlineCompletionProvider == nil ||
		len(c.CodeActionProvider.CodeActionKinds) == 0 || c.Workspace.TextDocumentContent.Schemes[0] != "tandem" {
		t.Errorf("initialize answered %+v", got)
	}
	for _, name := range strings.Fields(`tandem.edit tandem.fix tandem.debug tandem.explain tandem.document tandem.test tandem.review tandem.ask
		tandem.escalate tandem.accept tandem.acceptHunk tandem.reject tandem.steer tandem.completeChange tandem.cancel tandem.resume tandem.alternatives tandem.showSuggestion tandem.showWindow
		tandem.tasks tandem.status tandem.selectProfile tandem.snooze tandem.commitMessage github.copilot.finishDeviceFlow
		github.copilot.didAcceptCompletionItem github.copilot.didAcceptNextEditSuggestionItem github.copilot.didRejectNextEditSuggestionItem
		github.copilot.didIgnoreNextEditSuggestionItem github.copilot.didAcceptPanelCompletionItem`) {
		if !strings.Contains(strings.Join(c.ExecuteCommandProvider.Commands, " ")+" ", name+" ") {
			t.Errorf("the command %s is not announced", name)
		}
	}
	if _, err := e.call("tandem/lastPayload", nil); err == nil || !strings.Contains(err.Error(), "keeps no record") {
		t.Errorf("lastPayload without params gave %v, want the answer of this server, which keeps none", err)
	}
	if _, err := e.call("initialize", object{"capabilities": object{}}); err == nil || err.(*responseError).Code != -32600 {
		t.Errorf("a second initialize gave %v, want -32600", err)
	}
}

func TestShutdownAndExit(t *testing.T) {
	for _, c := range []struct {
		shutdown bool
		want     int
	}{{true, 0}, {false, 1}} {
		e := start(t, deps(t, &cassette{}))
		e.initialize(object{})
		if c.shutdown {
			if _, err := e.call("shutdown", nil); err != nil {
				t.Fatal(err)
			}
			if _, err := e.call("textDocument/hover", object{}); err == nil || err.(*responseError).Code != -32600 {
				t.Errorf("a request after shutdown gave %v, want -32600", err)
			}
		}
		e.notify("exit", nil)
		if got := <-e.ended; got != c.want {
			t.Errorf("exit code %d with shutdown=%v, want %d", got, c.shutdown, c.want)
		}
	}
}

func TestMissingFolderIsReported(t *testing.T) {
	folder := t.TempDir()
	e := start(t, deps(t, &cassette{}))
	e.initialize(fullClient(), folder, platformtest.Abs("/nowhere"))
	e.until("window/showMessage", func(raw json.RawMessage) bool { return strings.Contains(string(raw), "nowhere") })
	e.open("untitled:a.go", "go", "package a\n")
	if _, err := e.call("textDocument/codeLens", object{"textDocument": object{"uri": "untitled:a.go"}}); err != nil {
		t.Error(err)
	}
}

func TestEndOfInput(t *testing.T) {
	for input, want := range map[string]int{"": 0, "Content-Length: 10\r\n\r\n{": 1, "Content-Length: abc\r\n\r\n{}": 1} {
		e := start(t, deps(t, &cassette{}))
		e.raw(input)
		e.out.Close()
		if got := <-e.ended; got != want {
			t.Errorf("after %q the exit code is %d, want %d", input, got, want)
		}
	}
}

func TestEndOfInputStopsAStream(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	e := start(t, deps(t, &cassette{hold: hold, answers: map[model.Purpose][]reply{model.Ask: {{text: "x"}}}}))
	e.initialize(object{})
	e.request("tandem/ask", object{"question": "what?"})
	e.call("textDocument/codeLens", object{"textDocument": object{"uri": "x"}})
	e.out.Close()
	if got := <-e.ended; got != 0 {
		t.Errorf("exit code %d, want 0", got)
	}
}

// An echo engine completes with the text of the document.
type echo struct{ Completer }

func (echo) Complete(_ context.Context, snap *workspace.Snapshot, req inline.Request) (inline.Completions, error) {
	o, _ := snap.Overlay(req.URI)
	at := edits.Span{Start: req.Offset, End: req.Offset}
	return inline.Completions{Items: []inline.Completion{{ID: "1", URI: o.URI, Version: o.Version, Replace: at, Text: o.Text.String()}}}, nil
}

// TestCompletionSeesTheChangeBeforeIt sends changes and requests in one burst,
// in random order: each response uses the text before the request, or is empty
// when a newer request replaced it.
func TestCompletionSeesTheChangeBeforeIt(t *testing.T) {
	const bursts, uri = 1000, "untitled:burst.txt"
	d := deps(t, &cassette{none: true})
	open := d.Open
	d.Open = func(ctx context.Context, setup Setup) (*workspace.Session, UseCases, error) {
		session, use, err := open(ctx, setup)
		use.Completer = echo{use.Completer}
		return session, use, err
	}
	e := start(t, d)
	e.initialize(object{})
	e.open(uri, "plaintext", "start")
	random := rand.New(rand.NewPCG(1, 2))
	version, text, empty := 1, "start", 0
	for burst := range bursts {
		var frames strings.Builder
		frame := func(m object) {
			body, _ := json.Marshal(m)
			fmt.Fprintf(&frames, "Content-Length: %d\r\n\r\n%s", len(body), body)
		}
		type asked struct {
			back <-chan response
			want string
		}
		var all []asked
		for range 2 + random.IntN(4) {
			if random.IntN(2) == 0 {
				version++
				text = fmt.Sprintf("line %d %s", random.IntN(1000), strings.Repeat("é😀", random.IntN(5)))
				frame(object{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": object{
					"textDocument": object{"uri": uri, "version": version}, "contentChanges": []object{{"text": text}}}})
			}
			id, back := e.expect()
			frame(object{"jsonrpc": "2.0", "id": id, "method": "textDocument/inlineCompletion", "params": object{
				"textDocument": object{"uri": uri}, "position": object{"line": 0, "character": 1}, "context": object{"triggerKind": 2}}})
			all = append(all, asked{back, text})
		}
		e.raw(frames.String())
		for i, a := range all {
			got := <-a.back
			var list inlineList
			if err := json.Unmarshal(got.result, &list); err != nil {
				t.Fatalf("burst %d: %s %v", burst, got.result, got.err)
			}
			switch {
			case len(list.Items) == 1 && list.Items[0].InsertText == a.want:
			case len(list.Items) == 0 && i < len(all)-1:
				empty++
			default:
				t.Fatalf("burst %d, request %d of %d: saw %+v, want %q", burst, i+1, len(all), list.Items, a.want)
			}
		}
	}
	t.Logf("%d requests were superseded", empty)
}
