package main

import (
	"context"
	"sync"
	"time"

	"tandem/model"
)

// answers are what a replayed server has said so far.
type answers struct {
	mu    sync.Mutex // guards all below
	said  map[string]message
	again chan struct{} // closed and replaced when something is said
}

func newAnswers() *answers {
	return &answers{said: map[string]message{}, again: make(chan struct{})}
}

func (a *answers) take(body []byte) {
	m, ok := parseMessage(append([]byte(nil), body...))
	if !ok || m.ID == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.said[m.key()] = m
	close(a.again)
	a.again = make(chan struct{})
}

// wait returns what was said under a key, waiting for it for a while.
func (a *answers) wait(ctx context.Context, key string) (message, bool) {
	late := time.NewTimer(answerWait)
	defer late.Stop()
	for {
		a.mu.Lock()
		m, ok := a.said[key]
		again := a.again
		a.mu.Unlock()
		if ok {
			return m, true
		}
		select {
		case <-again:
		case <-late.C:
			return message{}, false
		case <-ctx.Done():
			return message{}, false
		}
	}
}

// replayedStreams are the recorded streams of models, handed out in the order
// in which they were asked for, model by model and purpose by purpose.
type replayedStreams struct {
	mu     sync.Mutex // guards all below
	byID   map[string]*replayedStream
	queues map[asked][]*replayedStream
	again  chan struct{} // closed and replaced when a stream or a piece comes
	closed bool
}

type replayedStream struct{ pieces []piece }

func newReplayedStreams() *replayedStreams {
	return &replayedStreams{byID: map[string]*replayedStream{}, queues: map[asked][]*replayedStream{}, again: make(chan struct{})}
}

// say adds a recorded piece: from now on it has been said.
func (r *replayedStreams) say(id string, p piece) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p.Ask != nil {
		s := &replayedStream{}
		r.byID[id] = s
		r.queues[*p.Ask] = append(r.queues[*p.Ask], s)
	} else if s := r.byID[id]; s != nil {
		s.pieces = append(s.pieces, p)
	}
	r.wake()
}

func (r *replayedStreams) wake() {
	close(r.again)
	r.again = make(chan struct{})
}

func (r *replayedStreams) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	r.wake()
}

// until waits for get to return something; false when the recording is over or
// ctx ends first.
func (r *replayedStreams) until(ctx context.Context, get func() bool) bool {
	for {
		r.mu.Lock()
		ok, over, again := get(), r.closed, r.again
		r.mu.Unlock()
		if ok || over {
			return ok
		}
		select {
		case <-again:
		case <-ctx.Done():
			return false
		}
	}
}

func (r *replayedStreams) wrap(m model.ModelConfig, c model.Client) model.Client {
	return &replayedClient{c, m, r}
}

// A replayedClient says what a recorded model said, and contacts nobody.
type replayedClient struct {
	model.Client // closed with this one
	config       model.ModelConfig
	streams      *replayedStreams
}

// Warm implements model.Client.
func (c *replayedClient) Warm(context.Context) error { return nil }

// Stream implements model.Client.
func (c *replayedClient) Stream(ctx context.Context, req *model.Request) model.Stream {
	return func(yield func(model.Delta, error) bool) {
		var s *replayedStream
		if !c.streams.until(ctx, func() bool { s = c.streams.next(asked{c.config.Name, string(req.Purpose)}); return s != nil }) {
			yield(model.Delta{}, notRecorded(ctx))
			return
		}
		for i := 0; ; i++ {
			var p piece
			if !c.streams.until(ctx, func() bool { return s.at(i, &p) }) {
				yield(model.Delta{}, notRecorded(ctx))
				return
			}
			delta, err := p.delta()
			if !yield(delta, err) || err != nil || delta.Final != nil {
				return
			}
		}
	}
}

// next takes the first stream of a queue; the caller holds the lock.
func (r *replayedStreams) next(a asked) *replayedStream {
	queue := r.queues[a]
	if len(queue) == 0 {
		return nil
	}
	r.queues[a] = queue[1:]
	return queue[0]
}

func (s *replayedStream) at(i int, p *piece) bool {
	if i >= len(s.pieces) {
		return false
	}
	*p = s.pieces[i]
	return true
}

func notRecorded(ctx context.Context) error {
	if ctx.Err() != nil {
		return &model.Error{Code: model.CodeCancelled, Message: "The request was cancelled.", Err: ctx.Err()}
	}
	return &model.Error{Code: model.CodeInterrupted, Message: "The recording has no further answer of this model."}
}
