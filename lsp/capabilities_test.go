package lsp

import (
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"tandem/workspace"
	"tandem/workspace/platformtest"
)

// TestCapabilitiesOfAClient: each capability that the server reads is read from its place, and says
// what a client is sent and nothing else.
func TestCapabilitiesOfAClient(t *testing.T) {
	said := map[string]func(*Client) bool{
		"appliesEdits": (*Client).appliesEdits, "versionsEdits": (*Client).versionsEdits, "hasActionLiterals": (*Client).hasActionLiterals,
		"resolvesEdits": (*Client).resolvesEdits, "acceptsByAction": (*Client).acceptsByAction, "prefersMarkdown": (*Client).prefersMarkdown,
		"opensTexts": (*Client).opensTexts, "asksForInline": (*Client).asksForInline, "watchesFiles": (*Client).watchesFiles, "watchesSettings": (*Client).watchesSettings,
		"create": func(c *Client) bool { return c.appliesOperation("create") }, "delete": func(c *Client) bool { return c.appliesOperation("delete") },
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
		var p initializeParams
		if err := protocol.Unmarshal([]byte(`{"capabilities":`+text+`}`), &p); err != nil {
			t.Fatal(text, err)
		}
		c := clientOf(&p)
		got := []string{}
		for name, is := range said {
			if is(&c) {
				got = append(got, name)
			}
		}
		for method := range sends {
			if c.takes(method) {
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
	for text, want := range map[string][]string{
		`{"workspaceFolders":[{"uri":"file:///a"},{"uri":"untitled:b.go"},{"uri":"file:///c"}],"rootUri":"file:///d"}`: {platformtest.Abs("/a"), platformtest.Abs("/c")},
		`{"workspaceFolders":[],"rootUri":"file:///d"}`:                                                                nil,
		`{"rootUri":"file:///d","rootPath":"/e"}`:                                                                      {platformtest.Abs("/d")},
		`{"rootUri":"untitled:d.go","rootPath":"/e"}`:                                                                  {"/e"},
		`{"workspaceFolders":null,"rootUri":null,"rootPath":"/e"}`:                                                     {"/e"},
		`{"rootPath":""}`: nil,
		`{}`:              nil,
	} {
		var p initializeParams
		text = strings.ReplaceAll(text, "file:///", workspace.URIOf(platformtest.Abs("/")))
		if err := protocol.Unmarshal([]byte(text), &p); err != nil {
			t.Fatal(text, err)
		}
		if got := p.folders(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
