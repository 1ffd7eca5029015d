package main

import (
	"context"
	"sync"
	"time"

	"tandem/model"
)

// answers holds the messages that a replayed server has sent so far.
type answers struct {
	mu      sync.Mutex // guards all below
	byKey   map[string]message
	changed chan struct{} // closed and replaced when a message arrives
}

func newAnswers() *answers {
	return &answers{byKey: map[string]message{}, changed: make(chan struct{})}
}

func (a *answers) add(body []byte) {
	m, ok := parseMessage(append([]byte(nil), body...))
	if !ok || m.ID == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.byKey[m.key()] = m
	close(a.changed)
	a.changed = make(chan struct{})
}

// wait returns the message of a key; it waits for it at most answerWait.
func (a *answers) wait(ctx context.Context, key string) (message, bool) {
	timeout := time.NewTimer(answerWait)
	defer timeout.Stop()
	for {
		a.mu.Lock()
		m, ok := a.byKey[key]
		changed := a.changed
		a.mu.Unlock()
		if ok {
			return m, true
		}
		select {
		case <-changed:
		case <-timeout.C:
			return message{}, false
		case <-ctx.Done():
			return message{}, false
		}
	}
}

// replayedStreams holds the recorded streams of models. For each model and
// purpose they are handed out in the order of their requests.
type replayedStreams struct {
	mu      sync.Mutex // guards all below
	byID    map[string]*replayedStream
	queues  map[streamKey][]*replayedStream
	changed chan struct{} // closed and replaced when a stream or a piece comes
	closed  bool
}

type replayedStream struct{ pieces []piece }

func newReplayedStreams() *replayedStreams {
	return &replayedStreams{byID: map[string]*replayedStream{}, queues: map[streamKey][]*replayedStream{}, changed: make(chan struct{})}
}

// add adds a recorded piece: from now on it is available.
func (r *replayedStreams) add(id string, p piece) {
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
	close(r.changed)
	r.changed = make(chan struct{})
}

func (r *replayedStreams) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	r.wake()
}

// until waits until get returns true; it returns false if the recording or ctx
// ends first.
func (r *replayedStreams) until(ctx context.Context, get func() bool) bool {
	for {
		r.mu.Lock()
		ok, over, changed := get(), r.closed, r.changed
		r.mu.Unlock()
		if ok || over {
			return ok
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

func (r *replayedStreams) wrap(m model.ModelConfig, c model.Client) model.Client {
	return &replayedClient{c, m, r}
}

// A replayedClient streams a recorded model's answers without a connection.
type replayedClient struct {
	model.Client // only closed
	config       model.ModelConfig
	streams      *replayedStreams
}

// Warm implements model.Client.
func (c *replayedClient) Warm(context.Context) error { return nil }

// Stream implements model.Client.
func (c *replayedClient) Stream(ctx context.Context, req *model.Request) model.Stream {
	return func(yield func(model.Delta, error) bool) {
		var s *replayedStream
		if !c.streams.until(ctx, func() bool { s = c.streams.next(streamKey{c.config.Name, string(req.Purpose)}); return s != nil }) {
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
func (r *replayedStreams) next(k streamKey) *replayedStream {
	queue := r.queues[k]
	if len(queue) == 0 {
		return nil
	}
	r.queues[k] = queue[1:]
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
