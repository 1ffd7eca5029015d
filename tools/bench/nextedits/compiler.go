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

// A compiler is a language server that reports what is wrong in documents: gopls, the
// TypeScript compiler or pyright.
type compiler struct {
	*client.Server
	root     string
	language string // as editors name it
	versions map[string]int
	texts    map[string]string // of the open documents
}

// A problem is one error as a language server reports it.
type problem struct {
	Range    span            `json:"range"`
	Severity int             `json:"severity"`
	Code     json.RawMessage `json:"code,omitempty"`
	Source   string          `json:"source,omitempty"`
	Message  string          `json:"message"`
}

// A span is a range as editors write it.
type span struct {
	Start point `json:"start"`
	End   point `json:"end"`
}

type point struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// startCompiler starts a language server on a folder.
func startCompiler(argv []string, root, language string) (*compiler, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = root
	var settings any = map[string]any{"pullDiagnostics": true}
	running, err := client.Start(cmd, func(method string, params json.RawMessage) any {
		if method != "workspace/configuration" {
			return nil
		}
		var asked struct{ Items []any }
		_ = json.Unmarshal(params, &asked) // none asked, none answered
		out := make([]any, len(asked.Items))
		for i := range out {
			out[i] = settings
		}
		return out
	})
	if err != nil {
		return nil, err
	}
	c := &compiler{Server: running, root: root, language: language, versions: map[string]int{}, texts: map[string]string{}}
	_, err = c.Call("initialize", map[string]any{"processId": nil, "rootUri": fileURI(root), "initializationOptions": settings,
		"workspaceFolders": []any{map[string]any{"uri": fileURI(root), "name": "bench"}},
		"capabilities": map[string]any{"textDocument": map[string]any{"diagnostic": map[string]any{}, "publishDiagnostics": map[string]any{}},
			"workspace": map[string]any{"configuration": true, "workspaceFolders": true}}})
	if err == nil {
		err = c.Notify("initialized", map[string]any{})
	}
	return c, err
}

func fileURI(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

func (c *compiler) uri(path string) string { return fileURI(filepath.Join(c.root, path)) }

// set opens a document or replaces its text.
func (c *compiler) set(path, text string) error {
	if was, open := c.texts[path]; open && was == text {
		return nil
	}
	c.texts[path] = text
	c.versions[path]++
	if v := c.versions[path]; v > 1 {
		return c.Notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": c.uri(path), "version": v}, "contentChanges": []any{map[string]any{"text": text}}})
	}
	return c.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": c.uri(path), "languageId": c.language, "version": 1, "text": text}})
}

// restore gives the open documents the texts that a tree has. They stay open: a server drops
// a project with its last open document, and to load it again takes longer than to check.
func (c *compiler) restore(tree *memory) error {
	for path := range c.texts {
		if text, ok := tree.texts[path]; ok {
			if err := c.set(path, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// severityError is an error's severity.
const severityError = 1

// errors are the errors of a document.
func (c *compiler) errors(path string) ([]problem, error) {
	reply, err := c.Call("textDocument/diagnostic", map[string]any{"textDocument": map[string]any{"uri": c.uri(path)}})
	if err != nil {
		return nil, fmt.Errorf("the errors of %s: %w", path, err)
	}
	var list struct{ Items []problem }
	if err := json.Unmarshal(reply, &list); err != nil {
		return nil, err
	}
	var out []problem
	for _, p := range list.Items {
		if p.Severity == severityError {
			out = append(out, p)
		}
	}
	return out, nil
}

// appeared are the errors that were not there before, by message.
func appeared(before, now []problem) (out []problem) {
	count := map[string]int{}
	for _, p := range before {
		count[p.Message]++
	}
	for _, p := range now {
		if count[p.Message]--; count[p.Message] < 0 {
			out = append(out, p)
		}
	}
	return out
}

// relative is the path of a document below a folder, its URI if it is not there.
func relative(root, uri string) string {
	u, err := url.Parse(uri)
	if err != nil {
		return uri
	}
	if rest, ok := strings.CutPrefix(u.Path, root+"/"); ok {
		return rest
	}
	return uri
}
