package socket

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"tandem/model"
	"tandem/model/provider/dialect"
)

// Figures of sockets.
const (
	MaxQueued  = 256              // events decoded and not yet taken by the caller, before reading stops
	socketLife = 55 * time.Minute // servers close a socket after 60
	pingEvery  = 20 * time.Second
	pongWithin = 10 * time.Second
	maxUnused  = 30 * time.Minute // a socket unused for this long is not replaced
)

// A socket is one WebSocket. Its one reader feeds the responses on its logical
// streams.
type socket struct {
	pool *Pool
	base *url.URL
	conn *websocket.Conn
	born time.Time
	gone chan struct{} // closed when the reader has ended

	closing chan struct{} // closed when this side closes the socket
	once    sync.Once
	waiting atomic.Bool  // the reader waits for a caller: pongs are not read
	typing  *atomic.Bool // the newest request is made while somebody types

	// Guarded by pool.mu.
	streams  []*logicalStream
	lastUsed time.Time
	dead     bool
	served   string // model named by the handshake; for the first response
	names    int
}

// A logicalStream is a chain of responses on a socket: the socket's default
// stream, or one with a stream id. Guarded by pool.mu.
type logicalStream struct {
	socket *socket
	id     string // stream_id; "" is the default stream
	busy   bool   // a response runs on it, or is about to
	active *Response
	chain  chain
}

// A chain is the latest response of a logical stream, as the server stores it.
type chain struct {
	id       string
	sig      string // everything but the input
	messages []model.Message
}

// dial opens a socket. A failure of dialect.KindNoSocket means that the server, or a
// proxy in front of it, answers but accepts no sockets.
func (p *Pool) dial(ctx context.Context, base *url.URL, key model.Secret, connect time.Duration) (*socket, *dialect.Failure) {
	c, ec := p.config, p.config.ErrorContext(base, key)
	limit := cmp.Or(c.Provider.WebsocketConnect, connect)
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	h := c.Header(base, key)
	h.Set("Openai-Beta", "responses_websockets=2026-02-06")
	typing, upgraded := &atomic.Bool{}, *c.HTTP
	upgraded.Transport = gathered{c.HTTP.Transport, typing}
	conn, resp, err := websocket.Dial(ctx, dialect.Address(base, c.Path, c.Provider.QueryParams).String(),
		&websocket.DialOptions{HTTPClient: &upgraded, HTTPHeader: h, CompressionMode: websocket.CompressionDisabled})
	if err != nil && caller.Err() != nil { // it shows nothing about the server
		return nil, ec.Stopped(caller)
	}
	if err != nil {
		return nil, p.notDialed(ctx, ec, resp, err, connected.Load(), limit)
	}
	conn.SetReadLimit(dialect.MaxEvent)
	if l, ok := dialect.HeaderLimits(resp.Header, c.Clock()); ok {
		l.Model = c.Model.Name
		c.Observe.Limits(l)
	}
	k := &socket{pool: p, base: base, conn: conn, born: time.Now(), lastUsed: time.Now(), served: resp.Header.Get("Openai-Model"), typing: typing, gone: make(chan struct{}), closing: make(chan struct{})}
	if !c.Group.Go("reading a model's socket", k.read) {
		_ = conn.CloseNow()
		return nil, ec.Streamed(context.Canceled, time.Time{})
	}
	c.Group.Go("keeping a model's socket", k.keepAlive)
	return k, nil
}

// notDialed describes a failed upgrade.
func (p *Pool) notDialed(ctx context.Context, ec dialect.ErrorContext, resp *http.Response, err error, connected bool, limit time.Duration) *dialect.Failure {
	if resp != nil && (resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusTooManyRequests) {
		return ec.Answered(dialect.ReadError(resp), p.config.Clock())
	}
	switch {
	case resp != nil || connected:
		return ec.Fail(model.CodeServer, dialect.KindNoSocket, err, "%s takes no WebSocket.", ec.At())
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return ec.TimedOut("connect", limit)
	}
	return p.config.Dialed(ec, err)
}

// read feeds the socket's responses until the socket ends. It is the only
// reader. It uses no context, which would cost one allocation per frame: keepAlive
// closes the socket when the group ends.
func (k *socket) read(context.Context) {
	defer close(k.gone)
	var buf []byte
	for {
		kind, r, err := k.conn.Reader(context.Background())
		if err == nil && kind != websocket.MessageText {
			err = websocket.CloseError{Code: websocket.StatusUnsupportedData, Reason: "binary"}
		}
		if err == nil {
			buf, err = readAll(buf[:0], r)
		}
		if err != nil {
			k.end(k.ended(err))
			return
		}
		k.route(buf)
	}
}

// readAll reads r into buf, growing it as needed: one buffer serves every event.
func readAll(buf []byte, r io.Reader) ([]byte, error) {
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, make([]byte, max(4<<10, len(buf)))...)[:len(buf)]
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if errors.Is(err, io.EOF) {
			return buf, nil
		}
		if err != nil {
			return buf, err
		}
	}
}

// route passes an event to the response it belongs to.
func (k *socket) route(data []byte) {
	resp, scoped := k.responseFor(data)
	switch {
	case resp != nil:
		resp.feed(data)
	case scoped:
		k.scoped(data)
	default:
		k.between(data)
	}
}

// responseFor is the response an event is for. If stream ids are in use, an
// event without one may be for the whole connection.
func (k *socket) responseFor(data []byte) (resp *Response, scoped bool) {
	k.pool.mu.Lock()
	defer k.pool.mu.Unlock()
	var id []byte
	if k.names > 0 {
		id = dialect.Unquoted(dialect.Member(data, "stream_id"))
	}
	for _, l := range k.streams {
		if l.active == nil {
			continue
		}
		if l.id == string(id) {
			return l.active, false
		}
		scoped = scoped || len(id) == 0
	}
	return nil, scoped
}

// between handles what arrives while no request runs: rate limits, or the
// server's error that the socket has ended.
func (k *socket) between(data []byte) {
	switch string(dialect.Unquoted(dialect.Member(data, "type"))) {
	case "codex.rate_limits":
		if l := dialect.CodexLimits(data); l != nil {
			l.Model = k.pool.config.Model.Name
			k.pool.config.Observe.Limits(*l)
		}
	case "error":
		k.close()
	}
}

// scoped handles an event without a stream id while streams with an id are busy:
// an error of the whole connection, or rate limits.
func (k *socket) scoped(data []byte) {
	if string(dialect.Unquoted(dialect.Member(data, "type"))) != "error" {
		k.between(data)
		return
	}
	k.pool.mu.Lock()
	var responses []*Response
	for _, l := range k.streams {
		if l.active != nil {
			responses = append(responses, l.active)
		}
	}
	k.pool.mu.Unlock()
	for _, resp := range responses {
		resp.feed(data)
	}
}

// ended is why a socket ended, for the responses that were on it.
func (k *socket) ended(err error) error {
	switch code := websocket.CloseStatus(err); code {
	case websocket.StatusProtocolError, websocket.StatusUnsupportedData, websocket.StatusInvalidFramePayloadData,
		websocket.StatusPolicyViolation, websocket.StatusMessageTooBig, websocket.StatusMandatoryExtension:
		return &ClosedError{int(code)}
	}
	if errors.Is(err, websocket.ErrMessageTooBig) {
		return fmt.Errorf("an event of more than %d MiB: %w", dialect.MaxEvent>>20, dialect.ErrTooLarge)
	}
	return dialect.ErrEarlyEnd
}

// A ClosedError is a close code after which a retry does not help.
type ClosedError struct{ Code int }

func (e *ClosedError) Error() string {
	return fmt.Sprintf("the socket was closed with code %d", e.Code)
}

// end fails the responses on the socket and removes it from the pool.
func (k *socket) end(err error) {
	_ = k.conn.CloseNow()
	p := k.pool
	p.mu.Lock()
	k.dead = true
	var responses []*Response
	for _, l := range k.streams {
		if l.active != nil {
			responses = append(responses, l.active)
			l.active = nil
		}
		l.busy, l.chain = false, chain{}
	}
	p.forget(k)
	p.mu.Unlock()
	for _, resp := range responses {
		resp.end(err)
	}
}

// close closes the socket without waiting for the server. Nothing new is sent
// over it afterwards. The caller must not hold the pool's lock.
func (k *socket) close() {
	k.pool.mu.Lock()
	k.dead = true
	k.pool.forget(k)
	k.pool.mu.Unlock()
	k.once.Do(func() { close(k.closing) })
	_ = k.conn.CloseNow()
}

// keepAlive pings the socket, and replaces it before the server ends it.
func (k *socket) keepAlive(ctx context.Context) {
	t := time.NewTicker(pingEvery)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			k.close()
			return
		case <-k.gone:
			return
		case <-t.C:
		}
		if time.Since(k.born) >= socketLife && k.pool.rotate(ctx, k) {
			return
		}
		if k.waiting.Load() {
			continue
		}
		pong, cancel := context.WithTimeout(ctx, pongWithin)
		err := k.conn.Ping(pong)
		cancel()
		if err != nil && !k.waiting.Load() {
			k.close()
			return
		}
	}
}
