package lsp

import (
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"tandem/workspace"
	"tandem/workspace/platformtest"
)

// TestFoldersOfAClient: the folders that a client opens, by the newest way in which it says them.
func TestFoldersOfAClient(t *testing.T) {
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
