package wire

import (
	"io"
	"strconv"
	"sync"
)

const (
	// readMark is how much unwritten output makes ReadFrame wait: the server
	// does not read from a client that does not read.
	readMark = 1 << 20
	// writeMark is how much unwritten output makes a writer wait.
	writeMark = 4 << 20
	// flushAt is how much output is collected while more input is waiting.
	flushAt = 32 << 10
)

// An outbox collects frames and writes them, each contiguous and in order. One
// goroutine at a time writes for all, so a slow client blocks at most one of
// them until writeMark bytes are unwritten.
type outbox struct {
	w    io.Writer
	more func() bool // reports whether queued input will produce more output

	mu       sync.Mutex // guards all below; not held while writing to w
	written  *sync.Cond
	buf      []byte
	flushing bool
	err      error
}

func newOutbox(w io.Writer, more func() bool) *outbox {
	o := &outbox{w: w, more: more}
	o.written = sync.NewCond(&o.mu)
	return o
}

// write frames what body appends. It returns when the frame is in the buffer,
// not when the client has read it.
func (o *outbox) write(body func([]byte) []byte) (int64, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.flushing && len(o.buf) > writeMark && o.err == nil {
		o.written.Wait()
	}
	if o.err != nil {
		return 0, o.err
	}
	before := len(o.buf)
	o.buf = appendFrame(o.buf, body)
	n := int64(len(o.buf) - before)
	if o.flushing || len(o.buf) < flushAt && o.more() {
		return n, nil
	}
	return n, o.flush()
}

// drain writes what has been collected.
func (o *outbox) drain() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.flushing {
		_ = o.flush() // the error stays in o.err
	}
}

// flush is called with mu held and releases it while it writes.
func (o *outbox) flush() error {
	o.flushing = true
	for len(o.buf) > 0 && o.err == nil {
		out := o.buf
		o.buf = nil
		o.mu.Unlock()
		_, err := o.w.Write(out)
		o.mu.Lock()
		if err != nil && o.err == nil {
			o.err = err
		}
		o.written.Broadcast()
	}
	o.flushing = false
	return o.err
}

// waitBelow waits until less than mark bytes are unwritten, or nobody writes.
func (o *outbox) waitBelow(mark int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.flushing && len(o.buf) >= mark && o.err == nil {
		o.written.Wait()
	}
}

// waitEmpty waits until everything is written or the writer has failed.
func (o *outbox) waitEmpty() {
	o.drain()
	o.waitBelow(0)
}

// fail makes every later write return err and wakes all waiting goroutines.
func (o *outbox) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = err
	}
	o.written.Broadcast()
}

const (
	lengthName  = "Content-Length: "
	headerEnd   = "\r\n\r\n"
	headerSize  = len(lengthName) + 10 + len(headerEnd)
	emptyHeader = "Content-Length: 0000000000\r\n\r\n"
	maxDigits   = 10
)

// appendFrame appends a header and the body that body appends.
func appendFrame(dst []byte, body func([]byte) []byte) []byte {
	start := len(dst)
	dst = body(append(dst, emptyHeader...))
	length := strconv.Itoa(len(dst) - start - headerSize)
	// The reserved header has the maximum length; remove the unused digits.
	gap := maxDigits - len(length)
	at := start + len(lengthName)
	at += copy(dst[at:], length)
	at += copy(dst[at:], headerEnd)
	copy(dst[at:], dst[at+gap:])
	return dst[:len(dst)-gap]
}
