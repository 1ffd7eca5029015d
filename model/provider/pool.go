package provider

import (
	"context"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"

	"tandem/model"
)

// Sizes of a pool. A stale answer must not keep the next request waiting, so
// there is always another line to go on.
const (
	maxSockets = 3
	maxLanes   = 8 // names on one socket; servers allow 32 in its life
	baseLane   = "base"
	baseBytes  = 4 << 10 // input worth keeping on the server apart
)

// A pool is the sockets of one model, and what each of them remembers.
type pool struct {
	client *client

	mu      sync.Mutex // guards the rest, and the lines of its sockets
	sockets []*socket
	dialing int
	free    chan struct{}   // closed when a line becomes free
	last    []model.Message // input of the last request
	lastSig string
	closed  bool
}

func newPool(c *client) *pool { return &pool{client: c, free: make(chan struct{})} }

// lanes reports whether the server understands stream_id.
func (p *pool) lanes(base *url.URL) bool {
	return p.client.provider.StreamLanes || base.Hostname() == "api.openai.com"
}

// begin finds the line that knows most of the input, and sends it the rest.
func (p *pool) begin(ctx context.Context, base *url.URL, key model.Secret, x *exchange) (*activeTurn, *failure) {
	s := x.scene(base, key)
	f, failed := x.body(s)
	if failed != nil {
		return nil, failed
	}
	sig := signature(f)
	l, parent, failed := p.line(ctx, base, key, x, sig)
	if failed != nil {
		return nil, failed
	}
	if k := p.worthKeeping(l, sig, x, len(parent.messages)); k > 0 {
		if kept, ok := p.keepBase(ctx, l.socket, f, sig, x, k); ok {
			parent = kept
		}
		if ctx.Err() != nil {
			p.released(l, chain{}, nil)
			return nil, s.streamed(ctx.Err(), time.Time{})
		}
	}
	t := newTurn(l, sig, x.req.Input, x.client.model.MaxOutputTokens)
	p.mu.Lock()
	l.turn, l.socket.used = t, time.Now()
	dead := l.socket.dead
	p.last, p.lastSig = x.req.Input, sig
	x.served, l.socket.served = l.socket.served, ""
	p.mu.Unlock()
	if dead {
		return nil, s.streamed(errEarlyEnd, time.Time{})
	}
	body := create(f, l, x.req.Input[len(parent.messages):], parent.id, true)
	x.sent(base.Host, body)
	if err := l.socket.write(ctx, body); err != nil {
		l.socket.close()
		return nil, s.streamed(err, time.Time{})
	}
	return t, nil
}

// writeWithin bounds the sending of a request; a window of context takes that
// long only over a line that is hardly one.
const writeWithin = 30 * time.Second

// write sends one frame. It is not interrupted by the caller's stopping, which
// would cost the socket.
func (k *socket) write(ctx context.Context, body []byte) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeWithin)
	defer cancel()
	return k.conn.Write(ctx, websocket.MessageText, body)
}

// line returns a line that is free, reserved for the caller, and the chain on
// its socket that the request can continue. It opens a socket where none is
// free; where there are enough of them and all are at work, the failure is
// kindBusy, and the request goes by HTTP rather than wait.
func (p *pool) line(ctx context.Context, base *url.URL, key model.Secret, x *exchange, sig string) (*line, chain, *failure) {
	for {
		p.mu.Lock()
		l, parent := p.choose(base, sig, x)
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
			if f := p.add(ctx, base, key, x.deadlines.Connect); f != nil {
				return nil, chain{}, f
			}
			continue
		}
		if !opening {
			return nil, chain{}, &failure{Error: &model.Error{}, kind: kindBusy}
		}
		select {
		case <-ctx.Done():
			return nil, chain{}, x.scene(base, key).streamed(ctx.Err(), time.Time{})
		case <-free:
		}
	}
}

// add opens one more socket.
func (p *pool) add(ctx context.Context, base *url.URL, key model.Secret, connect time.Duration) *failure {
	k, f := p.dial(ctx, base, key, connect)
	p.mu.Lock()
	p.dialing--
	p.announce()
	if f == nil && !p.closed && !k.dead {
		p.sockets = append(p.sockets, k)
	}
	over := f == nil && (p.closed || k.dead)
	p.mu.Unlock()
	if over {
		k.close()
		return p.client.scene(base, key).streamed(errEarlyEnd, time.Time{})
	}
	return f
}

// announce tells those who wait that something is free. p.mu is held.
func (p *pool) announce() {
	close(p.free)
	p.free = make(chan struct{})
}

// choose picks a free line and the longest chain that a request on it can
// continue. p.mu is held.
func (p *pool) choose(base *url.URL, sig string, x *exchange) (*line, chain) {
	var best *line
	var parent chain
	for _, k := range p.sockets {
		if k.dead || k.base.String() != base.String() || time.Since(k.born) >= socketLife {
			continue
		}
		for _, l := range p.freeLines(k) {
			c := p.parent(l, sig, x)
			if best == nil || len(c.messages) > len(parent.messages) {
				best, parent = l, c
			}
		}
	}
	return best, parent
}

// freeLines are the lines of a socket that may be used now, a new one among
// them where there is room for it.
func (p *pool) freeLines(k *socket) []*line {
	var out []*line
	for _, l := range k.lines {
		if !l.busy && l.id != baseLane {
			out = append(out, l)
		}
	}
	if len(out) > 0 || k.dead {
		return out
	}
	if len(k.lines) == 0 {
		return []*line{p.newLine(k, "")}
	}
	if p.lanes(k.base) && k.names < maxLanes {
		return []*line{p.newLine(k, "lane-"+string(rune('a'+k.names)))}
	}
	return nil
}

func (p *pool) newLine(k *socket, id string) *line {
	l := &line{socket: k, id: id}
	k.lines = append(k.lines, l)
	if id != "" {
		k.names++
	}
	return l
}

// parent is the longest chain that a request on l can continue: its own, or
// with lanes that of any line that is at rest.
func (p *pool) parent(l *line, sig string, x *exchange) chain {
	var best chain
	if x.fresh {
		return best
	}
	for _, other := range l.socket.lines {
		if other.busy || other != l && !p.lanes(l.socket.base) {
			continue
		}
		if c := other.chain; c.id != "" && c.sig == sig && len(c.messages) > len(best.messages) && extends(x.req.Input, c.messages) {
			best = c
		}
	}
	return best
}

// extends reports whether input is known and more.
func extends(input, known []model.Message) bool {
	return len(input) > len(known) && slices.Equal(input[:len(known)], known)
}

// worthKeeping is how many messages at the start of the input were also at the
// start of the last one and are no part of a chain yet, if they are worth a
// lane of their own: from there each request forks, sending only its end.
func (p *pool) worthKeeping(l *line, sig string, x *exchange, known int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if x.fresh || sig != p.lastSig || !p.lanes(l.socket.base) {
		return 0
	}
	k, size := 0, 0
	for k < len(p.last) && k < len(x.req.Input)-1 && p.last[k] == x.req.Input[k] {
		if k >= known {
			size += len(x.req.Input[k].Text)
		}
		k++
	}
	if size < baseBytes {
		return 0
	}
	return k
}

// keepBase has the server read the first k messages on a lane of their own.
func (p *pool) keepBase(ctx context.Context, k *socket, f fields, sig string, x *exchange, count int) (chain, bool) {
	t := p.reserveBase(k, sig, x.req.Input[:count])
	if t == nil {
		return chain{}, false
	}
	body := create(f, t.line, x.req.Input[:count], "", false)
	x.sent(k.base.Host, body)
	if k.write(ctx, body) != nil {
		return chain{}, false
	}
	timer := time.NewTimer(x.deadlines.FirstByte)
	defer timer.Stop()
	for {
		select {
		case <-t.wake:
		case <-timer.C:
			return chain{}, false
		case <-ctx.Done():
			return chain{}, false
		}
		if _, done, err := t.take(&batch{}); err != nil {
			return chain{}, false
		} else if done {
			return chain{t.dec.id, sig, t.messages}, true
		}
	}
}

func (p *pool) reserveBase(k *socket, sig string, messages []model.Message) *activeTurn {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(k.lines, func(l *line) bool { return l.id == baseLane })
	if k.dead || i >= 0 && k.lines[i].busy {
		return nil
	}
	if i < 0 {
		p.newLine(k, baseLane)
		i = len(k.lines) - 1
	}
	t := newTurn(k.lines[i], sig, messages, 0)
	t.warm = true
	k.lines[i].turn, k.lines[i].busy = t, true
	return t
}

// released frees a line when its turn is over; next, if any, follows on it.
func (p *pool) released(l *line, kept chain, next *activeTurn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l.turn, l.busy, l.chain = next, next != nil, kept
	p.announce()
}

// stale is a socket whose turns nobody listens to, or nil. p.mu is held.
func (p *pool) stale() *socket {
	for _, k := range p.sockets {
		if !slices.ContainsFunc(k.lines, func(l *line) bool { return l.busy && (l.turn == nil || !l.turn.abandoned()) }) {
			return k
		}
	}
	return nil
}

func (t *activeTurn) abandoned() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.skip
}

// alone reports whether t is the only turn on its socket.
func (p *pool) alone(t *activeTurn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !slices.ContainsFunc(t.line.socket.lines, func(l *line) bool { return l.busy && l.turn != t })
}

// forget takes a socket out of the pool. p.mu is held.
func (p *pool) forget(k *socket) {
	p.sockets = slices.DeleteFunc(p.sockets, func(o *socket) bool { return o == k })
	p.announce()
}

// rotate replaces a socket that has become old, when it is idle: the new one is
// opened first. It reports whether the old one is gone.
func (p *pool) rotate(ctx context.Context, k *socket) bool {
	p.mu.Lock()
	busy := slices.ContainsFunc(k.lines, func(l *line) bool { return l.busy })
	unused := time.Since(k.used) > keptUnused
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

func (p *pool) replace(ctx context.Context, base *url.URL) {
	key, f := p.client.key(ctx, base)
	if f != nil {
		return
	}
	p.mu.Lock()
	p.dialing++
	p.mu.Unlock()
	p.add(ctx, base, key, model.DefaultDeadlines(model.Task).Connect)
}

// warm opens a socket where there is none.
func (p *pool) warm(ctx context.Context, base *url.URL) *failure {
	key, f := p.client.key(ctx, base)
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
	f = p.add(ctx, base, key, model.DefaultDeadlines(model.Task).Connect)
	if f != nil && f.kind == kindNoSocket {
		p.client.options.Shared.setSockets(base.String(), false)
	}
	return f
}

// probe tries in the background whether a server takes sockets by now.
func (p *pool) probe(base *url.URL, key model.Secret) {
	p.client.group.Go("probing for sockets", func(ctx context.Context) {
		p.mu.Lock()
		p.dialing++
		p.mu.Unlock()
		if p.add(ctx, base, key, model.DefaultDeadlines(model.Task).Connect) == nil {
			p.client.options.Shared.setSockets(base.String(), true)
		}
	})
}

// dropAll closes every socket: after the machine was asleep the other side has
// forgotten them.
func (p *pool) dropAll() {
	p.mu.Lock()
	sockets := slices.Clone(p.sockets)
	p.sockets = nil
	p.announce()
	p.mu.Unlock()
	for _, k := range sockets {
		k.close()
	}
}

func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.dropAll()
}
