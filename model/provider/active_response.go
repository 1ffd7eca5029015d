package provider

import (
	"cmp"
	"context"
	"net/url"
	"sync"

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

	served string // model named by the handshake, for the first response of a socket
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
		next.end(cmp.Or(err, error(errEarlyEnd)))
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

// arrived receives a value when take may return more than before.
func (resp *activeResponse) arrived() <-chan struct{} { return resp.wake }

// base is the address of the server that answers.
func (resp *activeResponse) base() *url.URL { return resp.stream.socket.base }

// alone reports whether this is the only response on its socket.
func (resp *activeResponse) alone() bool { return resp.stream.socket.pool.alone(resp) }

// closeSocket abandons the response and closes its socket, which ends the
// generation and every other response on it.
func (resp *activeResponse) closeSocket() {
	resp.abandon()
	resp.stream.socket.close()
}

// abandon discards the rest of the response.
func (resp *activeResponse) abandon() {
	resp.mu.Lock()
	resp.skip = true
	resp.b.reset()
	resp.mu.Unlock()
	signal(resp.drained)
}

// steerWith adds the user's text to the running answer, and returns the response
// that follows it. ok is false if the server did not accept the text. sent
// receives the message before it is sent.
func (resp *activeResponse) steerWith(ctx context.Context, text string, sent func([]byte)) (next *activeResponse, ok bool) {
	id, answer, next, ok := resp.beginSteer(text)
	if !ok {
		return nil, false
	}
	body := fields{{"type", "response.steer"}, {"previous_response_id", id}, {"input", text}}.appendJSON(nil)
	sent(body)
	if resp.stream.socket.send(ctx, body) != nil {
		return nil, false
	}
	select {
	case accepted := <-answer:
		return next, accepted
	case <-ctx.Done():
		return nil, false
	}
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
