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

// An activeResponse is one response on a logical stream while it arrives: a
// mailbox between the socket's reader and the caller's goroutine. It is
// bounded: if the caller is slower than the server, the reader stops reading.
type activeResponse struct {
	stream   *logicalStream
	sig      string
	messages []model.Message
	warm     bool
	wake     chan struct{} // something is in the mailbox
	drained  chan struct{} // the mailbox was emptied, or the response was abandoned

	mu     sync.Mutex // guards the rest
	dec    *responsesDecoder
	all    *tolerant
	b      batch
	bytes  int
	limit  int
	ending bool // the last event is decoded, and the stream is about to be freed
	done   bool
	err    error
	skip   bool // abandoned: the rest is discarded
	steer  chan bool
	next   *activeResponse // the response that follows if this one was steered
}

func newActiveResponse(l *logicalStream, sig string, messages []model.Message, tokens int) *activeResponse {
	dec := newResponsesDecoder()
	return &activeResponse{stream: l, sig: sig, messages: messages, wake: make(chan struct{}, 1), drained: make(chan struct{}, 1),
		dec: dec, all: &tolerant{decoder: dec, sequenced: true}, limit: max(maxStream, tokens*bytesPerToken)}
}

// signal wakes the goroutine that waits on a channel of capacity one.
func signal(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

// feed decodes one event, on the reader's goroutine, and waits while the
// mailbox is full.
func (resp *activeResponse) feed(data []byte) {
	resp.mu.Lock()
	done, err := resp.decode(data)
	resp.ending = done || err != nil
	if resp.skip {
		resp.b.reset()
	}
	for !done && err == nil && resp.b.events >= maxQueued && !resp.skip {
		resp.mu.Unlock()
		signal(resp.wake)
		resp.stream.socket.waiting.Store(true)
		select {
		case <-resp.drained:
		case <-resp.stream.socket.closing:
			resp.abandon()
		}
		resp.stream.socket.waiting.Store(false)
		resp.mu.Lock()
	}
	resp.mu.Unlock()
	if done || err != nil {
		resp.finish(err)
		return
	}
	signal(resp.wake)
}

func (resp *activeResponse) decode(data []byte) (bool, error) {
	if resp.bytes += len(data); resp.bytes > resp.limit {
		return true, errTooLarge
	}
	if resp.steer != nil {
		resp.steerReply(data)
	}
	return resp.all.event(data, &resp.b)
}

// finish ends the response and frees its stream. It keeps the chain if the chain
// can be continued.
func (resp *activeResponse) finish(err error) {
	resp.mu.Lock()
	kept := chain{}
	if err == nil && !resp.skip {
		kept = chain{resp.dec.id, resp.sig, resp.messages}
		if !resp.warm {
			kept.messages = append(resp.messages[:len(resp.messages):len(resp.messages)], model.Message{Role: "assistant", Text: string(resp.dec.text)})
		}
	}
	next := resp.next
	if !resp.dec.steer {
		next = nil
	}
	resp.mu.Unlock()
	resp.stream.socket.pool.released(resp.stream, kept, next)
	resp.end(err)
}

// end closes the mailbox.
func (resp *activeResponse) end(err error) {
	resp.mu.Lock()
	resp.done = true
	if resp.err == nil {
		resp.err = err
	}
	next := resp.next
	lost := next != nil && !resp.dec.steer
	if resp.steer != nil {
		close(resp.steer)
		resp.steer = nil
	}
	resp.mu.Unlock()
	signal(resp.wake)
	signal(resp.drained)
	if lost {
		next.end(or(err, error(errEarlyEnd)))
	}
}

// take empties the mailbox into b.
func (resp *activeResponse) take(b *batch) (done bool, err error) {
	resp.mu.Lock()
	defer resp.mu.Unlock()
	if resp.ending && !resp.done {
		return false, nil // a caller that receives the end may send the next request at once, so the stream is freed first
	}
	b.take(&resp.b)
	signal(resp.drained)
	return resp.done, resp.err
}

// abandon discards the rest of the response.
func (resp *activeResponse) abandon() {
	resp.mu.Lock()
	resp.skip = true
	resp.b.reset()
	resp.mu.Unlock()
	signal(resp.drained)
}

// overSocket sends the request over a socket and reads the answer.
func (x *exchange) overSocket(ctx context.Context, base *url.URL, key model.Secret) *failure {
	c := x.client
	ec := x.errorContext(base, key)
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
	resp, f := c.pool.begin(ctx, base, key, x)
	if f != nil {
		if f.kind == kindNoSocket {
			c.options.Shared.setSockets(raw, false)
		}
		return f
	}
	c.track(x.req.ID, resp)
	defer c.untrack(x.req.ID, resp)
	return x.listen(ctx, resp, ec)
}

// listen delivers a response as it arrives.
func (x *exchange) listen(ctx context.Context, resp *activeResponse, ec errorContext) *failure {
	limit, phase := x.deadlines.FirstByte, "first"
	timer := time.NewTimer(limit)
	defer timer.Stop()
	b := &batch{}
	for {
		select {
		case <-ctx.Done():
			x.abandonResponse(resp)
			return ec.streamed(context.Cause(ctx), time.Time{})
		case <-timer.C:
			resp.abandon()
			resp.stream.socket.close()
			return ec.timedOut(phase, limit)
		case <-resp.wake:
		}
		done, err := resp.take(b)
		if err != nil {
			return x.lost(err, resp, b, ec)
		}
		active := b.active
		stop, f := x.deliver(b, ec)
		if stop || f != nil || done {
			if !done {
				x.abandonResponse(resp)
			}
			return f
		}
		if active {
			limit, phase = x.idleDeadline(), "stall"
			timer.Reset(limit)
		}
	}
}

// lost delivers what arrived before a fault, then returns the fault. The socket
// is closed if the fault means that the server's state on it is lost.
func (x *exchange) lost(err error, resp *activeResponse, b *batch, ec errorContext) *failure {
	b.final = nil
	if stop, f := x.deliver(b, ec); stop {
		return f
	}
	var closed *closedError
	if errors.As(err, &closed) {
		return ec.fail(model.CodeProtocol, kindOther, err, "%s ended the connection (close code %d); ask again, or set supports_websockets = false for it.", ec.at(), closed.code)
	}
	f := ec.streamed(err, x.client.options.Clock())
	switch {
	case f.kind == kindChainLost, f.kind == kindSocketLimit, errors.Is(err, errGap), errors.Is(err, errTooLarge), errors.Is(err, errLostText):
		resp.stream.socket.close()
	}
	return f
}

// longTail is the number of output tokens above which an abandoned response is
// not read to its end: the socket is closed, which ends the generation.
const longTail = 512

// abandonResponse abandons a response whose caller has stopped.
func (x *exchange) abandonResponse(resp *activeResponse) {
	resp.abandon()
	if x.maxTokens() > longTail && resp.stream.socket.pool.alone(resp) {
		resp.stream.socket.close()
	}
}

func (x *exchange) maxTokens() int {
	return or((&encoder{req: x.req, model: &x.client.model}).maxTokens(), longTail+1)
}

func (c *client) track(id string, resp *activeResponse) {
	c.mu.Lock()
	c.active[id] = resp
	c.mu.Unlock()
}

func (c *client) untrack(id string, resp *activeResponse) {
	c.mu.Lock()
	if c.active[id] == resp {
		delete(c.active, id)
	}
	c.mu.Unlock()
}

// Steer adds the user's text to a running answer. See model.Steerer.
func (c *client) Steer(ctx context.Context, requestID, text string) (model.Stream, bool) {
	c.mu.Lock()
	resp := c.active[requestID]
	c.mu.Unlock()
	if resp == nil {
		return nil, false
	}
	id, answer, next, ok := resp.beginSteer(text)
	if !ok {
		return nil, false
	}
	body := fields{{"type", "response.steer"}, {"previous_response_id", id}, {"input", text}}.appendJSON(nil)
	sum := sha256.Sum256(body)
	c.options.Observe.Sent(model.Sent{RequestID: requestID, Model: c.model.Name, Host: resp.stream.socket.base.Host,
		Bytes: len(body), BodyHash: hex.EncodeToString(sum[:]), Body: body, Time: c.options.Clock(), Continued: true})
	if resp.stream.socket.send(ctx, body) != nil {
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

// beginSteer prepares the response that will follow.
func (resp *activeResponse) beginSteer(text string) (id string, answer <-chan bool, next *activeResponse, ok bool) {
	resp.mu.Lock()
	defer resp.mu.Unlock()
	if resp.done || resp.skip || resp.next != nil || resp.dec.id == "" {
		return "", nil, nil, false
	}
	resp.steer = make(chan bool, 1)
	resp.next = newActiveResponse(resp.stream, resp.sig, append(resp.messages[:len(resp.messages):len(resp.messages)],
		model.Message{Role: "assistant", Text: string(resp.dec.text)}, model.Message{Role: "user", Text: text}), resp.limit/bytesPerToken)
	return resp.dec.id, resp.steer, resp.next, true
}

// steerReply forwards whether the server accepted the user's text.
func (resp *activeResponse) steerReply(data []byte) {
	switch string(unquoted(member(data, "type"))) {
	case "response.steer.accepted":
		resp.steer <- true
	case "response.steer.failed":
		resp.steer <- false
		resp.next = nil
	default:
		return
	}
	resp.steer = nil
}

// successor is the stream of the response that follows a steered one.
func (c *client) successor(outer context.Context, requestID string, resp *activeResponse) model.Stream {
	return func(yield func(model.Delta, error) bool) {
		req := &model.Request{ID: requestID, Purpose: model.Task}
		x := &exchange{client: c, req: req, yield: yield, deadlines: c.deadlines(req), stops: &stopper{}, tries: map[string]int{}}
		c.track(requestID, resp)
		defer c.untrack(requestID, resp)
		f := x.listen(outer, resp, x.errorContext(resp.stream.socket.base, model.Secret{}))
		if f != nil && !x.ended && !x.stopped {
			x.fail(f)
		}
	}
}

// create is a response.create message for a logical stream.
func create(f fields, l *logicalStream, input []model.Message, previous string, generate bool) []byte {
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

// signature is the whole request except its input.
func signature(f fields) string { return string(f.without("input").appendJSON(nil)) }
