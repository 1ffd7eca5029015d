package provider

import (
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
)

// Figures of sockets.
const (
	maxQueued  = 256              // events decoded and not taken, before reading stops
	socketLife = 55 * time.Minute // servers end a socket at 60
	pingEvery  = 20 * time.Second
	pongWithin = 10 * time.Second
	keptUnused = 30 * time.Minute // a socket that nobody uses is not replaced
)

// A socket is one WebSocket. Its one reader feeds the turns of its lines.
type socket struct {
	pool *pool
	base *url.URL
	conn *websocket.Conn
	born time.Time
	gone chan struct{} // closed when the reader has ended

	closing chan struct{} // closed when we end it
	once    sync.Once
	waiting atomic.Bool // the reader waits for a caller: pongs are not read

	// Guarded by pool.mu.
	lines  []*line
	used   time.Time
	dead   bool
	served string // by the handshake; for the first turn
	names  int
}

// A line is a chain of responses on a socket: the socket itself, or one of its
// named lanes. Guarded by pool.mu.
type line struct {
	socket *socket
	id     string // stream_id; "" is the default lane
	busy   bool   // a turn runs on it, or is about to
	turn   *activeTurn
	chain  chain
}

// A chain is the latest response of a line, as the server remembers it.
type chain struct {
	id       string
	sig      string // everything but the input
	messages []model.Message
}

// dial opens a socket. A failure of kindNoSocket says that the server, or what
// is in front of it, answers but takes no sockets.
func (p *pool) dial(ctx context.Context, base *url.URL, key model.Secret, connect time.Duration) (*socket, *failure) {
	c, s := p.client, p.client.scene(base, key)
	limit := or(c.provider.WebsocketConnect, connect)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	h := http.Header{"Openai-Beta": {"responses_websockets=2026-02-06"}}
	setHeaders(h, &c.provider, base.Hostname(), key, c.headers, c.options.UserAgent)
	conn, resp, err := websocket.Dial(ctx, address(base, c.dialect.path, c.provider.QueryParams).String(),
		&websocket.DialOptions{HTTPClient: c.http, HTTPHeader: h, CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return nil, p.notDialed(ctx, s, resp, err, connected.Load(), limit)
	}
	conn.SetReadLimit(maxEvent)
	c.observeHeaders(resp.Header, c.options.Clock())
	k := &socket{pool: p, base: base, conn: conn, born: time.Now(), used: time.Now(), served: resp.Header.Get("Openai-Model"), gone: make(chan struct{}), closing: make(chan struct{})}
	if !c.group.Go("reading a model's socket", k.read) {
		_ = conn.CloseNow()
		return nil, s.streamed(context.Canceled, time.Time{})
	}
	c.group.Go("keeping a model's socket", k.keep)
	return k, nil
}

// notDialed puts a failed upgrade into words.
func (p *pool) notDialed(ctx context.Context, s scene, resp *http.Response, err error, connected bool, limit time.Duration) *failure {
	if resp != nil && (resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusTooManyRequests) {
		body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
		return s.answered(httpAPIError(resp, body), p.client.options.Clock())
	}
	switch {
	case resp != nil || connected:
		return s.fail(model.CodeServer, kindNoSocket, err, "%s takes no WebSocket.", s.at())
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return s.timedOut("connect", limit)
	}
	return s.dialed(err)
}

// read feeds the socket's turns until it ends. It is the only reader. It has no
// context of its own, which would cost an allocation a frame: keep closes the
// socket when the group ends.
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

// route gives an event to the turn it belongs to.
func (k *socket) route(data []byte) {
	t, scoped := k.turnOf(data)
	switch {
	case t != nil:
		t.feed(data)
	case scoped:
		k.scoped(data)
	default:
		k.between(data)
	}
}

// turnOf is the turn an event is for. Where lanes are in use, an event that
// names none may be for the whole connection.
func (k *socket) turnOf(data []byte) (t *activeTurn, scoped bool) {
	k.pool.mu.Lock()
	defer k.pool.mu.Unlock()
	var id []byte
	if k.names > 0 {
		id = unquoted(member(data, "stream_id"))
	}
	for _, l := range k.lines {
		if l.turn == nil {
			continue
		}
		if l.id == string(id) {
			return l.turn, false
		}
		scoped = scoped || len(id) == 0
	}
	return nil, scoped
}

// between takes what arrives while nothing is asked: news of limits, or the
// server's word that the socket is at its end.
func (k *socket) between(data []byte) {
	switch string(unquoted(member(data, "type"))) {
	case "codex.rate_limits":
		if l := codexLimits(data); l != nil {
			l.Model = k.pool.client.model.Name
			k.pool.client.options.Observe.Limits(*l)
		}
	case "error":
		k.close()
	}
}

// scoped takes an event without a lane while named lanes are at work: an error
// of the whole connection, or news.
func (k *socket) scoped(data []byte) {
	if string(unquoted(member(data, "type"))) != "error" {
		k.between(data)
		return
	}
	k.pool.mu.Lock()
	var turns []*activeTurn
	for _, l := range k.lines {
		if l.turn != nil {
			turns = append(turns, l.turn)
		}
	}
	k.pool.mu.Unlock()
	for _, t := range turns {
		t.feed(data)
	}
}

// ended is why a socket ended, for the turns that were on it.
func (k *socket) ended(err error) error {
	switch code := websocket.CloseStatus(err); code {
	case websocket.StatusProtocolError, websocket.StatusUnsupportedData, websocket.StatusInvalidFramePayloadData,
		websocket.StatusPolicyViolation, websocket.StatusMessageTooBig, websocket.StatusMandatoryExtension:
		return &closedError{int(code)}
	}
	if errors.Is(err, websocket.ErrMessageTooBig) {
		return fmt.Errorf("an event of more than %d MiB: %w", maxEvent>>20, errTooLarge)
	}
	return errEarlyEnd
}

// A closedError is a close code that says that asking again will not help.
type closedError struct{ code int }

func (e *closedError) Error() string {
	return fmt.Sprintf("the socket was closed with code %d", e.code)
}

// end fails the turns on the socket and forgets it.
func (k *socket) end(err error) {
	_ = k.conn.CloseNow()
	p := k.pool
	p.mu.Lock()
	k.dead = true
	var turns []*activeTurn
	for _, l := range k.lines {
		if l.turn != nil {
			turns = append(turns, l.turn)
			l.turn = nil
		}
		l.busy, l.chain = false, chain{}
	}
	p.forget(k)
	p.mu.Unlock()
	for _, t := range turns {
		t.end(err)
	}
}

// close ends the socket from our side, without waiting for the other. Nothing
// new is sent over it from here on. The pool must not be locked.
func (k *socket) close() {
	k.pool.mu.Lock()
	k.dead = true
	k.pool.forget(k)
	k.pool.mu.Unlock()
	k.once.Do(func() { close(k.closing) })
	_ = k.conn.CloseNow()
}

// keep pings the socket, and replaces it before the server ends it.
func (k *socket) keep(ctx context.Context) {
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
