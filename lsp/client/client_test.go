package client

import (
	"slices"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// TestCapabilitiesOfAClient: each capability that the server reads is read from its place, and says
// what a client is sent and nothing else.
func TestCapabilitiesOfAClient(t *testing.T) {
	said := map[string]func(*Client) bool{
		"appliesEdits": (*Client).AppliesEdits, "versionsEdits": (*Client).VersionsEdits, "hasActionLiterals": (*Client).HasActionLiterals,
		"resolvesEdits": (*Client).ResolvesEdits, "acceptsByAction": (*Client).AcceptsByAction, "prefersMarkdown": (*Client).PrefersMarkdown,
		"opensTexts": (*Client).OpensTexts, "asksForInline": (*Client).AsksForInline, "watchesFiles": (*Client).WatchesFiles, "watchesSettings": (*Client).WatchesSettings,
		"create": func(c *Client) bool { return c.AppliesOperation("create") }, "delete": func(c *Client) bool { return c.AppliesOperation("delete") },
	}
	everybody := []string{"$/progress", "didChangeStatus", "textDocument/publishDiagnostics", "window/showMessage", "window/showMessageRequest"}
	for text, want := range map[string][]string{
		`{}`:                               nil,
		`{"workspace":{"applyEdit":true}}`: {"appliesEdits", "workspace/applyEdit"},
		`{"workspace":{"workspaceEdit":{"documentChanges":true}}}`:                                           {"versionsEdits"},
		`{"workspace":{"workspaceEdit":{"resourceOperations":["create","rename"]}}}`:                         {"create"},
		`{"workspace":{"workspaceEdit":{"resourceOperations":["delete"]}}}`:                                  {"delete"},
		`{"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true}}}`:                               {"client/registerCapability", "watchesFiles"},
		`{"workspace":{"didChangeConfiguration":{"dynamicRegistration":true}}}`:                              {"client/registerCapability", "watchesSettings"},
		`{"workspace":{"textDocumentContent":{}}}`:                                                           nil,
		`{"workspace":{"textDocumentContent":{}},"window":{"showDocument":{"support":true}}}`:                {"opensTexts", "window/showDocument"},
		`{"workspace":{"codeLens":{"refreshSupport":true}}}`:                                                 {"workspace/codeLens/refresh"},
		`{"textDocument":{"codeLens":{}}}`:                                                                   nil,
		`{"textDocument":{"inlineCompletion":{}}}`:                                                           {"asksForInline"},
		`{"textDocument":{"hover":{"contentFormat":["plaintext","markdown"]}}}`:                              nil,
		`{"textDocument":{"hover":{"contentFormat":["markdown","plaintext"]}}}`:                              {"prefersMarkdown"},
		`{"textDocument":{"codeAction":{"codeActionLiteralSupport":{}}}}`:                                    {"acceptsByAction", "hasActionLiterals"},
		`{"workspace":{"applyEdit":true},"textDocument":{"codeAction":{"codeActionLiteralSupport":{}}}}`:     {"appliesEdits", "hasActionLiterals", "workspace/applyEdit"},
		`{"textDocument":{"codeAction":{"dataSupport":true,"resolveSupport":{"properties":["edit"]}}}}`:      {"resolvesEdits"},
		`{"textDocument":{"codeAction":{"resolveSupport":{"properties":["edit"]}}}}`:                         nil,
		`{"window":{"workDoneProgress":true}}`:                                                               {"window/workDoneProgress/create"},
		`{"experimental":{"tandem":{"proposals":true,"jumps":true}}}`:                                        {"tandem/proposal"},
		`{"experimental":{"tandem":{"status":true,"tasks":true,"inline":true,"notices":true,"other":true}}}`: {"tandem/inlineMark", "tandem/inlineReady", "tandem/notice", "tandem/status", "tandem/task"},
	} {
		var can Capabilities
		if err := protocol.Unmarshal([]byte(text), &can); err != nil {
			t.Fatal(text, err)
		}
		c := Of("", can)
		got := []string{}
		for name, is := range said {
			if is(&c) {
				got = append(got, name)
			}
		}
		for method := range sends {
			if c.Takes(method) {
				got = append(got, method)
			}
		}
		want = append(want, everybody...)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestNothingElseEncodes: what a client has not let pass has no JSON, whatever it is.
func TestNothingElseEncodes(t *testing.T) {
	var can Capabilities
	can.Workspace.ApplyEdit = true
	c, none := Of("", can), Of("", Capabilities{})
	passed, err := c.Params(protocol.MethodWorkspaceApplyEdit, map[string]any{"edit": nil})
	if raw, encoded := Encode(passed); err != nil || encoded != nil || string(raw) != `{"edit":null}` {
		t.Errorf("what passed is %s, %v, %v", raw, err, encoded)
	}
	if raw, err := Encode(none.Result([]int{1})); err != nil || string(raw) != "[1]" {
		t.Errorf("a result is %s, %v", raw, err)
	}
	for _, method := range []string{protocol.MethodWorkspaceApplyEdit, "tandem/status", "window/unknown"} {
		if _, err := none.Params(method, 1); err == nil {
			t.Errorf("%s passed a client that announced nothing", method)
		}
	}
	for _, v := range []any{nil, 1, "a", map[string]any{}, jsonrpc2.RawMessage("1"), &protocol.ShowMessageParams{}, &passed} {
		if raw, err := Encode(v); err == nil {
			t.Errorf("%T is %s", v, raw)
		}
	}
}
