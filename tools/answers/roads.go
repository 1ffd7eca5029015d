package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/tools/client"
)

// A road is one way by which an answer is written.
type road struct {
	name  string
	whole bool // the model is asked about the file, and not about a part of it
	take  func(h *home, a *answer) (said string, err error)
}

var roads = []road{
	{"edit", false, (*home).print},
	{"edit --write", false, func(h *home, a *answer) (string, error) {
		_, said, err := h.run("edit", h.marked(a), "change the number", "--write", "--config", h.config(a.format))
		return said, err
	}},
	{"editor", false, (*home).inEditor},
	{"task", true, func(h *home, a *answer) (string, error) {
		_, said, err := h.run("edit", a.path, "change the number", "--deep", "--write", "--yes", "--config", h.config(a.format))
		return said, err
	}},
}

// A home is a user with a workspace and a model that answers as it is told.
type home struct {
	tandem, dir, workspace string
	server                 *httptest.Server
	editors                map[string]*editor // by format

	mu     sync.Mutex // guards answer
	answer *answer
}

func newHome(tandem, dir string) (*home, error) {
	h := &home{tandem: tandem, dir: dir, workspace: filepath.Join(dir, "w"), editors: map[string]*editor{}}
	h.server = httptest.NewServer(http.HandlerFunc(h.model))
	for _, format := range formats {
		text := fmt.Sprintf("fast = \"m\"\ndeep = \"m\"\n[models.m]\nprovider = \"p\"\nmodel = \"m\"\ncontext_window = 64000\nmax_output_tokens = 4000\nedit_format = %q\n[providers.p]\nbase_url = %q\nwire_api = \"chat\"\n", format, h.server.URL+"/v1")
		if err := os.WriteFile(h.config(format), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	return h, os.MkdirAll(filepath.Join(h.workspace, "src"), 0o755)
}

func (h *home) config(format string) string { return filepath.Join(h.dir, format+".toml") }

func (h *home) close() {
	for _, e := range h.editors {
		_ = e.Quit()
	}
	h.server.Close()
}

// model answers a chat: a plan where one is asked for, else what it is told.
func (h *home) model(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if r.Method != http.MethodPost {
		http.NotFound(w, r)
		return
	}
	h.mu.Lock()
	text := h.answer.text
	if bytes.Contains(body, []byte("Plan the requested work")) {
		text = "1. [FAST] change the number | write: " + h.answer.path + "\n"
	}
	h.mu.Unlock()
	content, _ := json.Marshal(text)
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%s},\"finish_reason\":null}]}\n\n", content)
	_, _ = io.WriteString(w, "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
}

// try has an answer taken by a road, and returns the text on disk and what was said.
func (h *home) try(r road, a *answer) (got, said string, err error) {
	name := filepath.Join(h.workspace, a.path)
	if err := os.WriteFile(name, []byte(a.disk(a.lines)), 0o600); err != nil {
		return "", "", err
	}
	defer os.Remove(name)
	h.mu.Lock()
	h.answer = a
	h.mu.Unlock()
	if said, err = r.take(h, a); err != nil {
		return "", said, err
	}
	data, err := os.ReadFile(name)
	return string(data), said, err
}

func (h *home) marked(a *answer) string { return fmt.Sprintf("%s:%d-%d", a.path, a.from+1, a.to) }

func (h *home) command(args ...string) *exec.Cmd {
	c := exec.Command(h.tandem, args...)
	c.Dir = h.workspace
	c.Env = append(os.Environ(), "HOME="+h.dir, "XDG_CONFIG_HOME="+h.dir+"/config", "XDG_STATE_HOME="+h.dir+"/state", "XDG_CACHE_HOME="+h.dir+"/cache", "XDG_DATA_HOME="+h.dir+"/data", "DBUS_SESSION_BUS_ADDRESS=")
	return c
}

func (h *home) run(args ...string) (out, said string, err error) {
	c := h.command(append(args, "--workspace", h.workspace)...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	err = c.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil
	}
	return stdout.String(), stderr.String(), err
}

// print has the change printed, which must write nothing, and git apply it.
func (h *home) print(a *answer) (string, error) {
	diff, said, err := h.run("edit", h.marked(a), "change the number", "--config", h.config(a.format))
	if err != nil {
		return said, err
	}
	if now, err := os.ReadFile(filepath.Join(h.workspace, a.path)); err != nil || string(now) != a.disk(a.lines) {
		return said, fmt.Errorf("a change that was printed only is written: %w", err)
	}
	if diff == "" {
		return said, nil
	}
	c := exec.Command("git", "apply", "--unidiff-zero", "-")
	c.Dir, c.Stdin = h.workspace, strings.NewReader(diff)
	c.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+h.dir)
	if out, err := c.CombinedOutput(); err != nil {
		return said, fmt.Errorf("git apply: %w\n%s\n%s", err, out, diff)
	}
	return said, nil
}

// An editor is a client of tandem serve that saves what it is asked to apply.
type editor struct {
	*client.Server
	home *home

	mu    sync.Mutex // guards all below
	texts map[string]string
	notes chan note
}

// A note is what an editor reads of tandem/proposal.
type note struct{ ID, State, Error string }

func (h *home) editor(format string) (*editor, error) {
	if e := h.editors[format]; e != nil {
		return e, nil
	}
	e := &editor{home: h, texts: map[string]string{}, notes: make(chan note, 1000)}
	var err error
	if e.Server, err = client.Start(h.command("serve", "--stdio", "--config", h.config(format)), e.handle); err != nil {
		return nil, err
	}
	h.editors[format] = e
	root := "file://" + h.workspace
	if _, err = e.Call("initialize", map[string]any{
		"processId": nil, "rootUri": root, "workspaceFolders": []any{map[string]any{"uri": root, "name": "w"}}, "initializationOptions": map[string]any{"trusted": true},
		"capabilities": map[string]any{
			"general":      map[string]any{"positionEncodings": []string{"utf-8"}},
			"workspace":    map[string]any{"applyEdit": true, "workspaceEdit": map[string]any{"documentChanges": true}},
			"experimental": map[string]any{"tandem": map[string]any{"proposals": true}},
		},
	}); err != nil {
		return nil, err
	}
	return e, e.Notify("initialized", map[string]any{})
}

func (e *editor) handle(method string, params json.RawMessage) any {
	switch method {
	case "tandem/proposal":
		var n note
		if json.Unmarshal(params, &n) == nil && slices.Contains([]string{"ready", "failed", "accepted"}, n.State) {
			e.notes <- n
		}
	case "workspace/applyEdit":
		e.apply(params)
		return map[string]any{"applied": true}
	}
	return nil
}

func (e *editor) apply(params json.RawMessage) {
	type place struct{ Line, Character int }
	var p struct {
		Edit struct {
			DocumentChanges []struct {
				TextDocument struct{ URI string }
				Edits        []struct {
					Range   struct{ Start, End place }
					NewText string
				}
			}
		}
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, c := range p.Edit.DocumentChanges {
		text := e.texts[c.TextDocument.URI]
		at := func(p place) int { return client.Offset(text, p.Line, p.Character) }
		slices.SortStableFunc(c.Edits, func(x, y struct {
			Range   struct{ Start, End place }
			NewText string
		}) int {
			return at(y.Range.Start) - at(x.Range.Start)
		})
		for _, d := range c.Edits {
			text = text[:at(d.Range.Start)] + d.NewText + text[at(d.Range.End):]
		}
		e.texts[c.TextDocument.URI] = text
		_ = e.Notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": c.TextDocument.URI, "version": 2}, "contentChanges": []any{map[string]any{"text": text}}})
	}
}

// patience ends what waits for what never happens.
const patience = 2 * time.Minute

// ended waits for the end of a proposal.
func (e *editor) ended(id string, states ...string) (note, error) {
	late := time.After(patience)
	for {
		select {
		case n := <-e.notes:
			if n.ID == id && slices.Contains(states, n.State) {
				return n, nil
			}
		case <-late:
			return note{}, errors.New("a proposal does not end")
		}
	}
}

// inEditor opens the file, has the marked function edited, accepts and saves.
func (h *home) inEditor(a *answer) (string, error) {
	e, err := h.editor(a.format)
	if err != nil {
		return "", err
	}
	name := filepath.Join(h.workspace, a.path)
	uri := "file://" + name
	e.mu.Lock()
	e.texts[uri] = strings.TrimPrefix(a.disk(a.lines), a.mark) // an editor keeps the mark to itself
	e.mu.Unlock()
	document := map[string]any{"uri": uri}
	if err := e.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "", "version": 1, "text": strings.TrimPrefix(a.disk(a.lines), a.mark)}}); err != nil {
		return "", err
	}
	raw, err := e.Call("tandem/edit", map[string]any{"textDocument": document, "range": map[string]any{"start": map[string]any{"line": a.from, "character": 0}, "end": map[string]any{"line": a.to, "character": 0}}, "instruction": "change the number"})
	said := ""
	if err == nil {
		var p struct{ ProposalID string }
		if err := json.Unmarshal(raw, &p); err != nil {
			return "", err
		}
		n, err := e.ended(p.ProposalID, "ready", "failed")
		if err != nil {
			return "", err
		}
		if said = n.Error; n.State == "ready" {
			if _, err := e.Call("tandem/resolve", map[string]any{"id": p.ProposalID, "action": "accept"}); err != nil {
				said = err.Error()
			} else if _, err := e.ended(p.ProposalID, "accepted"); err != nil {
				return "", err
			}
		}
	} else {
		said = err.Error()
	}
	e.mu.Lock()
	got := e.texts[uri]
	e.mu.Unlock()
	if err := e.Notify("textDocument/didClose", map[string]any{"textDocument": document}); err != nil {
		return "", err
	}
	return said, os.WriteFile(name, []byte(a.mark+got), 0o600)
}
