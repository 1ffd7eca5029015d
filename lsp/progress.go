package lsp

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"

	"go.lsp.dev/protocol"

	"tandem/lsp/inert"
)

// A token identifies a progress: the client chose it, or the server made it.
type token any

// A progress is one piece of work that the user can see and stop.
type progress struct {
	peer    *peer
	token   token
	isShown bool
	cancel  context.CancelFunc
}

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
// the server creates where the client can show it. The context ends when the
// user cancels; done must be called.
func (to *peer) begin(ctx context.Context, given token, title string) (context.Context, *progress) {
	inner, cancel := context.WithCancel(ctx)
	p := &progress{peer: to, token: given, isShown: given != nil, cancel: cancel}
	if given == nil && to.client.progress {
		p.token = "tandem-" + strconv.FormatInt(to.progresses.serial.Add(1), 10)
		err := to.call(ctx, protocol.MethodWindowWorkDoneProgressCreate, map[string]any{"token": p.token}, nil)
		p.isShown = err == nil
	}
	if p.isShown {
		to.progresses.add(p)
		to.notifications.post(protocol.MethodProgress, progressParams{p.token, progressValue{Kind: "begin", Title: title, Cancellable: true}})
	}
	return inner, p
}

func (p *progress) key() string { return fmt.Sprintf("progress %T %v", p.token, p.token) }

// report shows the current state; only the latest report needs to arrive.
func (p *progress) report(message string) {
	if p.isShown {
		params := progressParams{p.token, progressValue{Kind: "report", Message: inert.Message(message)}}
		p.peer.notifications.put(p.key(), protocol.MethodProgress, func() any { return params })
	}
}

// done ends the progress with a last message.
func (p *progress) done(message string) {
	p.cancel()
	if p.isShown {
		p.peer.progresses.remove(p)
		p.peer.notifications.remove(p.key())
		p.peer.notifications.post(protocol.MethodProgress, progressParams{p.token, progressValue{Kind: "end", Message: inert.Message(message)}})
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
