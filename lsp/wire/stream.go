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
	// aheadFrames and aheadBytes bound the queue of frames that are read but not handled.
	aheadFrames = 1024
	aheadBytes  = 4 << 20
	// aheadAfter is how long the loop may be busy before Ahead reads for it.
	aheadAfter = 5 * time.Millisecond
	// maxActive bounds the requests that are being handled at once.
	maxActive = 4096
)

// ErrCancelled is the cause of a request's context when the client cancelled it.
var ErrCancelled = errors.New("cancelled by the client")

// A Stream is a jsonrpc2.Stream over Content-Length frames. The connection's
// own loop reads, without a switch to another goroutine; while it is busy for
// longer than aheadAfter, Ahead reads in its place, so that a cancel reaches a
// request that waits in the queue and the end of input is noticed.
type Stream struct {
	in        *frameReader
	closer    io.Closer
	out       *outbox
	refuse    func(reason string) // called for every frame that was refused
	trace     Trace
	busyTimer *time.Timer // runs while the loop handles a frame

	mu       sync.Mutex // guards all below; not held while reading
	changed  *sync.Cond
	reading  bool // a goroutine is in in.next
	loopBusy bool // the loop has been busy for longer than aheadAfter: Ahead reads
	queue    [][]byte
	bytes    int   // in queue
	end      error // why reading stopped; nil while it goes on
	active   int   // requests between Call and Done
	calls    map[jsonrpc2.ID]*Call
	over     chan struct{} // closed when reading stops
	ended    chan struct{} // closed when ReadFrame has reported it
	atEnd    bool
}

// A Call is a request that was read and is not answered yet.
type Call struct {
	s         *Stream
	id        jsonrpc2.ID
	cancel    context.CancelCauseFunc // nil until Context was called
	cancelled bool
}

// A Trace is told each message, in the order in which they are read and written. It may not
// keep body.
type Trace func(fromClient bool, body []byte)

// New returns a stream that reads in and writes out. refuse is called with the reason for
// each refused frame, for the log; trace may be nil.
func New(in io.ReadCloser, out io.Writer, refuse func(reason string), trace Trace) *Stream {
	if trace == nil {
		trace = func(bool, []byte) {}
	}
	s := &Stream{
		in: newFrameReader(in), closer: in, refuse: refuse, trace: trace,
		calls: make(map[jsonrpc2.ID]*Call), over: make(chan struct{}), ended: make(chan struct{}),
	}
	s.changed = sync.NewCond(&s.mu)
	s.out = newOutbox(out, s.waiting)
	s.busyTimer = time.AfterFunc(time.Hour, s.markBusy)
	s.busyTimer.Stop()
	return s
}

// markBusy records that the loop has been busy for longer than aheadAfter.
func (s *Stream) markBusy() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loopBusy = true
	s.changed.Broadcast()
}

// Ahead reads whenever the loop has been busy for longer than aheadAfter. It
// runs in a goroutine of its own until the input ends.
func (s *Stream) Ahead() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.end == nil {
		if s.loopBusy && !s.reading && !s.full() {
			s.fill()
			continue
		}
		s.changed.Wait()
	}
}

// full reports whether enough is queued. mu is held.
func (s *Stream) full() bool { return len(s.queue) >= aheadFrames || s.bytes > aheadBytes }

// fill reads one frame into the queue. mu is held, and released to read.
func (s *Stream) fill() {
	s.reading = true
	s.mu.Unlock()
	body, m, err := s.next()
	s.mu.Lock()
	s.reading = false
	switch {
	case err != nil:
		s.stop(err)
	case body != nil:
		s.push(body, m)
	}
	s.changed.Broadcast()
}

// next reads a frame; the body is nil when the frame was refused and answered.
func (s *Stream) next() ([]byte, message, error) {
	body, err := s.in.next()
	if errors.Is(err, errCharset) {
		s.answer(&fault{code: jsonrpc2.InvalidRequest, reason: err.Error()})
		return nil, message{}, nil
	}
	if err != nil {
		return nil, message{}, err
	}
	m, bad := check(body)
	if bad != nil {
		s.answer(bad)
		return nil, message{}, nil
	}
	s.trace(true, body)
	return body, m, nil
}

// answer replies to a frame that was refused.
func (s *Stream) answer(f *fault) {
	s.refuse(f.reason)
	message := "this message was refused: " + f.reason
	_, _ = s.write(func(b []byte) []byte {
		return jsonrpc2.AppendResponse(b, f.id, nil, jsonrpc2.NewError(f.code, message))
	})
}

// push queues a checked frame. mu is held.
func (s *Stream) push(body []byte, m message) {
	switch {
	case m.kind == kindRequest:
		s.calls[m.id] = &Call{s: s, id: m.id}
	case m.kind == kindNotification && m.cancels:
		s.cancel(m.params)
		return
	}
	s.queue = append(s.queue, body)
	s.bytes += len(body)
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

// stop ends reading. mu is held.
func (s *Stream) stop(err error) {
	if s.end == nil {
		s.end = err
		close(s.over)
	}
	s.changed.Broadcast()
}

// waiting reports whether a frame is queued.
func (s *Stream) waiting() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.queue) > 0 && s.active < maxActive
}

// Call starts the handling of the request id. Done must be called before the
// answer is written.
func (s *Stream) Call(id jsonrpc2.ID) *Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.calls[id]
	if c == nil {
		c = &Call{s: s, id: id}
	}
	s.active++
	return c
}

// Context returns a context that ends with parent, with Done, or when the
// client cancels the request; the cancel may have come before this call.
func (c *Call) Context(parent context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(parent)
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.cancel = cancel; c.cancelled {
		cancel(ErrCancelled)
	}
	return ctx
}

// Done ends the request.
func (c *Call) Done() {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.cancel != nil {
		c.cancel(nil)
	}
	if c.s.calls[c.id] == c { // else the client has used the id again
		delete(c.s.calls, c.id)
	}
	if c.s.active--; c.s.active == maxActive-1 {
		c.s.changed.Broadcast()
	}
}

// ReadFrame returns the next checked frame. It waits while the client does not
// read its responses or too many requests are being handled. The frame stays
// valid after the next call.
func (s *Stream) ReadFrame(context.Context) ([]byte, int64, error) {
	s.out.waitBelow(readMark)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busyTimer.Stop()
	s.loopBusy = false
	for s.idle() {
		s.mu.Unlock()
		s.out.drain()
		s.mu.Lock()
		switch {
		case !s.idle():
		case s.reading || s.active >= maxActive:
			s.changed.Wait()
		default:
			s.fill()
			s.fillReady()
		}
	}
	if len(s.queue) == 0 {
		if !s.atEnd {
			s.atEnd = true
			close(s.ended)
		}
		return nil, 0, s.end
	}
	s.busyTimer.Reset(aheadAfter)
	return s.pop()
}

// fillReady queues the frames that have already arrived completely: a cancel
// among them reaches the requests before it. mu is held.
func (s *Stream) fillReady() {
	for s.end == nil && !s.reading && !s.full() && s.in.ready() {
		s.fill()
	}
}

// idle reports whether there is no frame to return yet. mu is held.
func (s *Stream) idle() bool {
	return s.end == nil && (len(s.queue) == 0 || s.active >= maxActive)
}

// pop takes the first queued frame. mu is held.
func (s *Stream) pop() ([]byte, int64, error) {
	body := s.queue[0]
	s.queue[0] = nil
	s.queue = s.queue[1:]
	s.bytes -= len(body)
	return body, int64(len(body)), nil
}

// Read implements jsonrpc2.Stream; a connection uses ReadFrame instead.
func (s *Stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	body, n, err := s.ReadFrame(ctx)
	if err != nil {
		return nil, 0, err
	}
	m, err := jsonrpc2.DecodeMessage(body)
	return m, n, err
}

// Write implements jsonrpc2.Stream. It ignores the context: the response to a
// cancelled request still has to arrive.
func (s *Stream) Write(_ context.Context, m jsonrpc2.Message) (int64, error) {
	return s.write(func(b []byte) []byte { return jsonrpc2.AppendMessage(b, m) })
}

// WriteFrame writes a body that is already encoded.
func (s *Stream) WriteFrame(_ context.Context, body []byte) (int64, error) {
	return s.write(func(b []byte) []byte { return append(b, body...) })
}

// write writes the message that body appends.
func (s *Stream) write(body func([]byte) []byte) (int64, error) {
	return s.out.write(func(b []byte) []byte {
		start := len(b)
		b = body(b)
		s.trace(false, b[start:])
		return b
	})
}

// Over is closed when reading has stopped, although frames may still be queued.
func (s *Stream) Over() <-chan struct{} { return s.over }

// Ended is closed when every frame has been returned and the input is over.
func (s *Stream) Ended() <-chan struct{} { return s.ended }

// End is why the input is over: io.EOF when the client closed it between
// messages, nil while it goes on.
func (s *Stream) End() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.end
}

// Flush waits at most timeout until the client has read what was written.
func (s *Stream) Flush(timeout time.Duration) {
	stop := time.AfterFunc(timeout, func() { s.out.fail(io.ErrClosedPipe) })
	defer stop.Stop()
	s.out.waitEmpty()
}

// Close ends both directions.
func (s *Stream) Close() error {
	s.mu.Lock()
	s.busyTimer.Stop()
	s.stop(io.ErrClosedPipe)
	s.mu.Unlock()
	s.out.fail(io.ErrClosedPipe)
	if err := s.closer.Close(); err != nil {
		return fmt.Errorf("close the connection to the editor: %w", err)
	}
	return nil
}
