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

// instruction is what the user asks for.
const instruction = "change the number"

// A user has a workspace, and a model that answers as it is told and knows nothing of what is
// right; nothing of the home of whoever runs this is read or written.
type user struct {
	workspace   string
	tandem, dir string
	server      *httptest.Server
	editors     map[string]*editor // by format

	mu           sync.Mutex // guards all below
	path, answer string
}

// newUser is one below dir whose model may be asked for edits in each of the formats.
func newUser(tandem, dir string) (*user, error) {
	u := &user{workspace: filepath.Join(dir, "w"), tandem: tandem, dir: dir, editors: map[string]*editor{}}
	u.server = httptest.NewServer(http.HandlerFunc(u.model))
	for _, format := range formats {
		if err := os.WriteFile(u.config(format), []byte(client.Chatting(u.server.URL, fmt.Sprintf("edit_format = %q", format))), 0o600); err != nil {
			return nil, err
		}
	}
	return u, os.MkdirAll(filepath.Join(u.workspace, "src"), 0o755)
}

func (u *user) close() {
	for _, e := range u.editors {
		_ = e.Quit() // what it was asked for is over
	}
	u.server.Close()
}

func (u *user) config(format string) string { return filepath.Join(u.dir, format+".toml") }

// says is what the model says from now on to a request for a change of a file.
func (u *user) says(path, text string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.path, u.answer = path, text
}

// model answers a chat: a plan where one is asked for, else what it is told.
func (u *user) model(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	u.mu.Lock()
	text := u.answer
	if bytes.Contains(body, []byte("Plan the requested work")) {
		text = "1. [FAST] " + instruction + " | write: " + u.path + "\n"
	}
	u.mu.Unlock()
	client.Chat(w, r, text)
}

func (u *user) command(args ...string) *exec.Cmd {
	c := exec.Command(u.tandem, args...)
	c.Dir, c.Env = u.workspace, client.Home(u.dir)
	return c
}

// run runs the program with the model answering in a format.
func (u *user) run(format string, args ...string) (out, said string, code int, err error) {
	return client.Run(u.command(append(args, "--workspace", u.workspace, "--config", u.config(format))...))
}

// An editor is a client of tandem serve.
type editor struct {
	*client.Editor
	notes chan note
}

// A note is what an editor reads of tandem/proposal.
type note struct{ ID, State, Error string }

// editor starts a server.
func (u *user) editor(format string) (*editor, error) {
	e := &editor{notes: make(chan note, 1000)}
	var err error
	e.Editor, err = client.StartEditor(u.command("serve", "--stdio", "--config", u.config(format)), u.workspace, true, e.notified, "proposals")
	return e, err
}

func (e *editor) notified(method string, params json.RawMessage) any {
	var n note
	if method == "tandem/proposal" && json.Unmarshal(params, &n) == nil && slices.Contains([]string{"ready", "failed", "accepted"}, n.State) {
		e.notes <- n
	}
	return nil
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

// byteOrderMark is what an editor keeps to itself.
const byteOrderMark = "\ufeff"

// edit opens a file, has its lines from, from 0, up to to edited, accepts what fits, and
// returns the text that the editor would save, and what refused it.
func (e *editor) edit(path string, from, to int) (got, refused string, err error) {
	data, err := os.ReadFile(filepath.Join(e.Root, path))
	if err != nil {
		return "", "", err
	}
	text, marked := strings.CutPrefix(string(data), byteOrderMark)
	if err := e.Open(path, text); err != nil {
		return "", "", err
	}
	if refused, err = e.propose(path, client.Range{Start: client.Position{Line: from}, End: client.Position{Line: to}}); err != nil {
		return "", "", err
	}
	got = e.Text(path)
	if marked {
		got = byteOrderMark + got
	}
	return got, refused, e.Close(path)
}

// propose asks for a change of a range and accepts it.
func (e *editor) propose(path string, asked client.Range) (refused string, err error) {
	raw, failed := e.Call("tandem/edit", client.Object{"textDocument": e.Document(path), "range": asked, "instruction": instruction})
	if failed != nil {
		return failed.Error(), nil
	}
	var p struct{ ProposalID string }
	if err := json.Unmarshal(raw, &p); err != nil {
		return "", err
	}
	n, err := e.ended(p.ProposalID, "ready", "failed")
	if err != nil || n.State != "ready" {
		return n.Error, err
	}
	if _, failed := e.Call("tandem/resolve", client.Object{"id": p.ProposalID, "action": "accept"}); failed != nil {
		return failed.Error(), nil
	}
	_, err = e.ended(p.ProposalID, "accepted")
	return n.Error, err
}
