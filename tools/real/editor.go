package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"tandem/tools/client"
)

// configuration is what the settings' page tells users of llama.cpp to write.
const configuration = `fast = "mine"
models.mine.provider = "llamacpp"
providers.llamacpp.base_url = "%s"
`

// An editor has one document open in tandem, asks after each key as editors do, and again
// where tandem says that something better is ready.
type editor struct {
	*client.Editor
	home, path string

	mu      sync.Mutex // guards all below
	at      int        // the cursor
	pending int64
	texts   []shownText

	why atomic.Value // string: the reason of the last status
}

func startEditor(program, address, dir, path, before, after string) (*editor, error) {
	home, env, err := userHome(address)
	if err != nil {
		return nil, err
	}
	e := &editor{home: home, path: path, at: len(before)}
	if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(path)), []byte(before+after), 0o644); err != nil {
		return nil, err
	}
	command := exec.Command(program, "serve", "--stdio")
	command.Env = env
	if e.Editor, err = client.StartEditor(command, dir, false, e.notified, "inline", "status"); err != nil {
		return nil, err
	}
	return e, e.Open(path, before+after)
}

// userHome is a home of its own for tandem, configured for one server; "" is none.
func userHome(address string) (dir string, env []string, err error) {
	if dir, err = os.MkdirTemp("", "tandem-real"); err != nil {
		return "", nil, err
	}
	if address != "" {
		err = client.Configure(dir, fmt.Sprintf(configuration, address))
	}
	return dir, client.Home(dir), err
}

func (e *editor) notified(method string, params json.RawMessage) any {
	var ready struct{ Version int }
	if method == "tandem/inlineReady" && json.Unmarshal(params, &ready) == nil {
		go e.askAgain(ready.Version) // a handler must not wait
	}
	var status struct{ Reason string }
	if method == "tandem/status" && json.Unmarshal(params, &status) == nil {
		e.why.Store(status.Reason)
	}
	return nil
}

func (e *editor) reason() string {
	why, _ := e.why.Load().(string)
	return why
}

func (e *editor) key(before, typed string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	at := len(before) - len(typed)
	e.at, e.texts = len(before), nil
	if err := e.Cancel(e.pending); err != nil {
		return err
	}
	if err := e.Replace(e.path, at, at, typed); err != nil {
		return err
	}
	return e.ask()
}

func (e *editor) askAgain(version int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.Document(e.path)["version"] == version && e.pending == 0 {
		_ = e.ask() // a server that has ended is found at the next key
	}
}

// ask asks for what follows; the lock is held.
func (e *editor) ask() error {
	id, back, err := e.AskInline(e.path, e.at, client.Automatic)
	if err != nil {
		return err
	}
	e.pending = id
	go func() {
		reply := <-back
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.pending != id {
			return
		}
		e.pending = 0
		s, err := e.Suggested(e.path, reply.Result)
		if err != nil || s == nil {
			return
		}
		if text := strings.TrimPrefix(s.Text, e.Text(e.path)[min(s.Start, e.at):e.at]); text != "" { // behind the cursor
			e.texts = append(e.texts, shownText{text, reply.At})
		}
	}()
	return nil
}

func (e *editor) shown() []shownText {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.texts
}

func (e *editor) close() {
	if e.Server != nil {
		_ = e.Quit() // what it was measured for is over
		_ = os.RemoveAll(e.home)
		e.Server = nil
	}
}

// A plain client is what a person writes in an hour: the lines around the cursor, no other
// file, the end of the line as the end.
type plain struct {
	server *server
	after  string
	parent context.Context

	mu     sync.Mutex // guards all below
	cancel context.CancelFunc
	keys   int
	texts  []shownText
}

func startPlain(ctx context.Context, s *server, before, after string) (*plain, error) {
	p := &plain{server: s, after: after, parent: ctx, cancel: func() {}}
	return p, p.key(before, "")
}

// plainTokens bounds what the plain client asks for.
const plainTokens = 48

// What it shows of the file.
const (
	linesBefore = 60
	linesAfter  = 10
)

func (p *plain) key(before, _ string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cancel()
	var ctx context.Context
	ctx, p.cancel = context.WithCancel(p.parent)
	p.keys++
	p.texts = nil
	go func(key int) {
		said, err := p.server.complete(ctx, fill(lastLines(before, linesBefore), firstLines(p.after, linesAfter)), plainTokens, "\n")
		p.mu.Lock()
		defer p.mu.Unlock()
		if err == nil && key == p.keys && utf8.ValidString(said.Content) {
			p.texts = append(p.texts, shownText{said.Content, time.Now()})
		}
	}(p.keys)
	return nil
}

func (p *plain) shown() []shownText {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.texts
}

func (p *plain) reason() string { return "" }

func (p *plain) close() { p.cancel() }
