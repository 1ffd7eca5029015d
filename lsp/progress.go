package lsp

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"

	"tandem/lsp/inert"
)

// A token identifies a progress: the client chose it, or the server made it. It is the JSON of a
// string or an integer; "" is none.
type token string

// UnmarshalJSON refuses what is no token of the protocol.
func (t *token) UnmarshalJSON(raw []byte) error {
	*t = ""
	if string(raw) == "null" {
		return nil
	}
	if _, err := strconv.ParseInt(string(raw), 10, 32); err != nil && raw[0] != '"' {
		return err
	}
	*t = token(raw)
	return nil
}

// MarshalJSON writes the token as the client knows it.
func (t token) MarshalJSON() ([]byte, error) { return []byte(t), nil }

// A progress is one piece of work that the user can see and stop.
type progress struct {
	peer   *peer
	token  token
	title  string
	cancel context.CancelFunc

	mu      sync.Mutex // guards all below
	given   bool       // the token is the client's own, and ends with its request
	shown   shown
	over    bool
	message string // the last one
}

// Shown is whether a client shows a progress.
type shown uint8

const (
	hidden shown = iota // it cannot, or has refused to
	asked               // it has not answered yet
	begun
)

// grantTime is how long a client may take to grant a progress: the work does not wait for it.
const grantTime = time.Minute

// progresses are the running ones, by token, so that the client can cancel.
type progresses struct {
	serial  atomic.Int64
	mu      sync.Mutex // guards running
	running map[string]*progress
}

// A progressValue begins, reports or ends a progress, as its kind says.
type progressValue struct {
	Kind        string `json:"kind"`
	Title       string `json:"title,omitzero"`
	Cancellable bool   `json:"cancellable,omitzero"`
	Message     string `json:"message,omitzero"`
}

type progressParams struct {
	Token token `json:"token"`
	Value any   `json:"value"`
}

// begin shows a piece of work under the client's own token, or under one that
// the server creates where the client can show it, as soon as the client has granted that. The
// context ends when the user cancels; done must be called.
func (to *peer) begin(ctx context.Context, given token, title string) (context.Context, *progress) {
	inner, cancel := context.WithCancel(ctx)
	p := &progress{peer: to, token: given, title: title, cancel: cancel}
	if p.given = given != ""; p.given {
		p.begin()
	} else {
		p.create()
	}
	return inner, p
}

// create asks for a progress under a token of the server's, where the client can show one; p.mu is
// held, or p is new.
func (p *progress) create() {
	if p.peer.client.Takes(protocol.MethodWindowWorkDoneProgressCreate) {
		p.token, p.shown = token(fmt.Sprintf(`"tandem-%d"`, p.peer.progresses.serial.Add(1))), asked
		p.peer.group.Go("ask for a progress", p.ask)
	}
}

// moveOn ends the progress under the client's token before the answer that ends the token, and
// goes on under one of the server's.
func (p *progress) moveOn() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over || !p.given {
		return
	}
	p.end()
	p.given, p.shown = false, hidden
	p.create()
}

// ask asks the client to show the progress.
func (p *progress) ask(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, grantTime)
	defer cancel()
	err := p.peer.call(ctx, protocol.MethodWindowWorkDoneProgressCreate, map[string]any{"token": p.token}, nil)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		p.shown = hidden
		return
	}
	p.begin()
	if p.over {
		p.end()
	} else if p.message != "" {
		p.send()
	}
}

// begin has the client show the progress; p.mu is held, or p is new.
func (p *progress) begin() {
	p.shown = begun
	p.peer.progresses.add(p)
	p.post("begin", progressValue{Kind: "begin", Title: p.title, Cancellable: true})
}

// post sends a beginning or an end. Under the client's token it is sent at once, so that it comes
// before the answer.
func (p *progress) post(when string, value progressValue) {
	key, params := p.key()+" "+when, progressParams{p.token, value}
	p.peer.notifications.put(key, protocol.MethodProgress, func() any { return params })
	if p.given {
		p.peer.notifications.flush(key)
	}
}

// send sends the last message; p.mu is held.
func (p *progress) send() {
	params := progressParams{p.token, progressValue{Kind: "report", Message: inert.Message(p.message)}}
	p.peer.notifications.put(p.key(), protocol.MethodProgress, func() any { return params })
}

// end has the client show it no more; p.mu is held.
func (p *progress) end() {
	p.peer.progresses.remove(p)
	p.peer.notifications.remove(p.key())
	p.post("end", progressValue{Kind: "end", Message: inert.Message(p.message)})
}

func (p *progress) key() string { return "progress " + string(p.token) }

// report shows the current state; only the latest report needs to arrive.
func (p *progress) report(message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.message = message; p.shown == begun && !p.over {
		p.send()
	}
}

// done ends the progress with a last message.
func (p *progress) done(message string) {
	p.cancel()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return
	}
	p.over, p.message = true, message
	if p.shown == begun {
		p.end()
	}
}

func (r *progresses) add(p *progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running == nil {
		r.running = map[string]*progress{}
	}
	r.running[p.key()] = p
}

func (r *progresses) remove(p *progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.running, p.key())
}

type progressCancelParams struct {
	Token token `json:"token"`
}

// cancel answers window/workDoneProgress/cancel.
func (r *progresses) cancel(p *progressCancelParams) error {
	r.mu.Lock()
	found := r.running[(&progress{token: p.Token}).key()]
	r.mu.Unlock()
	if found != nil {
		found.cancel()
	}
	return nil
}
