package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"net/url"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// A goplsSession is one gopls process that answers all requests.
type goplsSession struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	next int
	dir  string
}

// startGopls starts gopls on a folder.
func startGopls(program, dir string) (*goplsSession, error) {
	cmd := exec.Command(program, "serve")
	cmd.Dir = dir
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &goplsSession{cmd: cmd, in: in, out: bufio.NewReader(out), dir: dir}
	root := fileURI(dir)
	if _, err := s.call("initialize", map[string]any{"rootUri": root, "capabilities": map[string]any{},
		"workspaceFolders": []any{map[string]any{"uri": root, "name": "bench"}}}); err != nil {
		return nil, err
	}
	return s, s.send(map[string]any{"jsonrpc": "2.0", "method": "initialized", "params": map[string]any{}})
}

func fileURI(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

func (s *goplsSession) send(message any) error {
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

// call sends a request and waits for the response. Requests from gopls get an empty
// response meanwhile.
func (s *goplsSession) call(method string, params any) (json.RawMessage, error) {
	s.next++
	if err := s.send(map[string]any{"jsonrpc": "2.0", "id": s.next, "method": method, "params": params}); err != nil {
		return nil, err
	}
	for {
		header, err := textproto.NewReader(s.out).ReadMIMEHeader()
		if err != nil {
			return nil, err
		}
		n, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil {
			return nil, err
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(s.out, body); err != nil {
			return nil, err
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if err := json.Unmarshal(body, &m); err != nil {
			return nil, err
		}
		switch {
		case m.Method != "" && len(m.ID) > 0:
			var none any
			if m.Method == "workspace/configuration" {
				none = []any{nil}
			}
			if err := s.send(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": none}); err != nil {
				return nil, err
			}
		case m.Method == "" && string(m.ID) == strconv.Itoa(s.next):
			if m.Error != nil {
				return nil, fmt.Errorf("%s: %s", method, m.Error.Message)
			}
			return m.Result, nil
		}
	}
}

// references returns the places that gopls lists, as path:line:column.
func (s *goplsSession) references(path string, line, column int) (map[string]bool, error) {
	reply, err := s.call("textDocument/references", map[string]any{
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

// close ends gopls.
func (s *goplsSession) close() {
	s.in.Close()
	_ = s.cmd.Process.Kill() // it has nothing to lose
	_ = s.cmd.Wait()
}
