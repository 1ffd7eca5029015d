package socket

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"

	"tandem/model"
	"tandem/model/provider/dialect"
	"tandem/workspace/run"
)

// Sizes of a pool. A stale answer must not delay the next request, so there is
// always another logical stream for it.
const (
	maxSockets   = 3
	maxStreamIDs = 8 // stream ids on one socket; servers allow 32 in its life
	baseStreamID = "base"
	baseBytes    = 4 << 10 // smallest input that is worth a separate stream on the server
)

// A Pool holds the sockets of one model, and what the server remembers on each.
type Pool struct {
	config Config

	mu      sync.Mutex // guards the rest, and the logical streams of its sockets
	sockets []*socket
	dialing int
	free    chan struct{}   // closed when a logical stream becomes free
	last    []model.Message // input of the last request
	lastSig string
	closed  bool
}

// NewPool returns an empty pool. It opens no socket.
func NewPool(c Config) *Pool { return &Pool{config: c, free: make(chan struct{})} }

// A Config is what a pool needs of the client that it belongs to.
type Config struct {
	Provider *model.ProviderConfig
	Model    *model.ModelConfig
	Path     string // of the wire API, under the base URL
	HTTP     *http.Client
	Group    *run.Group // of the readers
	Clock    func() time.Time
	Observe  model.Observer

	Header       func(base *url.URL, key model.Secret) http.Header // of an upgrade
	Key          func(ctx context.Context, base *url.URL) (model.Secret, *dialect.Failure)
	ErrorContext func(base *url.URL, key model.Secret) dialect.ErrorContext
	Dialed       func(ec dialect.ErrorContext, err error) *dialect.Failure // the failure for a connection that was not made
}

// A Request is one request that is sent over a socket.
type Request struct {
	Input              []model.Message
	Body               dialect.Fields // the whole request, input included
	Fresh              bool           // it continues no chain
	Typing             bool           // it is made while somebody types
	Connect, FirstByte time.Duration
	Sent               func(message []byte, continued bool) // receives each message before it is sent
}

// supportsStreamIDs reports whether the server understands stream_id.
func (p *Pool) supportsStreamIDs(base *url.URL) bool {
	return p.config.Provider.StreamIDs || base.Hostname() == "api.openai.com"
}

// Begin acquires the logical stream that already has most of the input, and
// sends the rest on it. A response that it returns with a failure is for the
// caller to abandon.
func (p *Pool) Begin(ctx context.Context, base *url.URL, key model.Secret, r *Request) (*Response, *dialect.Failure) {
	ec := p.config.ErrorContext(base, key)
	f := r.Body
	sig := signature(f)
	l, parent, failed := p.acquire(ctx, base, key, r, sig)
	if failed != nil {
		return nil, failed
	}
	if k := p.sharedPrefix(l, sig, r, len(parent.messages)); k > 0 {
		if stored, ok := p.storeBase(ctx, l.socket, f, sig, r, k); ok {
			parent = stored
		}
		if ctx.Err() != nil {
			p.released(l, chain{})
			return nil, ec.Stopped(ctx)
		}
	}
	resp := newResponse(l, sig, r.Input, p.config.Model.MaxOutputTokens)
	p.mu.Lock()
	l.active, l.socket.lastUsed = resp, time.Now()
	dead := l.socket.dead
	p.last, p.lastSig = r.Input, sig
	resp.Served, l.socket.served = l.socket.served, ""
	p.mu.Unlock()
	if dead {
		return nil, ec.Streamed(dialect.ErrEarlyEnd, time.Time{})
	}
	body := create(f, l, r.Input[len(parent.messages):], parent.id, true)
	r.Sent(body, parent.id != "")
	l.socket.typing.Store(r.Typing)
	if err := l.socket.send(ctx, body); err != nil {
		if ctx.Err() != nil {
			return resp, ec.Stopped(ctx)
		}
		l.socket.close()
		return nil, ec.Streamed(err, time.Time{})
	}
	return resp, nil
}

// writeWithin bounds the sending of a request; a full context takes that long
// only over a connection that hardly works.
const writeWithin = 30 * time.Second

// send sends one frame. A caller that stops does not wait for it, but does not
// interrupt it either, since that would close the socket.
func (k *socket) send(ctx context.Context, body []byte) error {
	_, err := run.Await(ctx, k.pool.config.Group, "sending a request", func() (struct{}, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeWithin)
		defer cancel()
		return struct{}{}, k.conn.Write(ctx, websocket.MessageText, body)
	})
	return err
}

// acquire reserves a free logical stream for the caller, and returns it with
// the chain on its socket that the request can continue. It opens a socket if
// none is free. If there are enough sockets and all are busy, the failure is
// dialect.KindBusy, and the request is sent over HTTP instead of waiting.
func (p *Pool) acquire(ctx context.Context, base *url.URL, key model.Secret, r *Request, sig string) (*logicalStream, chain, *dialect.Failure) {
	for {
		p.mu.Lock()
		l, parent := p.choose(base, sig, r)
		if l != nil {
			l.busy = true
			p.mu.Unlock()
			return l, parent, nil
		}
		free, opening := p.free, p.dialing > 0
		dial := len(p.sockets)+p.dialing < maxSockets
		var stale *socket
		if !dial {
			stale = p.stale()
		}
		if dial = dial || stale != nil; dial {
			p.dialing++
		}
		p.mu.Unlock()
		if stale != nil {
			stale.close()
		}
		if dial {
			if f := p.add(ctx, base, key, r.Connect); f != nil {
				return nil, chain{}, f
			}
			continue
		}
		if !opening {
			return nil, chain{}, &dialect.Failure{Error: &model.Error{}, Kind: dialect.KindBusy}
		}
		select {
		case <-ctx.Done():
			return nil, chain{}, p.config.ErrorContext(base, key).Stopped(ctx)
		case <-free:
		}
	}
}

// add opens one more socket.
func (p *Pool) add(ctx context.Context, base *url.URL, key model.Secret, connect time.Duration) *dialect.Failure {
	k, f := p.dial(ctx, base, key, connect)
	p.mu.Lock()
	p.dialing--
	p.announce()
	if f == nil && !p.closed && !k.dead {
		p.sockets = append(p.sockets, k)
	}
	unusable := f == nil && (p.closed || k.dead)
	p.mu.Unlock()
	if unusable {
		k.close()
		return p.config.ErrorContext(base, key).Streamed(dialect.ErrEarlyEnd, time.Time{})
	}
	return f
}

// announce wakes the requests that wait for a free stream. p.mu is held.
func (p *Pool) announce() {
	close(p.free)
	p.free = make(chan struct{})
}

// choose picks a free logical stream and the longest chain that a request on it can
// continue. p.mu is held.
func (p *Pool) choose(base *url.URL, sig string, r *Request) (*logicalStream, chain) {
	var best *logicalStream
	var parent chain
	for _, k := range p.sockets {
		if k.dead || k.base.String() != base.String() || time.Since(k.born) >= socketLife {
			continue
		}
		for _, l := range p.freeStreams(k) {
			c := p.parent(l, sig, r)
			if best == nil || len(c.messages) > len(parent.messages) {
				best, parent = l, c
			}
		}
	}
	return best, parent
}

// freeStreams returns the logical streams of a socket that may be used now. If
// none is free and the limit allows one more, it adds a new one.
func (p *Pool) freeStreams(k *socket) []*logicalStream {
	var out []*logicalStream
	for _, l := range k.streams {
		if !l.busy && l.id != baseStreamID {
			out = append(out, l)
		}
	}
	if len(out) > 0 || k.dead {
		return out
	}
	if len(k.streams) == 0 {
		return []*logicalStream{p.newLogicalStream(k, "")}
	}
	if p.supportsStreamIDs(k.base) && k.names < maxStreamIDs {
		return []*logicalStream{p.newLogicalStream(k, "lane-"+string(rune('a'+k.names)))}
	}
	return nil
}

func (p *Pool) newLogicalStream(k *socket, id string) *logicalStream {
	l := &logicalStream{socket: k, id: id}
	k.streams = append(k.streams, l)
	if id != "" {
		k.names++
	}
	return l
}

// parent is the longest chain that a request on l can continue: its own, or,
// where the server supports stream ids, that of any idle stream.
func (p *Pool) parent(l *logicalStream, sig string, r *Request) chain {
	var best chain
	if r.Fresh {
		return best
	}
	for _, other := range l.socket.streams {
		if other.busy || other != l && !p.supportsStreamIDs(l.socket.base) {
			continue
		}
		if c := other.chain; c.id != "" && c.sig == sig && len(c.messages) > len(best.messages) && extends(r.Input, c.messages) {
			best = c
		}
	}
	return best
}

// extends reports whether input begins with begin and is longer.
func extends(input, begin []model.Message) bool {
	return len(input) > len(begin) && slices.Equal(input[:len(begin)], begin)
}

// sharedPrefix is how many messages at the start of the input were also at the
// start of the last input and are not part of a chain yet, if they are worth a
// separate stream. Each later request then forks from that stream and sends
// only the end of its input.
func (p *Pool) sharedPrefix(l *logicalStream, sig string, r *Request, known int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.Fresh || sig != p.lastSig || !p.supportsStreamIDs(l.socket.base) {
		return 0
	}
	k, size := 0, 0
	for k < len(p.last) && k < len(r.Input)-1 && p.last[k] == r.Input[k] {
		if k >= known {
			size += r.Input[k].Text.Len()
		}
		k++
	}
	if size < baseBytes {
		return 0
	}
	return k
}

// storeBase makes the server read the first count messages on a separate stream.
func (p *Pool) storeBase(ctx context.Context, k *socket, f dialect.Fields, sig string, r *Request, count int) (chain, bool) {
	resp := p.reserveBase(k, sig, r.Input[:count])
	if resp == nil {
		return chain{}, false
	}
	body := create(f, resp.stream, r.Input[:count], "", false)
	r.Sent(body, false)
	if k.send(ctx, body) != nil {
		return chain{}, false
	}
	timer := time.NewTimer(r.FirstByte)
	defer timer.Stop()
	for {
		select {
		case <-resp.wake:
		case <-timer.C:
			return chain{}, false
		case <-ctx.Done():
			return chain{}, false
		}
		if done, err := resp.Take(&dialect.Batch{}); err != nil {
			return chain{}, false
		} else if done {
			return chain{resp.dec.ID, sig, resp.messages}, true
		}
	}
}

func (p *Pool) reserveBase(k *socket, sig string, messages []model.Message) *Response {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(k.streams, func(l *logicalStream) bool { return l.id == baseStreamID })
	if k.dead || i >= 0 && k.streams[i].busy {
		return nil
	}
	if i < 0 {
		p.newLogicalStream(k, baseStreamID)
		i = len(k.streams) - 1
	}
	resp := newResponse(k.streams[i], sig, messages, 0)
	resp.warm = true
	k.streams[i].active, k.streams[i].busy = resp, true
	return resp
}

// released frees a logical stream when its response has ended.
func (p *Pool) released(l *logicalStream, latest chain) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l.active, l.busy, l.chain = nil, false, latest
	p.announce()
}

// stale is a socket whose responses no caller reads any more, or nil. p.mu is held.
func (p *Pool) stale() *socket {
	for _, k := range p.sockets {
		if !slices.ContainsFunc(k.streams, func(l *logicalStream) bool { return l.busy && (l.active == nil || !l.active.abandoned()) }) {
			return k
		}
	}
	return nil
}

func (resp *Response) abandoned() bool {
	resp.mu.Lock()
	defer resp.mu.Unlock()
	return resp.skip
}

// alone reports whether resp is the only response on its socket.
func (p *Pool) alone(resp *Response) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !slices.ContainsFunc(resp.stream.socket.streams, func(l *logicalStream) bool { return l.busy && l.active != resp })
}

// forget removes a socket from the pool. p.mu is held.
func (p *Pool) forget(k *socket) {
	p.sockets = slices.DeleteFunc(p.sockets, func(o *socket) bool { return o == k })
	p.announce()
}

// rotate replaces an old socket when it is idle; the new one is opened first.
// It reports whether the old one was closed.
func (p *Pool) rotate(ctx context.Context, k *socket) bool {
	p.mu.Lock()
	busy := slices.ContainsFunc(k.streams, func(l *logicalStream) bool { return l.busy })
	unused := time.Since(k.lastUsed) > maxUnused
	if !busy {
		p.forget(k)
	}
	p.mu.Unlock()
	if busy {
		return false
	}
	if !unused {
		p.replace(ctx, k.base)
	}
	_ = k.conn.Close(websocket.StatusNormalClosure, "")
	return true
}

func (p *Pool) replace(ctx context.Context, base *url.URL) {
	key, f := p.config.Key(ctx, base)
	if f != nil {
		return
	}
	p.open(ctx, base, key)
}

// warmWithin bounds the opening of a socket that no request waits for.
const warmWithin = 10 * time.Second

// open opens one more socket for requests to come.
func (p *Pool) open(ctx context.Context, base *url.URL, key model.Secret) *dialect.Failure {
	p.mu.Lock()
	p.dialing++
	p.mu.Unlock()
	return p.add(ctx, base, key, warmWithin)
}

// Warm opens a socket if there is none.
func (p *Pool) Warm(ctx context.Context, base *url.URL) *dialect.Failure {
	key, f := p.config.Key(ctx, base)
	if f != nil {
		return f
	}
	p.mu.Lock()
	have := len(p.sockets)+p.dialing > 0
	if !have {
		p.dialing++
	}
	p.mu.Unlock()
	if have {
		return nil
	}
	return p.add(ctx, base, key, warmWithin)
}

// Probe tests in the background whether a server accepts sockets now, and calls
// accepted if so.
func (p *Pool) Probe(base *url.URL, key model.Secret, accepted func()) {
	p.config.Group.Go("probing for sockets", func(ctx context.Context) {
		if p.open(ctx, base, key) == nil {
			accepted()
		}
	})
}

// CloseAll closes every socket: after the machine was suspended the server no
// longer has them.
func (p *Pool) CloseAll() {
	p.mu.Lock()
	sockets := slices.Clone(p.sockets)
	p.sockets = nil
	p.announce()
	p.mu.Unlock()
	for _, k := range sockets {
		k.close()
	}
}

// Close closes every socket; the pool opens no other.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.CloseAll()
}
