// Package roads is a user of tandem with a workspace and a model that answers as it is told,
// for the tools that judge what becomes of an answer on each road by which it is written: the
// command line, an editor and a task.
//
// **Invariant**: the model knows nothing of what is right; nothing of the user's own home is
// read or written.
package roads

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

// Instruction is what the user asks for.
const Instruction = "change the number"

// A Home is a user with a workspace.
type Home struct {
	Workspace   string
	tandem, dir string
	server      *httptest.Server

	mu           sync.Mutex // guards all below
	path, answer string
}

// New is a home below dir in which a model may be asked for edits in each of the formats.
func New(tandem, dir, workspace string, formats ...string) (*Home, error) {
	h := &Home{Workspace: workspace, tandem: tandem, dir: dir}
	h.server = httptest.NewServer(http.HandlerFunc(h.model))
	for _, format := range formats {
		text := fmt.Sprintf("fast = \"m\"\ndeep = \"m\"\n[models.m]\nprovider = \"p\"\nmodel = \"m\"\ncontext_window = 64000\nmax_output_tokens = 16000\nedit_format = %q\n[providers.p]\nbase_url = %q\nwire_api = \"chat\"\n", format, h.server.URL+"/v1")
		if err := os.WriteFile(h.config(format), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	return h, nil
}

func (h *Home) config(format string) string { return filepath.Join(h.dir, format+".toml") }

// Close ends the model.
func (h *Home) Close() { h.server.Close() }

// Answers is what the model says from now on to a request for a change of a file.
func (h *Home) Answers(path, text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.path, h.answer = path, text
}

// model answers a chat: a plan where one is asked for, else what it is told.
func (h *Home) model(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if r.Method != http.MethodPost {
		http.NotFound(w, r)
		return
	}
	h.mu.Lock()
	text := h.answer
	if bytes.Contains(body, []byte("Plan the requested work")) {
		text = "1. [FAST] " + Instruction + " | write: " + h.path + "\n"
	}
	h.mu.Unlock()
	content, _ := json.Marshal(text)
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%s},\"finish_reason\":null}]}\n\n", content)
	_, _ = io.WriteString(w, "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
}

func (h *Home) command(args ...string) *exec.Cmd {
	c := exec.Command(h.tandem, args...)
	c.Dir, c.Env = h.Workspace, client.Home(h.dir)
	return c
}

// Run runs the program with the model answering in a format.
func (h *Home) Run(format string, args ...string) (out, said string, code int, err error) {
	return client.Run(h.command(append(args, "--workspace", h.Workspace, "--config", h.config(format))...))
}

// An Editor is a client of tandem serve, with the texts of its documents.
type Editor struct {
	server *client.Server
	home   *Home

	mu    sync.Mutex // guards texts
	texts map[string]string
	notes chan Note
}

// A Note is what an editor reads of tandem/proposal.
type Note struct {
	ID, State, Error string
	Verdict          struct{ State, Reason string }
}

// Editor starts a server.
func (h *Home) Editor(format string) (*Editor, error) {
	e := &Editor{home: h, texts: map[string]string{}, notes: make(chan Note, 1000)}
	var err error
	if e.server, err = client.Start(h.command("serve", "--stdio", "--config", h.config(format)), e.handle); err != nil {
		return nil, err
	}
	return e, e.server.Initialize(h.Workspace, true, client.Object{"general": client.UTF8, "workspace": client.AppliesEdits, "experimental": client.Knows("proposals")})
}

// Quit ends the server.
func (e *Editor) Quit() error { return e.server.Quit() }

func (e *Editor) handle(method string, params json.RawMessage) any {
	switch method {
	case "tandem/proposal":
		var n Note
		if json.Unmarshal(params, &n) == nil && slices.Contains([]string{"ready", "failed", "accepted"}, n.State) {
			e.notes <- n
		}
	case "workspace/applyEdit":
		e.apply(params)
		return client.Object{"applied": true}
	}
	return nil
}

func (e *Editor) apply(params json.RawMessage) {
	list, err := client.DocumentChanges(params)
	if err != nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, c := range list {
		uri := c.TextDocument.URI
		e.texts[uri] = client.Edited(e.texts[uri], c.Edits)
		_ = e.server.ReplaceAll(uri, 2, e.texts[uri])
	}
}

// patience ends what waits for what never happens.
const patience = 2 * time.Minute

// ended waits for the end of a proposal.
func (e *Editor) ended(id string, states ...string) (Note, error) {
	late := time.After(patience)
	for {
		select {
		case n := <-e.notes:
			if n.ID == id && slices.Contains(states, n.State) {
				return n, nil
			}
		case <-late:
			return Note{}, errors.New("a proposal does not end")
		}
	}
}

// byteOrderMark is what an editor keeps to itself.
const byteOrderMark = "\ufeff"

// Edit opens a file, has its lines from, from 0, up to to edited, accepts what fits if accept is
// set, and returns the text that the editor would save. A refusal is a note with an error.
func (e *Editor) Edit(path string, from, to int, accept bool) (got string, n Note, err error) {
	name := filepath.Join(e.home.Workspace, path)
	data, err := os.ReadFile(name)
	if err != nil {
		return "", n, err
	}
	text, marked := strings.CutPrefix(string(data), byteOrderMark)
	uri := client.URI(name)
	e.mu.Lock()
	e.texts[uri] = text
	e.mu.Unlock()
	if err := e.server.Open(uri, "", 1, text); err != nil {
		return "", n, err
	}
	asked := client.Range{Start: client.Position{Line: from}, End: client.Position{Line: to}}
	raw, failed := e.server.Call("tandem/edit", client.Object{"textDocument": client.Object{"uri": uri}, "range": asked, "instruction": Instruction})
	if failed != nil {
		n.Error = failed.Error()
	} else {
		var p struct{ ProposalID string }
		if err := json.Unmarshal(raw, &p); err != nil {
			return "", n, err
		}
		if n, err = e.ended(p.ProposalID, "ready", "failed"); err != nil {
			return "", n, err
		}
		if n.State == "ready" && accept {
			if _, refused := e.server.Call("tandem/resolve", client.Object{"id": p.ProposalID, "action": "accept"}); refused != nil {
				n.Error = refused.Error()
			} else if _, err := e.ended(p.ProposalID, "accepted"); err != nil {
				return "", n, err
			}
		}
	}
	e.mu.Lock()
	got = e.texts[uri]
	e.mu.Unlock()
	if marked {
		got = byteOrderMark + got
	}
	return got, n, e.server.Closed(uri)
}
