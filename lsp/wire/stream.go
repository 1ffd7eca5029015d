package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
)

const (
	cancelMethod = "$/cancelRequest"
	// aheadFrames and aheadBytes bound what is read before it is handled.
	aheadFrames = 1024
	aheadBytes  = 4 << 20
	// maxActive bounds the requests that are being handled at once.
	maxActive = 4096
)

// ErrCancelled is the cause of a request's context when the client cancelled it.
var ErrCancelled = errors.New("cancelled by the client")

// A Stream is a jsonrpc2.Stream over Content-Length frames. Pump reads ahead,
// so that a cancel reaches a request that still waits in the queue and the end
// of input is seen while a request is handled.
type Stream struct {
	in     *frameReader
	closer io.Closer
	out    *outbox
	refuse func(reason string) // told about every frame that was refused

	mu      sync.Mutex // guards all below
	changed *sync.Cond
	queue   [][]byte
	bytes   int   // in queue
	end     error // why Pump stopped; nil while it runs
	active  int   // requests between Call and Done
	calls   map[jsonrpc2.ID]*call
	ended   chan struct{} // closed when ReadFrame has reported the end
	atEnd   bool
}

// A call is a request that was read and is not answered yet.
type call struct {
	cancel    context.CancelCauseFunc // nil until somebody asked for the context
	cancelled bool
}

// New returns a stream that reads in and writes out. refuse, which may be nil,
// is told why a frame was refused, for the log.
func New(in io.ReadCloser, out io.Writer, refuse func(reason string)) *Stream {
	s := &Stream{
		in: newFrameReader(in), closer: in, refuse: refuse,
		calls: make(map[jsonrpc2.ID]*call), ended: make(chan struct{}),
	}
	if refuse == nil {
		s.refuse = func(string) {}
	}
	s.changed = sync.NewCond(&s.mu)
	s.out = newOutbox(out, s.waiting)
	return s
}

// Pump reads frames until the input ends. It runs in a goroutine of its own.
func (s *Stream) Pump() {
	for {
		body, err := s.in.next()
		switch {
		case errors.Is(err, errCharset):
			s.answer(&fault{code: jsonrpc2.InvalidRequest, reason: err.Error()})
			continue
		case err != nil:
			s.stop(err)
			return
		}
		m, bad := check(body)
		if bad != nil {
			s.answer(bad)
			continue
		}
		if !s.push(body, m) {
			return
		}
	}
}

// answer replies to a frame that was refused.
func (s *Stream) answer(f *fault) {
	s.refuse(f.reason)
	message := "this message was refused: " + f.reason
	_, _ = s.out.write(func(b []byte) []byte {
		return jsonrpc2.AppendResponse(b, f.id, nil, jsonrpc2.NewError(f.code, message))
	})
}

// push queues a checked frame; it waits while too much is queued and reports
// false when the stream has been closed.
func (s *Stream) push(body []byte, m message) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case m.kind == kindRequest:
		s.calls[m.id] = &call{}
	case m.kind == kindNotification && m.method == cancelMethod:
		s.cancel(m.params)
		return s.end == nil
	}
	for s.end == nil && (len(s.queue) >= aheadFrames || s.bytes > aheadBytes) {
		s.changed.Wait()
	}
	s.queue = append(s.queue, body)
	s.bytes += len(body)
	if len(s.queue) == 1 {
		s.changed.Broadcast()
	}
	return s.end == nil
}

// cancel marks the request that params name. mu is held.
func (s *Stream) cancel(params []byte) {
	var p struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	id, ok := decodeID(p.ID)
	if c := s.calls[id]; ok && c != nil {
		c.cancelled = true
		if c.cancel != nil {
			c.cancel(ErrCancelled)
		}
	}
}

func (s *Stream) stop(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end == nil {
		s.end = err
	}
	s.changed.Broadcast()
}

// waiting reports whether a frame is queued.
func (s *Stream) waiting() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.queue) > 0 && s.active < maxActive
}

// A Call is one request from when it is handled until it is answered.
type Call struct {
	s  *Stream
	id jsonrpc2.ID
	*call
}

// Call starts the handling of the request id. Done must be called before the
// answer is written.
func (s *Stream) Call(id jsonrpc2.ID) Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.calls[id]
	if c == nil {
		c = &call{}
	}
	s.active++
	return Call{s, id, c}
}

// Context returns a context that ends with parent, with Done, or when the
// client cancels the request, be it before now.
func (c Call) Context(parent context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(parent)
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.cancel = cancel; c.cancelled {
		cancel(ErrCancelled)
	}
	return ctx
}

// Done ends the request.
func (c Call) Done() {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.cancel != nil {
		c.cancel(nil)
	}
	if c.s.calls[c.id] == c.call { // else the client has used the id again
		delete(c.s.calls, c.id)
	}
	if c.s.active--; c.s.active == maxActive-1 {
		c.s.changed.Broadcast()
	}
}

// ReadFrame returns the next checked frame. It waits while the client does not
// read its answers or too many requests are being handled. The frame stays
// untouched after the next call.
func (s *Stream) ReadFrame(context.Context) ([]byte, int64, error) {
	s.out.waitBelow(readMark)
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.idle() {
		s.mu.Unlock()
		s.out.drain()
		s.mu.Lock()
		if s.idle() {
			s.changed.Wait()
		}
	}
	if len(s.queue) == 0 {
		if !s.atEnd {
			s.atEnd = true
			close(s.ended)
		}
		return nil, 0, s.end
	}
	return s.pop()
}

// idle reports whether there is nothing to hand out yet. mu is held.
func (s *Stream) idle() bool {
	return s.end == nil && (len(s.queue) == 0 || s.active >= maxActive)
}

// pop takes the first queued frame. mu is held.
func (s *Stream) pop() ([]byte, int64, error) {
	body := s.queue[0]
	s.queue[0] = nil
	if s.queue = s.queue[1:]; len(s.queue) == 0 {
		s.queue = nil
	}
	if s.bytes -= len(body); len(s.queue) == aheadFrames-1 || s.bytes <= aheadBytes && s.bytes+len(body) > aheadBytes {
		s.changed.Broadcast()
	}
	return body, int64(len(body)), nil
}

// Read implements jsonrpc2.Stream; a connection uses ReadFrame instead.
func (s *Stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	body, n, err := s.ReadFrame(ctx)
	if err != nil {
		return nil, 0, err
	}
	m, err := jsonrpc2.DecodeMessage(body)
	if err != nil {
		return nil, 0, fmt.Errorf("decode a checked message: %w", err)
	}
	return m, n, nil
}

// Write implements jsonrpc2.Stream. It does not look at the context: an answer
// to a cancelled request still has to arrive.
func (s *Stream) Write(_ context.Context, m jsonrpc2.Message) (int64, error) {
	return s.out.write(func(b []byte) []byte { return jsonrpc2.AppendMessage(b, m) })
}

// WriteFrame writes a body that is already encoded.
func (s *Stream) WriteFrame(_ context.Context, body []byte) (int64, error) {
	return s.out.write(func(b []byte) []byte { return append(b, body...) })
}

// Ended is closed when every frame has been handed out and the input is over.
func (s *Stream) Ended() <-chan struct{} { return s.ended }

// End is why the input is over: io.EOF when the client closed it between
// messages, nil while it goes on.
func (s *Stream) End() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.end
}

// Flush waits at most patience until the client has taken what was written.
func (s *Stream) Flush(patience time.Duration) {
	stop := time.AfterFunc(patience, func() { s.out.fail(io.ErrClosedPipe) })
	defer stop.Stop()
	s.out.waitEmpty()
}

// Close ends both directions.
func (s *Stream) Close() error {
	s.stop(io.ErrClosedPipe)
	s.out.fail(io.ErrClosedPipe)
	if err := s.closer.Close(); err != nil {
		return fmt.Errorf("close the connection to the editor: %w", err)
	}
	return nil
}
