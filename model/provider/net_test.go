package provider

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"tandem/model"
)

func TestMain(m *testing.M) {
	for _, v := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY", "SSL_CERT_FILE"} {
		os.Unsetenv(v)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(scriptedDir)
		os.Exit(code)
	}))
}

// A pipeEnd is one end of a connection in memory with buffers, so that writing
// does not wait for reading, as on a network.
type pipeEnd struct {
	in, out  *buffer
	deadline *time.Timer
}

// A buffer is one direction of a connection.
type buffer struct {
	mu     sync.Mutex
	cond   *sync.Cond
	data   []byte
	closed error // what reading returns after the data
	late   bool  // the reader's deadline has passed
}

func newBuffer() *buffer {
	b := &buffer{}
	b.cond = sync.NewCond(&b.mu)
	return b
}

func (b *buffer) read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.data) == 0 && b.closed == nil && !b.late {
		b.cond.Wait()
	}
	if b.late {
		return 0, os.ErrDeadlineExceeded
	}
	if len(b.data) == 0 {
		return 0, b.closed
	}
	n := copy(p, b.data)
	b.data = b.data[n:]
	b.cond.Broadcast()
	return n, nil
}

// window is how many bytes a connection buffers before writing waits.
const window = 64 << 10

func (b *buffer) write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.data) > window && b.closed == nil {
		b.cond.Wait()
	}
	if b.closed != nil {
		return 0, io.ErrClosedPipe
	}
	b.data = append(b.data, p...)
	b.cond.Broadcast()
	return len(p), nil
}

func (b *buffer) close(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed == nil {
		b.closed = err
	}
	b.cond.Broadcast()
}

func (b *buffer) setLate(late bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.late = late
	b.cond.Broadcast()
}

func newPipe() (client, server net.Conn) {
	a, b := newBuffer(), newBuffer()
	return &pipeEnd{in: a, out: b}, &pipeEnd{in: b, out: a}
}

func (p *pipeEnd) Read(b []byte) (int, error)  { return p.in.read(b) }
func (p *pipeEnd) Write(b []byte) (int, error) { return p.out.write(b) }
func (p *pipeEnd) Close() error {
	p.in.close(net.ErrClosed)
	p.out.close(io.EOF)
	return nil
}
func (p *pipeEnd) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (p *pipeEnd) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (p *pipeEnd) SetWriteDeadline(time.Time) error { return nil }
func (p *pipeEnd) SetDeadline(t time.Time) error    { return p.SetReadDeadline(t) }
func (p *pipeEnd) SetReadDeadline(t time.Time) error {
	if p.deadline != nil {
		p.deadline.Stop()
	}
	p.in.setLate(!t.IsZero() && !time.Now().Before(t))
	if !t.IsZero() && time.Now().Before(t) {
		p.deadline = time.AfterFunc(time.Until(t), func() { p.in.setLate(true) })
	}
	return nil
}

// A fakeNet is a network with servers on it, in memory.
type fakeNet struct {
	t    *testing.T
	mu   sync.Mutex
	up   map[string]*fakeListener
	fail map[string]error // by address: the error of dialling
	hang map[string]bool  // by address: dialling never ends
}

func newFakeNet(t *testing.T) *fakeNet {
	return &fakeNet{t: t, up: map[string]*fakeListener{}, fail: map[string]error{}, hang: map[string]bool{}}
}

type fakeListener struct {
	accept chan net.Conn
	done   chan struct{}
	once   sync.Once
}

func (l *fakeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.accept:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *fakeListener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

func (l *fakeListener) Addr() net.Addr { return &net.TCPAddr{} }

// serve puts a server at an address until the test ends.
func (n *fakeNet) serve(address string, h http.Handler) (stop func()) {
	l := &fakeListener{accept: make(chan net.Conn), done: make(chan struct{})}
	n.mu.Lock()
	n.up[address] = l
	n.mu.Unlock()
	s := &http.Server{Handler: h}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Serve(l)
	}()
	return func() {
		_ = s.Close()
		<-done
	}
}

func (n *fakeNet) Dial(ctx context.Context, _, address string) (net.Conn, error) {
	n.mu.Lock()
	l, fail, hang := n.up[address], n.fail[address], n.hang[address]
	n.mu.Unlock()
	if hang {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if fail != nil {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: fail}
	}
	if l == nil {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: address, IsNotFound: true}}
	}
	client, server := newPipe()
	select {
	case l.accept <- server:
		return client, nil
	case <-l.done:
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: io.ErrClosedPipe}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// A recordingObserver records every report.
type recordingObserver struct {
	mu      sync.Mutex
	sent    []model.Sent
	limits  []model.Limits
	dropped []string
	servers []model.Server
	speeds  []model.Speed
	failing []model.Code
}

func (n *recordingObserver) Sent(s model.Sent) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.sent = append(n.sent, s)
}

func (n *recordingObserver) Limits(l model.Limits) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.limits = append(n.limits, l)
}

func (n *recordingObserver) Failing(_ string, err *model.Error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.failing = append(n.failing, err.Code)
}

func (n *recordingObserver) ParameterRefused(_, param string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.dropped = append(n.dropped, param)
}

func (n *recordingObserver) Server(_ string, s model.Server) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.servers = append(n.servers, s)
}

func (n *recordingObserver) Measured(_ string, s model.Speed) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.speeds = append(n.speeds, s)
}

func (n *recordingObserver) requests() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.sent)
}

// An outcome is all that a caller sees of a stream.
type outcome struct {
	text, reasoning string
	logProb         float64 // of all text
	served          []string
	final           *model.Final
	err             *model.Error
	took            time.Duration
}

// ask streams a request to its end.
func ask(t *testing.T, ctx context.Context, c model.Client, req *model.Request) outcome {
	t.Helper()
	var o outcome
	start := time.Now()
	for d, err := range c.Stream(ctx, req) {
		if err != nil {
			e, ok := err.(*model.Error)
			if !ok {
				t.Fatalf("the stream's error is a %T, want *model.Error", err)
			}
			if o.final != nil || o.err != nil {
				t.Errorf("the stream goes on after its end with %v", err)
			}
			o.err = e
			continue
		}
		o.text, o.logProb = o.text+d.Text, o.logProb+d.LogProb
		o.reasoning += d.Reasoning
		if d.Served != "" {
			o.served = append(o.served, d.Served)
		}
		if d.Final != nil {
			o.final = d.Final
		}
	}
	o.took = time.Since(start)
	if (o.final == nil) == (o.err == nil) {
		t.Errorf("the stream ends with final %v and error %v, want one of them", o.final, o.err)
	}
	return o
}

// accept upgrades a request to a socket, for fake servers.
func accept(w http.ResponseWriter, r *http.Request) *websocket.Conn {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return nil
	}
	conn.SetReadLimit(16 << 20)
	return conn
}

// quoted is a JSON string.
func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
