package provider

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"sync"
	"time"

	"tandem/model"
)

// An activeTurn is one response on a line while it runs: a mailbox between the
// socket's reader and the caller's goroutine. It is bounded: a caller that is
// slower than the server makes the reader stop reading.
type activeTurn struct {
	line     *line
	sig      string
	messages []model.Message
	warm     bool
	wake     chan struct{} // something is in the mailbox
	room     chan struct{} // the mailbox was emptied, or nobody wants it any more

	mu     sync.Mutex // guards the rest
	dec    *responsesDecoder
	all    *tolerant
	b      batch
	bytes  int
	limit  int
	heard  bool // any event
	ending bool // the last event is decoded, and the line is about to be freed
	done   bool
	err    error
	skip   bool // nobody listens: the tail is thrown away
	steer  chan bool
	next   *activeTurn // what follows when it was steered
}

func newTurn(l *line, sig string, messages []model.Message, tokens int) *activeTurn {
	dec := newResponsesDecoder()
	return &activeTurn{line: l, sig: sig, messages: messages, wake: make(chan struct{}, 1), room: make(chan struct{}, 1),
		dec: dec, all: &tolerant{decoder: dec, sequenced: true}, limit: max(maxStream, tokens*bytesPerToken)}
}

// signal wakes whoever waits on a channel of one place.
func signal(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

// feed decodes one event, on the reader's goroutine, and waits where the
// mailbox is full.
func (t *activeTurn) feed(data []byte) {
	t.mu.Lock()
	done, err := t.decode(data)
	t.ending = done || err != nil
	if t.skip {
		t.b.reset()
	}
	for !done && err == nil && t.b.events >= maxQueued && !t.skip {
		t.mu.Unlock()
		signal(t.wake)
		t.line.socket.waiting.Store(true)
		select {
		case <-t.room:
		case <-t.line.socket.closing:
			t.abandon()
		}
		t.line.socket.waiting.Store(false)
		t.mu.Lock()
	}
	t.mu.Unlock()
	if done || err != nil {
		t.over(err)
		return
	}
	signal(t.wake)
}

func (t *activeTurn) decode(data []byte) (bool, error) {
	t.heard = true
	if t.bytes += len(data); t.bytes > t.limit {
		return true, errTooLarge
	}
	if t.steer != nil {
		t.steerAnswer(data)
	}
	return t.all.event(data, &t.b)
}

// over ends the turn and frees its line, keeping the chain where it can be continued.
func (t *activeTurn) over(err error) {
	t.mu.Lock()
	kept := chain{}
	if err == nil && !t.skip {
		kept = chain{t.dec.id, t.sig, t.messages}
		if !t.warm {
			kept.messages = append(t.messages[:len(t.messages):len(t.messages)], model.Message{Role: "assistant", Text: string(t.dec.said)})
		}
	}
	next := t.next
	if !t.dec.steer {
		next = nil
	}
	t.mu.Unlock()
	t.line.socket.pool.released(t.line, kept, next)
	t.end(err)
}

// end closes the mailbox.
func (t *activeTurn) end(err error) {
	t.mu.Lock()
	t.done = true
	if t.err == nil {
		t.err = err
	}
	next := t.next
	lost := next != nil && !t.dec.steer
	if t.steer != nil {
		close(t.steer)
		t.steer = nil
	}
	t.mu.Unlock()
	signal(t.wake)
	signal(t.room)
	if lost {
		next.end(or(err, error(errEarlyEnd)))
	}
}

// take empties the mailbox into b.
func (t *activeTurn) take(b *batch) (heard, done bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ending && !t.done {
		return t.heard, false, nil // whoever hears the end may ask again: the line is freed first
	}
	b.take(&t.b)
	signal(t.room)
	return t.heard, t.done, t.err
}

// abandon lets the rest of the turn go by unheard.
func (t *activeTurn) abandon() {
	t.mu.Lock()
	t.skip = true
	t.b.reset()
	t.mu.Unlock()
	signal(t.room)
}

// overSocket sends the request over a socket and reads the answer.
func (x *exchange) overSocket(ctx context.Context, base *url.URL, key model.Secret) *failure {
	c := x.client
	s := x.scene(base, key)
	none := &failure{Error: &model.Error{}, kind: kindNoSocket}
	if c.pool == nil {
		return none
	}
	raw := base.String()
	switch c.options.Shared.sockets(raw) {
	case socketsOff:
		return none
	case socketsProbe:
		c.pool.probe(base, key)
		return none
	}
	t, f := c.pool.begin(ctx, base, key, x)
	if f != nil {
		if f.kind == kindNoSocket {
			c.options.Shared.setSockets(raw, false)
		}
		return f
	}
	c.enter(x.req.ID, t)
	defer c.leave(x.req.ID, t)
	return x.listen(ctx, t, s)
}

// listen delivers a turn as it arrives.
func (x *exchange) listen(ctx context.Context, t *activeTurn, s scene) *failure {
	limit, phase := x.deadlines.FirstByte, "first"
	timer := time.NewTimer(limit)
	defer timer.Stop()
	b := &batch{}
	for {
		select {
		case <-ctx.Done():
			x.give(t)
			return s.streamed(ctx.Err(), time.Time{})
		case <-timer.C:
			t.abandon()
			t.line.socket.close()
			return s.timedOut(phase, limit)
		case <-t.wake:
		}
		heard, done, err := t.take(b)
		if err != nil {
			return x.lost(err, t, b, s)
		}
		stop, f := x.deliver(b, s)
		if stop || f != nil || done {
			if !done {
				x.give(t)
			}
			return f
		}
		if heard {
			limit, phase = x.stallDeadline(), "stall"
		}
		timer.Reset(limit)
	}
}

// lost delivers what came before a fault, then says what it was. A socket whose
// server has lost the thread is closed.
func (x *exchange) lost(err error, t *activeTurn, b *batch, s scene) *failure {
	b.final = nil
	if stop, f := x.deliver(b, s); stop {
		return f
	}
	var closed *closedError
	if errors.As(err, &closed) {
		return s.fail(model.CodeProtocol, kindOther, err, "%s ended the connection (close code %d); ask again, or set supports_websockets = false for it.", s.at(), closed.code)
	}
	f := s.streamed(err, x.client.options.Clock())
	switch {
	case f.kind == kindChainLost, f.kind == kindSocketLimit, errors.Is(err, errGap), errors.Is(err, errTooLarge), errors.Is(err, errLostText):
		t.line.socket.close()
	}
	return f
}

// longTail is the output, in tokens, whose rest is not worth waiting for: the
// socket is closed, which ends the generation.
const longTail = 512

// give abandons a turn whose caller has stopped.
func (x *exchange) give(t *activeTurn) {
	t.abandon()
	if x.maxTokens() > longTail && t.line.socket.pool.alone(t) {
		t.line.socket.close()
	}
}

func (x *exchange) maxTokens() int {
	return or((&encoder{req: x.req, model: &x.client.model}).maxTokens(), longTail+1)
}

func (c *client) enter(id string, t *activeTurn) {
	c.mu.Lock()
	c.turns[id] = t
	c.mu.Unlock()
}

func (c *client) leave(id string, t *activeTurn) {
	c.mu.Lock()
	if c.turns[id] == t {
		delete(c.turns, id)
	}
	c.mu.Unlock()
}

// Steer adds the user's text to a running answer. See model.Steerer.
func (c *client) Steer(ctx context.Context, requestID, said string) (model.Stream, bool) {
	c.mu.Lock()
	t := c.turns[requestID]
	c.mu.Unlock()
	if t == nil {
		return nil, false
	}
	id, answer, next, ok := t.beginSteer(said)
	if !ok {
		return nil, false
	}
	body := fields{{"type", "response.steer"}, {"previous_response_id", id}, {"input", said}}.appendJSON(nil)
	sum := sha256.Sum256(body)
	c.options.Observe.Sent(model.Sent{RequestID: requestID, Model: c.model.Name, Host: t.line.socket.base.Host,
		Bytes: len(body), BodyHash: hex.EncodeToString(sum[:]), Body: body, Time: c.options.Clock()})
	if t.line.socket.write(ctx, body) != nil {
		return nil, false
	}
	select {
	case accepted := <-answer:
		if !accepted {
			return nil, false
		}
	case <-ctx.Done():
		return nil, false
	}
	return c.successor(ctx, requestID, next), true
}

// beginSteer prepares the turn that will follow.
func (t *activeTurn) beginSteer(said string) (id string, answer <-chan bool, next *activeTurn, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.done || t.skip || t.next != nil || t.dec.id == "" {
		return "", nil, nil, false
	}
	t.steer = make(chan bool, 1)
	t.next = newTurn(t.line, t.sig, append(t.messages[:len(t.messages):len(t.messages)],
		model.Message{Role: "assistant", Text: string(t.dec.said)}, model.Message{Role: "user", Text: said}), t.limit/bytesPerToken)
	return t.dec.id, t.steer, t.next, true
}

// steerAnswer passes on whether the server took the user's text.
func (t *activeTurn) steerAnswer(data []byte) {
	switch string(unquoted(member(data, "type"))) {
	case "response.steer.accepted":
		t.steer <- true
	case "response.steer.failed":
		t.steer <- false
		t.next = nil
	default:
		return
	}
	t.steer = nil
}

// successor is the stream of a turn that a steered one leaves behind.
func (c *client) successor(outer context.Context, requestID string, t *activeTurn) model.Stream {
	return func(yield func(model.Delta, error) bool) {
		req := &model.Request{ID: requestID, Purpose: model.Task}
		x := &exchange{client: c, req: req, yield: yield, deadlines: c.deadlines(req), stops: &stopper{}, tries: map[string]int{}}
		c.enter(requestID, t)
		defer c.leave(requestID, t)
		f := x.listen(outer, t, x.scene(t.line.socket.base, model.Secret{}))
		if f != nil && !x.ended && !x.stopped {
			x.fail(f)
		}
	}
}

// create is a response.create for a line.
func create(f fields, l *line, input []model.Message, previous string, generate bool) []byte {
	out := fields{{"type", "response.create"}}
	for _, m := range f {
		if m.name == "input" {
			m.value = responseItems(input)
		}
		out = append(out, m)
	}
	out.add("previous_response_id", previous)
	out.add("stream_id", l.id)
	if !generate {
		out.set("generate", false)
	}
	return out.appendJSON(nil)
}

// signature is everything of a request but its input.
func signature(f fields) string { return string(f.without("input").appendJSON(nil)) }
