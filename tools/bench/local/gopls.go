package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"

	"tandem/tools/client"
)

// A goplsSession is one gopls process that answers all requests.
type goplsSession struct {
	*client.Server
	dir string
}

// startGopls starts gopls on a folder.
func startGopls(program, dir string) (*goplsSession, error) {
	cmd := exec.Command(program, "serve")
	cmd.Dir = dir
	server, err := client.Start(cmd, func(method string, _ json.RawMessage) any {
		if method == "workspace/configuration" {
			return []any{nil}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s := &goplsSession{server, dir}
	root := fileURI(dir)
	if _, err := s.Call("initialize", map[string]any{"rootUri": root, "capabilities": map[string]any{},
		"workspaceFolders": []any{map[string]any{"uri": root, "name": "bench"}}}); err != nil {
		return nil, err
	}
	return s, s.Notify("initialized", map[string]any{})
}

func fileURI(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

// references returns the places that gopls lists, as path:line:column.
func (s *goplsSession) references(path string, line, column int) (map[string]bool, error) {
	reply, err := s.Call("textDocument/references", map[string]any{
		"textDocument": map[string]any{"uri": fileURI(filepath.Join(s.dir, path))},
		"position":     map[string]any{"line": line - 1, "character": column - 1},
		"context":      map[string]any{"includeDeclaration": false},
	})
	if err != nil {
		return nil, err
	}
	var list []struct {
		URI   string
		Range struct{ Start struct{ Line, Character int } }
	}
	if err := json.Unmarshal(reply, &list); err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for _, l := range list {
		if rel, ok := strings.CutPrefix(l.URI, fileURI(s.dir)+"/"); ok {
			out[fmt.Sprintf("%s:%d:%d", rel, l.Range.Start.Line+1, l.Range.Start.Character+1)] = true
		}
	}
	return out, nil
}
