package socket

import (
	"net/url"
	"sync"

	"tandem/model"
	"tandem/model/provider/dialect"
	"tandem/workspace/redact"
)

// A Response is one response on a logical stream while it arrives: a
// mailbox between the socket's reader and the caller's goroutine. It is
// bounded: if the caller is slower than the server, the reader stops reading.
type Response struct {
	stream   *logicalStream
	sig      string
	messages []model.Message
	warm     bool
	wake     chan struct{} // something is in the mailbox
	drained  chan struct{} // the mailbox was emptied, or the response was abandoned

	mu     sync.Mutex // guards the rest
	dec    *dialect.ResponsesDecoder
	all    *dialect.Tolerant
	b      dialect.Batch
	bytes  int
	limit  int
	ending bool // the last event is decoded, and the stream is about to be freed
	done   bool
	err    error
	skip   bool // abandoned: the rest is discarded

	Served string // model named by the handshake, for the first response of a socket
}

func newResponse(l *logicalStream, sig string, messages []model.Message, tokens int) *Response {
	dec := dialect.NewResponsesDecoder()
	return &Response{stream: l, sig: sig, messages: messages, wake: make(chan struct{}, 1), drained: make(chan struct{}, 1),
		dec: dec, all: &dialect.Tolerant{Decoder: dec, Sequenced: true}, limit: max(dialect.MaxStream, tokens*dialect.BytesPerToken)}
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
func (resp *Response) feed(data []byte) {
	resp.mu.Lock()
	done, err := resp.decode(data)
	resp.ending = done || err != nil
	if resp.skip {
		resp.b.Reset()
	}
	for !done && err == nil && resp.b.Events >= MaxQueued && !resp.skip {
		resp.mu.Unlock()
		signal(resp.wake)
		resp.stream.socket.waiting.Store(true)
		select {
		case <-resp.drained:
		case <-resp.stream.socket.closing:
			resp.Abandon()
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

func (resp *Response) decode(data []byte) (bool, error) {
	if resp.bytes += len(data); resp.bytes > resp.limit {
		return true, dialect.ErrTooLarge
	}
	return resp.all.Event(data, &resp.b)
}

// finish ends the response and frees its stream. It keeps the chain if the chain
// can be continued.
func (resp *Response) finish(err error) {
	resp.mu.Lock()
	latest := chain{}
	if err == nil && !resp.skip {
		latest = chain{resp.dec.ID, resp.sig, resp.messages}
		if !resp.warm {
			latest.messages = append(resp.messages[:len(resp.messages):len(resp.messages)], turn(resp.dec)...)
		}
	}
	resp.mu.Unlock()
	resp.stream.socket.pool.released(resp.stream, latest)
	resp.end(err)
}

// turn is an answer as the next request of its conversation repeats it.
func turn(dec *dialect.ResponsesDecoder) []model.Message {
	var out []model.Message
	if len(dec.Text) > 0 || len(dec.Calls) == 0 {
		out = append(out, model.Message{Role: "assistant", Text: redact.Said(string(dec.Text))})
	}
	for _, call := range dec.Calls {
		out = append(out, model.Message{Role: "assistant", Call: call})
	}
	return out
}

// end closes the mailbox.
func (resp *Response) end(err error) {
	resp.mu.Lock()
	resp.done = true
	if resp.err == nil {
		resp.err = err
	}
	resp.mu.Unlock()
	signal(resp.wake)
	signal(resp.drained)
}

// Take empties the mailbox into b.
func (resp *Response) Take(b *dialect.Batch) (done bool, err error) {
	resp.mu.Lock()
	defer resp.mu.Unlock()
	if resp.ending && !resp.done {
		return false, nil // a caller that receives the end may send the next request at once, so the stream is freed first
	}
	b.Take(&resp.b)
	signal(resp.drained)
	return resp.done, resp.err
}

// Arrived receives a value when take may return more than before.
func (resp *Response) Arrived() <-chan struct{} { return resp.wake }

// Base is the address of the server that answers.
func (resp *Response) Base() *url.URL { return resp.stream.socket.base }

// Alone reports whether this is the only response on its socket.
func (resp *Response) Alone() bool { return resp.stream.socket.pool.alone(resp) }

// CloseSocket abandons the response and closes its socket, which ends the
// generation and every other response on it.
func (resp *Response) CloseSocket() {
	resp.Abandon()
	resp.stream.socket.close()
}

// Abandon discards the rest of the response.
func (resp *Response) Abandon() {
	resp.mu.Lock()
	resp.skip = true
	resp.b.Reset()
	resp.mu.Unlock()
	signal(resp.drained)
}

// create is a response.create message for a logical stream.
func create(f dialect.Fields, l *logicalStream, input []model.Message, previous string, generate bool) []byte {
	var out dialect.Fields
	out.Set("type", "response.create")
	for _, m := range f {
		if m.Name == "input" {
			m.Value = dialect.ResponseItems(input)
		}
		out = append(out, m)
	}
	out.Add("previous_response_id", previous)
	out.Add("stream_id", l.id)
	if !generate {
		out.Set("generate", false)
	}
	return out.AppendJSON(nil)
}

// signature is the whole request except its input.
func signature(f dialect.Fields) string { return string(f.Without("input").AppendJSON(nil)) }
