package lsp

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"tandem/workspace"
	"tandem/workspace/platformtest"
)

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
		`{"workspaceFolders":[{"uri":"file:///a"},{"uri":"untitled:b"},{"uri":"file:///c"}],"rootUri":"file:///d"}`: {platformtest.Abs("/a"), platformtest.Abs("/c")},
		`{"workspaceFolders":[],"rootUri":"file:///d"}`:                                                             nil,
		`{"rootUri":"file:///d","rootPath":"/e"}`:                                                                   {platformtest.Abs("/d")},
		`{"rootUri":"untitled:d","rootPath":"/e"}`:                                                                  {"/e"},
		`{"workspaceFolders":null,"rootUri":null,"rootPath":"/e"}`:                                                  {"/e"},
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
